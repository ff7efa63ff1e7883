// The processor table, and detection of this machine's processor.
#include "base/target/cpu.h"

#include <string.h>

// The tests of cpu.def as they are written in C.
#define HAS_TEST(word) "__builtin_cpu_supports(\"" word "\")"
#define IS_TEST(word)  "__builtin_cpu_is(\"" word "\")"

enum {
#define LEVEL(id, name, abbreviation, family, flags, bytes, registers, fma, masks, tests)          \
    LEVEL_##id,
#define CPU(name, abbreviation, level, tune, costs, tests)
#include "base/target/cpu.def"
};

static const CpuLevel levels[] = {
#define LEVEL(id, name, abbreviation, family, flags, bytes, registers, fma, masks, tests)          \
    {name, family, flags, bytes, registers, fma, masks, "" tests},
#define CPU(name, abbreviation, level, tune, costs, tests)
#define HAS(word) HAS_TEST(word) " "
#include "base/target/cpu.def"
};

static const Cpu cpus[] = {
#define LEVEL(id, name, abbreviation, family, flags, bytes, registers, fma, masks, tests)          \
    {name, abbreviation, &levels[LEVEL_##id], "", {0}, ""},
#define CPU(name, abbreviation, level, tune, costs, tests)                                         \
    {name, abbreviation, &levels[LEVEL_##level], tune, costs, tests},
#define SHORT(text) text
#define NO_SHORT    NULL
#define COSTS(...)                                                                                 \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }
#define USUAL_COSTS                                                                                \
    {                                                                                              \
        0                                                                                          \
    }
#define HAS(word) HAS_TEST(word) " "
#define IS(word)  IS_TEST(word) " "
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

const char *cpu_short_name(const Cpu *cpu)
{
    return cpu->abbreviation ? cpu->abbreviation : cpu->name;
}

bool cpu_has_masks(const Cpu *cpu, int size)
{
    return cpu->level->masks || (cpu->level->vector_bytes >= 32 && size >= 4);
}

bool cpu_runs_on(const Cpu *cpu, const Cpu *machine)
{
    const CpuLevel *level = cpu->level, *has = machine->level;
    return level->family == CPU_ANY || (level->family == has->family && level <= has);
}

// --- detection ----------------------------------------------------------------------------------

static bool all_hold(const char *tests, bool (*holds)(const char *test))
{
    enum { LONGEST = 64 };
    char test[LONGEST];
    for (const char *at = tests; *at; at += strspn(at, " ")) {
        size_t len = strcspn(at, " ");
        if (len >= LONGEST) return false;
        memcpy(test, at, len);
        test[len] = '\0';
        if (!holds(test)) return false;
        at += len;
    }
    return true;
}

const Cpu *cpu_by_tests(CpuFamily family, bool (*holds)(const char *test))
{
    const Cpu *found = &cpus[0];
    for (const Cpu *cpu = cpus; cpu < cpus + CPUS; cpu++) {
        if (cpu->level->family != family) continue;
        if (cpu->level != found->level && !all_hold(cpu->level->tests, holds)) break;
        if (all_hold(cpu->tests, holds)) found = cpu;
    }
    return found;
}

#if defined __x86_64__
static const CpuFamily family_of_machine = CPU_X86;

static bool holds_here(const char *test)
{
#define LEVEL(id, name, abbreviation, family, flags, bytes, registers, fma, masks, tests) tests
#define CPU(name, abbreviation, level, tune, costs, tests)                                tests
#define HAS(word)                                                                                  \
    if (strcmp(test, HAS_TEST(word)) == 0) return __builtin_cpu_supports(word);
#define IS(word)                                                                                   \
    if (strcmp(test, IS_TEST(word)) == 0) return __builtin_cpu_is(word);
#include "base/target/cpu.def"
    return false;
}
#else
#if defined __aarch64__
static const CpuFamily family_of_machine = CPU_ARM;
#else
static const CpuFamily family_of_machine = CPU_ANY;
#endif

static bool holds_here(const char *test)
{
    (void)test;
    return false;
}
#endif

const Cpu *cpu_of_machine(void)
{
#ifdef __x86_64__
    __builtin_cpu_init();
#endif
    return cpu_by_tests(family_of_machine, holds_here);
}
