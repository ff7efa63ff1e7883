#include "bench.h"
#include "life3d.h"
#include "sac.h"

#include <stdlib.h>
#include <string.h>

int peer_life3d(int64_t n, int64_t steps, const int32_t *restrict alive, int32_t *restrict out);

static int64_t cells(const int64_t *n)
{
    return n[0] * n[0] * n[0];
}

// One cell in twelve is alive.
static void fill(const int64_t *n, int k, int64_t count, void *in)
{
    (void)n;
    for (int64_t i = 0; i < count; i++) ((int32_t *)in)[i] = sac_noise(k, i) < 1.0 / 12;
}

static int ours(const int64_t *n, void *const *in, void *out)
{
    return adze_life3d(n[0], n[0], n[0], n[1], in[0], out);
}

static int theirs(const int64_t *n, void *const *in, void *out)
{
    return peer_life3d(n[0], n[1], in[0], out);
}

// A cell at a time, by the rules.
static int32_t next(const int32_t *at, int64_t n)
{
    int neighbours = 0;
    for (int64_t z = -1; z <= 1; z++)
        for (int64_t y = -1; y <= 1; y++)
            for (int64_t x = -1; x <= 1; x++)
                neighbours += (x || y || z) && at[(z * n + y) * n + x];
    return neighbours == 3 || (neighbours == 2 && *at);
}

static int reference(const int64_t *n, void *const *in, void *out)
{
    size_t bytes = (size_t)cells(n) * sizeof(int32_t);
    int32_t *now = malloc(bytes), *to = out;
    int64_t side = n[0];
    if (!now) return 1;
    memcpy(to, in[0], bytes);
    for (int64_t t = 0; t < n[1]; t++) {
        memcpy(now, to, bytes);
        for (int64_t h = 1; h < side - 1; h++)
            for (int64_t i = 1; i < side - 1; i++)
                for (int64_t j = 1; j < side - 1; j++) {
                    int64_t at = (h * side + i) * side + j;
                    to[at] = next(now + at, side);
                }
    }
    free(now);
    return 0;
}

const BenchCase bench_case = {
    .name = "life3d",
    .pairs = {{"hand-written C", 1, ours, theirs, adze_life3d_message}},
    .sizes = {{"10^3 1000x", {10, 1000}}, {"64^3 10x", {64, 10}}},
    .inputs = {cells},
    .input_type = BENCH_I32,
    .fill = fill,
    .output = cells,
    .output_type = BENCH_I32,
    .reference = reference,
};
