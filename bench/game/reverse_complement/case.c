#include "bench.h"
#include "game/dna.h"
#include "reverse_complement.h"

void peer_reverse_complement(int64_t n, const uint8_t *restrict in, uint8_t *restrict out);

static int64_t size(const int64_t *n)
{
    return dna_size(n[0]);
}

static void fill(const int64_t *n, int k, int64_t count, void *in)
{
    (void)k, (void)count;
    dna_fill(n[0], "ACGTacgtBDHKMNRy", in);
}

static int ours(const int64_t *n, void *const *in, void *out)
{
    return adze_reverse_complement(size(n), in[0], out);
}

static int theirs(const int64_t *n, void *const *in, void *out)
{
    peer_reverse_complement(size(n), in[0], out);
    return 0;
}

static uint8_t complement(uint8_t letter)
{
    static const char pairs[][2] = {{'A', 'T'}, {'C', 'G'}, {'B', 'V'}, {'D', 'H'}, {'K', 'M'},
                                    {'N', 'N'}, {'R', 'Y'}, {'S', 'S'}, {'U', 'A'}, {'W', 'W'}};
    uint8_t upper = letter & ~32u;
    for (int i = 0; i < 10; i++) {
        if (upper == pairs[i][0]) return (uint8_t)pairs[i][1];
        if (upper == pairs[i][1]) return (uint8_t)pairs[i][0];
    }
    return letter;
}

// The letters of a sequence from both ends.
static int reference(const int64_t *n, void *const *in, void *out)
{
    const uint8_t *from = in[0];
    uint8_t *to = out;
    for (int64_t at = 0, end; at < size(n); at = end) {
        for (; from[at] != '\n'; at++) to[at] = from[at];
        to[at++] = '\n';
        for (end = at; end < size(n) && from[end] != '>';) end++;
        for (int64_t i = at, j = end - 1; i < end; i++) {
            if (from[i] == '\n') {
                to[i] = '\n';
                continue;
            }
            while (from[j] == '\n') j--;
            to[i] = complement(from[j--]);
        }
    }
    return 0;
}

const BenchCase bench_case = {
    .name = "game/reverse_complement",
    .pairs = {{"hand-written C", 1, ours, theirs, adze_reverse_complement_message}},
    .sizes = {{"10 kB", {1000}}, {"250 kB", {25000}}, {"10 MB", {1000000}}},
    .inputs = {size},
    .input_type = BENCH_U8,
    .fill = fill,
    .output = size,
    .output_type = BENCH_U8,
    .reference = reference,
};
