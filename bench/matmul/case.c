#include "bench.h"
#include "matmul.h"

#include <stdlib.h>

void peer_matmul(int64_t n, int64_t k, int64_t m, const float *restrict a, const float *restrict b,
                 float *restrict out);

static const int64_t sizes[][3] = {{64, 64, 64}, {200, 300, 250}, {512, 512, 512}};
static const char *const labels[] = {"64x64x64", "200x300x250", "512x512x512"};

typedef struct {
    const int64_t *n;
    float *a, *b;
    float *ours, *theirs;
} Data;

static int64_t out_count(const int64_t *n)
{
    return n[0] * n[2];
}

static void *setup(int k)
{
    Data *d = malloc(sizeof *d);
    const int64_t *n = sizes[k];
    *d = (Data){.n = n,
                .a = bench_floats(n[0] * n[1], 1),
                .b = bench_floats(n[1] * n[2], 2),
                .ours = bench_zeros(out_count(n)),
                .theirs = bench_zeros(out_count(n))};
    return d;
}

static void ours(void *data)
{
    Data *d = data;
    int status = adze_matmul(d->n[0], d->n[1], d->n[2], d->a, d->b, d->ours);
    bench_must(status, adze_matmul_message(status));
}

static void theirs(void *data)
{
    Data *d = data;
    peer_matmul(d->n[0], d->n[1], d->n[2], d->a, d->b, d->theirs);
}

static double difference(void *data)
{
    Data *d = data;
    return bench_difference(d->ours, d->theirs, out_count(d->n));
}

static void release(void *data)
{
    Data *d = data;
    bench_free(d->a);
    bench_free(d->b);
    bench_free(d->ours);
    bench_free(d->theirs);
    free(d);
}

const BenchCase bench_case = {"matmul", "hand-written C", 3,          labels, setup,
                              ours,     theirs,           difference, 1e-4,   release};
