#include <math.h>
#include <stdint.h>

// Three numbers for each of n bodies: all the first ones, then all the second ones, then all the third ones.
void peer_nbody(int64_t n, float dt, float eps, const float *restrict place,
                const float *restrict speed, const float *restrict mass, float *restrict out_place,
                float *restrict out_speed);

void peer_nbody(int64_t n, float dt, float eps, const float *restrict place,
                const float *restrict speed, const float *restrict mass, float *restrict out_place,
                float *restrict out_speed)
{
    const float *x = place, *y = place + n, *z = place + 2 * n;
#pragma omp parallel for
    for (int64_t i = 0; i < n; i++) {
        float a[3] = {0, 0, 0}, ax = 0, ay = 0, az = 0;
#pragma omp simd reduction(+ : ax, ay, az)
        for (int64_t j = 0; j < n; j++) {
            float dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
            float near = 1 / sqrtf(dx * dx + dy * dy + dz * dz + eps * eps);
            float pull = mass[j] * near * near * near;
            ax += pull * dx;
            ay += pull * dy;
            az += pull * dz;
        }
        a[0] = ax, a[1] = ay, a[2] = az;
        for (int c = 0; c < 3; c++) {
            int64_t k = c * n + i;
            out_place[k] = place[k] + dt * speed[k] + 0.5f * dt * dt * a[c];
            out_speed[k] = speed[k] + dt * a[c];
        }
    }
}
