#include "image/image.h"

void peer_laplace(int64_t h, int64_t w, const float *restrict in, float *restrict out);

void peer_laplace(int64_t h, int64_t w, const float *restrict in, float *restrict out)
{
    for (int64_t y = 0; y < h; y++, out += w) {
        const float *a = in + clamp(y - 1, h) * w, *b = in + y * w, *c = in + clamp(y + 1, h) * w;
        out[0] = a[0] + b[0] + b[clamp(1, w)] + c[0] - 4 * b[0];
        for (int64_t x = 1; x < w - 1; x++) out[x] = a[x] + b[x - 1] + b[x + 1] + c[x] - 4 * b[x];
        out[w - 1] = a[w - 1] + b[clamp(w - 2, w)] + b[w - 1] + c[w - 1] - 4 * b[w - 1];
    }
}
