// Labels and jumps. A jump ends its block; the body of a label is a block that jumps may leave.
#include "staging/values/stage.h"

Label *stage_label_new(Stage *s, Node *type, Scope scope, Block *block)
{
    Label *l = ARENA_NEW(s->arena, Label);
    Node *unit = type_fun(s->cx, 0, NULL, type_never(s->cx));
    Node *fun = type_is_unit(type) ? unit : type_fun(s->cx, 1, &type, type_never(s->cx));
    *l = (Label){.var = stage_variable(s, fun, session_sym(s->cx, "leave")),
                 .type = type,
                 .block = block,
                 .tail = scope.tail,
                 .last = scope.last,
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

// Replaces jumps to the label in tail position with their values. Adds their number to *removed.
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

// The value of the only jump to the label if that jump ends the block, or NULL.
static const Known *carried(Stage *s, const Label *l, const Block *block)
{
    Node *e = block->end;
    if (l->jumps != 1 || !e || e->kind != CORE_JUMP || e->op[0] != l->var) return NULL;
    return e->nops == 1 ? known_unit(s) : known_term(s, e->op[1]);
}

// Ends the label's block and returns the label's value. Values read from cells inside the block are
// held in variables of that block, which are out of scope after the label, so they must be
// forgotten.
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
    Scope inside = {
        stage_env_push(s, scope.env, label_value(s, l)), scope.chain, own, scope.tail, l, NULL};
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

// Whether the label encloses the block without a barrier between them. Otherwise reports an error.
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
