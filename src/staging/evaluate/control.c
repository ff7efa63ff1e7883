// Labels, jumps and loops. A jump ends the block it stands in; a label is a block that may be left.
// What a loop assigns is forgotten before its body is evaluated, once for all iterations.
#include "staging/values/stage.h"

// --- labels ------------------------------------------------------------------------------------

Label *stage_label_new(Stage *s, Node *type, Scope scope, Block *block)
{
    Label *l = ARENA_NEW(s->arena, Label);
    Node *unit = type_fun(s->cx, 0, NULL, type_never(s->cx));
    Node *fun = type_is_unit(type) ? unit : type_fun(s->cx, 1, &type, type_never(s->cx));
    *l = (Label){.var = stage_variable(s, fun, session_sym(s->cx, "leave")),
                 .type = type,
                 .block = block,
                 .tail = scope.tail,
                 .function = s->function,
                 .number = s->labels++};
    return l;
}

static const Known *label_value(Stage *s, Label *l)
{
    Known *k = ARENA_NEW(s->arena, Known);
    *k = (Known){.kind = KNOWN_LABEL, .node = l->var, .label = l};
    return k;
}

// The term without tail jumps to the label, which only give it its value.
static Node *without_tail_jumps(Stage *s, const Label *l, Node *e, int *removed)
{
    VEC(Node *) lets = {0};
    int before = *removed;
    for (; e->kind == CORE_LET; e = e->op[1]->op[1]) vec_push(s->arena, &lets, e);
    if (e->kind == CORE_JUMP && e->op[0] == l->var) {
        e = e->nops == 1 ? stage_data(s, known_unit(s), e->origin) : e->op[1];
        ++*removed;
    } else if (e->kind == CORE_IF) {
        Node *ops[3] = {e->op[0], without_tail_jumps(s, l, e->op[1], removed),
                        without_tail_jumps(s, l, e->op[2], removed)};
        if (*removed != before) e = stage_term(s, CORE_IF, l->type, e->origin, 3, ops);
    }
    if (*removed == before) return lets.len ? lets.at[0] : e;
    for (int i = lets.len - 1; i >= 0; i--) {
        Node *let = lets.at[i], *ops[2] = {let->op[1]->op[0], e};
        Node *under = stage_term(s, CORE_TUPLE, e->type, NO_SPAN, 2, ops);
        e = stage_term(s, CORE_LET, e->type, let->origin, 2, (Node *[]){let->op[0], under});
    }
    return e;
}

Node *stage_label_around(Stage *s, Label *l, Node *body, Span origin)
{
    int removed = 0;
    body = without_tail_jumps(s, l, body, &removed);
    if (removed == l->jumps) return body;
    Node *under = stage_term(s, CORE_TUPLE, l->type, NO_SPAN, 2, (Node *[]){l->var, body});
    return stage_term(s, CORE_LABEL, l->type, origin, 1, &under);
}

// The value carried by the jump to the label that ended the block.
static const Known *carried(Stage *s, const Label *l, const Block *block)
{
    Node *e = block->end;
    if (l->jumps != 1 || !e || e->kind != CORE_JUMP || e->op[0] != l->var) return NULL;
    return e->nops == 1 ? known_unit(s) : known_term(s, e->op[1]);
}

// Values read in the label's block are known as variables of that block.
static const Known *close_label(Stage *s, Label *l, const Known *v, Before before, Span origin,
                                Block *block)
{
    Block *own = l->block;
    const Known *only = carried(s, l, own);
    l->block = NULL;
    if (l->jumps == 0 || only) {
        if (only) own->end = NULL;
        stage_splice(s, block, own);
        return only ? only : v;
    }
    Node *value = own->end ? NULL : stage_data(s, v, origin);
    if (s->failed) return known_error(s);
    Node *e = stage_label_around(s, l, stage_block_close(s, own, value), origin);
    stage_forget_since(s, before);
    Node *var = stage_emit_effect(s, block, e, NULL);
    return type_is_unit(l->type) ? known_unit(s) : known_term(s, var);
}

