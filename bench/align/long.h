// Two long sequences: the case in the folder KIND, against Parasail's functions of the family
// FAMILY, the ones that keep scores in vectors of AVX2 with 16 bits, and against SeqAn.
#include "seqan.h"
#include "sequences.h"

static int striped(const int64_t *n, void *const *in, void *out)
{
    return aligned(PARASAIL(_striped_avx2_256_16), n, in, out);
}

static int scan(const int64_t *n, void *const *in, void *out)
{
    return aligned(PARASAIL(_scan_avx2_256_16), n, in, out);
}

static int reference(const int64_t *n, void *const *in, void *out)
{
    return aligned(JOINED(parasail_, FAMILY), n, in, out);
}

static int ours(const int64_t *n, void *const *in, void *out)
{
    return JOINED(adze_, KIND)(n[0], n[1], in[0], in[1], out);
}

static int ours_wide(const int64_t *n, void *const *in, void *out)
{
    return ADZE(_wide)(n[0], n[1], in[0], in[1], out);
}

static int ours_threads(const int64_t *n, void *const *in, void *out)
{
    return ADZE(_threads)(n[0], n[1], in[0], in[1], out);
}

#ifdef BENCH_SEQAN
static int seqan(const int64_t *n, void *const *in, void *out)
{
    return JOINED(JOINED(seqan_, KIND), _long)(1, n[0], n[1], in[0], in[1], out);
}

static int seqan_threads(const int64_t *n, void *const *in, void *out)
{
    return JOINED(JOINED(seqan_, KIND), _long)(2, n[0], n[1], in[0], in[1], out);
}
#endif

const BenchCase bench_case = {
    .name = "align/" TEXT(KIND),
    .pairs =
        {
            {"Parasail, striped", 1, ours, striped, ADZE(_message)},
            {"Parasail, scan", 1, ours, scan, ADZE(_message)},
            {"Parasail, striped; 32 lanes", 1, ours_wide, striped, ADZE(_wide_message)},
            {"Parasail, scan; 32 lanes", 1, ours_wide, scan, ADZE(_wide_message)},
            {"Parasail (one thread), scan", 2, ours_threads, scan, ADZE(_threads_message)},
#ifdef BENCH_SEQAN
            {"SeqAn", 1, ours, seqan, ADZE(_message)},
            {"SeqAn", 2, ours_threads, seqan_threads, ADZE(_threads_message)},
#endif
        },
    .sizes = {{"1000 x 1000", {1000, 1000}}, {"10000 x 10000", {10000, 10000}}},
    .inputs = {first, second},
    .input_type = BENCH_U8,
    .fill = fill,
    .output = one,
    .output_type = BENCH_I32,
    .reference = reference,
};
