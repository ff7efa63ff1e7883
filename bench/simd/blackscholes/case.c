#include "simd.h"

#include <math.h>

static int64_t options(const int64_t *n)
{
    return n[0];
}

// Price of the share, price of the bargain, years, interest, volatility.
static void fill(const int64_t *n, int k, int64_t count, void *in)
{
    static const double low[] = {10, 10, 0.5, 0.01, 0.1}, high[] = {50, 50, 5, 0.05, 0.5};
    (void)n;
    uint64_t state = (uint64_t)k + 1;
    for (int64_t i = 0; i < count; i++) ((float *)in)[i] = simd_random(&state, low[k], high[k]);
}

static int call(Side *side, const int64_t *n, void *const *in, void *out)
{
    return side(n[0], in[0], in[1], in[2], in[3], in[4], out);
}

// In double precision, with the library's error function.
static double below(double x)
{
    return 0.5 * erfc(-x * M_SQRT1_2);
}

static int reference(const int64_t *n, void *const *in, void *out)
{
    const float *price = in[0], *strike = in[1], *years = in[2], *rate = in[3], *volatility = in[4];
    for (int64_t i = 0; i < n[0]; i++) {
        double spread = volatility[i] * sqrt(years[i]);
        double d = log((double)price[i] / strike[i]) + rate[i] * years[i];
        d = d / spread + 0.5 * spread;
        double later = strike[i] * exp(-rate[i] * (double)years[i]);
        ((float *)out)[i] = (float)(price[i] * below(d) - later * below(d - spread));
    }
    return 0;
}

const BenchCase bench_case = {
    .name = SIMD_NAME,
    .pairs = SIMD_PAIRS,
    .sizes = {{"37", {37}}, {"16384", {16384}}},
    .inputs = {options, options, options, options, options},
    .fill = fill,
    .output = options,
    .reference = reference,
    .tolerance = 1e-6,
};
