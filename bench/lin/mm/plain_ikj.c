#include "matrix.h"

int plain_ikj(int64_t n, int64_t k, int64_t m, const double *restrict a, const double *restrict b,
              double *restrict out)
{
    mul_ikj(n, k, m, a, b, out);
    return 0;
}
