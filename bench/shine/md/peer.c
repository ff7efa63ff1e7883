#include <stdint.h>

// Three numbers for each of n particles: all the first ones, then all the second ones, then all the third ones.
void peer_md(int64_t n, int64_t k, float cutoff, float lj1, float lj2,
             const float *restrict particles, const int64_t *restrict neighbours,
             float *restrict out);

void peer_md(int64_t n, int64_t k, float cutoff, float lj1, float lj2,
             const float *restrict particles, const int64_t *restrict neighbours,
             float *restrict out)
{
    const float *x = particles, *y = particles + n, *z = particles + 2 * n;
#pragma omp parallel for
    for (int64_t i = 0; i < n; i++) {
        float fx = 0, fy = 0, fz = 0;
#pragma omp simd reduction(+ : fx, fy, fz)
        for (int64_t j = 0; j < k; j++) {
            int64_t q = neighbours[j * n + i];
            float dx = x[i] - x[q], dy = y[i] - y[q], dz = z[i] - z[q];
            float r2 = dx * dx + dy * dy + dz * dz;
            float near2 = 1 / r2, near6 = near2 * near2 * near2;
            float force = r2 < cutoff ? near2 * near6 * (lj1 * near6 - lj2) : 0;
            fx += force * dx;
            fy += force * dy;
            fz += force * dz;
        }
        out[i] = fx;
        out[n + i] = fy;
        out[2 * n + i] = fz;
    }
}
