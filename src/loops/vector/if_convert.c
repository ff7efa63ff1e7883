// If-conversion (linearisation): one control flow for all lanes, in which each statement runs under
// the mask of its active lanes (Leißa, Hack & Wald, Extending a C-like Language for Portable
// SIMD Programming, PPoPP 2012, section 4; Karrenberg & Hack, CGO 2011).
//
//   while c { if d { break }  x = a }        live = all
//                                            for (;;) {
//                                                live = live & c
//                                becomes         if !any(live) break
//                                                live = live & !d
//                                                if !any(live) break
//                                                x = a           in live lanes
//                                            }
//
// A divergent branch executes both sides, each under its mask; a side without active lanes is
// skipped, unless it is short. A jump removes lanes from the masks of all regions up to its label,
// at whose end they are active again. A region without active lanes is left by a uniform jump.
// Uniform branches, loops and scalars are unchanged.
//
// An assignment to a local blends the new value with the old one, unless only lanes of the same
// region read the local.
#include "loops/vector/vectors.h"

enum { NOWHERE = 1 << 30 }; // the depth if no jump leaves the statement

// --- preparing loops ----------------------------------------------------------------------------

static Node *jump_to(Session *cx, Sym label)
{
    return loops_stmt(cx, LOOP_JUMP, label, 0, NULL, NO_SPAN);
}

static Node *labelled(Session *cx, Sym label, Node *s)
{
    return loops_stmt(cx, LOOP_LABEL, label, 1, &s, s->origin);
}

// Builds `if (condition) then`.
static Node *only_if(Session *cx, Node *condition, Node *then, Span origin)
{
    return loops_if(cx, condition, then, loops_block(cx, 0, NULL), origin);
}

// Rewrites a loop with varying bounds as
// `c = from; for (;;) { i = c; if i >= to break; body; c = i + step }`.
static Node *loop_with_exit(Session *cx, Node *loop)
{
    Sym counter = sym_fresh(cx->syms, loop->attr.sym->text), end = sym_fresh(cx->syms, "past");
    Node *i64 = type_scalar(cx, SCALAR_I64), *index = nat_var(cx, loop->attr.sym);
    Node *step = loop->kind == LOOP_STRIDED ? loop->op[0] : nat_const(cx, 1);
    Node *next = core_size(cx, nat_add(cx, index, step));
    Node *now = loops_local(cx, counter, i64);
    Node *past = loops_compare(cx, PRIM_GE, index, loops_to(loop));
    Node *iteration[] = {loops_decl(cx, loop->attr.sym, i64, now, loop->origin),
                         only_if(cx, past, jump_to(cx, end), loop->origin), loops_body(loop),
                         loops_set(cx, counter, next, loop->origin)};
    Node *body = loops_stmt(cx, LOOP_BLOCK, NULL, 4, iteration, NO_SPAN);
    Node *forever = loops_stmt(cx, LOOP_FOREVER, NULL, 1, &body, loop->origin);
    Node *from = core_size(cx, loops_from(loop));
    Node *all[] = {loops_decl(cx, counter, i64, from, loop->origin), labelled(cx, end, forever)};
    return loops_stmt(cx, LOOP_BLOCK, NULL, 2, all, NO_SPAN);
}

static bool jumps_out(Node *s, const LaneLabel *inside)
{
    LaneLabel here = {.outer = inside, .stmt = s};
    if (s->kind == LOOP_JUMP) return !label_around(inside, s->attr.sym);
    for (uint32_t i = 0; i < s->nops; i++)
        if (loops_is_stmt(s->op[i]) && jumps_out(s->op[i], s->kind == LOOP_LABEL ? &here : inside))
            return true;
    return false;
}

