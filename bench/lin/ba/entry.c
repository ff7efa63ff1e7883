// The sums of the squares of what a camera that moves sees of a point that moves.
#include "lin.h"

#include <string.h>

enum { CALLS = 4000000, KEPT = 1024 };

int KERNEL(const double *cam, const double *x, double *out);

static double result[1 + 2 * KEPT];

void lin_setup(void)
{
}

void lin_run(bool fresh)
{
    (void)fresh;
    double cam[11] = {0.1, 0.1, 0.1, 0.2, 0.1, 0.3, 1.2, 0.01, 0.03, 0.009, 1.2e-4};
    double x[3] = {0.03, 0.11, -0.7}, total = 0;
    for (int64_t call = 0; call < CALLS; call++) {
        x[0] = 1.0 / (2.0 + (double)call);
        cam[5] = 1.0 + (double)call * 1e-6;
        double out[2];
        lin_must(KERNEL(cam, x, out));
        total += out[0] * out[0] + out[1] * out[1];
        int64_t left = CALLS - 1 - call;
        if (left < KEPT) memcpy(result + 1 + 2 * left, out, sizeof out);
    }
    result[0] = total;
}

LinResult lin_result(void)
{
    return (LinResult){result, 1 + 2 * KEPT};
}
