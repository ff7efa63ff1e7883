// Converts DPIA integer expressions to sizes, and proves that sizes fit in 64 bits.
#include "dpia/ir/dpia.h"

enum { MAX_SIZE_NODES = 24, MAX_DEGREE = 2 };
#define MAX_COEFFICIENT ((int64_t)1 << 16)
#define MAX_CONSTANT    ((int64_t)1 << 40)

int size_weight(Node *size, int limit)
{
    int n = 1;
    for (uint32_t i = 0; i < size->nops && n <= limit; i++)
        n += size_weight(size->op[i], limit - n);
    return n;
}

static bool is_between(int64_t x, int64_t limit)
{
    return -limit <= x && x <= limit;
}

static int degree(Node *e, ClassOfName *name, void *env);

// The degree of a length that bounds `e` from above (or below). It is MAX_DEGREE + 1 if there is
// none, and WRAPS if computing `e` may overflow 64 bits.
enum { WRAPS = 100 };

static int limit(Node *e, bool above, ClassOfName *name, void *env)
{
    if (e->kind == NAT_VAR) {
        NameClass c = name(env, e->attr.sym);
        if (c == NAME_WORD) return MAX_DEGREE;
        return c == NAME_LENGTH || c == (above ? NAME_NOT_ABOVE : NAME_NOT_BELOW) ? 1
                                                                                  : MAX_DEGREE + 1;
    }
    if (e->kind == NAT_CONST) return is_between(e->attr.i, ENDLESS) ? 0 : MAX_DEGREE + 1;
    if (e->kind != NAT_MIN && e->kind != NAT_MAX) {
        int d = degree(e, name, env);
        return d <= MAX_DEGREE ? d : WRAPS;
    }
    bool any = (e->kind == NAT_MIN) == above; // one bounded operand suffices
    int best = any ? MAX_DEGREE + 1 : 0;
    for (uint32_t i = 0; i < e->nops; i++) {
        int d = limit(e->op[i], above, name, env);
        if (d == WRAPS) return WRAPS;
        if (any ? d < best : d > best) best = d;
    }
    return best;
}

bool dpia_is_limited(Node *size, bool above, ClassOfName *name, void *env)
{
    return size_weight(size, MAX_SIZE_NODES) <= MAX_SIZE_NODES &&
           limit(size, above, name, env) <= MAX_DEGREE;
}

// Returns the degree of a size that is a polynomial in lengths with small coefficients, or more
// than MAX_DEGREE if it is no such polynomial.
static int degree(Node *e, ClassOfName *name, void *env)
{
    int d = 0, k;
    switch ((Kind)e->kind) {
    case NAT_CONST: return is_between(e->attr.i, MAX_CONSTANT) ? 0 : MAX_DEGREE + 1;
    case NAT_VAR: {
        NameClass c = name(env, e->attr.sym);
        return c == NAME_LENGTH ? 1 : c == NAME_WORD ? MAX_DEGREE : MAX_DEGREE + 1;
    }
    case NAT_PRODUCT:
        if (!is_between(e->attr.i, MAX_COEFFICIENT)) return MAX_DEGREE + 1;
        for (uint32_t i = 0; i < e->nops && d <= MAX_DEGREE; i++) d += degree(e->op[i], name, env);
        return d;
    case NAT_MOD: return degree(e->op[1], name, env); // a remainder is below the divisor
    case NAT_MIN:
    case NAT_MAX:
        d = limit(e, true, name, env);
        k = limit(e, false, name, env);
        return d > k ? d : k;
    case NAT_SUM:
    case NAT_DIV:
        for (uint32_t i = 0; i < e->nops && d <= MAX_DEGREE; i++)
            if ((k = degree(e->op[i], name, env)) > d) d = k;
        return d;
    case NAT_POW: {
        int64_t exponent;
        bool small = nat_is_const(e->op[1], &exponent) && exponent <= MAX_DEGREE;
        return small ? (int)exponent * degree(e->op[0], name, env) : MAX_DEGREE + 1;
    }
    default: return MAX_DEGREE + 1;
    }
}

bool dpia_is_length(Node *size, ClassOfName *name, void *env)
{
    return size_weight(size, MAX_SIZE_NODES) <= MAX_SIZE_NODES &&
           degree(size, name, env) <= MAX_DEGREE;
}

// --- 64-bit overflow ----------------------------------------------------------------------------

static bool is_one_of(const Lengths *l, Node *term)
{
    for (int i = 0; i < l->terms.len; i++)
        if (l->terms.at[i] == term) return true;
    return false;
}