static Node *prepare(void *env, Node *s)
{
    Divergence *d = env;
    Session *cx = d->cx;
    Node *inner = s->kind == LOOP_LABEL ? s->op[0] : NULL;
    bool kept = inner && loops_is(inner, IS_LOOP);
    if (kept && !map_get(&d->divergent_loops, MAP_KEY(inner->attr.sym)))
        return node_with_op(cx, s, 0, loops_map(cx, inner, prepare, d));
    s = loops_map(cx, s, prepare, d);
    if (loops_is_counted(s) && map_get(&d->divergent_loops, MAP_KEY(s->attr.sym)))
        return loop_with_exit(cx, s);
    if ((!loops_is_counted(s) && s->kind != LOOP_FOREVER) || !jumps_out(s, NULL)) return s;
    return labelled(cx, sym_fresh(cx->syms, "left"), s);
}

Node *prepare_loops(Divergence *d, Node *body)
{
    return prepare(d, body);
}

// --- masks --------------------------------------------------------------------------------------

static void put(IfConverter *l, Node *s)
{
    vec_push(l->cx->arena, l->out, s);
}

static Region *next_region(IfConverter *l)
{
    return l->d->regions.at[++l->regions_entered];
}

// Removes the lanes of a region from the masks of the enclosing regions, up to that of the label.
// Returns the depth of the label's region.
static int deactivate_lanes(IfConverter *l, Region *r, const LaneLabel *target)
{
    Session *cx = l->cx;
    Region *last = target->own;
    Node *gone = r->mask;
    if (r->outer != last) gone = vec_declare(l, "gone", gone);
    for (Region *q = r->outer; q != target->around; q = q->outer) {
        Node *out = q == r->outer && r->own_mask && !r->loses_lanes ? r->own_mask : gone;
        Node *rest = vec_and(cx, q->mask, vec_not(cx, out));
        put(l, loops_set(cx, q->mask->attr.sym, rest, NO_SPAN));
    }
    return last->depth;
}

// Called after a statement whose jumps leave all regions at depth `reach` or more. If this region
// is one of them, emits a jump out of it that is taken once none of its lanes is active.
static void leave_if_empty(IfConverter *l, const Region *r, int reach)
{
    if (reach > r->depth) return;
    Node *none = core_prim(l->cx, PRIM_NOT, 1, (Node *[]){vec_any(l->cx, r->mask)});
    put(l, only_if(l->cx, none, jump_to(l->cx, r->label), NO_SPAN));
}

// --- statements ---------------------------------------------------------------------------------

// Converts a statement. Returns the depth of the outermost region that its jumps leave.
static int statement(IfConverter *l, Node *s, Region *r);

