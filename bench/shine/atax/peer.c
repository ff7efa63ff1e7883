#include <stdint.h>
#include <string.h>

void peer_atax(int64_t n, int64_t m, const float *restrict a, const float *restrict x,
               float *restrict out);

// A row at a time: while it is near it is used for both products.
void peer_atax(int64_t n, int64_t m, const float *restrict a, const float *restrict x,
               float *restrict out)
{
    memset(out, 0, (size_t)m * sizeof *out);
#pragma omp parallel for reduction(+ : out[:m])
    for (int64_t i = 0; i < n; i++) {
        const float *row = a + i * m;
        float sum = 0;
#pragma omp simd reduction(+ : sum)
        for (int64_t j = 0; j < m; j++) sum += row[j] * x[j];
#pragma omp simd
        for (int64_t j = 0; j < m; j++) out[j] += row[j] * sum;
    }
}
