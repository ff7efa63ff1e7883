#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// One V-cycle for -(u's Laplacian) = f, with u = 0 outside of the square, by LEVELS squares, each of half the
// width of the one before.
enum { LEVELS = 4, STEPS = 2 };

typedef struct {
    int64_t n;
    const float *rhs;
    float *coarse;               // the right side of the next level
    float *u, *other, *residual; // `other` is what u was a step before
} Level;

int peer_vcycle(bool fused, int64_t n, const float *rhs, float *u);

// --- rows: what lies above the first and below the last is a row of zeros ----------------------

static inline float smoothed(float sides, float here, float rhs)
{
    return 0.2f * here + 0.2f * (sides + rhs);
}

static void smooth_row(int64_t n, const float *restrict above, const float *restrict here,
                       const float *restrict below, const float *restrict rhs, float *restrict out)
{
    out[0] = smoothed(above[0] + here[1] + below[0], here[0], rhs[0]);
    for (int64_t x = 1; x < n - 1; x++)
        out[x] = smoothed(above[x] + here[x - 1] + here[x + 1] + below[x], here[x], rhs[x]);
    out[n - 1] = smoothed(above[n - 1] + here[n - 2] + below[n - 1], here[n - 1], rhs[n - 1]);
}

static inline float residue(float sides, float here, float rhs)
{
    return rhs + sides - 4 * here;
}

static void residual_row(int64_t n, const float *restrict above, const float *restrict here,
                         const float *restrict below, const float *restrict rhs,
                         float *restrict out)
{
    out[0] = residue(above[0] + here[1] + below[0], here[0], rhs[0]);
    for (int64_t x = 1; x < n - 1; x++)
        out[x] = residue(above[x] + here[x - 1] + here[x + 1] + below[x], here[x], rhs[x]);
    out[n - 1] = residue(above[n - 1] + here[n - 2] + below[n - 1], here[n - 1], rhs[n - 1]);
}

// The sum of 2 x 2 is the mean, for a grid of twice the distance.
static void restrict_row(int64_t n, const float *restrict a, const float *restrict b,
                         float *restrict out)
{
    for (int64_t x = 0; x < n / 2; x++) out[x] = a[2 * x] + a[2 * x + 1] + b[2 * x] + b[2 * x + 1];
}

static void interpolate_row(int64_t n, const float *restrict coarse, float *restrict out)
{
    for (int64_t x = 0; x < n / 2; x++) {
        out[2 * x] += coarse[x];
        out[2 * x + 1] += coarse[x];
    }
}

// --- a level -----------------------------------------------------------------------------------

static const float *row(const Level *l, const float *zeros, int64_t y)
{
    return y < 0 || y >= l->n ? zeros : l->u + y * l->n;
}

static void smooth(Level *l, const float *zeros)
{
    for (int64_t y = 0; y < l->n; y++)
        smooth_row(l->n, row(l, zeros, y - 1), row(l, zeros, y), row(l, zeros, y + 1),
                   l->rhs + y * l->n, l->other + y * l->n);
    float *t = l->u;
    l->u = l->other;
    l->other = t;
}

static void residual_at(const Level *l, const float *zeros, int64_t y, float *out)
{
    residual_row(l->n, row(l, zeros, y - 1), row(l, zeros, y), row(l, zeros, y + 1),
                 l->rhs + y * l->n, out);
}

static void residual_restrict(const Level *l, const float *zeros)
{
    for (int64_t y = 0; y < l->n; y++) residual_at(l, zeros, y, l->residual + y * l->n);
    for (int64_t y = 0; y < l->n / 2; y++)
        restrict_row(l->n, l->residual + 2 * y * l->n, l->residual + (2 * y + 1) * l->n,
                     l->coarse + y * (l->n / 2));
}

// Two rows of the residual at a time.
static void residual_restrict_fused(const Level *l, const float *zeros)
{
    for (int64_t y = 0; y < l->n / 2; y++) {
        residual_at(l, zeros, 2 * y, l->residual);
        residual_at(l, zeros, 2 * y + 1, l->residual + l->n);
        restrict_row(l->n, l->residual, l->residual + l->n, l->coarse + y * (l->n / 2));
    }
}

static void interpolate(Level *l, const float *coarse)
{
    for (int64_t y = 0; y < l->n; y++)
        interpolate_row(l->n, coarse + y / 2 * (l->n / 2), l->u + y * l->n);
}

// --- the cycle ---------------------------------------------------------------------------------

static void cycle(Level *l, int below, bool fused, const float *zeros)
{
    memset(l->u, 0, (size_t)(l->n * l->n) * sizeof *l->u);
    for (int i = 0; i < STEPS; i++) smooth(l, zeros);
    if (below) {
        (fused ? residual_restrict_fused : residual_restrict)(l, zeros);
        cycle(l + 1, below - 1, fused, zeros);
        interpolate(l, l[1].u);
    }
    for (int i = 0; i < STEPS; i++) smooth(l, zeros);
}

// How many floats a level needs besides the right side and the solution.
static int64_t room(int64_t n, bool fused)
{
    return n * n + (fused ? 2 : n) * n;
}

static void lay_out(Level *levels, bool fused, int64_t n, const float *rhs, float *u, float *memory)
{
    for (int k = 0; k < LEVELS; k++, n /= 2) {
        Level *l = &levels[k];
        *l = (Level){n, rhs, NULL, u, memory, memory + n * n};
        memory += room(n, fused);
        if (k == LEVELS - 1) break;
        rhs = l->coarse = memory;
        u = memory + n / 2 * (n / 2);
        memory += n / 2 * n;
    }
}

// n is a multiple of 2^(LEVELS - 1), and at least twice that.
int peer_vcycle(bool fused, int64_t n, const float *rhs, float *u)
{
    int64_t count = n;
    for (int k = 0; k < LEVELS; k++)
        count += room(n >> k, fused) + (k ? 2 * (n >> k) * (n >> k) : 0);
    float *memory = malloc((size_t)count * sizeof *memory);
    if (!memory) return 1;
    Level levels[LEVELS];
    memset(memory, 0, (size_t)n * sizeof *memory); // zeros beyond the border
    lay_out(levels, fused, n, rhs, u, memory + n);
    cycle(levels, LEVELS - 1, fused, memory);
    free(memory);
    return 0;
}
