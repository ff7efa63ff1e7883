// Hoists checks out of loops, to the earliest point where their operands exist. A check in every
// iteration becomes one check of the precondition of all iterations (monotone.c); checks of sizes
// and arguments move to the start of the function. Duplicate and implied checks are dropped. A
// hoisted check may pre-empt other checks but never a side effect: no check moves past a statement
// that may jump out, call, or not terminate. Checks of loaded values stay where they are.
//
// The first walk numbers the statements and finds the destination of each check; the second walk
// rebuilds the body.
#include "loops/simplify/simplify.h"

typedef struct {
    Node *check;
    int home; // number of its original statement
    Precondition demand;
    int loop;  // number of the loop that encloses its original statement, or -1
    bool left; // it has moved out of a loop
} HoistedCheck;
typedef VEC(HoistedCheck) HoistedChecks;

typedef struct {
    Session *cx;
    Simplifier *s;
    int count;   // number of statements so far
    int loop;    // number of the enclosing loop, or -1
    Map stops;   // statement -> whether no check may move past it
    Map gone;    // set of the numbers of checks that have moved
    Map placed;  // number of a statement -> HoistedChecks to insert before it
    Map renewed; // set of the numbers of loops in which hoisted checks bound integers
    Map arrived; // number of a check -> 1 + number of the last block whose start it has reached
    Stmts dominating; // checks that dominate the current statement
    bool changed, wraps;
} CheckHoister;

static bool is_marked(const Map *m, int number)
{
    return map_get(m, (uint64_t)number) != NULL;
}

static void mark(Map *m, int number, void *with)
{
    map_put(m, (uint64_t)number, with);
}

// --- what may move ------------------------------------------------------------------------------

static bool changes_or_fails(Node *e, void *env)
{
    const CheckHoister *d = env;
    if (e->kind == LOOP_LOAD) return true;
    if (e->kind == LOOP_VAR) return map_get(&d->s->mutated, MAP_KEY(e->attr.sym));
    if (e->kind == CORE_NAT) return !nat_is_total(d->cx, d->s->facts, e->op[0]);
    bool divides = e->kind == CORE_PRIM && (e->attr.i == PRIM_DIV || e->attr.i == PRIM_REM);
    return divides && !type_is_float(e->type);
}

// Whether the expression is invariant in the scope of its names, and cannot fail.
static bool is_steady(CheckHoister *d, Node *e)
{
    return !node_any(e, changes_or_fails, d);
}

// Adds the conjuncts of a condition.
static void add_conditions(const CheckHoister *d, Stmts *out, Node *c)
{
    bool both = c->kind == CORE_PRIM && c->attr.i == PRIM_AND;
    both |= c->kind == LOOP_SELECT && c->op[2]->kind == CORE_LIT && !c->op[2]->attr.i;
    for (uint32_t k = 0; both && k < 2; k++) add_conditions(d, out, c->op[k]);
    if (!both) vec_push(d->cx->arena, out, c);
}

// Whether the statement may jump out, has a side effect, or may not terminate.
static bool does_stop(Node *s, Map *inside)
{
    switch ((Kind)s->kind) {
    case LOOP_CALL:
    case LOOP_POINTER:
    case LOOP_ROTATE:
    case LOOP_FOREVER:
    case LOOP_SPAWN:
    case LOOP_SYNC: return true;
    case LOOP_JUMP: return !map_get(inside, MAP_KEY(s->attr.sym));
    case LOOP_LABEL: map_put(inside, MAP_KEY(s->attr.sym), inside); break;
    default: break;
    }
    for (uint32_t k = 0; k < s->nops; k++)
        if (loops_is_stmt(s->op[k]) && does_stop(s->op[k], inside)) return true;
    return false;
}

static bool stops(CheckHoister *d, Node *s)
{
    static char yes, no;
    char *known = map_get(&d->stops, MAP_KEY(s));
    if (!known) {
        Map inside = map_new(d->cx->arena);
        known = does_stop(s, &inside) ? &yes : &no;
        map_put(&d->stops, MAP_KEY(s), known);
    }
    return known == &yes;
}

