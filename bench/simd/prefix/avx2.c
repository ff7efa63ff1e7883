#include "peer.h"

#include <immintrin.h>

// Sums in halves of 128 bits, then what the lower one has for the upper one.
static __m256i sums(__m256i x)
{
    x = _mm256_add_epi32(x, _mm256_slli_si256(x, 4));
    x = _mm256_add_epi32(x, _mm256_slli_si256(x, 8));
    __m256i low = _mm256_permutevar8x32_epi32(x, _mm256_set1_epi32(3));
    return _mm256_add_epi32(x, _mm256_blend_epi32(_mm256_setzero_si256(), low, 0xf0));
}

int PEER(int64_t n, const int32_t *restrict xs, int32_t *restrict out)
{
    const __m256i last = _mm256_set1_epi32(7);
    __m256i before = _mm256_setzero_si256();
    int64_t i = 0;
    for (; i + 8 <= n; i += 8) {
        __m256i x = sums(_mm256_loadu_si256((const __m256i *)(xs + i)));
        x = _mm256_add_epi32(x, before);
        _mm256_storeu_si256((__m256i *)(out + i), x);
        before = _mm256_permutevar8x32_epi32(x, last);
    }
    int32_t sum = _mm256_cvtsi256_si32(before);
    for (; i < n; i++) {
        sum += xs[i];
        out[i] = sum;
    }
    return 0;
}
