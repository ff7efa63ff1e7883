// Checks that concurrent iterations do not all write the same element. In `parallel`, that would be
// a race; in `vectorize`, it would store a varying value through a uniform pointer (VecImp's rule
// of assignability, Leissa's thesis, 4.2.3).
#include "staging/values/stage.h"

typedef struct {
    Stage *s;
    Map varying; // variables that depend on the iteration
    Map inside;  // variables bound in the body
    Map depends; // node -> whether it depends on the iteration
    bool parallel;
} Lanes;

static bool depends(Lanes *l, Node *e)
{
    static const char yes, no;
    if (e->kind == PH_VAR) return map_get(&l->varying, MAP_KEY(e)) != NULL;
    if (e->nops == 0 || node_is_size_or_type(e)) return false;
    const char *known = map_get(&l->depends, MAP_KEY(e));
    if (known) return known == &yes;
    bool does = false;
    for (uint32_t i = 0; i < e->nops && !does; i++) does = depends(l, e->op[i]);
    map_put(&l->depends, MAP_KEY(e), (void *)(uintptr_t)(does ? &yes : &no));
    return does;
}

static void check_write(Lanes *l, Node *set, bool varying)
{
    if (l->parallel && varying) return; // perhaps a single iteration writes: see races.c
    if (map_get(&l->inside, MAP_KEY(stage_root(set->op[0]))) || depends(l, set->op[0])) return;
    if (l->parallel)
        stage_report(l->s, E0507, set->origin, "all iterations write the same element");
    else if (varying || depends(l, set->op[1]))
        stage_report(l->s, E0507, set->origin,
                     "all lanes write different values to the same element");
}

static void learn(Lanes *l, Node *var, bool varying)
{
    map_put(&l->inside, MAP_KEY(var), l);
    if (varying) map_put(&l->varying, MAP_KEY(var), l);
}

static void walk(Lanes *l, Node *e, bool varying);

// Visits a lambda or a label. `depend` is true if its variables depend on the iteration.
static void walk_binder(Lanes *l, Node *e, bool depend, bool varying)
{
    Node *under = e->op[0];
    for (uint32_t i = 0; i + 1 < under->nops; i++) learn(l, under->op[i], depend);
    walk(l, under->op[under->nops - 1], varying);
}

// Visits a term. `varying` is true if control flow depends on the iteration.
static void walk(Lanes *l, Node *e, bool varying)
{
    for (; e->kind == CORE_LET && !l->s->failed; e = e->op[1]->op[1]) {
        walk(l, e->op[0], varying);
        bool own = e->op[0]->kind == CORE_GET || e->op[0]->kind == CORE_CALL;
        learn(l, e->op[1]->op[0], own || depends(l, e->op[0]));
    }
    if (l->s->failed || (node_is_size_or_type(e))) return;
    if (e->kind == CORE_SET) {
        check_write(l, e, varying);
    } else if (e->kind == CORE_LAM || e->kind == CORE_LABEL) {
        walk_binder(l, e, false, varying);
    } else if (e->kind == CORE_RANGE || e->kind == CORE_PARALLEL || e->kind == CORE_VECTORIZE) {
        // the index depends on the iteration if its bounds do
        Node *from = e->op[e->nops - 3], *to = e->op[e->nops - 2];
        walk_binder(l, e->op[e->nops - 1], depends(l, from) || depends(l, to), varying);
    } else {
        bool some = varying || (e->kind == CORE_IF && depends(l, e->op[0]));
        for (uint32_t i = 0; i < e->nops; i++) walk(l, e->op[i], some);
    }
}

void stage_check_lanes(Stage *s, Node *lam, bool parallel)
{
    Lanes l = {s, map_new(s->arena), map_new(s->arena), map_new(s->arena), parallel};
    learn(&l, lam->op[0]->op[0], true);
    walk(&l, lam->op[0]->op[1], false);
}
