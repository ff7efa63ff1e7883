#include "bench.h"
#include "nbody.h"

#include <math.h>

void peer_nbody(int64_t n, float dt, float eps, const float *restrict place,
                const float *restrict speed, const float *restrict mass, float *restrict out_place,
                float *restrict out_speed);

static const float dt = 0.01f, eps = 0.05f;

static int64_t vectors(const int64_t *n)
{
    return 3 * n[0];
}

static int64_t bodies(const int64_t *n)
{
    return n[0];
}

static int64_t output(const int64_t *n)
{
    return 6 * n[0];
}

static int call(__typeof__(adze_nbody) *entry, const int64_t *n, void *const *in, void *out)
{
    int64_t k = n[0];
    const float *p = in[0], *v = in[1];
    float *q = out;
    return entry(k, dt, eps, p, p + k, p + 2 * k, v, v + k, v + 2 * k, in[2], q, q + k, q + 2 * k,
                 q + 3 * k, q + 4 * k, q + 5 * k);
}

static int ours(const int64_t *n, void *const *in, void *out)
{
    return call(adze_nbody, n, in, out);
}

static int scheduled(const int64_t *n, void *const *in, void *out)
{
    return call(adze_nbody_scheduled, n, in, out);
}

static int theirs(const int64_t *n, void *const *in, void *out)
{
    peer_nbody(n[0], dt, eps, in[0], in[1], in[2], out, (float *)out + 3 * n[0]);
    return 0;
}

// In double precision.
static int reference(const int64_t *n, void *const *in, void *out)
{
    const float *p = in[0], *v = in[1], *mass = in[2];
    float *place = out, *speed = place + 3 * n[0];
    for (int64_t i = 0; i < n[0]; i++) {
        double a[3] = {0};
        for (int64_t j = 0; j < n[0]; j++) {
            double d[3], r2 = (double)eps * (double)eps;
            for (int c = 0; c < 3; c++) {
                d[c] = (double)p[c * n[0] + j] - (double)p[c * n[0] + i];
                r2 += d[c] * d[c];
            }
            for (int c = 0; c < 3; c++) a[c] += (double)mass[j] * d[c] / (r2 * sqrt(r2));
        }
        for (int c = 0; c < 3; c++) {
            int64_t k = c * n[0] + i;
            place[k] = (float)((double)p[k] + (double)dt * (double)v[k] +
                               0.5 * (double)dt * (double)dt * a[c]);
            speed[k] = (float)((double)v[k] + (double)dt * a[c]);
        }
    }
    return 0;
}

const BenchCase bench_case = {
    .name = "shine/nbody",
    .pairs = {{"hand-written C", 1, ours, theirs, adze_nbody_message},
              {"C, ours scheduled", 1, scheduled, theirs, adze_nbody_scheduled_message},
              {"C, ours scheduled", 2, scheduled, theirs, adze_nbody_scheduled_message}},
    .sizes = {{"1001", {1001}}, {"16384", {16384}}},
    .inputs = {vectors, vectors, bodies},
    .output = output,
    .reference = reference,
    .tolerance = 1e-5,
};
