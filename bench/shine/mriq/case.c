#include "bench.h"
#include "mriq.h"

#include <math.h>

void peer_mriq(int64_t x, int64_t k, const float *restrict voxels,
               const float *restrict frequencies, const float *restrict weights,
               float *restrict out);

// n: voxels, samples.
static int64_t voxels(const int64_t *n)
{
    return 3 * n[0];
}

static int64_t frequencies(const int64_t *n)
{
    return 3 * n[1];
}

static int64_t samples(const int64_t *n)
{
    return n[1];
}

static int64_t output(const int64_t *n)
{
    return 2 * n[0];
}

static int call(__typeof__(adze_mriq) *entry, const int64_t *n, void *const *in, void *out)
{
    int64_t x = n[0], k = n[1];
    const float *v = in[0], *f = in[1];
    float *q = out;
    return entry(x, k, v, v + x, v + 2 * x, f, f + k, f + 2 * k, in[2], q, q + x);
}

static int ours(const int64_t *n, void *const *in, void *out)
{
    return call(adze_mriq, n, in, out);
}

static int scheduled(const int64_t *n, void *const *in, void *out)
{
    return call(adze_mriq_scheduled, n, in, out);
}

static int theirs(const int64_t *n, void *const *in, void *out)
{
    peer_mriq(n[0], n[1], in[0], in[1], in[2], out);
    return 0;
}

// In double precision.
static int reference(const int64_t *n, void *const *in, void *out)
{
    int64_t x = n[0], k = n[1];
    const float *v = in[0], *f = in[1], *weight = in[2];
    for (int64_t i = 0; i < x; i++) {
        double re = 0, im = 0;
        for (int64_t j = 0; j < k; j++) {
            double turns = 0;
            for (int c = 0; c < 3; c++) turns += (double)f[c * k + j] * (double)v[c * x + i];
            re += (double)weight[j] * cos(2 * M_PI * turns);
            im += (double)weight[j] * sin(2 * M_PI * turns);
        }
        ((float *)out)[i] = (float)re;
        ((float *)out)[x + i] = (float)im;
    }
    return 0;
}

const BenchCase bench_case = {
    .name = "shine/mriq",
    .pairs = {{"hand-written C", 1, ours, theirs, adze_mriq_message},
              {"C, ours scheduled", 1, scheduled, theirs, adze_mriq_scheduled_message},
              {"C, ours scheduled", 2, scheduled, theirs, adze_mriq_scheduled_message}},
    .sizes = {{"1001 307", {1001, 307}}, {"32768 3072", {32768, 3072}}},
    .inputs = {voxels, frequencies, samples},
    .output = output,
    .reference = reference,
    .tolerance = 1e-5,
};
