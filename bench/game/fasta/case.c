#include "bench.h"
#include "fasta.h"

#include <string.h>

void peer_fasta(int64_t n, const uint8_t *texts, uint8_t *out);

static const char texts[] =
    ">ONE Homo sapiens alu\n>TWO IUB ambiguity codes\n>THREE Homo sapiens frequency\n"
    "acgtBDHKMNRSVWY"
    "GGCCGGGCGCGGTGGCTCACGCCTGTAATCCCAGCACTTTGGGAGGCCGAGGCGGGCGGATCACCTGAGGTCAGGAGTTCGAGACCAGCCTGG"
    "CCAACATGGTGAAACCCCGTCTCTACTAAAAATACAAAAATTAGCCGGGCGTGGTGGCGCGCGCCTGTAATCCCAGCTACTCGGGAGGCTGAG"
    "GCAGGAGAATCGCTTGAACCCGGGAGGCGGAGGTTGCAGTGAGCCGAGATCGCGCCACTGCACTCCAGCCTGGGCGACAGAGCGAGACTCCGT"
    "CTCAAAAA";

static int64_t input(const int64_t *n)
{
    (void)n;
    return sizeof texts - 1;
}

static void fill(const int64_t *n, int k, int64_t count, void *in)
{
    (void)n, (void)k;
    memcpy(in, texts, (size_t)count);
}

static int64_t lines(int64_t letters)
{
    return letters + (letters + 59) / 60;
}

static int64_t output(const int64_t *n)
{
    return 77 + lines(2 * n[0]) + lines(3 * n[0]) + lines(5 * n[0]);
}

static int ours(const int64_t *n, void *const *in, void *out)
{
    return adze_fasta(n[0], in[0], out);
}

static int theirs(const int64_t *n, void *const *in, void *out)
{
    peer_fasta(n[0], in[0], out);
    return 0;
}

// The first lines of the random parts as the Computer Language Benchmarks Game has them for 1000.
static bool known(const int64_t *n, const void *out)
{
    static const char two[] = "cttBtatcatatgctaKggNcataaaSatgtaaaDcDRtBggDtctttataattcBgtcg\n",
                      three[] = "aacacttcaccaggtatcgtgaaggctcaagattacccagagaacctttgcaatataaga\n";
    const char *text = out;
    if (n[0] != 1000) return true;
    int64_t at = 22 + lines(2000) + 25, next = at + lines(3000) + 30;
    return memcmp(text + at, two, 61) == 0 && memcmp(text + next, three, 61) == 0;
}

const BenchCase bench_case = {
    .name = "game/fasta",
    .pairs = {{"hand-written C", 1, ours, theirs, adze_fasta_message}},
    .sizes = {{"1000", {1000}}, {"25000", {25000}}, {"1000000", {1000000}}},
    .inputs = {input},
    .input_type = BENCH_U8,
    .fill = fill,
    .output = output,
    .output_type = BENCH_U8,
    .known = known,
};
