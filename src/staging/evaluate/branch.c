// Two ways by a condition that is not known. Both are evaluated from the same knowledge of the
// cells; behind them only what both agree on is known. When one way leaves by a jump the rest of
// the block is the other way: `if c { return(x) } rest` needs no label.
#include "staging/values/stage.h"

typedef struct {
    Block *block;
    const Known *value;
    Changes changes;
} Way;

static Way evaluate_way(Stage *s, int k, Scope scope, Arm *arm, void *env)
{
    Way way = {.block = stage_block(s, scope.block)};
    int mark = s->trail.len;
    scope.block = way.block;
    way.value = arm(s, k, scope, env);
    way.changes = stage_take_back(s, mark);
    return way;
}

static Node *conditional(Stage *s, Node *condition, Node *type, Span origin, Node *a, Node *b)
{
    return stage_term(s, CORE_IF, type, origin, 3, (Node *[]){condition, a, b});
}

// One way has ended: the rest is under the condition of the other.
static const Known *guarded(Stage *s, Node *condition, Way *ways, int leaving, Block *block)
{
    Way *other = &ways[1 - leaving];
    Item guard = {.value = condition,
                  .leaving = stage_block_close(s, ways[leaving].block, NULL),
                  .sense = leaving == 0};
    vec_push(s->arena, &block->items, guard);
    block->effects = true;
    s->effects++;
    stage_splice(s, block, other->block);
    stage_redo(s, &other->changes);
    return other->value;
}

static Node *closed(Stage *s, const Way *way, Span origin)
{
    return stage_block_close(s, way->block, stage_data(s, way->value, origin));
}

// Both come together. What has effects happens now; a mere value may wait until it is named.
static const Known *joined(Stage *s, Node *condition, Node *type, Span origin, const Way *ways,
                           Block *block)
{
    Node *a = closed(s, &ways[0], origin), *b = closed(s, &ways[1], origin);
    if (s->failed) return known_error(s);
    bool empty = ways[0].block->items.len == 0 && ways[1].block->items.len == 0;
    stage_merge(s, &ways[0].changes, &ways[1].changes, empty ? condition : NULL);
    bool effects = ways[0].block->effects || ways[1].block->effects;
    if (a == b && ways[0].block->items.len == 0) return ways[0].value;
    Node *e = conditional(s, condition, type, origin, a, b);
    if (!effects) return known_term(s, e);
    Node *var = stage_emit_effect(s, block, e, NULL);
    return type_is_unit(type) ? known_unit(s) : known_term(s, var);
}

const Known *stage_choose(Stage *s, Node *condition, Node *type, Span origin, Scope scope, Arm *arm,
                          void *env)
{
    condition = stage_bind(s, known_term(s, condition), NULL, scope.block)->node;
    Way ways[2];
    for (int k = 0; k < 2; k++) {
        ways[k] = evaluate_way(s, k, scope, arm, env);
        if (s->failed) return known_error(s);
    }
    bool ends[2] = {ways[0].block->end, ways[1].block->end};
    if (ends[0] && ends[1]) {
        Node *a = stage_block_close(s, ways[0].block, NULL);
        Node *b = stage_block_close(s, ways[1].block, NULL);
        return stage_end(s, scope.block,
                         conditional(s, condition, type_never(s->cx), origin, a, b));
    }
    if (ends[0] || ends[1]) return guarded(s, condition, ways, ends[0] ? 0 : 1, scope.block);
    if (ways[0].value == ways[1].value && !type_is_data(type) && ways[0].block->items.len == 0 &&
        ways[1].block->items.len == 0)
        return ways[0].value;
    return joined(s, condition, type, origin, ways, scope.block);
}
