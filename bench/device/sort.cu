// A radix sort of n < 2^30 floats, from the lowest digit of 8 bits to the highest, each in one pass
// over memory (Adinets and Merrill, "Onesweep: a faster least significant digit radix sort for
// GPUs", 2022). -0 is before 0, and a NaN at the end on the side of its sign.
//
// sort_count counts the keys with each digit of all passes, in blocks of SORT_THREADS threads, a
// few a multiprocessor. sort_starts<<<SORT_PASSES, SORT_THREADS>>> replaces these counts by their
// exclusive prefix sums: where the keys with a digit begin. sort_pass moves keys to their places, a
// tile of SORT_TILE for each block. A thread for each digit finds how many keys with it the tiles
// before have, by decoupled look-back (lookback.cuh explains it for one sum). The four passes move
// from `a` to a temporary array, from there to the result, and the same again. The counts, and for
// each pass *taken and SORT_DIGITS states for each tile, are zero before.
#include "warp.cuh"

enum { SORT_BITS = 8, SORT_DIGITS = 1 << SORT_BITS, SORT_PASSES = 32 / SORT_BITS };
enum { SORT_THREADS = SORT_DIGITS, SORT_WARPS = SORT_THREADS / 32, SORT_COPIES = 8 };
enum { SORT_EACH = 20, SORT_ROW = 32 * SORT_EACH, SORT_TILE = SORT_WARPS * SORT_ROW };

// A state of a tile and a digit: 2 bits that say which sum of keys it has, and the sum.
enum { SORT_NONE, SORT_OF_TILE, SORT_UP_TO_TILE, SORT_SUM = (1 << 30) - 1 };

// Unsigned numbers in the order of the floats.
__device__ unsigned sort_key(float number)
{
    unsigned bits = __float_as_uint(number);
    return bits ^ (bits >> 31 ? 0xffffffff : 0x80000000);
}

__device__ float sort_number(unsigned key)
{
    return __uint_as_float(key ^ (key >> 31 ? 0x80000000 : 0xffffffff));
}

__device__ unsigned sort_digit(unsigned key, int pass)
{
    return key >> pass * SORT_BITS & (SORT_DIGITS - 1);
}

// Adds to counts[p][d] how many keys have the digit d in pass p. Four lanes of a warp share a copy
// of the counters, so that updates of equal digits collide four by four, as those of other digits
// do.
__global__ void sort_count(const float *__restrict__ a, unsigned *counts, int n)
{
    __shared__ unsigned counters[SORT_PASSES][SORT_DIGITS][SORT_COPIES];
    int thread = threadIdx.x, lane = thread % 32;
    for (int p = 0; p < SORT_PASSES; p++)
        for (int e = thread; e < SORT_DIGITS * SORT_COPIES; e += SORT_THREADS)
            counters[p][e / SORT_COPIES][e % SORT_COPIES] = 0;
    __syncthreads();
    for (int i = blockIdx.x * SORT_THREADS + thread; i < n; i += gridDim.x * SORT_THREADS) {
        unsigned key = sort_key(a[i]);
        for (int p = 0; p < SORT_PASSES; p++)
            atomicAdd(&counters[p][sort_digit(key, p)][lane % SORT_COPIES], 1u);
    }
    __syncthreads();
    for (int p = 0; p < SORT_PASSES; p++) {
        unsigned count = 0;
        for (int c = 0; c < SORT_COPIES; c++)
            count += counters[p][thread][(lane / 4 + c) % SORT_COPIES];
        atomicAdd(&counts[p * SORT_DIGITS + thread], count);
    }
}

// The sum of the values of the threads before in the block.
__device__ unsigned sort_sum_before(unsigned value, unsigned *of_warps)
{
    unsigned thread = threadIdx.x, lane = thread % 32, warp = thread / 32;
    unsigned sum = sum_up_to_lane(value, (int)lane);
    if (lane == 31) of_warps[warp] = sum;
    __syncthreads();
    for (unsigned w = 0; w < SORT_WARPS; w++)
        if (w < warp) sum += of_warps[w];
    return sum - value;
}

__global__ void sort_starts(unsigned *counts)
{
    __shared__ unsigned of_warps[SORT_WARPS];
    unsigned *count = &counts[blockIdx.x * SORT_DIGITS + threadIdx.x];
    *count = sort_sum_before(*count, of_warps);
}

