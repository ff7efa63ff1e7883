// Walks over sizes: rebuilding, replacing variables, evaluating. Sizes are shared graphs, so a walk
// that may meet a node often remembers what it found.
#include "nat/internal.h"

static Node *rebuild(Session *cx, Node *e, Node *const *ops)
{
    if (e->nops == 0) return e;
    if (e->kind != NAT_SUM && e->kind != NAT_PRODUCT) return nat_apply(cx, e->kind, ops[0], ops[1]);
    Node *result = nat_const(cx, e->kind == NAT_SUM ? 0 : e->attr.i);
    for (uint32_t k = 0; k < e->nops; k++) result = nat_apply(cx, e->kind, result, ops[k]);
    return result;
}

void nat_init(Session *cx)
{
    node_set_nat_rebuild(cx, rebuild);
}

typedef struct {
    Session *cx;
    Map done;
    Node *(*lookup)(Node *e,
                    void *env); // for every node when `anywhere`, else for variables and metas
    void *env;
    bool anywhere;
} Replace;

static Node *replace(Replace *r, Node *e)
{
    if (r->anywhere || e->kind == NAT_VAR || e->kind == NAT_META) {
        Node *value = r->lookup(e, r->env);
        if (value) return value;
    }
    if (e->nops == 0) return e;
    Node *known = map_get(&r->done, e->id);
    if (known) return known;
    Node *few[16], **ops = e->nops <= 16 ? few : ARENA_ARRAY(r->done.arena, Node *, e->nops);
    bool same = true;
    for (uint32_t k = 0; k < e->nops; k++) {
        ops[k] = replace(r, e->op[k]);
        same = same && ops[k] == e->op[k];
    }
    Node *result = same ? e : rebuild(r->cx, e, ops);
    map_put(&r->done, e->id, (void *)(uintptr_t)result);
    return result;
}

static Node *replace_all(Session *cx, Node *e, Node *(*lookup)(Node *, void *), void *env,
                         bool anywhere)
{
    Arena *arena = arena_new();
    Replace r = {cx, map_new(arena), lookup, env, anywhere};
    Node *result = replace(&r, e);
    arena_delete(arena);
    return result;
}

Node *nat_replace(Session *cx, Node *e, Node *(*lookup)(Node *atom, void *env), void *env)
{
    return replace_all(cx, e, lookup, env, false);
}

static Node *lookup_pair(Node *e, void *env)
{
    Node **pair = env;
    return e == pair[0] ? pair[1] : NULL;
}

Node *nat_replace_node(Session *cx, Node *e, Node *from, Node *to)
{
    Node *pair[2] = {from, to};
    return replace_all(cx, e, lookup_pair, pair, true);
}

static void visit(Map *seen, Node *e, void (*found)(Node *atom, void *env), void *env)
{
    bool atom = e->kind == NAT_VAR || e->kind == NAT_META;
    if ((!atom && e->nops == 0) || map_get(seen, e->id)) return;
    map_put(seen, e->id, seen);
    if (atom) found(e, env);
    for (uint32_t k = 0; k < e->nops; k++) visit(seen, e->op[k], found, env);
}

void nat_atoms(Session *cx, Node *e, void (*found)(Node *atom, void *env), void *env)
{
    (void)cx;
    Arena *arena = arena_new();
    Map seen = map_new(arena);
    visit(&seen, e, found, env);
    arena_delete(arena);
}

typedef struct {
    Node *atom;
    bool found;
} Occurs;

static void compare_atom(Node *atom, void *env)
{
    Occurs *o = env;
    o->found = o->found || atom == o->atom;
}

bool nat_occurs(Node *e, Node *atom)
{
    Occurs o = {atom, e == atom};
    if (e->nops > 0) nat_atoms(NULL, e, compare_atom, &o);
    return o.found;
}

// Values of shared nodes are remembered once a term turns out to be large.
typedef struct {
    bool (*lookup)(Node *atom, int64_t *value, void *env);
    void *env;
    Arena *arena;
    Map done;
    int steps;
} Eval;
typedef struct {
    bool ok;
    int64_t value;
} Value;

static Value eval(Eval *ev, Node *e);

// The sum of the operands, or the coefficient times them. Sums in 128 bits: only the result must
// fit.
static Value eval_list(Eval *ev, Node *e)
{
    bool sum = e->kind == NAT_SUM;
    __int128 total = sum ? 0 : e->attr.i;
    for (uint32_t k = 0; k < e->nops; k++) {
        Value v = eval(ev, e->op[k]);
        if (!v.ok) return v;
        if (sum)
            total += v.value;
        else if (__builtin_mul_overflow(total, (__int128)v.value, &total))
            return (Value){false, 0};
    }
    return (Value){total == (int64_t)total, (int64_t)total};
}

static Value eval_pair(Kind kind, int64_t a, int64_t b)
{
    Value v = {true, 0};
    switch (kind) {
    case NAT_DIV:
        if (b == 0 || (b == -1 && a == INT64_MIN)) return (Value){false, 0};
        v.value = floor_div(a, b);
        break;
    case NAT_MOD:
        if (b == 0) return (Value){false, 0};
        v.value = b == -1 ? 0 : floor_mod(a, b);
        break;
    case NAT_MIN: v.value = a < b ? a : b; break;
    case NAT_MAX: v.value = a > b ? a : b; break;
    case NAT_POW: v.ok = b >= 0 && int_pow(a, b, &v.value); break;
    default: v.ok = false;
    }
    return v;
}

static Value eval_operands(Eval *ev, Node *e)
{
    if (e->kind == NAT_SUM || e->kind == NAT_PRODUCT) return eval_list(ev, e);
    if (e->nops != 2) return (Value){false, 0};
    Value a = eval(ev, e->op[0]);
    if (!a.ok) return a;
    Value b = eval(ev, e->op[1]);
    return b.ok ? eval_pair((Kind)e->kind, a.value, b.value) : b;
}

static Value eval(Eval *ev, Node *e)
{
    Value v = {true, e->attr.i};
    if (e->kind == NAT_CONST) return v;
    if (e->kind == NAT_VAR || e->kind == NAT_META) {
        v.ok = ev->lookup(e, &v.value, ev->env);
        return v;
    }
    if (++ev->steps < 256) return eval_operands(ev, e);
    if (!ev->arena) {
        ev->arena = arena_new();
        ev->done = map_new(ev->arena);
    }
    Value *known = map_get(&ev->done, e->id);
    if (known) return *known;
    v = eval_operands(ev, e);
    known = ARENA_NEW(ev->arena, Value);
    *known = v;
    map_put(&ev->done, e->id, known);
    return v;
}

bool nat_eval(Node *e, bool (*lookup)(Node *atom, int64_t *value, void *env), void *env,
              int64_t *value)
{
    Eval ev = {.lookup = lookup, .env = env};
    Value v = eval(&ev, e);
    arena_delete(ev.arena);
    if (v.ok) *value = v.value;
    return v.ok;
}
