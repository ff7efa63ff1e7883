// Filters (OOPSLA paper, 4.1-4.3) decide which arguments a call is specialised to: those whose
// filter is true, and all functions and references, which cannot be passed at run time.
#include "staging/values/stage.h"

static bool is_literal(Node *e)
{
    if (e->kind != CORE_TUPLE && e->kind != CORE_ARRAY) return e->kind == CORE_LIT;
    for (uint32_t i = 0; i < e->nops; i++)
        if (!is_literal(e->op[i])) return false;
    return true;
}

bool known_is_known(const Known *v)
{
    switch (v->kind) {
    case KNOWN_TERM: return is_literal(v->node);
    case KNOWN_TUPLE:
        for (int i = 0; i < known_count(v); i++)
            if (!known_is_known(v->parts[i])) return false;
        return true;
    case KNOWN_CLOSURE:
    case KNOWN_GLOBAL:
    case KNOWN_REF:
    case KNOWN_CONST:
    case KNOWN_LABEL: return true;
    case KNOWN_ERROR:
    case KNOWN_NEVER:
    case KNOWN_CHOICE: return false;
    }
    return false;
}

// Evaluates the filter in `env` like any other term, in a block that is then discarded.
static bool is_true(Stage *s, Node *filter, const Env *env, const Chain *chain, const Scope *at)
{
    Block *own = stage_block(s, at->block);
    own->barrier = BARRIER_PATTERN;
    own->cells = s->cells;
    const Known *v = stage_evaluate(s, filter, (Scope){.env = env, .chain = chain, .block = own});
    return v->kind == KNOWN_TERM && v->node->kind == CORE_LIT && v->node->attr.bits;
}

bool stage_filter(Stage *s, const Known *f, int n, const Known *const *args, Scope at, bool *known)
{
    const Special *special = f->special;
    const Env *env = NULL;
    for (int i = 0; i < n; i++) env = stage_env_push(s, env, args[i]);
    bool all = n > 0, data = false;
    for (int i = 0; i < n; i++) data |= known_is_data(args[i]);
    for (int i = 0; i < n; i++) {
        Node *filter = special->filters[i];
        bool yes = filter && is_true(s, filter, env, f->chain, &at),
             is_data = known_is_data(args[i]);
        known[i] = yes || !is_data;
        all &= yes || (data && !is_data);
    }
    return all;
}

// The index of an unknown parameter x that the filter tests with ?x, or -1.
static int unknown_parameter(Node *filter, int n, const Known *const *args)
{
    if (filter->kind == CORE_KNOWN && filter->op[0]->kind == CORE_VAR) {
        int i = n - 1 - (int)filter->op[0]->attr.i;
        return i >= 0 && i < n && !known_is_known(args[i]) ? i : -1;
    }
    for (uint32_t k = 0; k < filter->nops; k++) {
        int i = filter->op[k]->type ? unknown_parameter(filter->op[k], n, args) : -1;
        if (i >= 0) return i;
    }
    return -1;
}

const char *stage_why_kept(Stage *s, const Special *special, int i, const Known *const *args)
{
    const Function *f = special->function;
    if (!stage_is_recursive(s, f)) return "inlining its calls would make too much code";
    if (!special->filters[i]) return "it has no filter";
    int k = unknown_parameter(special->filters[i], f->params.len, args);
    if (k < 0) return "its filter is false";
    return arena_printf(s->cx->arena, "its filter is false: `%s` is not known",
                        f->params.at[k].name->text);
}
