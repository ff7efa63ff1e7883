// The peers of transposed.h.
#include "transposed.h"

enum { TILE = 32 };

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

void peer_plain(int64_t n, int64_t m, const NUMBER *restrict a, NUMBER *restrict out)
{
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < m; j++) out[i * m + j] = a[j * n + i];
}

void peer_tiled(int64_t n, int64_t m, const NUMBER *restrict a, NUMBER *restrict out)
{
    for (int64_t from = 0; from < n; from += TILE)
        for (int64_t at = 0; at < m; at += TILE) {
            int64_t to = least(from + TILE, n), end = least(at + TILE, m);
            for (int64_t i = from; i < to; i++)
                for (int64_t j = at; j < end; j++) out[i * m + j] = a[j * n + i];
        }
}
