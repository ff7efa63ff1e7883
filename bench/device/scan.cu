// out[i] = a[0] + .. + a[i], in one pass over memory: decoupled look-back (Merrill and Garland,
// "Single-pass parallel prefix scan with decoupled look-back", 2016). A block of SCAN_THREADS
// threads scans a tile of SCAN_TILE numbers and publishes its sum. Then it adds the sums of the
// tiles before, back to the last one whose inclusive prefix is published (the sum of all numbers up
// to its end), and publishes its own inclusive prefix. Blocks take tiles in the order in which they
// start, so that none waits for a block that has not started. The order of the additions depends on
// time, so the last bits may differ.
//
// *taken and the states, one for each tile, are zero before. A state is 32 bits that say which sum
// it is, and the sum; one access reads or writes both, so no fence is needed. Each thread adds
// SCAN_EACH neighbouring numbers, which it exchanges with others in shared memory; an odd number,
// so that lanes access different banks.
#include "warp.cuh"

enum { SCAN_THREADS = 256, SCAN_EACH = 9, SCAN_TILE = SCAN_THREADS * SCAN_EACH };
enum { SCAN_NONE, SCAN_OF_TILE, SCAN_UP_TO_TILE }; // which sum of a tile is known

__device__ void scan_publish(unsigned long long *state, unsigned which, float sum)
{
    __nv_atomic_store_n(state, (unsigned long long)which << 32 | __float_as_uint(sum),
                        __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
}

// The sum of all numbers before a tile, in lane 0 of the warp that calls it. Each lane waits for
// the state of one of 32 tiles. The last inclusive prefix among them and the sums after it count.
__device__ float scan_before(unsigned long long *states, int tile, int lane)
{
    float sum = 0.0f;
    for (int last = tile - 1; last >= 0; last -= 32) {
        unsigned which = SCAN_UP_TO_TILE;
        float value = 0.0f;
        if (last - lane >= 0) {
            unsigned long long state;
            do {
                state = __nv_atomic_load_n(&states[last - lane], __NV_ATOMIC_RELAXED,
                                           __NV_THREAD_SCOPE_DEVICE);
                which = (unsigned)(state >> 32);
            } while (which == SCAN_NONE);
            value = __uint_as_float((unsigned)state);
        }
        unsigned complete = __ballot_sync(0xffffffff, which == SCAN_UP_TO_TILE);
        if (complete && lane >= __ffs(complete)) value = 0.0f;
        sum += sum_of_warp(value);
        if (complete) break;
    }
    return sum;
}

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
    for (int distance = 1; distance < 32; distance *= 2) {
        float left = __shfl_up_sync(0xffffffff, sum, distance);
        if (lane >= distance) sum += left;
    }
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
        if (lane == 0 && tile > 0) scan_publish(&states[tile], SCAN_OF_TILE, total);
        float sum_before = scan_before(states, tile, lane);
        if (lane == 0) {
            scan_publish(&states[tile], SCAN_UP_TO_TILE, sum_before + total);
            before = sum_before;
        }
    }
    __syncthreads();
    for (int k = 0; k < SCAN_EACH; k++) numbers[from + k] = before + offset + sums[k];
    __syncthreads();
    for (int e = thread; e < SCAN_TILE; e += SCAN_THREADS)
        if (i0 + e < n) out[i0 + e] = numbers[e];
}
