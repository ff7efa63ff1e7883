// What the benchmarks of alignments share: sequences, and calls of Parasail.
#ifndef ADZE_BENCH_ALIGN_H
#define ADZE_BENCH_ALIGN_H

#include "bench.h"

#include <parasail.h>

typedef parasail_result_t *Align(const char *a, int n, const char *b, int m, int open, int extend,
                                 const parasail_matrix_t *matrix);

// Sequences that are alike: a fifth of the letters of the second are drawn anew, and one of 64 is
// left out.
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

// A pair of sequences.
typedef struct {
    const char *a, *b;
    int64_t n, m;
} Pair;

// Scores a pair by one of Parasail's functions. Returns 1 if the score does not fit its type.
static inline int score(Align *align, const parasail_matrix_t *matrix, Pair p, int32_t *out)
{
    parasail_result_t *r = align(p.a, (int)p.n, p.b, (int)p.m, 5, 1, matrix);
    int status = parasail_result_is_saturated(r) ? 1 : 0;
    *out = r->score;
    parasail_result_free(r);
    return status;
}

// --- two long sequences: in[0] of n[0] letters, in[1] of n[1] ------------------------------------

static inline int64_t first(const int64_t *n)
{
    return n[0];
}

static inline int64_t second(const int64_t *n)
{
    return n[1];
}

static inline int64_t one(const int64_t *n)
{
    (void)n;
    return 1;
}

static inline int aligned(Align *align, const int64_t *n, void *const *in, void *out)
{
    parasail_matrix_t *matrix = parasail_matrix_create("ACGT", 2, -1);
    int status = score(align, matrix, (Pair){in[0], in[1], n[0], n[1]}, out);
    parasail_matrix_free(matrix);
    return status;
}

// --- many pairs: n[0] of them, n[1] letters of in[0] and n[2] of in[1] each ----------------------

static inline int64_t all_of_first(const int64_t *n)
{
    return n[0] * n[1];
}

static inline int64_t all_of_second(const int64_t *n)
{
    return n[0] * n[2];
}

static inline Pair pair(const int64_t *n, void *const *in, int64_t k)
{
    return (Pair){(const char *)in[0] + k * n[1], (const char *)in[1] + k * n[2], n[1], n[2]};
}

// Parasail aligns pair after pair, on each thread some of them. `of` is pair k.
static inline int each_pair(Align *align, Pair (*of)(const int64_t *n, void *const *in, int64_t k),
                            const int64_t *n, void *const *in, void *out)
{
    parasail_matrix_t *matrix = parasail_matrix_create("ACGT", 2, -1);
    int status = 0;
#pragma omp parallel for schedule(dynamic, 64) reduction(| : status)
    for (int64_t k = 0; k < n[0]; k++)
        status |= score(align, matrix, of(n, in, k), (int32_t *)out + k);
    parasail_matrix_free(matrix);
    return status;
}

// --- names that contain those of a case ----------------------------------------------------------

#define JOINED_(a, b)  a##b
#define JOINED(a, b)   JOINED_(a, b)
#define PARASAIL(name) JOINED(JOINED(parasail_, FAMILY), name)
#define ADZE(name)     JOINED(JOINED(adze_, KIND), name)
#define TEXT_(x)       #x
#define TEXT(x)        TEXT_(x)

#endif
