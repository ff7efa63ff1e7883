// Warnings of arithmetic on integers of few bits whose result is converted to more bits by itself: it
// may have wrapped before. Ranges of numbers show where it cannot.
#include "infer/elaborate.h"

// How many operators deep. What lies deeper may be any number of its type.
enum { DEPTH = 12 };

// The numbers that a term may be. Of types that are widened they are below 2^32, where doubles are exact.
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

// The result of an operator before it wraps; `any` where nothing is known of it.
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

// Bits that are picked are right whether what they are picked from has wrapped or not.
static bool picks_bits(Prim op)
{
    return op == PRIM_AND || op == PRIM_XOR || op == PRIM_NOT;
}

// The numbers that `e` may be; whether it has wrapped for some of them.
static Range range(Node *e, int depth, bool *wraps)
{
    Scalar s;
    if (!is_integer(e->type, &s)) return (Range){0, 1}; // a bool
    Range any = range_of_type(s), r = any, of[2];
    bool inside = false;
    if (depth == 0) return any;
    if (e->kind == CORE_LIT && scalar_info[s].size < 8) {
        double value = scalar_info[s].class == CLASS_INT ? (double)(int64_t)e->attr.bits
                                                         : (double)e->attr.bits;
        return (Range){value, value};
    }
    if (e->kind == CORE_CAST && (e->op[0]->type->kind == TYPE_SCALAR))
        r = range(e->op[0], depth - 1, &inside);
    if (e->kind != CORE_PRIM || e->nops > 2)
        return r.least < any.least || r.most > any.most ? any : r;
    for (uint32_t i = 0; i < 2; i++) of[i] = range(e->op[i < e->nops ? i : 0], depth - 1, &inside);
    r = operate((Prim)e->attr.i, of[0], of[1], any);
    bool good = r.least >= any.least && r.most <= any.most;
    *wraps |= !good || (inside && !picks_bits((Prim)e->attr.i));
    return good ? r : any;
}

// The value of a block.
static Node *value_of(Node *n)
{
    while (n->kind == CORE_LET) n = n->op[1];
    return n;
}

void elab_warn_wrapped(Elab *x, const Ast *e, Node *n, Node *as)
{
    Scalar from, to;
    Node *value = value_of(n);
    bool wraps = false;
    if (x->dead || !is_integer(n->type, &from) || !is_integer(type_lane(as), &to)) return;
    if (from == to || value->kind != CORE_PRIM) return;
    range(value, DEPTH, &wraps);
    if (!wraps) return;
    const char *wide = scalar_info[to].text, *narrow = scalar_info[from].text;
    e = infer_value_of(e);
    Diag *d =
        diag_warning(x->cx, E0335, e->span,
                     "computed as `%s`, then converted to `%s`: it may wrap before", narrow, wide);
    Conversion c = infer_converted(x->b, e, &e, 1, to);
    infer_help_conversion(x->b, d, &c, to);
    diag_help(x->cx, d, "if it is to be computed as %s, say so: %s(%s)", narrow, wide,
              infer_written(x->b, e->span));
}
