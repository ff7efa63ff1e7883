#include <stdint.h>

void peer_convolution(int64_t rank, int64_t n, int64_t k, const double *restrict w,
                      const double *restrict a, double *restrict out);

static void convolution1(int64_t n, int64_t k, const double *restrict w, const double *restrict a,
                         double *restrict out)
{
    for (int64_t i = 0; i <= n - k; i++) {
        double sum = 0;
        for (int64_t x = 0; x < k; x++) sum += w[x] * a[i + x];
        out[i] = sum;
    }
}

static void convolution2(int64_t n, int64_t k, const double *restrict w, const double *restrict a,
                         double *restrict out)
{
    int64_t m = n - k + 1;
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < m; j++) {
            double sum = 0;
            for (int64_t y = 0; y < k; y++)
                for (int64_t x = 0; x < k; x++) sum += w[y * k + x] * a[(i + y) * n + j + x];
            out[i * m + j] = sum;
        }
}

static void convolution3(int64_t n, int64_t k, const double *restrict w, const double *restrict a,
                         double *restrict out)
{
    int64_t m = n - k + 1;
    for (int64_t h = 0; h < m; h++)
        for (int64_t i = 0; i < m; i++)
            for (int64_t j = 0; j < m; j++) {
                double sum = 0;
                for (int64_t z = 0; z < k; z++)
                    for (int64_t y = 0; y < k; y++)
                        for (int64_t x = 0; x < k; x++)
                            sum += w[(z * k + y) * k + x] * a[((h + z) * n + i + y) * n + j + x];
                out[(h * m + i) * m + j] = sum;
            }
}

void peer_convolution(int64_t rank, int64_t n, int64_t k, const double *restrict w,
                      const double *restrict a, double *restrict out)
{
    if (rank == 1)
        convolution1(n, k, w, a, out);
    else if (rank == 2)
        convolution2(n, k, w, a, out);
    else
        convolution3(n, k, w, a, out);
}
