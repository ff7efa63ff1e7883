#include "lin.h"

enum { N = LIN_MATRIX };

int KERNEL(int64_t n, int64_t k, int64_t m, int64_t l, int64_t o, const double *a, const double *b,
           const double *c, const double *d, double *out);

static double *in[4], *out;

void lin_setup(void)
{
    for (int i = 0; i < 4; i++) in[i] = lin_filled(i, N * N);
    out = lin_new(N * N);
}

void lin_run(bool fresh)
{
    if (fresh) out = lin_renew(out, N * N);
    lin_must(KERNEL(N, N, N, N, N, in[0], in[1], in[2], in[3], out));
}

LinResult lin_result(void)
{
    return (LinResult){out, N * N};
}
