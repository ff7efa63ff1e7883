#include "peer.h"

#include <immintrin.h>

enum { LANES = 16 };

// Of glibc's libmvec.
extern __m512 _ZGVeN16v_expf(__m512 x);
extern __m512 _ZGVeN16v_logf(__m512 x);

static __m512 all(float x)
{
    return _mm512_set1_ps(x);
}

static __m512 below(__m512 x)
{
    const __m512 one = all(1.0f);
    __m512 k = _mm512_div_ps(one, _mm512_fmadd_ps(all(0.2316419f), _mm512_abs_ps(x), one));
    __m512 tail = _mm512_fmadd_ps(k, all(1.330274429f), all(-1.821255978f));
    tail = _mm512_fmadd_ps(k, tail, all(1.781477937f));
    tail = _mm512_fmadd_ps(k, tail, all(-0.356563782f));
    tail = _mm512_fmadd_ps(k, tail, all(0.31938153f));
    __m512 bell = _ZGVeN16v_expf(_mm512_mul_ps(_mm512_mul_ps(all(-0.5f), x), x));
    __m512 above = _mm512_mul_ps(_mm512_mul_ps(_mm512_mul_ps(all(0.39894228f), bell), k), tail);
    return _mm512_mask_sub_ps(above, _mm512_cmp_ps_mask(x, _mm512_setzero_ps(), _CMP_GT_OQ), one,
                              above);
}

static __m512 value(__m512 price, __m512 strike, __m512 years, __m512 rate, __m512 volatility)
{
    __m512 spread = _mm512_mul_ps(volatility, _mm512_sqrt_ps(years));
    __m512 drift = _mm512_fmadd_ps(_mm512_mul_ps(all(0.5f), volatility), volatility, rate);
    __m512 d = _ZGVeN16v_logf(_mm512_div_ps(price, strike));
    d = _mm512_div_ps(_mm512_fmadd_ps(drift, years, d), spread);
    __m512 minus = _mm512_sub_ps(_mm512_setzero_ps(), rate);
    __m512 later = _mm512_mul_ps(strike, _ZGVeN16v_expf(_mm512_mul_ps(minus, years)));
    __m512 other = _mm512_mul_ps(later, below(_mm512_sub_ps(d, spread)));
    return _mm512_fmsub_ps(price, below(d), other);
}

// Those lanes of what is at p that are there; 1 elsewhere.
static __m512 load(const float *p, __mmask16 there)
{
    return _mm512_mask_loadu_ps(_mm512_set1_ps(1.0f), there, p);
}

int PEER(int64_t n, const float *restrict price, const float *restrict strike,
         const float *restrict years, const float *restrict rate, const float *restrict volatility,
         float *restrict out)
{
    int64_t i = 0;
    for (; i + LANES <= n; i += LANES) {
        __m512 worth = value(_mm512_loadu_ps(price + i), _mm512_loadu_ps(strike + i),
                             _mm512_loadu_ps(years + i), _mm512_loadu_ps(rate + i),
                             _mm512_loadu_ps(volatility + i));
        _mm512_storeu_ps(out + i, worth);
    }
    if (i < n) {
        __mmask16 there = (__mmask16)((1u << (n - i)) - 1);
        __m512 worth =
            value(load(price + i, there), load(strike + i, there), load(years + i, there),
                  load(rate + i, there), load(volatility + i, there));
        _mm512_mask_storeu_ps(out + i, there, worth);
    }
    return 0;
}
