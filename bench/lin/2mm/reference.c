// From the right: a (b c).
#include <stdint.h>
#include <stdlib.h>

int reference(int64_t n, int64_t k, int64_t m, int64_t l, double alpha, double beta,
              const double *a, const double *b, const double *c, const double *d, double *out)
{
    double *bc = calloc((size_t)(k * l), sizeof *bc);
    if (!bc) return 1;
    for (int64_t i = 0; i < k; i++)
        for (int64_t p = 0; p < m; p++)
            for (int64_t j = 0; j < l; j++) bc[i * l + j] += b[i * m + p] * c[p * l + j];
    for (int64_t i = 0; i < n * l; i++) out[i] = beta * d[i];
    for (int64_t i = 0; i < n; i++)
        for (int64_t p = 0; p < k; p++)
            for (int64_t j = 0; j < l; j++) out[i * l + j] += alpha * a[i * k + p] * bc[p * l + j];
    free(bc);
    return 0;
}
