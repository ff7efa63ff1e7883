// Sample points at which all facts hold. A claim that is false at one of them has no proof, so the
// search for a proof, which is expensive if it fails, is skipped.
//
// Each scope has COUNT points: those of the enclosing scope, with values for the names in its own
// facts. Facts are added once, in the order in which they were given. If a fact does not hold at a
// point, a variable gets another value there, provided that all earlier facts still hold; if no
// variable allows that, the point is discarded.
#include "nat/internal.h"

#include <stdlib.h>

enum { COUNT = 12, MAX_MOVES = 200 };

typedef struct {
    int64_t at[COUNT];
} Column;

struct Points {
    Map values; // id of a variable or meta -> Column; without an entry, the outer value applies
    Map used;   // ids of the variables and metas in the added facts
    uint32_t alive;
    int taken, outer_taken; // number of facts added in this scope, and in all enclosing scopes
    int moves;              // number of moves that had to check all facts, here and in enclosing
                            // scopes
};

typedef struct {
    const Facts *facts;
    int point;
} Place;

// --- values -------------------------------------------------------------------------------------

// Chooses a small or large value for a name that has neither a range nor facts. Some of the chosen
// values are equal, and some have many divisors.
static int64_t usual_value(Node *atom, int point)
{
    uint64_t h = hash_mix(atom->id, (uint64_t)point);
    switch (point % 4) {
    case 0: return (int64_t)(1 + h % 4);
    case 1: return (int64_t)(960 * (1 + h % 8));
    case 2: return (int64_t)(97 + h % 1000);
    default: return point == 3 ? 0 : (int64_t)(7 + h % 32);
    }
}

// Finds the column of an atom. Copies a column of an outer scope to this scope, so that the next
// search ends here.
static Column *find_column(const Facts *f, Node *atom)
{
    Column *c = NULL;
    const Facts *scope = f;
    for (; scope && !c; scope = scope->outer) c = map_get(&scope->points->values, atom->id);
    if (!c || map_get(&f->points->values, atom->id)) return c;
    Column *own = ARENA_NEW(f->arena, Column);
    *own = *c;
    map_put(&f->points->values, atom->id, own);
    return own;
}

static bool value_at(Node *atom, int64_t *value, void *env)
{
    const Place *place = env;
    const Column *c = find_column(place->facts, atom);
    *value = c ? c->at[place->point] : usual_value(atom, place->point);
    return true;
}

static bool evaluate(const Facts *f, int point, Node *e, int64_t *value)
{
    Place place = {f, point};
    return nat_eval(e, value_at, &place, value);
}

static void set_value(const Facts *f, Node *atom, int point, int64_t value)
{
    Column *own = map_get(&f->points->values, atom->id);
    if (!own) {
        own = ARENA_NEW(f->arena, Column);
        for (int k = 0; k < COUNT; k++) value_at(atom, &own->at[k], &(Place){f, k});
        map_put(&f->points->values, atom->id, own);
    }
    own->at[point] = value;
}

// --- facts at points ----------------------------------------------------------------------------

static bool holds(const Facts *f, int point, const Fact *fact)
{
    int64_t x, lo, hi;
    if (fact->kind == FACT_VALUE) return true; // also given by other facts
    if (fact->kind != FACT_RANGE)
        return evaluate(f, point, fact->e, &x) && (fact->kind == FACT_GE0 ? x >= 0 : x == 0);
    const Range *r = &fact->range;
    return value_at(nat_var(f->cx, r->name), &x, &(Place){f, point}) &&
           evaluate(f, point, r->lo, &lo) && lo <= x &&
           (!r->hi || (evaluate(f, point, r->hi, &hi) && x < hi));
}

static bool is_natural_or_ranged(const Facts *f, Node *atom, int64_t value)
{
    return value >= 0 || (atom->kind == NAT_VAR && facts_find_range(f, atom->attr.sym));
}

