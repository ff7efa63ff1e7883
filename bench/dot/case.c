#include "bench.h"
#include "dot.h"

float peer_dot(int64_t n, const float *restrict a, const float *restrict b);

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
    (void)n;
    return 1;
}

static int ours(const int64_t *n, void *const *in, void *out)
{
    return adze_dot(n[0], in[0], in[1], out);
}

static int theirs(const int64_t *n, void *const *in, void *out)
{
    *(float *)out = peer_dot(n[0], in[0], in[1]);
    return 0;
}

const BenchCase bench_case = {
    .name = "dot",
    .pairs = {{"hand-written C", 1, ours, theirs, adze_dot_message}},
    .sizes = {{"1000", {1000}}, {"100000", {100000}}, {"4000000", {4000000}}},
    .inputs = {first, second},
    .output = output,
    .tolerance = 1e-2,
};
