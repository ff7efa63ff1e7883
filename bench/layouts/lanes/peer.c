#include <stdint.h>
#include <stdlib.h>

enum { ROUNDS = 4 };

int peer_arrays(int64_t n, const float *restrict data, float *restrict out);
int peer_structs(int64_t n, const float *restrict data, float *restrict out);

typedef struct {
    float x, y, z, mass, u, v, w, age;
} Particle;

int peer_arrays(int64_t n, const float *restrict data, float *restrict out)
{
    float *restrict p = malloc((size_t)n * 8 * sizeof *p + 1);
    if (!p) return 1;
    for (int64_t i = 0; i < 8 * n; i++) p[i] = data[i];
    const float *x = p, *y = p + n, *z = p + 2 * n, *mass = p + 3 * n, *u = p + 4 * n,
                *v = p + 5 * n, *w = p + 6 * n, *age = p + 7 * n;
    for (int64_t s = 0; s < ROUNDS; s++)
        for (int64_t i = 0; i < n; i++) {
            float kinetic = u[i] * u[i] + v[i] * v[i] + w[i] * w[i];
            float distance = x[i] * x[i] + y[i] * y[i] + z[i] * z[i];
            out[s * n + i] = mass[i] * (0.5f * kinetic + (float)s * distance) * age[i];
        }
    free(p);
    return 0;
}

int peer_structs(int64_t n, const float *restrict data, float *restrict out)
{
    Particle *restrict p = malloc((size_t)n * sizeof *p + 1);
    if (!p) return 1;
    for (int64_t i = 0; i < n; i++)
        p[i] = (Particle){data[i],         data[n + i],     data[2 * n + i], data[3 * n + i],
                          data[4 * n + i], data[5 * n + i], data[6 * n + i], data[7 * n + i]};
    for (int64_t s = 0; s < ROUNDS; s++)
        for (int64_t i = 0; i < n; i++) {
            float kinetic = p[i].u * p[i].u + p[i].v * p[i].v + p[i].w * p[i].w;
            float distance = p[i].x * p[i].x + p[i].y * p[i].y + p[i].z * p[i].z;
            out[s * n + i] = p[i].mass * (0.5f * kinetic + (float)s * distance) * p[i].age;
        }
    free(p);
    return 0;
}
