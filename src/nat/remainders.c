// Rules for a/d and a % d that need facts. Every rule is used only once d > 0 has been proved, and
// yields an equal term for all integers a (division is floor division), unless a range is stated.
#include "nat/internal.h"

static Node *constant(Prover *p, int64_t v)
{
    return nat_const(p->cx, v);
}

static bool less(Prover *p, Node *a, Node *b)
{
    return prove_positive(p, nat_sub(p->cx, b, a));
}

static bool at_least(Prover *p, Node *a, Node *b)
{
    return prove_ge0(p, nat_sub(p->cx, a, b));
}

// 0 <= r < d
static bool is_remainder(Prover *p, Node *r, Node *d)
{
    return prove_ge0(p, r) && less(p, r, d);
}

// Finds the k with k*d <= r < (k+1)*d if k is 0, 1 or -1, or any such k if d and the bounds of r
// are constants.
static bool constant_quotient(Prover *p, Node *r, Node *d, int64_t *k)
{
    int64_t c;
    if (nat_is_const(d, &c)) {
        Interval b = prove_bounds(p, r);
        *k = floor_div(b.lo, c);
        if (b.lo != NO_LO && b.hi != NO_HI && floor_div(b.hi, c) == *k) return true;
    }
    if (prove_ge0(p, r)) {
        *k = less(p, r, d) ? 0 : 1;
        return *k == 0 || (at_least(p, r, d) && less(p, r, nat_add(p->cx, d, d)));
    }
    *k = -1;
    return less(p, r, constant(p, 0)) && prove_ge0(p, nat_add(p->cx, r, d));
}

// A way to write r = g*x + s, d = g*y with 0 <= s < g, g > 0. For g, find_group tries the common
// factor of d and each term of r.
typedef struct {
    Node *g, *x, *y, *s;
} Group;
static bool find_group(Prover *p, Node *r, Node *d, Group *group)
{
    Terms t;
    terms_of(p->cx, &t, r);
    bool found = false;
    for (int i = 0; i < t.len && !found; i++) {
        Node *term = nat_of_term(p->cx, t.at[i].coeff, t.at[i].mono);
        Group c = {.g = nat_common_factor(p->cx, term, d)};
        if (c.g == constant(p, 1) || !nat_split(p->cx, r, c.g, &c.x, &c.s)) continue;
        if (nat_is_zero(c.x) || !prove_positive(p, c.g)) continue;
        if (!is_remainder(p, c.s, c.g)) continue;
        c.y = nat_exact_quotient(p->cx, d, c.g);
        *group = c;
        found = !nat_is_overflow(c.y);
    }
    terms_free(&t);
    return found;
}

// The sum of the terms of r that are known to be multiples of d.
static Node *multiples_in(Prover *p, Node *r, Node *d)
{
    Node *sum = constant(p, 0);
    Terms t;
    terms_of(p->cx, &t, r);
    for (int i = 0; i < t.len; i++) {
        Node *term = nat_of_term(p->cx, t.at[i].coeff, t.at[i].mono);
        if (t.at[i].mono && prove_divides(p, d, term)) sum = nat_add(p->cx, sum, term);
    }
    terms_free(&t);
    return sum;
}

// (x/y)/d = x/(y*d); (x % (k*d))/d = (x/d) % k for k > 0.
static Node *div_of_quotient(Prover *p, Node *r, Node *d)
{
    Session *cx = p->cx;
    if (r->kind == NAT_DIV) {
        Node *divisor = nat_mul(cx, r->op[1], d);
        return nat_is_overflow(divisor) ? NULL : simplify_div(p, r->op[0], divisor);
    }
    if (r->kind != NAT_MOD) return NULL;
    Node *k = nat_exact_quotient(cx, r->op[1], d);
    return prove_positive(p, k) ? simplify_mod(p, simplify_div(p, r->op[0], d), k) : NULL;
}