// Whether the precondition reads `name` or, if `name` is NULL, any name that may be an arbitrary
// integer.
static bool is_about(const CheckHoister *d, const Precondition *demand, Sym name)
{
    Map one = map_new(d->cx->arena);
    if (name) map_put(&one, MAP_KEY(name), &one);
    const Map *names = name ? &one : &d->s->integers;
    for (int k = 0; k < demand->guards.len; k++)
        if (loops_reads_any(d->cx, demand->guards.at[k], names)) return true;
    for (int k = 0; k < demand->conditions.len; k++)
        if (loops_reads_any(d->cx, demand->conditions.at[k], names)) return true;
    return false;
}

// --- facts --------------------------------------------------------------------------------------

// Assumes the condition of a check that has passed. `g || c` implies c if g is known to be false.
static void assume_check(Simplifier *s, Node *c)
{
    bool either = c->kind == LOOP_SELECT && c->op[1]->kind == CORE_LIT && c->op[1]->attr.i;
    if (!either) {
        simplifier_assume(s, c, true);
        return;
    }
    Node *first = simplify_expr(s, c->op[0]);
    if (first->kind == CORE_LIT && !first->attr.i) assume_check(s, c->op[2]);
}

enum { MAX_ASSUMED = 64 }; // maximum number of dominating checks that are assumed

static void assume_dominating(CheckHoister *d)
{
    int n = d->dominating.len;
    for (int k = n > MAX_ASSUMED ? n - MAX_ASSUMED : 0; k < n; k++)
        assume_check(d->s, d->dominating.at[k]->op[0]);
}

// Whether a term of a sum is a constant or bounded by lengths, and therefore small enough that the
// sum does not overflow.
static bool is_modest(const CheckHoister *d, Node *n)
{
    enum { FEW = 1 << 16 };
    if (n->kind == NAT_CONST || simplifier_is_length(d->s, n)) return true;
    if (n->kind == NAT_PRODUCT)
        return n->nops == 1 && n->attr.i > -FEW && n->attr.i < FEW && is_modest(d, n->op[0]);
    return simplifier_is_limited(d->s, n, true) && simplifier_is_limited(d->s, n, false);
}

// Whether arithmetic on sizes cannot overflow. For an arbitrary b, b - 1 is accepted, since it
// results from a condition a < b, under which it does not overflow.
static bool is_computable(const CheckHoister *d, Node *e)
{
    if (e->kind == CORE_NAT) {
        Node *n = e->op[0];
        int64_t k;
        bool modest = n->kind == NAT_SUM;
        for (uint32_t i = 0; modest && i < n->nops; i++) modest = is_modest(d, n->op[i]);
        if (modest || n->kind == NAT_VAR || is_modest(d, n)) return true;
        if (n->kind == NAT_MIN || n->kind == NAT_MAX)
            return is_computable(d, core_size(d->cx, n->op[0])) &&
                   is_computable(d, core_size(d->cx, n->op[1]));
        return n->kind == NAT_SUM && n->nops == 2 && n->op[0]->kind == NAT_VAR &&
               nat_is_const(n->op[1], &k) && k == -1;
    }
    for (uint32_t k = 0; k < e->nops; k++)
        if (!is_computable(d, e->op[k])) return false;
    return true;
}

static bool are_lengths(const CheckHoister *d, Node *e)
{
    if (e->kind == CORE_NAT) return simplifier_is_length(d->s, e->op[0]);
    for (uint32_t k = 0; k < e->nops; k++)
        if (!are_lengths(d, e->op[k])) return false;
    return true;
}

static bool is_true(Node *c)
{
    return c->kind == CORE_LIT && c->attr.i;
}

static void assume_all(CheckHoister *d, const Stmts *all)
{
    for (int k = 0; k < all->len; k++) simplifier_assume(d->s, all->at[k], true);
}

