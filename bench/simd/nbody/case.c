#include "simd.h"

#include <math.h>

static int64_t bodies(const int64_t *n)
{
    return n[0];
}

static int64_t output(const int64_t *n)
{
    return 3 * n[0];
}

static int call(Side *side, const int64_t *n, void *const *in, void *out)
{
    return side(n[0], in[0], in[1], in[2], in[3], out);
}

// In double precision.
static int reference(const int64_t *n, void *const *in, void *out)
{
    const float *mass = in[3];
    for (int64_t i = 0; i < n[0]; i++) {
        double sum[3] = {0};
        for (int64_t j = 0; j < n[0]; j++) {
            double d[3], square = 1e-4;
            for (int k = 0; k < 3; k++) {
                d[k] = (double)((const float *)in[k])[j] - ((const float *)in[k])[i];
                square += d[k] * d[k];
            }
            for (int k = 0; k < 3; k++) sum[k] += mass[j] * d[k] / pow(square, 1.5);
        }
        for (int k = 0; k < 3; k++) ((float *)out)[k * n[0] + i] = (float)sum[k];
    }
    return 0;
}

const BenchCase bench_case = {
    .name = SIMD_NAME,
    .pairs = SIMD_PAIRS,
    .sizes = {{"37", {37}}, {"2048", {2048}}},
    .inputs = {bodies, bodies, bodies, bodies},
    .output = output,
    .reference = reference,
    .tolerance = 1e-4,
};
