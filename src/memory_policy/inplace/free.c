// Free variables of terms, computed once per term.
#include "memory_policy/internal.h"

typedef VEC(int) List;

static FreeVars merge(Arena *arena, FreeVars a, FreeVars b)
{
    if (a.len == 0) return b;
    if (b.len == 0) return a;
    List out = {0};
    for (int i = 0, j = 0; i < a.len || j < b.len;) {
        bool left = j == b.len || (i < a.len && a.at[i] <= b.at[j]);
        int index = left ? a.at[i] : b.at[j];
        i += i < a.len && a.at[i] == index;
        j += j < b.len && b.at[j] == index;
        vec_push(arena, &out, index);
    }
    return (FreeVars){out.len, out.at};
}

// The variables that are bound outside n binders, with their indices there.
static FreeVars outside(Arena *arena, FreeVars f, int n)
{
    if (n == 0) return f;
    List out = {0};
    for (int i = 0; i < f.len; i++)
        if (f.at[i] >= n) vec_push(arena, &out, f.at[i] - n);
    return (FreeVars){out.len, out.at};
}

static const FreeVars *compute(Arena *arena, Map *memo, Node *e)
{
    FreeVars *f = ARENA_NEW(arena, FreeVars);
    if (e->kind == CORE_VAR) {
        int *index = ARENA_NEW(arena, int);
        *index = (int)e->attr.i;
        *f = (FreeVars){1, index};
    }
    for (uint32_t i = 0; i < e->nops; i++) {
        FreeVars of = policy_free_vars(arena, memo, e->op[i]);
        *f = merge(arena, *f, outside(arena, of, node_binds(e, (int)i)));
    }
    map_put(memo, MAP_KEY(e), (void *)(uintptr_t)f);
    return f;
}

FreeVars policy_free_vars(Arena *arena, Map *memo, Node *e)
{
    if (e->loose == 0 || (kind_info[e->kind].levels & LEVEL_NAT)) return (FreeVars){0};
    // walks let chains from the end, so that the recursion depth does not grow with the program
    VEC(Node *) lets = {0};
    for (Node *l = e; l->kind == CORE_LET && !map_get(memo, MAP_KEY(l)); l = l->op[1])
        vec_push(arena, &lets, l);
    for (int i = lets.len - 1; i > 0; i--) (void)compute(arena, memo, lets.at[i]);
    const FreeVars *known = map_get(memo, MAP_KEY(e));
    return known ? *known : *compute(arena, memo, e);
}
