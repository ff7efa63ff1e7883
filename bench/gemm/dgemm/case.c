#define NUMBER               double
#define BLAS_NAME            "cblas_dgemm"
#define BlasGemm             BlasDgemm
#define adze_gemm            adze_dgemm
#define adze_gemm_message    adze_dgemm_message
#define adze_blocks          adze_dblocks
#define adze_blocks_message  adze_dblocks_message
#define adze_product         adze_dproduct
#define adze_product_message adze_dproduct_message

#include "dgemm.h"

#include "../product.h"

const BenchCase bench_case = {
    .name = "gemm/dgemm",
    .pairs = {PRODUCT_PAIRS},
    .sizes = {PRODUCT_SIZES},
    .inputs = {first, second, output},
    .input_type = BENCH_F64,
    .output = output,
    .output_type = BENCH_F64,
    .reference = reference,
    .tolerance = 1e-13,
};
