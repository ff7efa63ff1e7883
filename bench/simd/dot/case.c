#include "simd.h"

static int64_t input(const int64_t *n)
{
    return n[0];
}

static int64_t output(const int64_t *n)
{
    (void)n;
    return 1;
}

static int call(Side *side, const int64_t *n, void *const *in, void *out)
{
    return side(n[0], in[0], in[1], out);
}

static int reference(const int64_t *n, void *const *in, void *out)
{
    double sum = 0.0;
    for (int64_t i = 0; i < n[0]; i++) sum += ((const float *)in[0])[i] * ((const float *)in[1])[i];
    *(float *)out = (float)sum;
    return 0;
}

const BenchCase bench_case = {
    .name = SIMD_NAME,
    .pairs = SIMD_PAIRS,
    .sizes = {{"1003", {1003}}, {"100000", {100000}}},
    .inputs = {input, input},
    .output = output,
    .reference = reference,
    .tolerance = 1e-2,
};
