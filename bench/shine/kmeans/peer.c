#include <float.h>
#include <stdint.h>

void peer_kmeans(int64_t p, int64_t c, int64_t f, const float *restrict features,
                 const float *restrict centres, int32_t *restrict out);

void peer_kmeans(int64_t p, int64_t c, int64_t f, const float *restrict features,
                 const float *restrict centres, int32_t *restrict out)
{
#pragma omp parallel for
    for (int64_t i = 0; i < p; i++) {
        float least = FLT_MAX;
        int32_t nearest = 0;
        for (int64_t j = 0; j < c; j++) {
            float sum = 0;
            for (int64_t k = 0; k < f; k++) {
                float d = features[k * p + i] - centres[j * f + k];
                sum += d * d;
            }
            if (sum < least) {
                least = sum;
                nearest = (int32_t)j;
            }
        }
        out[i] = nearest;
    }
}