static Node *body_of(IfConverter *l, Node *s, Region *r, int *reach)
{
    Stmts out = {0}, *outer = l->out;
    bool certain = l->unconditional;
    l->out = &out;
    l->unconditional = false;
    *reach = statement(l, s, r);
    l->out = outer;
    l->unconditional = certain;
    return loops_block(l->cx, out.len, out.at);
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

// --- branches -----------------------------------------------------------------------------------

// Converts a side of a branch so that it is skipped if it has no active lane.
static int guarded_side(IfConverter *l, Node *s, Region *q)
{
    Session *cx = l->cx;
    int reach;
    q->mask = vec_declare(l, "lanes", q->mask);
    q->label = sym_fresh(cx->syms, "past");
    Node *body = body_of(l, s, q, &reach);
    put(l, labelled(cx, q->label, only_if(cx, vec_any(cx, q->mask), body, s->origin)));
    return reach;
}

static int on_side(IfConverter *l, Node *s, Region *q)
{
    if (loops_is_empty(s)) return NOWHERE;
    if (s->kind == LOOP_JUMP) return deactivate_lanes(l, q, label_around(l->label, s->attr.sym));
    if (!stmt_runs_unguarded(l->d, s)) return guarded_side(l, s, q);
    bool certain = l->unconditional;
    l->unconditional = false;
    int reach = statement(l, s, q);
    l->unconditional = certain;
    return reach;
}

static int branch(IfConverter *l, Node *s, Region *r)
{
    Session *cx = l->cx;
    int reach[2] = {NOWHERE, NOWHERE};
    if (shape_is_uniform(divergence_of(l->d, s->op[0]))) {
        Node *then = body_of(l, s->op[1], r, &reach[0]);
        Node *otherwise = body_of(l, s->op[2], r, &reach[1]);
        put(l, loops_if(cx, s->op[0], then, otherwise, s->origin));
        return least(reach[0], reach[1]);
    }
    bool negated = s->op[0]->kind == CORE_PRIM && s->op[0]->attr.i == PRIM_NOT;
    Node *condition = negated ? s->op[0]->op[0] : s->op[0];
    Node *c = vec_declare(l, "mask", vector_value(l, condition, r->mask));
    for (int side = 0; side < 2; side++) {
        Region *q = next_region(l);
        q->own_mask = side == negated ? c : vec_not(cx, c);
        q->mask = vec_and(cx, r->mask, q->own_mask);
        reach[side] = on_side(l, s->op[1 + side], q);
    }
    leave_if_empty(l, r, least(reach[0], reach[1]));
    return least(reach[0], reach[1]);
}

// --- labels, jumps, loops -----------------------------------------------------------------------

static int label(IfConverter *l, Node *s, Region *r)
{
    int reach;
    LaneLabel here = {.outer = l->label, .stmt = s, .around = r};
    Region *inside = r;
    if (map_get(&l->d->divergent, MAP_KEY(s->attr.sym))) {
        here.own = inside = next_region(l);
        inside->mask = vec_declare(l, "live", r->mask ? r->mask : vec_full_mask(l->d));
        inside->label = s->attr.sym;
    }
    l->label = &here;
    Node *body = body_of(l, s->op[0], inside, &reach);
    l->label = here.outer;
    put(l, node_with_op(l->cx, s, 0, body));
    if (!here.own) return reach;
    if (reach == inside->depth) return NOWHERE; // lanes are active again
    leave_if_empty(l, r, reach);
    return reach;
}

static int jump(IfConverter *l, Node *s, Region *r)
{
    const LaneLabel *target = label_around(l->label, s->attr.sym);
    if (jump_is_uniform(target, r)) {
        put(l, s);
        return NOWHERE;
    }
    int reach = deactivate_lanes(l, r, target);
    put(l, jump_to(l->cx, r->label));
    return reach;
}

static int loop(IfConverter *l, Node *s, Region *r)
{
    int reach;
    const Facts *around = l->facts;
    if (loops_is_counted(s)) {
        Facts *inside = facts_new(l->cx, l->cx->arena, around);
        facts_range(inside, s->attr.sym, loops_from(s), loops_to(s));
        l->facts = inside;
    }
    Node *body = body_of(l, loops_body(s), r, &reach);
    l->facts = around;
    if (s->kind == LOOP_VECTORIZE) s = loops_sequential(l->cx, s);
    put(l, node_with_op(l->cx, s, (int)s->nops - 1, body));
    return reach;
}

// --- assignments --------------------------------------------------------------------------------

static void declaration(IfConverter *l, Node *s, Region *r)
{
    if (!divergence_varies(l->d, s->attr.sym)) {
        put(l, s);
        return;
    }
    // zeros, since a blend reads lanes that are not set yet
    Node *type = vec_type(l->d, s->op[0]);
    Node *value =
        loops_is_nothing(s->op[1]) ? loops_zeros(l->cx, type) : vector_value(l, s->op[1], r->mask);
    put(l, loops_decl(l->cx, s->attr.sym, type, value, s->origin));
}

// Merges the assignment with the last one on the other side of the branch into one select. Returns
// NULL if the latter is to another local.
static Node *merged_with_other_side(IfConverter *l, Sym local, Node *mask, Node *value)
{
    Session *cx = l->cx;
    Node *before = l->out->len ? vec_last(l->out) : NULL;
    if (!before || before->kind != LOOP_SET || before->attr.sym != local) return NULL;
    Node *choice = before->op[0];
    if (choice->kind != LOOP_SELECT || choice->op[0] != vec_not(cx, mask)) return NULL;
    if (choice->op[2]->kind != LOOP_VAR || choice->op[2]->attr.sym != local) return NULL;
    if (loops_uses(cx, value, local)) return NULL;
    l->out->len--;
    return vec_select(cx, choice->op[0], choice->op[1], value);
}

static void assignment(IfConverter *l, Node *s, Region *r)
{
    if (!divergence_varies(l->d, s->attr.sym)) {
        put(l, s);
        return;
    }
    Node *value = vector_value(l, s->op[0], r->mask);
    const Region *home = divergence_home(l->d, s->attr.sym);
    if (home != r && r->mask) {
        Node *old = loops_local(l->cx, s->attr.sym, value->type);
        bool near = r->outer == home && r->own_mask && !r->loses_lanes;
        Node *mask = near ? r->own_mask : r->mask,
             *other = merged_with_other_side(l, s->attr.sym, mask, value);
        value = other ? other : vec_select(l->cx, mask, value, old);
    }
    put(l, node_with_op(l->cx, s, 0, value));
}

static Node *array(const IfConverter *l, Node *s)
{
    if (!divergence_varies(l->d, s->attr.sym)) return s;
    return node_with_op(l->cx, s, 1, array_position(l, s->op[1]));
}

static bool is_store(const Node *s)
{
    return s->kind == LOOP_STORE || s->kind == LOOP_STORE_WHERE;
}

// Removes and returns the last store to the same position on the other side of the branch. Returns
// NULL if there is none. Independent stores may follow it.
static Node *store_of_other_side(IfConverter *l, Sym array, Node *position, const Region *r)
{
    Session *cx = l->cx;
    if (!r->own_mask || r->loses_lanes || !r->outer) return NULL;
    Node *mask = vec_and(cx, r->outer->mask, vec_not(cx, r->own_mask));
    int at = l->out->len - 1;
    while (at >= 0 && is_store(l->out->at[at]) && l->out->at[at]->attr.sym != array) at--;
    Node *found = at < 0 ? NULL : l->out->at[at];
    if (!found || found->kind != LOOP_STORE_WHERE || found->op[0] != position ||
        found->op[2] != mask)
        return NULL;
    for (int i = at + 1; i < l->out->len; i++)
        if (loops_uses(cx, l->out->at[i], array) ||
            loops_uses(cx, found->op[1], l->out->at[i]->attr.sym))
            return NULL;
    l->out->len--;
    for (int i = at; i < l->out->len; i++) l->out->at[i] = l->out->at[i + 1];
    return found;
}

static void store(IfConverter *l, Node *s, Region *r)
{
    Shape by = divergence_of(l->d, s->op[0]);
    bool own = divergence_own(l->d, s->attr.sym);
    bool in_row = own ? shape_is_uniform(by) : shape_is_contiguous(by);
    if (!own && shape_is_uniform(by)) {
        put(l, s);
        return;
    }
    Node *position = s->op[0], *value = vector_value(l, s->op[1], r->mask), *mask = r->mask;
    if (own) position = in_row ? array_position(l, position) : array_positions(l, s, mask);
    if (!own && !in_row) position = shared_positions(l, s, mask);
    bool backwards = !own && shape_is_backwards(by);
    Node *other = in_row && !backwards ? store_of_other_side(l, s->attr.sym, position, r) : NULL;
    if (other) {
        value = vec_select(l->cx, r->own_mask, value, other->op[1]);
        mask = r->outer->mask;
    }
    if (own && in_row && r == divergence_unmasked(l->d, s->attr.sym)) mask = NULL;
    if (backwards) {
        position = nat_sub(l->cx, position, nat_const(l->cx, l->d->lanes - 1));
        value = vec_reversed(l->d, value);
        if (mask) mask = vec_reversed(l->d, mask);
    }
    if (!in_row && !mask) mask = vec_full_mask(l->d);
    Node *ops[] = {position, value, mask};
    Kind kind = !in_row ? LOOP_SCATTER : mask ? LOOP_STORE_WHERE : LOOP_STORE;
    put(l, loops_stmt(l->cx, kind, s->attr.sym, mask ? 3 : 2, ops, s->origin));
}

// Emits a check that fails if the condition is false in any active lane.
static void check(IfConverter *l, Node *s, Region *r)
{
    Session *cx = l->cx;
    if (shape_is_uniform(divergence_of(l->d, s->op[0]))) {
        put(l, s);
        return;
    }
    // Under a mask, C compilers find a condition of the mask again in `mask & ~condition`.
    Node *fails = r->mask ? vec_and(cx, r->mask, vec_not(cx, vector_value(l, s->op[0], r->mask)))
                          : vector_value(l, loops_negated(cx, s->op[0]), NULL);
    Node *holds = core_prim(cx, PRIM_NOT, 1, (Node *[]){vec_any(cx, fails)});
    put(l, node_with_op(cx, s, 0, holds));
}

// Converts consecutive calls. Moves the declarations between the calls ahead of them.
static void consecutive_calls(IfConverter *l, Node *const *stmts, uint32_t n, Region *r)
{
    Stmts calls = {0};
    for (uint32_t i = 0; i < n; i++) {
        if (stmts[i]->kind == LOOP_CALL)
            vec_push(l->cx->arena, &calls, stmts[i]);
        else
            declaration(l, stmts[i], r);
    }
    lane_calls(l, calls.at, calls.len, r->mask);
}

static int block(IfConverter *l, Node *s, Region *r)
{
    int reach = NOWHERE;
    for (uint32_t i = 0; i < s->nops;) {
        uint32_t row = lane_calls_consecutive(l->d, s->op + i, s->nops - i);
        if (row)
            consecutive_calls(l, s->op + i, row, r);
        else
            reach = least(reach, statement(l, s->op[i], r));
        i += row ? row : 1;
    }
    return reach;
}

static int statement(IfConverter *l, Node *s, Region *r)
{
    int reach = NOWHERE;
    switch ((Kind)s->kind) {
    case LOOP_BLOCK: return block(l, s, r);
    case LOOP_DECL: declaration(l, s, r); return reach;
    case LOOP_SET: assignment(l, s, r); return reach;
    case LOOP_ALLOC: put(l, array(l, s)); return reach;
    case LOOP_STORE: store(l, s, r); return reach;
    case LOOP_CHECK: check(l, s, r); return reach;
    case LOOP_CALL: lane_calls(l, &s, 1, r->mask); return reach;
    case LOOP_IF: return branch(l, s, r);
    case LOOP_LABEL: return label(l, s, r);
    case LOOP_JUMP: return jump(l, s, r);
    case LOOP_FOR:
    case LOOP_STRIDED:
    case LOOP_VECTORIZE:
    case LOOP_FOREVER: return loop(l, s, r);
    default: CHECK(l->cx, false, "%s on lanes", kind_info[s->kind].text);
    }
}

Node *if_convert(Divergence *d, const Vectoriser *w, const Facts *facts, Node *body, Node *mask)
{
    IfConverter l = {.d = d,
                     .cx = d->cx,
                     .unconditional = !mask,
                     .loaded = map_new(d->cx->arena),
                     .w = w,
                     .facts = facts};
    int reach;
    Stmts out = {0};
    l.out = &out;
    d->regions.at[0]->mask = mask ? vec_declare(&l, "there", mask) : NULL;
    reach = statement(&l, body, d->regions.at[0]);
    CHECK(d->cx, reach == NOWHERE, "lanes leave their loop");
    return loops_block(d->cx, out.len, out.at);
}
