#include <math.h>
#include <stdint.h>

// Three numbers for each voxel and each sample: all the first ones, then all the second ones, then all the third ones.
void peer_mriq(int64_t x, int64_t k, const float *restrict voxels,
               const float *restrict frequencies, const float *restrict weights,
               float *restrict out);

void peer_mriq(int64_t x, int64_t k, const float *restrict voxels,
               const float *restrict frequencies, const float *restrict weights,
               float *restrict out)
{
#pragma omp parallel for
    for (int64_t i = 0; i < x; i++) {
        float re = 0, im = 0;
#pragma omp simd reduction(+ : re, im)
        for (int64_t j = 0; j < k; j++) {
            float angle =
                6.2831853f * (frequencies[j] * voxels[i] + frequencies[k + j] * voxels[x + i] +
                              frequencies[2 * k + j] * voxels[2 * x + i]);
            re += weights[j] * cosf(angle);
            im += weights[j] * sinf(angle);
        }
        out[i] = re;
        out[x + i] = im;
    }
}
