// Simplifies expressions and positions under facts.
#include "loops/simplify/simplify.h"

static Node *bool_literal(Simplifier *s, bool value)
{
    return core_bool(s->cx, value);
}

// Replaces immutable locals in a size with their values, if these are sizes.
static Node *lookup(Node *atom, void *env)
{
    Simplifier *s = env;
    if (atom->kind != NAT_VAR) return NULL;
    Node *value = map_get(&s->values, MAP_KEY(atom->attr.sym));
    if (!value) return NULL;
    if (value->kind == CORE_NAT) return value->op[0];
    if (value->kind == LOOP_VAR) return nat_var(s->cx, value->attr.sym);
    if (value->kind == CORE_LIT) return nat_const(s->cx, value->attr.i);
    return NULL;
}

Node *simplify_size(Simplifier *s, Node *n)
{
    Node *done = map_get(&s->memo, MAP_KEY(n));
    if (done) return done;
    done = nat_simplify(s->cx, s->facts, nat_replace(s->cx, n, lookup, s));
    map_put(&s->memo, MAP_KEY(n), (void *)(uintptr_t)done);
    return done;
}

// --- sizes as values ---------------------------------------------------------------------------

static bool is_i64(Node *type)
{
    Scalar k;
    return type->kind == TYPE_IDX || (type_is_scalar(type, &k) && k == SCALAR_I64);
}

// Turns i64 arithmetic into a size. Sizes do not wrap, so the arithmetic must not wrap either.
// Returns NULL if that is not certain.
static Node *size_arithmetic(Simplifier *s, Node *e)
{
    if (e->nops != 2 || !is_i64(e->type)) return NULL;
    Node *a = loops_size(s->cx, e->op[0]), *b = loops_size(s->cx, e->op[1]);
    if (!a || !b) return NULL;
    Node *n = NULL;
    bool modest = simplifier_is_length(s, a) && simplifier_is_length(s, b);
    bool sum = e->attr.i == PRIM_ADD || e->attr.i == PRIM_SUB || e->attr.i == PRIM_MUL;
    switch ((Prim)e->attr.i) {
    case PRIM_ADD: n = modest ? nat_add(s->cx, a, b) : NULL; break;
    case PRIM_SUB:
        if (modest)
            n = nat_sub(s->cx, a, b);
        else if (nat_ge0(s->cx, s->facts, b) == TRUTH_YES &&
                 nat_le(s->cx, s->facts, b, a) == TRUTH_YES) // the difference is between 0 and a
            return core_size(s->cx, simplify_size(s, nat_sub(s->cx, a, b)));
        break;
    case PRIM_MUL: n = modest ? nat_mul(s->cx, a, b) : NULL; break;
    case PRIM_MIN: n = nat_min(s->cx, a, b); break;
    case PRIM_MAX: n = nat_max(s->cx, a, b); break;
    case PRIM_DIV: // truncating division is floor division for a >= 0, b > 0
    case PRIM_REM:
        if (nat_ge0(s->cx, s->facts, a) == TRUTH_YES &&
            nat_lt(s->cx, s->facts, nat_const(s->cx, 0), b) == TRUTH_YES)
            n = e->attr.i == PRIM_DIV ? nat_div(s->cx, a, b) : nat_mod(s->cx, a, b);
        break;
    default: break;
    }
    if (!n || n->kind == NAT_OVERFLOW || (modest && !simplifier_is_length(s, n))) return NULL;
    if (sum && !simplifier_fits(s, n)) return NULL;
    return node_with_type(s->cx, core_size(s->cx, simplify_size(s, n)), e->type);
}

// --- conditions --------------------------------------------------------------------------------

static Truth compare(Simplifier *s, Prim op, Node *a, Node *b)
{
    Session *cx = s->cx;
    Truth t;
    switch (op) {
    case PRIM_LT: return nat_lt(cx, s->facts, a, b);
    case PRIM_LE: return nat_le(cx, s->facts, a, b);
    case PRIM_GT: return nat_lt(cx, s->facts, b, a);
    case PRIM_GE: return nat_le(cx, s->facts, b, a);
    case PRIM_EQ: return nat_eq(cx, s->facts, a, b);
    case PRIM_NE:
        t = nat_eq(cx, s->facts, a, b);
        return t == TRUTH_YES ? TRUTH_NO : t == TRUTH_NO ? TRUTH_YES : t;
    default: return TRUTH_UNKNOWN;
    }
}

static bool is_negative_term(Node *t)
{
    bool has_coefficient = t->kind == NAT_CONST || t->kind == NAT_PRODUCT;
    return has_coefficient && t->attr.i < 0;
}

