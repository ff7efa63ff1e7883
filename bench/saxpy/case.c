#include "bench.h"
#include "saxpy.h"

#include <stdlib.h>

void peer_saxpy(int64_t n, float alpha, const float *restrict x, const float *restrict y,
                float *restrict out);

static const int64_t sizes[][1] = {{1000}, {100000}, {4000000}};
static const char *const labels[] = {"1000", "100000", "4000000"};

typedef struct {
    const int64_t *n;
    float *x, *y;
    float *ours, *theirs;
} Data;

static int64_t out_count(const int64_t *n)
{
    return n[0];
}

static void *setup(int k)
{
    Data *d = malloc(sizeof *d);
    const int64_t *n = sizes[k];
    *d = (Data){.n = n,
                .x = bench_floats(n[0], 1),
                .y = bench_floats(n[0], 2),
                .ours = bench_zeros(out_count(n)),
                .theirs = bench_zeros(out_count(n))};
    return d;
}

static void ours(void *data)
{
    Data *d = data;
    int status = adze_saxpy(d->n[0], 1.5f, d->x, d->y, d->ours);
    bench_must(status, adze_saxpy_message(status));
}

static void theirs(void *data)
{
    Data *d = data;
    peer_saxpy(d->n[0], 1.5f, d->x, d->y, d->theirs);
}

static double difference(void *data)
{
    Data *d = data;
    return bench_difference(d->ours, d->theirs, out_count(d->n));
}

static void release(void *data)
{
    Data *d = data;
    bench_free(d->x);
    bench_free(d->y);
    bench_free(d->ours);
    bench_free(d->theirs);
    free(d);
}

const BenchCase bench_case = {"saxpy", "hand-written C", 3,          labels, setup,
                              ours,    theirs,           difference, 1e-4,   release};
