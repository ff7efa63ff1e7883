#include <stdint.h>

void peer_saxpy(int64_t n, float alpha, const float *restrict x, const float *restrict y,
                float *restrict out);

void peer_saxpy(int64_t n, float alpha, const float *restrict x, const float *restrict y,
                float *restrict out)
{
    for (int64_t i = 0; i < n; i++) out[i] = alpha * x[i] + y[i];
}
