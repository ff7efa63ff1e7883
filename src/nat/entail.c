// Queries about sizes under facts: signs, equality, divisibility, bounds.
#include "nat/internal.h"

static Node *negate(Session *cx, Node *e)
{
    return nat_sub(cx, nat_const(cx, 0), e);
}

// `e` in a form in which equal sizes are usually the same node.
static Node *canonical(Prover *p, Node *e)
{
    p->expand_powers = true;
    return simplify(p, e);
}

static Truth sign_of(Prover *p, Node *e)
{
    if (prove_ge0(p, e)) return TRUTH_YES;
    if (prove_positive(p, negate(p->cx, e))) return TRUTH_NO;
    return TRUTH_UNKNOWN;
}

Truth nat_ge0(Session *cx, const Facts *f, Node *e)
{
    int64_t c;
    if (nat_is_const(e, &c)) return c >= 0 ? TRUTH_YES : TRUTH_NO;
    if (nat_is_overflow(e)) return TRUTH_UNKNOWN;
    Prover p;
    prover_start(&p, cx, f);
    Truth truth = sign_of(&p, e);
    if (truth == TRUTH_UNKNOWN) {
        Node *simple = canonical(&p, e);
        if (simple != e) truth = sign_of(&p, simple);
    }
    prover_end(&p);
    return truth;
}

// Whether e = g*x + c is never 0, because g does not divide c.
static bool never_zero(Prover *p, Node *e)
{
    uint64_t g = nat_content(p->cx, e, false);
    if (g == 0) return !nat_is_zero(e);
    return g <= INT64_MAX && nat_constant_part(e) % (int64_t)g != 0;
}

static Truth is_zero(Prover *p, Node *e)
{
    if (nat_is_overflow(e)) return TRUTH_UNKNOWN;
    if (nat_is_zero(e)) return TRUTH_YES;
    if (never_zero(p, e)) return TRUTH_NO;
    bool ge = prove_ge0(p, e), le = prove_ge0(p, negate(p->cx, e));
    if (ge && le) return TRUTH_YES;
    if (ge && prove_positive(p, e)) return TRUTH_NO;
    if (le && prove_positive(p, negate(p->cx, e))) return TRUTH_NO;
    return TRUTH_UNKNOWN;
}

Truth nat_eq(Session *cx, const Facts *f, Node *a, Node *b)
{
    if (nat_is_overflow(a) || nat_is_overflow(b)) return TRUTH_UNKNOWN;
    if (a == b) return TRUTH_YES;
    Prover p;
    prover_start(&p, cx, f);
    Node *difference = nat_sub(cx, a, b);
    Truth truth = is_zero(&p, difference);
    if (truth == TRUTH_UNKNOWN) {
        Node *simple = canonical(&p, difference);
        if (simple != difference) truth = is_zero(&p, simple);
    }
    prover_end(&p);
    return truth;
}

Truth nat_le(Session *cx, const Facts *f, Node *a, Node *b)
{
    return nat_ge0(cx, f, nat_sub(cx, b, a));
}

Truth nat_lt(Session *cx, const Facts *f, Node *a, Node *b)
{
    return nat_le(cx, f, nat_add(cx, a, nat_const(cx, 1)), b);
}

// Sets *multiple to a size that the equality eq0 == 0 shows to be a multiple of d: x if the
// equality is x % m == 0 and d divides m, and the left side of any other equality, which is 0.
// Returns false if d does not divide m.
static bool known_multiple(Session *cx, Node *d, Node *eq0, Node **multiple)
{
    Term t;
    *multiple = eq0;
    if (!nat_single_term(cx, eq0, &t) || nat_constant_part(eq0) != 0) return true;
    if (!t.mono || t.mono->kind != NAT_MOD) return true;
    *multiple = t.mono->op[0];
    return !nat_is_overflow(nat_exact_quotient(cx, t.mono->op[1], d));
}

