// *out += the sum of n numbers: each thread adds every (threads of the grid)-th one, each warp adds
// those of its lanes by shuffles, the first warp of a block those of its warps, and blocks add
// theirs to the result by an atomic update. Blocks of up to 1024 threads, a multiple of 32.
#include "warp.cuh"

__global__ void sum(const float *__restrict__ a, float *out, int n)
{
    __shared__ float of_warps[32];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    float value = 0.0f;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        value += a[i];
    value = sum_of_warp(value);
    if (lane == 0) of_warps[warp] = value;
    __syncthreads();
    if (warp == 0) {
        value = sum_of_warp(lane < (int)blockDim.x / 32 ? of_warps[lane] : 0.0f);
        if (lane == 0) atomicAdd(out, value);
    }
}
