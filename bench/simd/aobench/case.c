#include "simd.h"

#include <math.h>

static int64_t output(const int64_t *n)
{
    return n[0] * n[0];
}

static int call(Side *side, const int64_t *n, void *const *in, void *out)
{
    (void)in;
    return side(n[0], out);
}

// In double precision: whether a ray from a point hits anything, how far away, and which way is up there.
static bool hit(const double *org, const double *dir, double *distance, double *up)
{
    static const double center[3][3] = {{-2, 0, -3.5}, {-0.5, 0, -3}, {1, 0, -2.2f}};
    double best = INFINITY;
    for (int s = 0; s < 3; s++) {
        double b = 0, c = -0.25;
        for (int a = 0; a < 3; a++) {
            b += (org[a] - center[s][a]) * dir[a];
            c += (org[a] - center[s][a]) * (org[a] - center[s][a]);
        }
        double t = b * b > c ? -b - sqrt(b * b - c) : -1;
        if (t <= 0 || t >= best) continue;
        best = t;
        for (int a = 0; a < 3; a++) up[a] = (org[a] + t * dir[a] - center[s][a]) / 0.5;
    }
    double t = -(org[1] + 0.5) / dir[1];
    if (t > 0 && t < best) {
        best = t;
        for (int a = 0; a < 3; a++) up[a] = a == 1;
    }
    *distance = best;
    return best < INFINITY;
}

static void across(const double *a, const double *b, double *out)
{
    double length = 0;
    for (int k = 0; k < 3; k++) {
        out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
        length += out[k] * out[k];
    }
    for (int k = 0; k < 3; k++) out[k] /= sqrt(length);
}

static double uniform(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (*state >> 8) * 0x1p-24;
}

static int free_rays(const double *point, const double *up, uint32_t *state)
{
    double org[3], some[3] = {0}, x[3], y[3], dir[3], distance, other[3];
    int axis = fabs(up[0]) < 0.6 ? 0 : fabs(up[1]) < 0.6 ? 1 : fabs(up[2]) < 0.6 ? 2 : 0, count = 0;
    some[axis] = 1;
    across(some, up, x);
    across(up, x, y);
    for (int a = 0; a < 3; a++) org[a] = point[a] + 0.0001 * up[a];
    for (int ray = 0; ray < 64; ray++) {
        double r = sqrt(uniform(state)), angle = 2 * M_PI * uniform(state);
        for (int a = 0; a < 3; a++)
            dir[a] = r * cos(angle) * x[a] + r * sin(angle) * y[a] + sqrt(1 - r * r) * up[a];
        count += !hit(org, dir, &distance, other);
    }
    return count;
}

static int reference(const int64_t *n, void *const *in, void *out)
{
    (void)in;
    double half = 0.5 * (double)n[0];
    for (int64_t p = 0; p < n[0] * n[0]; p++) {
        uint32_t state = (uint32_t)p * 2654435761u;
        int count = 0;
        for (int sub = 0; sub < 4; sub++) {
            double x = (double)(p % n[0]) + 0.5 * (sub % 2),
                   y = (double)(p / n[0]) + 0.5 * (sub / 2);
            double dir[3] = {(x - half) / half, -(y - half) / half, -1}, org[3] = {0}, up[3], t;
            double length = sqrt(dir[0] * dir[0] + dir[1] * dir[1] + 1);
            for (int a = 0; a < 3; a++) dir[a] /= length;
            if (!hit(org, dir, &t, up)) continue;
            for (int a = 0; a < 3; a++) org[a] = t * dir[a];
            count += free_rays(org, up, &state);
        }
        ((float *)out)[p] = (float)count / 256;
    }
    return 0;
}

// A ray that grazes a sphere hits it or not with how numbers are rounded.
const BenchCase bench_case = {
    .name = SIMD_NAME,
    .pairs = SIMD_PAIRS,
    .sizes = {{"37x37", {37}}, {"128x128", {128}}},
    .output = output,
    .reference = reference,
    .tolerance = 1e-3,
    .mean = true,
};
