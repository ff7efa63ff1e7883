enum { COUNT = 1 << 24, INPUTS = 3 };

#include "arrays.h"

int KERNEL(int64_t n, const double *a, const double *b, const double *c, double *out);

static int call(void)
{
    return KERNEL(COUNT, in[0], in[1], in[2], out);
}
