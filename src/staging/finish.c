// The end of staging: unique names become de Bruijn indices, and each let is decided. A let goes
// when its value is used once and moving it repeats no work: not into a lambda it stands outside
// of. A value that may fail does not move into a branch either, and is dropped only where it would
// be read lazily anyway (arrays).
//
// Uses are counted on the graph of shared nodes, parents before operands: a node is made after its
// operands, so descending ids are such an order. The value of a let counts as an operand of its
// variable, so that values no one uses use nothing.
#include <stdlib.h>

#include "staging/internal.h"

// Limits: on the result as a tree, and on how deep lets may nest terms by being put in place (what
// comes after recurs over terms).
enum { MAX_REBUILT = 2000000, MAX_HEIGHT = 200 };

enum { UNSEEN = -1, SEVERAL = -2 };

typedef struct {
    Node *node;
    int uses;            // 0, 1, 2 = more
    int loops, branches; // how many lambdas / branches of `if` it stands under
    Node *value;         // of a variable bound by a let: the value, and where the let stands
    int let_loops, let_branches;
    int height;    // of the term when all lets in it are put in place
    bool keep;     // that would be too high
    int64_t level; // while rebuilding: how many variables are bound outside its binder
    bool inlined;
} Use;

typedef struct {
    Stage *s;
    Use *uses; // by position in `order`
    Map index; // node -> 1 + position
    VEC(Node *) order;
    Map rebuilt; // (node, scope) -> Node: nodes used more than once
    int64_t scopes, work;
} Finish;

// --- may it fail? ------------------------------------------------------------

static bool fails_itself(Node *e)
{
    if (e->kind == CORE_TO_IDX || e->kind == CORE_SCATTER) return true;
    if (e->kind != CORE_PRIM || (e->attr.i != PRIM_DIV && e->attr.i != PRIM_REM)) return false;
    Node *by = e->op[1];
    return !type_is_float(by->type) && (by->kind != CORE_LIT || by->attr.bits == 0);
}

static bool may_fail(Stage *s, Map *memo, Node *e)
{
    static const char yes, no;
    const char *known = map_get(memo, MAP_KEY(e));
    if (known) return known == &yes;
    bool fails = fails_itself(e);
    for (uint32_t i = 0; i < e->nops && !fails; i++) fails = may_fail(s, memo, e->op[i]);
    map_put(memo, MAP_KEY(e), (void *)(uintptr_t)(fails ? &yes : &no));
    return fails;
}

bool stage_may_fail(Stage *s, Node *term)
{
    return may_fail(s, &s->failing, term);
}

// --- uses --------------------------------------------------------------------

static void collect(Finish *f, Node *e)
{
    // lets in a row are a loop, so that long programs need no deep stack
    for (;;) {
        if (map_get(&f->index, MAP_KEY(e))) return;
        map_put(&f->index, MAP_KEY(e), (void *)(uintptr_t)1);
        vec_push(f->s->arena, &f->order, e);
        Node *last = NULL;
        for (uint32_t i = 0; i < e->nops; i++) {
            if (kind_info[e->op[i]->kind].levels & LEVEL_NAT) continue;
            if (last) collect(f, last);
            last = e->op[i];
        }
        if (!last) return;
        e = last;
    }
}

static int by_descending_id(const void *a, const void *b)
{
    uint32_t x = (*(Node *const *)a)->id, y = (*(Node *const *)b)->id;
    return (x < y) - (x > y);
}

static Use *use_of(Finish *f, Node *e)
{
    uintptr_t k = (uintptr_t)map_get(&f->index, MAP_KEY(e));
    CHECK(f->s->cx, k, "a node of the term was not counted");
    return &f->uses[k - 1];
}

static int merge(int old, int depth)
{
    return old == UNSEEN ? depth : old == depth ? depth : SEVERAL;
}

static int deeper(int depth, int by)
{
    return depth == SEVERAL ? SEVERAL : depth + by;
}

static void count(Finish *f, Node *e, int times, int loops, int branches)
{
    if (kind_info[e->kind].levels & LEVEL_NAT) return;
    Use *u = use_of(f, e);
    u->uses = u->uses + times > 2 ? 2 : u->uses + times;
    u->loops = merge(u->loops, loops);
    u->branches = merge(u->branches, branches);
}

