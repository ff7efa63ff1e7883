#include "bench.h"
#include "kmeans.h"

void peer_kmeans(int64_t p, int64_t c, int64_t f, const float *restrict features,
                 const float *restrict centres, int32_t *restrict out);

// n: points, centres, features.
static int64_t features(const int64_t *n)
{
    return n[2] * n[0];
}

static int64_t centres(const int64_t *n)
{
    return n[1] * n[2];
}

static int64_t points(const int64_t *n)
{
    return n[0];
}

static int call(__typeof__(adze_kmeans) *entry, const int64_t *n, void *const *in, void *out)
{
    return entry(n[0], n[1], n[2], in[0], in[1], out);
}

static int ours(const int64_t *n, void *const *in, void *out)
{
    return call(adze_kmeans, n, in, out);
}

static int scheduled(const int64_t *n, void *const *in, void *out)
{
    return call(adze_kmeans_scheduled, n, in, out);
}

static int theirs(const int64_t *n, void *const *in, void *out)
{
    peer_kmeans(n[0], n[1], n[2], in[0], in[1], out);
    return 0;
}

// In double precision.
static int reference(const int64_t *n, void *const *in, void *out)
{
    const float *features = in[0], *centres = in[1];
    for (int64_t i = 0; i < n[0]; i++) {
        double least = 0;
        for (int64_t j = 0; j < n[1]; j++) {
            double sum = 0;
            for (int64_t k = 0; k < n[2]; k++) {
                double d = (double)features[k * n[0] + i] - (double)centres[j * n[2] + k];
                sum += d * d;
            }
            if (j == 0 || sum < least) {
                least = sum;
                ((int32_t *)out)[i] = (int32_t)j;
            }
        }
    }
    return 0;
}

const BenchCase bench_case = {
    .name = "shine/kmeans",
    .pairs = {{"hand-written C", 1, ours, theirs, adze_kmeans_message},
              {"C, ours scheduled", 1, scheduled, theirs, adze_kmeans_scheduled_message},
              {"C, ours scheduled", 2, scheduled, theirs, adze_kmeans_scheduled_message}},
    .sizes = {{"1001 7 3", {1001, 7, 3}},
              {"204800 5 34", {204800, 5, 34}},
              {"819200 5 34", {819200, 5, 34}}},
    .inputs = {features, centres},
    .output = points,
    .output_type = BENCH_I32,
    .reference = reference,
    .tolerance = 1e-4, // where two centres are as near but for the rounding
    .mean = true,
};