void lengths_add(Session *cx, Lengths *l, Node *count)
{
    int64_t divisor; // half of a size, as in n*(n + 1)/2: the size is hardly larger than the count
    if (count->kind == NAT_DIV && nat_is_const(count->op[1], &divisor) && divisor <= 2)
        count = count->op[0];
    bool sum = count->kind == NAT_SUM;
    for (uint32_t i = 0; sum && i < count->nops; i++) // a small difference does not bound its terms
        if (count->op[i]->kind == NAT_PRODUCT && count->op[i]->attr.i < 0) return;
    for (uint32_t i = 0; i < (sum ? count->nops : 1); i++) {
        Node *term = sum ? count->op[i] : count;
        if (term->kind != NAT_CONST && !is_one_of(l, term)) vec_push(cx->arena, &l->terms, term);
    }
}

void lengths_add_type(Session *cx, Lengths *l, Node *type)
{
    if (type->kind == TYPE_REF) {
        lengths_add_type(cx, l, type->op[0]);
    } else if (type->kind == TYPE_ARRAY) {
        Node *count = nat_const(cx, 1);
        for (; type->kind == TYPE_ARRAY; type = type->op[1])
            count = nat_mul(cx, count, type->op[0]);
        lengths_add(cx, l, count);
        lengths_add_type(cx, l, type);
    } else if (type->kind == TYPE_TUPLE || type->kind == TYPE_STRUCT) {
        for (uint32_t i = 0; i < type->nops; i++) lengths_add_type(cx, l, type->op[i]);
    }
}

static int64_t coefficient_of(Node *term)
{
    return term->kind == NAT_PRODUCT || term->kind == NAT_CONST ? term->attr.i : 1;
}

static uint32_t nfactors(Node *term)
{
    return term->kind == NAT_PRODUCT ? term->nops : 1;
}

// Returns factor i of a term and sets *times to its multiplicity. In n*m*m, for example, one factor
// is m, with multiplicity 2.
static Node *factor(Node *term, uint32_t i, int64_t *times)
{
    Node *f = term->kind == NAT_PRODUCT ? term->op[i] : term;
    *times = 1;
    return f->kind == NAT_POW && nat_is_const(f->op[1], times) ? f->op[0] : f;
}

// Whether all factors of `term` are factors of `other`.
static bool divides(Node *term, Node *other)
{
    for (uint32_t i = 0; i < nfactors(term); i++) {
        int64_t wanted, found, all = 0;
        Node *f = factor(term, i, &wanted);
        for (uint32_t k = 0; k < nfactors(other); k++)
            if (factor(other, k, &found) == f) all += found;
        if (all < wanted) return false;
    }
    return true;
}

// Whether the factors of `other` that are not factors of `term` are positive.
static bool is_rest_positive(Session *cx, const Facts *facts, Node *term, Node *other)
{
    for (uint32_t k = 0; k < nfactors(other); k++) {
        int64_t found, wanted = 0, times;
        Node *f = factor(other, k, &found);
        for (uint32_t i = 0; i < nfactors(term); i++)
            if (factor(term, i, &times) == f) wanted += times;
        Node *less = nat_sub(cx, f, nat_const(cx, 1));
        if (wanted < found && nat_ge0(cx, facts, less) != TRUTH_YES) return false;
    }
    return true;
}

bool lengths_bound(Session *cx, const Lengths *l, const Facts *facts, Node *term)
{
    for (int i = 0; i < l->terms.len; i++)
        if (divides(term, l->terms.at[i]) && is_rest_positive(cx, facts, term, l->terms.at[i]))
            return true;
    return false;
}

bool lengths_have(const Lengths *l, Node *term)
{
    for (int i = 0; i < l->terms.len; i++)
        if (divides(term, l->terms.at[i])) return true;
    return false;
}

// Whether there are only a few terms with this sign, and all of them are element counts of arrays
// in memory.
static bool is_sum_of_lengths(const Lengths *l, Node *difference, bool negative)
{
    enum { FEW = 4 };
    int64_t sum = 0;
    for (uint32_t i = 0; i < difference->nops; i++) {
        Node *term = difference->op[i];
        int64_t c = coefficient_of(term);
        if ((c < 0) != negative) continue;
        if (c < -FEW || c > FEW) return false;
        if (term->kind != NAT_CONST && !lengths_have(l, term)) return false;
        sum += negative ? -c : c;
    }
    return sum <= FEW;
}

// Whether the terms with this sign are products of size names, and so not negative.
static bool are_of_names(Node *difference, bool negative)
{
    int64_t times;
    for (uint32_t i = 0; i < difference->nops; i++) {
        Node *term = difference->op[i];
        if ((coefficient_of(term) < 0) != negative || term->kind == NAT_CONST) continue;
        for (uint32_t k = 0; k < nfactors(term); k++)
            if (factor(term, k, &times)->kind != NAT_VAR) return false;
    }
    return true;
}

