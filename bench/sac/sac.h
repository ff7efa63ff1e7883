// What the cases of bench/sac share: inputs.
#ifndef ADZE_BENCH_SAC_H
#define ADZE_BENCH_SAC_H

#include <stdint.h>

/// Number i of sequence k, in [0, 1).
static inline double sac_noise(int k, int64_t i)
{
    uint64_t x = ((uint64_t)(k + 1) << 40) + (uint64_t)i;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return (double)((x ^ (x >> 31)) >> 11) * 0x1p-53;
}

#endif
