#include "bench.h"
#include "saxpy.h"

void peer_saxpy(int64_t n, float alpha, const float *restrict x, const float *restrict y,
                float *restrict out);

static int64_t first(const int64_t *n)
{
    return n[0];
}

static int64_t second(const int64_t *n)
{
    return n[0];
}

static int64_t output(const int64_t *n)
{
    return n[0];
}

static int ours(const int64_t *n, void *const *in, void *out)
{
    return adze_saxpy(n[0], 1.5f, in[0], in[1], out);
}

static int theirs(const int64_t *n, void *const *in, void *out)
{
    peer_saxpy(n[0], 1.5f, in[0], in[1], out);
    return 0;
}

const BenchCase bench_case = {
    .name = "saxpy",
    .pairs = {{"hand-written C", 1, ours, theirs, adze_saxpy_message}},
    .sizes = {{"1000", {1000}}, {"100000", {100000}}, {"4000000", {4000000}}},
    .inputs = {first, second},
    .output = output,
    .tolerance = 1e-4,
};
