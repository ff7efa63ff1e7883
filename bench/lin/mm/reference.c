#include <stdint.h>

int reference(int64_t n, int64_t k, int64_t m, const double *a, const double *b, double *out)
{
    for (int64_t i = 0; i < n * m; i++) out[i] = 0;
    for (int64_t l = 0; l < k; l++)
        for (int64_t i = 0; i < n; i++)
            for (int64_t j = 0; j < m; j++) out[i * m + j] += a[i * k + l] * b[l * m + j];
    return 0;
}
