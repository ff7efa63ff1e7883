#include "image/image.h"

#include <math.h>

void peer_sobel(int64_t h, int64_t w, const float *restrict in, float *restrict out);

static inline float strength(const float *a, const float *b, const float *c, int64_t left,
                             int64_t x, int64_t right)
{
    float dx = a[right] - a[left] + 2 * (b[right] - b[left]) + c[right] - c[left];
    float dy = c[left] - a[left] + 2 * (c[x] - a[x]) + c[right] - a[right];
    return sqrtf(dx * dx + dy * dy);
}

void peer_sobel(int64_t h, int64_t w, const float *restrict in, float *restrict out)
{
    for (int64_t y = 0; y < h; y++, out += w) {
        const float *a = in + clamp(y - 1, h) * w, *b = in + y * w, *c = in + clamp(y + 1, h) * w;
        out[0] = strength(a, b, c, 0, 0, clamp(1, w));
        for (int64_t x = 1; x < w - 1; x++) out[x] = strength(a, b, c, x - 1, x, x + 1);
        out[w - 1] = strength(a, b, c, clamp(w - 2, w), w - 1, w - 1);
    }
}
