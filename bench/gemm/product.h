// What the cases of the product of two matrices of NUMBERs share: out = a b, of m x k and k x n.
#ifndef ADZE_BENCH_PRODUCT_H
#define ADZE_BENCH_PRODUCT_H

#include "bench.h"
#include "blas.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

// --- by hand -----------------------------------------------------------------------------------

// A block of b of DEPTH rows lies in memory as panels of WIDTH columns, the last one filled up with zeros.
enum { ROWS = 6, WIDTH = 256 / sizeof(NUMBER), DEPTH = 1024 };

static inline int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static void pack(int64_t k, int64_t n, int64_t stride, const NUMBER *restrict b,
                 NUMBER *restrict panel)
{
    for (int64_t p = 0; p < k; p++)
        for (int64_t j = 0; j < WIDTH; j++) panel[p * WIDTH + j] = j < n ? b[p * stride + j] : 0;
}

// `rows` rows of a times a panel. All sums are in registers; when rows < ROWS the last row is there several times.
static void tile(int64_t rows, int64_t k, int64_t stride, const NUMBER *restrict a,
                 const NUMBER *restrict panel, NUMBER *restrict sums)
{
    NUMBER sum[ROWS][WIDTH] = {{0}};
    const NUMBER *row[ROWS];
    for (int64_t i = 0; i < ROWS; i++) row[i] = a + least(i, rows - 1) * stride;
    for (int64_t p = 0; p < k; p++)
        for (int64_t i = 0; i < ROWS; i++)
            for (int64_t j = 0; j < WIDTH; j++) sum[i][j] += row[i][p] * panel[p * WIDTH + j];
    memcpy(sums, sum, sizeof sum);
}

static void strip(int64_t rows, int64_t n, int64_t k, int64_t stride, const NUMBER *restrict a,
                  const NUMBER *restrict panels, bool first, NUMBER *restrict out)
{
    for (int64_t at = 0; at < n; at += WIDTH) {
        NUMBER sums[ROWS * WIDTH];
        tile(rows, k, stride, a, panels + at * k, sums);
        for (int64_t i = 0; i < rows; i++)
            for (int64_t j = 0; j < least(WIDTH, n - at); j++) {
                NUMBER *to = &out[i * n + at + j];
                *to = sums[i * WIDTH + j] + (first ? 0 : *to);
            }
    }
}

static int by_hand(int threads, const int64_t *size, void *const *in, void *to)
{
    int64_t m = size[0], n = size[1], k = size[2];
    const NUMBER *a = in[0], *b = in[1];
    NUMBER *out = to;
    int64_t panels = (n + WIDTH - 1) / WIDTH;
    NUMBER *block = aligned_alloc(64, (size_t)(panels * WIDTH * DEPTH) * sizeof *block);
    if (!block) return 1;
    for (int64_t from = 0; from < k; from += DEPTH) {
        int64_t depth = least(DEPTH, k - from);
#pragma omp parallel for num_threads(threads)
        for (int64_t p = 0; p < panels; p++)
            pack(depth, n - p * WIDTH, n, b + from * n + p * WIDTH, block + p * WIDTH * depth);
#pragma omp parallel for num_threads(threads)
        for (int64_t i = 0; i < m; i += ROWS)
            strip(least(ROWS, m - i), n, depth, k, a + i * k + from, block, from == 0, out + i * n);
    }
    free(block);
    return 0;
}

static int by_hand1(const int64_t *n, void *const *in, void *out)
{
    return by_hand(1, n, in, out);
}

static int by_hand2(const int64_t *n, void *const *in, void *out)
{
    return by_hand(2, n, in, out);
}

// --- by libraries ------------------------------------------------------------------------------

static inline int by_library(Blas *library, int threads, const int64_t *n, void *const *in,
                             void *out)
{
    BlasGemm *product = (BlasGemm *)blas_with(library, threads);
    product(BLAS_ROW_MAJOR, BLAS_NO_TRANS, BLAS_NO_TRANS, (int)n[0], (int)n[1], (int)n[2], 1, in[0],
            (int)n[2], in[1], (int)n[1], 0, out, (int)n[1]);
    return 0;
}

// name1 or name2: the product by a library on one thread, or on two.
#define BY_LIBRARY(name, threads)                                                                  \
    static int name##threads(const int64_t *n, void *const *in, void *out)                         \
    {                                                                                              \
        return by_library(&name, threads, n, in, out);                                             \
    }

#ifdef BENCH_OPENBLAS
static Blas openblas = BLAS_OPENBLAS(BENCH_OPENBLAS, BLAS_NAME);
BY_LIBRARY(openblas, 1)
BY_LIBRARY(openblas, 2)
#endif
#ifdef BENCH_MKL
static Blas mkl = BLAS_MKL(BENCH_MKL, BLAS_NAME);
BY_LIBRARY(mkl, 1)
BY_LIBRARY(mkl, 2)
#endif
#ifdef BENCH_BLIS
static Blas blis = BLAS_BLIS(BENCH_BLIS, BLAS_NAME);
BY_LIBRARY(blis, 1)
#endif

