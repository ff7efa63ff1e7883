// The sums of the products of two vectors that change from call to call. The last results are kept.
#include "lin.h"

#include <string.h>

enum { CALLS = 10000000, KEPT = 1024 };

int KERNEL(const double *a, const double *b, double *out);

static double result[1 + 3 * KEPT];

void lin_setup(void)
{
}

void lin_run(bool fresh)
{
    (void)fresh;
    double a[3], b[3], total = 0;
    for (int k = 0; k < 3; k++) {
        a[k] = lin_noise(0, k);
        b[k] = lin_noise(1, k);
    }
    for (int64_t call = 0; call < CALLS; call++) {
        a[0] += 1 / (2 + a[0]);
        b[1] += 1 / (2 + b[1]);
        double out[3];
        lin_must(KERNEL(a, b, out));
        total += out[0] + out[1] + out[2];
        int64_t left = CALLS - 1 - call;
        if (left < KEPT) memcpy(result + 1 + 3 * left, out, sizeof out);
    }
    result[0] = total;
}

LinResult lin_result(void)
{
    return (LinResult){result, 1 + 3 * KEPT};
}
