#include <math.h>
#include <stdint.h>
#include <stdlib.h>

static double log_sum_exp(int64_t n, const double *x)
{
    double top = x[0], sum = 0;
    for (int64_t i = 1; i < n; i++)
        if (x[i] > top) top = x[i];
    for (int64_t i = 0; i < n; i++) sum += exp(x[i] - top);
    return log(sum) + top;
}

// The square of the triangular matrix times x - mean.
static double sq_distance(int64_t d, const double *x, const double *mean, const double *q,
                          const double *l)
{
    double squares = 0;
    for (int64_t i = 0; i < d; i++) {
        double sum = exp(q[i]) * (x[i] - mean[i]);
        for (int64_t j = 0; j < i; j++) sum += *l++ * (x[j] - mean[j]);
        squares += sum * sum;
    }
    return squares;
}

int plain(int64_t n, int64_t k, int64_t d, int64_t t, const double *restrict xs,
          const double *restrict alphas, const double *restrict means, const double *restrict qs,
          const double *restrict ls, double *restrict out)
{
    double *terms = malloc((size_t)k * sizeof *terms), seen = 0, prior = 0;
    if (!terms) return 1;
    for (int64_t i = 0; i < n; i++) {
        for (int64_t c = 0; c < k; c++) {
            double sum = 0;
            for (int64_t j = 0; j < d; j++) sum += qs[c * d + j];
            terms[c] = alphas[c] + sum -
                       sq_distance(d, xs + i * d, means + c * d, qs + c * d, ls + c * t) / 2;
        }
        seen += log_sum_exp(k, terms);
    }
    free(terms);
    for (int64_t i = 0; i < k * d; i++) prior += exp(qs[i]) * exp(qs[i]);
    for (int64_t i = 0; i < k * t; i++) prior += ls[i] * ls[i];
    *out = seen - (double)n * log_sum_exp(k, alphas) + prior / 2;
    return 0;
}
