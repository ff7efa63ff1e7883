// Parasail aligns pair after pair, on each thread some of them.
#include "short.h"

#include "../sequences.h"

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

static int each_pair(Align *align, const int64_t *n, void *const *in, void *out)
{
    parasail_matrix_t *matrix = parasail_matrix_create("ACGT", 2, -1);
    int status = 0;
#pragma omp parallel for reduction(| : status)
    for (int64_t k = 0; k < n[0]; k++) {
        const char *a = (const char *)in[0] + k * n[1], *b = (const char *)in[1] + k * n[2];
        parasail_result_t *r = align(a, (int)n[1], b, (int)n[2], 5, 1, matrix);
        status |= parasail_result_is_saturated(r) != 0;
        ((int32_t *)out)[k] = r->score;
        parasail_result_free(r);
    }
    parasail_matrix_free(matrix);
    return status;
}

static int striped(const int64_t *n, void *const *in, void *out)
{
    return each_pair(parasail_sw_striped_avx2_256_16, n, in, out);
}

// With 8 bits, and again with 16 where those are too few.
static int striped_bytes(const int64_t *n, void *const *in, void *out)
{
    return each_pair(parasail_sw_striped_avx2_256_sat, n, in, out);
}

static int scan(const int64_t *n, void *const *in, void *out)
{
    return each_pair(parasail_sw_scan_avx2_256_16, n, in, out);
}

static int reference(const int64_t *n, void *const *in, void *out)
{
    return each_pair(parasail_sw, n, in, out);
}

static int ours(const int64_t *n, void *const *in, void *out)
{
    return adze_short(n[0], n[1], n[2], in[0], in[1], out);
}

static int ours_wide(const int64_t *n, void *const *in, void *out)
{
    return adze_short_wide(n[0], n[1], n[2], in[0], in[1], out);
}

const BenchCase bench_case = {
    .name = "align/short",
    .pairs =
        {
            {"Parasail, striped", 1, ours, striped, adze_short_message},
            {"Parasail, striped, 8 bits", 1, ours, striped_bytes, adze_short_message},
            {"Parasail, scan", 1, ours, scan, adze_short_message},
            {"Parasail, striped; 32 lanes", 1, ours_wide, striped, adze_short_wide_message},
            {"Parasail, striped, 8 bits", 2, ours, striped_bytes, adze_short_message},
        },
    .sizes = {{"10000 pairs, 150 x 150", {10000, 150, 150}}},
    .inputs = {all_of_first, all_of_second},
    .input_type = BENCH_U8,
    .fill = fill,
    .output = pairs,
    .output_type = BENCH_I32,
    .reference = reference,
};
