#include "peer.h"

#include <immintrin.h>

enum { LANES = 8 };

// Of glibc's libmvec.
extern __m256 _ZGVdN8v_expf(__m256 x);
extern __m256 _ZGVdN8v_logf(__m256 x);

static __m256 all(float x)
{
    return _mm256_set1_ps(x);
}

static __m256 below(__m256 x)
{
    const __m256 one = all(1.0f);
    __m256 k = _mm256_div_ps(
        one, _mm256_fmadd_ps(all(0.2316419f), _mm256_andnot_ps(_mm256_set1_ps(-0.0f), x), one));
    __m256 tail = _mm256_fmadd_ps(k, all(1.330274429f), all(-1.821255978f));
    tail = _mm256_fmadd_ps(k, tail, all(1.781477937f));
    tail = _mm256_fmadd_ps(k, tail, all(-0.356563782f));
    tail = _mm256_fmadd_ps(k, tail, all(0.31938153f));
    __m256 bell = _ZGVdN8v_expf(_mm256_mul_ps(_mm256_mul_ps(all(-0.5f), x), x));
    __m256 above = _mm256_mul_ps(_mm256_mul_ps(_mm256_mul_ps(all(0.39894228f), bell), k), tail);
    return _mm256_blendv_ps(above, _mm256_sub_ps(one, above),
                            _mm256_cmp_ps(x, _mm256_setzero_ps(), _CMP_GT_OQ));
}

static __m256 value(__m256 price, __m256 strike, __m256 years, __m256 rate, __m256 volatility)
{
    __m256 spread = _mm256_mul_ps(volatility, _mm256_sqrt_ps(years));
    __m256 drift = _mm256_fmadd_ps(_mm256_mul_ps(all(0.5f), volatility), volatility, rate);
    __m256 d = _ZGVdN8v_logf(_mm256_div_ps(price, strike));
    d = _mm256_div_ps(_mm256_fmadd_ps(drift, years, d), spread);
    __m256 minus = _mm256_sub_ps(_mm256_setzero_ps(), rate);
    __m256 later = _mm256_mul_ps(strike, _ZGVdN8v_expf(_mm256_mul_ps(minus, years)));
    __m256 other = _mm256_mul_ps(later, below(_mm256_sub_ps(d, spread)));
    return _mm256_fmsub_ps(price, below(d), other);
}

// Those lanes of what is at p that are there; 1 elsewhere.
static __m256 load(const float *p, __m256i there)
{
    return _mm256_blendv_ps(_mm256_set1_ps(1.0f), _mm256_maskload_ps(p, there),
                            _mm256_castsi256_ps(there));
}

int PEER(int64_t n, const float *restrict price, const float *restrict strike,
         const float *restrict years, const float *restrict rate, const float *restrict volatility,
         float *restrict out)
{
    int64_t i = 0;
    for (; i + LANES <= n; i += LANES) {
        __m256 worth = value(_mm256_loadu_ps(price + i), _mm256_loadu_ps(strike + i),
                             _mm256_loadu_ps(years + i), _mm256_loadu_ps(rate + i),
                             _mm256_loadu_ps(volatility + i));
        _mm256_storeu_ps(out + i, worth);
    }
    if (i < n) {
        const __m256i lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
        __m256i there = _mm256_cmpgt_epi32(_mm256_set1_epi32((int)(n - i)), lane);
        __m256 worth =
            value(load(price + i, there), load(strike + i, there), load(years + i, there),
                  load(rate + i, there), load(volatility + i, there));
        _mm256_maskstore_ps(out + i, there, worth);
    }
    return 0;
}
