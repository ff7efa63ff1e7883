// Reports the errors for #![explicit_memory], one per to_mem or copy that the policy has to insert.
//
//   expected rd, found wr: a written array is used where one must be readable    E0411, to_mem(...)
//   expected wr, found rd: a readable array is used where one must be written    E0412, copy(...)
#include "memory_policy/internal.h"

typedef struct {
    Span at;
    Node *e;
    const char *why;
} Insertion;

Span lower_here(const Lower *l)
{
    return l->at.file ? l->at : l->whole;
}

bool lower_is_explicit(const Lower *l)
{
    uint32_t file = lower_here(l).file;
    return file && l->cx->sources.at[file - 1]->says[EXPLICIT_MEMORY];
}

void lower_inserted(Lower *l, Node *low, Node *e, const char *why)
{
    if (!lower_is_explicit(l) || map_get(&l->inserted, MAP_KEY(low))) return;
    Insertion *i = ARENA_NEW(l->arena, Insertion);
    *i = (Insertion){e->origin.file && e->kind != CORE_VAR ? e->origin : lower_here(l), e, why};
    map_put(&l->inserted, MAP_KEY(low), i);
}

/// The names of the variables in scope, innermost first; NULL for a variable without a name.
typedef struct Names Names;
struct Names {
    Sym name;
    const Names *outer;
};

typedef struct {
    Lower *l;
    Map seen;
} Report;

static const Names *with_name(Lower *l, const Names *outer, Sym name)
{
    Names *n = ARENA_NEW(l->arena, Names);
    *n = (Names){name, outer};
    return n;
}

static const char *variable_name(const Lower *l, Node *var, const Names *names)
{
    for (int64_t i = var->attr.i; i > 0 && names; i--) names = names->outer;
    return names && names->name ? arena_printf(l->cx->arena, "`%s`", names->name->text)
                                : "this array";
}

// How a message refers to the term.
static const char *name_of(const Lower *l, Node *e, const Names *names)
{
    switch (e->kind) {
    case CORE_VAR: return variable_name(l, e, names);
    case CORE_ARRAY: return "this array literal";
    case CORE_IF: return "the result of this if";
    case CORE_TUPLE: return "this tuple";
    case CORE_PROJ: return "this component";
    case CORE_INDEX: return "this element";
    case CORE_GET: return "the value of this variable";
    case CORE_CALL: return "the result of this call";
    case CORE_LABEL: return "this value";
    case VIEW_SLICE: return "this part of an array";
    default: return arena_printf(l->cx->arena, "`%s`", kind_info[e->kind].text);
    }
}

static void report(Lower *l, Node *low, const Insertion *i, const Names *names)
{
    Session *cx = l->cx;
    bool store = low->kind == CORE_TO_MEM;
    Diag *d =
        diag_error(cx, store ? E0411 : E0412, i->at,
                   store ? "expected rd, found wr: %s is read from memory but not stored"
                         : "expected wr, found rd: %s is already in memory, or read from there",
                   name_of(l, i->e, names));
    diag_note(cx, d, NO_SPAN, "its type is `%s`; %s", type_show(cx, i->e->type), i->why);
    bool element = i->e->kind == CORE_MAP || i->e->kind == CORE_GENERATE;
    if (store)
        diag_help(cx, d, "store it: to_mem(...)%s",
                  element ? ", or compute it where it is read: .src" : "");
    else
        diag_help(cx, d, "copy it: copy(...)%s",
                  element ? ", or compute it into its destination: .seq" : "");
}

static void walk(Report *r, Node *low, const Names *names)
{
    if (map_get(&r->seen, MAP_KEY(low))) return;
    map_put(&r->seen, MAP_KEY(low), r);
    const Insertion *i = map_get(&r->l->inserted, MAP_KEY(low));
    if (i) report(r->l, low, i, names);
    for (uint32_t k = 0; k < low->nops; k++) {
        const Names *inside = names;
        for (int b = 0; b < node_binds(low, (int)k); b++)
            inside = with_name(r->l, inside, low->names ? low->names[b] : NULL);
        walk(r, low->op[k], inside);
    }
}

void lower_report_inserted(Lower *l, Node *low, const Function *f)
{
    Report r = {l, map_new(l->arena)};
    const Names *names = NULL;
    if (l->inserted.len == 0) return;
    for (int i = 0; i < f->params.len; i++) names = with_name(l, names, f->params.at[i].name);
    walk(&r, low, names);
}
