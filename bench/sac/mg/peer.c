#include "cycle.h"

// The stencil as it is written down.
static inline void row_of_stencil(Weights w, int64_t n, int64_t step, int64_t s,
                                  const double *restrict a, double sign, double *restrict to,
                                  double *restrict sums)
{
    (void)sums;
    for (int64_t k = 1; k < n - 1; k++) {
        const double *at = a + step * k;
        double x = w.point * at[0] + w.face * (at[-1] + at[1] + faces(at, s)) +
                   w.edge * (edges(at, s) + faces(at - 1, s) + faces(at + 1, s)) +
                   w.corner * (edges(at - 1, s) + edges(at + 1, s));
        to[k] += sign * x;
    }
}

int peer_mg(int64_t m, int64_t steps, const double *v, double *u)
{
    return multigrid(m, steps, v, u);
}
