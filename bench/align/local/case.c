// Parasail has several ways to fill the table; all those for vectors of AVX2 are compared.
#include "local.h"

#include "../sequences.h"

PEER(sw_striped_avx2_256_16)
PEER(sw_scan_avx2_256_16)
OURS(local)
OURS(local_wide)

static int reference(const int64_t *n, void *const *in, void *out)
{
    return aligned(parasail_sw, n, in, out);
}

const BenchCase bench_case = {
    .name = "align/local",
    .pairs =
        {
            {"Parasail, striped", 1, ours_local, theirs_sw_striped_avx2_256_16, adze_local_message},
            {"Parasail, scan", 1, ours_local, theirs_sw_scan_avx2_256_16, adze_local_message},
            {"Parasail, striped; 32 lanes", 1, ours_local_wide, theirs_sw_striped_avx2_256_16,
             adze_local_wide_message},
        },
    .sizes = {{"1000 x 1000", {1000, 1000}}, {"10000 x 10000", {10000, 10000}}},
    .inputs = {first, second},
    .input_type = BENCH_U8,
    .fill = fill,
    .output = output,
    .output_type = BENCH_I32,
    .reference = reference,
};
