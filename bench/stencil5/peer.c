#include <stdint.h>

void peer_stencil5(int64_t h, int64_t w, const float *restrict t, float *restrict out);

void peer_stencil5(int64_t h, int64_t w, const float *restrict t, float *restrict out)
{
    int64_t s = w + 2;
    for (int64_t i = 0; i < h; i++)
        for (int64_t j = 0; j < w; j++)
            out[i * w + j] = 0.25f * (t[i * s + j + 1] + t[(i + 1) * s + j] +
                                      t[(i + 1) * s + j + 2] + t[(i + 2) * s + j + 1]);
}
