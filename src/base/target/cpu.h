// The target processors: the properties that vectorisation depends on, and their C compiler
// options.
#ifndef ADZE_BASE_CPU_H
#define ADZE_BASE_CPU_H

#include <stdbool.h>
#include <stddef.h>

typedef enum { CPU_ANY, CPU_X86, CPU_ARM } CpuFamily;

typedef struct Cpu {
    const char *name, *abbreviation; // abbreviation may be NULL
    CpuFamily family;
    const char *flags; // for the C compiler
    int vector_bytes, vector_registers;
    bool fma; // has fused multiply-add instructions
    // The least vector size, in bytes, at which a gather instruction is faster than loading lane by
    // lane; 0 if it never is.
    int gather;
    bool masks; // has mask registers
    // The features that the processor in the row above lacks, as words of __builtin_cpu_supports,
    // each followed by a space.
    const char *features;
} Cpu;

/// All rows of cpu.def; sets *n to their number.
const Cpu *cpu_all(int *n);

/// The processor with this name or abbreviation, or NULL.
const Cpu *cpu_named(const char *name);

/// Whether the processor has masked loads and stores of elements of `size` bytes. Without them, a
/// masked access is a loop over the lanes.
bool cpu_has_masks(const Cpu *cpu, int size);

/// The most capable processor in the table that this machine supports.
const Cpu *cpu_of_machine(void);

#endif
