#include "matrix.h"

int plain(int64_t n, int64_t k, int64_t m, const double *restrict a, const double *restrict b,
          double *restrict out)
{
    mul_ijk(n, k, m, a, b, out);
    return 0;
}
