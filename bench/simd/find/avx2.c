#include "peer.h"

#include <immintrin.h>

static __m256i same(const int32_t *xs, __m256i wanted)
{
    return _mm256_cmpeq_epi32(_mm256_loadu_si256((const __m256i *)xs), wanted);
}

// Four vectors at a time.
int PEER(int64_t n, const int32_t *restrict xs, int32_t x, int64_t *restrict out)
{
    const __m256i wanted = _mm256_set1_epi32(x);
    int64_t i = 0;
    for (; i + 32 <= n; i += 32) {
        __m256i two = _mm256_or_si256(same(xs + i, wanted), same(xs + i + 8, wanted));
        __m256i more = _mm256_or_si256(same(xs + i + 16, wanted), same(xs + i + 24, wanted));
        if (_mm256_movemask_epi8(_mm256_or_si256(two, more))) break;
    }
    for (; i + 8 <= n; i += 8) {
        int found = _mm256_movemask_ps(_mm256_castsi256_ps(same(xs + i, wanted)));
        if (found) {
            *out = i + __builtin_ctz((unsigned)found);
            return 0;
        }
    }
    while (i < n && xs[i] != x) i++;
    *out = i;
    return 0;
}
