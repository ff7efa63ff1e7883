// The positive ones of n numbers, in their order, to `out`, and how many there are to *kept, in one
// pass over memory, by decoupled look-back (lookback.cuh). A block of FILTER_THREADS threads takes
// a tile of FILTER_TILE numbers, a warp a row of it, 32 numbers at a time: their vote says where
// each one that is kept belongs. Each warp collects those of its row in shared memory. When the
// block knows how many the tiles before have kept, each warp copies its own to `out`, beginning
// with the part of 32 places that are aligned, so that all its other stores are whole sectors.
//
// *kept, *taken and the states, one for each tile, are zero before.
#include "lookback.cuh"

enum { FILTER_THREADS = 256, FILTER_WARPS = FILTER_THREADS / 32, FILTER_EACH = 16 };
enum { FILTER_ROW = 32 * FILTER_EACH, FILTER_TILE = FILTER_WARPS * FILTER_ROW };

__global__ void filter(const float *__restrict__ a, float *__restrict__ out, unsigned *kept, int n,
                       int *taken, unsigned long long *states)
{
    __shared__ float numbers[FILTER_WARPS][FILTER_ROW];
    __shared__ unsigned of_warps[FILTER_WARPS], before;
    __shared__ int number;
    unsigned thread = threadIdx.x, lane = thread % 32, warp = thread / 32;
    if (thread == 0) number = atomicAdd(taken, 1);
    __syncthreads();
    int tile = number, left = n - tile * FILTER_TILE; // how many numbers there are from the tile on
    const float *tile_of_a = a + tile * FILTER_TILE;
    float values[FILTER_EACH]; // loaded all at once, before the first is used
    for (int k = 0; k < FILTER_EACH; k++) {
        int e = (int)(warp * FILTER_ROW + 32 * k + lane);
        values[k] = e < left ? tile_of_a[e] : 0.0f;
    }
    unsigned count = 0;
    for (int k = 0; k < FILTER_EACH; k++) {
        unsigned keep = __ballot_sync(0xffffffff, values[k] > 0.0f);
        unsigned place = count + __popc(keep & ((1u << lane) - 1));
        if (values[k] > 0.0f) numbers[warp][place] = values[k];
        count += __popc(keep);
    }
    if (lane == 0) of_warps[warp] = count;
    __syncthreads();

    unsigned of_tile = 0, offset = 0;
    for (unsigned w = 0; w < FILTER_WARPS; w++) {
        if (w == warp) offset = of_tile;
        of_tile += of_warps[w];
    }
    if (warp == 0) {
        unsigned before_tile = lookback(states, tile, (int)lane, of_tile);
        if (lane == 0) {
            before = before_tile;
            if (left <= FILTER_TILE) *kept = before_tile + of_tile;
        }
    }
    __syncthreads();
    unsigned to = before + offset, head = (32 - to % 32) % 32 < count ? (32 - to % 32) % 32 : count;
    if (lane < head) out[to + lane] = numbers[warp][lane];
    for (unsigned e = head + lane; e < count; e += 32) out[to + e] = numbers[warp][e];
}