// The body of a binder; the bound variables learn where they are bound.
static Node *body_of(Node *binder)
{
    Node *under = binder->op[binder->nops - 1];
    return under->op[under->nops - 1];
}

// A value that would be inlined is used as often as its variable, once; one that stays is computed
// once.
static bool is_inlined(Finish *f, const Use *u)
{
    if (u->keep || u->uses != 1 || u->loops == SEVERAL || u->loops != u->let_loops) return false;
    if (u->branches != SEVERAL && u->branches == u->let_branches) return true;
    return !stage_may_fail(f->s, u->value);
}

static bool is_dropped(Finish *f, const Use *u)
{
    return u->uses == 0 && (type_has_array(u->value->type) || !stage_may_fail(f->s, u->value));
}

static void count_variable(Finish *f, Use *u)
{
    if (!u->value || u->let_loops == UNSEEN || is_dropped(f, u)) return;
    u->inlined = is_inlined(f, u);
    if (u->inlined)
        count(f, u->value, 1, u->loops, u->branches);
    else
        count(f, u->value, 1, u->let_loops, u->let_branches);
}

static void count_operands(Finish *f, Use *u)
{
    Node *e = u->node;
    if (e->kind == PH_VAR) {
        count_variable(f, u);
    } else if (u->uses == 0) {
        return;
    } else if (e->kind == CORE_LET) {
        Use *var = use_of(f, e->op[1]->op[0]);
        var->let_loops = merge(var->let_loops, u->loops);
        var->let_branches = merge(var->let_branches, u->branches);
        count(f, body_of(e), u->uses, u->loops, u->branches);
    } else if (e->kind == CORE_LAM) {
        count(f, body_of(e), u->uses, deeper(u->loops, 1), u->branches);
    } else {
        for (uint32_t i = 0; i < e->nops; i++)
            count(f, e->op[i], u->uses, u->loops, deeper(u->branches, e->kind == CORE_IF && i > 0));
    }
}

static void number_nodes(Finish *f, Node *term)
{
    f->index = map_new(f->s->arena);
    collect(f, term);
    int n = f->order.len;
    qsort(f->order.at, (size_t)n, sizeof *f->order.at, by_descending_id);
    f->uses = ARENA_ARRAY(f->s->arena, Use, n + 1);
    for (int i = 0; i < n; i++) {
        f->uses[i] = (Use){.node = f->order.at[i],
                           .loops = UNSEEN,
                           .branches = UNSEEN,
                           .let_loops = UNSEEN,
                           .let_branches = UNSEEN};
        map_put(&f->index, MAP_KEY(f->order.at[i]), (void *)(uintptr_t)(i + 1));
    }
    for (int i = 0; i < n; i++)
        if (f->order.at[i]->kind == CORE_LET)
            use_of(f, f->order.at[i]->op[1]->op[0])->value = f->order.at[i]->op[0];
}

// Operands first. A let does not make its body higher: rows of lets are gone through by loops.
static void measure(Finish *f)
{
    for (int i = f->order.len - 1; i >= 0; i--) {
        Use *u = &f->uses[i];
        Node *e = u->node;
        if (u->value) {
            u->height = use_of(f, u->value)->height;
            u->keep = u->height > MAX_HEIGHT;
            if (u->keep) u->height = 0;
        }
        for (uint32_t k = 0; k < e->nops; k++) {
            if (kind_info[e->op[k]->kind].levels & LEVEL_NAT) continue;
            int height = use_of(f, e->op[k])->height + (e->kind != CORE_LET);
            if (height > u->height) u->height = height;
        }
    }
}

static void count_uses(Finish *f, Node *term)
{
    number_nodes(f, term);
    measure(f);
    count(f, term, 1, 0, 0);
    for (int i = 0; i < f->order.len; i++) count_operands(f, &f->uses[i]);
}

// --- rebuilding --------------------------------------------------------------

// Where a term is rebuilt: under `depth` variables, inside the binder number `scope`.
typedef struct {
    int depth;
    int64_t scope;
} Place;

static Node *rebuild(Finish *f, Node *e, Place at);

static Place inside(Finish *f, Place at, int nbound)
{
    return (Place){at.depth + nbound, ++f->scopes};
}

