// Calls in a vectorised body. A function takes the scalars of one lane, so a loop calls it for each
// lane; the rest of the body is vectorised. Arguments and results are passed in stack arrays, with
// an element for each lane:
//
//   y = f(x * x)                   given[0 ..] = x * x
//                      becomes     for k in 0 .. lanes { if mask[k] { y_of[k] = f(given[k]) } }
//                                  y = y_of[0 ..]
//
// Consecutive calls share such a loop: all calls of a lane precede those of the next lane. The
// order within a lane is preserved.
#include "loops/vector/vectors.h"

typedef struct {
    IfConverter *l;
    Node *call, *mask, *lane; // `call` is the current call, `lane` the number of the lane
    Map arrays;               // local that calls take by address -> name of its array
    Stmts inside, after;      // the statements of each lane, and those after the loop
} LaneCall;

// Declares a new array with an element for each lane. It is initialised with `values`, unless they
// are NULL.
static Sym array_of_lanes(const LaneCall *c, const char *name, Node *element, Node *values)
{
    Session *cx = c->l->cx;
    Sym array = sym_fresh(cx->syms, name);
    Node *count = nat_const(cx, c->l->d->lanes), *zero = nat_const(cx, 0);
    Span at = c->call->origin;
    vec_push(cx->arena, c->l->out, loops_stack(cx, array, element, count, at));
    if (values) vec_push(cx->arena, c->l->out, loops_store(cx, array, zero, values, at));
    return array;
}

static Node *value_in_lane(LaneCall *c, Node *e)
{
    Sym local = lane_argument_local(e), kept = local ? map_get(&c->arrays, MAP_KEY(local)) : NULL;
    if (kept) return loops_load(c->l->cx, kept, e->type, c->lane);
    Node *scalar = lane_scalar(c->l->d, e, c->lane);
    if (scalar) return scalar;
    Node *values = vector_value(c->l, e, c->mask);
    return loops_load(c->l->cx, array_of_lanes(c, "given", e->type, values), e->type, c->lane);
}

// The position in shared memory that the lane accesses. Positions computed as i32 are passed in an
// array of i32.
static Node *position_in_lane(LaneCall *c, Node *position)
{
    Session *cx = c->l->cx;
    Node *size = divergence_size_in_lane(c->l->d, position, c->lane);
    if (size) return size;
    NarrowPosition n;
    bool near =
        narrow_position(c->l->d, c->l->facts, position, &n) && narrow_position_is_simple(&n);
    Node *i64 = type_scalar(cx, SCALAR_I64), *type = near ? n.base->type : i64;
    Node *values =
        near ? vector_value(c->l, n.base, c->mask) : vector_size(c->l, position, c->mask);
    Sym array = array_of_lanes(c, "at", type, values), at = sym_fresh(cx->syms, "at");
    Node *number = core_cast(cx, loops_load(cx, array, type, c->lane), i64);
    vec_push(cx->arena, &c->inside, loops_decl(cx, at, i64, number, c->call->origin));
    return near ? nat_add(cx, nat_var(cx, at), n.offset) : nat_var(cx, at);
}

// The address of a new local for an unused result.
static Node *unused_result(LaneCall *c, Node *decl)
{
    Session *cx = c->l->cx;
    Sym local = sym_fresh(cx->syms, decl->attr.sym->text);
    vec_push(cx->arena, &c->inside,
             loops_decl(cx, local, decl->op[0], decl->op[1], c->call->origin));
    return loops_address(cx, local, nat_const(cx, 0));
}

// Removes the declaration of a result if no later statement uses the local, so that the declaration
// can follow the call. Returns whether it did.
static bool remove_declaration(IfConverter *l, Sym local)
{
    int at = l->out->len - 1;
    for (; at >= 0 && l->out->at[at]->attr.sym != local; at--) {
        Node *s = l->out->at[at];
        bool passed = loops_is_declaration(s) || s->kind == LOOP_STORE;
        if (!passed || loops_uses(l->cx, s, local)) return false;
    }
    if (at < 0 || l->out->at[at]->kind != LOOP_DECL) return false;
    l->out->len--;
    for (int i = at; i < l->out->len; i++) l->out->at[i] = l->out->at[i + 1];
    return true;
}

