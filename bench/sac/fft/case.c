#include "bench.h"
#include "fft.h"

#include <math.h>
#include <stdlib.h>

// The real parts of all numbers stand before the imaginary parts.
typedef int Transform(int64_t n, const double *roots, const double *x, double *out);

Transform peer_fft_recursive, peer_fft_stockham;

static int64_t roots(const int64_t *n)
{
    return n[0];
}

static int64_t numbers(const int64_t *n)
{
    return 2 * n[0];
}

static void fill(const int64_t *n, int k, int64_t count, void *in)
{
    double *to = in;
    for (int64_t i = 0; i < count; i++) {
        double angle = -2 * acos(-1) * (double)(i % (n[0] / 2)) / (double)n[0];
        to[i] = k == 1 ? (double)(i * i % 1009) / 1009 : i < n[0] / 2 ? cos(angle) : sin(angle);
    }
}

static int ours(const int64_t *n, void *const *in, void *out)
{
    double *root = in[0], *x = in[1], *to = out;
    return adze_fft(n[0], root, root + n[0] / 2, x, x + n[0], to, to + n[0]);
}

static int by_shape(const int64_t *n, void *const *in, void *out)
{
    double *root = in[0], *x = in[1], *to = out;
    switch (n[0]) {
    case 1024: return adze_fft1024(root, root + 512, x, x + 1024, to, to + 1024);
    case 8192: return adze_fft8192(root, root + 4096, x, x + 8192, to, to + 8192);
    case 65536: return adze_fft65536(root, root + 32768, x, x + 65536, to, to + 65536);
    default: return -1;
    }
}

static int recursive(const int64_t *n, void *const *in, void *out)
{
    return peer_fft_recursive(n[0], in[0], in[1], out);
}

static int stockham(const int64_t *n, void *const *in, void *out)
{
    return peer_fft_stockham(n[0], in[0], in[1], out);
}

// By the definition, each sum in higher precision.
static int reference(const int64_t *n, void *const *in, void *out)
{
    long double *c = malloc((size_t)n[0] * sizeof *c), *s = malloc((size_t)n[0] * sizeof *s);
    const double *x = in[1];
    for (int64_t i = 0; c && s && i < n[0]; i++) {
        long double angle = -2 * acosl(-1) * (long double)i / (long double)n[0];
        c[i] = cosl(angle);
        s[i] = sinl(angle);
    }
    for (int64_t k = 0; c && s && k < n[0]; k++) {
        long double re = 0, im = 0;
        for (int64_t i = 0; i < n[0]; i++) {
            int64_t at = i * k % n[0];
            re += x[i] * c[at] - x[n[0] + i] * s[at];
            im += x[i] * s[at] + x[n[0] + i] * c[at];
        }
        ((double *)out)[k] = (double)re;
        ((double *)out)[n[0] + k] = (double)im;
    }
    int status = !c || !s;
    free(c), free(s);
    return status;
}

const BenchCase bench_case = {
    .name = "fft",
    .pairs = {{"C, recursive", 1, ours, recursive, adze_fft_message},
              {"C, in passes", 1, ours, stockham, adze_fft_message},
              {"by shape / passes", 1, by_shape, stockham, adze_fft1024_message}},
    .sizes = {{"1024", {1024}}, {"8192", {8192}}, {"65536", {65536}}},
    .inputs = {roots, numbers},
    .input_type = BENCH_F64,
    .fill = fill,
    .output = numbers,
    .output_type = BENCH_F64,
    .reference = reference,
    .tolerance = 1e-8,
};
