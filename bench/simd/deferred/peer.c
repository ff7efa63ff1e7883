#include "peer.h"

#include <math.h>
#include <stdlib.h>

enum { TILE = 16 };

typedef struct {
    int64_t n;
    const float *x, *y, *z, *reach, *power;
} Lamps;

static float smaller(float a, float b)
{
    return a < b ? a : b;
}

static float greater(float a, float b)
{
    return a > b ? a : b;
}

static float outside(float low, float high, float x)
{
    return greater(greater(low - x, x - high), 0.0f);
}

static int find(const Lamps *l, float left, float top, float near, float far, int32_t *found)
{
    int count = 0;
    for (int64_t i = 0; i < l->n; i++) {
        float dx = outside(left, left + TILE, l->x[i]), dy = outside(top, top + TILE, l->y[i]);
        float dz = outside(near, far, l->z[i]);
        if (dx * dx + dy * dy + dz * dz < l->reach[i] * l->reach[i]) found[count++] = (int32_t)i;
    }
    return count;
}

static float lit(const Lamps *l, const int32_t *found, int count, float x, float y, float z,
                 float sx, float sy)
{
    float sum = 0, up = 1.0f / sqrtf(1.0f + sx * sx + sy * sy);
    for (int k = 0; k < count; k++) {
        int i = found[k];
        float dx = l->x[i] - x, dy = l->y[i] - y, dz = l->z[i] - z, reach = l->reach[i];
        float square = dx * dx + dy * dy + dz * dz;
        if (square >= reach * reach) continue;
        float distance = sqrtf(square), facing = (sx * dx + sy * dy - dz) * up;
        if (facing <= 0) continue;
        float fade = 1.0f - distance / reach;
        sum += l->power[i] * fade * fade * facing / distance;
    }
    return sum;
}

int PEER(int64_t h, int64_t w, int64_t n, const float *restrict depth, const float *restrict sx,
         const float *restrict sy, const float *restrict colour, const float *restrict lamp_x,
         const float *restrict lamp_y, const float *restrict lamp_z, const float *restrict reach,
         const float *restrict power, float *restrict out)
{
    Lamps lamps = {n, lamp_x, lamp_y, lamp_z, reach, power};
    int32_t *found = malloc((size_t)n * sizeof *found + 1);
    if (!found) return 1;
    for (int64_t top = 0; top < h * TILE; top += TILE)
        for (int64_t left = 0; left < w * TILE; left += TILE) {
            int64_t row = w * TILE;
            float near = depth[top * row + left], far = near;
            for (int64_t y = top; y < top + TILE; y++)
                for (int64_t x = left; x < left + TILE; x++) {
                    near = smaller(near, depth[y * row + x]);
                    far = greater(far, depth[y * row + x]);
                }
            int count = find(&lamps, (float)left, (float)top, near, far, found);
            for (int64_t y = top; y < top + TILE; y++)
                for (int64_t x = left; x < left + TILE; x++) {
                    int64_t p = y * row + x;
                    float light =
                        lit(&lamps, found, count, (float)x, (float)y, depth[p], sx[p], sy[p]);
                    out[p] = colour[p] * (0.1f + light);
                }
        }
    free(found);
    return 0;
}
