#include "bench.h"
#include "meteor.h"

int peer_meteor(int limit, int8_t *least, int8_t *greatest);

enum { CELLS = 50 };

// The pieces in the cells of the least and of the greatest solution, and how many were found.
static int64_t output(const int64_t *n)
{
    (void)n;
    return 2 * CELLS + 1;
}

static void store(int32_t *out, const int8_t *least, const int8_t *greatest, int32_t count)
{
    for (int i = 0; i < CELLS; i++) {
        out[i] = least[i];
        out[CELLS + i] = greatest[i];
    }
    out[2 * CELLS] = count;
}

static int ours(const int64_t *n, void *const *in, void *out)
{
    (void)in;
    int8_t least[CELLS] = {0}, greatest[CELLS] = {0};
    int32_t count = 0;
    int status = adze_meteor((int32_t)n[0], &count, least, greatest);
    store(out, least, greatest, count);
    return status;
}

static int theirs(const int64_t *n, void *const *in, void *out)
{
    (void)in;
    int8_t least[CELLS] = {0}, greatest[CELLS] = {0};
    int count = peer_meteor((int)n[0], least, greatest);
    store(out, least, greatest, count);
    return 0;
}

// Of the Computer Language Benchmarks Game.
static bool known(const int64_t *n, const void *out)
{
    static const char least[] = "00001222012661126155865558633348893448934747977799",
                      greatest[] = "99998966856688568255777257472014220144031400311333";
    const int32_t *r = out;
    if (n[0] < 2098) return r[2 * CELLS] == n[0];
    for (int i = 0; i < CELLS; i++)
        if (r[i] != least[i] - '0' || r[CELLS + i] != greatest[i] - '0') return false;
    return r[2 * CELLS] == 2098;
}

const BenchCase bench_case = {
    .name = "game/meteor",
    .pairs = {{"hand-written C", 1, ours, theirs, adze_meteor_message}},
    .sizes = {{"20", {20}}, {"200", {200}}, {"2098", {2098}}},
    .output = output,
    .output_type = BENCH_I32,
    .known = known,
};
