#include "bench.h"
#include "convolution.h"

#include <stdlib.h>

int peer_convolution(int64_t n, int64_t m, const float *restrict w, const float *restrict a,
                     float *restrict out);

static int64_t weights(const int64_t *n)
{
    (void)n;
    return 17;
}

static int64_t pixels(const int64_t *n)
{
    return n[0] * n[1];
}

static int call(__typeof__(adze_convolution) *entry, const int64_t *n, void *const *in, void *out)
{
    return entry(n[0], n[1], in[0], in[1], out);
}

static int ours(const int64_t *n, void *const *in, void *out)
{
    return call(adze_convolution, n, in, out);
}

static int scheduled(const int64_t *n, void *const *in, void *out)
{
    return call(adze_convolution_scheduled, n, in, out);
}

static int theirs(const int64_t *n, void *const *in, void *out)
{
    return peer_convolution(n[0], n[1], in[0], in[1], out);
}

static int64_t clamp(int64_t i, int64_t n)
{
    return i < 0 ? 0 : i < n ? i : n - 1;
}

// In double precision.
static int reference(const int64_t *n, void *const *in, void *out)
{
    const float *w = in[0], *a = in[1];
    double *between = malloc((size_t)pixels(n) * sizeof *between);
    if (!between) return 1;
    for (int64_t i = 0; i < pixels(n); i++) {
        between[i] = 0;
        for (int k = 0; k < 17; k++)
            between[i] += (double)w[k] * (double)a[i / n[1] * n[1] + clamp(i % n[1] + k - 8, n[1])];
    }
    for (int64_t i = 0; i < pixels(n); i++) {
        double sum = 0;
        for (int k = 0; k < 17; k++)
            sum += (double)w[k] * between[clamp(i / n[1] + k - 8, n[0]) * n[1] + i % n[1]];
        ((float *)out)[i] = (float)sum;
    }
    free(between);
    return 0;
}

const BenchCase bench_case = {
    .name = "shine/convolution",
    .pairs = {{"hand-written C", 1, ours, theirs, adze_convolution_message},
              {"C, ours scheduled", 1, scheduled, theirs, adze_convolution_scheduled_message},
              {"C, ours scheduled", 2, scheduled, theirs, adze_convolution_scheduled_message}},
    .sizes = {{"5x11", {5, 11}}, {"517x1001", {517, 1001}}, {"4096x4096", {4096, 4096}}},
    .inputs = {weights, pixels},
    .output = pixels,
    .reference = reference,
    .tolerance = 1e-6,
};