// Whether all added facts hold, including those of enclosing scopes.
static bool all_hold(const Facts *f, int point)
{
    for (const Facts *scope = f; scope; scope = facts_next(f, scope))
        for (int i = 0; i < scope->points->taken; i++)
            if (!holds(f, point, &scope->all.at[i])) return false;
    return true;
}

static bool is_used(const Facts *f, Node *atom)
{
    for (const Facts *scope = f; scope; scope = facts_next(f, scope))
        if (map_get(&scope->points->used, atom->id)) return true;
    return false;
}

static bool range_holds(const Facts *f, Node *atom, int point)
{
    const Range *r = atom->kind == NAT_VAR ? facts_find_range(f, atom->attr.sym) : NULL;
    Fact fact = {.kind = FACT_RANGE};
    if (!r) return true;
    fact.range = *r;
    return holds(f, point, &fact);
}

// Adds `by` to the value of the atom at the point, provided that the fact and all earlier facts
// then hold. Returns whether they do.
static bool move(const Facts *f, int point, const Fact *fact, Node *atom, int64_t by)
{
    int64_t old, now;
    value_at(atom, &old, &(Place){f, point});
    if (__builtin_add_overflow(old, by, &now) || !is_natural_or_ranged(f, atom, now)) return false;
    bool used = is_used(f, atom);
    if (used && f->points->moves >= MAX_MOVES) return false;
    set_value(f, atom, point, now);
    bool ok = holds(f, point, fact) && range_holds(f, atom, point);
    if (ok && used) {
        f->points->moves++;
        ok = all_hold(f, point);
    }
    if (!ok) set_value(f, atom, point, old);
    return ok;
}

// Finds the change of x that brings e + k*x from `value` to 0 or beyond.
static bool step_to_zero(FactKind kind, int64_t value, int64_t k, int64_t *by)
{
    if (value == INT64_MIN || k == INT64_MIN || (kind == FACT_EQ0 && value % k != 0)) return false;
    int64_t size = llabs(k), far = llabs(value), steps = far / size + (far % size != 0);
    *by = (value < 0) == (k > 0) ? steps : -steps;
    return true;
}

typedef struct {
    const Facts *facts;
    int point;
    const Fact *fact;
    int64_t value; // the value of the fact's size at the point
    bool mended;
} Mending;

// Tries to make the fact hold by moving a variable that is one of its terms. Considers only the
// variables that occur in other facts if `used` is set, and only the remaining ones otherwise. The
// latter are tried first, since moving them does not require testing any other fact again.
static void mend_by_term(Mending *m, const Terms *t, bool used)
{
    int64_t by;
    for (int k = 0; k < t->len && !m->mended; k++) {
        Node *mono = t->at[k].mono;
        bool atom = mono && (mono->kind == NAT_VAR || mono->kind == NAT_META);
        m->mended = atom && is_used(m->facts, mono) == used &&
                    step_to_zero(m->fact->kind, m->value, t->at[k].coeff, &by) &&
                    move(m->facts, m->point, m->fact, mono, by);
    }
}

// Tries to make the fact hold by moving a variable inside a term, as in n/16 - 1.
static void mend_by_atom(Node *atom, void *env)
{
    Mending *m = env;
    int64_t most = m->value > -INT32_MAX && m->value < INT32_MAX ? llabs(m->value) : INT32_MAX;
    for (int64_t factor = 1; factor <= 64 && !m->mended; factor *= 2)
        m->mended = move(m->facts, m->point, m->fact, atom, factor * most) ||
                    move(m->facts, m->point, m->fact, atom, -factor * most);
}

static bool mend(const Facts *f, int point, const Fact *fact)
{
    Mending m = {f, point, fact, 0, false};
    Terms t;
    if (!evaluate(f, point, fact->e, &m.value)) return false;
    terms_of(f->cx, &t, fact->e);
    mend_by_term(&m, &t, false);
    mend_by_term(&m, &t, true);
    terms_free(&t);
    if (!m.mended) nat_atoms(f->cx, fact->e, mend_by_atom, &m);
    return m.mended;
}

// --- adding facts -------------------------------------------------------------------------------

