// Products of an n x m matrix and a vector: gemv_n computes out = alpha A x + beta y, gemv_t
// out = alpha A^T x + beta y. The loads of both are coalesced: a warp reads along a row.
#include "warp.cuh"

enum { GEMV_ROWS = 8, GEMV_PARTS = 32 };

// A warp computes one element: each lane adds every 32nd product of a row. Blocks of 32 x GEMV_ROWS
// threads compute GEMV_ROWS elements.
__global__ void gemv_n(float alpha, float beta, const float *__restrict__ a,
                       const float *__restrict__ x, const float *__restrict__ y,
                       float *__restrict__ out, int n, int m)
{
    int lane = threadIdx.x, i = blockIdx.x * GEMV_ROWS + threadIdx.y;
    if (i >= n) return;
    float sum = 0.0f;
    for (int j = lane; j < m; j += 32) sum += a[i * m + j] * x[j];
    sum = sum_of_warp(sum);
    if (lane == 0) out[i] = alpha * sum + beta * y[i];
}

// A block computes 32 elements, one for each lane: each of its warps adds every GEMV_PARTS-th row,
// and the first warp adds the sums of all. There are only m / 32 blocks, so they have as many
// threads as a block can: 32 x GEMV_PARTS.
__global__ void gemv_t(float alpha, float beta, const float *__restrict__ a,
                       const float *__restrict__ x, const float *__restrict__ y,
                       float *__restrict__ out, int n, int m)
{
    __shared__ float parts[GEMV_PARTS][32];
    int lane = threadIdx.x, part = threadIdx.y, j = blockIdx.x * 32 + lane;
    float sum = 0.0f;
    if (j < m)
        for (int i = part; i < n; i += GEMV_PARTS) sum += a[i * m + j] * x[i];
    parts[part][lane] = sum;
    __syncthreads();
    if (part > 0 || j >= m) return;
    sum = 0.0f;
    for (int k = 0; k < GEMV_PARTS; k++) sum += parts[k][lane];
    out[j] = alpha * sum + beta * y[j];
}
