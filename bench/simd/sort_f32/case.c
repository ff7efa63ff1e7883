#include "simd.h"

#include <stdlib.h>
#include <string.h>

static int64_t input(const int64_t *n)
{
    return n[0];
}

static void fill(const int64_t *n, int k, int64_t count, void *in)
{
    (void)n, (void)k;
    uint64_t state = 1;
    for (int64_t i = 0; i < count; i++) ((float *)in)[i] = simd_random(&state, -1e6, 1e6);
}

static int call(Side *side, const int64_t *n, void *const *in, void *out)
{
    return side(n[0], in[0], out);
}

static int less(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

static int by_qsort(const int64_t *n, void *const *in, void *out)
{
    memcpy(out, in[0], (size_t)n[0] * sizeof(float));
    qsort(out, (size_t)n[0], sizeof(float), less);
    return 0;
}

#ifdef LIBRARY
extern void by_std_sort(int64_t n, const float *xs, float *out);

static int by_library(const int64_t *n, void *const *in, void *out)
{
    by_std_sort(n[0], in[0], out);
    return 0;
}
#endif

const BenchCase bench_case = {
    .name = SIMD_NAME,
    .pairs =
        {
            {"scalar C", 1, run_lanes, run_scalar, SIMD_MESSAGE(LANES)},
            {"vectorised C", 1, run_lanes, run_automatic, SIMD_MESSAGE(LANES)},
            {"qsort", 1, run_lanes, by_qsort, SIMD_MESSAGE(LANES)},
#ifdef LIBRARY
            {"std::sort", 1, run_lanes, by_library, SIMD_MESSAGE(LANES)},
#endif
            {"scalar, 1 lane", 1, run_single, run_scalar, SIMD_MESSAGE(1)},
        },
    .sizes = {{"1003", {1003}}, {"100000", {100000}}},
    .inputs = {input},
    .fill = fill,
    .output = input,
    .reference = by_qsort,
};