// Gives the name a value in its range: the lower end at point 0, the upper end at point 1, and an
// end, the middle or a random value at the other points.
static bool place_in_range(const Facts *f, int point, const Range *r)
{
    int64_t lo, hi;
    Node *atom = nat_var(f->cx, r->name);
    if (!evaluate(f, point, r->lo, &lo)) return false;
    if (!r->hi) {
        int64_t usual = usual_value(atom, point);
        set_value(f, atom, point, lo <= usual ? usual : lo);
        return true;
    }
    if (!evaluate(f, point, r->hi, &hi) || lo >= hi) return false;
    uint64_t h = hash_mix(atom->id, (uint64_t)point), width = (uint64_t)hi - (uint64_t)lo;
    int choice = point < 2 ? point : (int)(h % 4);
    uint64_t offset = choice == 0   ? 0
                      : choice == 1 ? width - 1
                      : choice == 2 ? width / 2
                                    : (h >> 8) % width;
    set_value(f, atom, point, (int64_t)((uint64_t)lo + offset));
    return true;
}

static bool take_at(const Facts *f, int point, const Fact *fact)
{
    if (fact->kind != FACT_VALUE && holds(f, point, fact)) return true;
    if (fact->kind == FACT_GE0 || fact->kind == FACT_EQ0) return mend(f, point, fact);
    Node *atom = nat_var(f->cx, fact->range.name);
    int64_t value;
    if (fact->kind == FACT_VALUE) {
        if (!evaluate(f, point, fact->e, &value)) return false;
        set_value(f, atom, point, value);
        if (!range_holds(f, atom, point)) return false;
    } else if (!place_in_range(f, point, &fact->range)) {
        return false;
    }
    return !is_used(f, atom) || all_hold(f, point);
}

static void mark_used(Node *atom, void *env)
{
    const Facts *f = env;
    map_put(&f->points->used, atom->id, f->points); // any value but NULL will do
}

static void take(const Facts *f, const Fact *fact)
{
    Points *points = f->points;
    for (int k = 0; k < COUNT; k++)
        if (points->alive >> k & 1 && !take_at(f, k, fact)) points->alive &= ~(1u << k);
    Node *about[2] = {fact->e, NULL};
    if (fact->kind == FACT_RANGE) about[0] = fact->range.lo, about[1] = fact->range.hi;
    for (int i = 0; i < 2; i++)
        if (about[i]) nat_atoms(f->cx, about[i], mark_used, (void *)(uintptr_t)f);
}

Points *points_new(Arena *arena)
{
    Points *points = ARENA_NEW(arena, Points);
    points->outer_taken = -1;
    return points;
}

// Adds the facts given since the last update, or all facts if enclosing scopes have changed.
// Returns the number of facts added so far, including those of enclosing scopes.
static int update(const Facts *f)
{
    if (!f) return 0;
    Points *points = f->points;
    int outer_taken = update(f->outer);
    if (points->outer_taken != outer_taken) {
        *points = (Points){.values = map_new(f->arena),
                           .used = map_new(f->arena),
                           .alive = f->outer ? f->outer->points->alive : (1u << COUNT) - 1,
                           .moves = f->outer ? f->outer->points->moves : 0,
                           .outer_taken = outer_taken};
    }
    for (; points->taken < f->all.len; points->taken++) take(f, &f->all.at[points->taken]);
    return outer_taken + points->taken;
}

unsigned points_signs(const Facts *f, Node *e)
{
    update(f);
    uint32_t alive = f ? f->points->alive : (1u << COUNT) - 1;
    unsigned signs = 0;
    for (int k = 0; k < COUNT && signs != (SIGN_NEGATIVE | SIGN_ZERO | SIGN_POSITIVE); k++) {
        int64_t value;
        if (!(alive >> k & 1) || !evaluate(f, k, e, &value)) continue;
        signs |= value < 0 ? SIGN_NEGATIVE : value == 0 ? SIGN_ZERO : SIGN_POSITIVE;
    }
    return signs;
}
