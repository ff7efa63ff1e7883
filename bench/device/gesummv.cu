// out = alpha A x + beta B x for two n x m matrices. A warp computes one element: each lane adds
// every 32nd product of a row of both, so that x is read once. Blocks of 32 x GESUMMV_ROWS threads.
#include "warp.cuh"

enum { GESUMMV_ROWS = 8 };

__global__ void gesummv(float alpha, float beta, const float *__restrict__ a,
                        const float *__restrict__ b, const float *__restrict__ x,
                        float *__restrict__ out, int n, int m)
{
    int lane = threadIdx.x, i = blockIdx.x * GESUMMV_ROWS + threadIdx.y;
    if (i >= n) return;
    float of_a = 0.0f, of_b = 0.0f;
    for (int j = lane; j < m; j += 32) {
        of_a += a[i * m + j] * x[j];
        of_b += b[i * m + j] * x[j];
    }
    float sum = sum_of_warp(alpha * of_a + beta * of_b);
    if (lane == 0) out[i] = sum;
}
