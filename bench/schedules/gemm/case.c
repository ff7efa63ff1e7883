// One definition of the product of two matrices, and schedules for it, against OpenBLAS on one thread: peer / ours is the share of its speed.
#include "bench.h"
#include "gemm.h"
#include "gemm/blas.h"

static int reference(const int64_t *n, void *const *in, void *out)
{
    const float *a = in[0], *b = in[1];
    float *c = out;
    for (int64_t i = 0; i < n[0]; i++) {
        for (int64_t j = 0; j < n[0]; j++) c[i * n[0] + j] = 0;
        for (int64_t k = 0; k < n[0]; k++)
            for (int64_t j = 0; j < n[0]; j++) c[i * n[0] + j] += a[i * n[0] + k] * b[k * n[0] + j];
    }
    return 0;
}

#ifdef BENCH_OPENBLAS
static int library(const int64_t *n, void *const *in, void *out)
{
    static Blas blas = BLAS_OPENBLAS(BENCH_OPENBLAS, "cblas_sgemm");
    BlasSgemm *call = (BlasSgemm *)blas_with(&blas, 1);
    int size = (int)n[0];
    call(BLAS_ROW_MAJOR, BLAS_NO_TRANS, BLAS_NO_TRANS, size, size, size, 1, in[0], size, in[1],
         size, 0, out, size);
    return 0;
}
#define AGAINST "OpenBLAS"
#else
#define AGAINST "i k j"
#define library reference
#endif

#define RUN(name)                                                                                  \
    static int run_##name(const int64_t *n, void *const *in, void *out)                            \
    {                                                                                              \
        return adze_##name(n[0], n[0], n[0], in[0], in[1], out);                                   \
    }
RUN(baseline)
RUN(blocking)
RUN(permuted)
RUN(packed)
RUN(cached)
RUN(registers)

static int64_t elements(const int64_t *n)
{
    return n[0] * n[0];
}

const BenchCase bench_case = {
    .name = "schedules/gemm",
    .pairs = {{"baseline, " AGAINST, 1, run_baseline, library, adze_baseline_message},
              {"blocking, " AGAINST, 1, run_blocking, library, adze_blocking_message},
              {"permuted, " AGAINST, 1, run_permuted, library, adze_permuted_message},
              {"packed, " AGAINST, 1, run_packed, library, adze_packed_message},
              {"cached, " AGAINST, 1, run_cached, library, adze_cached_message},
              {"registers, " AGAINST, 1, run_registers, library, adze_registers_message}},
    .sizes = {{"192", {192}}, {"576", {576}}, {"960", {960}}},
    .inputs = {elements, elements},
    .input_type = BENCH_F32,
    .output = elements,
    .output_type = BENCH_F32,
    .reference = reference,
    .tolerance = 1e-5,
};
