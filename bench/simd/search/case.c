#include "simd.h"

#include <string.h>

// n: letters of the text, of the word.
static int64_t text(const int64_t *n)
{
    return n[0];
}

static int64_t word(const int64_t *n)
{
    return n[1];
}

static int64_t output(const int64_t *n)
{
    return n[0] - n[1] + 1;
}

// Letters as they are in texts: few that are frequent. The word is a part of the text.
static void fill(const int64_t *n, int k, int64_t count, void *in)
{
    static const char letters[] = "eeeeettttaaaooiinnsshhrrddlucmfwygpbv   ";
    uint64_t state = 1;
    char *to = in;
    for (int64_t i = 0; i < n[0]; i++) {
        char letter = letters[(int)simd_random(&state, 0, sizeof letters - 1.01)];
        int64_t place = i - (k == 0 ? 0 : n[0] / 2);
        if (place >= 0 && place < count) to[place] = letter;
    }
}

static int call(Side *side, const int64_t *n, void *const *in, void *out)
{
    return side(n[0], n[1], in[0], in[1], out);
}

static int reference(const int64_t *n, void *const *in, void *out)
{
    for (int64_t i = 0; i < output(n); i++)
        ((uint8_t *)out)[i] = memcmp((const char *)in[0] + i, in[1], (size_t)n[1]) == 0;
    return 0;
}

const BenchCase bench_case = {
    .name = SIMD_NAME,
    .pairs = SIMD_PAIRS,
    .sizes = {{"203 5", {203, 5}}, {"1000000 7", {1000000, 7}}},
    .inputs = {text, word},
    .input_type = BENCH_U8,
    .fill = fill,
    .output = output,
    .output_type = BENCH_U8,
    .reference = reference,
};
