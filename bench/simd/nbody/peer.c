#include "peer.h"

#include <math.h>

#define EPSILON 0.01f

int PEER(int64_t n, const float *restrict x, const float *restrict y, const float *restrict z,
         const float *restrict mass, float *restrict out)
{
    for (int64_t i = 0; i < n; i++) {
        float sx = 0, sy = 0, sz = 0;
        for (int64_t j = 0; j < n; j++) {
            float dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
            float inverse = 1.0f / sqrtf(dx * dx + dy * dy + dz * dz + EPSILON * EPSILON);
            float pull = mass[j] * inverse * inverse * inverse;
            sx += pull * dx;
            sy += pull * dy;
            sz += pull * dz;
        }
        out[i] = sx;
        out[n + i] = sy;
        out[2 * n + i] = sz;
    }
    return 0;
}
