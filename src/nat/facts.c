// Scopes of facts, and constant bounds by interval arithmetic.
#include "nat/internal.h"

enum { INNERMOST = 32, OUTERMOST = 16 }; // numbers of scopes that a search visits

Facts *facts_new(Session *cx, Arena *arena, const Facts *outer)
{
    Facts *f = ARENA_NEW(arena, Facts);
    f->cx = cx;
    f->arena = arena;
    f->outer = outer;
    f->depth = outer ? outer->depth + 1 : 0;
    f->base = f->depth <= OUTERMOST ? f : outer->base;
    f->ge0_at = map_new(arena);
    f->single_at = map_new(arena);
    f->values = map_new(arena);
    f->about_ge0 = map_new(arena);
    f->about_eq0 = map_new(arena);
    f->about_single = map_new(arena);
    f->points = points_new(arena);
    f->proved = ARENA_NEW(arena, Map);
    *f->proved = map_new(arena);
    return f;
}

const Facts *facts_next(const Facts *start, const Facts *at)
{
    return start->depth - at->depth == INNERMOST && at->depth > OUTERMOST ? at->base : at->outer;
}

bool facts_proved(const Facts *f, Node *e)
{
    const Facts *at = f;
    for (; at && f->depth - at->depth <= INNERMOST; at = at->outer) {
        if (map_get(at->proved, e->id)) return true;
        if (at->replaces) return false;
    }
    return false;
}

static const char GIVEN[] = "given", PROVED[] = "proved";

void facts_note_proved(const Facts *f, Node *e)
{
    if (f && !map_get(f->proved, e->id)) map_put(f->proved, e->id, (void *)(uintptr_t)PROVED);
}

// Forgets what was proved in this scope if the new range of `name` may invalidate it, because it
// replaces an earlier range or may allow negative values.
static void forget_proofs(Facts *f, Sym name, Node *lo)
{
    bool again = facts_find_range(f, name) != NULL;
    bool natural = lo->kind == NAT_CONST && lo->attr.i >= 0;
    if (again) f->replaces = true;
    if (again || !natural) *f->proved = map_new(f->arena);
}

void facts_range(Facts *f, Sym name, Node *lo, Node *hi)
{
    Range r = {name, lo, hi};
    forget_proofs(f, name, lo);
    vec_push(f->arena, &f->ranges, r);
    // the name has a value, so the range is not empty
    if (hi) facts_ge0(f, nat_add(f->cx, nat_sub(f->cx, hi, lo), nat_const(f->cx, -1)));
    vec_push(f->arena, &f->all, ((Fact){.kind = FACT_RANGE, .range = r}));
}

// Returns the number of the inequality in `numbers` that differs from `e` only by a constant. If
// there is none, returns -1 and gives `e` the number `next`.
static int find_parallel(Facts *f, Map *numbers, Node *e, int next)
{
    uint64_t key = nat_sub(f->cx, e, nat_const(f->cx, nat_constant_part(e)))->id;
    uintptr_t found = (uintptr_t)map_get(numbers, key);
    if (!found) map_put(numbers, key, (void *)(uintptr_t)(next + 1));
    return (int)found - 1;
}

typedef struct {
    Arena *arena;
    Map *about;
    int number;
} Fresh;

static void add_number(Node *atom, void *env)
{
    const Fresh *fresh = env;
    Numbers *list = map_get(fresh->about, atom->id);
    if (!list) list = ARENA_NEW(fresh->arena, Numbers);
    vec_push(fresh->arena, list, fresh->number);
    map_put(fresh->about, atom->id, list);
}

// Records that the fact with this number is about the atoms of `e`.
static void add_about(Facts *f, Map *about, Node *e, int number)
{
    nat_atoms(f->cx, e, add_number, &(Fresh){f->arena, about, number});
}

static void add_single(Facts *f, FactKind kind, Node *e)
{
    Single single = {.constant = nat_constant_part(e), .equal = kind == FACT_EQ0};
    if (!nat_single_term(f->cx, e, &single.term)) return;
    int at = single.equal ? -1 : find_parallel(f, &f->single_at, e, f->singles.len);
    if (at < 0) {
        add_about(f, &f->about_single, e, f->singles.len);
        vec_push(f->arena, &f->singles, single);
    } else if (single.constant < f->singles.at[at].constant) {
        f->singles.at[at] = single;
    }
}

static void add_ge0(Facts *f, Node *e)
{
    int at = find_parallel(f, &f->ge0_at, e, f->ge0.len);
    if (at < 0) {
        add_about(f, &f->about_ge0, e, f->ge0.len);
        vec_push(f->arena, &f->ge0, e);
    } else if (nat_constant_part(e) < nat_constant_part(f->ge0.at[at])) {
        f->ge0.at[at] = e;
    }
}

