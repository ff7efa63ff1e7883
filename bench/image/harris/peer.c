#include "image/image.h"

#include <stdlib.h>

// A row of gradients, or of sums of their products over three rows: element 0 is the pixel left of the
// border, element w+1 the one right of it.
typedef struct {
    float *dx, *dy;
} Gradients;

int peer_harris(int64_t h, int64_t w, const float *restrict in, float *restrict out);

static inline void gradients_at(const float *a, const float *b, const float *c, int64_t left,
                                int64_t x, int64_t right, float *dx, float *dy)
{
    *dx = (a[right] - a[left]) * (1.0f / 12) + (b[right] - b[left]) * (2.0f / 12) +
          (c[right] - c[left]) * (1.0f / 12);
    *dy = (c[left] - a[left]) * (1.0f / 12) + (c[x] - a[x]) * (2.0f / 12) +
          (c[right] - a[right]) * (1.0f / 12);
}

// Of row y, which may lie outside.
static void gradients(int64_t h, int64_t w, const float *restrict in, int64_t y, float *restrict dx,
                      float *restrict dy)
{
    const float *a = in + clamp(y - 1, h) * w, *b = in + clamp(y, h) * w;
    const float *c = in + clamp(y + 1, h) * w;
    for (int64_t x = 1; x < w - 1; x++)
        gradients_at(a, b, c, x - 1, x, x + 1, &dx[x + 1], &dy[x + 1]);
    const int64_t edges[] = {-1, 0, w - 1, w};
    for (int i = 0; i < 4; i++) {
        int64_t x = edges[i];
        gradients_at(a, b, c, clamp(x - 1, w), clamp(x, w), clamp(x + 1, w), &dx[x + 1],
                     &dy[x + 1]);
    }
}

// The sums over nine pixels are sums along the row of sums over three rows.
static void corners(int64_t w, const Gradients *g, float *restrict xx, float *restrict xy,
                    float *restrict yy, float *restrict out)
{
    const float *restrict ax = g[0].dx, *restrict ay = g[0].dy, *restrict bx = g[1].dx;
    const float *restrict by = g[1].dy, *restrict cx = g[2].dx, *restrict cy = g[2].dy;
    for (int64_t x = 0; x < w + 2; x++) {
        xx[x] = ax[x] * ax[x] + bx[x] * bx[x] + cx[x] * cx[x];
        xy[x] = ax[x] * ay[x] + bx[x] * by[x] + cx[x] * cy[x];
        yy[x] = ay[x] * ay[x] + by[x] * by[x] + cy[x] * cy[x];
    }
    for (int64_t x = 0; x < w; x++) {
        float sxx = xx[x] + xx[x + 1] + xx[x + 2], sxy = xy[x] + xy[x + 1] + xy[x + 2];
        float syy = yy[x] + yy[x + 1] + yy[x + 2], trace = sxx + syy;
        out[x] = sxx * syy - sxy * sxy - 0.04f * trace * trace;
    }
}

// The gradients of three rows go round in a buffer.
int peer_harris(int64_t h, int64_t w, const float *restrict in, float *restrict out)
{
    int64_t room = row_stride(w + 2);
    float *rows = malloc((size_t)room * 9 * sizeof *rows);
    if (!rows) return 1;
    Gradients g[3];
    for (int i = 0; i < 3; i++) g[i] = (Gradients){rows + 2 * i * room, rows + (2 * i + 1) * room};
    for (int64_t y = -1; y < 1; y++) gradients(h, w, in, y, g[y + 1].dx, g[y + 1].dy);
    for (int64_t y = 0; y < h; y++) {
        gradients(h, w, in, y + 1, g[2].dx, g[2].dy);
        corners(w, g, rows + 6 * room, rows + 7 * room, rows + 8 * room, out + y * w);
        Gradients t = g[0];
        g[0] = g[1];
        g[1] = g[2];
        g[2] = t;
    }
    free(rows);
    return 0;
}
