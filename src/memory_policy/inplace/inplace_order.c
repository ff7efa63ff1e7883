// A dependence test that decides whether an element is read after it has changed. Each iteration of
// the loops that enclose a write changes the element at its own indices. Iterations run in
// lexicographic order; loops whose iterations may run in any order are tested in both directions.
// An element that iteration r reads has changed if an iteration w before r writes at the same
// indices. So the set of pairs (w, r) that satisfy the conditions of both must be empty.
#include "memory_policy/inplace/inplace.h"

enum { MAX_LOOPS = 8, MAX_STEPS = 16, MAX_QUESTIONS = 64 };

// The loops that enclose an access, outermost first.
typedef struct {
    int n, outer; // `n` counts all loops, `outer` only those outside terms that are read
    const Scope *at[MAX_LOOPS];
} Loops;

static bool find_loops(const Scope *scope, Loops *loops)
{
    *loops = (Loops){0};
    for (const Scope *a = scope; a; a = a->up) {
        loops->n += a->loop != NULL;
        loops->outer += a->loop && !a->read;
    }
    if (loops->n > MAX_LOOPS) return false;
    int k = loops->n;
    for (const Scope *a = scope; a; a = a->up)
        if (a->loop) loops->at[--k] = a;
    return true;
}

// Stores the steps of a location, outermost first. Returns their number, or -1 if there are too
// many.
static int steps_of(const Place *place, const Place **steps)
{
    int n = 0;
    for (const Place *p = place; p; p = p->up) n++;
    if (n > MAX_STEPS) return -1;
    int k = n;
    for (const Place *p = place; p; p = p->up) steps[--k] = p;
    return n;
}

/// A change in iteration w and a read in iteration r.
typedef struct {
    InPlace *c;
    const Access *changed, *read;
    Loops w, r;
    int shared;                     // the number of common loops
    NodeBinding renamed[MAX_LOOPS]; // new names for the indices of w
    Sym index[2 * MAX_LOOPS];
    IndexSet pairs;
    Node *later[MAX_LOOPS]; // r - w in each common loop
} Pair;

static Node *of_w(Pair *p, Node *e)
{
    return node_replace_names(p->c->cx, e, p->renamed, p->w.n);
}

static void add(Pair *p, SetRelation relation, Node *e)
{
    vec_push(p->c->arena, &p->pairs.where, ((SetCondition){relation, e}));
}

static void add_scope(Pair *p, const Scope *scope, bool w)
{
    Session *cx = p->c->cx;
    for (const Scope *a = scope; a; a = a->up) {
        if (!a->loop) {
            add(p, a->condition.relation, w ? of_w(p, a->condition.e) : a->condition.e);
            continue;
        }
        Node *index = nat_var(cx, a->loop), *rest = nat_sub(cx, a->count, nat_const(cx, 1));
        Node *last = nat_sub(cx, rest, index);
        add(p, SET_GE0, w ? of_w(p, last) : last);
    }
}

// Adds the conditions under which both accesses are to the same element. Returns false if they are
// to different components.
static bool add_element(Pair *p)
{
    const Place *w[MAX_STEPS], *r[MAX_STEPS];
    int nw = steps_of(p->changed->place, w), nr = steps_of(p->read->place, r);
    for (int k = 0; k < nw && k < nr; k++) {
        if (place_is_partial(w[k]) || place_is_partial(r[k])) return true; // may be any element
        if (w[k]->step != r[k]->step) return true;                         // not comparable
        if (w[k]->step == STEP_COMPONENT && w[k]->k != r[k]->k) return false;
        if (w[k]->step == STEP_COMPONENT || !w[k]->at || !r[k]->at) continue;
        add(p, SET_EQ0, nat_sub(p->c->cx, of_w(p, w[k]->at), r[k]->at));
    }
    return true;
}

static void name_indices(Pair *p)
{
    Session *cx = p->c->cx;
    for (int k = 0; k < p->w.n; k++) {
        const char *name = arena_printf(p->c->arena, "w#%d", k);
        p->index[k] = session_sym(cx, name);
        p->renamed[k] = (NodeBinding){p->w.at[k]->loop, nat_var(cx, p->index[k])};
    }
    for (int k = 0; k < p->r.n; k++) p->index[p->w.n + k] = p->r.at[k]->loop;
    p->pairs = (IndexSet){.rank = p->w.n + p->r.n, .index = p->index};
    while (p->shared < p->w.n && p->shared < p->r.outer &&
           p->w.at[p->shared]->loop == p->r.at[p->shared]->loop)
        p->shared++;
    for (int k = 0; k < p->shared; k++)
        p->later[k] = nat_sub(cx, nat_var(cx, p->r.at[k]->loop), nat_var(cx, p->index[k]));
}

// Whether the dependence from w to r has a constant distance in loop k, to which *distance is set.
static bool is_distance(Pair *p, int k, int64_t *distance)
{
    for (int i = 0; i < p->pairs.where.len; i++) {
        SetCondition c = p->pairs.where.at[i];
        if (c.relation != SET_EQ0) continue;
        if (nat_is_const(nat_add(p->c->cx, c.e, p->later[k]), distance)) return true;
        if (nat_is_const(nat_sub(p->c->cx, p->later[k], c.e), distance)) return true;
    }
    return false;
}

// The order of w and r in a loop: the same iteration, w before r, or w after r.
typedef enum { SAME, BEFORE, AFTER } Relation;

// Whether no pair has equal indices in the first `equal` loops and the relation `then` in the next
// loop (SAME if there is no further loop).
static bool is_never(Pair *p, int equal, Relation then)
{
    Session *cx = p->c->cx;
    int64_t distance;
    int before = p->pairs.where.len;
    bool never = false;
    for (int k = 0; k < equal && !never; k++) {
        never = is_distance(p, k, &distance) && distance != 0;
        add(p, SET_EQ0, p->later[k]);
    }
    if (then != SAME && !never) {
        bool known = is_distance(p, equal, &distance);
        never = known && (then == BEFORE ? distance <= 0 : distance >= 0);
        Node *one = nat_const(cx, 1), *none = nat_const(cx, 0), *later = p->later[equal];
        add(p, SET_GE0, nat_sub(cx, then == BEFORE ? later : nat_sub(cx, none, later), one));
    }
    never = never || sets_is_empty(cx, NULL, &p->pairs) == TRUTH_YES;
    p->pairs.where.len = before;
    return never;
}

static bool is_apart(InPlace *c, const Access *changed, const Access *read)
{
    Pair p = {.c = c, .changed = changed, .read = read};
    if (!find_loops(changed->scope, &p.w) || !find_loops(read->scope, &p.r)) return false;
    name_indices(&p);
    if (!add_element(&p)) return true;
    add_scope(&p, changed->scope, true);
    add_scope(&p, read->scope, false);
    for (int k = 0; k < p.shared; k++)
        if (!is_never(&p, k, BEFORE) || (p.w.at[k]->any && !is_never(&p, k, AFTER))) return false;
    // Within one iteration of the common loops, a read that is in no further loop precedes the
    // write. The order of other reads is not known.
    return p.r.outer == p.shared || is_never(&p, p.shared, SAME);
}

bool inplace_is_ordered(InPlace *c)
{
    if ((int64_t)c->read.len * c->changed.len > MAX_QUESTIONS) return false;
    for (int i = 0; i < c->read.len; i++)
        for (int k = 0; k < c->changed.len; k++)
            if (!is_apart(c, &c->changed.at[k], &c->read.at[i])) return false;
    return true;
}
