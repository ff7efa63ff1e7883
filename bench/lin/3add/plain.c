#include <stdint.h>

int plain(int64_t n, const double *restrict a, const double *restrict b, const double *restrict c,
          double *restrict out)
{
    for (int64_t i = 0; i < n; i++) out[i] = a[i] + b[i] + c[i];
    return 0;
}
