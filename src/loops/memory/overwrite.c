// Dependence test for in-place updates. A temporary array can be built in the destination of its
// copy if no element of the destination is loaded after it has been overwritten. Each store to the
// temporary array and each load from the destination belongs to an iteration of the loops around
// it. Iterations are ordered lexicographically; those of parallel loops have no order. The set of
// pairs (w, r) where a store in iteration w may precede a load of the same element in iteration r
// must be empty.
#include "loops/memory/moves.h"

#include "sets/sets.h"

enum { MAX_LOOPS = 12, MAX_QUESTIONS = 64, MAX_OFFSET = 3 };

// A store to the temporary array, or a load from the destination.
typedef struct {
    Node *position; // NULL if unknown
    const LoopsAround *around;
    int order; // textual order, which is the order within an iteration
} Access;
typedef VEC(Access) Accesses;

typedef struct {
    Session *cx;
    const LoopEntry *entry;
    const LoopsMove *move;
    int order;
    bool possible;
    int loops;    // number of loops that enclose the visited node
    Map changing; // set of locals that each iteration of a loop declares anew
    Accesses stores, loads;
} Overwrite;

Node *loops_under(const LoopsAround **around, LoopsVisit *visit, void *env, Node *stmt,
                  LoopsAround inner)
{
    const LoopsAround *outer = *around;
    inner.up = outer;
    *around = &inner;
    stmt = visit(env, stmt);
    *around = outer;
    return stmt;
}

// --- accesses -----------------------------------------------------------------------------------

static void visit(Overwrite *o, Node *n, const LoopsAround *around);

static LoopsAround around_condition(Node *condition, bool holds, const LoopsAround *up)
{
    return (LoopsAround){.condition = condition, .holds = holds, .up = up};
}

static const LoopsAround *keep(Overwrite *o, LoopsAround around)
{
    LoopsAround *kept = ARENA_NEW(o->cx->arena, LoopsAround);
    *kept = around;
    return kept;
}

static void visit_choice(Overwrite *o, Node *n, const LoopsAround *around)
{
    visit(o, n->op[0], around);
    visit(o, n->op[1], keep(o, around_condition(n->op[0], true, around)));
    visit(o, n->op[2], keep(o, around_condition(n->op[0], false, around)));
}

// Whether the store copies the element that it would overwrite.
static bool is_from_itself(const Overwrite *o, Node *store)
{
    Node *value = store->op[1];
    return value->kind == LOOP_LOAD && value->attr.sym == o->move->to &&
           value->op[0] == nat_add(o->cx, store->op[0], o->move->offset);
}

static void visit_buffer(Overwrite *o, Node *n, const LoopsAround *around)
{
    bool temporary = n->attr.sym == o->move->from, place = n->attr.sym == o->move->to;
    Access a = {n->op[0], around, o->order++};
    if (n->kind == LOOP_LOAD && place) vec_push(o->cx->arena, &o->loads, a);
    if (n->kind == LOOP_STORE && temporary && !is_from_itself(o, n))
        vec_push(o->cx->arena, &o->stores, a);
    if (n->kind == LOOP_ADDRESS && temporary) {
        a.position = NULL;
        vec_push(o->cx->arena, &o->stores, a);
    }
    bool copies = n == o->move->store, stored = temporary && n->kind == LOOP_STORE;
    if (place && n->kind != LOOP_LOAD && !copies && !stored) o->possible = false;
}

static void visit(Overwrite *o, Node *n, const LoopsAround *around)
{
    if (!o->possible || node_is_size_or_type(n)) return;
    bool task = n->kind == LOOP_SPAWN;
    if (task && (loops_mentions(n, o->move->from) || loops_mentions(n, o->move->to)))
        o->possible = false;
    if (n->kind == LOOP_IF || n->kind == LOOP_SELECT) {
        visit_choice(o, n, around);
        return;
    }
    bool loop = loops_is(n, IS_LOOP);
    if (loop) around = keep(o, (LoopsAround){.loop = n, .up = around});
    if (o->loops && n->kind == LOOP_DECL) map_put(&o->changing, MAP_KEY(n->attr.sym), o);
    o->loops += loop;
    for (uint32_t i = 0; i < n->nops; i++) visit(o, n->op[i], around);
    o->loops -= loop;
    if (loops_names_buffer(n)) visit_buffer(o, n, around); // a store follows its loads
}