// Appends to `kept` the conditions that do not follow from those before them. Returns false if
// arithmetic in one of them may overflow.
static bool add_undecided(CheckHoister *d, const Stmts *all, Stmts *kept)
{
    bool computable = true;
    for (int k = 0; k < all->len; k++) {
        Node *c = simplify_expr(d->s, all->at[k]);
        if (is_true(c)) continue;
        computable = computable && is_computable(d, c);
        vec_push(d->cx->arena, kept, c);
        simplifier_assume(d->s, c, true);
    }
    return computable;
}

// Drops conditions that the others imply, but keeps those that prove an integer to be a length.
static void drop_implied(CheckHoister *d, Stmts *all)
{
    for (int k = 0; k < all->len; k++) {
        if (!are_lengths(d, all->at[k])) continue;
        Scope outer = simplifier_enter(d->s);
        for (int i = 0; i < all->len; i++)
            if (i != k) simplifier_assume(d->s, all->at[i], true);
        bool implied = is_true(simplify_expr(d->s, all->at[k]));
        simplifier_leave(d->s, outer, NULL);
        if (!implied) continue;
        for (int i = k; i + 1 < all->len; i++) all->at[i] = all->at[i + 1];
        all->len--;
        k--;
    }
}

// Finds the part of a precondition that does not follow from the facts. Returns false if arithmetic
// in that part may overflow.
static bool find_rest(CheckHoister *d, const Precondition *demand, Precondition *rest)
{
    *rest = (Precondition){.wraps = demand->wraps};
    Scope outer = simplifier_enter(d->s);
    bool computable = add_undecided(d, &demand->guards, &rest->guards);
    assume_dominating(d);
    computable &= add_undecided(d, &demand->conditions, &rest->conditions);
    simplifier_leave(d->s, outer, NULL);
    return computable;
}

// --- destinations -------------------------------------------------------------------------------

static void visit(CheckHoister *d, Node *s, HoistedChecks *up);

// Inserts the check before the statement with this number. A check inside a loop stays where it is
// unless it has moved out of one.
static void settle(CheckHoister *d, const HoistedCheck *m, int before)
{
    if (m->loop >= 0 && !m->left) return;
    mark(&d->gone, m->home, d);
    HoistedChecks *list = map_get(&d->placed, (uint64_t)before);
    if (!list) list = ARENA_NEW(d->cx->arena, HoistedChecks);
    vec_push(d->cx->arena, list, *m);
    mark(&d->placed, before, list);
}

// Moves the check past the statement before it in the block, if possible.
static bool move_past(CheckHoister *d, HoistedCheck *m, Node *stmt, int number, int block)
{
    Precondition without;
    if (stops(d, stmt)) return false;
    if (stmt->kind == LOOP_CHECK) { // it may bound an integer that this check reads
        void *at = map_get(&d->arrived, (uint64_t)number);
        return at == (void *)(uintptr_t)(block + 1) || !is_about(d, &m->demand, NULL);
    }
    if (stmt->kind != LOOP_DECL || !is_about(d, &m->demand, stmt->attr.sym)) return true;
    if (!is_steady(d, stmt->op[1]) || loops_is_nothing(stmt->op[1])) return false;
    if (m->loop < 0 && !loops_size(d->cx, stmt->op[1])) return false; // no gain outside loops
    if (!precondition_without(d->cx, &m->demand, stmt, &without)) return false;
    m->demand = without;
    return true;
}

static void visit_block(CheckHoister *d, Node *s, HoistedChecks *up, int block)
{
    Arena *a = d->cx->arena;
    VEC(int) numbers = {0};
    int checks = d->dominating.len;
    Scope outer = simplifier_enter(d->s);
    for (uint32_t i = 0; i < s->nops; i++) {
        HoistedChecks own = {0};
        vec_push(a, &numbers, d->count);
        visit(d, s->op[i], &own);
        for (int k = 0; k < own.len; k++) {
            HoistedCheck m = own.at[k];
            uint32_t at = i;
            while (at > 0 && move_past(d, &m, s->op[at - 1], numbers.at[at - 1], block)) at--;
            if (at > 0) {
                settle(d, &m, numbers.at[at]);
                continue;
            }
            mark(&d->arrived, m.home, (void *)(uintptr_t)(block + 1));
            vec_push(a, up, m);
        }
        if (s->op[i]->kind == LOOP_DECL && !map_get(&d->s->mutated, MAP_KEY(s->op[i]->attr.sym)))
            simplifier_learn(d->s, s->op[i]);
    }
    simplifier_leave(d->s, outer, NULL);
    d->dominating.len = checks;
}

