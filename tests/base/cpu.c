// The table of processors, and which of them a machine is. The tests of the table are answered for
// machines that are described here, so that nothing depends on the machine that runs this.
#include "base/target/cpu.h"

#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

static const char *words; // of the machine, each between blanks

static bool holds(const char *test)
{
    char word[64] = " ";
    const char *from = strchr(test, '"');
    assert_non_null(from);
    assert_true(strlen(test) < sizeof word);
    strncat(word, from + 1, strcspn(from + 1, "\""));
    strcat(word, " ");
    return strstr(words, word) != NULL;
}

static const char *found(CpuFamily family, const char *of_machine)
{
    words = of_machine;
    return cpu_by_tests(family, holds)->name;
}

#define V2   " popcnt ssse3 sse4.1 sse4.2 "
#define V3   V2 " avx avx2 fma bmi bmi2 "
#define V4   V3 " avx512f avx512bw avx512cd avx512dq avx512vl "
#define ICX  V4 " avx512vbmi2 vpclmulqdq "
#define BF16 ICX " avx512bf16 "

static void a_machine_is_found_by_its_features(void **state)
{
    (void)state;
    static const struct {
        const char *words, *name;
    } machines[] = {
        {" intel ", "x86-64"},
        {" amd " V2, "x86-64-v2"},
        {" intel " V3, "haswell"},
        {" intel vpclmulqdq " V3, "haswell"},
        {" amd " V3, "znver2"},
        {" amd vpclmulqdq " V3, "znver3"},
        {V3, "x86-64-v3"}, // of another vendor
        {" intel " V4, "skylake-avx512"},
        {" intel avx512bf16 " V4, "skylake-avx512"}, // Cooper Lake
        {" intel " ICX, "icelake-server"},
        {" intel " BF16, "sapphirerapids"},
        {" amd " BF16, "znver4"},
        {" amd avx512vp2intersect " BF16, "znver5"},
        {" intel avx512vp2intersect " ICX, "icelake-server"}, // Tiger Lake
        {V4, "x86-64-v4"},
        // levels have all of their features
        {" intel avx512f avx512cd " V3, "haswell"},
        {" amd avx512f avx512vbmi2 " V2, "x86-64-v2"},
    };
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++)
        assert_string_equal(found(CPU_X86, machines[i].words), machines[i].name);
    assert_string_equal(found(CPU_ARM, " "), "aarch64");
    assert_string_equal(found(CPU_ANY, " intel " V4), "portable");
}

static void code_runs_where_its_features_are(void **state)
{
    (void)state;
    static const struct {
        const char *cpu, *machine;
        bool runs;
    } cases[] = {
        {"portable", "aarch64", true}, {"portable", "zen5", true},  {"v4", "zen5", true},
        {"zen5", "v4", true},          {"zen5", "skx", true},       {"icx", "zen4", true},
        {"zen4", "zen3", false},       {"haswell", "znver2", true}, {"znver3", "v3", true},
        {"zen2", "v2", false},         {"neon", "zen5", false},     {"v1", "neon", false},
        {"aarch64", "aarch64", true},  {"v1", "portable", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(cpu_runs_on(cpu_named(cases[i].cpu), cpu_named(cases[i].machine)),
                         cases[i].runs);
}

static void names_are_unique_and_short_ones_are_identifiers(void **state)
{
    (void)state;
    int n;
    const Cpu *all = cpu_all(&n);
    for (int i = 0; i < n; i++) {
        assert_ptr_equal(cpu_named(all[i].name), &all[i]);
        const char *text = cpu_short_name(&all[i]);
        assert_ptr_equal(cpu_named(text), &all[i]);
        for (; *text; text++) assert_true(isalnum((unsigned char)*text));
    }
    assert_null(cpu_named("z80"));
    assert_null(cpu_named(""));
}

// The levels of a family are in order, and the row of a level is the first of its processors, which
// it alone is found as without a test.
static void processors_are_below_their_levels(void **state)
{
    (void)state;
    int n;
    const Cpu *all = cpu_all(&n);
    for (int i = 0; i < n; i++) {
        bool level = all[i].name == all[i].level->name;
        assert_int_equal(level, *all[i].tests == '\0');
        assert_int_equal(level, i == 0 || all[i].level == all[i - 1].level + 1);
        assert_true(level || all[i].level == all[i - 1].level);
    }
}

static void this_machine_runs_what_it_is_found_as(void **state)
{
    (void)state;
    const Cpu *here = cpu_of_machine();
    assert_true(cpu_runs_on(here, here));
    assert_true(cpu_runs_on(cpu_named("portable"), here));
#if defined __x86_64__
    assert_int_equal(here->level->family, CPU_X86);
    assert_int_equal(here->level->vector_bytes >= 32, __builtin_cpu_supports("avx2") &&
                                                          __builtin_cpu_supports("fma") &&
                                                          __builtin_cpu_supports("bmi2"));
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_machine_is_found_by_its_features),
        cmocka_unit_test(code_runs_where_its_features_are),
        cmocka_unit_test(names_are_unique_and_short_ones_are_identifiers),
        cmocka_unit_test(processors_are_below_their_levels),
        cmocka_unit_test(this_machine_runs_what_it_is_found_as),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
