// `a && b` evaluates b only if a does not decide. In the C code, that is control flow, and C
// compilers vectorise few loops that contain it. In straight loops, both operands are evaluated if
// b is cheap, has no checks, and loads only elements that exist whatever a is:
//
//   for i in 0 .. n                             for i in 0 .. n
//       out[i] = x[i] > t ? y[i] < t : false    becomes    out[i] = and.eager(x[i] > t, y[i] < t)
//
// Branches that only choose a bool become such values first.
#include "loops/scalar/scalar.h"
#include "loops/simplify/simplify.h"

// What evaluating b is worth at most, in nodes: branches that are predicted skip it.
enum { CHEAP = 24, CHEAP_ARM = 3 * CHEAP };

typedef struct {
    Simplifier s;
    Map counts;  // array -> its number of elements
    Map carried; // locals that an iteration of the loop gets from the one before it
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
    if (node_is_size_or_type(e) || loops_is_stmt(e) || loops_is(e, IS_ADDRESS)) return e;
    bool eager =
        is_connective(e, &op, &b) && loops_weight(b, CHEAP) < CHEAP && !node_any(b, is_risky, env);
    Node *done = node_map(cx, e, depth, in_value, env);
    if (!eager) return done;
    is_connective(done, &op, &b);
    Node *both[] = {done->op[0], b};
    return node_with_variant(cx, core_prim(cx, op, 2, both), VARIANT_EAGER);
}

// A branch that depends on the iteration before, as in a search for the first greatest element, is
// not vectorised; predicted, it takes less time than both operands.
static bool is_carried(Speculate *p, Node *s)
{
    return s->kind == LOOP_IF && loops_reads_any(p->s.cx, s->op[0], &p->carried);
}

// --- branches ------------------------------------------------------------------------------------

// An arm that declares locals and then sets a bool or stores one.
typedef struct {
    Node *const *decls;
    uint32_t n;
    Node *last;
} Arm;

static bool is_arm(Speculate *p, Node *s, Arm *arm)
{
    bool block = s->kind == LOOP_BLOCK;
    if (block && s->nops == 0) return false;
    *arm =
        (Arm){.decls = s->op, .n = block ? s->nops - 1 : 0, .last = block ? s->op[s->nops - 1] : s};
    int weight = 0;
    for (uint32_t i = 0; i < arm->n; i++) {
        Node *d = arm->decls[i];
        bool good = d->kind == LOOP_DECL && d->op[1]->kind != CORE_TUPLE;
        if (!good || node_any(d->op[1], is_risky, p)) return false;
        weight += loops_weight(d->op[1], CHEAP_ARM);
    }
    return weight < CHEAP_ARM && (arm->last->kind == LOOP_SET || arm->last->kind == LOOP_STORE);
}

// A branch both arms of which give one local or element a value:
//
//   if a { out[i] = true } else { b = x[i] > t; out[i] = b }
//
// becomes b = x[i] > t; out[i] = a || b.
static Node *without_branch(Speculate *p, Node *s)
{
    Session *cx = p->s.cx;
    Arm arms[2];
    Scalar scalar;
    if (s->kind != LOOP_IF || is_carried(p, s)) return s;
    if (!is_arm(p, s->op[1], &arms[0]) || !is_arm(p, s->op[2], &arms[1])) return s;
    Node *a = arms[0].last, *b = arms[1].last;
    bool store = a->kind == LOOP_STORE;
    if (a->kind != b->kind || a->attr.sym != b->attr.sym || (store && a->op[0] != b->op[0]))
        return s;
    Node *x = a->op[store], *y = b->op[store];
    if (!type_is_scalar(x->type, &scalar) || scalar != SCALAR_BOOL) return s;
    Stmts out = {0};
    for (int k = 0; k < 2; k++)
        for (uint32_t i = 0; i < arms[k].n; i++) vec_push(cx->arena, &out, arms[k].decls[i]);
    bool condition = is_bool(x, 1) && is_bool(y, 0);
    Node *value = condition ? s->op[0] : in_value(cx, loops_select(cx, s->op[0], x, y), 0, p);
    vec_push(cx->arena, &out, node_with_op(cx, a, store, value));
    return loops_block(cx, out.len, out.at);
}

// Whether the block declares a name that the enclosing one declares, too.
static bool declares_any(Node *block, const Map *names)
{
    for (uint32_t k = 0; k < block->nops; k++)
        if (loops_is(block->op[k], IS_DECL) && map_get(names, MAP_KEY(block->op[k]->attr.sym)))
            return true;
    return false;
}

// The statements of a block without the braces of the blocks in it, which branches leave.
static Stmts spread_out(Session *cx, Node *block)
{
    Stmts out = {0};
    Map names = map_new(cx->arena);
    for (uint32_t i = 0; i < block->nops; i++)
        if (loops_is(block->op[i], IS_DECL)) map_put(&names, MAP_KEY(block->op[i]->attr.sym), cx);
    for (uint32_t i = 0; i < block->nops; i++) {
        Node *s = block->op[i];
        bool inner = s->kind == LOOP_BLOCK && !declares_any(s, &names);
        for (uint32_t k = 0; k < (inner ? s->nops : 1); k++) {
            Node *each = inner ? s->op[k] : s;
            if (loops_is(each, IS_DECL)) map_put(&names, MAP_KEY(each->attr.sym), cx);
            vec_push(cx->arena, &out, each);
        }
    }
    return out;
}

