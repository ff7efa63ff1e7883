// Control flow of lanes as one flow of all: every statement is done with the mask of the lanes that come to it (Leißa, Hack & Wald,
// Extending a C-like Language for Portable SIMD Programming, PPoPP 2012, section 4; Karrenberg & Hack, CGO 2011).
//
//   while c { if d { break }  x = a }        live = all
//                                            for (;;) {
//                                                live = live & c          lanes that leave
//                                becomes         if !any(live) break
//                                                live = live & !d
//                                                if !any(live) break
//                                                x = a                    of no use to those that have left
//                                            }
//
// A branch on what differs by lane does both sides, each with its mask, and leaves one out that no lane goes to, unless that is short. A
// jump takes lanes out of the masks of all regions up to its label, at whose end they are back. A region that has lost its last lane is
// left by a jump. What is the same in all lanes stays as it is: branches, loops, scalars.
//
// A local is blended with what it was, unless only lanes of this region look at it.
#include "loops/vector/vectors.h"

enum { NOWHERE = 1 << 30 }; // of jumps: they go to no region

// --- before -------------------------------------------------------------------------------------

static Node *stmt_of(Session *cx, Kind kind, Sym name, int n, Node *const *ops, Span origin)
{
    return node_make(
        cx, &(NodeSpec){.kind = kind, .attr.sym = name, .nops = n, .ops = ops, .origin = origin});
}

static Node *block_of(Session *cx, int n, Node *const *stmts)
{
    return stmt_of(cx, LOOP_BLOCK, NULL, n, stmts, NO_SPAN);
}

// A loop whose ends differ by lane, counted by a local: `c = from; for (;;) { i = c; if i >= to break; body; c = i + step }`.
static Node *counted_by_local(Session *cx, Node *loop)
{
    Sym counter = sym_fresh(cx->syms, loop->attr.sym->text), end = sym_fresh(cx->syms, "past");
    Node *i64 = type_scalar(cx, SCALAR_I64), *index = nat_var(cx, loop->attr.sym);
    Node *step = loop->kind == LOOP_STRIDED ? loop->op[0] : nat_const(cx, 1);
    Node *next = core_size(cx, nat_add(cx, index, step));
    Node *now = node_make(cx, &(NodeSpec){.kind = LOOP_VAR, .attr.sym = counter, .type = i64});
    Node *past =
        core_prim(cx, PRIM_GE, 2, (Node *[]){core_size(cx, index), core_size(cx, loops_to(loop))});
    Node *leave[] = {past, stmt_of(cx, LOOP_JUMP, end, 0, NULL, NO_SPAN), block_of(cx, 0, NULL)};
    Node *round[] = {stmt_of(cx, LOOP_DECL, loop->attr.sym, 2, (Node *[]){i64, now}, loop->origin),
                     stmt_of(cx, LOOP_IF, NULL, 3, leave, loop->origin), loops_body(loop),
                     stmt_of(cx, LOOP_SET, counter, 1, &next, loop->origin)};
    Node *body = block_of(cx, 4, round);
    Node *forever = stmt_of(cx, LOOP_FOREVER, NULL, 1, &body, loop->origin);
    Node *first[] = {i64, core_size(cx, loops_from(loop))};
    Node *all[] = {stmt_of(cx, LOOP_DECL, counter, 2, first, loop->origin),
                   stmt_of(cx, LOOP_LABEL, end, 1, &forever, loop->origin)};
    return block_of(cx, 2, all);
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
    bool kept = inner && (inner->kind == LOOP_FOREVER || loops_is_counted(inner));
    if (kept && !map_get(&d->uneven, MAP_KEY(inner->attr.sym)))
        return node_with_op(cx, s, 0, loops_map(cx, inner, prepare, d));
    s = loops_map(cx, s, prepare, d);
    if (loops_is_counted(s) && map_get(&d->uneven, MAP_KEY(s->attr.sym)))
        return counted_by_local(cx, s);
    if ((!loops_is_counted(s) && s->kind != LOOP_FOREVER) || !jumps_out(s, NULL)) return s;
    return stmt_of(cx, LOOP_LABEL, sym_fresh(cx->syms, "left"), 1, &s, s->origin);
}