// The lanes of the warp with this digit.
__device__ unsigned sort_peers(unsigned digit)
{
    unsigned peers = 0xffffffff;
    for (int bit = 0; bit < SORT_BITS; bit++) {
        bool is_set = digit >> bit & 1;
        unsigned set = __ballot_sync(0xffffffff, is_set);
        peers &= is_set ? set : ~set;
    }
    return peers;
}

// How many keys with a digit the tiles before have. Publishes how many this one has.
__device__ unsigned sort_keys_before(unsigned *states, int tile, unsigned digit, unsigned of_tile)
{
    unsigned *mine = &states[tile * SORT_DIGITS + digit], before = 0;
    if (tile > 0)
        __nv_atomic_store_n(mine, (unsigned)SORT_OF_TILE << 30 | of_tile, __NV_ATOMIC_RELAXED,
                            __NV_THREAD_SCOPE_DEVICE);
    for (int last = tile - 1; last >= 0; last--) {
        unsigned state;
        do {
            state = __nv_atomic_load_n(&states[last * SORT_DIGITS + digit], __NV_ATOMIC_RELAXED,
                                       __NV_THREAD_SCOPE_DEVICE);
        } while (state >> 30 == SORT_NONE);
        before += state & SORT_SUM;
        if (state >> 30 == SORT_UP_TO_TILE) break;
    }
    __nv_atomic_store_n(mine, (unsigned)SORT_UP_TO_TILE << 30 | (before + of_tile),
                        __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    return before;
}

// Moves each key to starts[its digit] + how many keys with this digit are before it. A warp ranks a
// row of the tile, 32 keys at a time: a key comes after those with its digit that the warp has
// counted, and after those in lanes before. Then the keys are sorted in shared memory, where those
// with one digit are neighbours, so that most stores of a warp are consecutive.
__global__ void __launch_bounds__(SORT_THREADS, 3)
    sort_pass(const float *__restrict__ a, float *__restrict__ out,
              const unsigned *__restrict__ starts, int n, int pass, int *taken, unsigned *states)
{
    __shared__ unsigned counters[SORT_WARPS][SORT_DIGITS]; // then where a warp's keys belong
    __shared__ unsigned keys[SORT_TILE], places[SORT_DIGITS], of_warps[SORT_WARPS];
    __shared__ int number;
    unsigned thread = threadIdx.x, lane = thread % 32, warp = thread / 32;
    if (thread == 0) number = atomicAdd(taken, 1);
    for (unsigned w = 0; w < SORT_WARPS; w++) counters[w][thread] = 0;
    __syncthreads();
    int tile = number, left = n - tile * SORT_TILE; // how many keys there are from the tile on
    const float *tile_of_a = a + tile * SORT_TILE;
    unsigned mine[SORT_EACH], ranks[SORT_EACH];
    for (int k = 0; k < SORT_EACH; k++) { // loaded all at once, before the first is used
        int e = (int)(warp * SORT_ROW + 32 * k + lane);
        mine[k] = e < left ? sort_key(tile_of_a[e]) : 0xffffffff; // these come last, and stay here
    }
    for (int k = 0; k < SORT_EACH; k++) {
        unsigned digit = sort_digit(mine[k], pass), counted = counters[warp][digit];
        unsigned peers = sort_peers(digit), peers_before = peers & ((1u << lane) - 1);
        __syncwarp();
        if (!peers_before) counters[warp][digit] = counted + __popc(peers);
        __syncwarp();
        ranks[k] = counted + __popc(peers_before);
    }
    __syncthreads();

    unsigned of_tile = 0; // keys with the digit `thread`
    for (int w = 0; w < SORT_WARPS; w++) of_tile += counters[w][thread];
    unsigned place = sort_sum_before(of_tile, of_warps);
    unsigned before = sort_keys_before(states, tile, thread, of_tile);
    places[thread] = starts[thread] + before - place;
    for (int w = 0; w < SORT_WARPS; w++) {
        unsigned of_warp = counters[w][thread];
        counters[w][thread] = place;
        place += of_warp;
    }
    __syncthreads();
    for (int k = 0; k < SORT_EACH; k++)
        keys[counters[warp][sort_digit(mine[k], pass)] + ranks[k]] = mine[k];
    __syncthreads();
    for (unsigned e = thread; e < SORT_TILE; e += SORT_THREADS)
        if ((int)e < left) out[places[sort_digit(keys[e], pass)] + e] = sort_number(keys[e]);
}
