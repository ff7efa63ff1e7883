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

// In double precision, without the tree: what the option is worth in the end, by how likely so many steps up are.
static int reference(const int64_t *n, void *const *in, void *out)
{
    enum { STEPS = 64 };
    const float *price = in[0], *strike = in[1], *years = in[2], *rate = in[3], *volatility = in[4];
    for (int64_t i = 0; i < n[0]; i++) {
        double dt = years[i] / (double)STEPS, growth = exp(rate[i] * dt);
        double up = exp(volatility[i] * sqrt(dt)), p = (growth - 1 / up) / (up - 1 / up), sum = 0;
        for (int k = 0; k <= STEPS; k++) {
            double ways = exp(lgamma(STEPS + 1) - lgamma(k + 1) - lgamma(STEPS - k + 1));
            double likely = ways * pow(p, k) * pow(1 - p, STEPS - k);
            sum += likely * fmax(strike[i] - price[i] * pow(up, 2 * k - STEPS), 0);
        }
        ((float *)out)[i] = (float)(sum / pow(growth, STEPS));
    }
    return 0;
}

const BenchCase bench_case = {
    .name = SIMD_NAME,
    .pairs = SIMD_PAIRS,
    .sizes = {{"37", {37}}, {"8192", {8192}}},
    .inputs = {options, options, options, options, options},
    .fill = fill,
    .output = options,
    .reference = reference,
    .tolerance = 1e-5,
};
