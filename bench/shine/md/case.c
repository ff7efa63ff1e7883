#include "bench.h"
#include "md.h"

#include <stdlib.h>

void peer_md(int64_t n, int64_t k, float cutoff, float lj1, float lj2,
             const float *restrict particles, const int64_t *restrict neighbours,
             float *restrict out);

// n: particles stand near the points of a lattice of n[0] by n[0] by n[1]; each has n[2] neighbours.
static const float cutoff = 16, lj1 = 1.5f, lj2 = 2;

static int64_t particles(const int64_t *n)
{
    return n[0] * n[0] * n[1];
}

static int64_t vectors(const int64_t *n)
{
    return 3 * particles(n);
}

static int64_t neighbours(const int64_t *n)
{
    return n[2] * particles(n);
}

static int64_t square(int64_t x)
{
    return x * x;
}

typedef struct {
    int x, y, z;
} Offset;

static int by_length(const void *a, const void *b)
{
    const Offset *p = a, *q = b;
    int d = p->x * p->x + p->y * p->y + p->z * p->z - q->x * q->x - q->y * q->y - q->z * q->z;
    return d ? d : p->x != q->x ? p->x - q->x : p->y != q->y ? p->y - q->y : p->z - q->z;
}

static float noise(int64_t i)
{
    uint64_t x = ((uint64_t)i + 1) * 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 32)) * 0xd6e8feb86659fd93u;
    return (float)(x >> 40) * 0x1p-24f;
}

static void fill_particles(const int64_t *n, float *p)
{
    int64_t count = particles(n);
    for (int64_t i = 0; i < count; i++) {
        const int64_t at[] = {i % n[0], i / n[0] % n[0], i / square(n[0])};
        for (int c = 0; c < 3; c++) p[c * count + i] = (float)at[c] + 0.2f * noise(3 * i + c);
    }
}

// The nearest points of the lattice. Beyond its end it begins again: there a neighbour is far away.
static void fill_neighbours(const int64_t *n, int64_t *at)
{
    static Offset offsets[7 * 7 * 7];
    for (int k = 0; k < 7 * 7 * 7; k++) offsets[k] = (Offset){k % 7 - 3, k / 7 % 7 - 3, k / 49 - 3};
    qsort(offsets, 7 * 7 * 7, sizeof *offsets, by_length);
    int64_t count = particles(n);
    for (int64_t j = 0; j < n[2]; j++)
        for (int64_t i = 0; i < count; i++) {
            Offset o = offsets[1 + j]; // the first is the particle itself
            int64_t x = (i % n[0] + o.x + n[0]) % n[0];
            int64_t y = (i / n[0] % n[0] + o.y + n[0]) % n[0];
            int64_t z = (i / square(n[0]) + o.z + n[1]) % n[1];
            at[j * count + i] = (z * n[0] + y) * n[0] + x;
        }
}

static void fill(const int64_t *n, int k, int64_t count, void *in)
{
    (void)count;
    if (k == 0)
        fill_particles(n, in);
    else
        fill_neighbours(n, in);
}

static int call(__typeof__(adze_md) *entry, const int64_t *n, void *const *in, void *out)
{
    int64_t k = particles(n);
    const float *p = in[0];
    float *f = out;
    return entry(k, n[2], cutoff, lj1, lj2, p, p + k, p + 2 * k, in[1], f, f + k, f + 2 * k);
}

static int ours(const int64_t *n, void *const *in, void *out)
{
    return call(adze_md, n, in, out);
}

static int scheduled(const int64_t *n, void *const *in, void *out)
{
    return call(adze_md_scheduled, n, in, out);
}

static int theirs(const int64_t *n, void *const *in, void *out)
{
    peer_md(particles(n), n[2], cutoff, lj1, lj2, in[0], in[1], out);
    return 0;
}

// In double precision.
static int reference(const int64_t *n, void *const *in, void *out)
{
    int64_t count = particles(n);
    const float *p = in[0];
    const int64_t *near = in[1];
    for (int64_t i = 0; i < count; i++) {
        double f[3] = {0};
        for (int64_t j = 0; j < n[2]; j++) {
            double d[3], r2 = 0;
            for (int c = 0; c < 3; c++) {
                d[c] = (double)p[c * count + i] - (double)p[c * count + near[j * count + i]];
                r2 += d[c] * d[c];
            }
            if (r2 >= (double)cutoff) continue;
            double r6 = r2 * r2 * r2;
            for (int c = 0; c < 3; c++) f[c] += ((double)lj1 / r6 - (double)lj2) / (r6 * r2) * d[c];
        }
        for (int c = 0; c < 3; c++) ((float *)out)[c * count + i] = (float)f[c];
    }
    return 0;
}

const BenchCase bench_case = {
    .name = "shine/md",
    .pairs = {{"hand-written C", 1, ours, theirs, adze_md_message},
              {"C, ours scheduled", 1, scheduled, theirs, adze_md_scheduled_message},
              {"C, ours scheduled", 2, scheduled, theirs, adze_md_scheduled_message}},
    .sizes = {{"539 x 33", {7, 11, 33}},
              {"12288 x 128", {16, 48, 128}},
              {"73728 x 128", {16, 288, 128}}},
    .inputs = {vectors, neighbours},
    .input_types = (const BenchType[BENCH_INPUTS]){BENCH_F32, BENCH_I64},
    .fill = fill,
    .output = vectors,
    .reference = reference,
    .tolerance = 1e-5,
};
