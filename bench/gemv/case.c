#include "bench.h"
#include "gemv.h"

void peer_gemv(int64_t n, int64_t m, const float *restrict a, const float *restrict x,
               float *restrict out);

static int64_t first(const int64_t *n)
{
    return n[0] * n[1];
}

static int64_t second(const int64_t *n)
{
    return n[1];
}

static int64_t output(const int64_t *n)
{
    return n[0];
}

static int ours(const int64_t *n, void *const *in, void *out)
{
    return adze_gemv(n[0], n[1], in[0], in[1], out);
}

static int theirs(const int64_t *n, void *const *in, void *out)
{
    peer_gemv(n[0], n[1], in[0], in[1], out);
    return 0;
}

const BenchCase bench_case = {
    .name = "gemv",
    .pairs = {{"hand-written C", 1, ours, theirs, adze_gemv_message}},
    .sizes = {{"64x64", {64, 64}}, {"1000x1000", {1000, 1000}}, {"4000x4000", {4000, 4000}}},
    .inputs = {first, second},
    .output = output,
    .tolerance = 1e-4,
};
