// Decides comparisons from the types and literals of their operands. C compilers would warn about
// such comparisons.
#include "loops/simplify/simplify.h"

static bool is_u64(Node *type)
{
    Scalar s;
    return type_is_scalar(type, &s) && s == SCALAR_U64;
}

// The bounds of a literal, or of the smaller or the larger one of two numbers.
static bool bounds_of_choice(Node *e, int64_t *lo, int64_t *hi)
{
    int64_t from, to;
    bool literal = e->kind == CORE_LIT, least = e->attr.i == PRIM_MIN;
    if (literal) {
        *lo = *hi = e->attr.i;
        return type_is_integer(e->type) && (e->attr.i >= 0 || !is_u64(e->type));
    }
    if (e->kind != CORE_PRIM || !(least || e->attr.i == PRIM_MAX)) return false;
    if (!loops_value_bounds(e->op[0], lo, hi) || !loops_value_bounds(e->op[1], &from, &to))
        return false;
    *lo = least == (from < *lo) ? from : *lo;
    *hi = least == (to < *hi) ? to : *hi;
    return true;
}

// A u8 is at most 255 because of its type, x & 15 is at most 15 because of its mask, and a number
// of bits is at most the width.
bool loops_value_bounds(Node *e, int64_t *lo, int64_t *hi)
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
    if (e->kind == CORE_PRIM && prim_counts_bits((Prim)e->attr.i)) {
        *lo = 0;
        *hi = scalar_info[k].size * 8;
        return true;
    }
    if (class == CLASS_FLOAT) return false;
    if (bounds_of_choice(e, lo, hi)) return true;
    int bits = class == CLASS_BOOL ? 1 : scalar_info[k].size * 8;
    bool is_signed = class == CLASS_INT, all = k != SCALAR_U64;
    *lo = is_signed ? -((int64_t)1 << (bits - 2)) * 2 : 0;
    *hi = !all || is_signed ? (int64_t)(((uint64_t)1 << (bits - 1)) - 1) : ((int64_t)1 << bits) - 1;
    if (e->kind == CORE_CAST && loops_value_bounds(e->op[0], &from, &to) && from >= *lo &&
        to <= *hi) {
        *lo = from;
        *hi = to;
        return true;
    }
    return all;
}

// Whether two integer expressions are the same, up to commutativity.
static bool is_same(Node *a, Node *b, int depth)
{
    if (a == b) return true;
    bool alike = a->kind == b->kind && a->type == b->type && a->attr.i == b->attr.i;
    if (!alike || !depth || !type_is_integer(a->type)) return false;
    if (a->kind == CORE_CAST) return is_same(a->op[0], b->op[0], depth - 1);
    if (a->kind != CORE_PRIM || a->nops != 2) return false;
    Prim op = (Prim)a->attr.i;
    bool commutes =
        op == PRIM_ADD || op == PRIM_MUL || op == PRIM_AND || op == PRIM_OR || op == PRIM_XOR;
    for (int turned = 0; turned <= commutes; turned++)
        if (is_same(a->op[0], b->op[turned], depth - 1) &&
            is_same(a->op[1], b->op[1 - turned], depth - 1))
            return true;
    return false;
}

typedef struct {
    Prim op;
    Node *value, *literal;
    Scalar scalar;
} LiteralTest;

// Whether `e` compares an integer with a literal. If so, describes the comparison in *t, with the
// literal on the right.
static bool is_test(Node *e, LiteralTest *t)
{
    static const Prim mirrored[PRIM_COUNT] = {
        [PRIM_EQ] = PRIM_EQ, [PRIM_NE] = PRIM_NE, [PRIM_LT] = PRIM_GT,
        [PRIM_LE] = PRIM_GE, [PRIM_GT] = PRIM_LT, [PRIM_GE] = PRIM_LE};
    if (e->kind != CORE_PRIM || e->nops != 2 || prim_info[e->attr.i].result != GIVES_BOOL)
        return false;
    if (!type_is_integer(e->op[0]->type) || !type_is_scalar(e->op[0]->type, &t->scalar))
        return false;
    bool first = e->op[0]->kind == CORE_LIT;
    t->op = first ? mirrored[e->attr.i] : (Prim)e->attr.i;
    t->value = e->op[first ? 1 : 0];
    t->literal = e->op[first ? 0 : 1];
    return t->literal->kind == CORE_LIT && t->value->kind != CORE_LIT;
}