Node *lanes_prepared(Divergence *d, Node *body)
{
    return prepare(d, body);
}

// --- masks --------------------------------------------------------------------------------------

static void put(Lineariser *l, Node *s)
{
    vec_push(l->cx->arena, l->out, s);
}

static Region *next_region(Lineariser *l)
{
    return l->d->regions.at[++l->met];
}

static void put_jump(Lineariser *l, Sym label)
{
    put(l, stmt_of(l->cx, LOOP_JUMP, label, 0, NULL, NO_SPAN));
}

// The lanes of a region that is not left by all leave it, and those around it up to the label's.
static int leave(Lineariser *l, Region *r, const LaneLabel *target)
{
    Session *cx = l->cx;
    Region *last = target->own;
    Node *gone = r->mask;
    if (r->outer != last) gone = vec_local(l, "gone", gone);
    for (Region *q = r->outer; q != target->around; q = q->outer) {
        Node *out = q == r->outer && r->own && !r->loses ? r->own : gone;
        Node *rest = vec_and(cx, q->mask, vec_not(cx, out));
        put(l, stmt_of(cx, LOOP_SET, q->mask->attr.sym, 1, &rest, NO_SPAN));
    }
    return last->depth;
}

// After a statement whose jumps go to the region of this depth: the region may have lost its last lane.
static void look_for_lanes(Lineariser *l, const Region *r, int reach)
{
    if (reach > r->depth) return;
    Node *jump = stmt_of(l->cx, LOOP_JUMP, r->label, 0, NULL, NO_SPAN);
    Node *none = core_prim(l->cx, PRIM_NOT, 1, (Node *[]){vec_any(l->cx, r->mask)});
    Node *ops[] = {none, jump, block_of(l->cx, 0, NULL)};
    put(l, stmt_of(l->cx, LOOP_IF, NULL, 3, ops, NO_SPAN));
}

// --- statements ---------------------------------------------------------------------------------

// Gives the depth of the outermost region that lanes jump out of.
static int statement(Lineariser *l, Node *s, Region *r);

