#include "bench.h"
#include "nn.h"

#include <math.h>

void peer_nn(int64_t n, float lat, float lng, const float *restrict lats,
             const float *restrict lngs, float *restrict out);

static const float lat = 0.3f, lng = 0.6f;

static int64_t places(const int64_t *n)
{
    return n[0];
}

static int64_t bytes(const int64_t *n)
{
    return 12 * n[0];
}

static int call(__typeof__(adze_nn) *entry, const int64_t *n, void *const *in, void *out)
{
    return entry(n[0], lat, lng, in[0], in[1], out);
}

static int ours(const int64_t *n, void *const *in, void *out)
{
    return call(adze_nn, n, in, out);
}

static int scheduled(const int64_t *n, void *const *in, void *out)
{
    return call(adze_nn_scheduled, n, in, out);
}

static int theirs(const int64_t *n, void *const *in, void *out)
{
    peer_nn(n[0], lat, lng, in[0], in[1], out);
    return 0;
}

// In double precision.
static int reference(const int64_t *n, void *const *in, void *out)
{
    const float *lats = in[0], *lngs = in[1];
    for (int64_t i = 0; i < n[0]; i++)
        ((float *)out)[i] =
            (float)hypot((double)lat - (double)lats[i], (double)lng - (double)lngs[i]);
    return 0;
}

const BenchCase bench_case = {
    .name = "shine/nn",
    .pairs = {{"hand-written C", 1, ours, theirs, adze_nn_message},
              {"C, ours scheduled", 1, scheduled, theirs, adze_nn_scheduled_message},
              {"C, ours scheduled", 2, scheduled, theirs, adze_nn_scheduled_message}},
    .sizes = {{"10001", {10001}}, {"8388608", {8388608}}, {"33554432", {33554432}}},
    .inputs = {places, places},
    .output = places,
    .reference = reference,
    .tolerance = 1e-6,
    .bytes = bytes,
};
