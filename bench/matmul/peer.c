#include <stdint.h>

void peer_matmul(int64_t n, int64_t k, int64_t m, const float *restrict a, const float *restrict b,
                 float *restrict out);

void peer_matmul(int64_t n, int64_t k, int64_t m, const float *restrict a, const float *restrict b,
                 float *restrict out)
{
    for (int64_t i = 0; i < n; i++) {
        for (int64_t j = 0; j < m; j++) {
            float sum = 0;
            for (int64_t l = 0; l < k; l++) sum += a[i * k + l] * b[l * m + j];
            out[i * m + j] = sum;
        }
    }
}
