#include "bench.h"
#include "convolution.h"

// n: rank, side of the array, side of the kernel.
void peer_convolution(int64_t rank, int64_t n, int64_t k, const double *restrict w,
                      const double *restrict a, double *restrict out);

static int64_t power(int64_t side, int64_t rank)
{
    return rank == 0 ? 1 : side * power(side, rank - 1);
}

static int64_t weights(const int64_t *n)
{
    return power(n[2], n[0]);
}

static int64_t elements(const int64_t *n)
{
    return power(n[1], n[0]);
}

static int64_t output(const int64_t *n)
{
    return power(n[1] - n[2] + 1, n[0]);
}

static int ours(const int64_t *n, void *const *in, void *out)
{
    int64_t k = n[2], more = n[1] - k;
    switch (n[0]) {
    case 1: return adze_convolution1(k, more, in[0], in[1], out);
    case 2: return adze_convolution2(k, more, in[0], in[1], out);
    default: return adze_convolution3(k, more, in[0], in[1], out);
    }
}

static int theirs(const int64_t *n, void *const *in, void *out)
{
    peer_convolution(n[0], n[1], n[2], in[0], in[1], out);
    return 0;
}

// The place in an array of this side of what stands at `at` in one of another side.
static int64_t moved(int64_t rank, int64_t at, int64_t from, int64_t to)
{
    return rank == 0 ? 0 : moved(rank - 1, at / from, from, to) * to + at % from;
}

// For any rank, in higher precision.
static int reference(const int64_t *n, void *const *in, void *out)
{
    const double *w = in[0], *a = in[1];
    for (int64_t at = 0; at < output(n); at++) {
        long double sum = 0;
        int64_t first = moved(n[0], at, n[1] - n[2] + 1, n[1]);
        for (int64_t x = 0; x < weights(n); x++)
            sum += (long double)w[x] * a[first + moved(n[0], x, n[2], n[1])];
        ((double *)out)[at] = (double)sum;
    }
    return 0;
}

const BenchCase bench_case = {
    .name = "convolution",
    .pairs = {{"hand-written C", 1, ours, theirs, adze_convolution2_message}},
    .sizes = {{"1-D 10^6 7", {1, 1000000, 7}},
              {"2-D 1000^2 5^2", {2, 1000, 5}},
              {"3-D 100^3 3^3", {3, 100, 3}}},
    .inputs = {weights, elements},
    .input_type = BENCH_F64,
    .output = output,
    .output_type = BENCH_F64,
    .reference = reference,
    .tolerance = 1e-12,
};
