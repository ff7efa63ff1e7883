#include "bench.h"
#include "gemv.h"

#include <stdlib.h>

void peer_gemv(int64_t n, int64_t m, const float *restrict a, const float *restrict x,
               float *restrict out);

static const int64_t sizes[][2] = {{64, 64}, {1000, 1000}, {4000, 4000}};
static const char *const labels[] = {"64x64", "1000x1000", "4000x4000"};

typedef struct {
    const int64_t *n;
    float *a, *x;
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
                .a = bench_floats(n[0] * n[1], 1),
                .x = bench_floats(n[1], 2),
                .ours = bench_zeros(out_count(n)),
                .theirs = bench_zeros(out_count(n))};
    return d;
}

static void ours(void *data)
{
    Data *d = data;
    int status = adze_gemv(d->n[0], d->n[1], d->a, d->x, d->ours);
    bench_must(status, adze_gemv_message(status));
}

static void theirs(void *data)
{
    Data *d = data;
    peer_gemv(d->n[0], d->n[1], d->a, d->x, d->theirs);
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
    bench_free(d->x);
    bench_free(d->ours);
    bench_free(d->theirs);
    free(d);
}

const BenchCase bench_case = {"gemv", "hand-written C", 3,          labels, setup,
                              ours,   theirs,           difference, 1e-4,   release};
