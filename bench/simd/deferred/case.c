#include "simd.h"

#include <math.h>

enum { TILE = 16 };

// n: tiles down and across, lamps.
static int64_t points(const int64_t *n)
{
    return n[0] * n[1] * TILE * TILE;
}

// Place, reach and power of each.
static int64_t lamps(const int64_t *n)
{
    return 5 * n[2];
}

// Depth, slope and colour of a hilly ground; lamps above it.
static void fill(const int64_t *n, int k, int64_t count, void *in)
{
    float *to = in;
    double w = (double)(n[1] * TILE), h = (double)(n[0] * TILE);
    uint64_t state = 1;
    for (int64_t i = 0; i < count; i++) {
        double x = (double)(i % (n[1] * TILE)), y = (double)(i / (n[1] * TILE));
        switch (k) {
        case 0: to[i] = (float)(20 * sin(x / 17) * cos(y / 23)); break;
        case 1: to[i] = (float)(20.0 / 17 * cos(x / 17) * cos(y / 23)); break;
        case 2: to[i] = (float)(-20.0 / 23 * sin(x / 17) * sin(y / 23)); break;
        case 3: to[i] = (float)(0.5 + 0.5 * sin(x * y)); break;
        case 4: {
            const double low[] = {0, 0, -40, 10, 1}, high[] = {w, h, 10, 40, 10};
            to[i] = simd_random(&state, low[i / n[2]], high[i / n[2]]);
        }
        }
    }
}

static int call(Side *side, const int64_t *n, void *const *in, void *out)
{
    const float *lamp = in[4];
    return side(n[0], n[1], n[2], in[0], in[1], in[2], in[3], lamp, lamp + n[2], lamp + 2 * n[2],
                lamp + 3 * n[2], lamp + 4 * n[2], out);
}

// In double precision, each point by each lamp.
static int reference(const int64_t *n, void *const *in, void *out)
{
    const float *depth = in[0], *sx = in[1], *sy = in[2], *colour = in[3], *lamp = in[4];
    int64_t w = n[1] * TILE, count = n[2];
    for (int64_t i = 0; i < points(n); i++) {
        double sum = 0.1, a = sx[i], b = sy[i], up = 1 / sqrt(1 + a * a + b * b);
        for (int64_t k = 0; k < count; k++) {
            double dx = lamp[k] - (double)(i % w), dy = lamp[count + k] - (double)(i / w);
            double dz = (double)lamp[2 * count + k] - depth[i], reach = lamp[3 * count + k];
            double distance = sqrt(dx * dx + dy * dy + dz * dz),
                   facing = (a * dx + b * dy - dz) * up;
            if (distance >= reach || facing <= 0) continue;
            double fade = 1 - distance / reach;
            sum += lamp[4 * count + k] * fade * fade * facing / distance;
        }
        ((float *)out)[i] = (float)(sum * colour[i]);
    }
    return 0;
}

const BenchCase bench_case = {
    .name = SIMD_NAME,
    .pairs = SIMD_PAIRS,
    .sizes = {{"48x80 19", {3, 5, 19}}, {"384x512 600", {24, 32, 600}}},
    .inputs = {points, points, points, points, lamps},
    .fill = fill,
    .output = points,
    .reference = reference,
    .tolerance = 1e-4,
};
