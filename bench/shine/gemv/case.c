#include "bench.h"
#include "gemv.h"

#include <stdlib.h>

void peer_gemv_n(int64_t n, int64_t m, float alpha, float beta, const float *restrict a,
                 const float *restrict x, const float *restrict y, float *restrict out);
void peer_gemv_t(int64_t n, int64_t m, float alpha, float beta, const float *restrict a,
                 const float *restrict x, const float *restrict y, float *restrict out);

static const float alpha = 1.5f, beta = 0.5f;

// n: rows, columns, whether the matrix is transposed.
static int64_t matrix(const int64_t *n)
{
    return n[0] * n[1];
}

static int64_t vector(const int64_t *n)
{
    return n[2] ? n[0] : n[1];
}

static int64_t output(const int64_t *n)
{
    return n[2] ? n[1] : n[0];
}

static int64_t bytes(const int64_t *n)
{
    return 4 * (matrix(n) + vector(n) + 2 * output(n));
}

static int ours(const int64_t *n, void *const *in, void *out)
{
    return (n[2] ? adze_gemv_t : adze_gemv_n)(n[0], n[1], alpha, beta, in[0], in[1], in[2], out);
}

static int scheduled(const int64_t *n, void *const *in, void *out)
{
    return (n[2] ? adze_gemv_t_scheduled : adze_gemv_n_scheduled)(n[0], n[1], alpha, beta, in[0],
                                                                  in[1], in[2], out);
}

static int theirs(const int64_t *n, void *const *in, void *out)
{
    (n[2] ? peer_gemv_t : peer_gemv_n)(n[0], n[1], alpha, beta, in[0], in[1], in[2], out);
    return 0;
}

// In double precision.
static int reference(const int64_t *n, void *const *in, void *out)
{
    const float *a = in[0], *x = in[1], *y = in[2];
    double *sums = calloc((size_t)output(n) + 1, sizeof *sums);
    if (!sums) return 1;
    for (int64_t i = 0; i < n[0]; i++)
        for (int64_t j = 0; j < n[1]; j++)
            sums[n[2] ? j : i] += (double)a[i * n[1] + j] * (double)x[n[2] ? i : j];
    for (int64_t k = 0; k < output(n); k++)
        ((float *)out)[k] = (float)((double)alpha * sums[k] + (double)beta * (double)y[k]);
    free(sums);
    return 0;
}

const BenchCase bench_case = {
    .name = "shine/gemv",
    .pairs = {{"hand-written C", 1, ours, theirs, adze_gemv_n_message},
              {"C, ours scheduled", 1, scheduled, theirs, adze_gemv_n_scheduled_message},
              {"C, ours scheduled", 2, scheduled, theirs, adze_gemv_n_scheduled_message}},
    .sizes = {{"N 101x307", {101, 307}},
              {"T 101x307", {101, 307, 1}},
              {"N 4096x4096", {4096, 4096}},
              {"T 4096x4096", {4096, 4096, 1}},
              {"N 8192x8192", {8192, 8192}},
              {"T 8192x8192", {8192, 8192, 1}}},
    .inputs = {matrix, vector, output},
    .output = output,
    .reference = reference,
    .tolerance = 1e-5,
    .bytes = bytes,
};
