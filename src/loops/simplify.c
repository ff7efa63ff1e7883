// Simplification of statements (DESIGN 4.4): positions and conditions decided by what is known
// about sizes and indices, loops of no or one iteration, copies of locals, branches and checks that
// are settled.
#include "loops/passes.h"

#include <string.h>

bool loops_is_stmt(Node *n)
{
    return n->kind >= LOOP_BLOCK && n->kind <= LOOP_CHECK;
}

bool loops_is_empty(Node *s)
{
    return s->kind == LOOP_BLOCK && s->nops == 0;
}

LoopEntry *loops_with_body(Session *cx, const LoopEntry *e, Node *body)
{
    LoopEntry *copy = ARENA_NEW(cx->arena, LoopEntry);
    *copy = *e;
    copy->body = body;
    return copy;
}

typedef VEC(Node *) Stmts;

static bool declares(Node *block)
{
    for (uint32_t i = 0; i < block->nops; i++)
        if (block->op[i]->kind == LOOP_DECL || block->op[i]->kind == LOOP_ALLOC) return true;
    return false;
}

static void add_flat(Session *cx, Stmts *out, Node *s)
{
    if (s->kind == LOOP_BLOCK && !declares(s))
        for (uint32_t i = 0; i < s->nops; i++) add_flat(cx, out, s->op[i]);
    else
        vec_push(cx->arena, out, s);
}

Node *loops_block(Session *cx, int n, Node *const *stmts)
{
    Stmts flat = {0};
    for (int i = 0; i < n; i++) add_flat(cx, &flat, stmts[i]);
    if (flat.len == 1 && flat.at[0]->kind != LOOP_DECL && flat.at[0]->kind != LOOP_ALLOC)
        return flat.at[0];
    NodeSpec spec = {.kind = LOOP_BLOCK, .nops = flat.len, .ops = flat.at};
    return node_make(cx, &spec);
}

Node *loops_for(Session *cx, Node *like, Node *from, Node *to, Node *body)
{
    Node *ops[] = {from, to, body};
    return node_with_ops(cx, like, ops);
}

// --- facts -------------------------------------------------------------------------------------

Scope simplifier_enter(Simplifier *s)
{
    Scope outer = {s->facts, s->memo};
    s->facts = facts_new(s->cx, s->cx->arena, s->facts);
    s->memo = map_new(s->cx->arena);
    return outer;
}

void simplifier_leave(Simplifier *s, Scope outer)
{
    s->facts = outer.facts;
    s->memo = outer.memo;
}

void simplifier_assume_ge0(Simplifier *s, Node *size)
{
    facts_ge0(s->facts, size);
    s->memo = map_new(s->cx->arena); // what was undecided may be decided now
}

static bool is_size(Node *e)
{
    return e->kind == CORE_NAT;
}

// a < b as b - a - 1 >= 0.
static Node *less(Session *cx, Node *a, Node *b)
{
    return nat_sub(cx, nat_sub(cx, b, a), nat_const(cx, 1));
}

static void assume_comparison(Simplifier *s, Prim op, Node *a, Node *b)
{
    Session *cx = s->cx;
    switch (op) {
    case PRIM_LT: simplifier_assume_ge0(s, less(cx, a, b)); return;
    case PRIM_GT: simplifier_assume_ge0(s, less(cx, b, a)); return;
    case PRIM_LE: simplifier_assume_ge0(s, nat_sub(cx, b, a)); return;
    case PRIM_GE: simplifier_assume_ge0(s, nat_sub(cx, a, b)); return;
    case PRIM_EQ:
        facts_eq0(s->facts, nat_sub(cx, a, b));
        s->memo = map_new(cx->arena);
        return;
    default: return;
    }
}

static Prim negated(Prim op)
{
    switch (op) {
    case PRIM_LT: return PRIM_GE;
    case PRIM_GE: return PRIM_LT;
    case PRIM_GT: return PRIM_LE;
    case PRIM_LE: return PRIM_GT;
    case PRIM_EQ: return PRIM_NE;
    case PRIM_NE: return PRIM_EQ;
    default: return PRIM_COUNT;
    }
}

