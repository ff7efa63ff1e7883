#include <math.h>
#include <stdint.h>
#include <stdlib.h>

enum { LANES = 8 }; // rows, or columns, at a time

int peer_spectral_norm(int64_t n, double *norm);

static double a(int i, int j)
{
    return 1.0 / ((i + j) * (i + j + 1) / 2 + i + 1);
}

// y = A x and y = A' x: the sums of LANES elements of y grow together. y has room for whole lanes.
static void times(int n, const double *restrict x, double *restrict y)
{
    for (int i = 0; i < n; i += LANES) {
        double sum[LANES] = {0};
        for (int j = 0; j < n; j++)
            for (int k = 0; k < LANES; k++) sum[k] += a(i + k, j) * x[j];
        for (int k = 0; k < LANES; k++) y[i + k] = sum[k];
    }
}

static void times_transposed(int n, const double *restrict x, double *restrict y)
{
    for (int i = 0; i < n; i += LANES) {
        double sum[LANES] = {0};
        for (int j = 0; j < n; j++)
            for (int k = 0; k < LANES; k++) sum[k] += a(j, i + k) * x[j];
        for (int k = 0; k < LANES; k++) y[i + k] = sum[k];
    }
}

int peer_spectral_norm(int64_t n, double *norm)
{
    size_t room = (size_t)(n + LANES) * sizeof(double);
    double *u = malloc(room), *v = malloc(room), *w = malloc(room), uv = 0, vv = 0;
    int ok = u && v && w;
    if (ok) {
        for (int i = 0; i < n; i++) u[i] = 1;
        for (int i = 0; i < 10; i++) {
            times((int)n, u, w);
            times_transposed((int)n, w, v);
            times((int)n, v, w);
            times_transposed((int)n, w, u);
        }
        for (int i = 0; i < n; i++) {
            uv += u[i] * v[i];
            vv += v[i] * v[i];
        }
        *norm = sqrt(uv / vv);
    }
    free(u);
    free(v);
    free(w);
    return !ok;
}
