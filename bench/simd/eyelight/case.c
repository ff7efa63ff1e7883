#include "simd.h"

#include <math.h>
#include <stdlib.h>

enum { LEAF = 4 }; // triangles in a box

// n: quadrangles around a ring, half as many around its tube; points of the picture.
static int64_t tube(const int64_t *n)
{
    return n[0] / 2;
}

static int64_t count_of(const int64_t *n)
{
    return 2 * n[0] * tube(n);
}

static int64_t triangles(const int64_t *n)
{
    return 9 * count_of(n);
}

// Boxes of m triangles.
static int64_t boxes_of(int64_t m)
{
    return m <= LEAF ? 1 : 1 + boxes_of(m / 2) + boxes_of(m - m / 2);
}

static int64_t corners(const int64_t *n)
{
    return 6 * boxes_of(count_of(n));
}

static int64_t links(const int64_t *n)
{
    return 2 * boxes_of(count_of(n));
}

static int64_t output(const int64_t *n)
{
    return n[1] * n[2];
}

typedef struct {
    float corner[3][3];
} Triangle;

static Triangle *mesh; // while inputs are made

// A point of a ring with bumps, around which i and along whose tube j counts.
static void ring(const int64_t *n, int64_t i, int64_t j, float *p)
{
    double a = 2 * M_PI * (double)i / (double)n[0], b = 2 * M_PI * (double)j / (double)tube(n);
    double tube = 0.3 + 0.03 * sin(11 * a) * cos(5 * b), out = 0.7 + tube * cos(b),
           z = tube * sin(b);
    double x = out * cos(a), y = out * sin(a), tilt = 0.9;
    p[0] = (float)x;
    p[1] = (float)(y * cos(tilt) - z * sin(tilt));
    p[2] = (float)(y * sin(tilt) + z * cos(tilt));
}

static void make_mesh(const int64_t *n)
{
    for (int64_t i = 0; i < n[0]; i++)
        for (int64_t j = 0; j < tube(n); j++) {
            Triangle *t = &mesh[2 * (i * tube(n) + j)];
            ring(n, i, j, t[0].corner[0]);
            ring(n, i + 1, j, t[0].corner[1]);
            ring(n, i, j + 1, t[0].corner[2]);
            ring(n, i + 1, j + 1, t[1].corner[0]);
            ring(n, i, j + 1, t[1].corner[1]);
            ring(n, i + 1, j, t[1].corner[2]);
        }
}

static double middle(const Triangle *t, int axis)
{
    return (double)t->corner[0][axis] + t->corner[1][axis] + t->corner[2][axis];
}

#define BY(name, axis)                                                                             \
    static int name(const void *a, const void *b)                                                  \
    {                                                                                              \
        double x = middle(a, axis), y = middle(b, axis);                                           \
        return (x > y) - (x < y);                                                                  \
    }
BY(by_x, 0)
BY(by_y, 1)
BY(by_z, 2)

typedef struct {
    float *box;         // six rows of numbers
    int32_t *link;      // and how many triangles
    int64_t all, boxes; // how many boxes there are, and are done
} Tree;

// The box of m triangles from the first on, and those in it.
static void enclose(Tree *tree, int64_t first, int64_t m)
{
    static int (*const order[])(const void *, const void *) = {by_x, by_y, by_z};
    int64_t at = tree->boxes++;
    int axis = 0;
    for (int a = 0; a < 3; a++) {
        float low = INFINITY, high = -INFINITY;
        for (int64_t i = 3 * first; i < 3 * (first + m); i++) {
            low = fminf(low, mesh[i / 3].corner[i % 3][a]);
            high = fmaxf(high, mesh[i / 3].corner[i % 3][a]);
        }
        tree->box[a * tree->all + at] = low;
        tree->box[(3 + a) * tree->all + at] = high;
        if (high - low > tree->box[(3 + axis) * tree->all + at] - tree->box[axis * tree->all + at])
            axis = a;
    }
    tree->link[at] = (int32_t)first;
    tree->link[tree->all + at] = (int32_t)m;
    if (m <= LEAF) return;
    qsort(mesh + first, (size_t)m, sizeof *mesh, order[axis]);
    enclose(tree, first, m / 2);
    tree->link[at] = (int32_t)tree->boxes;
    tree->link[tree->all + at] = 0;
    enclose(tree, first + m / 2, m - m / 2);
}

static void *memory(int64_t count, size_t size)
{
    void *p = malloc((size_t)count * size);
    if (!p) abort();
    return p;
}

