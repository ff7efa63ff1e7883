// Equations in one unknown.
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

// --- equations that are not linear ---------------------------------------------------------------

typedef struct {
    Session *cx;
    Node *side, *unknown, *value; // value: of the other side
    Node *with;
} Guess;

static Node *guessed(Node *atom, void *env)
{
    const Guess *g = env;
    return atom == g->unknown ? g->with : NULL;
}

static Node *side_with(Guess *g, Node *with)
{
    g->with = with;
    return nat_replace(g->cx, g->side, guessed, g);
}

// Whether x solves the equation and x + 1 does not.
static bool is_single_solution(Guess *g, Node *x)
{
    Node *next = nat_add(g->cx, x, nat_const(g->cx, 1));
    return side_with(g, x) == g->value &&
           nat_eq(g->cx, NULL, side_with(g, next), g->value) == TRUTH_NO;
}

// The least number from which on the side is at least `value`, if the side grows with the unknown.
static Node *find_number(Guess *g, int64_t value)
{
    int64_t lo = 0, hi = INT64_C(1) << 40, here;
    while (lo < hi) {
        int64_t middle = lo + (hi - lo) / 2;
        Node *at = side_with(g, nat_const(g->cx, middle));
        bool small = nat_is_const(at, &here) && here < value; // NAT_OVERFLOW is large
        if (small)
            lo = middle + 1;
        else
            hi = middle;
    }
    return nat_const(g->cx, lo);
}

typedef struct {
    Guess *guess;
    Node *solution;
} NameSearch;

static void try_name(Node *atom, void *env)
{
    NameSearch *s = env;
    if (!s->solution && is_single_solution(s->guess, atom)) s->solution = atom;
}

Node *nat_guess(Session *cx, Node *left, Node *right, Node *unknown)
{
    bool swapped = nat_occurs(right, unknown);
    if (swapped && nat_occurs(left, unknown)) return NULL;
    Guess g = {cx, swapped ? right : left, unknown, swapped ? left : right, NULL};
    int64_t value;
    if (nat_is_const(g.value, &value)) {
        Node *number = find_number(&g, value);
        return is_single_solution(&g, number) ? number : NULL;
    }
    NameSearch s = {&g, NULL};
    nat_atoms(cx, g.value, try_name, &s);
    return s.solution;
}