void simplifier_assume(Simplifier *s, Node *c, bool holds)
{
    if (c->kind != CORE_PRIM) return;
    Prim op = (Prim)c->attr.i;
    if (op == PRIM_NOT) {
        simplifier_assume(s, c->op[0], !holds);
    } else if (op == (holds ? PRIM_AND : PRIM_OR)) {
        simplifier_assume(s, c->op[0], holds);
        simplifier_assume(s, c->op[1], holds);
    } else if (c->nops == 2 && is_size(c->op[0]) && is_size(c->op[1])) {
        assume_comparison(s, holds ? op : negated(op), c->op[0]->op[0], c->op[1]->op[0]);
    }
}

// --- statements --------------------------------------------------------------------------------

// Locals that are set somewhere: not constants.
static void find_mutated(Node *s, Map *mutated)
{
    if (s->kind == LOOP_SET) map_put(mutated, MAP_KEY(s->attr.sym), mutated);
    for (uint32_t i = 0; i < s->nops; i++)
        if (loops_is_stmt(s->op[i])) find_mutated(s->op[i], mutated);
}

// A name of type i64 may be negative, unlike what names in sizes stand for, and arithmetic on it
// may wrap.
static void any_integer(Simplifier *s, Sym name)
{
    facts_range(s->facts, name, nat_const(s->cx, INT64_MIN), NULL);
    map_put(&s->integers, MAP_KEY(name), s);
}

// Bounds of an integer value that its type and its operators give: a u8 is below 256, x & 15
// below 16.
static bool value_bounds(Node *e, int64_t *lo, int64_t *hi)
{
    Scalar k;
    if (!type_is_scalar(e->type, &k)) return false;
    ScalarClass class = scalar_info[k].class;
    int64_t from, to;
    if (e->kind == CORE_PRIM && e->attr.i == PRIM_AND && class != CLASS_BOOL &&
        e->op[1]->kind == CORE_LIT && e->op[1]->attr.i >= 0) {
        *lo = 0;
        *hi = e->op[1]->attr.i;
        return true;
    }
    if (class == CLASS_FLOAT || k == SCALAR_U64) return false;
    int bits = class == CLASS_BOOL ? 1 : scalar_info[k].size * 8;
    bool is_signed = class == CLASS_INT;
    *lo = is_signed ? -((int64_t)1 << (bits - 2)) * 2 : 0;
    *hi = is_signed ? (int64_t)(((uint64_t)1 << (bits - 1)) - 1) : ((int64_t)1 << bits) - 1;
    if (e->kind == CORE_CAST && value_bounds(e->op[0], &from, &to) && from >= *lo && to <= *hi) {
        *lo = from;
        *hi = to;
    }
    return true;
}

static bool is_integer_local(Node *type)
{
    Scalar k;
    return type->kind == TYPE_IDX || (type_is_scalar(type, &k) && k == SCALAR_I64);
}

// What is known of a local that is never set again. An i64 may be negative, unlike what names stand
// for by default.
static void learn_local(Simplifier *s, Node *decl)
{
    Sym name = decl->attr.sym;
    Node *type = decl->op[0], *value = decl->op[1];
    Node *size = value->kind == CORE_NAT ? value->op[0] : NULL;
    int64_t lo, hi;
    map_put(&s->integers, MAP_KEY(name), NULL);
    if (type->kind == TYPE_IDX)
        facts_range(s->facts, name, nat_const(s->cx, 0), type->op[0]);
    else if (value_bounds(value, &lo, &hi) && hi < INT32_MAX)
        facts_range(s->facts, name, nat_const(s->cx, lo), nat_const(s->cx, hi + 1));
    else if (size && simplifier_is_length(s, size))
        facts_range(s->facts, name, nat_const(s->cx, INT64_MIN / 4), NULL);
    else
        any_integer(s, name);
    if (size) facts_eq0(s->facts, nat_sub(s->cx, nat_var(s->cx, name), size));
}

// Passes that do not look at every declaration on their way know the locals from the start.
static void learn_locals(Simplifier *s, Node *stmt)
{
    if (stmt->kind == LOOP_DECL && is_integer_local(stmt->op[0]) &&
        !map_get(&s->mutated, MAP_KEY(stmt->attr.sym)))
        learn_local(s, stmt);
    for (uint32_t i = 0; i < stmt->nops; i++)
        if (loops_is_stmt(stmt->op[i])) learn_locals(s, stmt->op[i]);
}

