#include <stdint.h>

int reference(int64_t n, const double *a, const double *b, const double *c, double *out)
{
    for (int64_t i = 0; i < n; i++) out[i] = b[i] + c[i];
    for (int64_t i = 0; i < n; i++) out[i] = a[i] + out[i];
    return 0;
}