// Moves the check out of the loop, as the precondition for all iterations, if possible.
static bool leave_loop(CheckHoister *d, HoistedCheck *m, Node *loop, int number)
{
    Precondition out, rest;
    if (!precondition_of_loop(d->s, &m->demand, loop, &out)) return false;
    if (!find_rest(d, &out, &rest)) return false;
    m->demand = out;
    m->left = true;
    if (out.wraps) {
        mark(&d->renewed, number, d);
        mark(&d->renewed, m->loop, d);
    }
    d->wraps |= out.wraps;
    return true;
}

static void visit_loop(CheckHoister *d, Node *s, HoistedChecks *up, int number)
{
    HoistedChecks own = {0};
    int body = d->count;
    Scope outer = simplifier_enter(d->s);
    if (s->kind != LOOP_FOREVER)
        simplifier_assume_index(d->s, s->attr.sym, loops_from(s), loops_to(s));
    int around = d->loop;
    d->loop = number;
    visit(d, loops_body(s), &own);
    d->loop = around;
    simplifier_leave(d->s, outer, NULL);
    bool every =
        s->kind != LOOP_FOREVER && s->kind != LOOP_STRIDED; // runs for each index in its range
    bool all = every && !stops(d, loops_body(s));
    for (int k = 0; k < own.len; k++) {
        if (all && leave_loop(d, &own.at[k], s, number))
            vec_push(d->cx->arena, up, own.at[k]);
        else
            settle(d, &own.at[k], body);
    }
}

// Visits a branch. If the branch is inside a loop, its checks move out of the branch, guarded by
// the condition.
static void visit_branch(CheckHoister *d, Node *s, HoistedChecks *up)
{
    for (int side = 1; side <= 2; side++) {
        HoistedChecks own = {0};
        int body = d->count;
        bool moves = d->loop >= 0 && is_steady(d, s->op[0]);
        Node *guard = side == 1 ? s->op[0] : loops_negated(d->cx, s->op[0]);
        Scope outer = simplifier_enter(d->s);
        simplifier_assume(d->s, guard, true);
        visit(d, s->op[side], &own);
        simplifier_leave(d->s, outer, NULL);
        for (int k = 0; k < own.len; k++) {
            HoistedCheck m = own.at[k];
            Stmts guards = {0};
            add_conditions(d, &guards, guard);
            for (int i = 0; i < m.demand.guards.len; i++)
                vec_push(d->cx->arena, &guards, m.demand.guards.at[i]);
            m.demand.guards = guards;
            if (moves)
                vec_push(d->cx->arena, up, m);
            else
                settle(d, &own.at[k], body);
        }
    }
}

static void visit_check(CheckHoister *d, Node *s, HoistedChecks *up, int number)
{
    HoistedCheck m = {.check = s, .home = number, .loop = d->loop};
    vec_push(d->cx->arena, &d->dominating, s);
    if (!is_steady(d, s->op[0])) return;
    add_conditions(d, &m.demand.conditions, s->op[0]);
    vec_push(d->cx->arena, up, m);
}

static void visit(CheckHoister *d, Node *s, HoistedChecks *up)
{
    int number = d->count++;
    switch ((Kind)s->kind) {
    case LOOP_CHECK: visit_check(d, s, up, number); return;
    case LOOP_BLOCK: visit_block(d, s, up, number); return;
    case LOOP_FOR:
    case LOOP_PARALLEL:
    case LOOP_VECTORIZE:
    case LOOP_STRIDED:
    case LOOP_FOREVER: visit_loop(d, s, up, number); return;
    case LOOP_IF: visit_branch(d, s, up); return;
    case LOOP_LABEL: visit(d, s->op[0], up); return;
    case LOOP_SPAWN: {
        HoistedChecks own = {0};
        int body = d->count;
        visit(d, s->op[0], &own);
        for (int k = 0; k < own.len; k++) settle(d, &own.at[k], body);
        return;
    }
    default: return;
    }
}

