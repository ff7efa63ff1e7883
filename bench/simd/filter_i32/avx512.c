#include "peer.h"

#include <immintrin.h>

// A whole vector is stored each time: there is room, since no more is kept than was read.
int PEER(int64_t n, const int32_t *restrict xs, int32_t *restrict out, int64_t *restrict kept)
{
    const __m512i zero = _mm512_setzero_si512();
    int64_t i = 0, k = 0;
    for (; i + 16 <= n; i += 16) {
        __m512i v = _mm512_loadu_si512(xs + i);
        __mmask16 on = _mm512_cmpgt_epi32_mask(v, zero);
        _mm512_storeu_si512(out + k, _mm512_maskz_compress_epi32(on, v));
        k += __builtin_popcount(on);
    }
    __mmask16 there = (__mmask16)((1u << (n - i)) - 1);
    __m512i v = _mm512_maskz_loadu_epi32(there, xs + i);
    __mmask16 on = _mm512_cmpgt_epi32_mask(v, zero);
    _mm512_mask_compressstoreu_epi32(out + k, on, v);
    *kept = k + __builtin_popcount(on);
    return 0;
}
