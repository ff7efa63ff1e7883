#include "peer.h"

#include <immintrin.h>

enum { LANES = 16 };

static __m512i escape(__m512 cre, __m512 cim, int32_t limit)
{
    __m512 re = cre, im = cim;
    __m512i steps = _mm512_setzero_si512();
    const __m512i one = _mm512_set1_epi32(1);
    for (int32_t step = 0; step < limit; step++) {
        __m512 re2 = _mm512_mul_ps(re, re), im2 = _mm512_mul_ps(im, im);
        __mmask16 inside =
            _mm512_cmp_ps_mask(_mm512_add_ps(re2, im2), _mm512_set1_ps(4.0f), _CMP_LE_OQ);
        if (!inside) break;
        // A lane that has left stays outside: its numbers go on to infinity, or are none any more.
        im = _mm512_fmadd_ps(_mm512_add_ps(re, re), im, cim);
        re = _mm512_add_ps(_mm512_sub_ps(re2, im2), cre);
        steps = _mm512_mask_add_epi32(steps, inside, steps, one);
    }
    return steps;
}

int PEER(int64_t w, int64_t h, int32_t limit, int32_t *restrict out)
{
    float dx = 3.0f / (float)w, dy = 2.0f / (float)h;
    const __m512i lane = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    for (int64_t y = 0; y < h; y++) {
        __m512 cim = _mm512_set1_ps((float)y * dy - 1.0f);
        for (int64_t x = 0; x < w; x += LANES) {
            __m512i place = _mm512_add_epi32(_mm512_set1_epi32((int)x), lane);
            __m512 cre = _mm512_fmsub_ps(_mm512_cvtepi32_ps(place), _mm512_set1_ps(dx),
                                         _mm512_set1_ps(2.0f));
            __mmask16 there = _mm512_cmplt_epi32_mask(place, _mm512_set1_epi32((int)w));
            _mm512_mask_storeu_epi32(&out[y * w + x], there, escape(cre, cim, limit));
        }
    }
    return 0;
}
