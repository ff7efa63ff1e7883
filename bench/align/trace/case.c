// Against Parasail's functions that keep where each cell comes from, in a byte.
#include "trace.h"

#include "../sequences.h"

// What an alignment scores by its CIGAR.
static int score_of_cigar(const parasail_cigar_t *cigar, const char *a, const char *b)
{
    int i = cigar->beg_query, j = cigar->beg_ref, score = 0;
    for (int k = 0; k < cigar->len; k++) {
        int times = (int)parasail_cigar_decode_len(cigar->seq[k]);
        switch (parasail_cigar_decode_op(cigar->seq[k])) {
        case 'I':
            score -= 5 + times - 1;
            i += times;
            break;
        case 'D':
            score -= 5 + times - 1;
            j += times;
            break;
        default:
            for (; times > 0; times--) score += a[i++] == b[j++] ? 2 : -1;
        }
    }
    return score;
}

static int traced(Align *align, const int64_t *n, void *const *in, void *out)
{
    parasail_matrix_t *matrix = parasail_matrix_create("ACGT", 2, -1);
    const char *a = in[0], *b = in[1];
    parasail_result_t *r = align(a, (int)n[0], b, (int)n[1], 5, 1, matrix);
    int status = parasail_result_is_saturated(r) ? 1 : 0;
    parasail_cigar_t *cigar = parasail_result_get_cigar(r, a, (int)n[0], b, (int)n[1], matrix);
    *(int32_t *)out = score_of_cigar(cigar, a, b);
    parasail_cigar_free(cigar);
    parasail_result_free(r);
    parasail_matrix_free(matrix);
    return status;
}

static int striped(const int64_t *n, void *const *in, void *out)
{
    return traced(parasail_nw_trace_striped_avx2_256_16, n, in, out);
}

static int scan(const int64_t *n, void *const *in, void *out)
{
    return traced(parasail_nw_trace_scan_avx2_256_16, n, in, out);
}

static int striped_local(const int64_t *n, void *const *in, void *out)
{
    return traced(parasail_sw_trace_striped_avx2_256_16, n, in, out);
}

static int ours(const int64_t *n, void *const *in, void *out)
{
    return adze_trace(n[0], n[1], in[0], in[1], out);
}

static int ours_local(const int64_t *n, void *const *in, void *out)
{
    return adze_trace_local(n[0], n[1], in[0], in[1], out);
}

static int ours_threads(const int64_t *n, void *const *in, void *out)
{
    return adze_trace_threads(n[0], n[1], in[0], in[1], out);
}

const BenchCase bench_case = {
    .name = "align/trace",
    .pairs =
        {
            {"Parasail, global, striped", 1, ours, striped, adze_trace_message},
            {"Parasail, global, scan", 1, ours, scan, adze_trace_message},
            {"Parasail, local, striped", 1, ours_local, striped_local, adze_trace_local_message},
            {"Parasail (one thread), global, scan", 2, ours_threads, scan,
             adze_trace_threads_message},
        },
    .sizes = {{"1000 x 1000", {1000, 1000}}, {"10000 x 10000", {10000, 10000}}},
    .inputs = {first, second},
    .input_type = BENCH_U8,
    .fill = fill,
    .output = one,
    .output_type = BENCH_I32,
};
