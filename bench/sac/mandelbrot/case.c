#include "bench.h"
#include "mandelbrot.h"

#include <complex.h>

enum { LIMIT = 128 };

void peer_mandelbrot(int64_t n, int32_t limit, int32_t *restrict out);

static int64_t points(const int64_t *n)
{
    return n[0] * n[0];
}

static int ours(const int64_t *n, void *const *in, void *out)
{
    (void)in;
    return adze_mandelbrot(n[0], LIMIT, out);
}

static int theirs(const int64_t *n, void *const *in, void *out)
{
    (void)in;
    peer_mandelbrot(n[0], LIMIT, out);
    return 0;
}

static int reference(const int64_t *n, void *const *in, void *out)
{
    (void)in;
    double side = 3.0 / (double)n[0];
    for (int64_t at = 0; at < points(n); at++) {
        double complex c = (double)(at % n[0]) * side - 2.25 +
                           ((double)(at / n[0]) * side - 1.5) * I,
                       z = 0;
        int32_t k = 0;
        for (; k < LIMIT && creal(z) * creal(z) + cimag(z) * cimag(z) <= 4; k++) z = z * z + c;
        ((int32_t *)out)[at] = k;
    }
    return 0;
}

// Where products and sums are fused at other places a few points leave a step earlier or later.
const BenchCase bench_case = {
    .name = "sac/mandelbrot",
    .pairs = {{"hand-written C", 1, ours, theirs, adze_mandelbrot_message}},
    .sizes = {{"256x256", {256}}, {"1024x1024", {1024}}},
    .output = points,
    .output_type = BENCH_I32,
    .reference = reference,
    .tolerance = 1e-3,
    .mean = true,
};
