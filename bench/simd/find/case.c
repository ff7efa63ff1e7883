#include "simd.h"

// The number stands where a quarter is left.
enum { WANTED = 1000000 };

static int64_t input(const int64_t *n)
{
    return n[0];
}

static int64_t output(const int64_t *n)
{
    (void)n;
    return 1;
}

static void fill(const int64_t *n, int k, int64_t count, void *in)
{
    (void)n, (void)k;
    for (int64_t i = 0; i < count; i++) ((int32_t *)in)[i] = (int32_t)(i * 7919 % 1000);
    ((int32_t *)in)[count - count / 4] = WANTED;
}

static int call(Side *side, const int64_t *n, void *const *in, void *out)
{
    return side(n[0], in[0], WANTED, out);
}

static int reference(const int64_t *n, void *const *in, void *out)
{
    (void)in;
    *(int64_t *)out = n[0] - n[0] / 4;
    return 0;
}

const BenchCase bench_case = {
    .name = SIMD_NAME,
    .pairs = SIMD_PAIRS,
    .sizes = {{"1003", {1003}}, {"100000", {100000}}},
    .inputs = {input},
    .input_type = BENCH_I32,
    .fill = fill,
    .output = output,
    .output_type = BENCH_I64,
    .reference = reference,
};
