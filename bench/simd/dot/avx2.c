#include "peer.h"

#include <immintrin.h>

int PEER(int64_t n, const float *restrict xs, const float *restrict ys, float *restrict out)
{
    __m256 sums[4] = {_mm256_setzero_ps(), _mm256_setzero_ps(), _mm256_setzero_ps(),
                      _mm256_setzero_ps()};
    int64_t i = 0;
    for (; i + 32 <= n; i += 32)
        for (int k = 0; k < 4; k++)
            sums[k] = _mm256_fmadd_ps(_mm256_loadu_ps(xs + i + 8 * k),
                                      _mm256_loadu_ps(ys + i + 8 * k), sums[k]);
    for (; i + 8 <= n; i += 8)
        sums[0] = _mm256_fmadd_ps(_mm256_loadu_ps(xs + i), _mm256_loadu_ps(ys + i), sums[0]);
    __m256 all = _mm256_add_ps(_mm256_add_ps(sums[0], sums[1]), _mm256_add_ps(sums[2], sums[3]));
    __m128 half = _mm_add_ps(_mm256_castps256_ps128(all), _mm256_extractf128_ps(all, 1));
    half = _mm_add_ps(half, _mm_movehl_ps(half, half));
    half = _mm_add_ss(half, _mm_movehdup_ps(half));
    float sum = _mm_cvtss_f32(half);
    for (; i < n; i++) sum += xs[i] * ys[i];
    *out = sum;
    return 0;
}
