// What a function of the result mentions of its caller becomes its parameters (lambda lifting: thesis of Leissa, 11.1, with a
// free variable as a new parameter), and is passed at every call. Functions that call one another need what the others do.
#include <stdlib.h>

#include "staging/internal.h"

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

static void look(Mentions *m, Node *e)
{
    // rows of lets are a loop, so that long programs need no deep stack
    for (;;) {
        if (map_get(&m->seen, MAP_KEY(e))) return;
        map_put(&m->seen, MAP_KEY(e), m);
        if (e->kind == PH_VAR) vec_push(m->s->arena, &m->used, e);
        if (e->kind == CORE_CALL) vec_push(m->s->arena, &m->calls, e);
        if (e->kind == CORE_LET || e->kind == CORE_LAM || e->kind == CORE_LABEL) mark_bound(m, e);
        Node *last = NULL;
        for (uint32_t i = 0; i < e->nops; i++) {
            if (kind_info[e->op[i]->kind].levels & LEVEL_NAT) continue;
            if (last) look(m, last);
            last = e->op[i];
        }
        if (!last) return;
        e = last;
    }
}

static Residual *residual_of(Stage *s, Sym name)
{
    for (int i = 0; i < s->functions.len; i++)
        if (s->functions.at[i]->function->name == name) return s->functions.at[i];
    return NULL; // a function of C
}

static bool has(const Residual *f, Node *var)
{
    for (int i = 0; i < f->params.len; i++)
        if (f->params.at[i] == var) return true;
    for (int i = 0; i < f->captured.len; i++)
        if (f->captured.at[i] == var) return true;
    return false;
}

static bool capture(Stage *s, Residual *f, Mentions *m, Node *var)
{
    if (map_get(&m->bound, MAP_KEY(var)) || has(f, var)) return false;
    vec_push(s->arena, &f->captured, var);
    return true;
}

// One round: whether a function got more parameters.
static bool capture_once(Stage *s, Residual *f, Mentions *m)
{
    bool more = false;
    for (int i = 0; i < m->used.len; i++) more |= capture(s, f, m, m->used.at[i]);
    for (int i = 0; i < m->calls.len; i++) {
        const Residual *g = residual_of(s, m->calls.at[i]->attr.sym);
        for (int k = 0; g && k < g->captured.len; k++) more |= capture(s, f, m, g->captured.at[k]);
    }
    return more;
}

static int by_id(const void *a, const void *b)
{
    uint32_t x = (*(Node *const *)a)->id, y = (*(Node *const *)b)->id;
    return (x > y) - (x < y);
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
    int n = (int)call->nops + g->captured.len;
    Node **ops = ARENA_ARRAY(p->s->arena, Node *, n + 1);
    for (uint32_t i = 0; i < call->nops; i++) ops[i] = call->op[i];
    for (int i = 0; i < g->captured.len; i++) ops[call->nops + (uint32_t)i] = g->captured.at[i];
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
    if (kind_info[e->kind].levels & (LEVEL_NAT | LEVEL_TYPE)) return e;
    Node *done = map_get(&p->done, MAP_KEY(e));
    if (done) return done;
    done = e->nops ? node_map(cx, e, 0, pass_captured, p) : e;
    if (done->kind == CORE_CALL) done = with_captured(p, done);
    map_put(&p->done, MAP_KEY(e), (void *)(uintptr_t)done);
    return done;
}

Node *stage_lift(Stage *s, Node *body)
{
    int n = s->functions.len;
    if (n == 0) return body;
    Mentions *m = ARENA_ARRAY(s->arena, Mentions, n + 1);
    for (int i = 0; i < n; i++) {
        m[i] = (Mentions){.s = s, .seen = map_new(s->arena), .bound = map_new(s->arena)};
        look(&m[i], s->functions.at[i]->body);
    }
    for (bool more = true; more;) {
        more = false;
        for (int i = 0; i < n; i++) more |= capture_once(s, s->functions.at[i], &m[i]);
    }
    for (int i = 0; i < n; i++) { // all of them before any call passes them
        Residual *f = s->functions.at[i];
        if (f->captured.len)
            qsort(f->captured.at, (size_t)f->captured.len, sizeof *f->captured.at, by_id);
    }
    Pass p = {s, map_new(s->arena)};
    for (int i = 0; i < n; i++) {
        Residual *f = s->functions.at[i];
        f->body = pass_captured(s->cx, f->body, 0, &p);
    }
    return pass_captured(s->cx, body, 0, &p);
}
