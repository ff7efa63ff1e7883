#include "peer.h"

#include <immintrin.h>

int PEER(int64_t n, const int32_t *restrict xs, int32_t x, int64_t *restrict out)
{
    const __m256i wanted = _mm256_set1_epi32(x);
    int64_t i = 0;
    for (; i + 8 <= n; i += 8) {
        __m256i same = _mm256_cmpeq_epi32(_mm256_loadu_si256((const __m256i *)(xs + i)), wanted);
        int found = _mm256_movemask_ps(_mm256_castsi256_ps(same));
        if (found) {
            *out = i + __builtin_ctz((unsigned)found);
            return 0;
        }
    }
    while (i < n && xs[i] != x) i++;
    *out = i;
    return 0;
}
