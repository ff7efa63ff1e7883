#include "simd.h"

enum { LIMIT = 256 };

static int64_t output(const int64_t *n)
{
    return n[0] * n[1];
}

static int call(Side *side, const int64_t *n, void *const *in, void *out)
{
    (void)in;
    return side(n[0], n[1], LIMIT, out);
}

// In double precision, by the definition: z * z + c from 0, without what is kept of the step before.
static int reference(const int64_t *n, void *const *in, void *out)
{
    (void)in;
    for (int64_t p = 0; p < n[0] * n[1]; p++) {
        double cre = 3.0 * (double)(p % n[0]) / (double)n[0] - 2.0, re = cre;
        double cim = 2.0 * (double)(p / n[0]) / (double)n[1] - 1.0, im = cim;
        int32_t steps = 0;
        while (steps < LIMIT && re * re + im * im <= 4.0) {
            double next = re * re - im * im + cre;
            im = 2.0 * re * im + cim;
            re = next;
            steps++;
        }
        ((int32_t *)out)[p] = steps;
    }
    return 0;
}

// Near the edge the steps depend on how numbers are rounded.
const BenchCase bench_case = {
    .name = SIMD_NAME,
    .pairs = SIMD_PAIRS,
    .sizes = {{"37x19", {37, 19}}, {"768x512", {768, 512}}},
    .output = output,
    .output_type = BENCH_I32,
    .reference = reference,
    .tolerance = 1e-3,
    .mean = true,
};
