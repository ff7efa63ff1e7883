// The --cpu option: selects the target processors.
#include "driver/options/options.h"

#include <stdio.h>
#include <string.h>

static const char native[] = "native";

static void list_level(const CpuLevel *level)
{
    fprintf(stderr, "vectors of %d bytes%s%s\n", level->vector_bytes,
            level->fma ? ", fused a*b + c" : "", level->masks ? ", masks" : "");
}

static void list_costs(const Cpu *cpu)
{
    const CpuCosts *c = &cpu->costs;
    fprintf(stderr, "%s", cpu->level->name);
    if (c->gather) fprintf(stderr, ", gathers of %d bytes are fast", c->gather);
    fprintf(stderr, "%s%s%s\n", c->packed_store ? ", packed stores are fast" : "",
            c->slow_masked_store ? ", masked stores are slow" : "",
            c->slow_pext ? ", pext is slow" : "");
}

static void list_all(void)
{
    int n;
    const Cpu *all = cpu_all(&n);
    fprintf(stderr, "  %-14s      this machine, %s\n", native, cpu_of_machine()->name);
    for (int i = 0; i < n; i++) {
        fprintf(stderr, "  %-14s %-5s", all[i].name,
                all[i].abbreviation ? all[i].abbreviation : "");
        if (all[i].name == all[i].level->name)
            list_level(all[i].level);
        else
            list_costs(&all[i]);
    }
}

static bool no_such_cpu(const Options *o, const char *name)
{
    enum { MOST = 64 };
    const char *names[MOST];
    int n, count = 0;
    const Cpu *all = cpu_all(&n);
    for (int i = 0; i < n && count + 2 <= MOST; i++) {
        names[count++] = all[i].name;
        if (all[i].abbreviation) names[count++] = all[i].abbreviation;
    }
    const char *close = closest_name(name, names, count);
    fprintf(stderr, "adze %s: there is no processor `%s`", command_info[o->command].name, name);
    if (close) fprintf(stderr, "; did you mean `%s`?", close);
    fprintf(stderr, "%s the processors are:\n", close ? "" : ";");
    list_all();
    return false;
}

static bool missing(const Options *o)
{
    fprintf(stderr, "adze %s: --cpu %s: a name is missing beside the comma\n",
            command_info[o->command].name, option_value(o, OPT_CPU));
    return false;
}

static bool wrong(const Options *o, const char *name, const char *problem)
{
    fprintf(stderr, "adze %s: --cpu %s: `%s` %s\n", command_info[o->command].name,
            option_value(o, OPT_CPU), name, problem);
    return false;
}

const char *cpu_flags(const CpuChoice *c, int i, Arena *arena)
{
    const Cpu *cpu = c->at[i];
    return arena_printf(arena, "%s %s", c->native ? "-march=native" : cpu->level->flags, cpu->tune);
}

// Inserts a processor into the list of versions, in the reverse order of cpu.def.
static bool add(const Options *o, CpuChoice *c, const char *name, const Cpu *cpu)
{
    int at = c->n;
    for (int i = 0; i < c->n; i++) {
        if (c->at[i] == cpu) return wrong(o, name, "is listed twice");
        if (c->at[i]->level->family != cpu->level->family)
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
        if (len == 0 && (rest > text || *rest)) return missing(o);
        if (!cpu) return no_such_cpu(o, name);
        if (runs && !cpu_runs_on(cpu, cpu_of_machine()))
            return wrong(o, name,
                         arena_printf(arena, "does not run on this machine, %s",
                                      cpu_of_machine()->level->name));
        if (!add(o, out, name, cpu)) return false;
        rest += len;
        if (!*rest) return true;
    }
}
