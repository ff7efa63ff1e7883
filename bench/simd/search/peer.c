#include "peer.h"

#include <stdbool.h>

static bool stands(const uint8_t *text, const uint8_t *word, int64_t m)
{
    for (int64_t k = 0; k < m; k++)
        if (text[k] != word[k]) return false;
    return true;
}

int PEER(int64_t n, int64_t m, const uint8_t *restrict text, const uint8_t *restrict word,
         uint8_t *restrict out)
{
    for (int64_t i = 0; i <= n - m; i++) out[i] = stands(text + i, word, m);
    return 0;
}
