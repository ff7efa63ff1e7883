#include "peer.h"

int PEER(int64_t n, const int32_t *restrict xs, int32_t x, int64_t *restrict out)
{
    int64_t i = 0;
    while (i < n && xs[i] != x) i++;
    *out = i;
    return 0;
}
