#define NUMBER               float
#define BLAS_NAME            "cblas_sgemm"
#define BlasGemm             BlasSgemm
#define adze_gemm            adze_sgemm
#define adze_gemm_message    adze_sgemm_message
#define adze_blocks          adze_sblocks
#define adze_blocks_message  adze_sblocks_message
#define adze_product         adze_sproduct
#define adze_product_message adze_sproduct_message

#include "sgemm.h"

#include "../product.h"

const BenchCase bench_case = {
    .name = "gemm/sgemm",
    .pairs = {PRODUCT_PAIRS},
    .sizes = {PRODUCT_SIZES},
    .inputs = {first, second, output},
    .input_type = BENCH_F32,
    .output = output,
    .output_type = BENCH_F32,
    .reference = reference,
    .tolerance = 1e-5,
};
