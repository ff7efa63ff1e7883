enum { N = LIN_MATRIX, INPUTS = 4, COUNT = N * N };

#include "arrays.h"

int KERNEL(int64_t n, int64_t k, int64_t m, int64_t l, double alpha, double beta, const double *a,
           const double *b, const double *c, const double *d, double *out);

static int call(void)
{
    return KERNEL(N, N, N, N, 1.5, 1.2, in[0], in[1], in[2], in[3], out);
}
