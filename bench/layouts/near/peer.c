#include <stdint.h>
#include <stdlib.h>

enum { NEAR = 16 };

int peer_arrays(int64_t n, const float *restrict data, const int32_t *restrict near,
                float *restrict out);
int peer_structs(int64_t n, const float *restrict data, const int32_t *restrict near,
                 float *restrict out);

typedef struct {
    float x, y, z, mass, u, v, w, age;
} Particle;

// Arrays for the numbers that are read.
int peer_arrays(int64_t n, const float *restrict data, const int32_t *restrict near,
                float *restrict out)
{
    float *p = malloc((size_t)n * 4 * sizeof *p + 1);
    if (!p) return 1;
    float *restrict x = p, *restrict y = p + n, *restrict z = p + 2 * n, *restrict mass = p + 3 * n;
    for (int64_t i = 0; i < n; i++) {
        x[i] = data[i];
        y[i] = data[n + i];
        z[i] = data[2 * n + i];
        mass[i] = data[3 * n + i];
    }
    for (int64_t i = 0; i < n; i++) {
        float sum = 0.0f;
        for (int64_t j = 0; j < NEAR; j++) {
            int32_t k = near[i * NEAR + j];
            float dx = x[k] - x[i], dy = y[k] - y[i], dz = z[k] - z[i];
            sum += mass[k] / (dx * dx + dy * dy + dz * dz + 0.01f);
        }
        out[i] = sum;
    }
    free(p);
    return 0;
}

int peer_structs(int64_t n, const float *restrict data, const int32_t *restrict near,
                 float *restrict out)
{
    Particle *restrict p = malloc((size_t)n * sizeof *p + 1);
    if (!p) return 1;
    for (int64_t i = 0; i < n; i++)
        p[i] = (Particle){data[i],         data[n + i],     data[2 * n + i], data[3 * n + i],
                          data[4 * n + i], data[5 * n + i], data[6 * n + i], data[7 * n + i]};
    for (int64_t i = 0; i < n; i++) {
        float sum = 0.0f;
        for (int64_t j = 0; j < NEAR; j++) {
            Particle q = p[near[i * NEAR + j]];
            float dx = q.x - p[i].x, dy = q.y - p[i].y, dz = q.z - p[i].z;
            sum += q.mass / (dx * dx + dy * dy + dz * dz + 0.01f);
        }
        out[i] = sum;
    }
    free(p);
    return 0;
}
