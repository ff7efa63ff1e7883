// Branches on an unknown condition. Both sides are evaluated with the same knowledge about the
// cells, and what they learn is merged after the branch. If one side ends with a jump, the other
// side is spliced into the block, after a guard: `if c { return(x) } rest` needs no label.
#include "staging/values/stage.h"

typedef struct {
    Block *block;
    const Known *value;
    Changes changes;
} Side;

// Whether a condition of this operator is made of conditions.
static bool joins_conditions(Prim op)
{
    return op == PRIM_NOT || op == PRIM_AND || op == PRIM_OR || prim_is_hint(op);
}

// The condition with its variables expanded to the terms that they are bound to.
static Node *written_out(Stage *s, Node *c, int *left)
{
    Prim op = c->kind == CORE_PRIM ? (Prim)c->attr.i : PRIM_COUNT;
    Node *term = c->kind == PH_VAR ? map_get(&s->conditions, MAP_KEY(c)) : NULL;
    if (--*left < 0) return c;
    if (term) return written_out(s, term, left);
    if (c->kind != CORE_IF && !joins_conditions(op)) return c;
    Node *ops[3];
    for (uint32_t i = 0; i < c->nops; i++) ops[i] = written_out(s, c->op[i], left);
    return node_with_ops(s->cx, c, ops);
}

// Whether the condition consists only of size comparisons. Such a condition is not bound to a
// variable, so that all later stages can use it as a guard.
static bool compares_sizes(Node *c, int *left)
{
    if (--*left < 0) return false;
    Prim op = c->kind == CORE_PRIM ? (Prim)c->attr.i : PRIM_COUNT;
    if (c->kind == CORE_LIT) return true;
    if (c->kind != CORE_IF && c->kind != CORE_PRIM) return false;
    bool joins = c->kind == CORE_IF || joins_conditions(op);
    for (uint32_t i = 0; i < c->nops; i++) {
        Node *x = c->op[i];
        if (joins ? !compares_sizes(x, left) : x->kind != CORE_NAT && x->kind != CORE_LIT)
            return false;
    }
    return true;
}

static Side evaluate_side(Stage *s, int k, Node *condition, Scope scope, Arm *arm, void *env)
{
    Side side = {.block = stage_block(s, scope.block)};
    const SizeCondition *holds = core_size_condition(s->cx, s->arena, condition, k == 0);
    if (holds) side.block->guard = size_guard_push(s->arena, side.block->guard, holds);
    int mark = s->trail.len;
    scope.block = side.block;
    side.value = arm(s, k, scope, env);
    side.changes = stage_take_back(s, mark);
    return side;
}

static Node *conditional(Stage *s, Node *condition, Node *type, Span origin, Node *a, Node *b)
{
    return stage_term(s, CORE_IF, type, origin, 3, (Node *[]){condition, a, b});
}

// Splices the continuing side into the block, after a guard with the side that has ended.
static const Known *guarded(Stage *s, Node *condition, Side *sides, int leaving, Block *block)
{
    Side *other = &sides[1 - leaving];
    Item guard = {.value = condition,
                  .leaving = stage_block_close(s, sides[leaving].block, NULL),
                  .sense = leaving == 0};
    vec_push(s->arena, &block->items, guard);
    block->effects = true;
    s->effects++;
    stage_splice(s, block, other->block);
    block->guard = other->block->guard;
    stage_redo(s, &other->changes);
    return other->value;
}

static Node *closed(Stage *s, const Side *side, Span origin)
{
    return stage_block_close(s, side->block, stage_data(s, side->value, origin));
}

// Joins the sides. A branch with side effects becomes a statement; the value of a pure branch is
// let-bound only when it gets a name.
static const Known *joined(Stage *s, Node *condition, Node *type, Span origin, const Side *sides,
                           Block *block)
{
    Node *a = closed(s, &sides[0], origin), *b = closed(s, &sides[1], origin);
    if (s->failed) return known_error(s);
    bool empty = sides[0].block->items.len == 0 && sides[1].block->items.len == 0;
    stage_merge(s, &sides[0].changes, &sides[1].changes, empty ? condition : NULL);
    bool effects = sides[0].block->effects || sides[1].block->effects;
    if (a == b && sides[0].block->items.len == 0) return sides[0].value;
    Node *e = conditional(s, condition, type, origin, a, b);
    if (!effects) return known_term(s, e);
    Node *var = stage_emit_effect(s, block, e, NULL);
    return type_is_unit(type) ? known_unit(s) : known_term(s, var);
}

const Known *stage_choose(Stage *s, Node *condition, Node *type, Span origin, Scope scope, Arm *arm,
                          void *env)
{
    enum { MOST_PARTS = 64 };
    int parts = MOST_PARTS, again = MOST_PARTS;
    Node *written = written_out(s, condition, &parts);
    condition = compares_sizes(written, &again)
                    ? written
                    : stage_bind(s, known_term(s, condition), NULL, scope.block)->node;
    Side sides[2];
    for (int k = 0; k < 2; k++) {
        sides[k] = evaluate_side(s, k, written, scope, arm, env);
        if (s->failed) return known_error(s);
    }
    bool ends[2] = {sides[0].block->end, sides[1].block->end};
    if (ends[0] && ends[1]) {
        Node *a = stage_block_close(s, sides[0].block, NULL);
        Node *b = stage_block_close(s, sides[1].block, NULL);
        return stage_end(s, scope.block,
                         conditional(s, condition, type_never(s->cx), origin, a, b));
    }
    if (ends[0] || ends[1]) return guarded(s, condition, sides, ends[0] ? 0 : 1, scope.block);
    if (sides[0].value == sides[1].value && !type_is_data(type) && sides[0].block->items.len == 0 &&
        sides[1].block->items.len == 0)
        return sides[0].value;
    return joined(s, condition, type, origin, sides, scope.block);
}
