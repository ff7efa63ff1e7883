// The processors that C is made for: what loops on vectors have to know of them, and what C
// compilers are told.
#ifndef ADZE_BASE_CPU_H
#define ADZE_BASE_CPU_H

#include <stdbool.h>
#include <stddef.h>

typedef enum { CPU_ANY, CPU_X86, CPU_ARM } CpuFamily;

typedef struct Cpu {
    const char *name, *abbreviation; // or NULL
    CpuFamily family;
    const char *flags; // for C compilers
    int vector_bytes, vector_registers;
    bool fma; // whether it has such instructions
    // the least bytes of a vector whose elements from anywhere are read faster by one instruction
    // than one by one; 0: none
    int gather;
    bool masks;           // whether it has registers for masks
    const char *features; // that the row above lacks, each with a blank behind it: words of
                          // __builtin_cpu_supports
} Cpu;

/// All rows of cpu.def, `*n` of them.
const Cpu *cpu_all(int *n);

/// The processor of this name or abbreviation, NULL when there is none.
const Cpu *cpu_named(const char *name);

/// The most able processor of the table that this machine is.
const Cpu *cpu_of_machine(void);

#endif
