#include "matrix.h"

#ifndef MUL
#define MUL mul_ijk
#endif

int plain(int64_t n, int64_t k, int64_t m, int64_t l, double alpha, double beta,
          const double *restrict a, const double *restrict b, const double *restrict c,
          const double *restrict d, double *restrict out)
{
    double *ab = new_matrix(n, m);
    if (!ab) return 1;
    MUL(n, k, m, a, b, ab);
    for (int64_t i = 0; i < n * m; i++) ab[i] *= alpha;
    MUL(n, m, l, ab, c, out);
    for (int64_t i = 0; i < n * l; i++) out[i] += beta * d[i];
    free(ab);
    return 0;
}
