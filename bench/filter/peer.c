#include "peer.h"

int64_t peer_branch(int64_t n, float limit, const float *restrict xs, float *restrict out)
{
    int64_t k = 0;
    for (int64_t i = 0; i < n; i++)
        if (xs[i] > limit) out[k++] = xs[i];
    return k;
}

int64_t peer_no_branch(int64_t n, float limit, const float *restrict xs, float *restrict out)
{
    int64_t k = 0;
    for (int64_t i = 0; i < n; i++) {
        out[k] = xs[i];
        k += xs[i] > limit;
    }
    return k;
}

// Eight sums at once, as vector registers want it.
static float sum_of(int64_t n, const float *restrict xs, float minus, int squared)
{
    float sums[8] = {0}, sum = 0;
    int64_t i = 0;
    for (; i + 8 <= n; i += 8)
        for (int l = 0; l < 8; l++) {
            float x = xs[i + l] - minus;
            sums[l] += squared ? x * x : x;
        }
    for (; i < n; i++) sum += squared ? (xs[i] - minus) * (xs[i] - minus) : xs[i] - minus;
    for (int l = 0; l < 8; l++) sum += sums[l];
    return sum;
}

float peer_variance(int64_t n, float limit, const float *restrict xs, float *restrict room)
{
    int64_t k = peer_no_branch(n, limit, xs, room);
    if (k == 0) return 0;
    float mean = sum_of(k, room, 0, 0) / (float)k;
    return sum_of(k, room, mean, 1) / (float)k;
}
