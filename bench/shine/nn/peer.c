#include <math.h>
#include <stdint.h>

void peer_nn(int64_t n, float lat, float lng, const float *restrict lats,
             const float *restrict lngs, float *restrict out);

void peer_nn(int64_t n, float lat, float lng, const float *restrict lats,
             const float *restrict lngs, float *restrict out)
{
#pragma omp parallel for simd
    for (int64_t i = 0; i < n; i++) {
        float x = lat - lats[i], y = lng - lngs[i];
        out[i] = sqrtf(x * x + y * y);
    }
}
