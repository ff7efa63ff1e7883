#include "image/image.h"

#include <stdlib.h>

enum { SIZE = 5, REACH = 2 };
static const float weights[SIZE] = {0.0625f, 0.25f, 0.375f, 0.25f, 0.0625f};

int peer_gaussian(int64_t h, int64_t w, const float *restrict in, float *restrict out);

static void along_edge(int64_t w, const float *in, int64_t from, int64_t to, float *out)
{
    for (int64_t x = from; x < to; x++) {
        float sum = 0;
        for (int k = 0; k < SIZE; k++) sum += weights[k] * in[clamp(x + k - REACH, w)];
        out[x] = sum;
    }
}

static void along(int64_t w, const float *restrict in, float *restrict out)
{
    along_edge(w, in, 0, REACH, out);
    for (int64_t x = REACH; x < w - REACH; x++)
        out[x] = weights[0] * in[x - 2] + weights[1] * in[x - 1] + weights[2] * in[x] +
                 weights[3] * in[x + 1] + weights[4] * in[x + 2];
    along_edge(w, in, w - REACH, w, out);
}

static void across(int64_t w, float *const *rows, float *restrict out)
{
    const float *restrict a = rows[0], *restrict b = rows[1], *restrict c = rows[2];
    const float *restrict d = rows[3], *restrict e = rows[4];
    for (int64_t x = 0; x < w; x++)
        out[x] = weights[0] * a[x] + weights[1] * b[x] + weights[2] * c[x] + weights[3] * d[x] +
                 weights[4] * e[x];
}

// The five blurred rows that a row of the output needs go round in a buffer. w >= 4.
int peer_gaussian(int64_t h, int64_t w, const float *restrict in, float *restrict out)
{
    int64_t stride = row_stride(w);
    float *buffer = malloc((size_t)stride * SIZE * sizeof *buffer), *rows[SIZE];
    if (!buffer) return 1;
    for (int k = 0; k < SIZE; k++) rows[k] = buffer + k * stride;
    for (int k = 1; k < SIZE; k++) along(w, in + clamp(k - 1 - REACH, h) * w, rows[k]);
    for (int64_t y = 0; y < h; y++) {
        float *first = rows[0];
        for (int k = 0; k < SIZE - 1; k++) rows[k] = rows[k + 1];
        rows[SIZE - 1] = first;
        along(w, in + clamp(y + REACH, h) * w, first);
        across(w, rows, out + y * w);
    }
    free(buffer);
    return 0;
}
