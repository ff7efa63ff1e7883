#include "peer.h"

#include <math.h>

#define STEP        0.025f
#define SHADOW_STEP 0.075f
#define DARK        0.005f

typedef struct {
    float x, y, z;
} Vec;

typedef struct {
    const float *cells;
    int n;
} Volume;

static float smaller(float a, float b)
{
    return a < b ? a : b;
}

static float greater(float a, float b)
{
    return a > b ? a : b;
}

static float dot(Vec a, Vec b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static Vec along(Vec a, float t, Vec b) // a + t b
{
    return (Vec){a.x + t * b.x, a.y + t * b.y, a.z + t * b.z};
}

static Vec scaled(float t, Vec a)
{
    return (Vec){t * a.x, t * a.y, t * a.z};
}

static void inside(Vec org, Vec dir, float *near, float *far)
{
    float ax = (0.0f - org.x) / dir.x, ay = (0.0f - org.y) / dir.y, az = (0.0f - org.z) / dir.z;
    float bx = (1.0f - org.x) / dir.x, by = (1.0f - org.y) / dir.y, bz = (1.0f - org.z) / dir.z;
    *near = greater(greater(greater(smaller(ax, bx), smaller(ay, by)), smaller(az, bz)), 0.0f);
    *far = smaller(smaller(greater(ax, bx), greater(ay, by)), greater(az, bz));
}

static float mix(float t, float a, float b)
{
    return a + t * (b - a);
}

static float row(float u, const float *cells)
{
    return mix(u, cells[0], cells[1]);
}

static float density(Volume v, Vec p)
{
    int n = v.n;
    float last = (float)(n - 1);
    float x = smaller(greater(p.x * last, 0.0f), last);
    float y = smaller(greater(p.y * last, 0.0f), last);
    float z = smaller(greater(p.z * last, 0.0f), last);
    int i = (int)smaller(x, last - 1), j = (int)smaller(y, last - 1), k = (int)smaller(z, last - 1);
    float tx = x - (float)i, ty = y - (float)j, tz = z - (float)k;
    const float *at = v.cells + ((k * n + j) * n + i);
    return mix(tz, mix(ty, row(tx, at), row(tx, at + n)),
               mix(ty, row(tx, at + n * n), row(tx, at + n * n + n)));
}

static float transmittance(Volume v, Vec org, Vec dir, float distance)
{
    float near, far, thickness = 0;
    inside(org, dir, &near, &far);
    float end = smaller(far, distance);
    for (float t = 0.5f * SHADOW_STEP; t < end; t += SHADOW_STEP)
        thickness += density(v, along(org, t, dir));
    return expf(-SHADOW_STEP * thickness);
}

static float march(Volume v, Vec light, float thick, Vec org, Vec dir)
{
    float near, far, result = 0, clear = 1;
    inside(org, dir, &near, &far);
    if (near >= far) return 0;
    for (float t = near; t < far; t += STEP) {
        Vec p = along(org, t, dir);
        float here = thick * density(v, p);
        clear *= expf(-STEP * here);
        if (clear < DARK) break;
        Vec to_light = along(light, -1.0f, p);
        float square = dot(to_light, to_light), distance = sqrtf(square);
        float bright = transmittance(v, p, scaled(1.0f / distance, to_light), distance) / square;
        result += STEP * here * clear * bright;
    }
    return powf(smaller(result, 1.0f), 1.0f / 2.2f);
}

int PEER(int64_t n, int64_t w, int64_t h, const float *restrict volume, float *restrict out)
{
    const Vec eye = {0.4f, 0.6f, -1.5f}, light = {-0.5f, 1.5f, -0.7f};
    Volume v = {volume, (int)n};
    for (int64_t y = 0; y < h; y++)
        for (int64_t x = 0; x < w; x++) {
            Vec dir = {(float)x / (float)w - 0.5f + 0.1f, 0.5f - (float)y / (float)h, 1.5f};
            dir = scaled(1.0f / sqrtf(dot(dir, dir)), dir);
            out[y * w + x] = march(v, light, 8.0f, eye, dir);
        }
    return 0;
}
