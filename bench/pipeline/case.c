#include "bench.h"
#include "pipeline.h"

int peer_pipeline(int64_t h, int64_t w, const float *restrict img, float *restrict out);

static int64_t first(const int64_t *n)
{
    return (n[0] + 4) * (n[1] + 4) * 3;
}

static int64_t output(const int64_t *n)
{
    return n[0] * n[1];
}

static int ours(const int64_t *n, void *const *in, void *out)
{
    return adze_pipeline(n[0], n[1], in[0], out);
}

static int theirs(const int64_t *n, void *const *in, void *out)
{
    return peer_pipeline(n[0], n[1], in[0], out);
}

const BenchCase bench_case = {
    .name = "pipeline",
    .pairs = {{"hand-written C", 1, ours, theirs, adze_pipeline_message}},
    .sizes = {{"64x64", {60, 60}}, {"512x512", {508, 508}}, {"1536x2560", {1532, 2556}}},
    .inputs = {first},
    .output = output,
    .tolerance = 1e-4,
};
