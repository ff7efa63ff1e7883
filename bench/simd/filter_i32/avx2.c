#include "peer.h"

#include <immintrin.h>

// A whole vector is stored each time: there is room, since no more is kept than was read.
int PEER(int64_t n, const int32_t *restrict xs, int32_t *restrict out, int64_t *restrict kept)
{
    const __m256i zero = _mm256_setzero_si256();
    int64_t i = 0, k = 0;
    for (; i + 8 <= n; i += 8) {
        __m256i v = _mm256_loadu_si256((const __m256i *)(xs + i));
        unsigned on =
            (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpgt_epi32(v, zero)));
        uint64_t bytes = _pdep_u64(on, 0x0101010101010101) * 0xff;
        uint64_t from = _pext_u64(0x0706050403020100, bytes);
        __m256i at = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128((long long)from));
        _mm256_storeu_si256((__m256i *)(out + k), _mm256_permutevar8x32_epi32(v, at));
        k += __builtin_popcount(on);
    }
    for (; i < n; i++)
        if (xs[i] > 0) out[k++] = xs[i];
    *kept = k;
    return 0;
}
