// In a band: Parasail has a function without vectors, SeqAn a pair in each lane.
#include "band.h"

#include "../seqan.h"
#include "../sequences.h"

enum { HALF = 15 };

static int64_t all_of_first(const int64_t *n)
{
    return n[0] * n[1];
}

static int64_t all_of_second(const int64_t *n)
{
    return n[0] * n[2];
}

static int64_t pairs(const int64_t *n)
{
    return n[0];
}

static int parasail(const int64_t *n, void *const *in, void *out)
{
    parasail_matrix_t *matrix = parasail_matrix_create("ACGT", 2, -1);
    for (int64_t k = 0; k < n[0]; k++) {
        const char *a = (const char *)in[0] + k * n[1], *b = (const char *)in[1] + k * n[2];
        parasail_result_t *r = parasail_nw_banded(a, (int)n[1], b, (int)n[2], 5, 1, HALF, matrix);
        ((int32_t *)out)[k] = r->score;
        parasail_result_free(r);
    }
    parasail_matrix_free(matrix);
    return 0;
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
    .output = pairs,
    .output_type = BENCH_I32,
};
