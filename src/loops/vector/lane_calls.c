// Calls in a vectorised body. A function takes the scalars of one lane, so a loop calls it lane by
// lane; the rest of the body stays in vectors. Arguments and results are passed in arrays on the
// stack, with an element for each lane:
//
//   y = f(x * x)                   given[0 ..] = x * x
//                      becomes     for k in 0 .. lanes { if mask[k] { y_of[k] = f(given[k]) } }
//                                  y = y_of[0 ..]
//
// Consecutive calls share such a loop: a lane makes all of them before the next lane makes its own.
// The order within a lane is preserved. Side effects keep the order of the iterations, too, if all
// calls that have some are consecutive, outside of loops of the body, and nothing else in the body
// may fail; otherwise the loop over lanes stays scalar.
#include "loops/vector/vectors.h"

// --- effects ------------------------------------------------------------------------------------

static bool calls_one_of(Node *s, const Map *effects)
{
    if (s->kind == LOOP_CALL && map_get(effects, MAP_KEY(s->attr.sym))) return true;
    if (s->kind == LOOP_CALL && core_print_step_of(s->attr.sym) != PRINT_COUNT) return true;
    for (uint32_t i = 0; i < s->nops; i++)
        if (loops_is_stmt(s->op[i]) && calls_one_of(s->op[i], effects)) return true;
    return false;
}

// A C function may have any effect. Atomic updates may come in any order.
static bool has_effects(const LoopEntry *f, const Map *effects)
{
    if (core_atomic_of(f->name) != ATOMIC_COUNT) return false;
    return f->external || calls_one_of(f->body, effects);
}

LaneCallees lane_callees(Session *cx, const LoopEntry *entry)
{
    LaneCallees c = {entry, map_new(cx->arena)};
    bool grown = true;
    while (grown) {
        grown = false;
        for (int i = 0; i < entry->callees.len; i++) {
            const LoopEntry *f = entry->callees.at[i];
            if (map_get(&c.effects, MAP_KEY(f->name)) || !has_effects(f, &c.effects)) continue;
            map_put(&c.effects, MAP_KEY(f->name), (void *)(uintptr_t)f);
            grown = true;
        }
    }
    return c;
}

const LoopEntry *lane_callee(const Divergence *d, Node *call)
{
    return d->callees ? loops_callee(d->callees->entry, call->attr.sym) : NULL;
}

static bool is_effect(const Divergence *d, Node *call)
{
    return map_get(&d->callees->effects, MAP_KEY(call->attr.sym)) != NULL;
}

// --- operands of a lane -------------------------------------------------------------------------

bool lane_call_writes(const LoopEntry *f, int argument)
{
    const LoopParam *p = &f->params.at[argument];
    return p->output || p->both;
}

bool lane_call_is_uniform(Divergence *d, Node *call)
{
    const LoopEntry *f = lane_callee(d, call);
    bool atomic = core_atomic_of(call->attr.sym) != ATOMIC_COUNT;
    if (!f || atomic || is_effect(d, call)) return false;
    for (uint32_t i = 0; i < call->nops; i++) {
        Node *arg = call->op[i], *value = arg->kind == LOOP_ADDRESS ? arg->op[0] : arg;
        bool varies = arg->kind == LOOP_ADDRESS && divergence_varies(d, arg->attr.sym);
        if (varies || !shape_is_uniform(divergence_of(d, value))) return false;
    }
    return true;
}

Node *lane_scalar(Divergence *d, Node *e, Node *lane)
{
    Session *cx = d->cx;
    bool own = e->kind == LOOP_LOAD && divergence_array(d, e->attr.sym); // interleaved by lane
    Shape by = divergence_of(d, e);
    if (shape_is_uniform(by)) return e;
    if (e->kind == CORE_NAT || (e->kind == LOOP_LOAD && !own)) {
        Node *size = divergence_size_in_lane(d, e->op[0], lane);
        if (!size) return NULL;
        return e->kind == CORE_NAT ? core_size(cx, size) : node_with_op(cx, e, 0, size);
    }
    if (e->kind == CORE_CAST) {
        Node *of = lane_scalar(d, e->op[0], lane);
        return of ? node_with_op(cx, e, 0, of) : NULL;
    }
    if (by.varies) return NULL;
    Node *steps = core_size(cx, nat_mul(cx, nat_const(cx, by.step), lane));
    return core_prim(cx, PRIM_ADD, 2, (Node *[]){e, steps});
}

// --- consecutive calls --------------------------------------------------------------------------

// The local that an argument is, whose elements are in memory during the calls; or NULL.
static Sym local_of(Node *e)
{
    if (e->kind == LOOP_VAR) return e->attr.sym;
    return e->kind == CORE_NAT && e->op[0]->kind == NAT_VAR ? e->op[0]->attr.sym : NULL;
}

