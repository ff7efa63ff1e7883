// What a variant of a program gives to main.c. Each variant is a process of its own: entry.c around
// a C function of the name KERNEL (Adze's, plain.c's, the reference), or idiomatic.cpp alone.
#ifndef ADZE_LIN_H
#define ADZE_LIN_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    const double *data;
    int64_t count;
} LinResult;

/// Makes the inputs, the same ones in every variant.
void lin_setup(void);

/// Runs the program once: this is what is timed. A C function writes into memory that entry.c keeps
/// from run to run, or, with `fresh`, that it allocates for the run, as C++ does in any case.
void lin_run(bool fresh);

/// What the last run computed.
LinResult lin_result(void);

#ifdef __cplusplus
}
#endif

// A call that the compiler does not look into, as if the function were elsewhere: programs on small
// vectors are called from C, and a C++ function is not to be better off.
#if defined __GNUC__ && !defined __clang__
#define LIN_CALL __attribute__((noipa))
#else
#define LIN_CALL __attribute__((noinline))
#endif

/// Number i of a sequence, in [0, 1).
static inline double lin_noise(uint64_t sequence, uint64_t i)
{
    uint64_t x = (sequence << 40) + i + 1;
    x *= 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return (double)((x ^ (x >> 31)) >> 11) * 0x1p-53;
}

static inline void lin_must(int status)
{
    if (status == 0) return;
    fprintf(stderr, "lin: status %d\n", status);
    exit(1);
}

static inline double *lin_new(int64_t count)
{
    double *p = (double *)malloc((size_t)count * sizeof *p);
    lin_must(p ? 0 : -1);
    return p;
}

/// New memory, in which nothing was written, in place of the old.
static inline double *lin_renew(double *old, int64_t count)
{
    free(old);
    return lin_new(count);
}

static inline double *lin_filled(uint64_t sequence, int64_t count)
{
    double *p = lin_new(count);
    for (int64_t i = 0; i < count; i++) p[i] = lin_noise(sequence, (uint64_t)i);
    return p;
}

#endif
