// Simplification under facts. Operands are simplified first; then a rule replaces the node. The
// rules for divisions and remainders are in remainders.c.
#include "nat/internal.h"

enum { MAX_NESTING = 100, MAX_MERGES = 8, MAX_COST = 1 << 20, MAX_OPERANDS = 32 };

int simplify_cost(Prover *p, Node *e)
{
    if (e->nops == 0) return e->kind == NAT_CONST ? 1 : 2;
    int *known = map_get(&p->costs, e->id);
    if (known) return *known;
    int cost = e->kind == NAT_PRODUCT ? (e->attr.i != 1) : e->kind == NAT_SUM ? 0 : 8;
    for (uint32_t k = 0; k < e->nops && cost < MAX_COST; k++) cost += simplify_cost(p, e->op[k]);
    if (cost > MAX_COST) cost = MAX_COST;
    known = ARENA_NEW(p->arena, int);
    *known = cost;
    map_put(&p->costs, e->id, known);
    return cost;
}

// Replaces `e` with the candidate if that is cheaper.
static bool take(Prover *p, Node **e, Node *candidate)
{
    if (nat_is_overflow(candidate) || simplify_cost(p, candidate) >= simplify_cost(p, *e))
        return false;
    *e = candidate;
    return true;
}

// For a term w*x of *e with x = a % d and d > 0: replaces a % d with a - d*(a/d) if that is
// cheaper.
static bool merge_remainder(Prover *p, Node **e, Node *w, Node *x)
{
    Session *cx = p->cx;
    Node *a = x->op[0], *d = x->op[1];
    Node *q = simplify_div(p, a, d), *other = nat_sub(cx, a, nat_mul(cx, d, q));
    return take(p, e, nat_add(cx, *e, nat_mul(cx, w, nat_sub(cx, other, x))));
}

// For a term w*x of *e with x = a/d, d > 0 and w = t*d (or t times the first term of d): replaces
// d*(a/d) with a - a % d if that is cheaper.
static bool merge_quotient(Prover *p, Node **e, Node *w, Node *x)
{
    Session *cx = p->cx;
    Node *a = x->op[0], *d = x->op[1];
    Node *t = nat_exact_quotient(cx, w, d->kind == NAT_SUM ? d->op[0] : d);
    if (nat_is_overflow(t)) return false;
    Node *dx = nat_mul(cx, d, x), *other = nat_sub(cx, a, simplify_mod(p, a, d));
    return take(p, e, nat_add(cx, *e, nat_mul(cx, t, nat_sub(cx, other, dx))));
}

static bool merge_in_term(Prover *p, Node **e, Term term)
{
    for (int k = 0; k < mono_len(term.mono); k++) {
        Node *x = mono_base(term.mono, k), *w;
        if (x->kind != NAT_DIV && x->kind != NAT_MOD) continue;
        if (!mono_div(p->cx, term.mono, x, &w) || !prove_positive(p, x->op[1])) continue;
        w = nat_of_term(p->cx, term.coeff, w);
        if (x->kind == NAT_MOD ? merge_remainder(p, e, w, x) : merge_quotient(p, e, w, x))
            return true;
    }
    return false;
}

// Merges related divisions and remainders of a sum, as in d*(a/d) + a % d = a.
static Node *merge_terms(Prover *p, Node *e)
{
    for (int i = 0; i < MAX_MERGES; i++) {
        Terms t;
        terms_of(p->cx, &t, e);
        bool merged = false;
        for (int k = 0; k < t.len && !merged; k++) merged = merge_in_term(p, &e, t.at[k]);
        terms_free(&t);
        if (!merged) break;
    }
    return e;
}

static Node *simplify_list(Prover *p, Node *e)
{
    Session *cx = p->cx;
    Node *result = nat_const(cx, e->kind == NAT_SUM ? 0 : e->attr.i);
    for (uint32_t k = 0; k < e->nops; k++)
        result = nat_apply(cx, (Kind)e->kind, result, simplify(p, e->op[k]));
    return merge_terms(p, result);
}

