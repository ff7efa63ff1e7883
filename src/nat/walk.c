// Walks over sizes: rebuilding, replacing variables, evaluating. Sizes are shared graphs, so a walk
// memoises its results.
#include "nat/internal.h"

const void *memo_get(const Memo *m, Node *e)
{
    for (int i = 0; i < m->len; i++)
        if (m->key[i] == e) return m->value[i];
    return m->arena ? map_get(&m->map, e->id) : NULL;
}

void memo_put(Memo *m, Node *e, const void *value)
{
    if (m->len < (int)(sizeof m->key / sizeof m->key[0])) {
        m->key[m->len] = e;
        m->value[m->len++] = value;
        return;
    }
    if (!m->arena) {
        m->arena = arena_new();
        m->map = map_new(m->arena);
    }
    map_put(&m->map, e->id, (void *)(uintptr_t)value);
}

void memo_free(Memo *m)
{
    arena_delete(m->arena);
}

Node *nat_rebuild(Session *cx, Node *e, Node *const *ops)
{
    if (e->nops == 0) return e;
    if (e->kind != NAT_SUM && e->kind != NAT_PRODUCT) return nat_apply(cx, e->kind, ops[0], ops[1]);
    Node *result = nat_const(cx, e->kind == NAT_SUM ? 0 : e->attr.i);
    for (uint32_t k = 0; k < e->nops; k++) result = nat_apply(cx, e->kind, result, ops[k]);
    return result;
}

void nat_init(Session *cx)
{
    node_set_nat_rebuild(cx, nat_rebuild);
}

typedef struct {
    Session *cx;
    Memo done;
    Node *(*lookup)(Node *e,
                    void *env); // called for every node if `anywhere` is set, else only for
                                // variables and metas
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
    Node *known = memo_get(&r->done, e);
    if (known) return known;
    Node *few[16], **ops = e->nops <= 16 ? few : ARENA_ARRAY(r->cx->arena, Node *, e->nops);
    bool same = true;
    for (uint32_t k = 0; k < e->nops; k++) {
        ops[k] = replace(r, e->op[k]);
        same = same && ops[k] == e->op[k];
    }
    Node *result = same ? e : nat_rebuild(r->cx, e, ops);
    memo_put(&r->done, e, result);
    return result;
}

static Node *replace_all(Session *cx, Node *e, Node *(*lookup)(Node *, void *), void *env,
                         bool anywhere)
{
    Replace r = {.cx = cx, .lookup = lookup, .env = env, .anywhere = anywhere};
    Node *result = replace(&r, e);
    memo_free(&r.done);
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

static void visit(Memo *seen, Node *e, void (*found)(Node *atom, void *env), void *env)
{
    bool atom = e->kind == NAT_VAR || e->kind == NAT_META;
    if ((!atom && e->nops == 0) || memo_get(seen, e)) return;
    memo_put(seen, e, e);
    if (atom) found(e, env);
    for (uint32_t k = 0; k < e->nops; k++) visit(seen, e->op[k], found, env);
}

void nat_atoms(Session *cx, Node *e, void (*found)(Node *atom, void *env), void *env)
{
    (void)cx;
    Memo seen = {.len = 0};
    visit(&seen, e, found, env);
    memo_free(&seen);
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

// A value, a value beyond 64 bits, or no value. 0 times a value beyond 64 bits is 0: a power of a
// product is kept as a product of powers, which must have a value whenever the power does.
typedef struct {
    enum { VALUE, TOO_LARGE, NO_VALUE } state;
    int64_t value;
} Value;

// Values of shared nodes are memoised once a term turns out to be large.
typedef struct {
    bool (*lookup)(Node *atom, int64_t *value, void *env);
    void *env;
    Arena *arena;
    Map done;
    int steps;
} Eval;

static Value eval(Eval *ev, Node *e);

static Value wide_value(__int128 v)
{
    return v == (int64_t)v ? (Value){VALUE, (int64_t)v} : (Value){TOO_LARGE, 0};
}

// Adds in 128 bits, as only the sum must fit.
static Value eval_sum(Eval *ev, Node *e)
{
    __int128 sum = 0;
    for (uint32_t k = 0; k < e->nops; k++) {
        Value v = eval(ev, e->op[k]);
        if (v.state != VALUE) return v;
        sum += v.value;
    }
    return wide_value(sum);
}

static Value eval_product(Eval *ev, Node *e)
{
    Value product = {VALUE, e->attr.i};
    bool zero = false;
    for (uint32_t k = 0; k < e->nops; k++) {
        Value v = eval(ev, e->op[k]);
        if (v.state == NO_VALUE) return v;
        zero = zero || (v.state == VALUE && v.value == 0);
        if (v.state == TOO_LARGE || product.state == TOO_LARGE)
            product.state = TOO_LARGE;
        else
            product = wide_value((__int128)product.value * v.value);
    }
    return zero ? (Value){VALUE, 0} : product;
}

static Value eval_power(int64_t base, int64_t exponent)
{
    Value v = {VALUE, 0};
    if (exponent < 0)
        v.state = NO_VALUE;
    else if (!int_pow(base, exponent, &v.value))
        v.state = TOO_LARGE;
    return v;
}

static Value eval_pair(Kind kind, int64_t a, int64_t b)
{
    switch (kind) {
    case NAT_DIV:
        if (b == 0) break;
        return b == -1 ? wide_value(-(__int128)a) : (Value){VALUE, floor_div(a, b)};
    case NAT_MOD:
        if (b == 0) break;
        return (Value){VALUE, b == -1 ? 0 : floor_mod(a, b)};
    case NAT_MIN: return (Value){VALUE, a < b ? a : b};
    case NAT_MAX: return (Value){VALUE, a > b ? a : b};
    case NAT_POW: return eval_power(a, b);
    default: break;
    }
    return (Value){NO_VALUE, 0};
}

static Value eval_operands(Eval *ev, Node *e)
{
    if (e->kind == NAT_SUM) return eval_sum(ev, e);
    if (e->kind == NAT_PRODUCT) return eval_product(ev, e);
    if (e->nops != 2) return (Value){NO_VALUE, 0};
    Value a = eval(ev, e->op[0]), b = eval(ev, e->op[1]);
    if (a.state != VALUE || b.state != VALUE)
        return (Value){a.state == NO_VALUE || b.state == NO_VALUE ? NO_VALUE : TOO_LARGE, 0};
    return eval_pair((Kind)e->kind, a.value, b.value);
}

static Value eval(Eval *ev, Node *e)
{
    Value v = {VALUE, e->attr.i};
    if (e->kind == NAT_CONST) return v;
    if (e->kind == NAT_VAR || e->kind == NAT_META) {
        if (!ev->lookup(e, &v.value, ev->env)) v.state = NO_VALUE;
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
    if (v.state == VALUE) *value = v.value;
    return v.state == VALUE;
}
