// Loops and tasks. The body of a loop is evaluated once for all iterations, so the contents of the
// variables that it assigns are forgotten before the loop.
#include "staging/values/stage.h"

// Checks that the contents of all cells written in the loop were forgotten before it.
static void check_written(Stage *s, int from, int cells, const Cells *forgotten)
{
    for (int i = 0; i < forgotten->len; i++) forgotten->at[i]->loops = true;
    for (int i = from; i < s->written.len; i++)
        CHECK(s->cx, s->written.at[i]->number >= cells || s->written.at[i]->loops,
              "a loop assigns a variable that was not foreseen");
    for (int i = 0; i < forgotten->len; i++) forgotten->at[i]->loops = false;
}

const Known *stage_forever(Stage *s, Node *e, Scope scope)
{
    Cells cells = {0};
    stage_reach_term(s, e->op[0], scope.env, &cells);
    stage_forget_all(s, &cells);
    int written = s->written.len, before = s->cells, mark = s->trail.len;
    Block *own = stage_block(s, scope.block);
    const Known *v =
        stage_evaluate(s, e->op[0], (Scope){.env = scope.env, .chain = scope.chain, .block = own});
    if (s->failed) return known_error(s);
    if (v->kind == KNOWN_NEVER) { // the body never reaches its end, so it runs only once
        stage_splice(s, scope.block, own);
        return v;
    }
    check_written(s, written, before, &cells);
    (void)stage_take_back(s, mark);
    Node *body = stage_block_close(s, own, stage_data(s, known_unit(s), e->origin));
    return stage_end(s, scope.block,
                     stage_term(s, CORE_FOREVER, type_never(s->cx), e->origin, 1, &body));
}

// Evaluates `for i in unroll(2, 5)` with i = 2, 3, 4. The bounds are literals, and are compared as
// values of their type.
static const Known *unrolled(Stage *s, const Known *f, Node *from, Node *to, Span origin,
                             Scope scope)
{
    bool is_unsigned = scalar_info[from->type->attr.i].class == CLASS_UINT;
    for (int64_t i = from->attr.i, end = to->attr.i;
         is_unsigned ? (uint64_t)i < (uint64_t)end : i < end; i++) {
        const Known *index = known_term(s, core_int(s->cx, from->type, i));
        const Known *v = stage_apply(s, f, 1, &index, origin, scope);
        if (known_stops(v)) return v;
        if (!stage_step(s)) return known_error(s);
    }
    return known_unit(s);
}

static Barrier barrier_of(Kind kind)
{
    if (kind == CORE_PARALLEL) return BARRIER_PARALLEL;
    return kind == CORE_VECTORIZE ? BARRIER_VECTORIZE : BARRIER_NONE;
}

static bool lanes_known(Stage *s, Node *e, Node *lanes)
{
    if (e->kind != CORE_VECTORIZE) return true;
    if (lanes->kind == CORE_LIT && (int64_t)lanes->attr.bits > 0) return true;
    Diag *d =
        stage_report(s, E0506, e->origin,
                     lanes->kind == CORE_LIT ? "there must be at least one lane"
                                             : "the number of lanes is not known at compile time");
    if (d)
        diag_help(s->cx, d,
                  "use a literal, or a parameter that is known at each call of the function");
    return false;
}

