// `a && b` evaluates b only if a does not decide. In the C code, that is control flow, and C
// compilers vectorise few loops that contain it. In straight loops, both operands are evaluated if
// b is cheap, has no checks, and loads only elements that exist whatever a is:
//
//   for i in 0 .. n                             for i in 0 .. n
//       out[i] = x[i] > t ? y[i] < t : false    becomes    out[i] = and.eager(x[i] > t, y[i] < t)
#include "loops/scalar/scalar.h"
#include "loops/simplify/simplify.h"

// What evaluating b is worth at most, in nodes: branches that are predicted skip it.
enum { CHEAP = 24 };

typedef struct {
    Simplifier s;
    Map counts; // array -> its number of elements
} Speculate;

// Finds the arrays whose elements may be loaded. Allocated ones may have elements without a value,
// which matters for bools.
static void find_arrays(Session *cx, const LoopEntry *e, Map *counts)
{
    Scalar s;
    Stmts decls = loops_all(cx, e->body, IS_DECL);
    for (int i = 0; i < decls.len; i++) {
        Node *d = decls.at[i];
        if (d->kind == LOOP_ALLOC && !(type_is_scalar(d->op[0], &s) && s == SCALAR_BOOL))
            map_put(counts, MAP_KEY(d->attr.sym), (void *)(uintptr_t)d->op[1]);
    }
    for (int i = 0; i < e->params.len; i++) {
        const LoopParam *p = &e->params.at[i];
        bool gaps = p->strides && p->rank > 1; // between rows
        if (p->rank > 0 && !p->output && !p->both && !gaps)
            map_put(counts, MAP_KEY(p->name), (void *)(uintptr_t)p->count);
    }
}

static bool is_inside(Speculate *p, Node *load)
{
    Session *cx = p->s.cx;
    Node *count = map_get(&p->counts, MAP_KEY(load->attr.sym)), *at = load->op[0];
    return count && nat_ge0(cx, p->s.facts, at) == TRUTH_YES &&
           nat_lt(cx, p->s.facts, at, count) == TRUTH_YES;
}

// Whether the size may exceed 64 bits, which is an error.
static bool may_overflow(Speculate *p, Node *size)
{
    return size->nops > 0 && !simplifier_fits(&p->s, size);
}

// Whether evaluating the node may fail, or takes long.
static bool is_risky(Node *n, void *env)
{
    if (node_is_size_or_type(n)) return false;
    if (n->kind == CORE_NAT) return may_overflow(env, n->op[0]);
    if (n->kind == LOOP_LOAD) return !is_inside(env, n) || may_overflow(env, n->op[0]);
    if (n->kind != CORE_PRIM) return loops_is(n, IS_LOAD | IS_ADDRESS | IS_CALL);
    bool divides = n->attr.i == PRIM_DIV || n->attr.i == PRIM_REM;
    return (divides && !type_is_float(n->type)) || prim_is_function((Prim)n->attr.i);
}

static bool is_bool(Node *e, int64_t value)
{
    Scalar s;
    return e->kind == CORE_LIT && type_is_scalar(e->type, &s) && s == SCALAR_BOOL &&
           e->attr.i == value;
}

// Whether e is `a && b`, `a || b`, or one of Adze's operators that evaluate both operands anyway.
static bool is_connective(Node *e, Prim *op, Node **b)
{
    Scalar s;
    if (!type_is_scalar(e->type, &s) || s != SCALAR_BOOL) return false;
    if (e->kind == LOOP_SELECT) {
        bool either = is_bool(e->op[1], 1);
        *op = either ? PRIM_OR : PRIM_AND;
        *b = e->op[either ? 2 : 1];
        return either || is_bool(e->op[2], 0);
    }
    if (e->kind != CORE_PRIM || (e->attr.i != PRIM_AND && e->attr.i != PRIM_OR)) return false;
    *op = (Prim)e->attr.i;
    *b = e->op[1];
    return true;
}

static Node *in_value(Session *cx, Node *e, int depth, void *env)
{
    Prim op;
    Node *b;
    if (node_is_size_or_type(e) || loops_is_stmt(e)) return e;
    bool eager =
        is_connective(e, &op, &b) && loops_weight(b, CHEAP) < CHEAP && !node_any(b, is_risky, env);
    Node *done = node_map(cx, e, depth, in_value, env);
    if (!eager) return done;
    is_connective(done, &op, &b);
    Node *both[] = {done->op[0], b};
    return node_with_variant(cx, core_prim(cx, op, 2, both), VARIANT_EAGER);
}

static Node *in_straight(void *env, Node *s)
{
    Speculate *p = env;
    for (uint32_t i = 0; i < s->nops; i++)
        if (!loops_is_stmt(s->op[i]))
            s = node_with_op(p->s.cx, s, (int)i, in_value(p->s.cx, s->op[i], 0, p));
    return simplifier_map(&p->s, s, in_straight, p);
}

static Node *in_statement(void *env, Node *s)
{
    Speculate *p = env;
    bool innermost = loops_is_counted(s) && loops_is_straight(loops_body(s));
    return simplifier_map(&p->s, s, innermost ? in_straight : in_statement, p);
}

static bool is_logic(Node *n, void *env)
{
    Prim op;
    Node *b;
    (void)env;
    return !node_is_size_or_type(n) && n->type && is_connective(n, &op, &b);
}

static LoopEntry *speculated(Session *cx, const LoopEntry *e)
{
    if (!node_any(e->body, is_logic, NULL)) return loops_with_body(cx, e, e->body);
    Speculate p = {.s = simplifier_new(cx, e), .counts = map_new(cx->arena)};
    find_arrays(cx, e, &p.counts);
    return loops_with_body(cx, e, in_statement(&p, e->body));
}

LoopEntry *loops_speculate(Session *cx, const LoopEntry *e)
{
    return loops_each(cx, e, speculated);
}
