#include "peer.h"

#include <immintrin.h>

static __m512i sums(__m512i x)
{
    const __m512i zero = _mm512_setzero_si512();
    x = _mm512_add_epi32(x, _mm512_alignr_epi32(x, zero, 15));
    x = _mm512_add_epi32(x, _mm512_alignr_epi32(x, zero, 14));
    x = _mm512_add_epi32(x, _mm512_alignr_epi32(x, zero, 12));
    return _mm512_add_epi32(x, _mm512_alignr_epi32(x, zero, 8));
}

int PEER(int64_t n, const int32_t *restrict xs, int32_t *restrict out)
{
    const __m512i last = _mm512_set1_epi32(15);
    __m512i before = _mm512_setzero_si512();
    for (int64_t i = 0; i < n; i += 16) {
        int64_t left = n - i;
        __mmask16 there = left < 16 ? (__mmask16)((1u << left) - 1) : (__mmask16)0xffff;
        __m512i x = sums(_mm512_maskz_loadu_epi32(there, xs + i));
        x = _mm512_add_epi32(x, before);
        _mm512_mask_storeu_epi32(out + i, there, x);
        before = _mm512_permutexvar_epi32(last, x);
    }
    return 0;
}
