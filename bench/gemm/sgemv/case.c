#include "../blas.h"
#include "bench.h"
#include "sgemv.h"

#include <omp.h>

static int64_t matrix(const int64_t *n)
{
    return n[0] * n[1];
}

static int64_t vector(const int64_t *n)
{
    return n[1];
}

static int64_t output(const int64_t *n)
{
    return n[0];
}

static int reference(const int64_t *n, void *const *in, void *to)
{
    const float *a = in[0], *x = in[1];
    float *out = to;
    for (int64_t i = 0; i < n[0]; i++) {
        double sum = 0;
        for (int64_t j = 0; j < n[1]; j++) sum += (double)a[i * n[1] + j] * (double)x[j];
        out[i] = (float)sum;
    }
    return 0;
}

static int plain(const int64_t *n, void *const *in, void *to)
{
    const float *restrict a = in[0], *restrict x = in[1];
    float *restrict out = to;
    for (int64_t i = 0; i < n[0]; i++) {
        float sum = 0;
        for (int64_t j = 0; j < n[1]; j++) sum += a[i * n[1] + j] * x[j];
        out[i] = sum;
    }
    return 0;
}

static int ours(int threads, const int64_t *n, void *const *in, void *out)
{
    omp_set_num_threads(threads);
    return adze_sgemv(n[0], n[1], in[0], in[1], out);
}

static int ours1(const int64_t *n, void *const *in, void *out)
{
    return ours(1, n, in, out);
}

#ifdef BENCH_OPENBLAS
static int openblas(int threads, const int64_t *n, void *const *in, void *out)
{
    static Blas library = BLAS_OPENBLAS(BENCH_OPENBLAS, "cblas_sgemv");
    BlasSgemv *product = (BlasSgemv *)blas_with(&library, threads);
    product(BLAS_ROW_MAJOR, BLAS_NO_TRANS, (int)n[0], (int)n[1], 1, in[0], (int)n[1], in[1], 1, 0,
            out, 1);
    return 0;
}

static int openblas1(const int64_t *n, void *const *in, void *out)
{
    return openblas(1, n, in, out);
}

static int openblas2(const int64_t *n, void *const *in, void *out)
{
    return openblas(2, n, in, out);
}

static int ours2(const int64_t *n, void *const *in, void *out)
{
    return ours(2, n, in, out);
}
#endif

const BenchCase bench_case = {
    .name = "gemm/sgemv",
    .pairs =
        {
            {"plain C", 1, ours1, plain, adze_sgemv_message},
#ifdef BENCH_OPENBLAS
            {"OpenBLAS", 1, ours1, openblas1, adze_sgemv_message},
            {"OpenBLAS", 2, ours2, openblas2, adze_sgemv_message},
#endif
        },
    .sizes = {{"512", {512, 512}},
              {"1000x1001", {1000, 1001}},
              {"4096", {4096, 4096}},
              {"8192", {8192, 8192}}},
    .inputs = {matrix, vector},
    .output = output,
    .reference = reference,
    .tolerance = 1e-5,
};
