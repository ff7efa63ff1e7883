#include "aobench.h"
#include "bench.h"

void peer_aobench(int64_t n, uint8_t *out);

static int64_t output(const int64_t *n)
{
    return n[0] * n[0];
}

static int ours(const int64_t *n, void *const *in, void *out)
{
    (void)in;
    return adze_aobench(n[0], out);
}

static int theirs(const int64_t *n, void *const *in, void *out)
{
    (void)in;
    peer_aobench(n[0], out);
    return 0;
}

// What is seen: the sky is black, the floor below the horizon in the middle is white where it is far from
// the spheres and the eye, and somewhat darker near them.
static bool known(const int64_t *n, const void *out)
{
    const uint8_t *p = out;
    int64_t s = n[0];
    double sum = 0;
    for (int64_t i = 0; i < s * s; i++) sum += p[i];
    double mean = sum / (double)(s * s);
    return p[0] == 0 && p[s - 1] == 0 && p[s * s - 1] > 240 && p[s * (s - 1)] > 240 && mean > 110 &&
           mean < 127;
}

// A ray that grazes a sphere hits it or not with how a sum was contracted: the mean of the differences
// allows for some.
const BenchCase bench_case = {
    .name = "game/aobench",
    .pairs = {{"hand-written C", 1, ours, theirs, adze_aobench_message}},
    .sizes = {{"64x64", {64}}, {"128x128", {128}}, {"256x256", {256}}},
    .output = output,
    .output_type = BENCH_U8,
    .known = known,
    .tolerance = 1e-4,
    .mean = true,
};
