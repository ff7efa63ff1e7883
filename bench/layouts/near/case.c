#include "bench.h"
#include "near.h"

int peer_arrays(int64_t n, const float *restrict data, const int32_t *restrict near,
                float *restrict out);
int peer_structs(int64_t n, const float *restrict data, const int32_t *restrict near,
                 float *restrict out);

static int64_t data(const int64_t *n)
{
    return 8 * n[0];
}

static int64_t output(const int64_t *n)
{
    return n[0];
}

static int64_t near(const int64_t *n)
{
    return 16 * n[0];
}

// Neighbours that are anywhere.
static void fill(const int64_t *n, int k, int64_t count, void *in)
{
    uint64_t x = 1;
    for (int64_t i = 0; i < count; i++) {
        x = x * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        if (k == 1)
            ((int32_t *)in)[i] = (int32_t)((x >> 33) % (uint64_t)n[0]);
        else
            ((float *)in)[i] = (float)(x >> 40) / 16777216.0f;
    }
}

static int soa(const int64_t *n, void *const *in, void *out)
{
    return adze_near_soa(n[0], in[0], in[1], out);
}

static int aos(const int64_t *n, void *const *in, void *out)
{
    return adze_near_aos(n[0], in[0], in[1], out);
}

static int aosoa(const int64_t *n, void *const *in, void *out)
{
    return adze_near_aosoa(n[0], in[0], in[1], out);
}

static int arrays(const int64_t *n, void *const *in, void *out)
{
    return peer_arrays(n[0], in[0], in[1], out);
}

static int structs(const int64_t *n, void *const *in, void *out)
{
    return peer_structs(n[0], in[0], in[1], out);
}

static const BenchType types[] = {BENCH_F32, BENCH_I32};

const BenchCase bench_case = {
    .name = "near",
    .pairs = {{"soa: arrays in C", 1, soa, arrays, adze_near_soa_message},
              {"aos: arrays in C", 1, aos, arrays, adze_near_aos_message},
              {"aosoa: arrays in C", 1, aosoa, arrays, adze_near_aosoa_message},
              {"aos: structs in C", 1, aos, structs, adze_near_aos_message}},
    .sizes = {{"4k", {4096}}, {"64k", {65536}}, {"1M", {1 << 20}}},
    .inputs = {data, near},
    .input_types = types,
    .fill = fill,
    .output = output,
    .tolerance = 1e-4,
};
