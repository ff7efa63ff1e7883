// From the left: ((a b) c) d.
#include <stdint.h>
#include <stdlib.h>

static double *times(int64_t n, int64_t k, int64_t m, const double *a, const double *b)
{
    double *r = calloc((size_t)(n * m), sizeof *r);
    for (int64_t i = 0; r && i < n; i++)
        for (int64_t l = 0; l < k; l++)
            for (int64_t j = 0; j < m; j++) r[i * m + j] += a[i * k + l] * b[l * m + j];
    return r;
}

int reference(int64_t n, int64_t k, int64_t m, int64_t l, int64_t o, const double *a,
              const double *b, const double *c, const double *d, double *out)
{
    double *ab = times(n, k, m, a, b), *abc = ab ? times(n, m, l, ab, c) : NULL;
    double *all = abc ? times(n, l, o, abc, d) : NULL;
    for (int64_t i = 0; all && i < n * o; i++) out[i] = all[i];
    free(ab);
    free(abc);
    free(all);
    return all ? 0 : 1;
}
