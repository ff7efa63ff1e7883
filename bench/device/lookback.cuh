// Decoupled look-back (Merrill and Garland, "Single-pass parallel prefix scan with decoupled
// look-back", 2016): how blocks find the sum of everything before their tile in one pass over
// memory. A block publishes the sum of its tile. Then it adds the sums of the tiles before, back to
// the last one whose inclusive prefix is published (the sum of everything up to its end), and
// publishes its own inclusive prefix. Blocks take tiles in the order in which they start, from a
// counter, so that none waits for a block that has not started.
//
// A state of a tile, zero before, is 32 bits that say which sum it is, and the sum; one access
// reads or writes both, so no fence is needed. A sum is a float or an unsigned.
#include "warp.cuh"

enum { LOOKBACK_NONE, LOOKBACK_OF_TILE, LOOKBACK_UP_TO_TILE }; // which sum of a tile is known

__device__ unsigned lookback_bits(float sum)
{
    return __float_as_uint(sum);
}

__device__ unsigned lookback_bits(unsigned sum)
{
    return sum;
}

__device__ void lookback_sum(unsigned bits, float *sum)
{
    *sum = __uint_as_float(bits);
}

__device__ void lookback_sum(unsigned bits, unsigned *sum)
{
    *sum = bits;
}

template <typename T>
__device__ void lookback_publish(unsigned long long *state, unsigned which, T sum)
{
    __nv_atomic_store_n(state, (unsigned long long)which << 32 | lookback_bits(sum),
                        __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
}

// The sum of everything before a tile, in lane 0 of the warp that calls it. Each lane waits for the
// state of one of 32 tiles. The last inclusive prefix among them and the sums after it count.
template <typename T> __device__ T lookback_before(unsigned long long *states, int tile, int lane)
{
    T sum = 0;
    for (int last = tile - 1; last >= 0; last -= 32) {
        unsigned which = LOOKBACK_UP_TO_TILE;
        T value = 0;
        if (last - lane >= 0) {
            unsigned long long state;
            do {
                state = __nv_atomic_load_n(&states[last - lane], __NV_ATOMIC_RELAXED,
                                           __NV_THREAD_SCOPE_DEVICE);
                which = (unsigned)(state >> 32);
            } while (which == LOOKBACK_NONE);
            lookback_sum((unsigned)state, &value);
        }
        unsigned complete = __ballot_sync(0xffffffff, which == LOOKBACK_UP_TO_TILE);
        if (complete && lane >= __ffs(complete)) value = 0;
        sum += sum_of_warp(value);
        if (complete) break;
    }
    return sum;
}

// What lane 0 of the first warp of a block calls, with the other lanes of its warp: publishes the
// sum of a tile. The sum of everything before it, in lane 0.
template <typename T>
__device__ T lookback(unsigned long long *states, int tile, int lane, T of_tile)
{
    if (lane == 0 && tile > 0) lookback_publish(&states[tile], LOOKBACK_OF_TILE, of_tile);
    T before = lookback_before<T>(states, tile, lane);
    if (lane == 0) lookback_publish(&states[tile], LOOKBACK_UP_TO_TILE, before + of_tile);
    return before;
}
