// For references: the index of the nearest element of an array of n.
#ifndef ADZE_LIN_CLAMPED_H
#define ADZE_LIN_CLAMPED_H

#include <stdint.h>

static inline int64_t within(int64_t i, int64_t n)
{
    return i < 0 ? 0 : i >= n ? n - 1 : i;
}

#endif
