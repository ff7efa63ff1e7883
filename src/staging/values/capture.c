// Lambda lifting of residual functions (Leissa's thesis, 11.1). Their free variables become
// parameters, for which every call passes an argument. A function also needs the free variables of
// the functions that it calls.
#include <stdlib.h>

#include "staging/values/stage.h"

typedef struct {
    Stage *s;
    Map seen, bound;
    VEC(Node *) used, calls;
} Mentions;

static void mark_bound(Mentions *m, Node *binder)
{
    Node *under = binder->op[binder->nops - 1];
    for (uint32_t i = 0; i + 1 < under->nops; i++) map_put(&m->bound, MAP_KEY(under->op[i]), m);
}

// Records the residual functions' size parameters that a size or type mentions.
static void look_sizes(Mentions *m, Node *e)
{
    if (m->s->own_sizes.len == 0 || map_get(&m->seen, MAP_KEY(e))) return;
    map_put(&m->seen, MAP_KEY(e), m);
    Node *var = e->kind == NAT_VAR ? map_get(&m->s->own_sizes, MAP_KEY(e->attr.sym)) : NULL;
    if (var) vec_push(m->s->arena, &m->used, var);
    for (uint32_t i = 0; i < e->nops; i++) look_sizes(m, e->op[i]);
}

static void look(Mentions *m, Node *e)
{
    // iterates over let chains, so that long programs need no deep stack
    for (;;) {
        if (map_get(&m->seen, MAP_KEY(e))) return;
        map_put(&m->seen, MAP_KEY(e), m);
        if (e->kind == PH_VAR) vec_push(m->s->arena, &m->used, e);
        if (e->kind == CORE_CALL) vec_push(m->s->arena, &m->calls, e);
        if (e->type) look_sizes(m, e->type);
        if (e->kind == CORE_LET || e->kind == CORE_LAM || e->kind == CORE_LABEL) mark_bound(m, e);
        Node *last = NULL;
        for (uint32_t i = 0; i < e->nops; i++) {
            if (node_is_size_or_type(e->op[i])) look_sizes(m, e->op[i]);
            if (node_is_size_or_type(e->op[i])) continue;
            if (last) look(m, last);
            last = e->op[i];
        }
        if (!last) return;
        e = last;
    }
}

static Residual *residual_of(Stage *s, Sym name)
{
    return map_get(&s->residual_of, MAP_KEY(name)); // NULL for a C function
}

static bool has(const Residual *f, Node *var)
{
    for (int i = 0; i < f->params.len; i++)
        if (f->params.at[i] == var) return true;
    for (int i = 0; i < f->sizes.len; i++)
        if (f->sizes.at[i] == var) return true;
    for (int i = 0; i < f->captured.len; i++)
        if (f->captured.at[i] == var) return true;
    return false;
}

static bool capture(Stage *s, Residual *f, Mentions *m, Node *var)
{
    if (map_get(&m->bound, MAP_KEY(var)) || has(f, var)) return false;
    if (map_get(&s->own_sizes, MAP_KEY(var->attr.sym)))
        vec_push(s->arena, &f->sizes, var);
    else
        vec_push(s->arena, &f->captured, var);
    return true;
}

// One iteration of the fixpoint computation. Returns whether the function has gained parameters.
static bool capture_once(Stage *s, Residual *f, Mentions *m)
{
    bool more = false;
    for (int i = 0; i < m->used.len; i++) more |= capture(s, f, m, m->used.at[i]);
    for (int i = 0; i < m->calls.len; i++) {
        const Residual *g = residual_of(s, m->calls.at[i]->attr.sym);
        for (int k = 0; g && k < g->sizes.len; k++) more |= capture(s, f, m, g->sizes.at[k]);
        for (int k = g ? g->nplaces : 0; g && k < g->captured.len; k++)
            more |= capture(s, f, m, g->captured.at[k]);
    }
    return more;
}

// --- locations that are only read ---------------------------------------------------------------

static bool keeps_place(Stage *s, Node *e)
{
    switch (e->kind) {
    case CORE_CALL: return residual_of(s, e->attr.sym) != NULL; // see add_written
    case CORE_GET:
    case CORE_PREFETCH:
    case CORE_BORROW:
    case CORE_REF_AT:
    case CORE_REF_PROJ:
    case CORE_REF_SLICE:
    case CORE_TUPLE: // the variables and body of a binder
    case CORE_LET: return true;
    default: return false;
    }
}

