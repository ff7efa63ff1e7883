#include "bench.h"
#include "pde1.h"
#include "peers.h"

#include <stdlib.h>
#include <string.h>

static int64_t points(const int64_t *n)
{
    return n[0] * n[0] * n[0];
}

static int ours(const int64_t *n, void *const *in, void *out)
{
    return adze_pde1(n[0], n[1], pde1_h2(n[0]), in[0], in[1], out);
}

static int theirs(const int64_t *n, void *const *in, void *out)
{
    return peer_pde1(n[0], n[1], in[0], in[1], out);
}

static int library(const int64_t *n, void *const *in, void *out)
{
    return library_pde1(n[0], n[1], in[0], in[1], out);
}

// All new values of a colour beside the old ones, in higher precision.
static void relax(int64_t n, int colour, const double *f, const double *u, double *out)
{
    for (int64_t at = 0; at < n * n * n; at++) {
        int64_t i = at / n / n, j = at / n % n, k = at % n;
        out[at] = u[at];
        if (i == 0 || j == 0 || k == 0 || i == n - 1 || j == n - 1 || k == n - 1) continue;
        if ((i + j + k) % 2 != colour) continue;
        long double sum = -(long double)pde1_h2(n) * f[at];
        for (int64_t far = 1; far <= n * n; far *= n) sum += (long double)u[at - far] + u[at + far];
        out[at] = (double)(sum / 6);
    }
}

static int reference(const int64_t *n, void *const *in, void *out)
{
    size_t bytes = (size_t)points(n) * sizeof(double);
    double *half = malloc(bytes);
    if (!half) return 1;
    memcpy(out, in[1], bytes);
    for (int64_t t = 0; t < n[1]; t++) {
        relax(n[0], 0, in[0], out, half);
        relax(n[0], 1, in[0], half, out);
    }
    free(half);
    return 0;
}

const BenchCase bench_case = {
    .name = "pde1",
    .pairs = {{"hand-written C", 1, ours, theirs, adze_pde1_message},
              {"library", 1, ours, library, adze_pde1_message}},
    .sizes = {{"64^3 1x", {64, 1}}, {"64^3 10x", {64, 10}}},
    .inputs = {points, points},
    .input_type = BENCH_F64,
    .output = points,
    .output_type = BENCH_F64,
    .reference = reference,
    .tolerance = 1e-12,
};
