// The sum of the likelihoods for weights that change.
#include "lin.h"

enum { CALLS = 2000, N = 100, D = 3, K = 5, T = D * (D - 1) / 2 };

int KERNEL(int64_t n, int64_t k, int64_t d, int64_t t, const double *xs, const double *alphas,
           const double *means, const double *qs, const double *ls, double *out);

static double xs[N * D], alphas[K], means[K * D], qs[K * D], ls[K * T], total;

void lin_setup(void)
{
    for (int i = 0; i < N * D; i++) xs[i] = lin_noise(0, i);
    for (int i = 0; i < K * D; i++) means[i] = lin_noise(2, i) - 0.5;
    for (int i = 0; i < K * D; i++) qs[i] = 10 * lin_noise(3, i) - 5;
    for (int i = 0; i < K * T; i++) ls[i] = lin_noise(4, i) - 0.5;
}

void lin_run(bool fresh)
{
    (void)fresh;
    for (int i = 0; i < K; i++) alphas[i] = lin_noise(1, i);
    total = 0;
    for (int call = 0; call < CALLS; call++) {
        double seen;
        alphas[0] += 0.01;
        lin_must(KERNEL(N, K, D, T, xs, alphas, means, qs, ls, &seen));
        total += seen;
    }
}

LinResult lin_result(void)
{
    return (LinResult){&total, 1};
}