static void add_fact(Facts *f, FactKind kind, Node *e)
{
    vec_push(f->arena, &f->all, ((Fact){.kind = kind, .e = e}));
    add_single(f, kind, e);
}

void facts_value(Facts *f, Sym name, Node *value)
{
    Session *cx = f->cx;
    Node *var = nat_var(cx, name);
    int64_t k;
    if (nat_is_overflow(value)) return;
    map_put(&f->values, MAP_KEY(name), (void *)(uintptr_t)value);
    vec_push(f->arena, &f->all, ((Fact){.kind = FACT_VALUE, .range.name = name, .e = value}));
    if (value->kind != NAT_DIV || !nat_is_const(value->op[1], &k) || k < 1 || k > INT32_MAX) {
        facts_eq0(f, nat_sub(cx, var, value));
        return;
    }
    // states name = a/k as k*name <= a < k*name + k, which is of more use to proofs
    Node *rest = nat_sub(cx, value->op[0], nat_mul(cx, value->op[1], var));
    facts_ge0(f, rest);
    facts_ge0(f, nat_sub(cx, nat_const(cx, k - 1), rest));
}

static bool is_given(const Facts *f, Node *e)
{
    for (const Facts *at = f; at; at = facts_next(f, at))
        if (map_get(at->proved, e->id) == GIVEN) return true;
    return false;
}

void facts_ge0(Facts *f, Node *e)
{
    if (nat_is_overflow(e) || is_given(f, e)) return;
    map_put(f->proved, e->id, (void *)(uintptr_t)GIVEN);
    add_ge0(f, e);
    add_fact(f, FACT_GE0, e);
}

void facts_eq0(Facts *f, Node *e)
{
    if (nat_is_overflow(e)) return;
    add_about(f, &f->about_eq0, e, f->eq0.len);
    vec_push(f->arena, &f->eq0, e);
    add_fact(f, FACT_EQ0, e);
}

const Range *facts_find_range(const Facts *f, Sym name)
{
    for (; f; f = f->outer)
        for (int i = f->ranges.len - 1; i >= 0; i--)
            if (f->ranges.at[i].name == name) return &f->ranges.at[i];
    return NULL;
}

void facts_range_of(Session *cx, const Facts *f, Sym name, Node **lo, Node **hi)
{
    const Range *r = facts_find_range(f, name);
    *lo = r ? r->lo : nat_const(cx, 0);
    *hi = r ? r->hi : NULL;
}

void facts_each(const Facts *f, void (*found)(Node *e, bool zero, void *env), void *env)
{
    for (const Facts *at = f; at; at = facts_next(f, at))
        for (int i = at->all.len; i-- > 0;) {
            FactKind kind = at->all.at[i].kind;
            if (kind == FACT_GE0 || kind == FACT_EQ0) found(at->all.at[i].e, kind == FACT_EQ0, env);
        }
}

// Converts a 128-bit bound to 64 bits. A bound that does not fit is weakened, perhaps to none.
static int64_t lower_of(__int128 v)
{
    return v <= NO_LO ? NO_LO : v >= NO_HI ? NO_HI - 1 : (int64_t)v;
}

static int64_t upper_of(__int128 v)
{
    return v >= NO_HI ? NO_HI : v <= NO_LO ? NO_LO + 1 : (int64_t)v;
}

Interval interval_add(Interval a, Interval b)
{
    Interval sum = ANY_INTERVAL;
    if (a.lo != NO_LO && b.lo != NO_LO) sum.lo = lower_of((__int128)a.lo + b.lo);
    if (a.hi != NO_HI && b.hi != NO_HI) sum.hi = upper_of((__int128)a.hi + b.hi);
    return sum;
}

// The product of two bounds, where NO_LO and NO_HI are the infinities and 0 times anything is 0.
static __int128 bound_times(int64_t a, int64_t b)
{
    const __int128 infinity = (__int128)1 << 120;
    if (a == 0 || b == 0) return 0;
    bool unbounded = a == NO_LO || a == NO_HI || b == NO_LO || b == NO_HI;
    if (unbounded) return (a < 0) == (b < 0) ? infinity : -infinity;
    return (__int128)a * b;
}

