#include "bench.h"
#include "records.h"

int peer_in_order(int64_t n, const void *restrict rs, float *restrict out);
int peer_at(int64_t n, const void *restrict rs, const int32_t *restrict at, float *restrict out);
int peer_roots(int64_t n, const void *restrict rs, const int32_t *restrict at, float *restrict out);

// n: vectors of eight records, and which of the programs.
static int64_t data(const int64_t *n)
{
    return 32 * n[0];
}

static int64_t indices(const int64_t *n)
{
    return 8 * n[0];
}

// Records that are anywhere.
static void fill(const int64_t *n, int k, int64_t count, void *in)
{
    uint64_t x = 1;
    for (int64_t i = 0; i < count; i++) {
        x = x * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        if (k == 1)
            ((int32_t *)in)[i] = (int32_t)((x >> 33) % (uint64_t)(8 * n[0]));
        else
            ((float *)in)[i] = (float)(x >> 40) / 16777216.0f;
    }
}

static int ours(const int64_t *n, void *const *in, void *out)
{
    return n[1] == 0   ? adze_records_in_order(n[0], in[0], out)
           : n[1] == 1 ? adze_records_at(n[0], in[0], in[1], out)
                       : adze_records_by_map(n[0], in[0], in[1], out);
}

static int theirs(const int64_t *n, void *const *in, void *out)
{
    return n[1] == 0   ? peer_in_order(8 * n[0], in[0], out)
           : n[1] == 1 ? peer_at(8 * n[0], in[0], in[1], out)
                       : peer_roots(8 * n[0], in[0], in[1], out);
}

static const BenchType types[] = {BENCH_F32, BENCH_I32};

const BenchCase bench_case = {
    .name = "records",
    .pairs = {{"structs in C", 1, ours, theirs, adze_records_at_message}},
    .sizes = {{"in order, 8k", {1000, 0}},
              {"at, 8k", {1000, 1}},
              {"map.vec, 8k", {1000, 2}},
              {"in order, 1M", {1 << 17, 0}},
              {"at, 1M", {1 << 17, 1}},
              {"map.vec, 1M", {1 << 17, 2}}},
    .inputs = {data, indices},
    .input_types = types,
    .fill = fill,
    .output = indices,
    .tolerance = 1e-5,
};
