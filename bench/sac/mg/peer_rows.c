#include "cycle.h"

// The stencil as the NAS benchmark has it: the sums of a row around the one at hand serve three
// points each.
static inline void row_of_stencil(Weights w, int64_t n, int64_t step, int64_t s,
                                  const double *restrict a, double sign, double *restrict to,
                                  double *restrict sums)
{
    double *restrict f = sums, *restrict e = sums + s;
    for (int64_t k = 0; k < s; k++) {
        f[k] = faces(a + k, s);
        e[k] = edges(a + k, s);
    }
    for (int64_t k = 1; k < n - 1; k++) {
        int64_t c = step * k;
        double x = w.point * a[c] + w.face * (a[c - 1] + a[c + 1] + f[c]) +
                   w.edge * (e[c] + f[c - 1] + f[c + 1]) + w.corner * (e[c - 1] + e[c + 1]);
        to[k] += sign * x;
    }
}

int peer_mg_rows(int64_t m, int64_t steps, const double *v, double *u)
{
    return multigrid(m, steps, v, u);
}
