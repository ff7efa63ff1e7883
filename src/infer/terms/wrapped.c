// Warns about arithmetic on small integers that may have wrapped before its result is implicitly
// converted to a larger type. Value ranges show that some results cannot have wrapped.
#include "infer/terms/terms.h"

// The maximum depth to which operators are examined; deeper terms get the range of their type.
enum { DEPTH = 12 };

// The range of a term. Only types with values below 2^32 can be widened, so doubles are exact.
typedef struct {
    double least, most;
} Range;

static bool is_integer(Node *t, Scalar *s)
{
    return type_is_scalar(t, s) && type_is_integer(t);
}

static Range range_of_type(Scalar s)
{
    double half = (double)(UINT64_C(1) << (scalar_info[s].size * 8 - 1));
    if (scalar_info[s].class == CLASS_INT) return (Range){-half, half - 1};
    return (Range){0, 2 * half - 1};
}

static double min(double a, double b)
{
    return a < b ? a : b;
}

static double max(double a, double b)
{
    return a > b ? a : b;
}

static Range product(Range a, Range b)
{
    double p = a.least * b.least, q = a.least * b.most, r = a.most * b.least, s = a.most * b.most;
    return (Range){min(min(p, q), min(r, s)), max(max(p, q), max(r, s))};
}

static Range magnitude(Range a)
{
    double least = a.least > 0 ? a.least : a.most < 0 ? -a.most : 0;
    return (Range){least, max(-a.least, a.most)};
}

static bool is_known(Range r)
{
    return r.least == r.most;
}

// The range of an operation's result before wrapping, or `any` if nothing is known about it.
static Range operate(Prim op, Range a, Range b, Range any)
{
    bool positive = a.least >= 0 && b.least >= 0;
    switch (op) {
    case PRIM_ADD: return (Range){a.least + b.least, a.most + b.most};
    case PRIM_SUB: return (Range){a.least - b.most, a.most - b.least};
    case PRIM_MUL: return product(a, b);
    case PRIM_NEG: return (Range){-a.most, -a.least};
    case PRIM_ABS: return magnitude(a);
    case PRIM_MIN: return (Range){min(a.least, b.least), min(a.most, b.most)};
    case PRIM_MAX: return (Range){max(a.least, b.least), max(a.most, b.most)};
    case PRIM_AND:
        if (b.least >= 0) return (Range){0, a.least >= 0 ? min(a.most, b.most) : b.most};
        return a.least >= 0 ? (Range){0, a.most} : any;
    case PRIM_REM:
        if (b.least <= 0) return any;
        return (Range){a.least < 0 ? 1 - b.most : 0, min(max(a.most, 0), b.most - 1)};
    case PRIM_DIV: return positive && b.least > 0 ? (Range){0, a.most / b.least} : any;
    case PRIM_SHR:
        return positive && is_known(b) && b.most < 32
                   ? (Range){0, a.most / (double)(UINT64_C(1) << (int)b.most)}
                   : any;
    case PRIM_SHL:
        return is_known(b) && b.least >= 0 && b.most < 32
                   ? product(a, (Range){1, (double)(UINT64_C(1) << (int)b.most)})
                   : (Range){any.least - 1, any.most + 1};
    default: return any;
    }
}

// Whether a wrapped operand of `op` calls for no warning. These operators act on each bit
// separately, and are typically used for the low bits, which wrapping leaves correct.
static bool picks_bits(Prim op)
{
    return op == PRIM_AND || op == PRIM_XOR || op == PRIM_NOT;
}

static Range range(const Elab *x, Node *e, int depth, bool *wraps);

// --- enclosing conditions -----------------------------------------------------------------------

// Whether `e` is the variable at this level, where `depth` variables are in scope.
static bool is_variable(Node *e, int depth, int level)
{
    return e->kind == CORE_VAR && depth - 1 - (int)e->attr.i == level;
}

static void at_most(Range *r, double most)
{
    r->most = min(r->most, max(most, r->least));
}

static void at_least(Range *r, double least)
{
    r->least = max(r->least, min(least, r->most));
}

// Narrows the range of a variable that is the left operand of a true comparison.
static void compare(Prim op, Range *r, Range right)
{
    if (op == PRIM_LT) at_most(r, right.most - 1);
    if (op == PRIM_LE || op == PRIM_EQ) at_most(r, right.most);
    if (op == PRIM_GT) at_least(r, right.least + 1);
    if (op == PRIM_GE || op == PRIM_EQ) at_least(r, right.least);
}

static Prim opposite(Prim op)
{
    return op == PRIM_LT   ? PRIM_GE
           : op == PRIM_LE ? PRIM_GT
           : op == PRIM_GT ? PRIM_LE
           : op == PRIM_GE ? PRIM_LT
           : op == PRIM_NE ? PRIM_EQ
                           : PRIM_NE;
}

