// The table of processors, and which of them this machine is.
#include "base/cpu.h"

#include <string.h>

static const Cpu cpus[] = {
#define CPU(name, abbreviation, family, flags, bytes, registers, fma, gather, masks, features)     \
    {name, abbreviation, family, flags, bytes, registers, fma, gather, masks, features},
#include "base/cpu.def"
#undef CPU
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

const Cpu *cpu_of_machine(void)
{
#if defined __x86_64__
    __builtin_cpu_init();
    bool v2 = __builtin_cpu_supports("ssse3") && __builtin_cpu_supports("sse4.2") &&
              __builtin_cpu_supports("popcnt");
    bool v3 = v2 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
              __builtin_cpu_supports("bmi2");
    bool v4 = v3 && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512cd") &&
              __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
    return cpu_named(v4 ? "v4" : v3 ? "v3" : v2 ? "v2" : "v1");
#elif defined __aarch64__
    return cpu_named("aarch64");
#else
    return cpu_named("portable");
#endif
}
