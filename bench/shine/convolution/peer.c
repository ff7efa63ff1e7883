#include <stdint.h>
#include <stdlib.h>

int peer_convolution(int64_t n, int64_t m, const float *restrict w, const float *restrict a,
                     float *restrict out);

static int64_t clamp(int64_t i, int64_t n)
{
    return i < 0 ? 0 : i < n ? i : n - 1;
}

static float at_border(int64_t m, const float *restrict w, const float *restrict row, int64_t j)
{
    float sum = 0;
    for (int k = 0; k < 17; k++) sum += w[k] * row[clamp(j + k - 8, m)];
    return sum;
}

static void along_rows(int64_t n, int64_t m, const float *restrict w, const float *restrict a,
                       float *restrict out)
{
#pragma omp parallel for
    for (int64_t i = 0; i < n; i++) {
        const float *row = a + i * m;
        float *to = out + i * m;
        int64_t j = 0;
        for (; j < m && j < 8; j++) to[j] = at_border(m, w, row, j);
#pragma omp simd
        for (int64_t x = 8; x < m - 8; x++) {
            float sum = 0;
#pragma GCC unroll 17
            for (int k = 0; k < 17; k++) sum += w[k] * row[x + k - 8];
            to[x] = sum;
        }
        for (j = m - 8 > 8 ? m - 8 : 8; j < m; j++) to[j] = at_border(m, w, row, j);
    }
}

static void along_columns(int64_t n, int64_t m, const float *restrict w, const float *restrict a,
                          float *restrict out)
{
#pragma omp parallel for
    for (int64_t i = 0; i < n; i++) {
        const float *rows[17];
        for (int k = 0; k < 17; k++) rows[k] = a + clamp(i + k - 8, n) * m;
#pragma omp simd
        for (int64_t j = 0; j < m; j++) {
            float sum = 0;
#pragma GCC unroll 17
            for (int k = 0; k < 17; k++) sum += w[k] * rows[k][j];
            out[i * m + j] = sum;
        }
    }
}

int peer_convolution(int64_t n, int64_t m, const float *restrict w, const float *restrict a,
                     float *restrict out)
{
    float *between = malloc((size_t)(n * m) * sizeof *between);
    if (!between) return 1;
    along_rows(n, m, w, a, between);
    along_columns(n, m, w, between, out);
    free(between);
    return 0;
}