static Prim mirrored(Prim op)
{
    return op == PRIM_LT   ? PRIM_GT
           : op == PRIM_LE ? PRIM_GE
           : op == PRIM_GT ? PRIM_LT
           : op == PRIM_GE ? PRIM_LE
                           : op;
}

static bool is_truth(Node *e, bool value)
{
    return e->kind == CORE_LIT && (e->attr.bits != 0) == value;
}

// Narrows *r, the range of the variable at this level, where the condition holds or, if `holds` is
// false, where it does not. && is an `if` whose second branch is false; || is an `if` whose first
// branch is true.
static void narrow(Node *c, bool holds, int depth, int level, int deep, Range *r)
{
    if (deep == 0) return;
    if (c->kind == CORE_IF && is_truth(c->op[holds ? 2 : 1], !holds)) {
        narrow(c->op[0], holds, depth, level, deep - 1, r);
        narrow(c->op[holds ? 1 : 2], holds, depth, level, deep - 1, r);
    }
    if (c->kind != CORE_PRIM) return;
    if (c->attr.i == PRIM_NOT) narrow(c->op[0], !holds, depth, level, deep - 1, r);
    if (prim_is_hint((Prim)c->attr.i)) narrow(c->op[0], holds, depth, level, deep - 1, r);
    if (c->nops != 2) return;
    Prim op = holds ? (Prim)c->attr.i : opposite((Prim)c->attr.i);
    if (is_variable(c->op[0], depth, level) && c->op[1]->kind == CORE_LIT)
        compare(op, r, range(NULL, c->op[1], 1, &(bool){false}));
    if (is_variable(c->op[1], depth, level) && c->op[0]->kind == CORE_LIT)
        compare(mirrored(op), r, range(NULL, c->op[0], 1, &(bool){false}));
}

static Range range_of_variable(const Elab *x, Node *e, Range any)
{
    enum { MOST = 8 };
    const Guard *g = x ? x->guards : NULL;
    for (int i = 0; g && i < MOST; i++, g = g->up)
        narrow(g->condition, g->holds, g->depth, x->depth - 1 - (int)e->attr.i, DEPTH, &any);
    return any;
}

// --- terms --------------------------------------------------------------------------------------

// The range of `e`. Sets *wraps if `e` may have wrapped.
static Range range(const Elab *x, Node *e, int depth, bool *wraps)
{
    Scalar s;
    if (!is_integer(e->type, &s)) return (Range){0, 1}; // a bool counts as 0 or 1
    Range any = range_of_type(s), r = any, of[2];
    bool inside = false;
    if (depth == 0) return any;
    if (e->kind == CORE_VAR) return range_of_variable(x, e, any);
    if (e->kind == CORE_LIT && scalar_info[s].size < 8) {
        bool has_sign = scalar_info[s].class == CLASS_INT;
        double value = has_sign ? (double)(int64_t)e->attr.bits : (double)e->attr.bits;
        return (Range){value, value};
    }
    if (e->kind == CORE_CAST && e->op[0]->type->kind == TYPE_SCALAR)
        r = range(x, e->op[0], depth - 1, &inside);
    if (e->kind != CORE_PRIM || e->nops > 2)
        return r.least < any.least || r.most > any.most ? any : r;
    for (uint32_t i = 0; i < 2; i++)
        of[i] = range(x, e->op[i < e->nops ? i : 0], depth - 1, &inside);
    r = operate((Prim)e->attr.i, of[0], of[1], any);
    if (prim_counts_bits((Prim)e->attr.i)) r = (Range){0, scalar_info[s].size * 8};
    bool good = r.least >= any.least && r.most <= any.most;
    *wraps |= !good || (inside && !picks_bits((Prim)e->attr.i));
    return good ? r : any;
}

// Returns the value of a block, and sets *bound to the number of variables that the block binds.
static Node *value_of(Node *n, int *bound)
{
    for (*bound = 0; n->kind == CORE_LET; n = n->op[1]) ++*bound;
    return n;
}

void elab_warn_wrapped(Elab *x, const Ast *e, Node *n, Node *as)
{
    Scalar from, to;
    int bound;
    Node *value = value_of(n, &bound);
    Elab inner = *x;
    bool wraps = false;
    if (x->dead || !is_integer(n->type, &from) || !is_integer(type_lane(as), &to)) return;
    if (from == to || value->kind != CORE_PRIM) return;
    inner.depth += bound;
    range(&inner, value, DEPTH, &wraps);
    if (!wraps) return;
    const char *wide = scalar_info[to].text, *narrow = scalar_info[from].text;
    e = ast_value_of(e);
    Diag *d = diag_warning(x->cx, E0335, e->span,
                           "this is computed as `%s`, and may wrap before it is converted to `%s`",
                           narrow, wide);
    Conversion c = infer_converted(x->b, e, &e, 1, to);
    infer_help_conversion(x->b, d, &c, to);
    diag_help(x->cx, d, "to compute it as %s, write the conversion: %s(%s)", narrow, wide,
              infer_written(x->b, e->span));
}