// Adds the terms of one sign in a difference, if the terms of the other sign are element counts in
// memory, which bound them.
static void add_limited(Session *cx, Lengths *l, Node *difference, bool negative)
{
    if (difference->kind != NAT_SUM || !is_sum_of_lengths(l, difference, !negative)) return;
    if (!are_of_names(difference, negative)) return;
    for (uint32_t i = 0; i < difference->nops; i++) {
        Node *term = difference->op[i];
        if ((coefficient_of(term) < 0) == negative) lengths_add(cx, l, term);
    }
}

void lengths_add_checks(Session *cx, Lengths *l, const SizeCheck *checks, int n)
{
    for (int i = 0; i < n; i++) {
        Node *difference = nat_sub(cx, checks[i].right, checks[i].left);
        if (checks[i].relation == SIZE_NE) continue;
        add_limited(cx, l, difference, true); // the right side bounds the left side's terms
        if (checks[i].relation == SIZE_EQ) add_limited(cx, l, difference, false);
    }
}

Node *dpia_limit_by_facts(Session *cx, const Facts *facts, Sym name, bool above)
{
    Node *lo, *hi;
    facts_range_of(cx, facts, name, &lo, &hi);
    if (above) return hi ? nat_sub(cx, hi, nat_const(cx, 1)) : NULL;
    return lo->kind == NAT_CONST && lo->attr.i <= LEAST_INTEGER ? NULL : lo;
}

// The state while one size is being bounded. The bounds of names may contain other names, so `fuel`
// limits their expansion.
typedef struct {
    const SizeScope *s;
    int fuel;
} Bounding;

static Node *bound(Bounding *b, Node *e, bool above);

static Node *bound_of_name(Bounding *b, Node *e, bool above)
{
    Node *limit = b->s->limit(b->s->env, e->attr.sym, above);
    if (!limit || limit == e) return limit;
    return bound(b, limit, above);
}

static Node *bound_of_sum(Bounding *b, Node *e, bool above)
{
    Node *sum = nat_const(b->s->cx, 0);
    for (uint32_t i = 0; sum && i < e->nops; i++) {
        Node *part = bound(b, e->op[i], above);
        sum = part ? nat_add(b->s->cx, sum, part) : NULL;
    }
    return sum;
}

// Bounds a product by |coefficient| times the greatest magnitudes of the factors, or by 0 if the
// product cannot have values on that side of 0. Returns NULL if a factor has no bound.
static Node *bound_of_factors(Bounding *b, int64_t coefficient, Node *const *factors, uint32_t n,
                              bool above)
{
    Session *cx = b->s->cx;
    if (coefficient == INT64_MIN) return NULL;
    Node *product = nat_const(cx, coefficient < 0 ? -coefficient : coefficient);
    bool natural = true;
    for (uint32_t i = 0; i < n; i++) {
        Node *hi = bound(b, factors[i], true), *lo = bound(b, factors[i], false);
        if (!hi || !lo) return NULL;
        natural &= lo->kind == NAT_CONST && lo->attr.i == 0;
        product = nat_mul(cx, product, nat_add(cx, hi, lo));
    }
    return natural && above == (coefficient < 0) ? nat_const(cx, 0) : product;
}

// A bound of either operand bounds min(a, b) from above, but only both together bound it from
// below.
static Node *bound_of_choice(Bounding *b, Node *e, bool above)
{
    Node *x = bound(b, e->op[0], above), *y = bound(b, e->op[1], above);
    if ((e->kind == NAT_MIN) == above) return !x || (y && y->kind == NAT_CONST) ? y : x;
    return x && y ? nat_add(b->s->cx, x, y) : NULL;
}

static Node *bound_of_power(Bounding *b, Node *e, bool above)
{
    Node *factors[MAX_DEGREE];
    int64_t exponent;
    if (!nat_is_const(e->op[1], &exponent) || exponent > MAX_DEGREE) return NULL;
    for (int64_t i = 0; i < exponent; i++) factors[i] = e->op[0];
    return bound_of_factors(b, 1, factors, (uint32_t)exponent, above);
}