Simplifier simplifier_new(Session *cx, const LoopEntry *e)
{
    Arena *a = cx->arena;
    Simplifier s = {cx, facts_new(cx, a, NULL), map_new(a), map_new(a), map_new(a), map_new(a)};
    find_mutated(e->body, &s.mutated);
    for (int i = 0; i < e->checks.len; i++) { // they hold once the body runs
        const SizeCheck *c = &e->checks.at[i];
        if (c->relation == SIZE_EQ) facts_eq0(s.facts, nat_sub(cx, c->left, c->right));
        if (c->relation == SIZE_LE) facts_ge0(s.facts, nat_sub(cx, c->right, c->left));
    }
    for (int i = 0; i < e->params.len; i++) {
        const LoopParam *p = &e->params.at[i];
        if (p->rank || p->output || p->scalar != SCALAR_I64) continue;
        if (p->idx) // checked at the entry
            facts_range(s.facts, p->name, nat_const(cx, 0), p->idx);
        else
            any_integer(&s, p->name);
    }
    learn_locals(&s, e->body);
    return s;
}

static Node *rebuilt(Simplifier *s, Node *stmt)
{
    Node *ops[3];
    for (uint32_t i = 0; i < stmt->nops; i++) {
        Node *op = stmt->op[i];
        bool size = kind_sort((Kind)stmt->kind, (int)i) == SORT_SIZE;
        bool type = kind_sort((Kind)stmt->kind, (int)i) == SORT_TYPE;
        ops[i] = size ? simplify_size(s, op) : type ? op : simplify_expr(s, op);
    }
    return node_with_ops(s->cx, stmt, ops);
}

// Whether an expression may stand in for the local it is the value of: nothing is computed twice.
static bool is_copy(Simplifier *s, Node *value)
{
    if (value->kind == CORE_LIT) return true;
    if (value->kind == LOOP_VAR) return !map_get(&s->mutated, MAP_KEY(value->attr.sym));
    if (!is_size(value)) return false;
    Node *n = value->op[0];
    if (n->kind == NAT_CONST || n->kind == NAT_VAR) return true;
    if (n->kind != NAT_SUM || n->nops > 4)
        return n->kind == NAT_PRODUCT && n->op[0]->kind == NAT_VAR;
    for (uint32_t i = 0; i < n->nops; i++) {
        Node *t = n->op[i];
        if (t->kind == NAT_PRODUCT)
            for (uint32_t k = 0; k < t->nops; k++)
                if (t->op[k]->kind != NAT_VAR) return false;
        if (t->kind != NAT_PRODUCT && t->kind != NAT_VAR && t->kind != NAT_CONST) return false;
    }
    return true;
}

static Node *declaration(Simplifier *s, Node *stmt)
{
    Sym name = stmt->attr.sym;
    stmt = rebuilt(s, stmt);
    Node *type = stmt->op[0], *value = stmt->op[1];
    bool constant = !map_get(&s->mutated, MAP_KEY(name));
    if (constant && is_copy(s, value)) {
        map_put(&s->values, MAP_KEY(name), (void *)(uintptr_t)value);
        return loops_block(s->cx, 0, NULL);
    }
    if (constant && is_integer_local(type)) learn_local(s, stmt);
    return stmt;
}

static Node *loop(Simplifier *s, Node *stmt)
{
    Session *cx = s->cx;
    Node *from = simplify_size(s, stmt->op[0]), *to = simplify_size(s, stmt->op[1]);
    Node *count = nat_sub(cx, to, from);
    int64_t n;
    if (nat_le(cx, s->facts, to, from) == TRUTH_YES) return loops_block(cx, 0, NULL);
    Scope outer = simplifier_enter(s);
    if (nat_is_const(count, &n) && n == 1)
        map_put(&s->values, MAP_KEY(stmt->attr.sym), (void *)(uintptr_t)core_size(cx, from));
    facts_range(s->facts, stmt->attr.sym, from, to);
    facts_ge0(s->facts, nat_sub(cx, count, nat_const(cx, 1)));
    Node *body = simplify_stmt(s, stmt->op[2]);
    simplifier_leave(s, outer);
    if (loops_is_empty(body) || (nat_is_const(count, &n) && n == 1)) return body;
    return loops_for(cx, stmt, from, to, body);
}