// Whether x <= y (for min) or x >= y (for max).
static bool preferred(Prover *p, Kind kind, Node *x, Node *y)
{
    return prove_ge0(p, kind == NAT_MIN ? nat_sub(p->cx, y, x) : nat_sub(p->cx, x, y));
}

static int flatten(Node *e, Kind kind, Node **list, int n)
{
    for (; (Kind)e->kind == kind; e = e->op[1]) n = flatten(e->op[0], kind, list, n);
    if (n < MAX_OPERANDS) list[n] = e;
    return n + 1;
}

// Replaces a size that can have only one value with that value.
static Node *simplify_single(Prover *p, Node *e)
{
    Interval b = prove_bounds(p, e);
    if (b.lo == b.hi) return nat_const(p->cx, b.lo);
    Node *zero = nat_const(p->cx, 0);
    bool is_zero = e->kind == NAT_SUM && prove_ge0(p, e) && prove_ge0(p, nat_sub(p->cx, zero, e));
    return is_zero ? zero : e;
}

// Drops operands of a nested min by the rule min(a, b) = a for a <= b, tried on all pairs. A nested
// max is treated likewise.
static Node *simplify_choice(Prover *p, Kind kind, Node *a, Node *b)
{
    Node *e = nat_apply(p->cx, kind, a, b), *list[MAX_OPERANDS];
    if ((Kind)e->kind != kind) return e;
    int n = flatten(e, kind, list, 0);
    if (n > MAX_OPERANDS) return e;
    for (int i = 0; i < n; i++) {
        bool dropped = false;
        for (int j = 0; j < n && !dropped; j++)
            dropped = i != j && preferred(p, kind, list[j], list[i]);
        if (!dropped) continue;
        for (int j = i--; j + 1 < n; j++) list[j] = list[j + 1];
        n--;
    }
    Node *result = n == 1 ? simplify_single(p, list[0]) : list[n - 1];
    for (int i = n - 2; i >= 0; i--) result = nat_apply(p->cx, kind, list[i], result);
    return result;
}

// a^(m + n) = a^m * a^n and a^(c*n) = (a^n)^c for m, n >= 0 and a constant c > 0.
static Node *power_of_atom(Prover *p, Node *a, Node *b)
{
    Session *cx = p->cx;
    Terms t;
    terms_of(cx, &t, b);
    bool ok = true;
    for (int i = 0; i < t.len; i++)
        ok = ok && t.at[i].coeff > 0 && (!t.at[i].mono || prove_ge0(p, t.at[i].mono));
    Node *result = nat_const(cx, 1);
    for (int i = 0; ok && i < t.len; i++) {
        Node *mono = t.at[i].mono ? t.at[i].mono : nat_const(cx, 1);
        Node *power = nat_pow(cx, nat_pow(cx, a, mono), nat_const(cx, t.at[i].coeff));
        result = nat_mul(cx, result, power);
    }
    terms_free(&t);
    return ok && !nat_is_overflow(result) ? result : nat_pow(cx, a, b);
}

// (x*y)^b = x^b * y^b; (x^e)^b = x^(e*b) for e, b >= 0, which holds if the powers have values.
static Node *expand_power(Prover *p, Node *a, Node *b)
{
    Session *cx = p->cx;
    int64_t k;
    if (a->kind == NAT_SUM || nat_is_const(b, &k)) return power_of_atom(p, a, b);
    Terms t;
    terms_of(cx, &t, a);
    if (t.len == 0) return nat_pow(cx, a, b);
    Node *result = power_of_atom(p, nat_const(cx, t.at[0].coeff), b);
    for (int i = 0; i < mono_len(t.at[0].mono); i++) {
        Node *base = mono_base(t.at[0].mono, i);
        Node *exponent = nat_mul(cx, b, nat_const(cx, mono_exponent(t.at[0].mono, i)));
        if (base->kind == NAT_POW) {
            exponent = nat_mul(cx, exponent, base->op[1]);
            base = base->op[0];
        }
        result = nat_mul(cx, result, power_of_atom(p, base, exponent));
    }
    terms_free(&t);
    return nat_is_overflow(result) ? nat_pow(cx, a, b) : result;
}

