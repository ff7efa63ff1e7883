#include "simd.h"

#include <math.h>

static int64_t table(const int64_t *n)
{
    (void)n;
    return 512;
}

static int64_t output(const int64_t *n)
{
    return n[0] * n[1];
}

// A permutation of 0 to 255, twice.
static void fill(const int64_t *n, int k, int64_t count, void *in)
{
    (void)n;
    (void)k;
    (void)count;
    int32_t *to = in;
    uint64_t state = 1;
    for (int i = 0; i < 256; i++) {
        int j = (int)simd_random(&state, 0, i + 0.99);
        to[i] = to[j];
        to[j] = i;
    }
    for (int i = 0; i < 256; i++) to[256 + i] = to[i];
}

static int call(Side *side, const int64_t *n, void *const *in, void *out)
{
    return side(n[0], n[1], in[0], out);
}

// In double precision, by the directions themselves: a sum over the corners of the cell.
static double noise(const int32_t *perm, const double *p)
{
    static const int way[16][3] = {{1, 1, 0}, {-1, 1, 0}, {1, -1, 0}, {-1, -1, 0},
                                   {1, 0, 1}, {-1, 0, 1}, {1, 0, -1}, {-1, 0, -1},
                                   {0, 1, 1}, {0, -1, 1}, {0, 1, -1}, {0, -1, -1},
                                   {1, 1, 0}, {0, -1, 1}, {-1, 1, 0}, {0, -1, -1}};
    double sum = 0;
    for (int corner = 0; corner < 8; corner++) {
        double weight = 1, along[3];
        int hash = 0;
        for (int a = 0; a < 3; a++) {
            double low = floor(p[a]), t = p[a] - low;
            int bit = corner >> a & 1;
            double near = bit ? t : 1 - t;
            weight *= near * near * near * (near * (near * 6 - 15) + 10);
            along[a] = t - bit;
            hash = perm[hash + ((int)low & 255) + bit];
        }
        for (int a = 0; a < 3; a++) sum += weight * along[a] * way[hash & 15][a];
    }
    return sum;
}

static int reference(const int64_t *n, void *const *in, void *out)
{
    for (int64_t i = 0; i < n[0] * n[1]; i++) {
        double sum = 0;
        for (int scale = 1; scale < 16; scale *= 2) {
            double x = (double)(i % n[0]) * 0.03f - 10.0, y = (double)(i / n[0]) * 0.03f - 10.0;
            sum +=
                fabs(noise(in[0], (double[]){scale * x, scale * y, scale * (double)0.6f})) / scale;
        }
        ((float *)out)[i] = (float)sum;
    }
    return 0;
}

const BenchCase bench_case = {
    .name = SIMD_NAME,
    .pairs = SIMD_PAIRS,
    .sizes = {{"37x19", {37, 19}}, {"768x512", {768, 512}}},
    .inputs = {table},
    .input_type = BENCH_I32,
    .fill = fill,
    .output = output,
    .reference = reference,
    .tolerance = 1e-4,
};