static Node *branch(Simplifier *s, Node *stmt)
{
    Node *condition = simplify_expr(s, stmt->op[0]);
    if (condition->kind == CORE_LIT) return simplify_stmt(s, stmt->op[condition->attr.i ? 1 : 2]);
    Node *ops[3] = {condition};
    for (int i = 1; i < 3; i++) {
        Scope outer = simplifier_enter(s);
        simplifier_assume(s, condition, i == 1);
        ops[i] = simplify_stmt(s, stmt->op[i]);
        simplifier_leave(s, outer);
    }
    if (ops[1] == ops[2]) return ops[1];
    return node_with_ops(s->cx, stmt, ops);
}

static Node *check(Simplifier *s, Node *stmt)
{
    stmt = rebuilt(s, stmt);
    Node *condition = stmt->op[0];
    if (condition->kind == CORE_LIT && condition->attr.i) return loops_block(s->cx, 0, NULL);
    simplifier_assume(s, condition, true); // for what follows in the block
    return stmt;
}

static Node *block(Simplifier *s, Node *stmt)
{
    Stmts out = {0};
    Scope outer = simplifier_enter(s);
    for (uint32_t i = 0; i < stmt->nops; i++) {
        Node *inner = simplify_stmt(s, stmt->op[i]);
        if (inner->kind == LOOP_BLOCK && !declares(inner))
            for (uint32_t k = 0; k < inner->nops; k++) vec_push(s->cx->arena, &out, inner->op[k]);
        else
            vec_push(s->cx->arena, &out, inner);
    }
    simplifier_leave(s, outer);
    return loops_block(s->cx, out.len, out.at);
}

Node *simplify_stmt(Simplifier *s, Node *stmt)
{
    switch (stmt->kind) {
    case LOOP_BLOCK: return block(s, stmt);
    case LOOP_FOR: return loop(s, stmt);
    case LOOP_DECL: return declaration(s, stmt);
    case LOOP_IF: return branch(s, stmt);
    case LOOP_CHECK: return check(s, stmt);
    case LOOP_SET:
    case LOOP_STORE:
    case LOOP_ALLOC: return rebuilt(s, stmt);
    default: CHECK(s->cx, false, "%s is not a statement", kind_info[stmt->kind].text);
    }
}

static bool is_nothing(Node *x)
{
    return x->kind == CORE_TUPLE && x->nops == 0;
}

// `decl x; set x v` is `decl x = v`.
static void add_joined(Session *cx, Stmts *out, Node *stmt)
{
    if (stmt->kind == LOOP_SET && out->len) {
        Node *last = vec_last(out);
        if (last->kind == LOOP_DECL && last->attr.sym == stmt->attr.sym &&
            is_nothing(last->op[1])) {
            vec_last(out) = node_with_op(cx, last, 1, stmt->op[0]);
            return;
        }
    }
    vec_push(cx->arena, out, stmt);
}

static Node *join_declarations(Session *cx, Node *stmt)
{
    if (stmt->kind != LOOP_BLOCK && stmt->kind != LOOP_FOR && stmt->kind != LOOP_IF) return stmt;
    Stmts ops = {0};
    for (uint32_t i = 0; i < stmt->nops; i++) {
        Node *op = loops_is_stmt(stmt->op[i]) ? join_declarations(cx, stmt->op[i]) : stmt->op[i];
        if (stmt->kind == LOOP_BLOCK)
            add_joined(cx, &ops, op);
        else
            vec_push(cx->arena, &ops, op);
    }
    return stmt->kind == LOOP_BLOCK ? loops_block(cx, ops.len, ops.at)
                                    : node_with_ops(cx, stmt, ops.at);
}

LoopEntry *loops_simplify(Session *cx, const LoopEntry *e)
{
    LoopEntry *joined = loops_with_body(cx, e, join_declarations(cx, e->body));
    Simplifier s = simplifier_new(cx, joined);
    Node *body = simplify_stmt(&s, joined->body);
    return loops_with_body(cx, e, loops_sweep(cx, body));
}
