// In a band: Parasail has a function without vectors, SeqAn a pair in each lane.
#include "band.h"

#include "../seqan.h"
#include "../sequences.h"

enum { HALF = 15 };

static parasail_result_t *banded(const char *a, int n, const char *b, int m, int open, int extend,
                                 const parasail_matrix_t *matrix)
{
    return parasail_nw_banded(a, n, b, m, open, extend, HALF, matrix);
}

static int parasail(const int64_t *n, void *const *in, void *out)
{
    return each_pair(banded, pair, n, in, out);
}

#ifdef BENCH_SEQAN
static int seqan(const int64_t *n, void *const *in, void *out)
{
    return seqan_band_pairs(1, HALF, n[0], n[1], n[2], in[0], in[1], out);
}

static int seqan_threads(const int64_t *n, void *const *in, void *out)
{
    return seqan_band_pairs(2, HALF, n[0], n[1], n[2], in[0], in[1], out);
}
#endif

static int ours(const int64_t *n, void *const *in, void *out)
{
    return adze_band(n[0], n[1], n[2], in[0], in[1], out);
}

const BenchCase bench_case = {
    .name = "align/band",
    .pairs =
        {
            {"Parasail", 1, ours, parasail, adze_band_message},
#ifdef BENCH_SEQAN
            {"SeqAn", 1, ours, seqan, adze_band_message},
            {"SeqAn", 2, ours, seqan_threads, adze_band_message},
#endif
        },
    .sizes = {{"10000 pairs, 150 x 150", {10000, 150, 150}}},
    .inputs = {all_of_first, all_of_second},
    .input_type = BENCH_U8,
    .fill = fill,
    .output = first,
    .output_type = BENCH_I32,
};
