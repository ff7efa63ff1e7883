#include <stdint.h>

void peer_gemv_n(int64_t n, int64_t m, float alpha, float beta, const float *restrict a,
                 const float *restrict x, const float *restrict y, float *restrict out);
void peer_gemv_t(int64_t n, int64_t m, float alpha, float beta, const float *restrict a,
                 const float *restrict x, const float *restrict y, float *restrict out);

void peer_gemv_n(int64_t n, int64_t m, float alpha, float beta, const float *restrict a,
                 const float *restrict x, const float *restrict y, float *restrict out)
{
#pragma omp parallel for
    for (int64_t i = 0; i < n; i++) {
        float sum = 0;
#pragma omp simd reduction(+ : sum)
        for (int64_t j = 0; j < m; j++) sum += a[i * m + j] * x[j];
        out[i] = alpha * sum + beta * y[i];
    }
}

// Blocks of columns, whose sums stay near.
void peer_gemv_t(int64_t n, int64_t m, float alpha, float beta, const float *restrict a,
                 const float *restrict x, const float *restrict y, float *restrict out)
{
    enum { COLUMNS = 2048 };
#pragma omp parallel for
    for (int64_t from = 0; from < m; from += COLUMNS) {
        int64_t to = from + COLUMNS < m ? from + COLUMNS : m;
#pragma omp simd
        for (int64_t j = from; j < to; j++) out[j] = beta * y[j];
        for (int64_t i = 0; i < n; i++) {
            float factor = alpha * x[i];
#pragma omp simd
            for (int64_t j = from; j < to; j++) out[j] += factor * a[i * m + j];
        }
    }
}