Interval interval_mul(Interval a, Interval b)
{
    __int128 corner[4] = {bound_times(a.lo, b.lo), bound_times(a.lo, b.hi), bound_times(a.hi, b.lo),
                          bound_times(a.hi, b.hi)};
    __int128 lo = corner[0], hi = corner[0];
    for (int i = 1; i < 4; i++) {
        if (corner[i] < lo) lo = corner[i];
        if (corner[i] > hi) hi = corner[i];
    }
    return (Interval){lower_of(lo), upper_of(hi)};
}

Interval interval_scale(Interval a, int64_t k)
{
    return interval_mul(a, (Interval){k, k});
}

Interval interval_pow(Interval a, int64_t k)
{
    if (k >= 64 && k % 2 != 0 && a.lo < 0) return ANY_INTERVAL;
    // An even power is not negative.
    if (k % 2 == 0 && a.lo < 0) {
        int64_t low = a.lo == NO_LO ? NO_HI : -a.lo;
        a = (Interval){a.hi < 0 ? (a.hi == NO_LO ? NO_HI : -a.hi) : 0, a.hi > low ? a.hi : low};
    }
    Interval power = {1, 1};
    for (int64_t i = 0; i < k && i < 64; i++) power = interval_mul(power, a);
    // With 64 factors, a bound other than -1, 0, 1 already exceeds 64 bits.
    return power;
}

// The bounds of floor(a/b) for b >= 1 are quotients of the bounds of a and b. If the divisor is
// unbounded, the quotient approaches 0 or -1.
static Interval interval_div(Interval a, Interval b)
{
    Interval q = ANY_INTERVAL;
    if (a.lo != NO_LO) q.lo = a.lo < 0 ? floor_div(a.lo, b.lo) : b.hi == NO_HI ? 0 : a.lo / b.hi;
    if (a.hi != NO_HI) q.hi = a.hi >= 0 ? a.hi / b.lo : b.hi == NO_HI ? -1 : floor_div(a.hi, b.hi);
    return q;
}

// Whether `e` is a variable or meta whose range, if any was given, starts at 0 or above.
static bool is_natural(Prover *p, Node *e)
{
    if (e->kind == NAT_META) return true;
    const Range *r = e->kind == NAT_VAR ? facts_find_range(p->facts, e->attr.sym) : NULL;
    return e->kind == NAT_VAR && (!r || (r->lo->kind == NAT_CONST && r->lo->attr.i >= 0));
}

// Whether the fact t + c >= 0 shows that `e`, a factor of t, is not 0: k*x*y + c >= 0 with k > 0, c
// < 0 and naturals x, y implies that neither x nor y is 0.
static bool is_positive_factor(Prover *p, Term t, int64_t c, Node *e)
{
    bool found = false;
    if (t.coeff <= 0 || c >= 0) return false;
    for (int i = 0; i < mono_len(t.mono); i++) {
        if (!is_natural(p, mono_base(t.mono, i))) return false;
        found = found || mono_base(t.mono, i) == e;
    }
    return found;
}

// Narrows the bounds *b of `e` by a fact. k*e + c >= 0 (or == 0) implies e >= -c/k for k > 0, and e
// <= c/-k for k < 0. If the fact is about e/d instead of e, with a constant d, it implies lo*d <= e
// < (hi + 1)*d for these bounds lo and hi.
static void narrow(Prover *p, Interval *b, Node *e, const Single *fact)
{
    Term t = fact->term;
    int64_t c = fact->constant;
    bool equal = fact->equal;
    if (b->lo < 1 && is_positive_factor(p, t, c, e)) b->lo = 1;
    bool quotient = t.mono && t.mono->kind == NAT_DIV && t.mono->op[0] == e;
    int64_t d = 1, lo, hi;
    if (t.mono != e && !(quotient && nat_is_const(t.mono->op[1], &d) && d > 0)) return;
    if (t.coeff == INT64_MIN || c == INT64_MIN) return;
    if (t.coeff > 0 || equal) {
        lo = t.coeff > 0 ? -floor_div(c, t.coeff) : -floor_div(-c, -t.coeff);
        if (!__builtin_mul_overflow(lo, d, &lo) && lo > b->lo) b->lo = lo;
    }
    if (t.coeff < 0 || equal) {
        hi = t.coeff < 0 ? floor_div(c, -t.coeff) : floor_div(-c, t.coeff);
        bool fits = !__builtin_mul_overflow(hi, d, &hi) && !__builtin_add_overflow(hi, d - 1, &hi);
        if (fits && hi < b->hi) b->hi = hi;
    }
}

static Interval interval_meet(Interval a, Interval b)
{
    return (Interval){a.lo > b.lo ? a.lo : b.lo, a.hi < b.hi ? a.hi : b.hi};
}

