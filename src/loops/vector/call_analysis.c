// Analyses the calls in a loop over lanes: their side effects, their uniform and scalar operands,
// and the groups of calls that share a loop over lanes. Side effects keep the order of the
// iterations if all calls with side effects are consecutive, outside the loops of the body, and
// nothing else in the body may fail. Otherwise, the loop over lanes stays scalar.
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

// Whether the function has side effects. A C function may have any. Atomic updates count as having
// none, since they may happen in any order.
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

Sym lane_argument_local(Node *e)
{
    if (e->kind == LOOP_VAR) return e->attr.sym;
    return e->kind == CORE_NAT && e->op[0]->kind == NAT_VAR ? e->op[0]->attr.sym : NULL;
}

// Whether the call can share the loop of the calls before it: it may pass on locals that they
// write, but not compute with them.
static bool can_join(Session *cx, Node *call, const Map *written)
{
    for (uint32_t i = 0; i < call->nops; i++) {
        Node *arg = call->op[i], *value = arg->kind == LOOP_ADDRESS ? arg->op[0] : arg;
        bool plain = value == arg && lane_argument_local(arg);
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
    Node *first;   // the first call with a side effect
    bool repeated; // another such call is not consecutive, or the call is in a loop
    bool may_fail; // there is a check, or a call to another function
    int loops;     // number of enclosing loops
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
    bool loop = loops_is(s, IS_LOOP);
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
