#include "bench.h"
#include "fannkuch.h"

void peer_fannkuch(int n, int32_t *checksum, int32_t *most);

static int64_t output(const int64_t *n)
{
    (void)n;
    return 2;
}

static int ours(const int64_t *n, void *const *in, void *out)
{
    (void)in;
    int32_t *r = out;
    return adze_fannkuch(n[0], &r[0], &r[1]);
}

static int theirs(const int64_t *n, void *const *in, void *out)
{
    (void)in;
    int32_t *r = out;
    peer_fannkuch((int)n[0], &r[0], &r[1]);
    return 0;
}

// Of the Computer Language Benchmarks Game.
static bool known(const int64_t *n, const void *out)
{
    static const int32_t values[][3] = {{7, 228, 16}, {9, 8629, 30}, {10, 73196, 38}};
    const int32_t *r = out;
    for (int i = 0; i < 3; i++)
        if (values[i][0] == n[0]) return r[0] == values[i][1] && r[1] == values[i][2];
    return true;
}

const BenchCase bench_case = {
    .name = "game/fannkuch",
    .pairs = {{"hand-written C", 1, ours, theirs, adze_fannkuch_message}},
    .sizes = {{"7", {7}}, {"9", {9}}, {"10", {10}}},
    .output = output,
    .output_type = BENCH_I32,
    .known = known,
};
