#ifndef __clang__ // gcc puts pairs of numbers of the unrolled loop into vectors, at a loss of a fifth
#pragma GCC optimize("no-tree-slp-vectorize")
#endif

#include <math.h>
#include <stdint.h>

enum { BODIES = 5 };

typedef struct {
    double p[3], v[3], mass;
} Body;

void peer_nbody(int64_t steps, double *before, double *after);

static const double pi = 3.141592653589793, year = 365.24;
#define SOLAR_MASS (4 * pi * pi)

// Sun, Jupiter, Saturn, Uranus, Neptune: astronomical units, per day, and masses of the sun.
static const Body planets[BODIES] = {
    {{0, 0, 0}, {0, 0, 0}, 1},
    {{4.84143144246472090e+00, -1.16032004402742839e+00, -1.03622044471123109e-01},
     {1.66007664274403694e-03, 7.69901118419740425e-03, -6.90460016972063023e-05},
     9.54791938424326609e-04},
    {{8.34336671824457987e+00, 4.12479856412430479e+00, -4.03523417114321381e-01},
     {-2.76742510726411899e-03, 4.99852801234917238e-03, 2.30417297573763929e-05},
     2.85885980666130812e-04},
    {{1.28943695621391310e+01, -1.51111514016986312e+01, -2.23307578892655734e-01},
     {2.96460137564761618e-03, 2.37847173959480950e-03, -2.96589568540237556e-05},
     4.36624404335156298e-05},
    {{1.53796971148509165e+01, -2.59193146099879641e+01, 1.79258772950371181e-01},
     {2.68067772490389322e-03, 1.62824170038242295e-03, -9.51592254519715870e-05},
     5.15138902046611451e-05},
};

// Moves the sun so that the whole does not drift.
static void start(Body *b)
{
    for (int i = 0; i < BODIES; i++) {
        b[i] = planets[i];
        b[i].mass *= SOLAR_MASS;
        for (int k = 0; k < 3; k++) b[i].v[k] *= year;
    }
    for (int i = 0; i < BODIES; i++)
        for (int k = 0; k < 3; k++) b[0].v[k] -= b[i].v[k] * b[i].mass / SOLAR_MASS;
}

static double energy(const Body *b)
{
    double e = 0;
    for (int i = 0; i < BODIES; i++) {
        const double *v = b[i].v;
        e += 0.5 * b[i].mass * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
        for (int j = i + 1; j < BODIES; j++) {
            double x = b[i].p[0] - b[j].p[0], y = b[i].p[1] - b[j].p[1], z = b[i].p[2] - b[j].p[2];
            e -= b[i].mass * b[j].mass / sqrt(x * x + y * y + z * z);
        }
    }
    return e;
}

// Unrolled, so that all bodies stand in registers.
static void advance(Body *b, double dt)
{
#pragma GCC unroll 5
    for (int i = 0; i < BODIES; i++)
#pragma GCC unroll 5
        for (int j = i + 1; j < BODIES; j++) {
            double x = b[i].p[0] - b[j].p[0], y = b[i].p[1] - b[j].p[1], z = b[i].p[2] - b[j].p[2];
            double square = x * x + y * y + z * z, strength = dt / (square * sqrt(square));
            b[i].v[0] -= x * b[j].mass * strength;
            b[i].v[1] -= y * b[j].mass * strength;
            b[i].v[2] -= z * b[j].mass * strength;
            b[j].v[0] += x * b[i].mass * strength;
            b[j].v[1] += y * b[i].mass * strength;
            b[j].v[2] += z * b[i].mass * strength;
        }
    for (int i = 0; i < BODIES; i++)
        for (int k = 0; k < 3; k++) b[i].p[k] += dt * b[i].v[k];
}

void peer_nbody(int64_t steps, double *before, double *after)
{
    Body b[BODIES];
    start(b);
    *before = energy(b);
    for (int64_t i = 0; i < steps; i++) advance(b, 0.01);
    *after = energy(b);
}