// --- two accesses -------------------------------------------------------------------------------

typedef struct {
    int n;
    const LoopsAround *at[MAX_LOOPS]; // outermost first
} Loops;

// Finds the loops that enclose an access, up to `outside`. Returns false if there are too many.
static bool find_loops(const LoopsAround *a, const LoopsAround *outside, Loops *loops)
{
    *loops = (Loops){0};
    for (const LoopsAround *b = a; b != outside; b = b->up) loops->n += b->loop != NULL;
    if (loops->n > MAX_LOOPS) return false;
    int k = loops->n;
    for (const LoopsAround *b = a; b != outside; b = b->up)
        if (b->loop) loops->at[--k] = b;
    return true;
}

typedef struct {
    Overwrite *o;
    const Access *first, *second; // the question is whether `first` may come before `second`
    // `around` holds the loops that enclose both the array and its copy; their iteration is fixed.
    // `f` and `s` hold the loops inside these that enclose the first and the second access.
    Loops around, f, s;
    NodeBinding f_names[3 * MAX_LOOPS], s_names[3 * MAX_LOOPS];
    int f_bound, s_bound;
    Sym index[3 * MAX_LOOPS]; // new names for the distances of the indices from their first values
    Facts *facts;
    IndexSet pairs;
    int shared;
    Node *later[MAX_LOOPS]; // s - f for each shared loop; NULL for a loop without an index
} Pair;

typedef struct {
    const Pair *p;
    bool other;
} Known;

static void note_other(Node *atom, void *env)
{
    Known *known = env;
    const Pair *p = known->p;
    bool found = false;
    for (int i = 0; i < p->pairs.rank; i++) found |= atom->attr.sym == p->index[i];
    known->other |=
        atom->kind != NAT_VAR || (!found && !loops_is_static(p->o->cx, p->o->entry, atom));
}

// Whether `size` contains only the entry's sizes and the new names, all of which are natural
// numbers.
static bool is_known(const Pair *p, Node *size)
{
    Known known = {p, false};
    nat_atoms(p->o->cx, size, note_other, &known);
    return !known.other && size->kind != NAT_OVERFLOW;
}

static void note_changing(Node *atom, void *env)
{
    Known *known = env;
    const Map *changing = &known->p->o->changing;
    known->other |= atom->kind == NAT_VAR && map_get(changing, MAP_KEY(atom->attr.sym));
}

// Whether the position contains a local that may differ between the store and the load, and so must
// not cancel out in their difference. Indices of counted loops already have new names here.
static bool is_changing(const Pair *p, Node *position)
{
    Known known = {p, false};
    nat_atoms(p->o->cx, position, note_changing, &known);
    return known.other;
}

// Adds a condition, unless it contains names that is_known rejects. Dropping a condition only makes
// the set larger, and is therefore conservative.
static void add(Pair *p, SetRelation relation, Node *size)
{
    if (!is_known(p, size)) return;
    vec_push(p->o->cx->arena, &p->pairs.where, ((SetCondition){relation, size}));
    if (relation == SET_GE0) facts_ge0(p->facts, size);
    if (relation == SET_EQ0) facts_eq0(p->facts, size);
}

// Introduces a name for the distance of a loop's index from its first value.
static void name_loop(Pair *p, Node *loop, const char *kind, NodeBinding *names, int *n)
{
    Session *cx = p->o->cx;
    if (!loops_is_counted(loop)) return;
    const char *name = arena_printf(cx->arena, "%s#%d", kind, p->pairs.rank);
    Sym index = session_sym(cx, name);
    Node *from = node_replace_names(cx, loops_from(loop), names, *n);
    Node *to = node_replace_names(cx, loops_to(loop), names, *n);
    p->index[p->pairs.rank++] = index;
    p->pairs.index = p->index;
    names[(*n)++] = (NodeBinding){loop->attr.sym, nat_add(cx, from, nat_var(cx, index))};
    Node *count = nat_sub(cx, to, from), *one = nat_const(cx, 1);
    if (is_known(p, count)) facts_range(p->facts, index, nat_const(cx, 0), count);
    add(p, SET_GE0, nat_sub(cx, nat_sub(cx, count, one), nat_var(cx, index)));
}

static void name_loops(Pair *p, const Loops *loops, const char *kind, NodeBinding *names, int *n)
{
    for (int k = 0; k < loops->n; k++) name_loop(p, loops->at[k]->loop, kind, names, n);
}