// Cancels terms common to both sides of a comparison: k + n - 1 < n + 1 becomes k < 2.
static Node *shorter(Simplifier *s, Node *e, Node *a, Node *b)
{
    Session *cx = s->cx;
    if (!simplifier_is_length(s, a) || !simplifier_is_length(s, b)) return NULL;
    Node *zero = nat_const(cx, 0), *side[2] = {zero, zero}, *d = nat_sub(cx, a, b);
    bool sum = d->kind == NAT_SUM;
    for (uint32_t k = 0; k < (sum ? d->nops : 1); k++) {
        Node *t = sum ? d->op[k] : d;
        bool negative = is_negative_term(t);
        side[negative] = (negative ? nat_sub : nat_add)(cx, side[negative], t);
    }
    enum { LONG = 100 };
    if (!simplifier_fits(s, side[0]) || !simplifier_fits(s, side[1])) return NULL;
    if (size_weight(side[0], LONG) + size_weight(side[1], LONG) >=
        size_weight(a, LONG) + size_weight(b, LONG))
        return NULL;
    return node_with_ops(cx, e, (Node *[]){core_size(cx, side[0]), core_size(cx, side[1])});
}

static Node *comparison(Simplifier *s, Node *e)
{
    if (e->nops != 2 || prim_info[e->attr.i].result != GIVES_BOOL || !is_i64(e->op[0]->type))
        return NULL;
    Node *a = loops_size(s->cx, e->op[0]), *b = loops_size(s->cx, e->op[1]);
    if (!a || !b) return NULL;
    Truth t = compare(s, (Prim)e->attr.i, a, b);
    return t == TRUTH_UNKNOWN ? shorter(s, e, a, b) : bool_literal(s, t == TRUTH_YES);
}

// Decides comparisons of an integer with itself or with the smallest or largest value of its type.
static Node *certain(Simplifier *s, Node *e)
{
    Scalar k;
    if (e->nops != 2 || prim_info[e->attr.i].result != GIVES_BOOL ||
        !type_is_scalar(e->op[0]->type, &k) || scalar_info[k].class == CLASS_FLOAT)
        return NULL;
    Prim op = (Prim)e->attr.i;
    bool or_equal = op == PRIM_EQ || op == PRIM_LE || op == PRIM_GE;
    if (e->op[0] == e->op[1]) return bool_literal(s, or_equal);
    Truth truth = loops_comparison(e);
    if (truth != TRUTH_UNKNOWN) return bool_literal(s, truth == TRUTH_YES);
    if (scalar_info[k].class == CLASS_BOOL) return NULL;
    int bits = scalar_info[k].size * 8;
    bool is_signed = scalar_info[k].class == CLASS_INT;
    uint64_t top = (uint64_t)1 << (bits - 1);
    uint64_t least = is_signed ? scalar_wrap(k, top) : 0, most = is_signed ? top - 1 : 2 * top - 1;
    for (int i = 0; i < 2; i++) { // x op literal, then literal op x
        if (e->op[1 - i]->kind != CORE_LIT) continue;
        uint64_t end = e->op[1 - i]->attr.bits;
        Prim above = i ? PRIM_LE : PRIM_GE, below = i ? PRIM_GT : PRIM_LT;
        Prim up_to = i ? PRIM_GE : PRIM_LE, beyond = i ? PRIM_LT : PRIM_GT;
        if (end == least && (op == above || op == below)) return bool_literal(s, op == above);
        if (end == most && (op == up_to || op == beyond)) return bool_literal(s, op == up_to);
    }
    return NULL;
}

static bool is_bool(Node *type)
{
    Scalar k;
    return type_is_scalar(type, &k) && k == SCALAR_BOOL;
}

// Simplifies a logical connective: true & x = x, false & x = false, and so on.
static Node *connective(Simplifier *s, Node *e)
{
    if (!is_bool(e->type)) return NULL;
    Prim op = (Prim)e->attr.i;
    if (op == PRIM_NOT && e->op[0]->kind == CORE_LIT) return bool_literal(s, !e->op[0]->attr.i);
    if (op != PRIM_AND && op != PRIM_OR) return NULL;
    for (int i = 0; i < 2; i++) {
        if (e->op[i]->kind != CORE_LIT) continue;
        bool neutral = (e->op[i]->attr.i != 0) == (op == PRIM_AND);
        return neutral ? e->op[1 - i] : e->op[i];
    }
    if (e->op[0] == e->op[1]) return e->op[0];
    Truth truth = loops_connective(e->op[0], e->op[1], op == PRIM_AND);
    return truth == TRUTH_UNKNOWN ? NULL : bool_literal(s, truth == TRUTH_YES);
}

