#include "bench.h"
#include "life.h"
#include "peers.h"
#include "sac.h"

#include <stdlib.h>
#include <string.h>

static int64_t cells(const int64_t *n)
{
    return n[0] * n[1];
}

// A third of the cells are alive.
static void fill(const int64_t *n, int k, int64_t count, void *in)
{
    (void)n;
    for (int64_t i = 0; i < count; i++) ((int32_t *)in)[i] = sac_noise(k, i) < 1.0 / 3;
}

static int ours(const int64_t *n, void *const *in, void *out)
{
    return adze_life(n[0], n[1], n[2], in[0], out);
}

static int theirs(const int64_t *n, void *const *in, void *out)
{
    return peer_life(n[0], n[1], n[2], in[0], out);
}

static int library(const int64_t *n, void *const *in, void *out)
{
    return library_life(2, n, n[2], in[0], out);
}

// A cell at a time, by the rules.
static int32_t next(const int32_t *at, int64_t m)
{
    int neighbours = 0;
    for (int64_t y = -1; y <= 1; y++)
        for (int64_t x = -1; x <= 1; x++) neighbours += (x || y) && at[y * m + x];
    return neighbours == 3 || (neighbours == 2 && *at);
}

static int reference(const int64_t *n, void *const *in, void *out)
{
    size_t bytes = (size_t)cells(n) * sizeof(int32_t);
    int32_t *now = malloc(bytes), *to = out;
    if (!now) return 1;
    memcpy(to, in[0], bytes);
    for (int64_t t = 0; t < n[2]; t++) {
        memcpy(now, to, bytes);
        for (int64_t i = 1; i < n[0] - 1; i++)
            for (int64_t j = 1; j < n[1] - 1; j++)
                to[i * n[1] + j] = next(now + i * n[1] + j, n[1]);
    }
    free(now);
    return 0;
}

const BenchCase bench_case = {
    .name = "life",
    .pairs = {{"hand-written C", 1, ours, theirs, adze_life_message},
              {"library", 1, ours, library, adze_life_message}},
    .sizes = {{"10x10 1000x", {10, 10, 1000}}, {"300x300 10x", {300, 300, 10}}},
    .inputs = {cells},
    .input_type = BENCH_I32,
    .fill = fill,
    .output = cells,
    .output_type = BENCH_I32,
    .reference = reference,
};