// Boxes; links and counts; triangles. The tree puts the triangles in order.
static void fill(const int64_t *n, int k, int64_t count, void *in)
{
    int64_t all = boxes_of(count_of(n)), m = count_of(n);
    Tree tree = {memory(6 * all, sizeof(float)), memory(2 * all, sizeof(int32_t)), all, 0};
    mesh = memory(m, sizeof *mesh);
    make_mesh(n);
    enclose(&tree, 0, m);
    for (int64_t i = 0; i < count; i++) {
        int row = (int)(i / m);
        const Triangle *t = &mesh[i % m];
        switch (k) {
        case 0: ((float *)in)[i] = tree.box[i]; break;
        case 1: ((int32_t *)in)[i] = tree.link[i]; break;
        case 2:
            ((float *)in)[i] = t->corner[row / 3][row % 3] - (row < 3 ? 0 : t->corner[0][row % 3]);
        }
    }
    free(tree.box);
    free(tree.link);
    free(mesh);
}

static int call(Side *side, const int64_t *n, void *const *in, void *out)
{
    int64_t all = boxes_of(count_of(n)), m = count_of(n);
    const float *box = in[0], *t = in[2];
    const int32_t *link = in[1];
    return side(all, m, n[1], n[2], box, box + all, box + 2 * all, box + 3 * all, box + 4 * all,
                box + 5 * all, link, link + all, t, t + m, t + 2 * m, t + 3 * m, t + 4 * m,
                t + 5 * m, t + 6 * m, t + 7 * m, t + 8 * m, out);
}

// All triangles, in double precision: where a ray meets the plane of one, and on which side of its three sides that is.
static double seen(int64_t m, const float *t, const double *org, const double *dir)
{
    double best = INFINITY, straight = 0;
    for (int64_t i = 0; i < m; i++) {
        double p[3][3], normal[3], length = 0, down = 0, height = 0;
        for (int a = 0; a < 3; a++) {
            p[0][a] = t[a * m + i];
            p[1][a] = p[0][a] + t[(3 + a) * m + i];
            p[2][a] = p[0][a] + t[(6 + a) * m + i];
        }
        for (int a = 0; a < 3; a++) {
            int b = (a + 1) % 3, c = (a + 2) % 3;
            normal[a] = (p[1][b] - p[0][b]) * (p[2][c] - p[0][c]) -
                        (p[1][c] - p[0][c]) * (p[2][b] - p[0][b]);
            length += normal[a] * normal[a];
            down += normal[a] * dir[a];
            height += normal[a] * (p[0][a] - org[a]);
        }
        double far = height / down;
        bool in = far > 0 && far < best;
        for (int side = 0; in && side < 3; side++) {
            const double *from = p[side], *to = p[(side + 1) % 3];
            double turn = 0;
            for (int a = 0; a < 3; a++) {
                int b = (a + 1) % 3, c = (a + 2) % 3;
                double y = org[b] + far * dir[b] - from[b], z = org[c] + far * dir[c] - from[c];
                turn += normal[a] * ((to[b] - from[b]) * z - (to[c] - from[c]) * y);
            }
            in = turn >= 0;
        }
        if (!in) continue;
        best = far;
        straight = fabs(down) / sqrt(length);
    }
    return straight;
}

static int reference(const int64_t *n, void *const *in, void *out)
{
    static const double org[] = {0, 0, -2.5};
    for (int64_t p = 0; p < output(n); p++) {
        double x = (double)(p % n[1]) / (double)n[1] - 0.5 + 0.0001;
        double y = 0.0001 - ((double)(p / n[1]) / (double)n[2] - 0.5);
        double length = sqrt(x * x + y * y + 1), dir[] = {x / length, y / length, 1 / length};
        ((float *)out)[p] = (float)seen(count_of(n), in[2], org, dir);
    }
    return 0;
}

static const BenchType types[BENCH_INPUTS] = {BENCH_F32, BENCH_I32, BENCH_F32};

// At the edges of triangles a ray meets one or the other.
const BenchCase bench_case = {
    .name = SIMD_NAME,
    .pairs = SIMD_PAIRS,
    .sizes = {{"13 37x19", {13, 37, 19}}, {"64 256x192", {64, 256, 192}}},
    .inputs = {corners, links, triangles},
    .input_types = types,
    .fill = fill,
    .output = output,
    .reference = reference,
    .tolerance = 1e-4,
    .mean = true,
};
