#include "bench.h"
#include "spectral_norm.h"

#include <math.h>

int peer_spectral_norm(int64_t n, double *norm);

static int64_t output(const int64_t *n)
{
    (void)n;
    return 1;
}

static int ours(const int64_t *n, void *const *in, void *out)
{
    (void)in;
    return adze_spectral_norm(n[0], out);
}

static int theirs(const int64_t *n, void *const *in, void *out)
{
    (void)in;
    return peer_spectral_norm(n[0], out);
}

// Of the Computer Language Benchmarks Game, which prints nine digits.
static bool known(const int64_t *n, const void *out)
{
    const double *norm = out;
    if (n[0] == 100) return fabs(*norm - 1.274219991) < 1e-9;
    if (n[0] == 1800) return fabs(*norm - 1.274224152) < 1e-9;
    return true;
}

const BenchCase bench_case = {
    .name = "game/spectral_norm",
    .pairs = {{"hand-written C", 1, ours, theirs, adze_spectral_norm_message}},
    .sizes = {{"100", {100}}, {"555", {555}}, {"1800", {1800}}},
    .output = output,
    .output_type = BENCH_F64,
    .known = known,
    .tolerance = 1e-9,
};
