#include "bench.h"
#include "pipeline.h"

#include <stdlib.h>

int peer_pipeline(int64_t h, int64_t w, const float *restrict img, float *restrict out);

static const int64_t sizes[][2] = {{60, 60}, {508, 508}, {1532, 2556}};
static const char *const labels[] = {"64x64", "512x512", "1536x2560"};

typedef struct {
    const int64_t *n;
    float *img;
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
                .img = bench_floats((n[0] + 4) * (n[1] + 4) * 3, 1),
                .ours = bench_zeros(out_count(n)),
                .theirs = bench_zeros(out_count(n))};
    return d;
}

static void ours(void *data)
{
    Data *d = data;
    int status = adze_pipeline(d->n[0], d->n[1], d->img, d->ours);
    bench_must(status, adze_pipeline_message(status));
}

static void theirs(void *data)
{
    Data *d = data;
    bench_must(peer_pipeline(d->n[0], d->n[1], d->img, d->theirs), "not enough memory");
}

static double difference(void *data)
{
    Data *d = data;
    return bench_difference(d->ours, d->theirs, out_count(d->n));
}

static void release(void *data)
{
    Data *d = data;
    bench_free(d->img);
    bench_free(d->ours);
    bench_free(d->theirs);
    free(d);
}

const BenchCase bench_case = {"pipeline", "hand-written C", 3,          labels, setup,
                              ours,       theirs,           difference, 1e-4,   release};