// Finds the locations that a term may assign to directly, rather than through calls to residual
// functions.
static void find_written(Stage *s, Node *e, Map *seen, Map *written)
{
    for (;;) {
        if (map_get(seen, MAP_KEY(e))) return;
        map_put(seen, MAP_KEY(e), seen);
        Node *last = NULL;
        for (uint32_t i = 0; i < e->nops; i++) {
            if (kind_info[e->op[i]->kind].levels & LEVEL_NAT) continue;
            Node *type = e->op[i]->type;
            if (type && type->kind == TYPE_REF && type_ref_mutable(type) && !keeps_place(s, e))
                map_put(written, MAP_KEY(stage_root(e->op[i])), written);
            if (last) find_written(s, last, seen, written);
            last = e->op[i];
        }
        if (!last) return;
        e = last;
    }
}

static bool note_written(Residual *f, Node *var)
{
    if (map_get(&f->written, MAP_KEY(var))) return false;
    map_put(&f->written, MAP_KEY(var), f);
    return true;
}

// Records that `f` assigns to the locations that its call to `g` assigns to. Returns whether any
// are new.
static bool add_written(Residual *f, const Residual *g, const Node *call)
{
    bool more = false;
    Node *const *places = call->op + call->nops - g->nplaces;
    for (int i = 0; i < g->nplaces; i++)
        if (map_get(&g->written, MAP_KEY(g->captured.at[i]))) more |= note_written(f, places[i]);
    for (int i = 0; i < f->captured.len; i++) {
        Node *var = f->captured.at[i];
        if (map_get(&g->written, MAP_KEY(var))) more |= note_written(f, var);
    }
    return more;
}

// Passes by shared reference every location that a function never assigns to. This avoids copies,
// and lets functions passed to patterns call it.
static void share_read(Stage *s, Mentions *m)
{
    int n = s->functions.len;
    for (int i = 0; i < n; i++) {
        Map seen = map_new(s->arena);
        s->functions.at[i]->written = map_new(s->arena);
        find_written(s, s->functions.at[i]->body, &seen, &s->functions.at[i]->written);
    }
    for (bool more = true; more;) {
        more = false;
        for (int i = 0; i < n; i++)
            for (int k = 0; k < m[i].calls.len; k++) {
                const Residual *g = residual_of(s, m[i].calls.at[k]->attr.sym);
                more |= g && add_written(s->functions.at[i], g, m[i].calls.at[k]);
            }
    }
    for (int i = 0; i < n; i++) {
        Residual *f = s->functions.at[i];
        for (int k = 0; k < f->captured.len; k++) {
            Node *var = f->captured.at[k], *t = var->type;
            bool reads =
                t->kind == TYPE_REF && type_ref_mutable(t) && !map_get(&f->written, MAP_KEY(var));
            const void *hint = map_get(&s->hints, MAP_KEY(var->attr.sym));
            Node *shared = reads ? type_ref(s->cx, t->op[0], false, type_ref_space(t)) : t;
            vec_push(s->arena, &f->taken, reads ? stage_variable(s, shared, hint) : var);
        }
    }
}

static int by_id(const void *a, const void *b)
{
    uint32_t x = (*(Node *const *)a)->id, y = (*(Node *const *)b)->id;
    return (x > y) - (x < y);
}

static void sort(Node **vars, int n)
{
    if (n) qsort(vars, (size_t)n, sizeof *vars, by_id);
}

static Node *pass_captured(Session *cx, Node *e, int depth, void *env);

typedef struct {
    Stage *s;
    Map done;
} Pass;

