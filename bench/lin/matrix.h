// Matrices as loops, the way they are written first (ijk: an inner product for each element), and the
// way PolyBench writes them (ikj: rows are added up). Both add the same numbers in the same order.
#ifndef ADZE_LIN_MATRIX_H
#define ADZE_LIN_MATRIX_H

#include <stdint.h>
#include <stdlib.h>

static inline void mul_ijk(int64_t n, int64_t k, int64_t m, const double *restrict a,
                           const double *restrict b, double *restrict out)
{
    for (int64_t i = 0; i < n; i++) {
        for (int64_t j = 0; j < m; j++) {
            double sum = 0;
            for (int64_t l = 0; l < k; l++) sum += a[i * k + l] * b[l * m + j];
            out[i * m + j] = sum;
        }
    }
}

static inline void mul_ikj(int64_t n, int64_t k, int64_t m, const double *restrict a,
                           const double *restrict b, double *restrict out)
{
    for (int64_t i = 0; i < n; i++) {
        for (int64_t j = 0; j < m; j++) out[i * m + j] = 0;
        for (int64_t l = 0; l < k; l++)
            for (int64_t j = 0; j < m; j++) out[i * m + j] += a[i * k + l] * b[l * m + j];
    }
}

static inline double *new_matrix(int64_t n, int64_t m)
{
    return malloc((size_t)(n * m) * sizeof(double));
}

#endif