const Known *stage_label(Stage *s, Node *e, Scope scope)
{
    Block *own = stage_block(s, scope.block);
    Label *l = stage_label_new(s, e->type, scope, own);
    Before before = stage_before(s);
    s->effects++;
    Scope inside = {stage_env_push(s, scope.env, label_value(s, l)), scope.chain, own, scope.tail,
                    NULL};
    const Known *v = stage_evaluate(s, e->op[0], inside);
    if (s->failed) return known_error(s);
    return close_label(s, l, v, before, e->origin, scope.block);
}

static const char *const barrier_text[] = {
    [BARRIER_PATTERN] = "a jump cannot leave a function given to a pattern",
    [BARRIER_PARALLEL] = "a jump cannot leave an iteration that runs in parallel",
    [BARRIER_VECTORIZE] = "a jump cannot leave lanes that run in lockstep",
    [BARRIER_SPAWN] = "a jump cannot leave a task",
};

// Whether the label is around the block, with nothing between that can't be left.
static bool is_around(Stage *s, const Label *l, Span origin, const Block *block)
{
    for (const Block *b = block; b; b = b->up) {
        if (b == l->block) return true;
        if (b->barrier == BARRIER_NONE) continue;
        Diag *d = stage_report(s, E0505, origin, "%s", barrier_text[b->barrier]);
        if (d && b->span.file) diag_note(s->cx, d, b->span, "this one");
        return false;
    }
    if (l->function == s->function || !l->block) {
        stage_report(s, E0505, origin,
                     "this continuation is called after the code that it leaves has ended");
        return false;
    }
    return true;
}

const Known *stage_jump(Stage *s, Label *l, const Known *value, Span origin, Block *block)
{
    if (!is_around(s, l, origin, block)) return known_error(s);
    if (l->function != s->function) return stage_exit(s, l, value, origin, block);
    Node *ops[2] = {l->var, value && !type_is_unit(l->type) ? stage_data(s, value, origin) : NULL};
    if (s->failed) return known_error(s);
    l->jumps++;
    return stage_end(s, block,
                     stage_term(s, CORE_JUMP, type_never(s->cx), origin, ops[1] ? 2 : 1, ops));
}

// --- loops -------------------------------------------------------------------------------------

// Checks that everything the loop wrote was forgotten before it.
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
    const Known *v = stage_evaluate(s, e->op[0], (Scope){scope.env, scope.chain, own, NULL, NULL});
    if (s->failed) return known_error(s);
    if (v->kind == KNOWN_NEVER) { // at most one iteration
        stage_splice(s, scope.block, own);
        return v;
    }
    check_written(s, written, before, &cells);
    (void)stage_take_back(s, mark);
    Node *body = stage_block_close(s, own, stage_data(s, known_unit(s), e->origin));
    return stage_end(s, scope.block,
                     stage_term(s, CORE_FOREVER, type_never(s->cx), e->origin, 1, &body));
}

// for i in unroll(2, 5): with i = 2, 3, 4. Literals of the type, in the order of that type.
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

// range, unroll, parallel, vectorize: (extra,) from, to, body
const Known *stage_range(Stage *s, Node *e, Scope scope)
{
    int n = (int)e->nops - 1;
    Node *ops[4];
    scope.tail = NULL;
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
    if (!s->failed && e->kind != CORE_RANGE) stage_check_lanes(s, ops[n], e->kind == CORE_PARALLEL);
    if (s->failed) return known_error(s);
    check_written(s, written, before, &cells);
    stage_forget_all(s, &cells);
    Node *loop = node_with_ops(s->cx, e, ops);
    if (e->kind == CORE_PARALLEL) stage_check_races(s, loop);
    (void)stage_emit_effect(s, scope.block, loop, NULL);
    return s->failed ? known_error(s) : known_unit(s);
}

// --- tasks --------------------------------------------------------------------------------------

// As a loop with one iteration: what the body assigns is not known before it has ended.
const Known *stage_spawn(Stage *s, Node *e, Scope scope)
{
    scope.tail = NULL;
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

const Known *stage_sync(Stage *s, Node *e, Scope scope)
{
    scope.tail = NULL;
    const Known *id = stage_operand(s, e->op[0], scope);
    if (known_stops(id)) return id;
    Node *number = stage_data(s, id, e->origin);
    (void)stage_emit_effect(s, scope.block, node_with_op(s->cx, e, 0, number), NULL);
    return known_unit(s);
}
