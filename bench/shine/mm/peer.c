#include <stdint.h>
#include <string.h>

void peer_mm(int64_t n, int64_t k, int64_t m, const float *restrict at, const float *restrict b,
             float *restrict out);

// Rows of b, each times a number, added to a row of the result.
void peer_mm(int64_t n, int64_t k, int64_t m, const float *restrict at, const float *restrict b,
             float *restrict out)
{
#pragma omp parallel for
    for (int64_t i = 0; i < n; i++) {
        float *row = out + i * m;
        memset(row, 0, (size_t)m * sizeof *row);
        for (int64_t l = 0; l < k; l++) {
            float factor = at[l * n + i];
#pragma omp simd
            for (int64_t j = 0; j < m; j++) row[j] += factor * b[l * m + j];
        }
    }
}
