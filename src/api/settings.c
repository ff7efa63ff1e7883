// Options of a module: those of `adze run` that concern compilation, as text.
#include "api/settings.h"

#include <string.h>

typedef bool Check(Driver *d, const char *value);

static bool any_value(Driver *d, const char *value)
{
    return (void)d, *value != '\0';
}

static bool no_value(Driver *d, const char *value)
{
    return (void)d, *value == '\0';
}

static bool is_count(Driver *d, const char *value)
{
    return (void)d, *value && strspn(value, "0123456789") == strlen(value);
}

static bool is_target(Driver *d, const char *value)
{
    return (void)d, target_named(value) != NULL;
}

static bool is_math(Driver *d, const char *value)
{
    return (void)d, strcmp(value, "library") == 0 || strcmp(value, "exact") == 0;
}

static bool is_cpu(Driver *d, const char *value)
{
    const Cpu *cpu = cpu_named(value);
    return (void)d, strcmp(value, "native") == 0 || (cpu && cpu_runs_on(cpu, cpu_of_machine()));
}

static const struct {
    OptionId id;
    Check *check;
    const char *values; // for the hint
} settings[] = {
    {OPT_TARGET, is_target, "the name of a target: omp, c, opencl or cuda"},
    {OPT_PLAIN, no_value, "no value"},
    {OPT_IN_ORDER, no_value, "no value"},
    {OPT_LOWER, no_value, "no value"},
    {OPT_NO_ASSERTS, no_value, "no value"},
    {OPT_NO_CACHE, no_value, "no value"},
    {OPT_CPU, is_cpu, "native, or the name of a processor whose code this machine can run"},
    {OPT_VECTOR_BYTES, is_count, "a number"},
    {OPT_VECTOR_MATH, is_math, "library or exact"},
    {OPT_CC, any_value, "a command"},
    {OPT_CFLAGS, any_value, "flags of the C compiler"},
    {OPT_CACHE, any_value, "a folder"},
    {OPT_BUDGET, is_count, "a number"},
    {OPT_MEMORY, is_count, "a number"},
};
enum { SETTINGS = sizeof settings / sizeof *settings };

// Returns the index of the setting, or -1 if there is none, and sets *value to its value or "".
static int find(const char *option, const char **value)
{
    const char *name = strncmp(option, "--", 2) == 0 ? option + 2 : option;
    size_t len = strcspn(name, "=");
    *value = name[len] ? name + len + 1 : "";
    for (int i = 0; i < SETTINGS; i++) {
        const char *known = option_info[settings[i].id].name;
        if (strlen(known) == len && strncmp(known, name, len) == 0) return i;
    }
    return -1;
}

void settings_add(Driver *d, const char *const *options)
{
    const char *value;
    for (; options && *options; options++) {
        int i = find(*options, &value);
        if (i < 0) continue;
        vec_push(d->arena, &d->options.values[settings[i].id], arena_printf(d->arena, "%s", value));
    }
}

static bool no_such_option(Session *cx, const char *option)
{
    Text names = text_new(cx->arena);
    const char *name = strncmp(option, "--", 2) == 0 ? option + 2 : option;
    for (int i = 0; i < SETTINGS; i++)
        text_printf(&names, "%s%s", i ? ", " : "", option_info[settings[i].id].name);
    Diag *d =
        diag_error(cx, E0727, NO_SPAN, "there is no option %.*s", (int)strcspn(name, "="), name);
    diag_help(cx, d, "the options are %s", text_get(&names));
    return false;
}

bool settings_check(Driver *d, const char *const *options)
{
    const char *value;
    for (; options && *options; options++) {
        int i = find(*options, &value);
        if (i < 0) return no_such_option(d->cx, *options);
        if (settings[i].check(d, value)) continue;
        Diag *x = diag_error(d->cx, E0727, NO_SPAN, "the option %s cannot have the value `%s`",
                             option_info[settings[i].id].name, value);
        diag_help(d->cx, x, "it takes %s", settings[i].values);
        return false;
    }
    return true;
}