// Tries e - t*zero for each term t for which a term of t*zero cancels one of `e`, until `accept`
// accepts a difference. Returns whether it accepted one.
static bool subtract_multiple(Prover *p, Node *e, Node *zero,
                              bool (*accept)(Prover *, Node *, void *), void *env)
{
    Session *cx = p->cx;
    Terms te, tz;
    terms_of(cx, &te, e);
    terms_of(cx, &tz, zero);
    bool found = false;
    for (int k = 0; k < te.len * tz.len && !found; k++) {
        Term x = te.at[k / tz.len], z = tz.at[k % tz.len];
        Node *mono;
        if (!z.mono || x.coeff == INT64_MIN || x.coeff % z.coeff != 0) continue;
        if (!mono_div(cx, x.mono, z.mono, &mono)) continue;
        Node *t = nat_of_term(cx, x.coeff / z.coeff, mono);
        Node *difference = nat_sub(cx, e, nat_mul(cx, t, zero));
        found = !nat_is_overflow(difference) && accept(p, difference, env);
    }
    terms_free(&te);
    terms_free(&tz);
    return found;
}

typedef struct {
    Node *d, *result;
    int terms;
} Reduction;

// Accepts a difference that has fewer terms when reduced modulo d.
static bool is_shorter(Prover *p, Node *difference, void *env)
{
    Reduction *red = env;
    Node *q, *r;
    if (!nat_split(p->cx, difference, red->d, &q, &r)) return false;
    if (!nat_is_zero(r) && nat_term_count(r) >= red->terms) return false;
    red->result = r;
    red->terms = nat_term_count(r);
    return true;
}

// Shortens `e` by subtracting sizes that the facts show to be multiples of d.
static Node *reduce_by_facts(Prover *p, Node *d, Node *e)
{
    Reduction red = {d, e, nat_term_count(e)};
    for (const Facts *f = p->facts; f; f = facts_next(p->facts, f)) {
        for (int i = 0; i < f->eq0.len && !nat_is_zero(red.result); i++) {
            Node *multiple;
            if (known_multiple(p->cx, d, f->eq0.at[i], &multiple))
                subtract_multiple(p, red.result, multiple, is_shorter, &red);
        }
    }
    return red.result;
}

static bool is_multiple(Prover *p, Node *difference, void *env)
{
    Reduction *red = env;
    red->result = nat_exact_quotient(p->cx, difference, red->d);
    return !nat_is_overflow(red->result);
}

bool known_quotient(Prover *p, Node *e, Node *d, Node **quotient)
{
    Reduction red = {d, NULL, 0};
    for (const Facts *f = p->facts; f; f = facts_next(p->facts, f)) {
        for (int i = 0; i < f->eq0.len; i++) {
            if (!subtract_multiple(p, e, f->eq0.at[i], is_multiple, &red)) continue;
            *quotient = red.result;
            return true;
        }
    }
    return false;
}

// If d | w*m and m > 0, then w*(x % m) is congruent to w*x modulo d.
Node *reduce_remainders(Prover *p, Node *d, Node *e)
{
    Session *cx = p->cx;
    Terms t;
    terms_of(cx, &t, e);
    for (int i = 0; i < t.len; i++) {
        for (int k = 0; k < mono_len(t.at[i].mono); k++) {
            Node *x = mono_base(t.at[i].mono, k), *w;
            if (x->kind != NAT_MOD || !mono_div(cx, t.at[i].mono, x, &w)) continue;
            w = nat_of_term(cx, t.at[i].coeff, w);
            if (nat_is_overflow(nat_exact_quotient(cx, nat_mul(cx, w, x->op[1]), d))) continue;
            if (!prove_positive(p, x->op[1])) continue;
            Node *next = nat_add(cx, e, nat_mul(cx, w, nat_sub(cx, x->op[0], x)));
            if (!nat_is_overflow(next)) e = next;
            break;
        }
    }
    terms_free(&t);
    return e;
}

bool prove_divides(Prover *p, Node *d, Node *e)
{
    Node *q, *r;
    for (int i = 0; i < 4; i++) {
        if (!nat_split(p->cx, e, d, &q, &r)) return nat_is_zero(e);
        if (nat_is_zero(r)) return true;
        Node *next = reduce_by_facts(p, d, reduce_remainders(p, d, r));
        if (next == r) break;
        e = next;
    }
    return prove_ge0(p, e) && prove_ge0(p, negate(p->cx, e));
}

