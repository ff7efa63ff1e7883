// What the benchmarks of alignments share: sequences, and calls of Parasail.
#ifndef ADZE_BENCH_ALIGN_H
#define ADZE_BENCH_ALIGN_H

#include "bench.h"

#include <parasail.h>

typedef parasail_result_t *Align(const char *a, int n, const char *b, int m, int open, int extend,
                                 const parasail_matrix_t *matrix);

// Sequences that are alike: a fifth of the letters of the second are drawn anew, and one of 64 is left
// out.
static inline void fill(const int64_t *n, int k, int64_t count, void *in)
{
    (void)n;
    uint64_t state = 88172645463325252u, other = 1234567 + (uint64_t)k;
    char *to = in;
    for (int64_t i = 0; i < count; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        other = other * 6364136223846793005u + 1442695040888963407u;
        if (k == 1 && other >> 58 == 0)
            state = state * 6364136223846793005u + 1442695040888963407u; // one letter is left out
        to[i] = "ACGT"[(other >> 40) % 5 == 0 && k == 1 ? other >> 62 : state >> 62];
    }
}

static inline int aligned(Align *align, const int64_t *n, void *const *in, void *out)
{
    parasail_matrix_t *matrix = parasail_matrix_create("ACGT", 2, -1);
    parasail_result_t *r = align(in[0], (int)n[0], in[1], (int)n[1], 5, 1, matrix);
    int status = parasail_result_is_saturated(r) ? 1 : 0;
    *(int32_t *)out = r->score;
    parasail_result_free(r);
    parasail_matrix_free(matrix);
    return status;
}

#endif