// Evaluates range, unroll, parallel or vectorize. The last three operands are from, to and body. In
// parallel and vectorize, the number of threads or lanes precedes them.
const Known *stage_range(Stage *s, Node *e, Scope scope)
{
    int n = (int)e->nops - 1;
    Node *ops[4];
    scope.tail = NULL;
    scope.last = NULL;
    for (int i = 0; i < n; i++) {
        const Known *v = stage_operand(s, e->op[i], scope);
        if (known_stops(v)) return v;
        ops[i] = stage_data(s, stage_bind(s, v, NULL, scope.block), e->origin);
    }
    const Known *f = stage_operand(s, e->op[n], scope);
    if (known_stops(f)) return f;
    if (s->failed || !lanes_known(s, e, ops[0])) return known_error(s);
    Node *from = ops[n - 2], *to = ops[n - 1];
    bool known = from->kind == CORE_LIT && to->kind == CORE_LIT;
    if (known && e->variant == VARIANT_UNROLL) return unrolled(s, f, from, to, e->origin, scope);
    Cells cells = {0};
    stage_reach(s, f, e->op[n]->type, false, &cells);
    stage_forget_all(s, &cells);
    int written = s->written.len, before = s->cells;
    ops[n] = stage_lambda(s, f, e->op[n]->type, e->origin, scope, barrier_of((Kind)e->kind));
    bool once = e->kind == CORE_PARALLEL && known &&
                (uint64_t)to->attr.i - (uint64_t)from->attr.i <= 1; // no iterations collide
    if (!s->failed && e->kind != CORE_RANGE && !once)
        stage_check_lanes(s, ops[n], e->kind == CORE_PARALLEL);
    if (s->failed) return known_error(s);
    check_written(s, written, before, &cells);
    stage_forget_all(s, &cells);
    NodeSpec spec = {.kind = (Kind)e->kind,
                     .variant = (Variant)e->variant,
                     .type = e->type,
                     .nops = n + 1,
                     .ops = ops,
                     .origin = stage_outside(scope.chain, "std.gpu", e->origin)};
    Node *loop = node_make(s->cx, &spec);
    if (e->kind == CORE_PARALLEL) stage_check_races(s, loop);
    (void)stage_emit_effect(s, scope.block, loop, NULL);
    return s->failed ? known_error(s) : known_unit(s);
}

// --- tasks --------------------------------------------------------------------------------------

// Evaluates a spawn like a loop with one iteration. The contents of variables that the task assigns
// are unknown until the task has ended.
const Known *stage_spawn(Stage *s, Node *e, Scope scope)
{
    scope.tail = NULL;
    scope.last = NULL;
    const Known *f = stage_operand(s, e->op[0], scope);
    if (known_stops(f)) return f;
    Cells cells = {0};
    stage_reach(s, f, e->op[0]->type, false, &cells);
    stage_forget_all(s, &cells);
    int written = s->written.len, before = s->cells;
    Node *body = stage_lambda(s, f, e->op[0]->type, e->origin, scope, BARRIER_SPAWN);
    if (s->failed) return known_error(s);
    check_written(s, written, before, &cells);
    stage_forget_all(s, &cells);
    return known_term(s, stage_emit_effect(s, scope.block, node_with_op(s->cx, e, 0, body), NULL));
}

// An array that is never assigned is an operand itself, without a location. One that is known has no
// memory.
const Known *stage_prefetch(Stage *s, Node *e, Scope scope)
{
    scope.tail = NULL;
    scope.last = NULL;
    const Known *xs = stage_operand(s, e->op[0], scope);
    if (known_stops(xs)) return xs;
    const Known *i = stage_operand(s, e->op[1], scope);
    if (known_stops(i)) return i;
    if (xs->kind == KNOWN_CONST) xs = xs->parts[0];
    if (xs->kind != KNOWN_TERM && xs->kind != KNOWN_REF) return known_unit(s);
    Node *place = xs->node->kind == CORE_REF_LANE ? xs->node->op[0] : xs->node;
    Node *ops[2] = {place, stage_data(s, i, e->origin)};
    if (s->failed) return known_error(s);
    (void)stage_emit_effect(s, scope.block,
                            stage_term(s, CORE_PREFETCH, e->type, e->origin, 2, ops), NULL);
    return known_unit(s);
}

const Known *stage_sync(Stage *s, Node *e, Scope scope)
{
    scope.tail = NULL;
    scope.last = NULL;
    const Known *id = stage_operand(s, e->op[0], scope);
    if (known_stops(id)) return id;
    Node *number = stage_data(s, id, e->origin);
    (void)stage_emit_effect(s, scope.block, node_with_op(s->cx, e, 0, number), NULL);
    return known_unit(s);
}
