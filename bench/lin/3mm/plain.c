#include "matrix.h"

#ifndef MUL
#define MUL mul_ijk
#endif

int plain(int64_t n, int64_t k, int64_t m, int64_t l, int64_t o, const double *restrict a,
          const double *restrict b, const double *restrict c, const double *restrict d,
          double *restrict out)
{
    double *ab = new_matrix(n, m), *cd = new_matrix(m, o);
    if (ab && cd) {
        MUL(n, k, m, a, b, ab);
        MUL(m, l, o, c, d, cd);
        MUL(n, m, o, ab, cd, out);
    }
    int status = ab && cd ? 0 : 1;
    free(ab);
    free(cd);
    return status;
}
