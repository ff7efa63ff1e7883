// Equations that are linear in one unknown.
#include "nat/internal.h"

// left - right = a*unknown + b with a, b free of it; false when there is another kind of
// occurrence, or none.
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

static Node *divide_exactly(Session *cx, Node *e, Node *d)
{
    Node *q, *r;
    return nat_split(cx, e, d, &q, &r) && nat_is_zero(r) ? q : NULL;
}

// The greatest term that divides all terms of both; it cancels from dividend / divisor.
static Node *common_factor(Session *cx, Node *a, Node *b)
{
    uint64_t g = int_gcd(nat_content(cx, a, true), nat_content(cx, b, true));
    Node *mono = NULL;
    bool first = true;
    for (int side = 0; side < 2; side++) {
        Terms t;
        terms_of(cx, &t, side ? b : a);
        for (int i = 0; i < t.len; i++, first = false)
            mono = first ? t.at[i].mono : mono_gcd(cx, mono, t.at[i].mono);
        terms_free(&t);
    }
    return nat_of_term(cx, g == 0 || g > INT64_MAX ? 1 : (int64_t)g, mono);
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
    // Whatever a is, x = q solves a*x == a*q.
    *solution = divide_exactly(cx, dividend, divisor);
    if (*solution) return true;
    if (dividend->kind != NAT_CONST || divisor->kind != NAT_CONST) { // numbers stay for the message
        Node *g = common_factor(cx, dividend, divisor);
        dividend = divide_exactly(cx, dividend, g);
        divisor = divide_exactly(cx, divisor, g);
        if (!dividend || !divisor) return false;
    }
    *solution = nat_div(cx, dividend, divisor);
    *must_divide = (Divides){dividend, divisor};
    return !nat_is_overflow(*solution);
}
