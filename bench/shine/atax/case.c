#include "atax.h"
#include "bench.h"

#include <stdlib.h>

void peer_atax(int64_t n, int64_t m, const float *restrict a, const float *restrict x,
               float *restrict out);

static int64_t matrix(const int64_t *n)
{
    return n[0] * n[1];
}

static int64_t vector(const int64_t *n)
{
    return n[1];
}

static int64_t bytes(const int64_t *n)
{
    return 4 * (n[0] * n[1] + 2 * n[1]);
}

static int ours(const int64_t *n, void *const *in, void *out)
{
    return adze_atax(n[0], n[1], in[0], in[1], out);
}

static int scheduled(const int64_t *n, void *const *in, void *out)
{
    return adze_atax_scheduled(n[0], n[1], in[0], in[1], out);
}

static int theirs(const int64_t *n, void *const *in, void *out)
{
    peer_atax(n[0], n[1], in[0], in[1], out);
    return 0;
}

// In double precision.
static int reference(const int64_t *n, void *const *in, void *out)
{
    const float *a = in[0], *x = in[1];
    double *sums = calloc((size_t)n[1] + 1, sizeof *sums);
    if (!sums) return 1;
    for (int64_t i = 0; i < n[0]; i++) {
        double sum = 0;
        for (int64_t j = 0; j < n[1]; j++) sum += (double)a[i * n[1] + j] * (double)x[j];
        for (int64_t j = 0; j < n[1]; j++) sums[j] += (double)a[i * n[1] + j] * sum;
    }
    for (int64_t j = 0; j < n[1]; j++) ((float *)out)[j] = (float)sums[j];
    free(sums);
    return 0;
}

const BenchCase bench_case = {
    .name = "shine/atax",
    .pairs = {{"hand-written C", 1, ours, theirs, adze_atax_message},
              {"C, ours scheduled", 1, scheduled, theirs, adze_atax_scheduled_message},
              {"C, ours scheduled", 2, scheduled, theirs, adze_atax_scheduled_message}},
    .sizes = {{"101x307", {101, 307}}, {"4096x4096", {4096, 4096}}, {"8192x8192", {8192, 8192}}},
    .inputs = {matrix, vector},
    .output = vector,
    .reference = reference,
    .tolerance = 1e-5,
    .bytes = bytes,
};
