#include "simd.h"

static int64_t points(const int64_t *n)
{
    return n[0] * n[1] * n[2];
}

static int call(Side *side, const int64_t *n, void *const *in, void *out)
{
    return side(n[0], n[1], n[2], in[0], in[1], in[2], out);
}

// In double precision, axis by axis.
static int reference(const int64_t *n, void *const *in, void *out)
{
    static const double weight[] = {-2.8472222, 1.6, -0.2, 0.025396826, -0.0017857143};
    const float *now = in[0], *before = in[1], *speed = in[2];
    const int64_t stride[] = {n[1] * n[2], n[2], 1};
    for (int64_t p = 0; p < points(n); p++) {
        double sum = 0;
        bool inside = true;
        for (int a = 0; a < 3; a++) {
            int64_t place = p / stride[a] % n[a];
            inside = inside && place >= 4 && place < n[a] - 4;
            for (int d = -4; inside && d <= 4; d++)
                sum += weight[d < 0 ? -d : d] * now[p + d * stride[a]];
        }
        if (inside)
            ((float *)out)[p] =
                (float)(2 * (double)now[p] - (double)before[p] + (double)speed[p] * sum);
    }
    return 0;
}

const BenchCase bench_case = {
    .name = SIMD_NAME,
    .pairs = SIMD_PAIRS,
    .sizes = {{"9x11x37", {9, 11, 37}}, {"128x128x128", {128, 128, 128}}},
    .inputs = {points, points, points},
    .output = points,
    .reference = reference,
    .tolerance = 1e-5,
};
