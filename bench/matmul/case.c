#include "bench.h"
#include "matmul.h"

void peer_matmul(int64_t n, int64_t k, int64_t m, const float *restrict a, const float *restrict b,
                 float *restrict out);

static int64_t first(const int64_t *n)
{
    return n[0] * n[1];
}

static int64_t second(const int64_t *n)
{
    return n[1] * n[2];
}

static int64_t output(const int64_t *n)
{
    return n[0] * n[2];
}

static int ours(const int64_t *n, void *const *in, void *out)
{
    return adze_matmul(n[0], n[1], n[2], in[0], in[1], out);
}

static int theirs(const int64_t *n, void *const *in, void *out)
{
    peer_matmul(n[0], n[1], n[2], in[0], in[1], out);
    return 0;
}

const BenchCase bench_case = {
    .name = "matmul",
    .pairs = {{"hand-written C", 1, ours, theirs, adze_matmul_message}},
    .sizes = {{"64x64x64", {64, 64, 64}},
              {"200x300x250", {200, 300, 250}},
              {"512x512x512", {512, 512, 512}}},
    .inputs = {first, second},
    .output = output,
    .tolerance = 1e-4,
};
