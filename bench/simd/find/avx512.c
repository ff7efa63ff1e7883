#include "peer.h"

#include <immintrin.h>

static __mmask16 same(const int32_t *xs, __m512i wanted)
{
    return _mm512_cmpeq_epi32_mask(_mm512_loadu_si512(xs), wanted);
}

// Four vectors at a time.
int PEER(int64_t n, const int32_t *restrict xs, int32_t x, int64_t *restrict out)
{
    const __m512i wanted = _mm512_set1_epi32(x);
    int64_t i = 0;
    for (; i + 64 <= n; i += 64) {
        __mmask16 two = same(xs + i, wanted) | same(xs + i + 16, wanted);
        if (two | same(xs + i + 32, wanted) | same(xs + i + 48, wanted)) break;
    }
    for (; i < n; i += 16) {
        int64_t left = n - i;
        __mmask16 there = left < 16 ? (__mmask16)((1u << left) - 1) : (__mmask16)0xffff;
        __m512i v = _mm512_maskz_loadu_epi32(there, xs + i);
        __mmask16 found = _mm512_mask_cmpeq_epi32_mask(there, v, wanted);
        if (found) {
            *out = i + __builtin_ctz(found);
            return 0;
        }
    }
    *out = n;
    return 0;
}