static bool is_literal(Node *e, double value)
{
    int64_t k;
    if (e->kind == CORE_NAT) return nat_is_const(e->op[0], &k) && k == (int64_t)value;
    if (e->kind != CORE_LIT) return false;
    if (type_is_float(e->type)) {
        union {
            uint64_t bits;
            double number;
        } u = {.bits = e->attr.bits};
        return u.number == value;
    }
    return e->attr.i == (int64_t)value;
}

static bool is_truth(Node *e)
{
    Scalar s;
    return is_literal(e, 1) && type_is_scalar(e->type, &s) && s == SCALAR_BOOL;
}

// x * 1 and x / 1 are exact on floats, too. x + 0 is not, because of the sign of zero, but x + -0.0
// and x - 0.0 are.
Node *loops_identity(Node *e)
{
    if (e->kind != CORE_PRIM || e->nops != 2) return NULL;
    Prim op = (Prim)e->attr.i;
    if (op == PRIM_MUL && is_literal(e->op[0], 1)) return e->op[1];
    if ((op == PRIM_MUL || op == PRIM_DIV) && is_literal(e->op[1], 1)) return e->op[0];
    if (op == PRIM_ADD && core_is_float_zero(e->op[0], true)) return e->op[1];
    if ((op == PRIM_ADD || op == PRIM_SUB) && core_is_float_zero(e->op[1], op == PRIM_ADD))
        return e->op[0];
    if (type_is_float(e->type)) return NULL;
    bool adds = op == PRIM_ADD || op == PRIM_ADD_SAT;
    if (adds && is_literal(e->op[0], 0)) return e->op[1];
    for (int i = 0; i < 2; i++) {
        if (op == PRIM_MUL && is_literal(e->op[i], 0)) return e->op[i];
        if (op == PRIM_OR && is_literal(e->op[i], 0)) return e->op[1 - i];
        if (op == PRIM_AND && is_truth(e->op[i])) return e->op[1 - i];
    }
    bool subtracts = op == PRIM_SUB || op == PRIM_SUB_SAT;
    return (adds || subtracts) && is_literal(e->op[1], 0) ? e->op[0] : NULL;
}

// Applies an operator to both arms of a choice between literals, (c ? 2 : -1) + 3 = c ? 5 : 2, if
// its other operand is a literal, too.
static Node *on_arms(Simplifier *s, Node *e)
{
    if (e->nops != 2) return NULL;
    for (int i = 0; i < 2; i++) {
        Node *choice = e->op[i], *other = e->op[1 - i];
        if (choice->kind != LOOP_SELECT || other->kind != CORE_LIT) continue;
        Node *arms[3] = {choice->op[0]};
        for (int k = 1; k < 3; k++) {
            Node *ops[2];
            ops[i] = choice->op[k];
            ops[1 - i] = other;
            arms[k] = core_literal_of_prim(s->cx, node_with_ops(s->cx, e, ops));
            if (arms[k]->kind != CORE_LIT) return NULL;
        }
        return node_with_type(s->cx, node_with_ops(s->cx, choice, arms), e->type);
    }
    return NULL;
}

// Replaces x - x and x ^ x with 0 on integers.
static Node *cancelled(Simplifier *s, Node *e)
{
    bool cancels = e->attr.i == PRIM_SUB || e->attr.i == PRIM_XOR;
    if (!cancels || e->op[0] != e->op[1] || !type_is_integer(e->type)) return NULL;
    return core_int(s->cx, e->type, 0);
}

// Returns the value of a condition as a literal, or NULL if it is not known at this point.
static Node *decided(Simplifier *s, Node *e)
{
    if (!is_bool(e->type)) return NULL;
    Truth t = simplifier_known(s, e);
    return t == TRUTH_UNKNOWN ? NULL : bool_literal(s, t == TRUTH_YES);
}

// Replaces 1 / x with x == 1 for unsigned integers. This avoids a division that gcc 12 miscompiles
// for vectors (to -1).
static Node *reciprocal(Simplifier *s, Node *e)
{
    Scalar k;
    if (e->attr.i != PRIM_DIV || !type_is_scalar(e->type, &k)) return NULL;
    if (e->op[1]->kind == CORE_LIT || scalar_info[k].class != CLASS_UINT ||
        !is_literal(e->op[0], 1))
        return NULL;
    Node *is_one = core_prim(s->cx, PRIM_EQ, 2, (Node *[]){e->op[1], e->op[0]});
    return core_cast(s->cx, is_one, e->type);
}

