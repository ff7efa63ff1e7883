#include "bench.h"
#include "lanes.h"

int peer_arrays(int64_t n, const float *restrict data, float *restrict out);
int peer_structs(int64_t n, const float *restrict data, float *restrict out);

static int64_t data(const int64_t *n)
{
    return 8 * n[0] * 16;
}

static int64_t output(const int64_t *n)
{
    return 64 * n[0];
}

static int soa(const int64_t *n, void *const *in, void *out)
{
    return adze_lanes_soa(n[0], in[0], out);
}

static int aos(const int64_t *n, void *const *in, void *out)
{
    return adze_lanes_aos(n[0], in[0], out);
}

static int aosoa(const int64_t *n, void *const *in, void *out)
{
    return adze_lanes_aosoa(n[0], in[0], out);
}

static int arrays(const int64_t *n, void *const *in, void *out)
{
    return peer_arrays(n[0] * 16, in[0], out);
}

static int structs(const int64_t *n, void *const *in, void *out)
{
    return peer_structs(n[0] * 16, in[0], out);
}

const BenchCase bench_case = {
    .name = "lanes",
    .pairs = {{"soa: arrays in C", 1, soa, arrays, adze_lanes_soa_message},
              {"aos: arrays in C", 1, aos, arrays, adze_lanes_aos_message},
              {"aosoa: arrays in C", 1, aosoa, arrays, adze_lanes_aosoa_message},
              {"aos: structs in C", 1, aos, structs, adze_lanes_aos_message}},
    .sizes = {{"4k", {256}}, {"64k", {4096}}, {"1M", {1 << 16}}},
    .inputs = {data},
    .output = output,
    .tolerance = 1e-4,
};