static Node *body_of(Lineariser *l, Node *s, Region *r, int *reach)
{
    Stmts out = {0}, *outer = l->out;
    bool certain = l->certain;
    l->out = &out;
    l->certain = false;
    *reach = statement(l, s, r);
    l->out = outer;
    l->certain = certain;
    return loops_block(l->cx, out.len, out.at);
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

// --- branches -----------------------------------------------------------------------------------

// One that no lane goes to is left out.
static int long_side(Lineariser *l, Node *s, Region *q)
{
    Session *cx = l->cx;
    int reach;
    q->mask = vec_local(l, "lanes", q->mask);
    q->label = sym_fresh(cx->syms, "past");
    Node *body = body_of(l, s, q, &reach), *nothing = block_of(cx, 0, NULL);
    Node *ops[] = {vec_any(cx, q->mask), body, nothing};
    Node *guarded = stmt_of(cx, LOOP_IF, NULL, 3, ops, s->origin);
    put(l, stmt_of(cx, LOOP_LABEL, q->label, 1, &guarded, s->origin));
    return reach;
}

static int on_side(Lineariser *l, Node *s, Region *q)
{
    if (loops_is_empty(s)) return NOWHERE;
    if (s->kind == LOOP_JUMP) return leave(l, q, label_around(l->label, s->attr.sym));
    if (!lanes_may_miss(l->d, s)) return long_side(l, s, q);
    bool certain = l->certain;
    l->certain = false;
    int reach = statement(l, s, q);
    l->certain = certain;
    return reach;
}

static int branch(Lineariser *l, Node *s, Region *r)
{
    Session *cx = l->cx;
    int reach[2] = {NOWHERE, NOWHERE};
    if (shape_is_same(divergence_of(l->d, s->op[0]))) {
        Node *ops[] = {s->op[0], body_of(l, s->op[1], r, &reach[0]),
                       body_of(l, s->op[2], r, &reach[1])};
        put(l, node_with_ops(cx, s, ops));
        return least(reach[0], reach[1]);
    }
    bool negated = s->op[0]->kind == CORE_PRIM && s->op[0]->attr.i == PRIM_NOT;
    Node *condition = negated ? s->op[0]->op[0] : s->op[0];
    Node *c = vec_local(l, "mask", lane_value(l, condition, r->mask));
    for (int side = 0; side < 2; side++) {
        Region *q = next_region(l);
        q->own = side == negated ? c : vec_not(cx, c);
        q->mask = vec_and(cx, r->mask, q->own);
        reach[side] = on_side(l, s->op[1 + side], q);
    }
    look_for_lanes(l, r, least(reach[0], reach[1]));
    return least(reach[0], reach[1]);
}

// --- labels, jumps, loops -----------------------------------------------------------------------

static int label(Lineariser *l, Node *s, Region *r)
{
    int reach;
    LaneLabel here = {.outer = l->label, .stmt = s, .around = r};
    Region *inside = r;
    if (map_get(&l->d->divergent, MAP_KEY(s->attr.sym))) {
        here.own = inside = next_region(l);
        inside->mask = vec_local(l, "live", r->mask ? r->mask : vec_all(l->d));
        inside->label = s->attr.sym;
    }
    l->label = &here;
    Node *body = body_of(l, s->op[0], inside, &reach);
    l->label = here.outer;
    put(l, node_with_op(l->cx, s, 0, body));
    if (!here.own) return reach;
    if (reach == inside->depth) return NOWHERE; // they are back
    look_for_lanes(l, r, reach);
    return reach;
}

static int jump(Lineariser *l, Node *s, Region *r)
{
    const LaneLabel *target = label_around(l->label, s->attr.sym);
    if (jump_is_of_all(target, r)) {
        put(l, s);
        return NOWHERE;
    }
    int reach = leave(l, r, target);
    put_jump(l, r->label);
    return reach;
}

static int loop(Lineariser *l, Node *s, Region *r)
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
    if (s->kind == LOOP_VECTORIZE) s = loops_in_order(l->cx, s);
    put(l, node_with_op(l->cx, s, (int)s->nops - 1, body));
    return reach;
}

// --- assignments --------------------------------------------------------------------------------

static void declaration(Lineariser *l, Node *s, Region *r)
{
    if (!divergence_varies(l->d, s->attr.sym)) {
        put(l, s);
        return;
    }
    // selections read what some lanes have not set yet
    Node *zero = node_make(l->cx, &(NodeSpec){.kind = CORE_LIT, .type = s->op[0]});
    Node *value =
        loops_is_nothing(s->op[1]) ? vec_splat(l->d, zero) : lane_value(l, s->op[1], r->mask);
    put(l, node_with_ops(l->cx, s, (Node *[]){vec_type(l->d, s->op[0]), value}));
}

// What the lanes of one side of a branch were just given, and now those of the other, are one choice. NULL: it is not so.
static Node *with_other_side(Lineariser *l, Sym local, Node *mask, Node *value)
{
    Session *cx = l->cx;
    Node *before = l->out->len ? vec_last(l->out) : NULL;
    if (!before || before->kind != LOOP_SET || before->attr.sym != local) return NULL;
    Node *choice = before->op[0];
    if (choice->kind != LOOP_SELECT || choice->op[0] != vec_not(cx, mask)) return NULL;
    if (choice->op[2]->kind != LOOP_VAR || choice->op[2]->attr.sym != local) return NULL;
    if (loops_uses(cx, value, local)) return NULL;
    l->out->len--;
    return vec_choose(cx, choice->op[0], choice->op[1], value);
}

static void assignment(Lineariser *l, Node *s, Region *r)
{
    if (!divergence_varies(l->d, s->attr.sym)) {
        put(l, s);
        return;
    }
    Node *value = lane_value(l, s->op[0], r->mask);
    const Region *home = divergence_home(l->d, s->attr.sym);
    if (home != r && r->mask) {
        Node *old = node_make(
            l->cx, &(NodeSpec){.kind = LOOP_VAR, .attr.sym = s->attr.sym, .type = value->type});
        bool near = r->outer == home && r->own && !r->loses;
        Node *mask = near ? r->own : r->mask, *other = with_other_side(l, s->attr.sym, mask, value);
        value = other ? other : vec_choose(l->cx, mask, value, old);
    }
    put(l, node_with_op(l->cx, s, 0, value));
}

