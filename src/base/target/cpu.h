// The target processors: the properties that vectorisation depends on, and their C compiler
// options.
#ifndef ADZE_BASE_CPU_H
#define ADZE_BASE_CPU_H

#include <stdbool.h>
#include <stddef.h>

typedef enum { CPU_ANY, CPU_X86, CPU_ARM } CpuFamily;

/// A set of features. A machine can run code for a processor if it has the features of its level.
typedef struct {
    const char *name;
    CpuFamily family;
    const char *flags; // for the C compiler
    int vector_bytes, vector_registers;
    bool fma;   // has fused multiply-add instructions
    bool masks; // has mask registers
    // Tests for the features that the level above lacks, as calls in C, each followed by a space.
    const char *tests;
} CpuLevel;

/// What is fast or slow on a processor, unlike on others of its level. No result depends on it.
typedef struct {
    // The least vector size, in bytes, at which a gather instruction is faster than loading lane by
    // lane; 0 if it never is.
    int gather;
    bool packed_store;      // AVX-512 packs lanes and stores them by one fast instruction
    bool slow_masked_store; // masked stores of AVX2 are slow
    bool slow_pext;         // pext and pdep of BMI2 are slow
} CpuCosts;

typedef struct Cpu {
    const char *name, *abbreviation; // the abbreviation may be NULL
    const CpuLevel *level;
    const char *tune; // flags for the C compiler, beside those of the level
    CpuCosts costs;
    // Tests that tell the processor from others of its level, as calls in C, each followed by a
    // space. The row of a level has none.
    const char *tests;
} Cpu;

/// All rows of cpu.def; sets *n to their number. Within a family they are ordered by level, and the
/// row of a level comes before the processors of that level.
const Cpu *cpu_all(int *n);

/// The processor with this name or abbreviation, or NULL.
const Cpu *cpu_named(const char *name);

/// The shortest name, which is a C identifier if there are several processors of the family.
const char *cpu_short_name(const Cpu *cpu);

/// Whether the processor has masked loads and stores of elements of `size` bytes. Without them, a
/// masked access is a loop over the lanes.
bool cpu_has_masks(const Cpu *cpu, int size);

/// Whether a machine can run code for `cpu`.
bool cpu_runs_on(const Cpu *cpu, const Cpu *machine);

/// The processor in the table that a machine of this family is: the last one of the most capable
/// level, of those for which all tests hold. `holds` evaluates one test.
const Cpu *cpu_by_tests(CpuFamily family, bool (*holds)(const char *test));

/// The processor in the table that this machine is.
const Cpu *cpu_of_machine(void);

#endif
