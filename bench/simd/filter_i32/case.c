#include "simd.h"

enum { SEED = 12345 };

static int64_t input(const int64_t *n)
{
    return n[0];
}

// All numbers have room; behind them it says how many were kept.
static int64_t output(const int64_t *n)
{
    return n[0] + 1;
}

static int32_t number(uint64_t *state)
{
    return (int32_t)simd_random(state, -1000.0, 1000.0);
}

static void fill(const int64_t *n, int k, int64_t count, void *in)
{
    (void)n, (void)k;
    uint64_t state = SEED;
    for (int64_t i = 0; i < count; i++) ((int32_t *)in)[i] = number(&state);
}

static int call(Side *side, const int64_t *n, void *const *in, void *out)
{
    int64_t kept;
    int status = side(n[0], in[0], out, &kept);
    ((int32_t *)out)[n[0]] = (int32_t)kept;
    return status;
}

// What lies between the numbers that are kept and the end is not compared.
static bool known(const int64_t *n, const void *out)
{
    const int32_t *got = out;
    uint64_t state = SEED;
    int64_t kept = 0;
    for (int64_t i = 0; i < n[0]; i++) {
        int32_t x = number(&state);
        if (x > 0 && got[kept++] != x) return false;
    }
    return got[n[0]] == (int32_t)kept;
}

const BenchCase bench_case = {
    .name = SIMD_NAME,
    .pairs = SIMD_PAIRS,
    .sizes = {{"1003", {1003}}, {"100000", {100000}}},
    .inputs = {input},
    .input_type = BENCH_I32,
    .fill = fill,
    .output = output,
    .output_type = BENCH_I32,
    .known = known,
    .tolerance = 1e9,
};