// The array that holds the vector of a local during the calls. Inactive lanes keep their elements.
static Sym array_of_local(LaneCall *c, Node *decl, const LoopParam *p)
{
    Session *cx = c->l->cx;
    Sym local = decl->attr.sym, array = map_get(&c->arrays, MAP_KEY(local));
    if (array) return array;
    Node *type = vec_type(c->l->d, decl->op[0]);
    bool begins = p->output && loops_is_nothing(decl->op[1]) && remove_declaration(c->l, local);
    Node *now = begins ? loops_zeros(cx, type) : loops_local(cx, local, type);
    array = array_of_lanes(c, local->text, decl->op[0], p->output && !c->mask ? NULL : now);
    map_put(&c->arrays, MAP_KEY(local), (void *)(uintptr_t)array);
    Node *result = loops_load(cx, array, type, nat_const(cx, 0));
    vec_push(cx->arena, &c->after,
             begins ? loops_decl(cx, local, type, result, c->call->origin)
                    : loops_set(cx, local, result, c->call->origin));
    return array;
}

static Node *argument(LaneCall *c, Node *arg, const LoopParam *p)
{
    if (arg->kind != LOOP_ADDRESS) return value_in_lane(c, arg);
    const LaneName *known = map_get(&c->l->d->names, MAP_KEY(arg->attr.sym));
    bool local = known && known->stmt->kind == LOOP_DECL;
    bool nothing = local && loops_is_nothing(known->stmt->op[1]);
    if (nothing && p->output && !known->read) return unused_result(c, known->stmt);
    if (local && divergence_varies(c->l->d, arg->attr.sym))
        return loops_address(c->l->cx, array_of_local(c, known->stmt, p), c->lane);
    return node_with_op(c->l->cx, arg, 0, position_in_lane(c, arg->op[0]));
}

static void put_call(LaneCall *c, Node *call)
{
    Session *cx = c->l->cx;
    const LoopEntry *f = lane_callee(c->l->d, call);
    Node **ops = ARENA_ARRAY(cx->arena, Node *, call->nops + 1);
    c->call = call;
    for (uint32_t i = 0; i < call->nops; i++) ops[i] = argument(c, call->op[i], &f->params.at[i]);
    vec_push(cx->arena, &c->inside, node_with_ops(cx, call, ops));
}

// The statements of a lane, guarded by its mask.
static Node *guarded_by_mask(const LaneCall *c)
{
    Session *cx = c->l->cx;
    Node *body = loops_block(cx, c->inside.len, c->inside.at);
    if (!c->mask) return body;
    Node *ops[] = {c->mask, c->lane};
    NodeSpec on = {.kind = LOOP_LANE, .type = type_scalar(cx, SCALAR_BOOL), .nops = 2, .ops = ops};
    return loops_if(cx, node_make(cx, &on), body, loops_block(cx, 0, NULL), c->call->origin);
}

void lane_calls(IfConverter *l, Node *const *calls, int n, Node *mask)
{
    Session *cx = l->cx;
    Sym lane = sym_fresh(cx->syms, "lane");
    LaneCall c = {.l = l, .mask = mask, .lane = nat_var(cx, lane), .arrays = map_new(cx->arena)};
    if (n == 1 && lane_call_is_uniform(l->d, calls[0])) {
        vec_push(cx->arena, l->out, calls[0]);
        return;
    }
    for (int i = 0; i < n; i++) put_call(&c, calls[i]);
    Node *body = guarded_by_mask(&c), *all = nat_const(cx, l->d->lanes);
    Node *each = loops_counted(cx, lane, nat_const(cx, 0), all, body, calls[0]->origin);
    vec_push(cx->arena, l->out, node_with_variant(cx, each, VARIANT_SEQ));
    for (int i = 0; i < c.after.len; i++) vec_push(cx->arena, l->out, c.after.at[i]);
}
