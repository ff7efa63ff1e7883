// The processor table, and detection of this machine's processor.
#include "base/target/cpu.h"

#include <string.h>

static const Cpu cpus[] = {
#define CPU(name, abbreviation, family, flags, bytes, registers, fma, gather, masks, features)     \
    {name, abbreviation, family, flags, bytes, registers, fma, gather, masks, "" features},
#define SHORT(text) text
#define NO_SHORT    NULL
#define HAS(word)   word " "
#include "base/target/cpu.def"
};
enum { CPUS = sizeof cpus / sizeof *cpus };

const Cpu *cpu_all(int *n)
{
    *n = CPUS;
    return cpus;
}

const Cpu *cpu_named(const char *name)
{
    for (int i = 0; i < CPUS; i++)
        if (strcmp(cpus[i].name, name) == 0 ||
            (cpus[i].abbreviation && strcmp(cpus[i].abbreviation, name) == 0))
            return &cpus[i];
    return NULL;
}

bool cpu_has_masks(const Cpu *cpu, int size)
{
    return cpu->masks || (cpu->vector_bytes >= 32 && size >= 4);
}

#if defined __x86_64__
static const CpuFamily family_of_machine = CPU_X86;
#define HAS(word) &&__builtin_cpu_supports(word)
#elif defined __aarch64__
static const CpuFamily family_of_machine = CPU_ARM;
#define HAS(word)
#else
static const CpuFamily family_of_machine = CPU_ANY;
#define HAS(word)
#endif

const Cpu *cpu_of_machine(void)
{
#ifdef __x86_64__
    __builtin_cpu_init();
#endif
    // For each row, whether this machine has the features that the row above lacks.
    const bool has[CPUS] = {
#define CPU(name, abbreviation, family, flags, bytes, registers, fma, gather, masks, features)     \
    true features,
#include "base/target/cpu.def"
    };
    const Cpu *machine = &cpus[0];
    for (int i = 0; i < CPUS; i++) {
        if (cpus[i].family != family_of_machine) continue;
        if (!has[i]) break;
        machine = &cpus[i];
    }
    return machine;
}
