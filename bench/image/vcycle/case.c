#include "bench.h"
#include "vcycle.h"

#include <stdlib.h>
#include <string.h>

int peer_vcycle(bool fused, int64_t n, const float *rhs, float *u);

static int64_t size(const int64_t *n)
{
    return n[0] * n[0];
}

static int ours(const int64_t *n, void *const *in, void *out)
{
    return adze_vcycle(n[0] / 8, in[0], out);
}

static int theirs(const int64_t *n, void *const *in, void *out)
{
    return peer_vcycle(false, n[0], in[0], out);
}

static int ours_fused(const int64_t *n, void *const *in, void *out)
{
    return adze_vcycle_fused(n[0] / 8, in[0], out);
}

static int theirs_fused(const int64_t *n, void *const *in, void *out)
{
    return peer_vcycle(true, n[0], in[0], out);
}

// --- straight from the definition, in double precision -----------------------------------------

static double at(int64_t n, const double *u, int64_t y, int64_t x)
{
    return y < 0 || y >= n || x < 0 || x >= n ? 0 : u[y * n + x];
}

static double residue(int64_t n, const double *f, const double *u, int64_t y, int64_t x)
{
    return f[y * n + x] + at(n, u, y - 1, x) + at(n, u, y + 1, x) + at(n, u, y, x - 1) +
           at(n, u, y, x + 1) - 4 * at(n, u, y, x);
}

// Two steps of Jacobi's method, with a weight of 0.8.
static void smooth(int64_t n, const double *f, double *u)
{
    double *next = malloc((size_t)(n * n) * sizeof *next);
    for (int step = 0; step < 2; step++) {
        for (int64_t i = 0; i < n * n; i++)
            next[i] = u[i] + 0.8 * residue(n, f, u, i / n, i % n) / 4;
        memcpy(u, next, (size_t)(n * n) * sizeof *next);
    }
    free(next);
}

static void cycle(int below, int64_t n, const double *f, double *u)
{
    int64_t m = n / 2;
    smooth(n, f, u);
    if (below) {
        double *rest = calloc((size_t)(m * m), sizeof *rest);
        double *correction = calloc((size_t)(m * m), sizeof *correction);
        for (int64_t i = 0; i < n * n; i++)
            rest[i / n / 2 * m + i % n / 2] += residue(n, f, u, i / n, i % n);
        cycle(below - 1, m, rest, correction);
        for (int64_t i = 0; i < n * n; i++) u[i] += correction[i / n / 2 * m + i % n / 2];
        free(rest);
        free(correction);
    }
    smooth(n, f, u);
}

static int reference(const int64_t *n, void *const *in, void *out)
{
    int64_t count = size(n);
    double *f = calloc((size_t)count, sizeof *f), *u = calloc((size_t)count, sizeof *u);
    if (!f || !u) return 1;
    for (int64_t i = 0; i < count; i++) f[i] = ((float *)in[0])[i];
    cycle(3, n[0], f, u);
    for (int64_t i = 0; i < count; i++) ((float *)out)[i] = (float)u[i];
    free(f);
    free(u);
    return 0;
}

const BenchCase bench_case = {
    .name = "image/vcycle",
    .pairs = {{"C, by stages", 1, ours, theirs, adze_vcycle_message},
              {"C, fused", 1, ours_fused, theirs_fused, adze_vcycle_fused_message}},
    .sizes = {{"256x256", {256}}, {"1024x1024", {1024}}, {"4096x4096", {4096}}},
    .inputs = {size},
    .output = size,
    .reference = reference,
    .tolerance = 1e-5,
};