// A common divisor of r and d that may be a sum: m + 2 for n*m + 2*n and 2*m + 4. It is their
// common factor times the rest of d without the gcd of its coefficients, if that divides the rest
// of r.
static Node *common_divisor(Prover *p, Node *r, Node *d)
{
    Session *cx = p->cx;
    Node *g = nat_common_factor(cx, r, d), *y = nat_exact_quotient(cx, d, g);
    if (y->kind != NAT_SUM) return g;
    uint64_t content = nat_content(cx, y, true);
    if (content > INT64_MAX) return g;
    y = nat_exact_quotient(cx, y, constant(p, (int64_t)content));
    bool divides = !nat_is_overflow(nat_exact_quotient(cx, nat_exact_quotient(cx, r, g), y));
    return divides ? nat_mul(cx, g, y) : g;
}

// Returns r/d for a remainder r from which no polynomial multiple of d can be taken out.
static Node *div_rest(Prover *p, Node *r, Node *d)
{
    Session *cx = p->cx;
    int64_t k;
    Group c;
    Node *whole, *q, *g = common_divisor(p, r, d);
    // r/d = k for k*d <= r < (k+1)*d
    if (constant_quotient(p, r, d, &k)) return constant(p, k);
    // (g*x)/(g*y) = x/y for g > 0
    if (g != constant(p, 1) && prove_positive(p, g))
        return simplify_div(p, nat_exact_quotient(cx, r, g), nat_exact_quotient(cx, d, g));
    // (g*x + s)/(g*y) = x/y for 0 <= s < g
    if (find_group(p, r, d, &c)) return simplify_div(p, c.x, c.y);
    if ((whole = div_of_quotient(p, r, d))) return whole;
    // r/d = q for an equality r = q*d
    if (known_quotient(p, r, d, &q)) return q;
    // (x + s)/d = x/d for d | x, 0 <= s < d
    Node *x = multiples_in(p, r, d);
    if (!nat_is_zero(x) && x != r && is_remainder(p, nat_sub(cx, r, x), d))
        return nat_div(cx, x, d);
    return nat_div(cx, r, d);
}

Node *simplify_div(Prover *p, Node *a, Node *d)
{
    Node *q, *r, *plain = nat_div(p->cx, a, d);
    if (nat_is_overflow(plain) || !prove_positive(p, d)) return plain;
    // (q*d + r)/d = q + r/d
    if (!nat_split(p->cx, a, d, &q, &r)) return plain;
    Node *result = nat_is_zero(r) ? q : nat_add(p->cx, q, div_rest(p, r, d));
    return nat_is_overflow(result) ? plain : result;
}

static Node *mod_rest(Prover *p, Node *r, Node *d)
{
    Session *cx = p->cx;
    int64_t k;
    Group c;
    Node *g = common_divisor(p, r, d);
    // r % d = r - k*d for k*d <= r < (k+1)*d
    if (constant_quotient(p, r, d, &k)) return nat_sub(cx, r, nat_mul(cx, constant(p, k), d));
    // (g*x) % (g*y) = g*(x % y) for g > 0
    if (g != constant(p, 1) && prove_positive(p, g))
        return nat_mul(cx, g,
                       simplify_mod(p, nat_exact_quotient(cx, r, g), nat_exact_quotient(cx, d, g)));
    // (w*(x % m) + s) % d = (w*x + s) % d for d | w*m, m > 0; (x + s) % d = s % d for d | x
    Node *rest = reduce_remainders(p, d, r);
    rest = nat_sub(cx, rest, multiples_in(p, rest, d));
    if (rest != r && !nat_is_overflow(rest)) return simplify_mod(p, rest, d);
    // (g*x + s) % (g*y) = g*(x % y) + s for 0 <= s < g
    Node *plain = nat_mod(cx, r, d);
    if (find_group(p, r, d, &c)) {
        Node *inner = nat_add(cx, nat_mul(cx, c.g, simplify_mod(p, c.x, c.y)), c.s);
        if (simplify_cost(p, inner) < simplify_cost(p, plain)) return inner;
    }
    return plain;
}

Node *simplify_mod(Prover *p, Node *a, Node *d)
{
    Node *q, *r, *plain = nat_mod(p->cx, a, d);
    if (nat_is_overflow(plain) || !prove_positive(p, d)) return plain;
    // (q*d + r) % d = r % d
    if (!nat_split(p->cx, a, d, &q, &r)) return plain;
    if (nat_is_zero(r) || prove_divides(p, d, r)) return constant(p, 0);
    Node *result = mod_rest(p, r, d);
    return nat_is_overflow(result) ? plain : result;
}
