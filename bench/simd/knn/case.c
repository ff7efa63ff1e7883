#include "simd.h"

#include <stdlib.h>
#include <string.h>

enum { K = 8 };

// n: points in the tree, others.
static int64_t tree(const int64_t *n)
{
    return 3 * n[0];
}

static int64_t others(const int64_t *n)
{
    return 3 * n[1];
}

static int64_t output(const int64_t *n)
{
    return K * n[1];
}

typedef struct {
    float at[3];
} Point;

#define BY(name, axis)                                                                             \
    static int name(const void *a, const void *b)                                                  \
    {                                                                                              \
        float x = ((const Point *)a)->at[axis], y = ((const Point *)b)->at[axis];                  \
        return (x > y) - (x < y);                                                                  \
    }
BY(by_x, 0)
BY(by_y, 1)
BY(by_z, 2)

// How many of n nodes are left of the root in a tree without gaps.
static int64_t left_of(int64_t n)
{
    int64_t row = 1;
    while (2 * row <= n) row *= 2; // nodes of the last row, if it is full
    int64_t last = n - (row - 1);
    return (row - 2) / 2 + (last < row / 2 ? last : row / 2);
}

static void build(Point *points, int64_t n, int axis, int64_t node, int64_t all, float *to)
{
    static int (*const order[])(const void *, const void *) = {by_x, by_y, by_z};
    if (n == 0) return;
    qsort(points, (size_t)n, sizeof *points, order[axis]);
    int64_t left = n == 1 ? 0 : left_of(n);
    for (int a = 0; a < 3; a++) to[a * all + node] = points[left].at[a];
    build(points, left, (axis + 1) % 3, 2 * node + 1, all, to);
    build(points + left + 1, n - left - 1, (axis + 1) % 3, 2 * node + 2, all, to);
}

static void fill(const int64_t *n, int k, int64_t count, void *in)
{
    uint64_t state = (uint64_t)k + 1;
    Point *points = malloc((size_t)n[0] * sizeof *points + 1);
    if (!points) abort();
    for (int64_t i = 0; k == 0 && i < n[0]; i++)
        for (int a = 0; a < 3; a++) points[i].at[a] = simd_random(&state, 0, 1);
    if (k == 0) build(points, n[0], 0, 0, n[0], in);
    free(points);
    // The others go along a winding path, so that neighbours are near one another.
    float at[3] = {0.5f, 0.5f, 0.5f};
    for (int64_t i = 0; k == 1 && i < count / 3; i++)
        for (int a = 0; a < 3; a++) {
            float next = at[a] + simd_random(&state, -0.02, 0.02);
            at[a] = next < 0 ? -next : next > 1 ? 2 - next : next;
            ((float *)in)[a * n[1] + i] = at[a];
        }
}

static int call(Side *side, const int64_t *n, void *const *in, void *out)
{
    return side(n[0], n[1], in[0], in[1], out);
}

// All distances, in double precision, as positions in a sorted list.
static int reference(const int64_t *n, void *const *in, void *out)
{
    const float *point = in[0], *other = in[1];
    for (int64_t i = 0; i < n[1]; i++) {
        double best[K];
        for (int k = 0; k < K; k++) best[k] = 1e30;
        for (int64_t j = 0; j < n[0]; j++) {
            double square = 0;
            for (int a = 0; a < 3; a++) {
                double d = (double)point[a * n[0] + j] - other[a * n[1] + i];
                square += d * d;
            }
            int place = K;
            while (place > 0 && best[place - 1] > square) place--;
            if (place == K) continue;
            memmove(best + place + 1, best + place, (size_t)(K - 1 - place) * sizeof *best);
            best[place] = square;
        }
        for (int k = 0; k < K; k++) ((float *)out)[k * n[1] + i] = (float)best[k];
    }
    return 0;
}

const BenchCase bench_case = {
    .name = SIMD_NAME,
    .pairs = SIMD_PAIRS,
    .sizes = {{"37 19", {37, 19}}, {"30000 4096", {30000, 4096}}},
    .inputs = {tree, others},
    .fill = fill,
    .output = output,
    .reference = reference,
    .tolerance = 1e-6,
};
