// Calls of patterns with a body, which remain in an entry that a schedule will change.
#include "ir/walk.h"
#include "staging/values/stage.h"

/// The labels that a residual term binds, and whether it jumps to another one.
typedef struct {
    Map bound;
    bool leaves;
} Jumps;

static Walk find_jumps(Node *e, void *env)
{
    Jumps *j = env;
    if (e->kind == CORE_LABEL) map_put(&j->bound, MAP_KEY(e->op[0]->op[0]), j);
    j->leaves |= e->kind == CORE_JUMP && !map_get(&j->bound, MAP_KEY(e->op[0]));
    return WALK_INTO;
}

static bool leaves(Stage *s, Node *lambda)
{
    Jumps j = {.bound = map_new(s->arena)};
    Map seen = map_new(s->arena);
    node_walk_once(&seen, lambda, find_jumps, &j);
    return j.leaves;
}

// The functions among the arguments as literal lambdas, and the others as terms. Returns false if a
// function assigns to a variable around it, or jumps out of itself.
static bool pattern_arguments(Stage *s, const Known *f, int n, const Known *const *args, Span call,
                              Scope at, Node **ops)
{
    Cells cells = {0};
    for (int i = 0; i < n; i++) {
        Node *type = type_param(f->node->type, i);
        if (type->kind == TYPE_FUN) stage_reach(s, args[i], type, false, &cells);
        if (cells.len > 0) return false;
    }
    for (int i = 0; i < n && !s->failed; i++) {
        Node *type = type_param(f->node->type, i);
        bool function = type->kind == TYPE_FUN;
        ops[i] = function ? stage_lambda(s, args[i], type, call, at, BARRIER_NONE)
                          : stage_data(s, args[i], call);
        if (function && !s->failed && leaves(s, ops[i])) return false;
    }
    return true;
}

const Known *stage_keep_pattern(Stage *s, const Known *f, int n, const Known *const *args,
                                Span call, Scope at)
{
    Node **ops = ARENA_ARRAY(s->arena, Node *, n + 1);
    int64_t effects = s->effects;
    const Chain *chain = stage_enter(s, f->special, f->chain, call);
    if (!chain) return known_error(s);
    ops[0] = f->node;
    if (!pattern_arguments(s, f, n, args, call, at, ops + 1)) return NULL;
    if (s->failed) return known_error(s);
    stage_call_checks(s, f->special, chain, at.block->guard);
    s->terms++;
    Node *e = node_make(s->cx, &(NodeSpec){.kind = CORE_APP,
                                           .type = type_result(f->node->type),
                                           .nops = n + 1,
                                           .ops = ops,
                                           .origin = call});
    return known_term(s, effects != s->effects ? stage_emit_effect(s, at.block, e, NULL) : e);
}
