#include "bench.h"
#include "floyd.h"
#include "sac.h"

void peer_floyd(int64_t n, const float *restrict roads, float *restrict d);

static int64_t roads(const int64_t *n)
{
    return n[0] * n[0];
}

// One road in eight is there, none from a point to itself. The lengths are integers: all sums are exact.
static void fill(const int64_t *n, int k, int64_t count, void *in)
{
    for (int64_t at = 0; at < count; at++) {
        double x = sac_noise(k, at);
        ((float *)in)[at] = at % (n[0] + 1) == 0 ? 0 : x < 1.0 / 8 ? (float)(int)(x * 8000) : 1e6f;
    }
}

static int ours(const int64_t *n, void *const *in, void *out)
{
    return adze_floyd(n[0], in[0], out);
}

static int theirs(const int64_t *n, void *const *in, void *out)
{
    peer_floyd(n[0], in[0], out);
    return 0;
}

// From each point on by Bellman and Ford: until no road makes a path shorter.
static int reference(const int64_t *n, void *const *in, void *out)
{
    const float *road = in[0];
    int64_t m = n[0];
    for (int64_t from = 0; from < m; from++) {
        float *d = (float *)out + from * m;
        for (int64_t j = 0; j < m; j++) d[j] = j == from ? 0 : 1e6f;
        for (bool better = true; better;) {
            better = false;
            for (int64_t i = 0; i < m; i++)
                for (int64_t j = 0; j < m; j++) {
                    if (d[i] + road[i * m + j] >= d[j]) continue;
                    d[j] = d[i] + road[i * m + j];
                    better = true;
                }
        }
    }
    return 0;
}

const BenchCase bench_case = {
    .name = "floyd",
    .pairs = {{"hand-written C", 1, ours, theirs, adze_floyd_message}},
    .sizes = {{"100 points", {100}}, {"512 points", {512}}},
    .inputs = {roads},
    .fill = fill,
    .output = roads,
    .reference = reference,
};
