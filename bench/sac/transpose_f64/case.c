#define NUMBER double
#include "../transposed_case.h"
#include "transpose_f64.h"

TRANSPOSE_RUN(ours, adze_transpose_f64(n[0], n[0], in[0], out))

const BenchCase bench_case = {
    .name = "transpose_f64",
    .pairs = {{"plain C", 1, ours, plain, adze_transpose_f64_message},
              {"tiled C", 1, ours, tiled, adze_transpose_f64_message}},
    .sizes = {TRANSPOSE_SIZES},
    .inputs = {transpose_count},
    .input_type = BENCH_F64,
    .output = transpose_count,
    .output_type = BENCH_F64,
};
