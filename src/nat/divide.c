// Builders for floor division and remainder. The rules here need no facts: either the divisor is a
// positive constant, or the divisor is kept, so that a division by 0 stays a division by 0.
#include "nat/internal.h"

enum { MAX_SPLIT_STEPS = 256 };

// Divides each coefficient by d > 0. Truncation keeps the signs of the terms, so that n - i does
// not become n + 3*i modulo 4; the constant is rounded down so that it has one normal form.
static void split_by_constant(Session *cx, Node *e, int64_t d, Node **quotient, Node **rest)
{
    Terms t, q, r;
    terms_of(cx, &t, e);
    terms_init(&q);
    terms_init(&r);
    for (int i = 0; i < t.len; i++) {
        int64_t c = t.at[i].coeff;
        Node *mono = t.at[i].mono;
        int64_t by = mono ? c / d : floor_div(c, d), left = mono ? c % d : floor_mod(c, d);
        if (by != 0) terms_push(&q, by, mono);
        if (left != 0) terms_push(&r, left, mono);
    }
    *quotient = nat_of_terms(cx, &q);
    *rest = nat_of_terms(cx, &r);
    terms_free(&t);
    terms_free(&q);
    terms_free(&r);
}

// Finds the first term of `e` that contains a multiple of `lead`: the monomial of `lead` divides
// that of the term, and the coefficient of `lead` is not the larger in magnitude. Sets *quotient.
static bool first_multiple(Session *cx, Node *e, Term lead, Term *quotient)
{
    Terms t;
    terms_of(cx, &t, e);
    bool found = false;
    for (int i = 0; i < t.len && !found; i++) {
        if (lead.coeff == -1 && t.at[i].coeff == INT64_MIN) continue;
        int64_t by = t.at[i].coeff / lead.coeff;
        if (by == 0 || !mono_div(cx, t.at[i].mono, lead.mono, &quotient->mono)) continue;
        quotient->coeff = by;
        found = true;
    }
    terms_free(&t);
    return found;
}

bool nat_split(Session *cx, Node *e, Node *d, Node **quotient, Node **rest)
{
    int64_t c;
    if (nat_is_overflow(e) || nat_is_overflow(d)) return false;
    if (nat_is_const(d, &c)) {
        if (c > 0) split_by_constant(cx, e, c, quotient, rest);
        return c > 0;
    }
    Terms t;
    terms_of(cx, &t, d);
    Term lead = t.at[0], by;
    terms_free(&t);
    Node *q = nat_const(cx, 0), *r = e;
    for (int i = 0; first_multiple(cx, r, lead, &by); i++) {
        Node *step = nat_of_term(cx, by.coeff, by.mono);
        q = nat_add(cx, q, step);
        r = nat_sub(cx, r, nat_mul(cx, step, d));
        if (i == MAX_SPLIT_STEPS || nat_is_overflow(q) || nat_is_overflow(r)) return false;
    }
    *quotient = q;
    *rest = r;
    return true;
}

Node *nat_exact_quotient(Session *cx, Node *e, Node *d)
{
    Node *q, *r;
    return nat_split(cx, e, d, &q, &r) && nat_is_zero(r) ? q : nat_overflow(cx);
}

// Returns e/g for a g > 0 that divides all coefficients, with the constant rounded down.
static Node *divide_content(Session *cx, Node *e, int64_t g)
{
    Node *quotient, *rest;
    split_by_constant(cx, e, g, &quotient, &rest);
    return quotient;
}

// Returns r/d for d > 1, if no multiple of d can be taken out of r.
static Node *rest_by_constant(Session *cx, Node *r, int64_t d)
{
    if (r->kind == NAT_CONST) return nat_const(cx, 0); // 0 <= r < d
    // (g*x + c)/(g*d) = (x + c/g)/d, g > 0
    int64_t g = (int64_t)int_gcd(nat_content(cx, r, false), (uint64_t)d);
    if (g > 1) return nat_div(cx, divide_content(cx, r, g), nat_const(cx, d / g));
    Term t;
    int64_t c = nat_constant_part(r), k;
    if (!nat_single_term(cx, r, &t) || t.coeff != 1)
        return nat_raw(cx, NAT_DIV, r, nat_const(cx, d));
    Node *x = t.mono;
    // (x/k + c)/d = (x + c*k)/(k*d), d > 0
    if (x->kind == NAT_DIV && (c == 0 || x->op[1]->kind == NAT_CONST)) {
        Node *divisor = nat_mul(cx, x->op[1], nat_const(cx, d));
        Node *dividend = nat_add(cx, x->op[0], nat_mul(cx, x->op[1], nat_const(cx, c)));
        Node *whole = nat_div(cx, dividend, divisor);
        if (!nat_is_overflow(whole)) return whole;
    }
    if (x->kind == NAT_MOD && c == 0 && nat_is_const(x->op[1], &k)) {
        // (x % k)/d = 0, 0 < k <= d
        if (k <= d) return nat_const(cx, 0);
        // (x % (k*d))/d = (x/d) % k, k, d > 0
        if (k % d == 0)
            return nat_mod(cx, nat_div(cx, x->op[0], nat_const(cx, d)), nat_const(cx, k / d));
    }
    return nat_raw(cx, NAT_DIV, r, nat_const(cx, d));
}