static Node *simplify_pair(Prover *p, Node *e)
{
    Node *a = simplify(p, e->op[0]), *b = simplify(p, e->op[1]);
    switch (e->kind) {
    case NAT_DIV: return simplify_div(p, a, b);
    case NAT_MOD: return simplify_mod(p, a, b);
    case NAT_MIN:
    case NAT_MAX: return simplify_choice(p, (Kind)e->kind, a, b);
    default: return p->expand_powers ? expand_power(p, a, b) : nat_pow(p->cx, a, b);
    }
}

Node *simplify(Prover *p, Node *e)
{
    if (e->kind == NAT_VAR || e->kind == NAT_META) return simplify_single(p, e);
    if (e->nops == 0 || p->nesting >= MAX_NESTING) return e;
    Node *known = map_get(&p->simplified, e->id);
    if (known) return known;
    p->nesting++;
    bool list = e->kind == NAT_SUM || e->kind == NAT_PRODUCT;
    Node *result = list ? simplify_list(p, e) : simplify_pair(p, e);
    p->nesting--;
    if (nat_is_overflow(result)) result = e;
    map_put(&p->simplified, e->id, (void *)(uintptr_t)result);
    return result;
}

Node *nat_simplify(Session *cx, const Facts *f, Node *e)
{
    if (e->nops == 0 && e->kind != NAT_VAR && e->kind != NAT_META) return e;
    Prover p;
    prover_start(&p, cx, f);
    Node *result = simplify(&p, e);
    if (simplify_cost(&p, result) > simplify_cost(&p, e)) result = e;
    prover_end(&p);
    return result;
}

// --- sizes that cannot fail ---------------------------------------------------------------------

static bool is_safe(Session *cx, const Facts *f, Kind kind, Node *divisor)
{
    if (kind != NAT_DIV && kind != NAT_MOD) return true;
    return nat_lt(cx, f, nat_const(cx, 0), divisor) == TRUTH_YES;
}

static bool is_total(Session *cx, const Facts *f, Node *e, Memo *seen)
{
    if (e->nops == 0 || memo_get(seen, e)) return true;
    if (e->nops == 2 && !is_safe(cx, f, e->kind, e->op[1])) return false;
    for (uint32_t k = 0; k < e->nops; k++)
        if (!is_total(cx, f, e->op[k], seen)) return false;
    memo_put(seen, e, e);
    return true;
}

bool nat_is_total(Session *cx, const Facts *f, Node *e)
{
    Memo seen = {.len = 0};
    bool total = is_total(cx, f, e, &seen);
    memo_free(&seen);
    return total;
}

static Node *total(Session *cx, const Facts *f, Node *e, Memo *done)
{
    if (e->nops == 0) return e;
    Node *known = (Node *)(uintptr_t)memo_get(done, e);
    if (known) return known;
    Node **ops = ARENA_ARRAY(cx->arena, Node *, e->nops);
    for (uint32_t k = 0; k < e->nops; k++) ops[k] = total(cx, f, e->op[k], done);
    if (e->nops == 2 && !is_safe(cx, f, e->kind, ops[1]))
        ops[1] = nat_max(cx, ops[1], nat_const(cx, 1));
    Node *result = nat_rebuild(cx, e, ops);
    memo_put(done, e, result);
    return result;
}

Node *nat_total(Session *cx, const Facts *f, Node *e)
{
    if (nat_is_total(cx, f, e)) return e;
    Memo done = {.len = 0};
    Node *result = total(cx, f, e, &done);
    memo_free(&done);
    return result;
}
