#include "bench.h"
#include "stream.h"

int peer_arrays(int64_t n, const float *restrict data, float *restrict out);
int peer_structs(int64_t n, const float *restrict data, float *restrict out);

static int64_t data(const int64_t *n)
{
    return 8 * n[0];
}

static int64_t output(const int64_t *n)
{
    (void)n;
    return 16;
}

static int soa(const int64_t *n, void *const *in, void *out)
{
    return adze_stream_soa(n[0], in[0], out);
}

static int aos(const int64_t *n, void *const *in, void *out)
{
    return adze_stream_aos(n[0], in[0], out);
}

static int aosoa(const int64_t *n, void *const *in, void *out)
{
    return adze_stream_aosoa(n[0], in[0], out);
}

static int arrays(const int64_t *n, void *const *in, void *out)
{
    return peer_arrays(n[0], in[0], out);
}

static int structs(const int64_t *n, void *const *in, void *out)
{
    return peer_structs(n[0], in[0], out);
}

const BenchCase bench_case = {
    .name = "stream",
    .pairs = {{"soa: arrays in C", 1, soa, arrays, adze_stream_soa_message},
              {"aos: arrays in C", 1, aos, arrays, adze_stream_aos_message},
              {"aosoa: arrays in C", 1, aosoa, arrays, adze_stream_aosoa_message},
              {"aos: structs in C", 1, aos, structs, adze_stream_aos_message}},
    .sizes = {{"4k", {4096}}, {"64k", {65536}}, {"1M", {1 << 20}}},
    .inputs = {data},
    .output = output,
    .tolerance = 1e-4,
};