// Whether the call can share the loop of the calls before it: it passes on locals that they write,
// but computes nothing from them.
static bool can_join(Session *cx, Node *call, const Map *written)
{
    for (uint32_t i = 0; i < call->nops; i++) {
        Node *arg = call->op[i], *value = arg->kind == LOOP_ADDRESS ? arg->op[0] : arg;
        bool plain = value == arg && local_of(arg);
        if (!plain && loops_reads_any(cx, value, written)) return false;
    }
    return true;
}

static void note_written(Node *call, const LoopEntry *f, Map *written)
{
    for (uint32_t i = 0; i < call->nops; i++)
        if (call->op[i]->kind == LOOP_ADDRESS && lane_call_writes(f, (int)i))
            map_put(written, MAP_KEY(call->op[i]->attr.sym), written);
}

uint32_t lane_calls_consecutive(Divergence *d, Node *const *stmts, uint32_t n)
{
    uint32_t row = 0;
    if (n == 0 || stmts[0]->kind != LOOP_CALL) return 0;
    Map written = map_new(d->cx->arena);
    for (uint32_t i = 0; i < n; i++) {
        Node *s = stmts[i];
        if (s->kind == LOOP_DECL && loops_is_nothing(s->op[1])) continue;
        const LoopEntry *f = s->kind == LOOP_CALL ? lane_callee(d, s) : NULL;
        if (!f || lane_call_is_uniform(d, s) || !can_join(d->cx, s, &written)) break;
        note_written(s, f, &written);
        row = i + 1;
    }
    return row;
}

typedef struct {
    Node *first;   // call with a side effect
    bool repeated; // there is another one, not consecutive, or the call is in a loop
    bool may_fail; // there is a check, or a call of another function
    int loops;     // around
} Effects;

static void visit_effects(Divergence *d, Node *s, Effects *seen);

static Node *first_effect(const Divergence *d, Node *const *row, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (row[i]->kind == LOOP_CALL && is_effect(d, row[i])) return row[i];
    return NULL;
}

static void visit_row(Divergence *d, Node *const *row, uint32_t n, Effects *seen)
{
    Node *outside = first_effect(d, row, n);
    if (outside) seen->repeated |= seen->first || seen->loops;
    if (!outside) seen->may_fail = true;
    if (!seen->first) seen->first = outside;
}

static void visit_block(Divergence *d, Node *block, Effects *seen)
{
    for (uint32_t i = 0; i < block->nops;) {
        uint32_t row = lane_calls_consecutive(d, block->op + i, block->nops - i);
        if (row)
            visit_row(d, block->op + i, row, seen);
        else
            visit_effects(d, block->op[i], seen);
        i += row ? row : 1;
    }
}

static void visit_effects(Divergence *d, Node *s, Effects *seen)
{
    bool loop = loops_is_counted(s) || s->kind == LOOP_FOREVER;
    if (s->kind == LOOP_BLOCK) {
        visit_block(d, s, seen);
        return;
    }
    if (s->kind == LOOP_CALL) visit_row(d, &s, 1, seen);
    seen->may_fail |= s->kind == LOOP_CHECK;
    seen->loops += loop;
    for (uint32_t i = 0; i < s->nops; i++)
        if (loops_is_stmt(s->op[i])) visit_effects(d, s->op[i], seen);
    seen->loops -= loop;
}

Node *lane_call_out_of_order(Divergence *d, Node *body)
{
    Effects seen = {0};
    if (d->callees) visit_effects(d, body, &seen);
    return seen.repeated || seen.may_fail ? seen.first : NULL;
}

// --- calls lane by lane -------------------------------------------------------------------------

typedef struct {
    IfConverter *l;
    Node *call, *mask, *lane; // call: the current one; lane: its number
    Map arrays;               // locals that calls take by address -> names of arrays
    Stmts inside, after;      // statements of each lane; statements after the loop
} LaneCall;

static Node *made(const LaneCall *c, Kind kind, Sym name, int n, Node *const *ops)
{
    return node_make(
        c->l->cx,
        &(NodeSpec){
            .kind = kind, .attr.sym = name, .nops = n, .ops = ops, .origin = c->call->origin});
}

static Node *load_of(const LaneCall *c, Sym array, Node *position, Node *type)
{
    return node_make(
        c->l->cx,
        &(NodeSpec){
            .kind = LOOP_LOAD, .attr.sym = array, .type = type, .nops = 1, .ops = &position});
}

