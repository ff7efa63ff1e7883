#include "bench.h"
#include "dot.h"

#include <stdlib.h>

float peer_dot(int64_t n, const float *restrict a, const float *restrict b);

static const int64_t sizes[] = {1000, 100000, 4000000};
static const char *const labels[] = {"1000", "100000", "4000000"};

typedef struct {
    int64_t n;
    float *a, *b;
    float ours, theirs;
} Data;

static void *setup(int k)
{
    Data *d = malloc(sizeof *d);
    *d = (Data){.n = sizes[k], .a = bench_floats(sizes[k], 1), .b = bench_floats(sizes[k], 2)};
    return d;
}

static void ours(void *data)
{
    Data *d = data;
    int status = adze_dot(d->n, d->a, d->b, &d->ours);
    bench_must(status, adze_dot_message(status));
}

static void theirs(void *data)
{
    Data *d = data;
    d->theirs = peer_dot(d->n, d->a, d->b);
}

static double difference(void *data)
{
    Data *d = data;
    return bench_difference(&d->ours, &d->theirs, 1);
}

static void release(void *data)
{
    Data *d = data;
    bench_free(d->a);
    bench_free(d->b);
    free(d);
}

// Sums of millions of floats in different orders differ by their rounding.
const BenchCase bench_case = {"dot", "hand-written C", 3,          labels, setup,
                              ours,  theirs,           difference, 1e-2,   release};
