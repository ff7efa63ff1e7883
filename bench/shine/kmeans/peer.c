#include <stdint.h>

void peer_kmeans(int64_t p, int64_t c, int64_t f, const float *restrict features,
                 const float *restrict centres, int32_t *restrict out);

// Blocks of points, side by side in vectors. A point at a time, with its features p numbers apart, is twenty times as slow.
void peer_kmeans(int64_t p, int64_t c, int64_t f, const float *restrict features,
                 const float *restrict centres, int32_t *restrict out)
{
    enum { BLOCK = 64 };
#pragma omp parallel for
    for (int64_t from = 0; from < p; from += BLOCK) {
        int64_t count = p - from < BLOCK ? p - from : BLOCK;
        float least[BLOCK];
        for (int64_t j = 0; j < c; j++) {
            float sum[BLOCK] = {0};
            for (int64_t k = 0; k < f; k++) {
#pragma omp simd
                for (int64_t i = 0; i < count; i++) {
                    float d = features[k * p + from + i] - centres[j * f + k];
                    sum[i] += d * d;
                }
            }
#pragma omp simd
            for (int64_t i = 0; i < count; i++) {
                int nearer = j == 0 || sum[i] < least[i];
                least[i] = nearer ? sum[i] : least[i];
                out[from + i] = nearer ? (int32_t)j : out[from + i];
            }
        }
    }
}
