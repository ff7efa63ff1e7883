#include <math.h>
#include <stdint.h>
#include <stdlib.h>

int peer_pipeline(int64_t h, int64_t w, const float *restrict img, float *restrict out);

// A stage at a time, each with its own array: grey (h+4)(w+4), blurred along x (h+4)(w+2), along y
// (h+2)(w+2).
int peer_pipeline(int64_t h, int64_t w, const float *restrict img, float *restrict out)
{
    int64_t gh = h + 4, gw = w + 4, sw = w + 2, sh = h + 2;
    float *restrict grey = malloc((size_t)(gh * gw) * sizeof *grey);
    float *restrict along = malloc((size_t)(gh * sw) * sizeof *along);
    float *restrict soft = malloc((size_t)(sh * sw) * sizeof *soft);
    int ok = grey && along && soft;
    if (ok) {
        for (int64_t i = 0; i < gh * gw; i++)
            grey[i] = 0.299f * img[3 * i] + 0.587f * img[3 * i + 1] + 0.114f * img[3 * i + 2];
        for (int64_t y = 0; y < gh; y++)
            for (int64_t x = 0; x < sw; x++)
                along[y * sw + x] = 0.25f * grey[y * gw + x] + 0.5f * grey[y * gw + x + 1] +
                                    0.25f * grey[y * gw + x + 2];
        for (int64_t y = 0; y < sh; y++)
            for (int64_t x = 0; x < sw; x++)
                soft[y * sw + x] = 0.25f * along[y * sw + x] + 0.5f * along[(y + 1) * sw + x] +
                                   0.25f * along[(y + 2) * sw + x];
        for (int64_t y = 0; y < h; y++)
            for (int64_t x = 0; x < w; x++) {
                float gx = soft[(y + 1) * sw + x + 2] - soft[(y + 1) * sw + x];
                float gy = soft[(y + 2) * sw + x + 1] - soft[y * sw + x + 1];
                out[y * w + x] = sqrtf(gx * gx + gy * gy);
            }
    }
    free(grey);
    free(along);
    free(soft);
    return !ok;
}
