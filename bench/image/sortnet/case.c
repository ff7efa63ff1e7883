#include "bench.h"
#include "sortnet.h"

#include <stdlib.h>
#include <string.h>

void peer_sortnet(int64_t n, const int32_t *restrict in, int32_t *restrict out);

enum { WIDTH = 8 };

static int64_t size(const int64_t *n)
{
    return n[0] * WIDTH;
}

static int ours(const int64_t *n, void *const *in, void *out)
{
    return adze_sortnet(n[0], in[0], out);
}

static int theirs(const int64_t *n, void *const *in, void *out)
{
    peer_sortnet(n[0], in[0], out);
    return 0;
}

static int by_value(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

static int reference(const int64_t *n, void *const *in, void *out)
{
    memcpy(out, in[0], (size_t)size(n) * sizeof(int32_t));
    for (int64_t i = 0; i < n[0]; i++)
        qsort((int32_t *)out + i * WIDTH, WIDTH, sizeof(int32_t), by_value);
    return 0;
}

const BenchCase bench_case = {
    .name = "image/sortnet",
    .pairs = {{"hand-written C", 1, ours, theirs, adze_sortnet_message}},
    .sizes = {{"1000 rows", {1000}}, {"100000 rows", {100000}}, {"1000000 rows", {1000000}}},
    .inputs = {size},
    .input_type = BENCH_I32,
    .output = size,
    .output_type = BENCH_I32,
    .reference = reference,
};
