// For Python: ours and Numba have the same OpenMP, and so the same threads.
#define _GNU_SOURCE
#include "../../spread.h"

void spread(void);

void spread(void)
{
    spread_threads();
}
