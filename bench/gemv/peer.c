#include <stdint.h>

void peer_gemv(int64_t n, int64_t m, const float *restrict a, const float *restrict x,
               float *restrict out);

void peer_gemv(int64_t n, int64_t m, const float *restrict a, const float *restrict x,
               float *restrict out)
{
    for (int64_t i = 0; i < n; i++) {
        float sum = 0;
        for (int64_t j = 0; j < m; j++) sum += a[i * m + j] * x[j];
        out[i] = sum;
    }
}