static const Sym *hints_of(Finish *f, int n, Node *const *vars)
{
    Sym *hints = ARENA_ARRAY(f->s->cx->arena, Sym, n + 1);
    for (int i = 0; i < n; i++) {
        const void *hint = map_get(&f->s->hints, MAP_KEY(vars[i]->attr.sym));
        hints[i] = hint ? (Sym)hint : session_sym(f->s->cx, "x");
    }
    return hints;
}

static void bind(Finish *f, int n, Node *const *vars, int depth)
{
    for (int i = 0; i < n; i++)
        if (map_get(&f->index, MAP_KEY(vars[i]))) use_of(f, vars[i])->level = depth + i;
}

static Node *rebuild_variable(Finish *f, Node *e, Place at)
{
    const Use *u = use_of(f, e);
    if (u->inlined) return rebuild(f, u->value, at);
    return node_make(f->s->cx, &(NodeSpec){.kind = CORE_VAR,
                                           .attr.i = at.depth - 1 - u->level,
                                           .type = e->type,
                                           .origin = e->origin});
}

static Node *rebuild_lambda(Finish *f, Node *e, Place at)
{
    int n = (int)e->attr.i;
    bind(f, n, e->op[0]->op, at.depth);
    Node *body = rebuild(f, body_of(e), inside(f, at, n));
    return node_make(f->s->cx, &(NodeSpec){.kind = CORE_LAM,
                                           .attr = e->attr,
                                           .type = e->type,
                                           .nops = 1,
                                           .ops = &body,
                                           .origin = e->origin,
                                           .names = hints_of(f, n, e->op[0]->op)});
}

// A chain of lets, rebuilt from the outside, put together from the inside.
static Node *rebuild_lets(Finish *f, Node *e, Place at)
{
    VEC(Node *) kept = {0}, values = {0};
    for (; e->kind == CORE_LET; e = body_of(e)) {
        Node *var = e->op[1]->op[0];
        Use *u = use_of(f, var);
        if (u->inlined || is_dropped(f, u)) continue;
        vec_push(f->s->arena, &values, rebuild(f, e->op[0], at));
        vec_push(f->s->arena, &kept, e);
        bind(f, 1, &var, at.depth);
        at = inside(f, at, 1);
    }
    Node *body = rebuild(f, e, at);
    for (int i = kept.len - 1; i >= 0; i--)
        body = node_make(f->s->cx, &(NodeSpec){.kind = CORE_LET,
                                               .type = body->type,
                                               .nops = 2,
                                               .ops = (Node *[]){values.at[i], body},
                                               .origin = kept.at[i]->origin,
                                               .names = hints_of(f, 1, kept.at[i]->op[1]->op)});
    return body;
}

static Node *rebuild_operands(Finish *f, Node *e, Place at)
{
    Node **ops = ARENA_ARRAY(f->s->arena, Node *, e->nops + 1);
    for (uint32_t i = 0; i < e->nops; i++) {
        bool size = kind_info[e->op[i]->kind].levels & LEVEL_NAT;
        ops[i] = size ? e->op[i] : rebuild(f, e->op[i], at);
    }
    return node_with_ops(f->s->cx, e, ops);
}

static Node *rebuild(Finish *f, Node *e, Place at)
{
    if (e->kind == PH_VAR) return rebuild_variable(f, e, at);
    if (e->nops == 0) return e;
    bool shared = use_of(f, e)->uses > 1;
    uint64_t key = (uint64_t)e->id << 32 | (uint64_t)at.scope;
    Node *done = shared ? map_get(&f->rebuilt, key) : NULL;
    if (done) return done;
    if (++f->work > MAX_REBUILT) {
        stage_fail(f->s, E0503, f->s->entry->span, NULL,
                   "this entry is too large when all calls are expanded");
        return e;
    }
    if (f->s->failed) return e;
    if (e->kind == CORE_LAM)
        done = rebuild_lambda(f, e, at);
    else if (e->kind == CORE_LET)
        done = rebuild_lets(f, e, at);
    else
        done = rebuild_operands(f, e, at);
    if (shared) map_put(&f->rebuilt, key, (void *)(uintptr_t)done);
    return done;
}

Node *stage_finish(Stage *s, Node *term, int nparams, Node *const *params)
{
    Finish f = {.s = s, .rebuilt = map_new(s->arena)};
    count_uses(&f, term);
    bind(&f, nparams, params, 0);
    return rebuild(&f, term, (Place){nparams, 0});
}
