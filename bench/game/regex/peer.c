#include "pattern.h"

#include <stdlib.h>

int peer_regex(int64_t n, const uint8_t *text, int64_t *results);

// How often each variant is found, then the sizes of the text, without breaks and headers, and with
// the codes replaced, one after the other. A replacement is at most half as long again.
int peer_regex(int64_t n, const uint8_t *text, int64_t *results)
{
    uint8_t *a = malloc((size_t)(2 * n)), *b = malloc((size_t)(2 * n));
    int ok = a && b;
    if (ok) {
        int64_t size = pattern_replace(n, PATTERN_STRIP, text, n, a);
        for (int i = 0; i < PATTERN_VARIANTS; i++) results[i] = pattern_count(2 * n, i, a, size);
        results[PATTERN_VARIANTS] = n;
        results[PATTERN_VARIANTS + 1] = size;
        for (int i = PATTERN_CODES; i < PATTERNS; i++) {
            size = pattern_replace(2 * n, i, a, size, b);
            uint8_t *t = a;
            a = b;
            b = t;
        }
        results[PATTERN_VARIANTS + 2] = size;
    }
    free(a);
    free(b);
    return !ok;
}
