#include "bench.h"
#include "product.h"

typedef void Product(int64_t n, const double *restrict a, const double *restrict b,
                     double *restrict c);

Product peer_product_ijk, peer_product_ikj;

static int64_t elements(const int64_t *n)
{
    return n[0] * n[0];
}

static int ours(const int64_t *n, void *const *in, void *out)
{
    return adze_product(n[0], n[0], n[0], in[0], in[1], out);
}

static int ijk(const int64_t *n, void *const *in, void *out)
{
    peer_product_ijk(n[0], in[0], in[1], out);
    return 0;
}

static int ikj(const int64_t *n, void *const *in, void *out)
{
    peer_product_ikj(n[0], in[0], in[1], out);
    return 0;
}

// In higher precision.
static int reference(const int64_t *n, void *const *in, void *out)
{
    const double *a = in[0], *b = in[1];
    for (int64_t at = 0; at < elements(n); at++) {
        long double sum = 0;
        for (int64_t k = 0; k < n[0]; k++)
            sum += (long double)a[at / n[0] * n[0] + k] * b[k * n[0] + at % n[0]];
        ((double *)out)[at] = (double)sum;
    }
    return 0;
}

const BenchCase bench_case = {
    .name = "product",
    .pairs = {{"C, i j k", 1, ours, ijk, adze_product_message},
              {"C, i k j", 1, ours, ikj, adze_product_message}},
    .sizes = {{"100x100", {100}}, {"500x500", {500}}, {"512x512", {512}}},
    .inputs = {elements, elements},
    .input_type = BENCH_F64,
    .output = elements,
    .output_type = BENCH_F64,
    .reference = reference,
    .tolerance = 1e-12,
};
