// Equations that are linear in one unknown.
#include "nat/internal.h"

// Splits e into a*unknown + b, where a and b do not mention the unknown. Returns false if the
// unknown occurs in another way, or not at all.
static bool linear_in(Session *cx, Node *e, Node *unknown, Node **a, Node **b)
{
    Terms t;
    terms_of(cx, &t, e);
    *a = *b = nat_const(cx, 0);
    bool ok = true;
    for (int i = 0; ok && i < t.len; i++) {
        Node *w;
        bool with = t.at[i].mono && mono_div(cx, t.at[i].mono, unknown, &w);
        Node *mono = with ? w : t.at[i].mono, *term = nat_of_term(cx, t.at[i].coeff, mono);
        ok = !nat_occurs(term, unknown);
        if (with)
            *a = nat_add(cx, *a, term);
        else
            *b = nat_add(cx, *b, term);
    }
    terms_free(&t);
    return ok && !nat_is_zero(*a) && !nat_is_overflow(*a) && !nat_is_overflow(*b);
}

static bool negative_lead(Node *e)
{
    Node *lead = e->kind == NAT_SUM ? e->op[0] : e;
    return (lead->kind == NAT_PRODUCT || lead->kind == NAT_CONST) && lead->attr.i < 0;
}

bool nat_solve(Session *cx, Node *left, Node *right, Node *unknown, Node **solution,
               Divides *must_divide)
{
    Node *a, *b, *zero = nat_const(cx, 0), *difference = nat_sub(cx, left, right);
    *must_divide = (Divides){NULL, NULL};
    if (nat_is_overflow(difference) || !linear_in(cx, difference, unknown, &a, &b)) return false;
    // a*x + b == 0: x = -b/a, written with a divisor whose first term is positive.
    Node *dividend = nat_sub(cx, zero, b), *divisor = a;
    if (negative_lead(a)) dividend = b, divisor = nat_sub(cx, zero, a);
    if (nat_is_overflow(dividend) || nat_is_overflow(divisor)) return false;
    // x = q solves a*x == a*q for any a.
    *solution = nat_exact_quotient(cx, dividend, divisor);
    if (!nat_is_overflow(*solution)) return true;
    if (dividend->kind != NAT_CONST ||
        divisor->kind != NAT_CONST) { // two constants are kept as they are, for the message
        Node *g = nat_common_factor(cx, dividend, divisor);
        dividend = nat_exact_quotient(cx, dividend, g);
        divisor = nat_exact_quotient(cx, divisor, g);
        if (nat_is_overflow(dividend) || nat_is_overflow(divisor)) return false;
    }
    *solution = nat_div(cx, dividend, divisor);
    *must_divide = (Divides){dividend, divisor};
    return !nat_is_overflow(*solution);
}
