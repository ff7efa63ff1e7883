#include <stdint.h>

float peer_dot(int64_t n, const float *restrict a, const float *restrict b);

float peer_dot(int64_t n, const float *restrict a, const float *restrict b)
{
    float sum = 0;
    for (int64_t i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}