// --- conditions ---------------------------------------------------------------------------------

typedef struct {
    Pair *p;
    const NodeBinding *names;
    int n;
} Conjuncts;

static void add_conjunct(Node *c, bool holds, void *env)
{
    const Conjuncts *all = env;
    Session *cx = all->p->o->cx;
    SetRelation relation;
    Node *size;
    if (loops_compared(cx, c, holds, &relation, &size))
        add(all->p, relation, node_replace_names(cx, size, all->names, all->n));
}

static void add_conditions(Pair *p, const LoopsAround *a, const LoopsAround *outside,
                           const NodeBinding *names, int n)
{
    Conjuncts all = {p, names, n};
    for (; a != outside; a = a->up)
        if (!a->loop) loops_conjuncts(a->condition, a->holds, add_conjunct, &all);
}

// --- one element --------------------------------------------------------------------------------

// The sum of the indices with this stride in `size`, less those with stride -`stride`.
static Node *moved_by(Pair *p, Node *size, Node *stride)
{
    Session *cx = p->o->cx;
    Node *sum = nat_const(cx, 0), *back = nat_sub(cx, sum, stride);
    for (int i = 0; i < p->pairs.rank; i++) {
        Node *step = loops_stride(cx, size, p->index[i]), *index = nat_var(cx, p->index[i]);
        if (step == stride) sum = nat_add(cx, sum, index);
        if (step == back) sum = nat_sub(cx, sum, index);
    }
    return sum;
}

// Splits size = stride * high + low with |low| < stride, so that it is 0 only if both are 0.
// Returns false if no such split is found.
static bool is_split(Pair *p, Node *size, Node *stride, Node **high, Node **low)
{
    Session *cx = p->o->cx;
    Node *sum = moved_by(p, size, stride), *zero = nat_const(cx, 0);
    Node *rest = nat_sub(cx, size, nat_mul(cx, stride, sum));
    for (int k = 0; k <= 2 * MAX_OFFSET; k++) {
        Node *offset = nat_const(cx, k % 2 ? -(k + 1) / 2 : k / 2);
        *high = nat_add(cx, sum, offset);
        *low = nat_sub(cx, rest, nat_mul(cx, stride, offset));
        if (nat_lt(cx, p->facts, *low, stride) == TRUTH_YES &&
            nat_lt(cx, p->facts, nat_sub(cx, zero, *low), stride) == TRUTH_YES)
            return true;
    }
    return false;
}

// Adds the condition size == 0, delinearised if it is a sum over rows and columns.
static void add_zero(Pair *p, Node *size, int depth)
{
    Session *cx = p->o->cx;
    int64_t k;
    Node *high, *low;
    if (!is_known(p, size)) return;
    for (int i = 0; i < p->pairs.rank && depth < MAX_LOOPS; i++) {
        Node *stride = loops_stride(cx, size, p->index[i]);
        if (!stride || nat_is_const(stride, &k)) continue;
        if (nat_ge0(cx, p->facts, stride) != TRUTH_YES)
            stride = nat_sub(cx, nat_const(cx, 0), stride);
        if (!is_split(p, size, stride, &high, &low)) continue;
        add_zero(p, high, depth + 1);
        add_zero(p, low, depth + 1);
        return;
    }
    add(p, SET_EQ0, size);
}

// Adds the condition that both access the same element.
static void add_same_element(Pair *p)
{
    Session *cx = p->o->cx;
    Node *to = nat_add(cx, p->first->position, p->o->move->offset);
    Node *one = node_replace_names(cx, to, p->f_names, p->f_bound);
    Node *other = node_replace_names(cx, p->second->position, p->s_names, p->s_bound);
    if (!is_changing(p, one) && !is_changing(p, other)) add_zero(p, nat_sub(cx, one, other), 0);
}

// --- order --------------------------------------------------------------------------------------

static bool is_never(Pair *p)
{
    return sets_is_empty(p->o->cx, p->facts, &p->pairs) == TRUTH_YES;
}

