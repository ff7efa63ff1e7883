#include "simd.h"

#include <math.h>

// n: cells in each direction, points of the picture.
static int64_t cells(const int64_t *n)
{
    return n[0] * n[0] * n[0];
}

static int64_t output(const int64_t *n)
{
    return n[1] * n[2];
}

// A cloud: balls that fade out.
static void fill(const int64_t *n, int k, int64_t count, void *in)
{
    static const double ball[][4] = {
        {0.5, 0.5, 0.5, 0.3}, {0.3, 0.6, 0.4, 0.2}, {0.7, 0.3, 0.6, 0.25}, {0.6, 0.75, 0.3, 0.15}};
    (void)k;
    for (int64_t i = 0; i < count; i++) {
        double side = (double)(n[0] - 1), x = (double)(i % n[0]) / side, sum = 0;
        double y = (double)(i / n[0] % n[0]) / side, z = (double)(i / n[0] / n[0]) / side;
        for (int b = 0; b < 4; b++) {
            double dx = x - ball[b][0], dy = y - ball[b][1], dz = z - ball[b][2];
            sum += fmax(1 - sqrt(dx * dx + dy * dy + dz * dz) / ball[b][3], 0);
        }
        ((float *)in)[i] = (float)sum;
    }
}

static int call(Side *side, const int64_t *n, void *const *in, void *out)
{
    return side(n[0], n[1], n[2], in[0], out);
}

// In double precision.
typedef struct {
    int64_t n;
    const float *cells;
} Cloud;

static double density(Cloud c, const double *p)
{
    double sum = 0;
    int64_t low[3];
    double t[3];
    for (int a = 0; a < 3; a++) {
        double at = fmin(fmax(p[a], 0), 1) * (double)(c.n - 1);
        low[a] = (int64_t)fmin(at, (double)(c.n - 2));
        t[a] = at - (double)low[a];
    }
    for (int corner = 0; corner < 8; corner++) {
        double weight = 1;
        int64_t place = 0;
        for (int a = 2; a >= 0; a--) {
            int bit = corner >> a & 1;
            weight *= bit ? t[a] : 1 - t[a];
            place = place * c.n + low[a] + bit;
        }
        sum += weight * c.cells[place];
    }
    return sum;
}

static void inside(const double *org, const double *dir, double *near, double *far)
{
    *near = 0;
    *far = INFINITY;
    for (int a = 0; a < 3; a++) {
        double x = -org[a] / dir[a], y = (1 - org[a]) / dir[a];
        *near = fmax(*near, fmin(x, y));
        *far = fmin(*far, fmax(x, y));
    }
}

static double shadow(Cloud c, const double *org, const double *dir, double distance)
{
    double near, far, thickness = 0;
    inside(org, dir, &near, &far);
    for (double t = 0.0375; t < fmin(far, distance); t += 0.075)
        thickness +=
            density(c, (double[]){org[0] + t * dir[0], org[1] + t * dir[1], org[2] + t * dir[2]});
    return exp(-0.075 * thickness);
}

static double ray(Cloud c, const double *org, const double *dir)
{
    static const double light[] = {-0.5, 1.5, -0.7};
    double near, far, result = 0, clear = 1;
    inside(org, dir, &near, &far);
    for (double t = near; t < far; t += 0.025) {
        double p[3], to[3], square = 0;
        for (int a = 0; a < 3; a++) {
            p[a] = org[a] + t * dir[a];
            to[a] = light[a] - p[a];
            square += to[a] * to[a];
        }
        for (int a = 0; a < 3; a++) to[a] /= sqrt(square);
        double here = 8 * density(c, p);
        clear *= exp(-0.025 * here);
        if (clear < 0.005) break;
        result += 0.025 * here * clear * shadow(c, p, to, sqrt(square)) / square;
    }
    return pow(fmin(result, 1), 1 / 2.2);
}

static int reference(const int64_t *n, void *const *in, void *out)
{
    for (int64_t p = 0; p < n[1] * n[2]; p++) {
        double u = (double)(p % n[1]) / (double)n[1] - 0.5,
               v = (double)(p / n[1]) / (double)n[2] - 0.5;
        double dir[] = {u + 0.1, -v, 1.5}, org[] = {0.4, 0.6, -1.5};
        double length = sqrt(dir[0] * dir[0] + dir[1] * dir[1] + dir[2] * dir[2]);
        for (int a = 0; a < 3; a++) dir[a] /= length;
        ((float *)out)[p] = (float)ray((Cloud){n[0], in[0]}, org, dir);
    }
    return 0;
}

// One step of a ray more or less depends on how numbers are rounded.
const BenchCase bench_case = {
    .name = SIMD_NAME,
    .pairs = SIMD_PAIRS,
    .sizes = {{"17^3 37x19", {17, 37, 19}}, {"64^3 192x128", {64, 192, 128}}},
    .inputs = {cells},
    .fill = fill,
    .output = output,
    .reference = reference,
    .tolerance = 1e-4,
    .mean = true,
};
