#include <stdint.h>

/// The square of the distance of two points.
static inline double pde1_h2(int64_t n)
{
    return 1.0 / ((double)(n - 1) * (double)(n - 1));
}

int peer_pde1(int64_t n, int64_t steps, const double *restrict f, const double *restrict u,
              double *restrict out);
int library_pde1(int64_t n, int64_t steps, const double *f, const double *u, double *out);
