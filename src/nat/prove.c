// Proofs that a size is >= 0: by constant bounds, by search (search.c), and by cases on a min or
// max.
#include "nat/internal.h"

enum { MAX_DEPTH = 4, MAX_SPLITS = 3, MAX_PROOF_TERMS = 64, START_FUEL = 200 };

static const char PROVED[] = "proved", FAILED[] = "failed";

void prover_start(Prover *p, Session *cx, const Facts *facts)
{
    Arena *arena = arena_new_beside(cx->arena);
    *p = (Prover){.cx = cx,
                  .facts = facts,
                  .arena = arena,
                  .bounds = {map_new(arena), map_new(arena)},
                  .proofs = map_new(arena),
                  .simplified = map_new(arena),
                  .costs = map_new(arena),
                  .fuel = START_FUEL};
}

void prover_end(Prover *p)
{
    arena_delete(p->arena);
}

// Where to pass polynomials that are known to be >= 0.
typedef struct {
    Prover *p;
    void (*add)(Node *ge0, void *env);
    void *env;
} Known;

static void known_difference(Known *k, Node *a, Node *b, int64_t constant)
{
    Session *cx = k->p->cx;
    Node *e = nat_add(cx, nat_sub(cx, a, b), nat_const(cx, constant));
    if (!nat_is_overflow(e) && e->kind != NAT_CONST) k->add(e, k->env);
}

// Adds lo <= x and x <= hi for constant bounds, except the default lower bound 0.
static void known_bounds(Known *k, Node *x)
{
    Interval b = prove_bounds(k->p, x);
    if (b.lo != NO_LO && b.lo != 0) known_difference(k, x, nat_const(k->p->cx, b.lo), 0);
    if (b.hi != NO_HI) known_difference(k, nat_const(k->p->cx, b.hi), x, 0);
}

// Adds what is known about q = e/d or r = e % d if d > 0: for q, d*q <= e <= d*q + d - 1; for r, r
// <= d - 1, r <= e if e >= 0, and e = d*q + r.
static void known_of_quotient(Known *k, Node *x)
{
    Session *cx = k->p->cx;
    Node *e = x->op[0], *d = x->op[1];
    if (!prove_positive(k->p, d)) return;
    Node *q = x->kind == NAT_DIV ? x : nat_raw(cx, NAT_DIV, e, d), *dq = nat_mul(cx, d, q);
    if (x->kind == NAT_DIV) {
        known_difference(k, e, dq, 0);
        known_difference(k, nat_add(cx, dq, d), e, -1);
    } else {
        known_difference(k, d, x, -1);
        if (prove_ge0(k->p, e)) known_difference(k, e, x, 0);
        known_difference(k, e, nat_add(cx, dq, x), 0);
        known_difference(k, nat_add(cx, dq, x), e, 0);
    }
}

// Adds l <= q < h for q = i/d with l*d <= i < h*d and d > 0.
static void known_of_quotient_range(Known *k, Node *q)
{
    Session *cx = k->p->cx;
    Node *i = q->op[0], *d = q->op[1];
    const Range *r = i->kind == NAT_VAR ? facts_find_range(k->p->facts, i->attr.sym) : NULL;
    if (!r || !prove_positive(k->p, d)) return;
    known_difference(k, q, nat_exact_quotient(cx, r->lo, d), 0);
    if (r->hi) known_difference(k, nat_exact_quotient(cx, r->hi, d), q, -1);
}

void known_of_atom(Prover *p, Node *x, void (*add)(Node *ge0, void *env), void *env)
{
    Known k = {p, add, env};
    known_bounds(&k, x);
    switch (x->kind) {
    case NAT_VAR: {
        const Range *r = facts_find_range(p->facts, x->attr.sym);
        if (r) known_difference(&k, x, r->lo, 0);
        if (r && r->hi) known_difference(&k, r->hi, x, -1);
        break;
    }
    case NAT_DIV:
        known_of_quotient_range(&k, x);
        known_of_quotient(&k, x);
        break;
    case NAT_MOD: known_of_quotient(&k, x); break;
    case NAT_MIN:
    case NAT_MAX:
        for (int i = 0; i < 2; i++)
            if (x->kind == NAT_MIN)
                known_difference(&k, x->op[i], x, 0);
            else
                known_difference(&k, x, x->op[i], 0);
        break;
    case NAT_POW:
        // a^n >= n + 1 for a >= 2 (n >= 0, or the power has no value)
        if (prove_bounds(p, x->op[0]).lo >= 2) known_difference(&k, x, x->op[1], -1);
        break;
    default: break;
    }
}

// Returns the first min or max in `e`, among its terms or inside its atoms, or NULL if there is
// none.
static Node *find_choice(Memo *seen, Node *e)
{
    if (e->kind == NAT_MIN || e->kind == NAT_MAX) return e;
    if (e->nops == 0 || memo_get(seen, e)) return NULL;
    memo_put(seen, e, e);
    for (uint32_t k = 0; k < e->nops; k++) {
        Node *found = find_choice(seen, e->op[k]);
        if (found) return found;
    }
    return NULL;
}

