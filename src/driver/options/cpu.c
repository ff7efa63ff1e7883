// The --cpu option: selects the target processors.
#include "driver/options/options.h"

#include <stdio.h>
#include <string.h>

static const char native[] = "native";

static void list_all(void)
{
    int n;
    const Cpu *all = cpu_all(&n);
    fprintf(stderr, "  %-10s      this machine, %s\n", native, cpu_of_machine()->name);
    for (int i = 0; i < n; i++)
        fprintf(stderr, "  %-10s %-5svectors of %d bytes%s%s%s\n", all[i].name,
                all[i].abbreviation ? all[i].abbreviation : "", all[i].vector_bytes,
                all[i].fma ? ", fused a*b + c" : "", all[i].gather ? ", gathers" : "",
                all[i].masks ? ", masks" : "");
}

static bool no_such_cpu(const Options *o, const char *name)
{
    enum { MOST = 32 };
    const char *names[MOST];
    int n, count = 0;
    const Cpu *all = cpu_all(&n);
    for (int i = 0; i < n && count < MOST; i++) names[count++] = all[i].name;
    const char *close = closest_name(name, names, count);
    fprintf(stderr, "adze %s: there is no processor `%s`", command_info[o->command].name, name);
    if (close) fprintf(stderr, "; did you mean `%s`?", close);
    fprintf(stderr, "%s the processors are:\n", close ? "" : ";");
    list_all();
    return false;
}

static bool wrong(const Options *o, const char *name, const char *problem)
{
    fprintf(stderr, "adze %s: --cpu %s: `%s` %s\n", command_info[o->command].name,
            option_value(o, OPT_CPU), name, problem);
    return false;
}

// Whether this machine can run code for `cpu`. Within a family, the rows of cpu.def are sorted by
// increasing capability.
static bool runs_here(const Cpu *cpu)
{
    const Cpu *here = cpu_of_machine();
    return cpu->family == CPU_ANY || (cpu->family == here->family && cpu <= here);
}

// Inserts a processor into the list of versions, which is sorted by decreasing capability.
static bool add(const Options *o, CpuChoice *c, const char *name, const Cpu *cpu)
{
    int at = c->n;
    for (int i = 0; i < c->n; i++) {
        if (c->at[i] == cpu) return wrong(o, name, "is listed twice");
        if (c->at[i]->family != cpu->family)
            return wrong(o, name, "is of another family than the processors before it");
        if (cpu > c->at[i] && at == c->n) at = i;
    }
    if (c->n == CPU_VERSIONS) return wrong(o, name, "exceeds the maximum number of processors");
    memmove(c->at + at + 1, c->at + at, (size_t)(c->n - at) * sizeof *c->at);
    c->at[at] = cpu;
    c->n++;
    return true;
}

bool cpu_choose(const Options *o, Arena *arena, CpuChoice *out)
{
    const char *text = option_value(o, OPT_CPU);
    bool runs = o->command == COMMAND_RUN || o->command == COMMAND_TEST;
    *out = (CpuChoice){.native = !text || strcmp(text, native) == 0};
    if (out->native) return add(o, out, native, cpu_of_machine());
    if (strchr(text, ',') && o->command != COMMAND_BUILD)
        return wrong(o, text, "is more than one: only adze build makes versions for several");
    for (const char *rest = text;; rest++) {
        size_t len = strcspn(rest, ",");
        const char *name = arena_strndup(arena, rest, len);
        const Cpu *cpu = cpu_named(name);
        if (strcmp(name, native) == 0)
            return wrong(o, name, "cannot be combined with others: name the processor");
        if (!cpu) return no_such_cpu(o, name);
        if (runs && !runs_here(cpu))
            return wrong(
                o, name,
                arena_printf(arena, "does not run on this machine, %s", cpu_of_machine()->name));
        if (!add(o, out, name, cpu)) return false;
        rest += len;
        if (!*rest) return true;
    }
}
