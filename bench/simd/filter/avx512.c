#include "peer.h"

#include <immintrin.h>

// A whole vector is stored each time: there is room, since no more is kept than was read.
int PEER(int64_t n, const float *restrict xs, float *restrict out, int64_t *restrict kept)
{
    const __m512 zero = _mm512_setzero_ps();
    int64_t i = 0, k = 0;
    for (; i + 16 <= n; i += 16) {
        __m512 v = _mm512_loadu_ps(xs + i);
        __mmask16 on = _mm512_cmp_ps_mask(v, zero, _CMP_GT_OQ);
        _mm512_storeu_ps(out + k, _mm512_maskz_compress_ps(on, v));
        k += __builtin_popcount(on);
    }
    __mmask16 there = (__mmask16)((1u << (n - i)) - 1);
    __m512 v = _mm512_maskz_loadu_ps(there, xs + i);
    __mmask16 on = _mm512_cmp_ps_mask(v, zero, _CMP_GT_OQ);
    _mm512_mask_compressstoreu_ps(out + k, on, v);
    *kept = k + __builtin_popcount(on);
    return 0;
}
