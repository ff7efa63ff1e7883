#include "peer.h"

#include <math.h>

enum { OCTAVES = 4 };

static float fade(float t)
{
    return t * t * t * (t * (t * 6.0f - 15.0f) + 10.0f);
}

static float mix(float t, float a, float b)
{
    return a + t * (b - a);
}

static float gradient(int hash, float x, float y, float z)
{
    int h = hash & 15;
    float u = h < 8 ? x : y, v = h < 4 ? y : h == 12 || h == 14 ? x : z;
    return (h & 1 ? -u : u) + (h & 2 ? -v : v);
}

static float face(const int32_t *table, int aa, int ab, int ba, int bb, float u, float v, float x,
                  float y, float z)
{
    return mix(
        v, mix(u, gradient(table[aa], x, y, z), gradient(table[ba], x - 1.0f, y, z)),
        mix(u, gradient(table[ab], x, y - 1.0f, z), gradient(table[bb], x - 1.0f, y - 1.0f, z)));
}

static float noise(const int32_t *table, float x, float y, float z)
{
    float fx = floorf(x), fy = floorf(y), fz = floorf(z);
    int i = (int)fx & 255, j = (int)fy & 255, k = (int)fz & 255;
    x -= fx;
    y -= fy;
    z -= fz;
    float u = fade(x), v = fade(y), w = fade(z);
    int a = table[i] + j, b = table[i + 1] + j;
    int aa = table[a] + k, ab = table[a + 1] + k, ba = table[b] + k, bb = table[b + 1] + k;
    return mix(w, face(table, aa, ab, ba, bb, u, v, x, y, z),
               face(table, aa + 1, ab + 1, ba + 1, bb + 1, u, v, x, y, z - 1.0f));
}

static float turbulence(const int32_t *table, float x, float y, float z)
{
    float sum = 0, scale = 1;
    for (int octave = 0; octave < OCTAVES; octave++) {
        sum += fabsf(noise(table, scale * x, scale * y, scale * z)) / scale;
        scale *= 2;
    }
    return sum;
}

int PEER(int64_t w, int64_t h, const int32_t *restrict table, float *restrict out)
{
    for (int64_t y = 0; y < h; y++)
        for (int64_t x = 0; x < w; x++)
            out[y * w + x] =
                turbulence(table, (float)x * 0.03f - 10.0f, (float)y * 0.03f - 10.0f, 0.6f);
    return 0;
}
