#include <stdint.h>
#include <stdlib.h>

enum { ROUNDS = 16 };

int peer_arrays(int64_t n, const float *restrict data, float *restrict out);
int peer_structs(int64_t n, const float *restrict data, float *restrict out);

typedef struct {
    float x, y, z, mass, u, v, w, age;
} Particle;

// Arrays for the numbers that are read.
int peer_arrays(int64_t n, const float *restrict data, float *restrict out)
{
    float *p = malloc((size_t)n * 2 * sizeof *p + 1);
    if (!p) return 1;
    float *restrict x = p, *restrict mass = p + n;
    for (int64_t i = 0; i < n; i++) {
        x[i] = data[i];
        mass[i] = data[3 * n + i];
    }
    for (int64_t s = 0; s < ROUNDS; s++) {
        float most = 0.0f;
        for (int64_t i = 0; i < n; i++) {
            float a = x[i] * (mass[i] + (float)s);
            most = a > most ? a : most;
        }
        out[s] = most;
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
    for (int64_t s = 0; s < ROUNDS; s++) {
        float most = 0.0f;
        for (int64_t i = 0; i < n; i++) {
            float a = p[i].x * (p[i].mass + (float)s);
            most = a > most ? a : most;
        }
        out[s] = most;
    }
    free(p);
    return 0;
}
