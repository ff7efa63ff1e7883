#include "image/image.h"

#include <stdlib.h>

enum { REACH = 3 };

int peer_unsharp(int64_t h, int64_t w, const float *restrict in, float *restrict out);

static inline float weighted(float a, float b, float c, float d, float e, float f, float g)
{
    return (a + g) * (1.0f / 64) + (b + f) * (6.0f / 64) + (c + e) * (15.0f / 64) +
           d * (20.0f / 64);
}

// The rows around row y, weighted, with the pixels beyond both ends.
static void down(int64_t h, int64_t w, const float *in, int64_t y, float *restrict sums)
{
    const float *restrict r[2 * REACH + 1];
    for (int k = 0; k <= 2 * REACH; k++) r[k] = in + clamp(y + k - REACH, h) * w;
    const float *restrict a = r[0], *restrict b = r[1], *restrict c = r[2], *restrict d = r[3];
    const float *restrict e = r[4], *restrict f = r[5], *restrict g = r[6];
    for (int64_t x = 0; x < w; x++)
        sums[x + REACH] = weighted(a[x], b[x], c[x], d[x], e[x], f[x], g[x]);
    for (int k = 0; k < REACH; k++) {
        sums[k] = sums[REACH];
        sums[w + REACH + k] = sums[w + REACH - 1];
    }
}

// A row of sums is kept.
int peer_unsharp(int64_t h, int64_t w, const float *restrict in, float *restrict out)
{
    float *restrict s = malloc((size_t)(w + 2 * REACH) * sizeof *s);
    if (!s) return 1;
    for (int64_t y = 0; y < h; y++) {
        const float *restrict row = in + y * w;
        float *restrict to = out + y * w;
        down(h, w, in, y, s);
        for (int64_t x = 0; x < w; x++) {
            float soft = weighted(s[x], s[x + 1], s[x + 2], s[x + 3], s[x + 4], s[x + 5], s[x + 6]);
            to[x] = row[x] + 0.8f * (row[x] - soft);
        }
    }
    free(s);
    return 0;
}
