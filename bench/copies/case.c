#include "bench.h"
#include "copies.h"
#include "peer.h"

enum { STEPS = 21 };

// n[0] rows of n[1] elements; all but fdtd take them as one array.
static int64_t all(const int64_t *n)
{
    return n[0] * n[1];
}

static int updates(const int64_t *n, void *const *in, void *out)
{
    return adze_updates(all(n), in[0], out);
}

static int peer1(const int64_t *n, void *const *in, void *out)
{
    peer_updates(all(n), in[0], out);
    return 0;
}

static int swaps(const int64_t *n, void *const *in, void *out)
{
    return adze_swaps(all(n), in[0], in[1], STEPS, out);
}

static int peer2(const int64_t *n, void *const *in, void *out)
{
    peer_swaps(all(n), in[0], in[1], STEPS, out);
    return 0;
}

static int converges(const int64_t *n, void *const *in, void *out)
{
    return adze_converges(all(n), in[0], 1e-9, STEPS, out);
}

static int peer3(const int64_t *n, void *const *in, void *out)
{
    peer_converges(all(n), in[0], 1e-9, STEPS, out);
    return 0;
}

static int wave(const int64_t *n, void *const *in, void *out)
{
    return adze_wave(all(n), in[0], in[1], 0.25, STEPS, out);
}

static int peer4(const int64_t *n, void *const *in, void *out)
{
    peer_wave(all(n), in[0], in[1], 0.25, STEPS, out);
    return 0;
}

static int fdtd(const int64_t *n, void *const *in, void *out)
{
    return adze_fdtd(n[0], n[1], in[0], in[1], in[2], STEPS, out);
}

static int peer5(const int64_t *n, void *const *in, void *out)
{
    peer_fdtd(n[0], n[1], in[0], in[1], in[2], STEPS, out);
    return 0;
}

const BenchCase bench_case = {
    .name = "copies",
    .pairs = {{"C, functional updates", 1, updates, peer1, adze_updates_message},
              {"C, arrays that change places", 1, swaps, peer2, adze_swaps_message},
              {"C, until it converges", 1, converges, peer3, adze_converges_message},
              {"C, wave equation", 1, wave, peer4, adze_wave_message},
              {"C, fdtd-2d", 1, fdtd, peer5, adze_fdtd_message}},
    .sizes = {{"20x30", {20, 30}}, {"200x250", {200, 250}}, {"1000x1000", {1000, 1000}}},
    .inputs = {all, all, all},
    .input_type = BENCH_F64,
    .output = all,
    .output_type = BENCH_F64,
    .tolerance = 1e-12,
};
