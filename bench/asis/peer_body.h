// The kernels in C; PEER(f) gives them their names.
#include "peer.h"

#include <math.h>

float PEER(dot)(int64_t n, const float *restrict x, const float *restrict y)
{
    float sum = 0;
    for (int64_t i = 0; i < n; i++) sum += x[i] * y[i];
    return sum;
}

void PEER(gemv)(int64_t n, int64_t m, const float *restrict a, const float *restrict x,
                float *restrict out)
{
    for (int64_t i = 0; i < n; i++) out[i] = PEER(dot)(m, &a[i * m], x);
}

void PEER(softmax)(int64_t n, int64_t m, const float *restrict a, float *restrict out)
{
    for (int64_t i = 0; i < n; i++) {
        const float *row = &a[i * m];
        float most = -3.0e38f, sum = 0;
        for (int64_t j = 0; j < m; j++) most = row[j] > most ? row[j] : most;
        for (int64_t j = 0; j < m; j++) {
            out[i * m + j] = expf(row[j] - most);
            sum += out[i * m + j];
        }
        for (int64_t j = 0; j < m; j++) out[i * m + j] /= sum;
    }
}

void PEER(layer_norm)(int64_t n, int64_t m, const float *restrict a, float *restrict out)
{
    for (int64_t i = 0; i < n; i++) {
        const float *row = &a[i * m];
        float sum = 0, squares = 0;
        for (int64_t j = 0; j < m; j++) sum += row[j];
        float mean = sum / (float)m;
        for (int64_t j = 0; j < m; j++) squares += (row[j] - mean) * (row[j] - mean);
        float scale = 1 / sqrtf(squares / (float)m + 1e-5f);
        for (int64_t j = 0; j < m; j++) out[i * m + j] = (row[j] - mean) * scale;
    }
}

static inline float apart(int64_t d, const float *restrict p, const float *restrict q)
{
    float sum = 0;
    for (int64_t i = 0; i < d; i++) sum += (p[i] - q[i]) * (p[i] - q[i]);
    return sum;
}

void PEER(distances)(int64_t n, int64_t m, int64_t d, const float *restrict a,
                     const float *restrict b, float *restrict out)
{
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < m; j++) out[i * m + j] = sqrtf(apart(d, &a[i * d], &b[j * d]));
}

void PEER(product)(int64_t n, int64_t m, int64_t k, const float *restrict a,
                   const float *restrict b, float *restrict out)
{
    for (int64_t i = 0; i < n; i++) {
        for (int64_t j = 0; j < m; j++) out[i * m + j] = 0;
        for (int64_t l = 0; l < k; l++)
            for (int64_t j = 0; j < m; j++) out[i * m + j] += a[i * k + l] * b[l * m + j];
    }
}

void PEER(covariance)(int64_t n, int64_t m, const float *restrict a, float *restrict room,
                      float *restrict out)
{
    for (int64_t j = 0; j < m; j++) {
        float sum = 0;
        for (int64_t i = 0; i < n; i++) sum += a[i * m + j];
        for (int64_t i = 0; i < n; i++) room[i * m + j] = a[i * m + j] - sum / (float)n;
    }
    for (int64_t p = 0; p < m; p++)
        for (int64_t q = 0; q < m; q++) out[p * m + q] = 0;
    for (int64_t i = 0; i < n; i++)
        for (int64_t p = 0; p < m; p++)
            for (int64_t q = 0; q < m; q++) out[p * m + q] += room[i * m + p] * room[i * m + q];
    for (int64_t p = 0; p < m * m; p++) out[p] /= (float)n;
}

void PEER(nearest)(int64_t n, int64_t k, int64_t d, const float *restrict points,
                   const float *restrict centres, float *restrict out)
{
    for (int64_t i = 0; i < n; i++) {
        float least = 3.0e38f;
        int32_t best = 0;
        for (int64_t j = 0; j < k; j++) {
            float square = apart(d, &points[i * d], &centres[j * d]);
            if (square < least) least = square, best = (int32_t)j;
        }
        out[i] = (float)best;
    }
}
