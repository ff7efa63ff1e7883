// Three scenes: a fractal terrain, random boxes, spheres. Each is the same in every run.
#ifndef SCENES_H
#define SCENES_H

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

typedef struct {
    const char *name;
    int64_t corners, triangles;
    float (*corner)[3];
    int32_t (*triangle)[3];
} Scene;

// A number from 0 to 1 that follows from a number (splitmix64).
static inline float chance(uint64_t k)
{
    uint64_t z = (k + 1) * UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return (float)((z ^ z >> 31) >> 40) * 0x1p-24f;
}

static inline Scene scene_of(const char *name, int64_t corners, int64_t triangles)
{
    return (Scene){name, corners, triangles, malloc((size_t)corners * sizeof(float[3])),
                   malloc((size_t)triangles * sizeof(int32_t[3]))};
}

// A grid of side*side squares, whose heights are noise of several sizes.
static inline float height(int64_t x, int64_t y)
{
    float h = 0;
    for (int64_t size = 256; size > 0; size /= 2) {
        int64_t i = x / size, j = y / size;
        float u = (float)(x % size) / (float)size, v = (float)(y % size) / (float)size;
        float a[4];
        for (int k = 0; k < 4; k++)
            a[k] = chance((uint64_t)((i + k % 2) * 4096 + j + k / 2 + size * 999983));
        h += (float)size * 0.3f *
             ((a[0] * (1 - u) + a[1] * u) * (1 - v) + (a[2] * (1 - u) + a[3] * u) * v);
    }
    return h;
}

static inline Scene terrain(int64_t side)
{
    Scene s = scene_of("terrain", (side + 1) * (side + 1), 2 * side * side);
    for (int64_t y = 0; y <= side; y++)
        for (int64_t x = 0; x <= side; x++) {
            float *p = s.corner[y * (side + 1) + x];
            p[0] = (float)x, p[1] = height(x, y), p[2] = (float)y;
        }
    for (int64_t k = 0; k < side * side; k++) {
        int32_t at = (int32_t)(k / side * (side + 1) + k % side), down = at + (int32_t)side + 1;
        int32_t both[6] = {at, at + 1, down, down, at + 1, down + 1};
        for (int i = 0; i < 6; i++) s.triangle[2 * k + i / 3][i % 3] = both[i];
    }
    return s;
}

// Boxes of any position and direction, of sizes that differ much.
static inline Scene boxes(int64_t count)
{
    static const int32_t faces[12][3] = {{0, 1, 2}, {2, 1, 3}, {4, 6, 5}, {5, 6, 7},
                                         {0, 4, 1}, {1, 4, 5}, {2, 3, 6}, {6, 3, 7},
                                         {0, 2, 4}, {4, 2, 6}, {1, 5, 3}, {3, 5, 7}};
    Scene s = scene_of("boxes", 8 * count, 12 * count);
    for (int64_t k = 0; k < count; k++) {
        float r[12];
        for (int i = 0; i < 12; i++) r[i] = chance((uint64_t)(12 * k + i));
        float size = 4 * powf(0.02f, r[3]), a = 6.2832f * r[4], b = 6.2832f * r[5];
        float axis[3][3] = {{cosf(a) * cosf(b), sinf(a) * cosf(b), sinf(b)},
                            {-sinf(a), cosf(a), 0},
                            {-cosf(a) * sinf(b), -sinf(a) * sinf(b), cosf(b)}};
        for (int c = 0; c < 8; c++)
            for (int i = 0; i < 3; i++) {
                float p = 100 * r[i];
                for (int d = 0; d < 3; d++)
                    p += (c >> d & 1 ? 1 : -1) * size * (0.2f + r[6 + d]) * axis[d][i];
                s.corner[8 * k + c][i] = p;
            }
        for (int f = 0; f < 12; f++)
            for (int i = 0; i < 3; i++) s.triangle[12 * k + f][i] = (int32_t)(8 * k) + faces[f][i];
    }
    return s;
}

// Spheres of any position and size, of `across` times `across` quadrangles each.
static inline Scene spheres(int64_t count, int64_t across)
{
    int64_t own = (across + 1) * (across + 1), faces = 2 * across * across;
    Scene s = scene_of("spheres", own * count, faces * count);
    for (int64_t k = 0; k < count; k++) {
        float r[4];
        for (int i = 0; i < 4; i++) r[i] = chance((uint64_t)(4 * k + i + 77));
        float size = 1 + 6 * r[3];
        for (int64_t v = 0; v < own; v++) {
            float a = 6.2831853f * (float)(v % (across + 1)) / (float)across;
            float b = 3.1415927f * (float)(v / (across + 1)) / (float)across;
            float *p = s.corner[own * k + v];
            p[0] = 100 * r[0] + size * sinf(b) * cosf(a);
            p[1] = 100 * r[1] + size * cosf(b);
            p[2] = 100 * r[2] + size * sinf(b) * sinf(a);
        }
        for (int64_t q = 0; q < across * across; q++) {
            int32_t at = (int32_t)(own * k + q / across * (across + 1) + q % across);
            int32_t down = at + (int32_t)across + 1;
            int32_t both[6] = {at, at + 1, down, down, at + 1, down + 1};
            for (int i = 0; i < 6; i++) s.triangle[faces * k + 2 * q + i / 3][i % 3] = both[i];
        }
    }
    return s;
}

#endif