// Returns a polynomial p over size parameters with e <= p (`above`) or -p <= e, or NULL if none is
// known.
static Node *bound(Bounding *b, Node *e, bool above)
{
    Session *cx = b->s->cx;
    if (b->fuel-- <= 0) return NULL;
    switch ((Kind)e->kind) {
    case NAT_CONST:
        if (e->attr.i == INT64_MIN) return NULL;
        if ((e->attr.i > 0) != above) return nat_const(cx, 0);
        return nat_const(cx, above ? e->attr.i : -e->attr.i);
    case NAT_VAR: return bound_of_name(b, e, above);
    case NAT_SUM: return bound_of_sum(b, e, above);
    case NAT_PRODUCT: return bound_of_factors(b, e->attr.i, e->op, e->nops, above);
    case NAT_DIV: return bound(b, e->op[0], above);
    case NAT_MOD: return above ? bound(b, e->op[1], true) : nat_const(cx, 0);
    case NAT_MIN:
    case NAT_MAX: return bound_of_choice(b, e, above);
    case NAT_POW: return bound_of_power(b, e, above);
    default: return NULL;
    }
}

// Whether the sum of the positive terms is at most 2^63 - 1. A single size parameter always is. An
// element count in memory is at most 2^48, as no machine has more memory, and a size bounded by the
// elements of a few arrays is at most 2^50.
static bool is_within(const Lengths *l, Node *polynomial)
{
    enum { FACTORS = 1 << 12 };
    bool sum = polynomial->kind == NAT_SUM;
    int64_t factors = 0, single = 0, constant = 0;
    for (uint32_t i = 0; i < (sum ? polynomial->nops : 1); i++) {
        Node *term = sum ? polynomial->op[i] : polynomial;
        int64_t c = coefficient_of(term);
        if (c <= 0) continue;
        if (term->kind == NAT_CONST)
            constant = c;
        else if (lengths_have(l, term) && c <= FACTORS)
            factors += c;
        else if (term->kind == NAT_VAR)
            single++;
        else
            return false;
    }
    if (single) return single == 1 && !factors && !constant;
    return !factors || (factors <= FACTORS && constant <= MAX_CONSTANT);
}

// Whether the size is i + c with i < n - c + 1 for a name n, so that it is at most n.
static bool is_below_a_name(const SizeScope *s, Node *size)
{
    Node *i = NULL;
    int64_t c = 0;
    if (size->kind != NAT_SUM || size->nops != 2) return false;
    for (uint32_t k = 0; k < 2; k++)
        if (size->op[k]->kind == NAT_VAR && nat_is_const(size->op[1 - k], &c)) i = size->op[k];
    Node *limit = i ? s->limit(s->env, i->attr.sym, true) : NULL;
    if (!limit || c <= 0) return false;
    Node *most = nat_add(s->cx, limit, nat_const(s->cx, c));
    return most->kind == NAT_VAR;
}

bool dpia_fits(const SizeScope *s, Node *size)
{
    enum { FUEL = 200 };
    if (size->kind == NAT_VAR || size->kind == NAT_CONST) return true;
    int sides = is_below_a_name(s, size) ? 1 : 2;
    for (int above = 0; above < sides; above++) {
        Bounding b = {s, FUEL};
        Node *limit = bound(&b, size, above);
        if (!limit || !is_within(s->lengths, limit)) return false;
    }
    return true;
}

// --- integers as sizes --------------------------------------------------------------------------

static bool is_integer(Node *type)
{
    Scalar s;
    return type->kind == TYPE_IDX || (type_is_scalar(type, &s) && s == SCALAR_I64);
}

static Node *size_of_prim(const SizeScope *s, Node *e)
{
    Session *cx = s->cx;
    Node *size;
    if (e->nops != 2) return NULL;
    Node *a = dpia_size(s, e->op[0]), *b = a ? dpia_size(s, e->op[1]) : NULL;
    if (!b || !dpia_is_length(a, s->name, s->env) || !dpia_is_length(b, s->name, s->env))
        return NULL;
    switch (e->attr.i) {
    case PRIM_ADD: size = nat_add(cx, a, b); break;
    case PRIM_SUB: size = nat_sub(cx, a, b); break;
    case PRIM_MUL: size = nat_mul(cx, a, b); break;
    case PRIM_MIN: size = nat_min(cx, a, b); break;
    case PRIM_MAX: size = nat_max(cx, a, b); break;
    default: return NULL;
    }
    return dpia_is_length(size, s->name, s->env) && dpia_fits(s, size) ? size : NULL;
}

Node *dpia_size(const SizeScope *s, Node *e)
{
    if (!is_integer(e->type)) return NULL;
    switch ((Kind)e->kind) {
    case CORE_NAT: return e->op[0];
    case CORE_LIT: return nat_const(s->cx, e->attr.i);
    case CORE_CAST: return dpia_size(s, e->op[0]);
    case CORE_PRIM: return size_of_prim(s, e);
    case PH_VAR:
        if (s->name(s->env, e->attr.sym) == NAME_MEMORY) return NULL;
        return nat_var(s->cx, e->attr.sym);
    default: return NULL;
    }
}
