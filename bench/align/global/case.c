// Parasail has several ways to fill the table; all those for vectors of AVX2 are compared.
#include "global.h"

#include "../sequences.h"

PEER(nw_striped_avx2_256_16)
PEER(nw_scan_avx2_256_16)
PEER(nw_diag_avx2_256_16)
OURS(global)
OURS(global_wide)

static int reference(const int64_t *n, void *const *in, void *out)
{
    return aligned(parasail_nw, n, in, out);
}

const BenchCase bench_case = {
    .name = "align/global",
    .pairs =
        {
            {"Parasail, striped", 1, ours_global, theirs_nw_striped_avx2_256_16,
             adze_global_message},
            {"Parasail, scan", 1, ours_global, theirs_nw_scan_avx2_256_16, adze_global_message},
            {"Parasail, diagonals", 1, ours_global, theirs_nw_diag_avx2_256_16,
             adze_global_message},
            {"Parasail, striped; 32 lanes", 1, ours_global_wide, theirs_nw_striped_avx2_256_16,
             adze_global_wide_message},
        },
    .sizes = {{"1000 x 1000", {1000, 1000}}, {"10000 x 10000", {10000, 10000}}},
    .inputs = {first, second},
    .input_type = BENCH_U8,
    .fill = fill,
    .output = output,
    .output_type = BENCH_I32,
    .reference = reference,
};