static Node *prim(Simplifier *s, Node *e)
{
    Node *r = size_arithmetic(s, e);
    if (!r) r = comparison(s, e);
    if (!r) r = decided(s, e);
    if (!r) r = certain(s, e);
    if (!r) r = connective(s, e);
    if (!r) r = loops_identity(e);
    if (!r) r = cancelled(s, e);
    if (!r) r = reciprocal(s, e);
    if (!r) r = on_arms(s, e);
    return r ? r : core_literal_of_prim(s->cx, e);
}

// --- expressions -------------------------------------------------------------------------------

static Node *select(Simplifier *s, Node *e)
{
    Node *c = simplify_expr(s, e->op[0]), *ops[3] = {c};
    if (c->kind == CORE_LIT) return simplify_expr(s, e->op[c->attr.i ? 1 : 2]);
    Stmts *before = s->before;
    s->before = NULL; // no snapshots for an arm that may not be evaluated
    for (int i = 1; i < 3; i++) {
        Scope outer = simplifier_enter(s);
        simplifier_assume(s, c, i == 1);
        ops[i] = simplify_expr(s, e->op[i]);
        simplifier_leave(s, outer, NULL);
    }
    s->before = before;
    if (ops[1] == ops[2]) return ops[1];
    if (is_bool(e->type) && ops[1]->kind == CORE_LIT && ops[2]->kind == CORE_LIT)
        return ops[1]->attr.i ? c : loops_negated(s->cx, c);
    for (int i = 1; is_bool(e->type) && i < 3;
         i++) { // c || b is c ? true : b; c && a is c ? a : false
        bool both = i == 2, fits = ops[i]->kind == CORE_LIT && (ops[i]->attr.i == 0) == both;
        if (fits && loops_connective(c, ops[3 - i], both) != TRUTH_UNKNOWN)
            return bool_literal(s, !both);
    }
    return node_with_ops(s->cx, e, ops);
}

// Casts an integer literal to another integer type. Returns NULL for other values.
static Node *cast_literal(Simplifier *s, Node *x, Node *type)
{
    Scalar from, to;
    int64_t k;
    bool size = x->kind == CORE_NAT && nat_is_const(x->op[0], &k);
    if (!size && x->kind != CORE_LIT) return NULL;
    if (!type_is_integer(x->type) || !type_is_integer(type)) return NULL;
    if (!type_is_scalar(x->type, &from) || !type_is_scalar(type, &to)) return NULL;
    uint64_t bits = size ? (uint64_t)k : x->attr.bits;
    return core_int(s->cx, type, (int64_t)eval_cast(from, to, ALGEBRA_IEEE, bits));
}

static Node *cast(Simplifier *s, Node *e)
{
    Node *x = e->op[0];
    if (x->type == e->type) return x;
    if (is_i64(e->type) && is_i64(x->type) && x->kind == CORE_NAT)
        return node_with_type(s->cx, x, e->type);
    Node *folded = cast_literal(s, x, e->type);
    return folded ? folded : e;
}

static Node *rebuilt(Simplifier *s, Node *e)
{
    Node *few[4], **ops = e->nops <= 4 ? few : ARENA_ARRAY(s->cx->arena, Node *, e->nops);
    for (uint32_t i = 0; i < e->nops; i++)
        ops[i] = kind_sort((Kind)e->kind, (int)i) == SORT_SIZE ? simplify_size(s, e->op[i])
                                                               : simplify_expr(s, e->op[i]);
    return node_with_ops(s->cx, e, ops);
}

static Node *simplified(Simplifier *s, Node *e)
{
    if (e->kind == LOOP_SELECT) return select(s, e);
    if (e->kind == LOOP_VAR) {
        Node *value = map_get(&s->values, MAP_KEY(e->attr.sym));
        if (value) return value->type == e->type ? value : node_with_type(s->cx, value, e->type);
        Node *truth = decided(s, e);
        if (truth) return truth;
        if (!is_i64(e->type)) return e;
        bool changes = map_get(&s->mutated, MAP_KEY(e->attr.sym)) != NULL;
        Node *now = changes ? simplifier_read(s, e) : nat_var(s->cx, e->attr.sym);
        return now ? core_size(s->cx, now) : e;
    }
    e = rebuilt(s, e);
    if (e->kind == CORE_PRIM) return prim(s, e);
    if (e->kind == CORE_CAST) return cast(s, e);
    return e;
}

Node *simplify_expr(Simplifier *s, Node *e)
{
    Node *done = map_get(&s->memo, MAP_KEY(e));
    if (done) return done;
    done = simplified(s, e); // which may replace s->memo
    map_put(&s->memo, MAP_KEY(e), (void *)(uintptr_t)done);
    return done;
}
