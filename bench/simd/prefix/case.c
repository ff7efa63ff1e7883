#include "simd.h"

static int64_t all(const int64_t *n)
{
    return n[0];
}

static int call(Side *side, const int64_t *n, void *const *in, void *out)
{
    return side(n[0], in[0], out);
}

static int reference(const int64_t *n, void *const *in, void *out)
{
    int64_t sum = 0;
    for (int64_t i = 0; i < n[0]; i++) {
        sum += ((const int32_t *)in[0])[i];
        ((int32_t *)out)[i] = (int32_t)sum;
    }
    return 0;
}

const BenchCase bench_case = {
    .name = SIMD_NAME,
    .pairs = SIMD_PAIRS,
    .sizes = {{"1003", {1003}}, {"100000", {100000}}},
    .inputs = {all},
    .input_type = BENCH_I32,
    .output = all,
    .output_type = BENCH_I32,
    .reference = reference,
};