// --- rebuilding ---------------------------------------------------------------------------------

// Combines conditions into a && (b && c) or, if `and` is false, into !a || (!b || end).
static Node *chain(Session *cx, const Stmts *all, Node *end, bool and)
{
    Node *c = end;
    for (int k = all->len - (end == NULL); k-- > 0;) {
        if (!c) c = vec_last(all);
        Node *first = and? all->at[k] : loops_negated(cx, all->at[k]);
        bool fails = !and&&c == core_bool(cx, false);
        c = and     ? loops_select(cx, first, c, core_bool(cx, false))
            : fails ? first
                    : loops_select(cx, first, core_bool(cx, true), c);
    }
    return c ? c : vec_last(all);
}

static Node *check_of(const CheckHoister *d, Node *like, const Precondition *rest)
{
    Session *cx = d->cx;
    Node *c = chain(cx, &rest->conditions, NULL, true);
    return node_with_op(cx, like, 0, rest->guards.len ? chain(cx, &rest->guards, c, false) : c);
}

typedef struct {
    Precondition demand;
    Node *check;
} Placed;
typedef VEC(Placed) PlacedChecks;

// Builds those checks in the list that the checks before them do not imply.
static PlacedChecks checks_at(CheckHoister *d, const HoistedChecks *list)
{
    PlacedChecks all = {0};
    int checks = d->dominating.len;
    for (int k = 0; k < list->len; k++) {
        Placed p;
        find_rest(d, &list->at[k].demand, &p.demand);
        if (p.demand.conditions.len == 0) continue;
        Scope outer = simplifier_enter(d->s);
        drop_implied(d, &p.demand.guards);
        assume_all(d, &p.demand.guards);
        assume_dominating(d);
        drop_implied(d, &p.demand.conditions);
        simplifier_leave(d->s, outer, NULL);
        if (p.demand.conditions.len == 0) continue; // guards and earlier checks imply it
        p.check = check_of(d, list->at[k].check, &p.demand);
        vec_push(d->cx->arena, &all, p);
        vec_push(d->cx->arena, &d->dominating, p.check);
    }
    d->dominating.len = checks;
    return all;
}

// Whether later checks imply check number k. Returns false if check k proves that an integer is a
// length.
static bool is_implied(CheckHoister *d, const PlacedChecks *all, int k)
{
    const Precondition *demand = &all->at[k].demand;
    bool holds = true;
    Scope outer = simplifier_enter(d->s);
    assume_all(d, &demand->guards);
    assume_dominating(d);
    for (int i = 0; i < demand->conditions.len; i++)
        holds = holds && are_lengths(d, demand->conditions.at[i]);
    for (int i = k + 1; holds && i < all->len && i <= k + MAX_ASSUMED; i++)
        assume_check(d->s, all->at[i].check->op[0]);
    for (int i = 0; i < demand->conditions.len; i++)
        holds = holds && is_true(simplify_expr(d->s, demand->conditions.at[i]));
    simplifier_leave(d->s, outer, NULL);
    return holds;
}

static void put_checks(CheckHoister *d, const HoistedChecks *list, Stmts *out)
{
    PlacedChecks all = checks_at(d, list);
    for (int k = 0; k < all.len; k++) {
        if (is_implied(d, &all, k)) continue;
        Node *check = all.at[k].check;
        vec_push(d->cx->arena, out, check);
        vec_push(d->cx->arena, &d->dominating, check);
        assume_check(d->s, check->op[0]);
    }
}

static Node *build(CheckHoister *d, Node *s);

