// Many pairs: the entry KIND of the case's folder, against Parasail's functions of the family
// FAMILY and SeqAn's SEQAN. SeqAn has a pair in each
// lane, as Adze has.
#include "seqan.h"
#include "sequences.h"

static int striped(const int64_t *n, void *const *in, void *out)
{
    return each_pair(PARASAIL(_striped_avx2_256_16), pair, n, in, out);
}

// With 8 bits, and again with 16 where those are too few.
static int striped_bytes(const int64_t *n, void *const *in, void *out)
{
    return each_pair(PARASAIL(_striped_avx2_256_sat), pair, n, in, out);
}

static int scan(const int64_t *n, void *const *in, void *out)
{
    return each_pair(PARASAIL(_scan_avx2_256_16), pair, n, in, out);
}

static int reference(const int64_t *n, void *const *in, void *out)
{
    return each_pair(JOINED(parasail_, FAMILY), pair, n, in, out);
}

static int ours(const int64_t *n, void *const *in, void *out)
{
    return JOINED(adze_, KIND)(n[0], n[1], n[2], in[0], in[1], out);
}

static int ours_wide(const int64_t *n, void *const *in, void *out)
{
    return ADZE(_wide)(n[0], n[1], n[2], in[0], in[1], out);
}

#ifdef BENCH_SEQAN
static int seqan(const int64_t *n, void *const *in, void *out)
{
    return SEQAN(1, n[0], n[1], n[2], in[0], in[1], out);
}

static int seqan_threads(const int64_t *n, void *const *in, void *out)
{
    return SEQAN(2, n[0], n[1], n[2], in[0], in[1], out);
}
#endif

const BenchCase bench_case = {
    .name = "align/" TEXT(KIND),
    .pairs =
        {
            {"Parasail, striped", 1, ours, striped, ADZE(_message)},
            {"Parasail, striped, 8 bits", 1, ours, striped_bytes, ADZE(_message)},
            {"Parasail, scan", 1, ours, scan, ADZE(_message)},
            {"Parasail, striped; 32 lanes", 1, ours_wide, striped, ADZE(_wide_message)},
            {"Parasail, striped, 8 bits", 2, ours, striped_bytes, ADZE(_message)},
#ifdef BENCH_SEQAN
            {"SeqAn", 1, ours, seqan, ADZE(_message)},
            {"SeqAn", 2, ours, seqan_threads, ADZE(_message)},
#endif
        },
    .sizes = {{"10000 pairs, 150 x 150", {10000, 150, 150}}},
    .inputs = {all_of_first, all_of_second},
    .input_type = BENCH_U8,
    .fill = fill,
    .output = first,
    .output_type = BENCH_I32,
    .reference = reference,
};