// --- ours --------------------------------------------------------------------------------------

// alpha a b + beta c, where beta is 0: what is in c is not read.
static int gemm_with(int threads, const int64_t *n, void *const *in, void *out)
{
    omp_set_num_threads(threads);
    return adze_gemm(n[0], n[1], n[2], 1, in[0], in[1], 0, in[2], out);
}

static int gemm1(const int64_t *n, void *const *in, void *out)
{
    return gemm_with(1, n, in, out);
}

static int gemm2(const int64_t *n, void *const *in, void *out)
{
    return gemm_with(2, n, in, out);
}

// The same in blocks by hand.
static int blocks1(const int64_t *n, void *const *in, void *out)
{
    omp_set_num_threads(1);
    return adze_blocks(n[0], n[1], n[2], 1, in[0], in[1], 0, in[2], out);
}

static int product_with(int threads, const int64_t *n, void *const *in, void *out)
{
    omp_set_num_threads(threads);
    return adze_product(n[0], n[1], n[2], in[0], in[1], out);
}

static int product1(const int64_t *n, void *const *in, void *out)
{
    return product_with(1, n, in, out);
}

static int product2(const int64_t *n, void *const *in, void *out)
{
    return product_with(2, n, in, out);
}

// --- what is right -----------------------------------------------------------------------------

static int reference(const int64_t *n, void *const *in, void *to)
{
    const NUMBER *a = in[0], *b = in[1];
    NUMBER *out = to;
    double *sums = malloc((size_t)n[1] * sizeof *sums);
    if (!sums) return 1;
    for (int64_t i = 0; i < n[0]; i++) {
        for (int64_t j = 0; j < n[1]; j++) sums[j] = 0;
        for (int64_t p = 0; p < n[2]; p++)
            for (int64_t j = 0; j < n[1]; j++)
                sums[j] += (double)a[i * n[2] + p] * (double)b[p * n[1] + j];
        for (int64_t j = 0; j < n[1]; j++) out[i * n[1] + j] = (NUMBER)sums[j];
    }
    free(sums);
    return 0;
}

static int64_t first(const int64_t *n)
{
    return n[0] * n[2];
}

static int64_t second(const int64_t *n)
{
    return n[2] * n[1];
}

static int64_t output(const int64_t *n)
{
    return n[0] * n[1];
}

// A library against the schedule and, as the definition is written, without one.
#define PRODUCT_PEER(label, name, threads)                                                         \
    {label, threads, gemm##threads, name##threads, adze_gemm_message},                             \
        {"definition: " label, threads, product##threads, name##threads, adze_product_message},

#ifdef BENCH_OPENBLAS
#define PRODUCT_OPENBLAS(threads) PRODUCT_PEER("OpenBLAS", openblas, threads)
#else
#define PRODUCT_OPENBLAS(threads)
#endif

#ifdef BENCH_MKL
#define PRODUCT_MKL(threads) PRODUCT_PEER("MKL", mkl, threads)
#else
#define PRODUCT_MKL(threads)
#endif

#ifdef BENCH_BLIS
#define PRODUCT_BLIS {"BLIS", 1, gemm1, blis1, adze_gemm_message},
#else
#define PRODUCT_BLIS
#endif

#define PRODUCT_PAIRS                                                                              \
    PRODUCT_OPENBLAS(1)                                                                            \
    PRODUCT_MKL(1)                                                                                 \
    PRODUCT_BLIS{"blocked C", 1, gemm1, by_hand1, adze_gemm_message},                              \
        {"blocks by hand", 1, gemm1, blocks1, adze_gemm_message},                                  \
        PRODUCT_OPENBLAS(2) PRODUCT_MKL(2){"blocked C", 2, gemm2, by_hand2, adze_gemm_message},

#define PRODUCT_SIZES                                                                              \
    {"16", {16, 16, 16}}, {"33", {33, 33, 33}}, {"48", {48, 48, 48}}, {"64", {64, 64, 64}},        \
        {"100", {100, 100, 100}}, {"256", {256, 256, 256}}, {"512", {512, 512, 512}},              \
        {"1024", {1024, 1024, 1024}}, {"2048", {2048, 2048, 2048}}, {"777", {777, 777, 777}},      \
        {"999x1001x1003", {999, 1001, 1003}}, {"1000x17, k 3000", {1000, 17, 3000}},               \
        {"1000x3000, k 17", {1000, 3000, 17}}, {"17x1000, k 3000", {17, 1000, 3000}},

#endif
