// Transpositions by hand, as one writes them first and in tiles, of numbers of a type NUMBER.
#ifndef ADZE_BENCH_TRANSPOSED_H
#define ADZE_BENCH_TRANSPOSED_H

#include "bench.h"

void peer_plain(int64_t n, int64_t m, const NUMBER *restrict a, NUMBER *restrict out);
/// Tiles of 32x32.
void peer_tiled(int64_t n, int64_t m, const NUMBER *restrict a, NUMBER *restrict out);
#endif