// Whether the statement declares a bool without a value.
static bool is_open_bool(Node *s)
{
    Scalar t;
    return s->kind == LOOP_DECL && s->op[1]->kind == CORE_TUPLE && type_is_scalar(s->op[0], &t) &&
           t == SCALAR_BOOL;
}

// Replaces bools whose value is a literal, and simplifies what uses them.
static Node *without_known_bools(Speculate *p, Node *block)
{
    Session *cx = p->s.cx;
    Map values = map_new(cx->arena);
    for (uint32_t i = 0; block->kind == LOOP_BLOCK && i < block->nops; i++) {
        Node *s = block->op[i];
        bool known = s->kind == LOOP_DECL && s->op[1]->kind == CORE_LIT;
        if (known && (is_bool(s->op[1], 0) || is_bool(s->op[1], 1)) &&
            !loops_has_named(block, IS_SET, s->attr.sym))
            map_put(&values, MAP_KEY(s->attr.sym), (void *)(uintptr_t)s->op[1]);
    }
    if (values.len == 0) return block;
    block = simplify_stmt(&p->s, loops_replace_locals(cx, block, &values));
    return loops_without_self_copies(cx, block);
}

// Declares bools with the values that they are set to next: { bool x; bool y = a; x = b } becomes
// { bool y = a; bool x = b }.
static Node *joined(Speculate *p, Node *block)
{
    Session *cx = p->s.cx;
    Stmts out = spread_out(cx, block);
    int n = 0;
    for (int i = 0; i < out.len; i++) {
        Node *s = out.at[i];
        int at = n; // of the declaration of the local that s sets, if only declarations follow it
        while (s->kind == LOOP_SET && --at >= 0 && out.at[at]->kind == LOOP_DECL)
            if (out.at[at]->attr.sym == s->attr.sym) break;
        if (at >= 0 && at < n && is_open_bool(out.at[at])) {
            Node *decl = node_with_op(cx, out.at[at], 1, s->op[0]);
            for (int k = at; k + 1 < n; k++) out.at[k] = out.at[k + 1];
            out.at[n - 1] = decl;
        } else {
            out.at[n++] = s;
        }
    }
    return without_known_bools(p, loops_block(cx, n, out.at));
}

static Node *in_straight(void *env, Node *s)
{
    Speculate *p = env;
    s = simplifier_map(&p->s, s, in_straight, p);
    for (uint32_t i = 0; i < s->nops; i++)
        if (!loops_is_stmt(s->op[i]) && !is_carried(p, s))
            s = node_with_op(p->s.cx, s, (int)i, in_value(p->s.cx, s->op[i], 0, p));
    return s->kind == LOOP_BLOCK ? joined(p, s) : without_branch(p, s);
}

static void find_carried(Speculate *p, Node *body)
{
    Map own = map_new(p->s.cx->arena), changed = map_new(p->s.cx->arena);
    p->carried = map_new(p->s.cx->arena);
    loops_bound(body, &own);
    loops_changed(body, &changed);
    for (int i = 0; i < changed.len; i++)
        if (!map_get(&own, changed.entries[i].key)) map_put(&p->carried, changed.entries[i].key, p);
    Stmts decls = loops_all(p->s.cx, body, IS_DECL); // and copies of these
    for (int i = 0; i < decls.len; i++)
        if (decls.at[i]->kind == LOOP_DECL &&
            loops_reads_any(p->s.cx, decls.at[i]->op[1], &p->carried))
            map_put(&p->carried, MAP_KEY(decls.at[i]->attr.sym), p);
}

static Node *in_statement(void *env, Node *s)
{
    Speculate *p = env;
    bool innermost = loops_is_counted(s) && loops_is_straight(loops_body(s));
    if (innermost) find_carried(p, loops_body(s));
    return simplifier_map(&p->s, s, innermost ? in_straight : in_statement, p);
}

static bool is_logic(Node *n, void *env)
{
    Prim op;
    Node *b;
    (void)env;
    if (n->kind == LOOP_IF) return true;
    return !node_is_size_or_type(n) && n->type && is_connective(n, &op, &b);
}

static LoopEntry *speculated(Session *cx, const LoopEntry *e)
{
    if (!node_any(e->body, is_logic, NULL)) return loops_with_body(cx, e, e->body);
    Speculate p = {
        .s = simplifier_new(cx, e), .counts = map_new(cx->arena), .carried = map_new(cx->arena)};
    find_arrays(cx, e, &p.counts);
    return loops_with_body(cx, e, in_statement(&p, e->body));
}

LoopEntry *loops_speculate(Session *cx, const LoopEntry *e)
{
    return loops_each(cx, e, speculated);
}
