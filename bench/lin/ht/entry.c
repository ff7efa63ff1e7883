// The sums of the squares of the first rows of rotations around an axis that changes.
#include "lin.h"

#include <string.h>

enum { CALLS = 4000000, KEPT = 1024 };

int KERNEL(const double *axis, double *out);

static double result[1 + 9 * KEPT];

void lin_setup(void)
{
}

void lin_run(bool fresh)
{
    (void)fresh;
    double axis[3] = {lin_noise(0, 0), lin_noise(0, 1), lin_noise(0, 2)}, total = 0;
    for (int64_t call = 0; call < CALLS; call++) {
        axis[0] -= 1.0 / CALLS;
        double out[9];
        lin_must(KERNEL(axis, out));
        total += out[0] * out[0] + out[1] * out[1] + out[2] * out[2];
        int64_t left = CALLS - 1 - call;
        if (left < KEPT) memcpy(result + 1 + 9 * left, out, sizeof out);
    }
    result[0] = total;
}

LinResult lin_result(void)
{
    return (LinResult){result, 1 + 9 * KEPT};
}
