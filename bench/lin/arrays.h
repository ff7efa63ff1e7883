// The rest of an entry.c whose kernel takes INPUTS arrays of COUNT numbers and writes one.
#ifndef ADZE_LIN_ARRAYS_H
#define ADZE_LIN_ARRAYS_H

#include "lin.h"

static double *in[INPUTS], *out;

/// Calls the kernel: entry.c has it.
static int call(void);

void lin_setup(void)
{
    for (int i = 0; i < INPUTS; i++) in[i] = lin_filled((uint64_t)i, COUNT);
    out = lin_new(COUNT);
}

void lin_run(bool fresh)
{
    if (fresh) out = lin_renew(out, COUNT);
    lin_must(call());
}

LinResult lin_result(void)
{
    return (LinResult){out, COUNT};
}

#endif
