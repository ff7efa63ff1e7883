#include <stdint.h>

typedef void Product(int64_t n, const double *restrict a, const double *restrict b,
                     double *restrict c);

Product peer_product_ijk, peer_product_ikj;

// As it is written down. A column of b has its elements n apart.
void peer_product_ijk(int64_t n, const double *restrict a, const double *restrict b,
                      double *restrict c)
{
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) {
            double sum = 0;
            for (int64_t k = 0; k < n; k++) sum += a[i * n + k] * b[k * n + j];
            c[i * n + j] = sum;
        }
}

// Row by row of b.
void peer_product_ikj(int64_t n, const double *restrict a, const double *restrict b,
                      double *restrict c)
{
    for (int64_t i = 0; i < n; i++) {
        for (int64_t j = 0; j < n; j++) c[i * n + j] = 0;
        for (int64_t k = 0; k < n; k++)
            for (int64_t j = 0; j < n; j++) c[i * n + j] += a[i * n + k] * b[k * n + j];
    }
}