// A new array with an element for each lane, initialised with these values (or NULL).
static Sym array_of_lanes(const LaneCall *c, const char *name, Node *element, Node *values)
{
    Session *cx = c->l->cx;
    Sym array = sym_fresh(cx->syms, name);
    Node *ops[] = {element, nat_const(cx, c->l->d->lanes)};
    NodeSpec alloc = {.origin = c->call->origin,
                      .kind = LOOP_ALLOC,
                      .variant = VARIANT_STACK,
                      .attr.sym = array,
                      .nops = 2,
                      .ops = ops};
    vec_push(cx->arena, c->l->out, node_make(cx, &alloc));
    if (values) {
        Node *store[] = {nat_const(cx, 0), values};
        vec_push(cx->arena, c->l->out, made(c, LOOP_STORE, array, 2, store));
    }
    return array;
}

static Node *value_in_lane(LaneCall *c, Node *e)
{
    Sym local = local_of(e), kept = local ? map_get(&c->arrays, MAP_KEY(local)) : NULL;
    if (kept) return load_of(c, kept, c->lane, e->type);
    Node *scalar = lane_scalar(c->l->d, e, c->lane);
    if (scalar) return scalar;
    Node *values = vector_value(c->l, e, c->mask);
    Sym array = array_of_lanes(c, "given", e->type, values);
    return load_of(c, array, c->lane, e->type);
}

// The lane's position in memory that lanes share. Positions computed as i32 are kept in an array
// of i32.
static Node *position_in_lane(LaneCall *c, Node *position)
{
    Session *cx = c->l->cx;
    Node *size = divergence_size_in_lane(c->l->d, position, c->lane);
    if (size) return size;
    Node *i64 = type_scalar(cx, SCALAR_I64), *offset = nat_const(cx, 0);
    Node *near = gather_base(c->l, position, &offset), *type = near ? near->type : i64;
    Node *values = near ? vector_value(c->l, near, c->mask) : vector_size(c->l, position, c->mask);
    Sym array = array_of_lanes(c, "at", type, values), at = sym_fresh(cx->syms, "at");
    Node *ops[] = {i64, core_cast(cx, load_of(c, array, c->lane, type), i64)};
    vec_push(cx->arena, &c->inside, made(c, LOOP_DECL, at, 2, ops));
    return nat_add(cx, nat_var(cx, at), offset);
}

// A local for a result that is not used.
static Node *unused_result(LaneCall *c, Node *decl)
{
    Session *cx = c->l->cx;
    Sym local = sym_fresh(cx->syms, decl->attr.sym->text);
    Node *zero = nat_const(cx, 0);
    vec_push(cx->arena, &c->inside, made(c, LOOP_DECL, local, 2, decl->op));
    return made(c, LOOP_ADDRESS, local, 1, &zero);
}

// Removes the declaration of a result, which can then follow the call, if no statement since uses
// the local.
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

// The array that holds a local's vector during the calls. Inactive lanes keep their elements.
static Sym array_of_local(LaneCall *c, Node *decl, const LoopParam *p)
{
    Session *cx = c->l->cx;
    Sym local = decl->attr.sym, array = map_get(&c->arrays, MAP_KEY(local));
    if (array) return array;
    Node *type = vec_type(c->l->d, decl->op[0]);
    Node *zero = node_make(cx, &(NodeSpec){.kind = CORE_LIT, .type = decl->op[0]});
    Node *now = node_make(cx, &(NodeSpec){.kind = LOOP_VAR, .attr.sym = local, .type = type});
    bool begins = p->output && loops_is_nothing(decl->op[1]) && remove_declaration(c->l, local);
    if (begins) now = vec_splat(c->l->d, zero);
    array = array_of_lanes(c, local->text, decl->op[0], p->output && !c->mask ? NULL : now);
    map_put(&c->arrays, MAP_KEY(local), (void *)(uintptr_t)array);
    Node *ops[] = {type, load_of(c, array, nat_const(cx, 0), type)};
    vec_push(cx->arena, &c->after,
             begins ? made(c, LOOP_DECL, local, 2, ops) : made(c, LOOP_SET, local, 1, ops + 1));
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
        return made(c, LOOP_ADDRESS, array_of_local(c, known->stmt, p), 1, &c->lane);
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
    Node *branch[] = {node_make(cx, &on), body, loops_block(cx, 0, NULL)};
    return made(c, LOOP_IF, NULL, 3, branch);
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
    Node *ops[] = {nat_const(cx, 0), nat_const(cx, l->d->lanes), guarded_by_mask(&c)};
    c.call = calls[0];
    Node *each = made(&c, LOOP_FOR, lane, 3, ops);
    vec_push(cx->arena, l->out, node_with_variant(cx, each, VARIANT_SEQ));
    for (int i = 0; i < c.after.len; i++) vec_push(cx->arena, l->out, c.after.at[i]);
}
