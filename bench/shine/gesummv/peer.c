#include <stdint.h>

void peer_gesummv(int64_t n, int64_t m, float alpha, float beta, const float *restrict a,
                  const float *restrict b, const float *restrict x, float *restrict out);

void peer_gesummv(int64_t n, int64_t m, float alpha, float beta, const float *restrict a,
                  const float *restrict b, const float *restrict x, float *restrict out)
{
#pragma omp parallel for
    for (int64_t i = 0; i < n; i++) {
        float p = 0, q = 0;
#pragma omp simd reduction(+ : p, q)
        for (int64_t j = 0; j < m; j++) {
            p += a[i * m + j] * x[j];
            q += b[i * m + j] * x[j];
        }
        out[i] = alpha * p + beta * q;
    }
}