// Proves e >= 0 in a case, which adds facts.
static bool prove_in_case(Prover *p, Node *e, void (*assume)(Facts *f, const void *env),
                          const void *env)
{
    Prover inner;
    prover_start(&inner, p->cx, NULL);
    Facts *f = facts_new(p->cx, inner.arena, p->facts);
    assume(f, env);
    inner.facts = f;
    inner.fuel = p->fuel;
    inner.depth = p->depth;
    inner.splits = p->splits + 1;
    bool proved = prove_ge0(&inner, e);
    p->fuel = inner.fuel;
    prover_end(&inner);
    return proved;
}

typedef struct {
    Session *cx;
    Node *x, *t, *other;
} Extreme;

// The min or max x is its operand t, so that t <= other (min) or t >= other (max).
static void assume_extreme(Facts *f, const void *env)
{
    const Extreme *c = env;
    bool min = c->x->kind == NAT_MIN;
    facts_ge0(f, nat_sub(c->cx, min ? c->other : c->t, min ? c->t : c->other));
    facts_eq0(f, nat_sub(c->cx, c->x, c->t));
}

// Proves e[t] >= 0 with t instead of the min or max `x`.
static bool prove_extreme(Prover *p, Node *e, Node *x, Node *t, Node *other)
{
    Extreme c = {p->cx, x, t, other};
    return prove_in_case(p, nat_replace_node(p->cx, e, x, t), assume_extreme, &c);
}

typedef struct {
    Session *cx;
    const NatChoice *choice;
    bool holds;
} Compared;

static void assume_compared(Facts *f, const void *env)
{
    const Compared *c = env;
    Node *more = nat_sub(c->cx, c->choice->left, c->choice->right);
    if (c->choice->relation == NAT_MORE)
        facts_ge0(f, c->holds ? nat_sub(c->cx, more, nat_const(c->cx, 1))
                              : nat_sub(c->cx, nat_const(c->cx, 0), more));
    else if (!c->holds)
        facts_eq0(f, more);
}

static bool prove_choice(Prover *p, const NatChoice *choice)
{
    Session *cx = p->cx;
    Compared holds = {cx, choice, true}, fails = {cx, choice, false};
    Node *more = nat_sub(cx, choice->left, choice->right);
    if (prove_positive(p, more)) return prove_ge0(p, choice->holds);
    if (prove_ge0(p, nat_sub(cx, nat_const(cx, 0), more)) && choice->relation == NAT_MORE)
        return prove_ge0(p, choice->fails);
    return prove_in_case(p, choice->holds, assume_compared, &holds) &&
           prove_in_case(p, choice->fails, assume_compared, &fails);
}

static bool is_choice(Node *e, bool natural, const void *prover)
{
    return !natural || prove_bounds((Prover *)(uintptr_t)prover, e).lo >= 0;
}

// The size with the values of names that are minima or maxima, as the cases are about these.
static Node *with_choices(Prover *p, Node *e)
{
    bool inside = e->kind == NAT_SUM || e->kind == NAT_PRODUCT;
    for (uint32_t k = 0; inside && k < e->nops; k++) {
        Node *part = with_choices(p, e->op[k]);
        if (part != e->op[k]) return nat_replace_node(p->cx, e, e->op[k], part);
    }
    Node *value = e->kind == NAT_VAR ? facts_find_value(p->facts, e->attr.sym) : NULL;
    return value && (value->kind == NAT_MIN || value->kind == NAT_MAX) ? value : e;
}

static bool prove_by_cases(Prover *p, Node *e)
{
    if (p->splits >= MAX_SPLITS) return false;
    e = with_choices(p, e);
    NatChoice choice;
    if (choice_find(p->cx, e, is_choice, p, &choice)) return prove_choice(p, &choice);
    Memo seen = {.len = 0};
    Node *x = find_choice(&seen, e);
    memo_free(&seen);
    return x && prove_extreme(p, e, x, x->op[0], x->op[1]) &&
           prove_extreme(p, e, x, x->op[1], x->op[0]);
}

bool prove_ge0(Prover *p, Node *e)
{
    if (nat_is_overflow(e)) return false;
    if (e->kind == NAT_CONST) return e->attr.i >= 0;
    const char *known = map_get(&p->proofs, e->id);
    if (known) return known == PROVED;
    if (facts_proved(p->facts, e)) return true;
    // A proof must not depend on itself, so it counts as failed until it is decided.
    map_put(&p->proofs, e->id, (void *)(uintptr_t)FAILED);
    if (p->depth == 0 && p->splits == 0) p->fuel = START_FUEL;
    Interval b = prove_bounds(p, e);
    bool proved = b.lo >= 0 || prove_bounds_by_values(p, e).lo >= 0;
    bool refuted = !proved && points_signs(p->facts, e) & SIGN_NEGATIVE;
    if (!proved && !refuted && b.hi >= 0 && p->depth < MAX_DEPTH &&
        nat_term_count(e) <= MAX_PROOF_TERMS) {
        p->depth++;
        proved = prove_by_search(p, e) || prove_by_cases(p, e);
        p->depth--;
    }
    // A failure for lack of depth or fuel is not remembered.
    bool final = refuted || (p->depth < MAX_DEPTH && p->fuel > 0);
    const char *result = proved ? PROVED : final ? FAILED : NULL;
    map_put(&p->proofs, e->id, (void *)(uintptr_t)result);
    if (proved) facts_note_proved(p->facts, e);
    return proved;
}

bool prove_positive(Prover *p, Node *e)
{
    return prove_ge0(p, nat_sub(p->cx, e, nat_const(p->cx, 1)));
}