// Whether e % d is never 0, because the remainder r satisfies 0 < r < d or -d < r < 0, or because d
// is a constant that shares a factor with all terms of r except the constant term.
static bool never_divides(Prover *p, Node *d, Node *e)
{
    Session *cx = p->cx;
    Node *q, *r;
    int64_t c;
    if (!nat_split(cx, e, d, &q, &r)) return false;
    if (nat_is_const(d, &c) && c > 0) {
        int64_t g = (int64_t)int_gcd(nat_content(cx, r, false), (uint64_t)c);
        if (nat_constant_part(r) % g != 0) return true;
    }
    Node *minus = negate(cx, r);
    if (prove_positive(p, r) && prove_positive(p, nat_sub(cx, d, r))) return true;
    return prove_positive(p, minus) && prove_positive(p, nat_sub(cx, d, minus));
}

Truth nat_divides(Session *cx, const Facts *f, Node *d, Node *e)
{
    if (nat_is_overflow(d) || nat_is_overflow(e)) return TRUTH_UNKNOWN;
    Prover p;
    prover_start(&p, cx, f);
    e = simplify(&p, e);
    d = simplify(&p, d);
    Truth truth = prove_divides(&p, d, e)   ? TRUTH_YES
                  : never_divides(&p, d, e) ? TRUTH_NO
                                            : TRUTH_UNKNOWN;
    prover_end(&p);
    return truth;
}

// Finds the bound by intervals, unless a search proves a better one among 1, 0 and -1, which decide
// the sign.
static bool lower_bound(Prover *p, Node *e, int64_t *bound)
{
    Interval b = prove_bounds(p, e);
    for (*bound = 1; *bound >= -1; --*bound) {
        if (b.lo >= *bound) break;
        if (prove_ge0(p, nat_sub(p->cx, e, nat_const(p->cx, *bound)))) return true;
    }
    *bound = b.lo;
    return b.lo != NO_LO;
}

bool nat_lower(Session *cx, const Facts *f, Node *e, int64_t *bound)
{
    if (nat_is_const(e, bound)) return true;
    if (nat_is_overflow(e)) return false;
    Prover p;
    prover_start(&p, cx, f);
    int64_t found;
    bool ok = lower_bound(&p, simplify(&p, e), &found);
    prover_end(&p);
    if (ok) *bound = found;
    return ok;
}

bool nat_upper(Session *cx, const Facts *f, Node *e, int64_t *bound)
{
    int64_t below;
    if (nat_is_const(e, bound)) return true;
    if (!nat_lower(cx, f, negate(cx, e), &below)) return false;
    *bound = -below;
    return true;
}

// --- sizes that depend on a comparison -----------------------------------------------------------

static void mark_index(Node *atom, void *env)
{
    void **at = env;
    Node *lo, *hi = NULL;
    if (atom->kind == NAT_VAR) facts_range_of(at[0], at[1], atom->attr.sym, &lo, &hi);
    *(bool *)at[2] |= hi != NULL;
}

// Whether `e` depends on a name with an upper bound, which may be the index of a loop.
static bool depends_on_index(Session *cx, const Facts *f, Node *e)
{
    bool found = false;
    void *env[] = {cx, (void *)(uintptr_t)f, &found};
    nat_atoms(cx, e, mark_index, env);
    return found;
}

typedef struct {
    Session *cx;
    const Facts *facts;
} Asking;

static bool accepts_compared(Node *e, bool natural, const void *env)
{
    const Asking *a = env;
    return !depends_on_index(a->cx, a->facts, e) &&
           (!natural || nat_ge0(a->cx, a->facts, e) == TRUTH_YES);
}

bool nat_as_choice(Session *cx, const Facts *f, Node *e, NatChoice *choice)
{
    return choice_find(cx, e, accepts_compared, &(Asking){cx, f}, choice);
}
