#include "peer.h"

#include <immintrin.h>

int PEER(int64_t n, const float *restrict xs, const float *restrict ys, float *restrict out)
{
    __m512 sums[4] = {_mm512_setzero_ps(), _mm512_setzero_ps(), _mm512_setzero_ps(),
                      _mm512_setzero_ps()};
    int64_t i = 0;
    for (; i + 64 <= n; i += 64)
        for (int k = 0; k < 4; k++)
            sums[k] = _mm512_fmadd_ps(_mm512_loadu_ps(xs + i + 16 * k),
                                      _mm512_loadu_ps(ys + i + 16 * k), sums[k]);
    for (; i < n; i += 16) {
        int64_t left = n - i;
        __mmask16 there = left < 16 ? (__mmask16)((1u << left) - 1) : (__mmask16)0xffff;
        sums[0] = _mm512_fmadd_ps(_mm512_maskz_loadu_ps(there, xs + i),
                                  _mm512_maskz_loadu_ps(there, ys + i), sums[0]);
    }
    *out = _mm512_reduce_add_ps(
        _mm512_add_ps(_mm512_add_ps(sums[0], sums[1]), _mm512_add_ps(sums[2], sums[3])));
    return 0;
}
