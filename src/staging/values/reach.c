// Finds the cells that a term may assign to at run time. They are reachable from its free
// variables, possibly through captured variables of functions. Their contents are forgotten before
// a loop that repeats the term, and after a call. The free variables of each term are memoised.
#include "staging/values/stage.h"

// --- free variables ----------------------------------------------------------------------------

typedef VEC(FreeVar) FreeList;

static void add(Stage *s, FreeList *list, FreeVar v)
{
    vec_push(s->arena, list, v);
}

static FreeVars merge(Stage *s, FreeVars a, FreeVars b)
{
    if (a.len == 0) return b;
    if (b.len == 0) return a;
    FreeList out = {0};
    int i = 0, j = 0;
    while (i < a.len || j < b.len) {
        if (j == b.len || (i < a.len && a.at[i].index < b.at[j].index)) {
            add(s, &out, a.at[i++]);
        } else if (i == a.len || b.at[j].index < a.at[i].index) {
            add(s, &out, b.at[j++]);
        } else {
            add(s, &out, (FreeVar){a.at[i].index, a.at[i].reads && b.at[j].reads});
            i++, j++;
        }
    }
    return (FreeVars){out.len, out.at};
}

// The free variables as seen from outside n binders.
static FreeVars outside(Stage *s, FreeVars f, int n)
{
    if (n == 0 || f.len == 0) return f;
    FreeList out = {0};
    for (int i = 0; i < f.len; i++)
        if (f.at[i].index >= n) add(s, &out, (FreeVar){f.at[i].index - n, f.at[i].reads});
    return (FreeVars){out.len, out.at};
}

// The free variables of a location that is only read, so that its root is only read, too.
static FreeVars of_place(Stage *s, Node *place)
{
    if (place->kind == CORE_VAR) {
        FreeVar *v = ARENA_NEW(s->arena, FreeVar);
        *v = (FreeVar){(int)place->attr.i, true};
        return (FreeVars){1, v};
    }
    switch (place->kind) {
    case CORE_REF_AT:
    case CORE_REF_LANE: return merge(s, of_place(s, place->op[0]), stage_free(s, place->op[1]));
    case CORE_REF_PROJ:
    case CORE_BORROW: return of_place(s, place->op[0]);
    case CORE_REF_SLICE: return of_place(s, place->op[2]);
    default: return stage_free(s, place);
    }
}

static FreeVars compute(Stage *s, Node *e)
{
    FreeVars all = {0};
    if (e->kind == CORE_VAR) {
        FreeVar *v = ARENA_NEW(s->arena, FreeVar);
        *v = (FreeVar){(int)e->attr.i, false};
        return (FreeVars){1, v};
    }
    if (e->kind == CORE_GET || e->kind == CORE_BORROW) return of_place(s, e->op[0]);
    for (uint32_t i = 0; i < e->nops; i++)
        all = merge(s, all, outside(s, stage_free(s, e->op[i]), node_binds(e, (int)i)));
    return all;
}

FreeVars stage_free(Stage *s, Node *e)
{
    if (e->loose == 0) return (FreeVars){0, NULL};
    const FreeVars *known = map_get(&s->free, MAP_KEY(e));
    if (known) return *known;
    FreeVars *f = ARENA_NEW(s->arena, FreeVars);
    // handles let chains from the end, so that long programs need no deep stack
    if (e->kind == CORE_LET) {
        VEC(Node *) lets = {0};
        for (Node *l = e; l->kind == CORE_LET && !map_get(&s->free, MAP_KEY(l)); l = l->op[1])
            vec_push(s->arena, &lets, l);
        for (int i = lets.len - 1; i > 0; i--) {
            FreeVars *inner = ARENA_NEW(s->arena, FreeVars);
            *inner = compute(s, lets.at[i]);
            map_put(&s->free, MAP_KEY(lets.at[i]), inner);
        }
    }
    *f = compute(s, e);
    map_put(&s->free, MAP_KEY(e), f);
    return *f;
}

// --- reaching ----------------------------------------------------------------------------------

typedef struct {
    Stage *s;
    Cells *out;
    bool all; // whether to also add cells that are only read
    Map seen; // visited pairs (lambda, environment), and visited cells
} Reach;

static void reach_value(Reach *r, const Known *v, bool reads);

static void reach_term(Reach *r, Node *e, const Env *env)
{
    FreeVars f = stage_free(r->s, e);
    for (int i = 0; i < f.len; i++) {
        const Env *var = stage_env_at(env, f.at[i].index);
        if (var) reach_value(r, var->value, f.at[i].reads);
    }
}

static bool seen(Reach *r, uint64_t key)
{
    if (map_get(&r->seen, key)) return true;
    map_put(&r->seen, key, r);
    return false;
}

static void reach_cell(Reach *r, Cell *cell, bool reads)
{
    // a function in a cell may be called by whoever reads it
    if (cell->value && !seen(r, (uint64_t)(uintptr_t)cell | 1)) reach_value(r, cell->value, false);
    if ((r->all || !reads) && !seen(r, (uint64_t)(uintptr_t)cell))
        vec_push(r->s->arena, r->out, cell);
}

static void reach_value(Reach *r, const Known *v, bool reads)
{
    switch (v->kind) {
    case KNOWN_TUPLE:
        for (int i = 0; i < known_count(v); i++) reach_value(r, v->parts[i], reads);
        return;
    case KNOWN_CLOSURE:
        if (!seen(r, (uint64_t)v->node->id << 32 | (v->env ? v->env->id : 0)))
            reach_term(r, v->node, v->env);
        return;
    case KNOWN_CHOICE:
        for (int k = 0; k < 2; k++) reach_term(r, v->branches[k], v->env);
        return;
    case KNOWN_REF: reach_cell(r, v->cell, reads || v->shared); return;
    case KNOWN_ERROR:
    case KNOWN_NEVER:
    case KNOWN_TERM:
    case KNOWN_GLOBAL:
    case KNOWN_CONST:
    case KNOWN_LABEL: return;
    }
}

void stage_reach_term(Stage *s, Node *e, const Env *env, Cells *out)
{
    Reach r = {s, out, false, map_new(s->arena)};
    reach_term(&r, e, env);
}

void stage_reach(Stage *s, const Known *v, Node *type, bool all, Cells *out)
{
    Reach r = {s, out, all, map_new(s->arena)};
    reach_value(&r, v, type->kind == TYPE_REF && !type_ref_mutable(type));
}
