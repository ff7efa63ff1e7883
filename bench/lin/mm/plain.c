#include "matrix.h"

#ifndef MUL
#define MUL mul_ijk
#endif

int plain(int64_t n, int64_t k, int64_t m, const double *restrict a, const double *restrict b,
          double *restrict out)
{
    MUL(n, k, m, a, b, out);
    return 0;
}
