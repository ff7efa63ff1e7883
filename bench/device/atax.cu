// out += A^T (A x) for an n x m matrix. A block multiplies ATAX_ROWS rows by x, a warp each row,
// and adds each of these rows times its product to the result, a thread each column. So the matrix
// comes from memory once, and the second time from a cache, whereas gemv_n and then gemv_t read it
// twice. Blocks add to the result by atomic updates, whose order is that of time: the last bits may
// differ. Blocks of 32 x ATAX_ROWS threads, few enough that all of them are resident at once.
#include "warp.cuh"

enum { ATAX_ROWS = 8 };

__global__ void atax(const float *__restrict__ a, const float *__restrict__ x, float *out, int n,
                     int m)
{
    __shared__ float products[ATAX_ROWS];
    int lane = threadIdx.x, warp = threadIdx.y;
    for (int i0 = blockIdx.x * ATAX_ROWS; i0 < n; i0 += gridDim.x * ATAX_ROWS) {
        float product = 0.0f;
        if (i0 + warp < n)
            for (int j = lane; j < m; j += 32) product += a[(i0 + warp) * m + j] * x[j];
        product = sum_of_warp(product);
        if (lane == 0) products[warp] = product;
        __syncthreads();
        float factors[ATAX_ROWS];
        for (int r = 0; r < ATAX_ROWS; r++) factors[r] = products[r];
        for (int j = warp * 32 + lane; j < m; j += 32 * ATAX_ROWS) {
            float sum = 0.0f;
            for (int r = 0; r < ATAX_ROWS; r++)
                if (i0 + r < n) sum += a[(i0 + r) * m + j] * factors[r];
            atomicAdd(&out[j], sum);
        }
        __syncthreads();
    }
}
