// out[i] = a[0] + .. + a[i], in one pass over memory, by decoupled look-back (lookback.cuh). A
// block of SCAN_THREADS threads scans a tile of SCAN_TILE numbers. The order of the additions
// depends on time, so the last bits may differ.
//
// *taken and the states, one for each tile, are zero before. Each thread adds SCAN_EACH
// neighbouring numbers, which it exchanges with others in shared memory; an odd number, so that
// lanes access different banks.
#include "lookback.cuh"

enum { SCAN_THREADS = 256, SCAN_EACH = 9, SCAN_TILE = SCAN_THREADS * SCAN_EACH };

__global__ void scan(const float *__restrict__ a, float *__restrict__ out, int n, int *taken,
                     unsigned long long *states)
{
    __shared__ float numbers[SCAN_TILE];
    __shared__ float of_warps[SCAN_THREADS / 32], before;
    __shared__ int number;
    int thread = threadIdx.x, lane = thread % 32, warp = thread / 32, from = thread * SCAN_EACH;
    if (thread == 0) number = atomicAdd(taken, 1);
    __syncthreads();
    int tile = number, i0 = tile * SCAN_TILE;
    for (int e = thread; e < SCAN_TILE; e += SCAN_THREADS)
        numbers[e] = i0 + e < n ? a[i0 + e] : 0.0f;
    __syncthreads();

    float sums[SCAN_EACH], sum = 0.0f;
    for (int k = 0; k < SCAN_EACH; k++) sums[k] = sum += numbers[from + k];
    sum = sum_up_to_lane(sum, lane);
    float offset = __shfl_up_sync(0xffffffff, sum, 1); // the sum of the lanes before
    if (lane == 0) offset = 0.0f;
    if (lane == 31) of_warps[warp] = sum;
    __syncthreads();

    float total = 0.0f;
    for (int w = 0; w < SCAN_THREADS / 32; w++) {
        if (w == warp) offset += total;
        total += of_warps[w];
    }
    if (warp == 0) {
        float sum_before = lookback(states, tile, lane, total);
        if (lane == 0) before = sum_before;
    }
    __syncthreads();
    for (int k = 0; k < SCAN_EACH; k++) numbers[from + k] = before + offset + sums[k];
    __syncthreads();
    for (int e = thread; e < SCAN_TILE; e += SCAN_THREADS)
        if (i0 + e < n) out[i0 + e] = numbers[e];
}
