#include "peer.h"

int PEER(int64_t n, const int32_t *restrict xs, int32_t *restrict out, int64_t *restrict kept)
{
    int64_t k = 0;
    for (int64_t i = 0; i < n; i++)
        if (xs[i] > 0) out[k++] = xs[i];
    *kept = k;
    return 0;
}
