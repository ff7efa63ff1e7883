#include "bench.h"
#include "pidigits.h"

void peer_pidigits(int64_t n, uint8_t *digits);

static int64_t output(const int64_t *n)
{
    return n[0];
}

static int ours(const int64_t *n, void *const *in, void *out)
{
    (void)in;
    return adze_pidigits(n[0], out);
}

static int theirs(const int64_t *n, void *const *in, void *out)
{
    (void)in;
    peer_pidigits(n[0], out);
    return 0;
}

static bool same(const uint8_t *digits, const char *text)
{
    for (int i = 0; text[i]; i++)
        if (digits[i] != text[i] - '0') return false;
    return true;
}

static bool known(const int64_t *n, const void *out)
{
    const uint8_t *digits = out;
    return same(digits, "31415926535897932384626433832795028841971693993751") &&
           (n[0] < 1000 || same(digits + 991, "216420198"));
}

const BenchCase bench_case = {
    .name = "game/pidigits",
    .pairs = {{"C with GMP", 1, ours, theirs, adze_pidigits_message}},
    .sizes = {{"100", {100}}, {"1000", {1000}}, {"4000", {4000}}},
    .output = output,
    .output_type = BENCH_U8,
    .known = known,
};
