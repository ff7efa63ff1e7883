// The table of primitive strategies; lookups of callees, modules, own sizes and the results of
// schedules.
#include "core/ir/rule.h"

#include <string.h>

const PrimitiveInfo primitive_info[PRIMITIVE_COUNT] = {
#define PRIMITIVE(id, name, args, doc) {name, args, doc},
#include "core/ir/strategy.def"
#undef PRIMITIVE
};

static bool is_variant(const char *text)
{
    for (int v = 0; v < VARIANT_COUNT; v++)
        if (strcmp(variant_text[v], text) == 0) return true;
    return *text == 0;
}

bool strategy_is_term(const char *text)
{
    const char *dot = strchr(text, '.');
    size_t n = dot ? (size_t)(dot - text) : strlen(text);
    if (dot && !is_variant(dot + 1)) return false;
    for (int k = 0; k < KIND_COUNT; k++)
        if ((kind_info[k].levels & LEVEL_CORE) && strlen(kind_info[k].text) == n &&
            strncmp(kind_info[k].text, text, n) == 0)
            return true;
    for (int k = 0; k < PRIM_COUNT; k++)
        if (strlen(prim_info[k].text) == n && strncmp(prim_info[k].text, text, n) == 0) return true;
    return false;
}

// Whether `f` is a function of the program, rather than a different function of the same name.
static bool is_of_program(const Program *p, const Function *f)
{
    const Function *own = p && f ? map_get(&p->by_name, MAP_KEY(f->name)) : NULL;
    return own && own->span.file == f->span.file && own->span.lo == f->span.lo;
}

Sym core_own_size(Session *cx, const Function *f, int i)
{
    if (f->external) return i < f->generics.len ? f->generics.at[i].name : NULL;
    return f->params.at[i].type == type_own_size(cx) ? f->params.at[i].name : NULL;
}

const Function *core_callee(const Function *entry, Sym name)
{
    for (int i = 0; i < entry->callees.len; i++)
        if (entry->callees.at[i]->name == name) return entry->callees.at[i];
    return NULL;
}

const Function *program_compiled(const Program *p, const Function *f)
{
    bool own = p && f && map_get(&p->by_name, MAP_KEY(f->name)) == f;
    const Function *scheduled = own ? map_get(&p->scheduled, MAP_KEY(f->name)) : NULL;
    return scheduled ? scheduled : f;
}

bool core_is_of_module(Sym function, const char *module)
{
    size_t n = strlen(module);
    return strncmp(function->text, module, n) == 0 && function->text[n] == '.';
}

uint64_t core_choice_key(Node *e)
{
    uint64_t place = hash_mix(hash_mix(e->origin.file, e->origin.lo), e->origin.hi);
    return hash_mix(place, hash_mix(e->kind, e->variant)) | 1;
}

void program_report(Session *cx, const Program *p, const Function *f)
{
    const Diags *why = is_of_program(p, f) ? map_get(&p->failed, MAP_KEY(f->name)) : NULL;
    if (why) diag_report(cx, why);
}
