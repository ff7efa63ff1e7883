// With the whole matrices, in which what is above the diagonal is 0.
#include <math.h>
#include <stdint.h>

int reference(int64_t n, int64_t k, int64_t d, int64_t t, const double *xs, const double *alphas,
              const double *means, const double *qs, const double *ls, double *out)
{
    double all = 0, weights = 0, prior = 0;
    for (int64_t c = 0; c < k; c++) weights += exp(alphas[c]);
    for (int64_t i = 0; i < n; i++) {
        double terms[k], top = -INFINITY, density = 0;
        for (int64_t c = 0; c < k; c++) {
            double m[d][d], squares = 0, diagonal = 0;
            int64_t used = 0;
            for (int64_t r = 0; r < d; r++)
                for (int64_t s = 0; s < d; s++)
                    m[r][s] = r == s ? exp(qs[c * d + r]) : s < r ? ls[c * t + used++] : 0;
            for (int64_t r = 0; r < d; r++) {
                double element = 0;
                for (int64_t s = 0; s < d; s++)
                    element += m[r][s] * (xs[i * d + s] - means[c * d + s]);
                squares += element * element;
                diagonal += qs[c * d + r];
            }
            terms[c] = alphas[c] + diagonal - squares / 2;
            if (terms[c] > top) top = terms[c];
        }
        for (int64_t c = 0; c < k; c++) density += exp(terms[c] - top);
        all += top + log(density);
    }
    for (int64_t i = 0; i < k * d; i++) prior += exp(2 * qs[i]);
    for (int64_t i = 0; i < k * t; i++) prior += ls[i] * ls[i];
    *out = all - (double)n * log(weights) + prior / 2;
    return 0;
}