static Node *with_captured(Pass *p, Node *call)
{
    const Residual *g = residual_of(p->s, call->attr.sym);
    if (!g) return call;
    int own = (int)call->nops - g->nplaces, n = 0;
    Node **ops = ARENA_ARRAY(p->s->arena, Node *, g->sizes.len + own + g->captured.len + 1);
    for (int i = 0; i < g->sizes.len; i++) ops[n++] = g->sizes.at[i];
    for (int i = 0; i < own; i++) ops[n++] = call->op[i];
    for (int i = 0; i < g->captured.len; i++) {
        Node *place = i < g->nplaces ? call->op[own + i] : g->captured.at[i];
        Node *type = g->taken.at[i]->type;
        ops[n++] = type == place->type
                       ? place
                       : stage_term(p->s, CORE_BORROW, type, call->origin, 1, &place);
    }
    return node_make(p->s->cx, &(NodeSpec){.kind = CORE_CALL,
                                           .attr = call->attr,
                                           .type = call->type,
                                           .nops = n,
                                           .ops = ops,
                                           .origin = call->origin});
}

static Node *pass_captured(Session *cx, Node *e, int depth, void *env)
{
    (void)depth;
    Pass *p = env;
    if (e->nops == 0 && e->kind != CORE_CALL) return e;
    if (node_is_size_or_type(e)) return e;
    Node *done = map_get(&p->done, MAP_KEY(e));
    if (done) return done;
    done = e->nops ? node_map(cx, e, 0, pass_captured, p) : e;
    if (done->kind == CORE_CALL) done = with_captured(p, done);
    map_put(&p->done, MAP_KEY(e), (void *)(uintptr_t)done);
    return done;
}

typedef struct {
    const Residual *f;
    Map done;
} Share;

// Makes a location's type a shared reference, since the location lies inside one that is only
// read.
static Node *shared_place(Session *cx, Node *e)
{
    Node *t = e->type;
    return node_with_type(cx, e, type_ref(cx, t->op[0], false, type_ref_space(t)));
}

// Replaces captured variables with their parameters, some of which are shared references.
static Node *with_shared(Session *cx, Node *e, int depth, void *env)
{
    Share *share = env;
    (void)depth;
    if (node_is_size_or_type(e)) return e;
    if (e->kind == PH_VAR) {
        for (int i = 0; i < share->f->captured.len; i++)
            if (share->f->captured.at[i] == e) return share->f->taken.at[i];
        return e;
    }
    Node *done = map_get(&share->done, MAP_KEY(e));
    if (done || e->nops == 0) return done ? done : e;
    done = node_map(cx, e, 0, with_shared, share);
    if (done != e && e->kind == CORE_BORROW && done->op[0]->type == done->type) done = done->op[0];
    if (done != e &&
        (e->kind == CORE_REF_AT || e->kind == CORE_REF_PROJ || e->kind == CORE_REF_SLICE)) {
        Node *of = done->op[e->kind == CORE_REF_SLICE ? 2 : 0];
        if (!type_ref_mutable(of->type)) done = shared_place(cx, done);
    }
    map_put(&share->done, MAP_KEY(e), (void *)(uintptr_t)done);
    return done;
}

Node *stage_lift(Stage *s, Node *body)
{
    int n = s->functions.len;
    if (n == 0) return body;
    s->residual_of = map_new(s->arena);
    for (int i = 0; i < n; i++)
        map_put(&s->residual_of, MAP_KEY(s->functions.at[i]->function->name), s->functions.at[i]);
    Mentions *m = ARENA_ARRAY(s->arena, Mentions, n + 1);
    for (int i = 0; i < n; i++) {
        m[i] = (Mentions){.s = s, .seen = map_new(s->arena), .bound = map_new(s->arena)};
        look(&m[i], s->functions.at[i]->body);
        look_sizes(&m[i], s->functions.at[i]->function->result);
    }
    for (bool more = true; more;) {
        more = false;
        for (int i = 0; i < n; i++) more |= capture_once(s, s->functions.at[i], &m[i]);
    }
    for (int i = 0; i < n; i++) { // sorts the parameters of all functions before rewriting calls
        Residual *f = s->functions.at[i];
        sort(f->sizes.at, f->sizes.len);
        if (f->captured.len) sort(f->captured.at + f->nplaces, f->captured.len - f->nplaces);
    }
    share_read(s, m);
    Pass p = {s, map_new(s->arena)};
    for (int i = 0; i < n; i++) {
        Residual *f = s->functions.at[i];
        Share share = {f, map_new(s->arena)};
        f->body = with_shared(s->cx, pass_captured(s->cx, f->body, 0, &p), 0, &share);
    }
    return pass_captured(s->cx, body, 0, &p);
}
