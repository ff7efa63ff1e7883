// Proofs by cases: at least one of several alternatives holds, but it is not known which.
#include "nat/internal.h"

void facts_one_of(Facts *f, int n, AssumeCase *assume, const void *env)
{
    vec_push(f->arena, &f->alternatives, ((Alternatives){n, assume, env}));
}

// The statements of facts_one_of that are still to be split into cases, innermost first.
typedef struct Pending Pending;
struct Pending {
    const Alternatives *of;
    const Pending *next;
};

typedef struct {
    Session *cx;
    Arena *arena;
    HoldsUnder *holds;
    const void *env;
} Cases;

// Adds the statements of one scope before `next`.
static const Pending *add_scope(Cases *c, const Facts *scope, const Pending *next)
{
    for (int i = 0; i < scope->alternatives.len; i++) {
        Pending *p = ARENA_NEW(c->arena, Pending);
        *p = (Pending){&scope->alternatives.at[i], next};
        next = p;
    }
    return next;
}

// Whether a fact of the scope, other than those of outer scopes, contradicts `outer`.
static bool is_impossible(Cases *c, const Facts *scope, const Facts *outer)
{
    for (int i = 0; i < scope->all.len; i++) {
        const Fact *fact = &scope->all.at[i];
        Truth t = fact->kind == FACT_GE0   ? nat_ge0(c->cx, outer, fact->e)
                  : fact->kind == FACT_EQ0 ? nat_eq(c->cx, outer, fact->e, nat_const(c->cx, 0))
                                           : TRUTH_UNKNOWN;
        if (t == TRUTH_NO) return true;
    }
    return false;
}

// Whether the condition holds in each case of the first statement. A case in which it cannot be
// proved is split further by the statements after it, as long as there are no more than `most`
// cases in all.
static bool holds_in_each(Cases *c, const Facts *f, const Pending *p, int most)
{
    while (p && p->of->n > most) p = p->next;
    if (!p) return false;
    for (int i = 0; i < p->of->n; i++) {
        Facts *inside = facts_new(c->cx, c->arena, f);
        p->of->assume(c->cx, inside, i, p->of->env);
        if (is_impossible(c, inside, f) || c->holds(c->cx, inside, c->env)) continue;
        if (!holds_in_each(c, inside, add_scope(c, inside, p->next), most / p->of->n)) return false;
    }
    return true;
}

bool facts_hold_by_cases(Session *cx, const Facts *f, HoldsUnder *holds, const void *env)
{
    enum { MOST_CASES = 16, MOST_STATEMENTS = 4 };
    bool any = false;
    for (const Facts *at = f; at && !any; at = facts_next(f, at)) any = at->alternatives.len > 0;
    if (!any) return false;
    Cases c = {cx, arena_new_beside(cx->arena), holds, env};
    const Pending *first = NULL;
    VEC(const Facts *) scopes = {0};
    for (const Facts *at = f; at; at = facts_next(f, at)) vec_push(c.arena, &scopes, at);
    for (int i = scopes.len; i-- > 0;) first = add_scope(&c, scopes.at[i], first);
    bool found = false;
    for (int i = 0; first && !found && i < MOST_STATEMENTS; first = first->next, i++)
        found = holds_in_each(&c, f, first, MOST_CASES);
    arena_delete(c.arena);
    return found;
}

// --- contradictions ------------------------------------------------------------------------------

typedef struct {
    Session *cx;
    const Facts *facts, *none;
    Node *about;
    bool shared, found;
} Contradiction;

static void note_shared(Node *atom, void *env)
{
    Contradiction *c = env;
    c->shared |= nat_occurs(c->about, atom);
}

static bool is_false(Contradiction *c, const Facts *facts, Node *e, bool zero)
{
    return zero ? nat_eq(c->cx, facts, e, nat_const(c->cx, 0)) == TRUTH_NO
                : nat_ge0(c->cx, facts, e) == TRUTH_NO;
}

// A fact that others make simpler may then be false: n % 3 == 0 becomes n == 0 for n < 3. And it
// may be false for all sizes: n < 0.
static void note_contradiction(Node *e, bool zero, void *env)
{
    Contradiction *c = env;
    c->found |= is_false(c, c->none, e, zero);
    c->shared = !c->about;
    if (c->about) nat_atoms(c->cx, e, note_shared, c);
    if (c->found || !c->shared) return;
    Node *simple = nat_simplify(c->cx, c->facts, e);
    if (simple != e) c->found = is_false(c, c->facts, simple, zero);
}

bool facts_contradict(Session *cx, const Facts *f, Node *about)
{
    Contradiction c = {
        .cx = cx, .facts = f, .none = facts_new(cx, cx->arena, NULL), .about = about};
    facts_each(f, note_contradiction, &c);
    return c.found;
}