static Node *array(const Lineariser *l, Node *s)
{
    if (!divergence_varies(l->d, s->attr.sym)) return s;
    return node_with_op(l->cx, s, 1, lane_position(l, s->op[1]));
}

static bool is_store(const Node *s)
{
    return s->kind == LOOP_STORE || s->kind == LOOP_STORE_WHERE;
}

// The store that the lanes of the other side of a branch have just made to the same place, taken back; NULL: there is none. What was stored
// elsewhere since stays where it is, if neither has to do with the other.
static Node *store_of_other_side(Lineariser *l, Sym array, Node *position, const Region *r)
{
    Session *cx = l->cx;
    if (!r->own || r->loses || !r->outer) return NULL;
    Node *mask = vec_and(cx, r->outer->mask, vec_not(cx, r->own));
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

static void store(Lineariser *l, Node *s, Region *r)
{
    Shape by = divergence_of(l->d, s->op[0]);
    bool own = divergence_array(l->d, s->attr.sym) && divergence_varies(l->d, s->attr.sym);
    bool in_row = own ? shape_is_same(by) : !by.varies && by.step == 1;
    if (!own && shape_is_same(by)) {
        put(l, s);
        return;
    }
    Node *position = s->op[0], *value = lane_value(l, s->op[1], r->mask), *mask = r->mask;
    if (own) position = in_row ? lane_position(l, position) : lane_own_positions(l, position, mask);
    if (!own && !in_row) position = lane_size(l, position, mask);
    Node *other = in_row ? store_of_other_side(l, s->attr.sym, position, r) : NULL;
    if (other) {
        value = vec_choose(l->cx, r->own, value, other->op[1]);
        mask = r->outer->mask;
    }
    if (!in_row && !mask) mask = vec_all(l->d);
    Node *ops[] = {position, value, mask};
    Kind kind = !in_row ? LOOP_SCATTER : mask ? LOOP_STORE_WHERE : LOOP_STORE;
    put(l, stmt_of(l->cx, kind, s->attr.sym, mask ? 3 : 2, ops, s->origin));
}

// It fails if it does in a lane that comes here.
static void check(Lineariser *l, Node *s, Region *r)
{
    Session *cx = l->cx;
    if (shape_is_same(divergence_of(l->d, s->op[0]))) {
        put(l, s);
        return;
    }
    Node *fails = vec_and(cx, r->mask, vec_not(cx, lane_value(l, s->op[0], r->mask)));
    Node *holds = core_prim(cx, PRIM_NOT, 1, (Node *[]){vec_any(cx, fails)});
    put(l, node_with_op(cx, s, 0, holds));
}

// Declarations between calls come first.
static void row_of_calls(Lineariser *l, Node *const *stmts, uint32_t n, Region *r)
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

static int block(Lineariser *l, Node *s, Region *r)
{
    int reach = NOWHERE;
    for (uint32_t i = 0; i < s->nops;) {
        uint32_t row = lane_calls_in_row(l->d, s->op + i, s->nops - i);
        if (row)
            row_of_calls(l, s->op + i, row, r);
        else
            reach = least(reach, statement(l, s->op[i], r));
        i += row ? row : 1;
    }
    return reach;
}

static int statement(Lineariser *l, Node *s, Region *r)
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

Node *lanes_linearised(Divergence *d, const LoopEntry *entry, const Facts *facts, Node *body,
                       Node *mask)
{
    Lineariser l = {.d = d,
                    .cx = d->cx,
                    .certain = !mask,
                    .done = map_new(d->cx->arena),
                    .entry = entry,
                    .facts = facts};
    int reach;
    Stmts out = {0};
    l.out = &out;
    d->regions.at[0]->mask = mask ? vec_local(&l, "there", mask) : NULL;
    reach = statement(&l, body, d->regions.at[0]);
    CHECK(d->cx, reach == NOWHERE, "lanes leave their loop");
    return loops_block(d->cx, out.len, out.at);
}