static bool holds(const LiteralTest *t, uint64_t x)
{
    uint64_t args[2] = {x, t->literal->attr.bits}, result = 0;
    DiagCode code;
    eval_prim(t->op, t->scalar, ALGEBRA_IEEE, args, &result, &code);
    return result != 0;
}

// Whether the bits of the value rule out the literal: x & m has no bits that m lacks, and x | m has
// all bits of m.
static bool lacks_bits(const LiteralTest *t)
{
    int64_t lo, hi, from, to;
    Node *value = t->value;
    while (value->kind == CORE_CAST && loops_value_bounds(value->op[0], &from, &to) &&
           loops_value_bounds(value, &lo, &hi) && lo == from && hi == to) // value-preserving
        value = value->op[0];
    if (value->kind != CORE_PRIM || value->nops != 2) return false;
    Node *mask = value->op[value->op[0]->kind == CORE_LIT ? 0 : 1];
    if (mask->kind != CORE_LIT) return false;
    uint64_t bits = t->literal->attr.bits;
    if (value->attr.i == PRIM_AND) return (bits & ~mask->attr.bits) != 0;
    return value->attr.i == PRIM_OR && (mask->attr.bits & ~bits) != 0;
}

Truth loops_comparison(Node *e)
{
    enum { DEPTH = 4 };
    LiteralTest t;
    int64_t lo, hi;
    if (e->nops == 2 && prim_info[e->attr.i].result == GIVES_BOOL &&
        type_is_integer(e->op[0]->type) && is_same(e->op[0], e->op[1], DEPTH))
        return e->attr.i == PRIM_EQ || e->attr.i == PRIM_LE || e->attr.i == PRIM_GE ? TRUTH_YES
                                                                                    : TRUTH_NO;
    if (!is_test(e, &t)) return TRUTH_UNKNOWN;
    bool equality = t.op == PRIM_EQ || t.op == PRIM_NE;
    if (equality && lacks_bits(&t)) return t.op == PRIM_NE ? TRUTH_YES : TRUTH_NO;
    if (!loops_value_bounds(t.value, &lo, &hi)) return TRUTH_UNKNOWN;
    bool is_signed = scalar_info[t.scalar].class == CLASS_INT;
    int64_t k = t.literal->attr.i;
    bool inside = (is_signed || k >= 0) && lo <= k && k <= hi;
    bool first = holds(&t, (uint64_t)lo), last = holds(&t, (uint64_t)hi);
    if (first != last || (equality && inside && lo != hi)) return TRUTH_UNKNOWN;
    return first ? TRUTH_YES : TRUTH_NO;
}

// The condition that a chain of `&&` (if `both`) or `||` evaluates first.
static Node *first_of(Node *e, bool both)
{
    while (true) {
        bool connective = e->kind == CORE_PRIM && e->attr.i == (both ? PRIM_AND : PRIM_OR);
        Node *rest = e->kind == LOOP_SELECT ? e->op[both ? 2 : 1] : NULL;
        connective |= rest && rest->kind == CORE_LIT && (rest->attr.i == 0) == both;
        if (!connective) return e;
        e = e->op[0];
    }
}

Truth loops_connective(Node *a, Node *b, bool both)
{
    LiteralTest s, t;
    if (!is_test(a, &s) || !is_test(first_of(b, both), &t) || s.value != t.value)
        return TRUTH_UNKNOWN;
    // A comparison changes its truth only next to its literal, so testing these points is enough.
    uint64_t least =
        scalar_info[s.scalar].class == CLASS_INT
            ? scalar_wrap(s.scalar, (uint64_t)1 << (scalar_info[s.scalar].size * 8 - 1))
            : 0;
    uint64_t points[8] = {least, scalar_wrap(s.scalar, least - 1)};
    int n = 2;
    for (int i = -1; i <= 1; i++) {
        points[n++] = scalar_wrap(s.scalar, s.literal->attr.bits + (uint64_t)i);
        points[n++] = scalar_wrap(s.scalar, t.literal->attr.bits + (uint64_t)i);
    }
    for (int i = 0; i < n; i++)
        if (both ? holds(&s, points[i]) && holds(&t, points[i])
                 : !holds(&s, points[i]) && !holds(&t, points[i]))
            return TRUTH_UNKNOWN;
    return both ? TRUTH_NO : TRUTH_YES;
}
