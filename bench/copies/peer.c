#include "peer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double *copy_of(int64_t n, const double *from)
{
    double *to = malloc((size_t)n * sizeof *to);
    if (!to) abort();
    return from ? memcpy(to, from, (size_t)n * sizeof *to) : to;
}

static void exchange(double **a, double **b)
{
    double *t = *a;
    *a = *b;
    *b = t;
}

static void finish(int64_t n, const double *result, double *out)
{
    if (result != out) memcpy(out, result, (size_t)n * sizeof *out);
}

void peer_updates(int64_t n, const double *restrict xs, double *restrict out)
{
    for (int64_t i = 0; i < n; i++) out[i] = xs[i] * 2.0 + (double)i;
}

void peer_swaps(int64_t n, const double *xs, const double *ys, int64_t steps, double *out)
{
    double *own = copy_of(n, ys), *a = out, *b = own;
    memcpy(a, xs, (size_t)n * sizeof *a);
    for (int64_t s = 0; s < steps; s++) {
        for (int64_t i = 0; i < n; i++) b[i] = 0.5 * (b[i] + a[i]);
        exchange(&a, &b);
    }
    finish(n, a, out);
    free(own);
}

void peer_converges(int64_t n, const double *xs, double limit, int64_t most, double *out)
{
    double *own = copy_of(n, NULL), *now = out, *next = own;
    memcpy(now, xs, (size_t)n * sizeof *now);
    for (int64_t steps = 0;;) {
        double change = 0.0;
        for (int64_t i = 0; i < n; i++)
            next[i] = 0 < i && i < n - 1 ? 0.5 * (now[i - 1] + now[i + 1]) : now[i];
        for (int64_t i = 0; i < n; i++) {
            double d = fabs(now[i] - next[i]);
            change = change > d ? change : d;
        }
        exchange(&now, &next);
        if (change < limit || ++steps >= most) break;
    }
    finish(n, now, out);
    free(own);
}

void peer_wave(int64_t n, const double *u0, const double *u1, double c, int64_t steps, double *out)
{
    double *one = copy_of(n, u0), *two = copy_of(n, NULL);
    double *before = one, *now = out, *next = two;
    memcpy(now, u1, (size_t)n * sizeof *now);
    for (int64_t s = 0; s < steps; s++) {
        next[0] = next[n - 1] = 0.0;
        for (int64_t i = 1; i < n - 1; i++)
            next[i] = 2.0 * now[i] - before[i] + c * (now[i - 1] - 2.0 * now[i] + now[i + 1]);
        exchange(&before, &now);
        exchange(&now, &next);
    }
    finish(n, now, out);
    free(one);
    free(two);
}

void peer_fdtd(int64_t n, int64_t m, const double *ex0, const double *ey0, const double *hz0,
               int64_t steps, double *restrict hz)
{
    double *restrict ex = copy_of(n * m, ex0), *restrict ey = copy_of(n * m, ey0);
    memcpy(hz, hz0, (size_t)(n * m) * sizeof *hz);
    for (int64_t t = 0; t < steps; t++) {
        for (int64_t j = 0; j < m; j++) ey[j] = (double)t;
        for (int64_t i = 1; i < n; i++)
            for (int64_t j = 0; j < m; j++)
                ey[i * m + j] -= 0.5 * (hz[i * m + j] - hz[(i - 1) * m + j]);
        for (int64_t i = 0; i < n; i++)
            for (int64_t j = 1; j < m; j++)
                ex[i * m + j] -= 0.5 * (hz[i * m + j] - hz[i * m + j - 1]);
        for (int64_t i = 0; i < n - 1; i++)
            for (int64_t j = 0; j < m - 1; j++)
                hz[i * m + j] -=
                    0.7 * (ex[i * m + j + 1] - ex[i * m + j] + ey[(i + 1) * m + j] - ey[i * m + j]);
    }
    free(ex);
    free(ey);
}