Node *facts_find_value(const Facts *facts, Sym name)
{
    Node *value = NULL;
    for (const Facts *f = facts; f && !value; f = facts_next(facts, f))
        value = map_get(&f->values, MAP_KEY(name));
    return value;
}

static Interval bounds_of_value(Prover *p, Node *name)
{
    Node *value = facts_find_value(p->facts, name->attr.sym);
    return value ? prove_bounds(p, value) : ANY_INTERVAL;
}

static Interval bounds_of_name(Prover *p, Node *e)
{
    const Range *r = e->kind == NAT_VAR ? facts_find_range(p->facts, e->attr.sym) : NULL;
    Interval b = {0, NO_HI};
    if (r) b.lo = prove_bounds(p, r->lo).lo;
    if (r && r->hi) b.hi = prove_bounds(p, r->hi).hi;
    if (b.hi != NO_HI && b.hi > NO_LO + 1) b.hi--;
    for (const Facts *f = p->facts; f; f = facts_next(p->facts, f)) {
        const Numbers *about = map_get(&f->about_single, e->id);
        for (int i = 0; about && i < about->len; i++)
            narrow(p, &b, e, &f->singles.at[about->at[i]]);
    }
    if (p->by_values && e->kind == NAT_VAR) b = interval_meet(b, bounds_of_value(p, e));
    return b;
}

static Interval bounds_of_quotient(Prover *p, Node *e)
{
    if (!p->by_values && !prove_positive(p, e->op[1])) return ANY_INTERVAL;
    Interval a = prove_bounds(p, e->op[0]), d = prove_bounds(p, e->op[1]);
    if (p->by_values && d.lo < 1) return ANY_INTERVAL;
    if (d.lo < 1) d.lo = 1;
    if (d.hi < d.lo) d.hi = d.lo; // the facts contradict each other
    if (a.lo < 0 && !p->by_values && prove_ge0(p, e->op[0])) a.lo = 0;
    if (e->kind == NAT_DIV) return interval_div(a, d);
    Interval r = {0, d.hi == NO_HI ? NO_HI : d.hi - 1};
    if (a.lo >= 0 && a.hi < r.hi) r.hi = a.hi;
    return r;
}

static Interval bounds_of_choice(Prover *p, Node *e)
{
    Interval a = prove_bounds(p, e->op[0]), b = prove_bounds(p, e->op[1]);
    bool least = e->kind == NAT_MIN;
    return (Interval){(a.lo < b.lo) == least ? a.lo : b.lo, (a.hi < b.hi) == least ? a.hi : b.hi};
}

static Interval bounds_of_power(Prover *p, Node *e)
{
    int64_t k;
    Interval a = prove_bounds(p, e->op[0]);
    if (nat_is_const(e->op[1], &k)) return interval_pow(a, k);
    // The exponent is >= 0 if the power has a value.
    return (Interval){a.lo >= 1 ? 1 : a.lo >= 0 ? 0 : NO_LO, NO_HI};
}

static Interval bounds_of_list(Prover *p, Node *e)
{
    bool sum = e->kind == NAT_SUM;
    int64_t start = sum ? 0 : e->attr.i;
    Interval total = {start, start};
    for (uint32_t k = 0; k < e->nops; k++) {
        Interval b = prove_bounds(p, e->op[k]);
        total = sum ? interval_add(total, b) : interval_mul(total, b);
    }
    return total;
}

static Interval bounds(Prover *p, Node *e)
{
    switch (e->kind) {
    case NAT_CONST: return (Interval){e->attr.i, e->attr.i};
    case NAT_VAR:
    case NAT_META: return bounds_of_name(p, e);
    case NAT_SUM:
    case NAT_PRODUCT: return bounds_of_list(p, e);
    case NAT_DIV:
    case NAT_MOD: return bounds_of_quotient(p, e);
    case NAT_MIN:
    case NAT_MAX: return bounds_of_choice(p, e);
    case NAT_POW: return bounds_of_power(p, e);
    default: return ANY_INTERVAL;
    }
}

Interval prove_bounds(Prover *p, Node *e)
{
    Interval *known = map_get(&p->bounds[p->by_values], e->id);
    if (known) return *known;
    // Ranges may refer to each other in a cycle; inside the cycle nothing is known.
    known = ARENA_NEW(p->arena, Interval);
    *known = ANY_INTERVAL;
    map_put(&p->bounds[p->by_values], e->id, known);
    Interval found = bounds(p, e);
    *known = found;
    return found;
}

Interval prove_bounds_by_values(Prover *p, Node *e)
{
    bool outer = p->by_values;
    p->by_values = true;
    Interval found = prove_bounds(p, e);
    p->by_values = outer;
    return found;
}
