#include "peer.h"

#include <math.h>

#define FAR 1e17f

enum { SUBSAMPLES = 2, RAYS = 8 };

typedef struct {
    float x, y, z;
} Vec;

typedef struct {
    float distance;
    Vec normal;
} Hit;

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

static Vec cross(Vec a, Vec b)
{
    return (Vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static Vec normalize(Vec v)
{
    return scaled(1.0f / sqrtf(dot(v, v)), v);
}

static inline __attribute__((always_inline)) void hit_sphere(Hit *best, Vec org, Vec dir,
                                                             Vec center)
{
    Vec to = along(org, -1.0f, center);
    float b = dot(to, dir), d = b * b - dot(to, to) + 0.25f;
    if (d <= 0) return;
    float t = -b - sqrtf(d);
    if (t > 0 && t < best->distance) *best = (Hit){t, normalize(along(to, t, dir))};
}

static inline __attribute__((always_inline)) void hit_plane(Hit *best, Vec org, Vec dir)
{
    if (fabsf(dir.y) <= 1e-9f) return;
    float t = -(org.y + 0.5f) / dir.y;
    if (t > 0 && t < best->distance) *best = (Hit){t, {0, 1, 0}};
}

// Inline, so that nothing is computed that is not asked for: gcc would not.
static inline __attribute__((always_inline)) Hit trace(Vec org, Vec dir)
{
    Hit best = {FAR, {0, 0, 0}};
    hit_sphere(&best, org, dir, (Vec){-2.0f, 0, -3.5f});
    hit_sphere(&best, org, dir, (Vec){-0.5f, 0, -3.0f});
    hit_sphere(&best, org, dir, (Vec){1.0f, 0, -2.2f});
    hit_plane(&best, org, dir);
    return best;
}

static Vec some_across(Vec up)
{
    if (up.x < 0.6f && up.x > -0.6f) return (Vec){1, 0, 0};
    if (up.y < 0.6f && up.y > -0.6f) return (Vec){0, 1, 0};
    if (up.z < 0.6f && up.z > -0.6f) return (Vec){0, 0, 1};
    return (Vec){1, 0, 0};
}

static float uniform(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (float)(int32_t)(*state >> 8) / 16777216.0f;
}

static int free_rays(Vec point, Vec normal, uint32_t *state)
{
    Vec org = along(point, 0.0001f, normal);
    Vec x = normalize(cross(some_across(normal), normal)), y = normalize(cross(normal, x));
    int count = 0;
    for (int i = 0; i < RAYS * RAYS; i++) {
        float radius = sqrtf(uniform(state)), angle = 6.2831855f * uniform(state);
        Vec dir = along(scaled(radius * cosf(angle), x), radius * sinf(angle), y);
        count += trace(org, along(dir, sqrtf(1.0f - radius * radius), normal)).distance == FAR;
    }
    return count;
}

static float pixel(float x, float y, float half, uint32_t state)
{
    int count = 0;
    for (int v = 0; v < SUBSAMPLES; v++)
        for (int u = 0; u < SUBSAMPLES; u++) {
            float across = (x + (float)u / SUBSAMPLES - half) / half;
            float down = (y + (float)v / SUBSAMPLES - half) / half;
            Vec dir = normalize((Vec){across, -down, -1});
            Hit hit = trace((Vec){0, 0, 0}, dir);
            if (hit.distance < FAR)
                count += free_rays(scaled(hit.distance, dir), hit.normal, &state);
        }
    return (float)count / (SUBSAMPLES * SUBSAMPLES * RAYS * RAYS);
}

int PEER(int64_t n, float *restrict out)
{
    for (int64_t y = 0; y < n; y++)
        for (int64_t x = 0; x < n; x++)
            out[y * n + x] =
                pixel((float)x, (float)y, 0.5f * (float)n, (uint32_t)(y * n + x) * 2654435761u);
    return 0;
}
