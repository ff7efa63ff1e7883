#include "bench.h"
#include "mm.h"

#include <stdlib.h>

void peer_mm(int64_t n, int64_t k, int64_t m, const float *restrict at, const float *restrict b,
             float *restrict out);

// n: A is n[0] by n[1], B is n[1] by n[2].
static int64_t first(const int64_t *n)
{
    return n[0] * n[1];
}

static int64_t second(const int64_t *n)
{
    return n[1] * n[2];
}

static int64_t output(const int64_t *n)
{
    return n[0] * n[2];
}

static int ours(const int64_t *n, void *const *in, void *out)
{
    return adze_mm(n[0], n[1], n[2], in[0], in[1], out);
}

static int scheduled(const int64_t *n, void *const *in, void *out)
{
    return adze_mm_scheduled(n[0], n[1], n[2], in[0], in[1], out);
}

static int theirs(const int64_t *n, void *const *in, void *out)
{
    peer_mm(n[0], n[1], n[2], in[0], in[1], out);
    return 0;
}

// In double precision.
static int reference(const int64_t *n, void *const *in, void *out)
{
    const float *at = in[0], *b = in[1];
    double *row = malloc((size_t)(n[2] + 1) * sizeof *row);
    if (!row) return 1;
    for (int64_t i = 0; i < n[0]; i++) {
        for (int64_t j = 0; j < n[2]; j++) row[j] = 0;
        for (int64_t l = 0; l < n[1]; l++)
            for (int64_t j = 0; j < n[2]; j++)
                row[j] += (double)at[l * n[0] + i] * (double)b[l * n[2] + j];
        for (int64_t j = 0; j < n[2]; j++) ((float *)out)[i * n[2] + j] = (float)row[j];
    }
    free(row);
    return 0;
}

const BenchCase bench_case = {
    .name = "shine/mm",
    .pairs = {{"hand-written C", 1, ours, theirs, adze_mm_message},
              {"C, ours scheduled", 1, scheduled, theirs, adze_mm_scheduled_message},
              {"C, ours scheduled", 2, scheduled, theirs, adze_mm_scheduled_message}},
    .sizes = {{"101x307x53", {101, 307, 53}}, {"1024^3", {1024, 1024, 1024}}},
    .inputs = {first, second},
    .output = output,
    .reference = reference,
    .tolerance = 1e-5,
};
