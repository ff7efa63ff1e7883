// The target processors: their properties that vectorisation needs, and the options for C
// compilers.
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
    // the smallest vector, in bytes, for which a gather instruction is faster than scalar loads; 0:
    // never
    int gather;
    bool masks;           // whether it has mask registers
    const char *features; // that the row above lacks, each with a blank behind it: words of
                          // __builtin_cpu_supports
} Cpu;

/// All rows of cpu.def, `*n` of them.
const Cpu *cpu_all(int *n);

/// The processor with this name or abbreviation, NULL if there is none.
const Cpu *cpu_named(const char *name);

/// The best processor of the table that this machine supports.
const Cpu *cpu_of_machine(void);

#endif
