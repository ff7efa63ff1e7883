// Limits of computed integers, such as positions that are computed with floats:
//
//   y = f32(i) * f32(h - 1) / f32(p - 1)      not negative, or not a number
//   k = min(i64(y), h - 2)                    at least 0, as i64(NaN) is 0, and at most h - 2
#include "loops/simplify/simplify.h"

#include <math.h>

enum { DEEP = 8 }; // maximum depth of expressions

static bool is_natural(Simplifier *s, Node *e, int depth);

static bool are_natural(Simplifier *s, Node *e, uint32_t from, int depth)
{
    for (uint32_t k = from; k < e->nops; k++)
        if (!is_natural(s, e->op[k], depth - 1)) return false;
    return true;
}

static bool is_natural_prim(Simplifier *s, Node *e, int depth)
{
    switch ((Prim)e->attr.i) {
    case PRIM_ABS: return true;
    case PRIM_ADD:
    case PRIM_MUL:
    case PRIM_DIV:
    case PRIM_MIN:
    case PRIM_MAX:
    case PRIM_SQRT:
    case PRIM_FLOOR:
    case PRIM_CEIL: return are_natural(s, e, 0, depth);
    default: return false;
    }
}

static bool is_natural_integer(Simplifier *s, Node *e)
{
    int64_t lo, hi;
    if (e->kind == CORE_NAT) return nat_ge0(s->cx, s->facts, e->op[0]) == TRUTH_YES;
    return loops_value_bounds(e, &lo, &hi) && lo >= 0;
}

// Whether the float has no negative sign, or is not a number.
static bool is_natural(Simplifier *s, Node *e, int depth)
{
    if (depth == 0 || !e->type) return false;
    if (!type_is_float(e->type)) return is_natural_integer(s, e);
    switch ((Kind)e->kind) {
    case CORE_LIT: return !signbit(float_value(e->attr.bits));
    case LOOP_VAR: return map_get(&s->naturals, MAP_KEY(e->attr.sym)) != NULL;
    case CORE_CAST: return is_natural(s, e->op[0], depth - 1);
    case LOOP_SELECT: return are_natural(s, e, 1, depth);
    case CORE_PRIM: return is_natural_prim(s, e, depth);
    default: return false;
    }
}

bool simplifier_is_natural(Simplifier *s, Node *e)
{
    return type_is_float(e->type) && is_natural(s, e, DEEP);
}

static Node *limit_of(Simplifier *s, Node *e, bool above, int depth);

// The smaller size if `least`, or the larger one.
static Node *choice(Simplifier *s, Node *a, Node *b, bool least)
{
    if (nat_le(s->cx, s->facts, a, b) == TRUTH_YES) return least ? a : b;
    if (nat_le(s->cx, s->facts, b, a) == TRUTH_YES) return least ? b : a;
    return least ? nat_min(s->cx, a, b) : nat_max(s->cx, a, b);
}

static Node *limit_of_choice(Simplifier *s, Node *e, bool above, int depth)
{
    bool least = e->attr.i == PRIM_MIN;
    Node *a = limit_of(s, e->op[0], above, depth - 1), *b = limit_of(s, e->op[1], above, depth - 1);
    if (a && b) return choice(s, a, b, least);
    return least == above ? (a ? a : b) : NULL; // one operand suffices
}

static Node *limit_of(Simplifier *s, Node *e, bool above, int depth)
{
    int64_t lo, hi;
    if (depth == 0) return NULL;
    if (e->kind == CORE_NAT) return e->op[0];
    if (e->kind == CORE_LIT) return nat_const(s->cx, e->attr.i);
    if (e->kind == CORE_PRIM && (e->attr.i == PRIM_MIN || e->attr.i == PRIM_MAX))
        return limit_of_choice(s, e, above, depth);
    if (e->kind == CORE_CAST && simplifier_is_natural(s, e->op[0]) && !above)
        return nat_const(s->cx, 0);
    // a product of larger numbers might wrap
    if (!loops_value_bounds(e, &lo, &hi) || hi > INT32_MAX || lo < 0) return NULL;
    return above && hi == INT32_MAX ? NULL : nat_const(s->cx, above ? hi : lo);
}

Node *simplifier_limit(Simplifier *s, Node *value, bool above)
{
    Node *limit = limit_of(s, value, above, DEEP);
    return limit ? nat_simplify(s->cx, s->facts, limit) : NULL;
}
