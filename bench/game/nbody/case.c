#include "bench.h"
#include "nbody.h"

#include <math.h>

void peer_nbody(int64_t steps, double *before, double *after);

static int64_t output(const int64_t *n)
{
    (void)n;
    return 2;
}

static int ours(const int64_t *n, void *const *in, void *out)
{
    (void)in;
    double *e = out;
    return adze_nbody(n[0], &e[0], &e[1]);
}

static int theirs(const int64_t *n, void *const *in, void *out)
{
    (void)in;
    double *e = out;
    peer_nbody(n[0], &e[0], &e[1]);
    return 0;
}

// Of the Computer Language Benchmarks Game, which prints nine digits.
static bool known(const int64_t *n, const void *out)
{
    static const struct {
        int64_t steps;
        double energy;
    } values[] = {{1000, -0.169087605}, {50000, -0.169078071}, {5000000, -0.169083134}};
    const double *e = out;
    if (fabs(e[0] - -0.169075164) > 1e-9) return false;
    for (int i = 0; i < 3; i++)
        if (values[i].steps == n[0]) return fabs(e[1] - values[i].energy) < 1e-9;
    return true;
}

const BenchCase bench_case = {
    .name = "game/nbody",
    .pairs = {{"hand-written C", 1, ours, theirs, adze_nbody_message}},
    .sizes = {{"1000", {1000}}, {"50000", {50000}}, {"5000000", {5000000}}},
    .output = output,
    .output_type = BENCH_F64,
    .known = known,
    .tolerance = 1e-9,
};