static void build_into(CheckHoister *d, Node *s, Stmts *out)
{
    const HoistedChecks *before = map_get(&d->placed, (uint64_t)d->count);
    if (before) put_checks(d, before, out);
    vec_push(d->cx->arena, out, build(d, s));
}

static Node *build_body(CheckHoister *d, Node *s)
{
    Stmts out = {0};
    int checks = d->dominating.len;
    build_into(d, s, &out);
    d->dominating.len = checks;
    return out.len == 1 ? out.at[0] : loops_block(d->cx, out.len, out.at);
}

static Node *build_block(CheckHoister *d, Node *s)
{
    Stmts out = {0};
    int checks = d->dominating.len;
    for (uint32_t i = 0; i < s->nops; i++) {
        build_into(d, s->op[i], &out);
        if (s->op[i]->kind == LOOP_DECL && !map_get(&d->s->mutated, MAP_KEY(s->op[i]->attr.sym)))
            simplifier_learn(d->s, s->op[i]);
    }
    d->dominating.len = checks;
    return loops_block(d->cx, out.len, out.at);
}

static Node *build_rest(CheckHoister *d, Node *s, int number)
{
    Stmts ops = {0};
    bool loop = loops_is_counted(s);
    for (uint32_t i = 0; i < s->nops; i++) {
        Node *op = s->op[i];
        if (loops_is_stmt(op)) {
            Scope outer = simplifier_enter(d->s);
            if (loop) simplifier_assume_index(d->s, s->attr.sym, loops_from(s), loops_to(s));
            if (s->kind == LOOP_IF) simplifier_assume(d->s, s->op[0], i == 1);
            op = build_body(d, op);
            if (is_marked(&d->renewed, number)) {
                assume_dominating(d);
                op = simplify_stmt(d->s, op);
            }
            simplifier_leave(d->s, outer, NULL);
        }
        vec_push(d->cx->arena, &ops, op);
    }
    return node_with_ops(d->cx, s, ops.at);
}

static Node *build(CheckHoister *d, Node *s)
{
    int number = d->count++;
    switch ((Kind)s->kind) {
    case LOOP_BLOCK: return build_block(d, s);
    case LOOP_CHECK:
        if (is_marked(&d->gone, number)) return loops_block(d->cx, 0, NULL);
        vec_push(d->cx->arena, &d->dominating, s);
        return s;
    default: return build_rest(d, s, number);
    }
}

// --- the entry ----------------------------------------------------------------------------------

static Node *once(Session *cx, const LoopEntry *e, Node *body, bool *again)
{
    Arena *a = cx->arena;
    LoopEntry *now = loops_with_body(cx, e, body);
    Simplifier s = simplifier_new(cx, now), known = simplifier_new(cx, now);
    HoistedChecks up = {0};
    CheckHoister d = {.cx = cx,
                      .s = &s,
                      .loop = -1,
                      .stops = map_new(a),
                      .gone = map_new(a),
                      .placed = map_new(a),
                      .renewed = map_new(a),
                      .arrived = map_new(a)};
    visit(&d, body, &up);
    for (int k = 0; k < up.len; k++) settle(&d, &up.at[k], 0);
    *again = d.wraps;
    if (d.gone.len == 0) return body;
    d.s = &known;
    d.count = d.dominating.len = 0;
    return build_body(&d, body);
}

// Entries of this weight or more are left unchanged.
enum { MAX_WEIGHT = 20000, MOST_TIMES = 3 };

static LoopEntry *hoist_in_entry(Session *cx, const LoopEntry *e)
{
    Node *body = e->body;
    bool again = loops_weight(body, MAX_WEIGHT) < MAX_WEIGHT;
    for (int i = 0; i < MOST_TIMES && again; i++) body = once(cx, e, body, &again);
    if (body == e->body) return loops_with_body(cx, e, body);
    return loops_with_body(cx, e, loops_name_checks(cx, loops_dce(cx, body)));
}

LoopEntry *loops_hoist_checks(Session *cx, const LoopEntry *e)
{
    return loops_each(cx, e, hoist_in_entry);
}
