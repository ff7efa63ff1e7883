#include "bench.h"
#include "stencil5.h"

#include <stdlib.h>

void peer_stencil5(int64_t h, int64_t w, const float *restrict t, float *restrict out);

static const int64_t sizes[][2] = {{62, 62}, {510, 510}, {2046, 2046}};
static const char *const labels[] = {"64x64", "512x512", "2048x2048"};

typedef struct {
    const int64_t *n;
    float *t;
    float *ours, *theirs;
} Data;

static int64_t out_count(const int64_t *n)
{
    return n[0] * n[1];
}

static void *setup(int k)
{
    Data *d = malloc(sizeof *d);
    const int64_t *n = sizes[k];
    *d = (Data){.n = n,
                .t = bench_floats((n[0] + 2) * (n[1] + 2), 1),
                .ours = bench_zeros(out_count(n)),
                .theirs = bench_zeros(out_count(n))};
    return d;
}

static void ours(void *data)
{
    Data *d = data;
    int status = adze_stencil5(d->n[0], d->n[1], d->t, d->ours);
    bench_must(status, adze_stencil5_message(status));
}

static void theirs(void *data)
{
    Data *d = data;
    peer_stencil5(d->n[0], d->n[1], d->t, d->theirs);
}

static double difference(void *data)
{
    Data *d = data;
    return bench_difference(d->ours, d->theirs, out_count(d->n));
}

static void release(void *data)
{
    Data *d = data;
    bench_free(d->t);
    bench_free(d->ours);
    bench_free(d->theirs);
    free(d);
}

const BenchCase bench_case = {"stencil5", "hand-written C", 3,          labels, setup,
                              ours,       theirs,           difference, 1e-4,   release};
