// Warns about operations that always fail, judging by literals and sizes: an index out of bounds, a
// division by zero. Unreachable code gets no warnings.
#include "infer/terms/terms.h"

// The maximum depth to which operators are examined. Chains of operators may be long, and each
// operator in a chain starts a new examination.
enum { DEPTH = 8 };

static Node *known_operation(Elab *x, Node *e, int depth);

// The value of a term made of literals and sizes, or NULL if it is not known.
static Node *known(Elab *x, Node *e, int depth)
{
    Scalar s;
    bool integer = type_is_scalar(e->type, &s) && type_is_integer(e->type);
    if (!integer || depth == 0) return NULL;
    if (e->kind == CORE_NAT) return e->op[0];
    if (e->kind == CORE_LIT) {
        int64_t value = (int64_t)e->attr.bits;
        return s == SCALAR_U64 && value < 0 ? NULL : nat_const(x->cx, value);
    }
    if (s != SCALAR_I64) return NULL; // other types wrap, but sizes do not
    if (e->kind == CORE_CAST) return known(x, e->op[0], depth - 1);
    return e->kind == CORE_PRIM ? known_operation(x, e, depth - 1) : NULL;
}

static Node *known_operation(Elab *x, Node *e, int depth)
{
    Node *a = known(x, e->op[0], depth), *b = a && e->nops == 2 ? known(x, e->op[1], depth) : NULL;
    Node *value = NULL;
    if (a && e->attr.i == PRIM_NEG) value = nat_sub(x->cx, nat_const(x->cx, 0), a);
    if (b && e->attr.i == PRIM_ADD) value = nat_add(x->cx, a, b);
    if (b && e->attr.i == PRIM_SUB) value = nat_sub(x->cx, a, b);
    if (b && e->attr.i == PRIM_MUL) value = nat_mul(x->cx, a, b);
    return value && value->kind != NAT_OVERFLOW ? value : NULL;
}

static Truth opposite(Truth t)
{
    return t == TRUTH_UNKNOWN ? t : t == TRUTH_YES ? TRUTH_NO : TRUTH_YES;
}

static Truth compared(Elab *x, Node *e)
{
    Node *a = known(x, e->op[0], DEPTH), *b = a ? known(x, e->op[1], DEPTH) : NULL;
    const Facts *f = x->b->facts;
    if (!b) return TRUTH_UNKNOWN;
    if (e->attr.i == PRIM_EQ) return nat_eq(x->cx, f, a, b);
    if (e->attr.i == PRIM_NE) return opposite(nat_eq(x->cx, f, a, b));
    if (e->attr.i == PRIM_LT) return nat_lt(x->cx, f, a, b);
    if (e->attr.i == PRIM_LE) return nat_le(x->cx, f, a, b);
    if (e->attr.i == PRIM_GT) return nat_lt(x->cx, f, b, a);
    return e->attr.i == PRIM_GE ? nat_le(x->cx, f, b, a) : TRUTH_UNKNOWN;
}

static Truth truth(Elab *x, Node *e, int depth)
{
    if (depth == 0) return TRUTH_UNKNOWN;
    if (e->kind == CORE_LIT) return e->attr.bits ? TRUTH_YES : TRUTH_NO;
    if (e->kind == CORE_PRIM && e->attr.i == PRIM_NOT)
        return opposite(truth(x, e->op[0], depth - 1));
    if (e->kind == CORE_PRIM && prim_is_hint((Prim)e->attr.i)) return truth(x, e->op[0], depth - 1);
    if (e->kind == CORE_PRIM && e->nops == 2) return compared(x, e);
    if (e->kind != CORE_IF) return TRUTH_UNKNOWN;
    Truth c = truth(x, e->op[0], depth - 1); // && and || are also built as CORE_IF
    Truth a = c == TRUTH_NO ? TRUTH_UNKNOWN : truth(x, e->op[1], depth - 1);
    Truth b = c == TRUTH_YES ? TRUTH_UNKNOWN : truth(x, e->op[2], depth - 1);
    if (c != TRUTH_UNKNOWN) return c == TRUTH_YES ? a : b;
    return a == b ? a : TRUTH_UNKNOWN;
}

Node *elab_where(Elab *x, const Ast *e, Node *condition, bool holds)
{
    Truth t = type_is_scalar(condition->type, NULL) ? truth(x, condition, DEPTH) : TRUTH_UNKNOWN;
    bool outer = x->dead;
    Guard guard = {condition, holds, x->depth, x->guards};
    x->dead |= t == (holds ? TRUTH_NO : TRUTH_YES);
    x->guards = &guard;
    Node *n = elab_open(x, e);
    x->guards = guard.up;
    x->dead = outer;
    return n;
}

static const char *show(Elab *x, Node *nat)
{
    Text t = text_new(x->b->arena);
    nat_print(&t, nat, 0);
    return text_get(&t);
}

void elab_warn_index(Elab *x, Node *index, Node *n, Span span)
{
    const Facts *f = x->b->facts;
    Node *i = x->dead ? NULL : known(x, index, DEPTH);
    if (!i) return;
    Node *one = nat_const(x->cx, 1), *last = nat_sub(x->cx, n, one);
    bool negative = nat_lt(x->cx, f, i, nat_const(x->cx, 0)) == TRUTH_YES;
    if (!negative && nat_le(x->cx, f, n, i) != TRUTH_YES) return;
    Diag *d = diag_warning(x->cx, E0601, span, "the index %s is out of bounds for the size %s",
                           show(x, i), show(x, n));
    diag_note(x->cx, d, NO_SPAN, "this always fails");
    if (nat_le(x->cx, f, n, nat_const(x->cx, 0)) == TRUTH_YES)
        diag_help(x->cx, d, "a size of 0 has no index");
    else if (negative)
        diag_help(x->cx, d, "indices count from 0; the last one is %s", show(x, last));
    else
        diag_help(x->cx, d, "the indices are 0 to %s", show(x, last));
}

void elab_warn_division(Elab *x, Prim op, Node *divisor, Span span)
{
    Node *d = x->dead || (op != PRIM_DIV && op != PRIM_REM) ? NULL : known(x, divisor, DEPTH);
    if (!d || nat_eq(x->cx, x->b->facts, d, nat_const(x->cx, 0)) != TRUTH_YES) return;
    Diag *w =
        diag_warning(x->cx, E0602, span, "%s by 0",
                     op == PRIM_DIV ? "an integer is divided" : "the remainder of a division");
    diag_note(x->cx, w, NO_SPAN, "this always fails");
    diag_help(x->cx, w, "only floats can be divided by zero: x / 0.0 is inf, -inf or NaN");
}