static Node *div_by_constant(Session *cx, Node *a, int64_t d)
{
    if (d == 0 || d == INT64_MIN) return nat_overflow(cx);
    // a/(-d) = (-a)/d
    if (d < 0) return div_by_constant(cx, nat_sub(cx, nat_const(cx, 0), a), -d);
    if (d == 1 || nat_is_overflow(a)) return a;
    // (b*d + r)/d = b + r/d
    Node *b, *r;
    if (!nat_split(cx, a, nat_const(cx, d), &b, &r)) return nat_overflow(cx);
    return nat_add(cx, b, rest_by_constant(cx, r, d));
}

Node *nat_div(Session *cx, Node *a, Node *b)
{
    int64_t d;
    Node *q, *r;
    if (nat_is_overflow(a) || nat_is_overflow(b)) return nat_overflow(cx);
    if (nat_is_const(b, &d)) return div_by_constant(cx, a, d);
    if (!nat_split(cx, a, b, &q, &r)) return nat_raw(cx, NAT_DIV, a, b);
    // (q*b)/b = q needs b != 0, so it is left to nat_simplify
    if (nat_is_zero(r)) return nat_raw(cx, NAT_DIV, a, b);
    // (g*x)/(g*y) = x/y, g > 0
    int64_t g = nat_common_content(cx, r, b);
    if (g > 1) r = divide_content(cx, r, g), b = divide_content(cx, b, g);
    // (q*b + r)/b = q + r/b
    return nat_add(cx, q, nat_raw(cx, NAT_DIV, r, b));
}

// Returns `r` with remainders x % m replaced with their dividends x wherever that does not change r
// % d: (w*(x % m) + y) % d = (w*x + y) % d if d divides w*m.
static Node *drop_remainders(Session *cx, Node *r, int64_t d)
{
    Terms t;
    terms_of(cx, &t, r);
    Node *sum = r;
    for (int i = 0; i < t.len; i++) {
        Node *mono = t.at[i].mono;
        int64_t m;
        if (!mono || mono->kind != NAT_MOD || !nat_is_const(mono->op[1], &m)) continue;
        if (t.at[i].coeff % d * (__int128)(m % d) % d != 0) continue;
        Node *more = nat_mul(cx, nat_sub(cx, mono->op[0], mono), nat_const(cx, t.at[i].coeff));
        Node *next = nat_add(cx, sum, more);
        if (!nat_is_overflow(next)) sum = next;
    }
    terms_free(&t);
    return sum;
}

static Node *mod_by_constant(Session *cx, Node *a, int64_t d)
{
    if (d == 0 || d == INT64_MIN) return nat_overflow(cx);
    Node *zero = nat_const(cx, 0), *q, *r;
    // a % (-d) = -((-a) % d)
    if (d < 0) return nat_sub(cx, zero, mod_by_constant(cx, nat_sub(cx, zero, a), -d));
    if (nat_is_overflow(a)) return a;
    // (q*d + r) % d = r % d
    if (!nat_split(cx, a, nat_const(cx, d), &q, &r)) return nat_overflow(cx);
    if (r->kind == NAT_CONST) return r; // 0 <= r < d
    Node *plain = drop_remainders(cx, r, d);
    if (plain != r) return mod_by_constant(cx, plain, d);
    // (g*x + c) % (g*d) = g*((x + c/g) % d) + c % g, g > 0
    int64_t g = (int64_t)int_gcd(nat_content(cx, r, false), (uint64_t)d), m;
    if (g > 1) {
        Node *inner = mod_by_constant(cx, divide_content(cx, r, g), d / g);
        return nat_add(cx, nat_mul(cx, inner, nat_const(cx, g)),
                       nat_const(cx, nat_constant_part(r) % g));
    }
    // (x % m) % d = x % m, 0 < m <= d
    if (r->kind == NAT_MOD && nat_is_const(r->op[1], &m) && m <= d) return r;
    return nat_raw(cx, NAT_MOD, r, nat_const(cx, d));
}

Node *nat_mod(Session *cx, Node *a, Node *b)
{
    int64_t d;
    Node *q, *r;
    if (nat_is_overflow(a) || nat_is_overflow(b)) return nat_overflow(cx);
    if (nat_is_const(b, &d)) return mod_by_constant(cx, a, d);
    // (q*b) % b = 0 needs b != 0, so it is left to nat_simplify
    if (!nat_split(cx, a, b, &q, &r) || nat_is_zero(r)) return nat_raw(cx, NAT_MOD, a, b);
    // (g*x) % (g*y) = g*(x % y), g > 0
    int64_t g = nat_common_content(cx, r, b);
    if (g > 1) r = divide_content(cx, r, g), b = divide_content(cx, b, g);
    // (q*b + r) % b = r % b
    return nat_mul(cx, nat_raw(cx, NAT_MOD, r, b), nat_const(cx, g));
}
