// SeqAn's scores of pairs that are one after the other in memory, `count` of n and m letters, or
// from each of the indices in `first` and `second` to the next one, and of a long pair, by so many
// threads, and in a band with `half` diagonals on each side; match 2, mismatch -1, gaps 5 and 1.
#ifndef ADZE_BENCH_SEQAN_H
#define ADZE_BENCH_SEQAN_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

int seqan_local_pairs(int threads, int64_t count, int64_t n, int64_t m, const char *a,
                      const char *b, int32_t *out);
int seqan_global_pairs(int threads, int64_t count, int64_t n, int64_t m, const char *a,
                       const char *b, int32_t *out);
int seqan_band_pairs(int threads, int half, int64_t count, int64_t n, int64_t m, const char *a,
                     const char *b, int32_t *out);
int seqan_local_mixed(int threads, int64_t count, const int64_t *first, const int64_t *second,
                      const char *a, const char *b, int32_t *out);
int seqan_local_long(int threads, int64_t n, int64_t m, const char *a, const char *b, int32_t *out);
int seqan_global_long(int threads, int64_t n, int64_t m, const char *a, const char *b,
                      int32_t *out);

#ifdef __cplusplus
}
#endif

#endif
