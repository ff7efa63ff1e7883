#include "peer.h"

#include <math.h>
#include <stdbool.h>

enum { DEPTH = 32 };

typedef struct {
    float x, y, z;
} Vec;

typedef struct {
    const float *x, *y, *z;
} Vecs;

typedef struct {
    Vecs low, high;
    const int32_t *link, *count;
} Boxes;

typedef struct {
    Vecs corner, first, second;
} Triangles;

static float smaller(float a, float b)
{
    return a < b ? a : b;
}

static float greater(float a, float b)
{
    return a > b ? a : b;
}

static Vec at(Vecs v, int i)
{
    return (Vec){v.x[i], v.y[i], v.z[i]};
}

static float dot(Vec a, Vec b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static Vec cross(Vec a, Vec b)
{
    return (Vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static Vec minus(Vec a, Vec b)
{
    return (Vec){a.x - b.x, a.y - b.y, a.z - b.z};
}

static Vec normalize(Vec v)
{
    float inverse = 1.0f / sqrtf(dot(v, v));
    return (Vec){inverse * v.x, inverse * v.y, inverse * v.z};
}

static bool meets(const Boxes *boxes, int i, Vec org, Vec inverse, float far)
{
    Vec a = minus(at(boxes->low, i), org), b = minus(at(boxes->high, i), org);
    float ax = a.x * inverse.x, ay = a.y * inverse.y, az = a.z * inverse.z;
    float bx = b.x * inverse.x, by = b.y * inverse.y, bz = b.z * inverse.z;
    float into = greater(greater(smaller(ax, bx), smaller(ay, by)), greater(smaller(az, bz), 0.0f));
    float out = smaller(smaller(greater(ax, bx), greater(ay, by)), smaller(greater(az, bz), far));
    return into <= out;
}

static float distance(const Triangles *t, int i, Vec org, Vec dir, float far)
{
    Vec first = at(t->first, i), second = at(t->second, i), p = cross(dir, second);
    float inverse = 1.0f / dot(first, p);
    Vec to = minus(org, at(t->corner, i)), q = cross(to, first);
    float u = dot(to, p) * inverse, v = dot(dir, q) * inverse, d = dot(second, q) * inverse;
    return u >= 0 && v >= 0 && u + v <= 1 && d > 0 && d < far ? d : far;
}

static float seen(const Boxes *boxes, const Triangles *triangles, Vec org, Vec dir)
{
    Vec inverse = {1.0f / dir.x, 1.0f / dir.y, 1.0f / dir.z};
    float far = 1e30f;
    int hit = -1, stack[DEPTH], waiting = 0, box = 0;
    for (;;) {
        if (meets(boxes, box, org, inverse, far)) {
            int link = boxes->link[box], count = boxes->count[box];
            if (count == 0) {
                stack[waiting++] = link;
                box++;
                continue;
            }
            for (int i = link; i < link + count; i++) {
                float d = distance(triangles, i, org, dir, far);
                if (d < far) {
                    far = d;
                    hit = i;
                }
            }
        }
        if (waiting == 0) break;
        box = stack[--waiting];
    }
    if (hit < 0) return 0;
    return fabsf(dot(normalize(cross(at(triangles->first, hit), at(triangles->second, hit))), dir));
}

int PEER(int64_t n, int64_t m, int64_t w, int64_t h, const float *restrict low_x,
         const float *restrict low_y, const float *restrict low_z, const float *restrict high_x,
         const float *restrict high_y, const float *restrict high_z, const int32_t *restrict link,
         const int32_t *restrict count, const float *restrict corner_x,
         const float *restrict corner_y, const float *restrict corner_z,
         const float *restrict first_x, const float *restrict first_y,
         const float *restrict first_z, const float *restrict second_x,
         const float *restrict second_y, const float *restrict second_z, float *restrict out)
{
    Boxes boxes = {{low_x, low_y, low_z}, {high_x, high_y, high_z}, link, count};
    Triangles triangles = {{corner_x, corner_y, corner_z},
                           {first_x, first_y, first_z},
                           {second_x, second_y, second_z}};
    if (n < 1 || m < 0) return 1;
    for (int64_t y = 0; y < h; y++)
        for (int64_t x = 0; x < w; x++) {
            Vec dir = {(float)x / (float)w - 0.5f + 0.0001f, 0.0001f - ((float)y / (float)h - 0.5f),
                       1.0f};
            out[y * w + x] = seen(&boxes, &triangles, (Vec){0, 0, -2.5f}, normalize(dir));
        }
    return 0;
}
