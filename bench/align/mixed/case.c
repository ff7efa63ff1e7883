// Pairs of 50 to a greatest number of letters, in any order.
#include "mixed.h"

#include "../seqan.h"
#include "../sequences.h"

enum { SHORTEST = 50 };

// The length of sequence k of the first or the second ones.
static int64_t length(const int64_t *n, int64_t k, int which)
{
    uint64_t x = (uint64_t)(2 * k + which + 1) * 0x9e3779b97f4a7c15u;
    return SHORTEST + (int64_t)((x >> 40) % (uint64_t)(n[1] - SHORTEST + 1));
}

static int64_t letters(const int64_t *n, int which)
{
    int64_t sum = 0;
    for (int64_t k = 0; k < n[0]; k++) sum += length(n, k, which);
    return sum;
}

static int64_t letters_of_first(const int64_t *n)
{
    return letters(n, 0);
}

static int64_t letters_of_second(const int64_t *n)
{
    return letters(n, 1);
}

static int64_t starts(const int64_t *n)
{
    return n[0] + 1;
}

static void fill_input(const int64_t *n, int k, int64_t count, void *in)
{
    if (k < 2) {
        fill(n, k, count, in);
        return;
    }
    int64_t *to = in, at = 0;
    for (int64_t i = 0; i < count; i++) {
        to[i] = at;
        at += i + 1 < count ? length(n, i, k - 2) : 0;
    }
}

static Pair part(const int64_t *n, void *const *in, int64_t k)
{
    (void)n;
    const int64_t *a = (const int64_t *)in[2] + k, *b = (const int64_t *)in[3] + k;
    return (Pair){(const char *)in[0] + a[0], (const char *)in[1] + b[0], a[1] - a[0], b[1] - b[0]};
}

static int striped(const int64_t *n, void *const *in, void *out)
{
    return each_pair(parasail_sw_striped_avx2_256_sat, part, n, in, out);
}

static int reference(const int64_t *n, void *const *in, void *out)
{
    return each_pair(parasail_sw, part, n, in, out);
}

static int ours(const int64_t *n, void *const *in, void *out)
{
    return adze_mixed(n[0], letters_of_first(n), letters_of_second(n), in[0], in[1], in[2], in[3],
                      out);
}

#ifdef BENCH_SEQAN
static int seqan(const int64_t *n, void *const *in, void *out)
{
    return seqan_local_mixed(1, n[0], in[2], in[3], in[0], in[1], out);
}

static int seqan_threads(const int64_t *n, void *const *in, void *out)
{
    return seqan_local_mixed(2, n[0], in[2], in[3], in[0], in[1], out);
}
#endif

const BenchCase bench_case = {
    .name = "align/mixed",
    .pairs =
        {
            {"Parasail, striped, 8 bits", 1, ours, striped, adze_mixed_message},
            {"Parasail, striped, 8 bits", 2, ours, striped, adze_mixed_message},
#ifdef BENCH_SEQAN
            {"SeqAn", 1, ours, seqan, adze_mixed_message},
            {"SeqAn", 2, ours, seqan_threads, adze_mixed_message},
#endif
        },
    .sizes = {{"10000 pairs, 50 to 250", {10000, 250}}},
    .inputs = {letters_of_first, letters_of_second, starts, starts},
    .input_types = (const BenchType[]){BENCH_U8, BENCH_U8, BENCH_I64, BENCH_I64},
    .fill = fill_input,
    .output = first,
    .output_type = BENCH_I32,
    .reference = reference,
};
