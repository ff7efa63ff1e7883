#include "bench.h"
#include "mg.h"

#include <stdlib.h>
#include <string.h>

enum { LEVELS = 5 };

typedef int Multigrid(int64_t m, int64_t steps, const double *v, double *u);

Multigrid peer_mg, peer_mg_rows;

// n: points a side of the coarsest grid, steps.
static int64_t side(int64_t m, int levels)
{
    return levels == 1 ? m : 2 * side(m, levels - 1) - 1;
}

static int64_t points(const int64_t *n)
{
    int64_t s = side(n[0], LEVELS);
    return s * s * s;
}

static int ours(const int64_t *n, void *const *in, void *out)
{
    if (n[0] == 3) return adze_mg33(n[1], in[0], out);
    return n[0] == 9 ? adze_mg129(n[1], in[0], out) : -1;
}

static int theirs(const int64_t *n, void *const *in, void *out)
{
    return peer_mg(n[0], n[1], in[0], out);
}

static int rows(const int64_t *n, void *const *in, void *out)
{
    return peer_mg_rows(n[0], n[1], in[0], out);
}

// --- the reference: a point at a time, weights by distance -------------------------------------

static const double of_equation[] = {-8.0 / 3, 0, 1.0 / 6, 1.0 / 12};
static const double of_smoother[] = {-3.0 / 8, 1.0 / 32, -1.0 / 64, 0};
static const double of_mean[] = {1.0 / 2, 1.0 / 4, 1.0 / 8, 1.0 / 16};

static double *zeros(int64_t s)
{
    double *p = calloc((size_t)(s * s * s), sizeof *p);
    if (!p) abort();
    return p;
}

static double weighted(const double *w, int64_t s, const double *at)
{
    double sum = 0;
    for (int64_t z = -1; z <= 1; z++)
        for (int64_t y = -1; y <= 1; y++)
            for (int64_t x = -1; x <= 1; x++)
                sum += w[labs(x) + labs(y) + labs(z)] * at[(z * s + y) * s + x];
    return sum;
}

// to = to + factor * (v and the stencil) at the interior points; every `every`th point is looked at.
static void apply(const double *w, double factor, int64_t every, int64_t s, const double *from,
                  double *to)
{
    int64_t n = (s - 1) * every + 1;
    for (int64_t i = 1; i < s - 1; i++)
        for (int64_t j = 1; j < s - 1; j++)
            for (int64_t k = 1; k < s - 1; k++)
                to[(i * s + j) * s + k] +=
                    factor * weighted(w, n, from + ((i * n + j) * n + k) * every);
}

static double *residual_of(int64_t s, const double *v, const double *u)
{
    double *r = zeros(s);
    for (int64_t i = 1; i < s - 1; i++)
        for (int64_t j = 1; j < s - 1; j++)
            memcpy(r + (i * s + j) * s + 1, v + (i * s + j) * s + 1, (size_t)(s - 2) * sizeof *r);
    apply(of_equation, -1, 1, s, u, r);
    return r;
}

// Each point of the coarse grid spreads to the points around it on the fine one.
static void spread_to(int64_t s, const double *z, double *u)
{
    int64_t n = 2 * s - 1;
    for (int64_t at = 0; at < n * n * n; at++) {
        int64_t p[] = {at / n / n, at / n % n, at % n};
        if (p[0] % (n - 1) == 0 || p[1] % (n - 1) == 0 || p[2] % (n - 1) == 0) continue;
        for (int corner = 0; corner < 8; corner++) {
            int64_t from = 0;
            for (int d = 0; d < 3; d++) from = from * s + (p[d] + (corner >> d & 1)) / 2;
            u[at] += z[from] / 8;
        }
    }
}

// A cycle for the residual r, added to u.
static void cycle(int levels, int64_t m, const double *v, double *u)
{
    int64_t s = side(m, levels);
    double *r = residual_of(s, v, u);
    if (levels > 1) {
        int64_t half = side(m, levels - 1);
        double *coarse = zeros(half), *z = zeros(half);
        apply(of_mean, 1, 2, half, r, coarse);
        cycle(levels - 1, m, coarse, z);
        spread_to(half, z, u);
        free(r), free(coarse), free(z);
        r = residual_of(s, v, u);
    }
    apply(of_smoother, 1, 1, s, r, u);
    free(r);
}

static int reference(const int64_t *n, void *const *in, void *out)
{
    memset(out, 0, (size_t)points(n) * sizeof(double));
    for (int64_t t = 0; t < n[1]; t++) cycle(LEVELS, n[0], in[0], out);
    return 0;
}

const BenchCase bench_case = {
    .name = "mg",
    .pairs = {{"hand-written C", 1, ours, theirs, adze_mg33_message},
              {"C, sums of rows", 1, ours, rows, adze_mg33_message}},
    .sizes = {{"33^3 4x", {3, 4}}, {"129^3 4x", {9, 4}}},
    .inputs = {points},
    .input_type = BENCH_F64,
    .output = points,
    .output_type = BENCH_F64,
    .reference = reference,
    .tolerance = 1e-10,
};