// Whether the first access never comes before the second if both are in the same iterations of the
// first k loops that they share.
static bool is_never_from(Pair *p, int k)
{
    Session *cx = p->o->cx;
    Node *one = nat_const(cx, 1);
    if (k == p->shared) return p->second->order < p->first->order || is_never(p);
    Node *loop = p->f.at[k]->loop, *later = p->later[k];
    if (!later) return is_never(p); // a loop without an index
    int before = p->pairs.where.len;
    bool never = true;
    Node *sides[2] = {nat_sub(cx, later, one),
                      nat_sub(cx, nat_sub(cx, nat_const(cx, 0), later), one)};
    for (int side = 0; side < 1 + loops_is_in_any_order(loop) && never; side++) {
        Facts *outer = p->facts;
        p->facts = facts_new(cx, cx->arena, outer);
        add(p, SET_GE0, sides[side]);
        never = is_never(p);
        p->pairs.where.len = before;
        p->facts = outer;
    }
    if (!never) return false;
    p->facts = facts_new(cx, cx->arena, p->facts);
    add(p, SET_EQ0, later);
    return is_never_from(p, k + 1);
}

static void find_shared(Pair *p)
{
    Session *cx = p->o->cx;
    int around = 0, f, s;
    for (int k = 0; k < p->around.n; k++) around += loops_is_counted(p->around.at[k]->loop);
    f = s = around;
    for (int k = 0; k < p->f.n; k++) s += loops_is_counted(p->f.at[k]->loop);
    while (p->shared < p->f.n && p->shared < p->s.n && p->f.at[p->shared] == p->s.at[p->shared]) {
        bool counted = loops_is_counted(p->f.at[p->shared]->loop);
        if (counted)
            p->later[p->shared] =
                nat_sub(cx, nat_var(cx, p->index[s++]), nat_var(cx, p->index[f++]));
        p->shared++;
    }
}

// Whether the first access to an element never comes before the second access to it.
static bool is_never_before(Overwrite *o, const Access *first, const Access *second)
{
    Session *cx = o->cx;
    Pair p = {.o = o, .first = first, .second = second};
    const LoopsAround *around = o->move->around;
    if (!find_loops(around, NULL, &p.around) || !find_loops(first->around, around, &p.f) ||
        !find_loops(second->around, around, &p.s))
        return false;
    p.facts = facts_new(cx, cx->arena, o->move->facts);
    name_loops(&p, &p.around, "o", p.f_names, &p.f_bound);
    for (p.s_bound = 0; p.s_bound < p.f_bound; p.s_bound++)
        p.s_names[p.s_bound] = p.f_names[p.s_bound];
    add_conditions(&p, around, NULL, p.f_names, p.f_bound);
    name_loops(&p, &p.f, "f", p.f_names, &p.f_bound);
    name_loops(&p, &p.s, "s", p.s_names, &p.s_bound);
    add_conditions(&p, first->around, around, p.f_names, p.f_bound);
    add_conditions(&p, second->around, around, p.s_names, p.s_bound);
    find_shared(&p);
    if (first->position && second->position) add_same_element(&p);
    return is_never_from(&p, 0);
}

bool loops_may_overwrite(Session *cx, const LoopEntry *entry, const LoopsMove *move,
                         Node *const *stmts, int n)
{
    Overwrite o = {
        .cx = cx, .entry = entry, .move = move, .possible = true, .changing = map_new(cx->arena)};
    for (int i = 0; i < n; i++) visit(&o, stmts[i], move->around);
    if (!o.possible || (int64_t)o.stores.len * o.loads.len > MAX_QUESTIONS) return false;
    for (int i = 0; i < o.stores.len; i++)
        for (int k = 0; k < o.loads.len; k++)
            if (!is_never_before(&o, &o.stores.at[i], &o.loads.at[k])) return false;
    return true;
}

bool loops_comes_first(Session *cx, const LoopEntry *entry, const LoopsMove *move, Node *loop,
                       Node *access)
{
    Overwrite o = {
        .cx = cx, .entry = entry, .move = move, .possible = true, .changing = map_new(cx->arena)};
    visit(&o, loop, move->around);
    const Accesses *all = access->kind == LOOP_LOAD ? &o.loads : &o.stores;
    const Accesses *others = access->kind == LOOP_LOAD ? &o.stores : &o.loads;
    if (!o.possible || (int64_t)all->len * others->len > MAX_QUESTIONS) return false;
    bool found = false;
    for (int k = 0; k < all->len; k++) {
        if (all->at[k].position != access->op[0]) continue;
        found = true;
        for (int i = 0; i < others->len; i++)
            if (!is_never_before(&o, &others->at[i], &all->at[k])) return false;
    }
    return found;
}
