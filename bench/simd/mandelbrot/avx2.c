#include "peer.h"

#include <immintrin.h>

enum { LANES = 8 };

static __m256i escape(__m256 cre, __m256 cim, int32_t limit)
{
    __m256 re = cre, im = cim;
    __m256i steps = _mm256_setzero_si256();
    for (int32_t step = 0; step < limit; step++) {
        __m256 re2 = _mm256_mul_ps(re, re), im2 = _mm256_mul_ps(im, im);
        __m256 inside = _mm256_cmp_ps(_mm256_add_ps(re2, im2), _mm256_set1_ps(4.0f), _CMP_LE_OQ);
        if (_mm256_testz_ps(inside, inside)) break;
        // A lane that has left stays outside: its numbers go on to infinity, or are none any more.
        im = _mm256_fmadd_ps(_mm256_add_ps(re, re), im, cim);
        re = _mm256_add_ps(_mm256_sub_ps(re2, im2), cre);
        steps = _mm256_sub_epi32(steps, _mm256_castps_si256(inside));
    }
    return steps;
}

int PEER(int64_t w, int64_t h, int32_t limit, int32_t *restrict out)
{
    float dx = 3.0f / (float)w, dy = 2.0f / (float)h;
    const __m256i lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    for (int64_t y = 0; y < h; y++) {
        __m256 cim = _mm256_set1_ps((float)y * dy - 1.0f);
        for (int64_t x = 0; x < w; x += LANES) {
            __m256i place = _mm256_add_epi32(_mm256_set1_epi32((int)x), lane);
            __m256 cre = _mm256_fmsub_ps(_mm256_cvtepi32_ps(place), _mm256_set1_ps(dx),
                                         _mm256_set1_ps(2.0f));
            __m256i there = _mm256_cmpgt_epi32(_mm256_set1_epi32((int)w), place);
            _mm256_maskstore_epi32(&out[y * w + x], there, escape(cre, cim, limit));
        }
    }
    return 0;
}
