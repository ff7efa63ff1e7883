#include "peer.h"

#include <immintrin.h>

// A whole vector is stored each time: there is room, since no more is kept than was read.
int PEER(int64_t n, const float *restrict xs, float *restrict out, int64_t *restrict kept)
{
    const __m256 zero = _mm256_setzero_ps();
    int64_t i = 0, k = 0;
    for (; i + 8 <= n; i += 8) {
        __m256 v = _mm256_loadu_ps(xs + i);
        unsigned on = (unsigned)_mm256_movemask_ps(_mm256_cmp_ps(v, zero, _CMP_GT_OQ));
        uint64_t bytes = _pdep_u64(on, 0x0101010101010101) * 0xff;
        uint64_t from = _pext_u64(0x0706050403020100, bytes);
        __m256i at = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128((long long)from));
        _mm256_storeu_ps(out + k, _mm256_permutevar8x32_ps(v, at));
        k += __builtin_popcount(on);
    }
    for (; i < n; i++)
        if (xs[i] > 0.0f) out[k++] = xs[i];
    *kept = k;
    return 0;
}
