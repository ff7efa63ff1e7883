#include "bench.h"
#include "stencil5.h"

void peer_stencil5(int64_t h, int64_t w, const float *restrict t, float *restrict out);

static int64_t first(const int64_t *n)
{
    return (n[0] + 2) * (n[1] + 2);
}

static int64_t output(const int64_t *n)
{
    return n[0] * n[1];
}

static int ours(const int64_t *n, void *const *in, void *out)
{
    return adze_stencil5(n[0], n[1], in[0], out);
}

static int theirs(const int64_t *n, void *const *in, void *out)
{
    peer_stencil5(n[0], n[1], in[0], out);
    return 0;
}

const BenchCase bench_case = {
    .name = "stencil5",
    .pairs = {{"hand-written C", 1, ours, theirs, adze_stencil5_message}},
    .sizes = {{"64x64", {62, 62}}, {"512x512", {510, 510}}, {"2048x2048", {2046, 2046}}},
    .inputs = {first},
    .output = output,
    .tolerance = 1e-4,
};
