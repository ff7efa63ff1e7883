// The cycle, for peer.c and peer_rows.c, which have the stencil:
//     to[k] += sign * (the stencil of a at k * step), 0 < k < n - 1
// for one row, where a is the row in a cube of s points a side.
#ifndef ADZE_BENCH_MG_CYCLE_H
#define ADZE_BENCH_MG_CYCLE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef int Multigrid(int64_t m, int64_t steps, const double *v, double *u);

Multigrid peer_mg, peer_mg_rows;

typedef struct {
    double point, face, edge, corner;
} Weights;

enum { LEVELS = 5 };

/// A grid of s points a side; the border of each array is 0.
typedef struct {
    int64_t s;
    double *u, *r;
    double *v;
    double *sums; // room for two rows
} Grid;

static inline double faces(const double *a, int64_t s)
{
    return a[-s * s] + a[s * s] + a[-s] + a[s];
}

static inline double edges(const double *a, int64_t s)
{
    return a[-s * s - s] + a[-s * s + s] + a[s * s - s] + a[s * s + s];
}

static inline void row_of_stencil(Weights w, int64_t n, int64_t step, int64_t s,
                                  const double *restrict a, double sign, double *restrict to,
                                  double *restrict sums);

static inline void stencil(Weights w, int64_t n, int64_t step, const double *a, double sign,
                           double *to, double *sums)
{
    int64_t s = (n - 1) * step + 1;
    for (int64_t i = 1; i < n - 1; i++)
        for (int64_t j = 1; j < n - 1; j++)
            row_of_stencil(w, n, step, s, a + (i * s + j) * step * s, sign, to + (i * n + j) * n,
                           sums);
}

static void residual(const Grid *g)
{
    memcpy(g->r, g->v, (size_t)(g->s * g->s * g->s) * sizeof *g->r);
    stencil((Weights){-8.0 / 3, 0, 1.0 / 6, 1.0 / 12}, g->s, 1, g->u, -1, g->r, g->sums);
}

static void smooth(const Grid *g, const double *r)
{
    stencil((Weights){-3.0 / 8, 1.0 / 32, -1.0 / 64, 0}, g->s, 1, r, 1, g->u, g->sums);
}

static void coarser(const Grid *g, const double *r, double *to, int64_t s)
{
    memset(to, 0, (size_t)(s * s * s) * sizeof *to);
    stencil((Weights){1.0 / 2, 1.0 / 4, 1.0 / 8, 1.0 / 16}, s, 2, r, 1, to, g->sums);
}

// u gets the means of the points of z around each of its points, the border of which is 0.
static void add_finer(const Grid *coarse, const Grid *g)
{
    int64_t s = coarse->s, n = g->s;
    for (int64_t i = 1; i < n - 1; i++)
        for (int64_t j = 1; j < n - 1; j++) {
            const double *a = coarse->u + (i / 2 * s + j / 2) * s, *b = a + j % 2 * s;
            const double *c = a + i % 2 * s * s, *d = b + i % 2 * s * s;
            double *restrict to = g->u + (i * n + j) * n;
            for (int64_t k = 0; k < s - 1; k++) {
                double here = a[k] + b[k] + c[k] + d[k];
                double next = a[k + 1] + b[k + 1] + c[k + 1] + d[k + 1];
                if (k > 0) to[2 * k] += 0.25 * here;
                to[2 * k + 1] += 0.125 * (here + next);
            }
        }
}

// A cycle for the grid g of its right side v, from the values u; below a new grid u is 0.
static void cycle(Grid *g, int level)
{
    Grid *below = g - 1;
    int64_t s = level ? below->s : 0;
    residual(g);
    if (level) {
        coarser(g, g->r, below->v, s);
        memset(below->u, 0, (size_t)(s * s * s) * sizeof *below->u);
        cycle(below, level - 1);
        add_finer(below, g);
        residual(g);
    }
    smooth(g, g->r);
}

static double *zeros(int64_t count, bool *good)
{
    double *p = calloc((size_t)count, sizeof *p);
    *good = *good && p;
    return p;
}

static int multigrid(int64_t m, int64_t steps, const double *v, double *u)
{
    Grid grids[LEVELS];
    bool good = true;
    int64_t s = m;
    for (int k = 0; k < LEVELS; k++, s = 2 * s - 1) {
        bool top = k == LEVELS - 1;
        int64_t count = s * s * s;
        grids[k] = (Grid){s, top ? u : zeros(count, &good), zeros(count, &good),
                          zeros(count, &good), zeros(2 * s, &good)};
    }
    Grid *top = &grids[LEVELS - 1];
    s = top->s;
    // The border of the right side counts as 0.
    for (int64_t i = 1; good && i < s - 1; i++)
        for (int64_t j = 1; j < s - 1; j++) {
            int64_t row = (i * s + j) * s + 1;
            memcpy(top->v + row, v + row, (size_t)(s - 2) * sizeof *v);
        }
    memset(u, 0, (size_t)(s * s * s) * sizeof *u);
    for (int64_t t = 0; good && t < steps; t++) cycle(top, LEVELS - 1);
    for (int k = 0; k < LEVELS; k++) {
        if (k < LEVELS - 1) free(grids[k].u);
        free(grids[k].r), free(grids[k].v), free(grids[k].sums);
    }
    return !good;
}

#endif
