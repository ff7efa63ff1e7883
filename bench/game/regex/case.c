#include "bench.h"
#include "game/dna.h"
#include "regex.h"

int peer_regex(int64_t n, const uint8_t *text, int64_t *results);

enum { VARIANTS = 9 };

static int64_t input(const int64_t *n)
{
    return dna_size(n[0]);
}

static void fill(const int64_t *n, int k, int64_t count, void *in)
{
    (void)k, (void)count;
    dna_fill(n[0], "acgtacgtacgtaNHD", in);
}

static int64_t output(const int64_t *n)
{
    (void)n;
    return VARIANTS + 3;
}

static int ours(const int64_t *n, void *const *in, void *out)
{
    return adze_regex(input(n), in[0], out);
}

static int theirs(const int64_t *n, void *const *in, void *out)
{
    return peer_regex(input(n), in[0], out);
}

// The first pattern, looked for by hand.
static int64_t count_first(const uint8_t *text, int64_t size)
{
    int64_t count = 0;
    for (int64_t i = 0; i + 8 <= size; i++) {
        if (memcmp(text + i, "agggtaaa", 8) && memcmp(text + i, "tttaccct", 8)) continue;
        count++;
        i += 7;
    }
    return count;
}

static bool known(const int64_t *n, const void *out)
{
    static uint8_t text[16 << 20], letters[16 << 20];
    const int64_t *r = out;
    int64_t size = input(n), count = 0;
    dna_fill(n[0], "acgtacgtacgtaNHD", text);
    for (int64_t i = 0; i < size; i++) {
        if (text[i] == '>')
            while (text[i] != '\n') i++;
        if (text[i] != '\n') letters[count++] = text[i];
    }
    return r[0] == count_first(letters, count) && r[VARIANTS] == size && r[VARIANTS + 1] == count;
}

const BenchCase bench_case = {
    .name = "game/regex",
    .pairs = {{"C with PCRE2", 1, ours, theirs, adze_regex_message}},
    .sizes = {{"10 kB", {1000}}, {"100 kB", {10000}}, {"5 MB", {500000}}},
    .inputs = {input},
    .input_type = BENCH_U8,
    .fill = fill,
    .output = output,
    .output_type = BENCH_I64,
    .known = known,
};
