// print and assert. Since the types of printed values are known, print becomes calls to the
// functions in core/eval/print_steps.c, each of which appends some text to the line. All values are
// evaluated before the first call.
#include "staging/values/stage.h"

static void emit_step(Stage *s, Node *call, Block *block)
{
    stage_use_external(s, core_print_function(s->cx, call->attr.sym));
    stage_emit_effect(s, block, call, NULL);
}

const Known *stage_print_step(Stage *s, Node *e, Scope scope)
{
    if (e->nops) {
        const Known *v = stage_operand(s, e->op[0], scope);
        if (known_stops(v)) return v;
        Node *x = stage_data(s, v, e->origin);
        if (s->failed) return known_error(s);
        e = node_with_ops(s->cx, e, &x);
    }
    if (s->cx->keeps_prints) emit_step(s, e, scope.block);
    return known_unit(s);
}

// Prints a line that begins with `start` or, if that is NULL, with the text of operand 1, if any.
// Returns NULL, or the value that stops evaluation before the line is printed.
static const Known *print_parts(Stage *s, Node *e, const char *start, const Known *mask,
                                Scope scope)
{
    uint32_t first = 1;
    const Known **values = ARENA_ARRAY(s->arena, const Known *, e->nops + 1);
    for (uint32_t i = first; i < e->nops; i++) {
        if (e->op[i]->kind == CORE_TEXT) continue;
        values[i] = stage_operand(s, e->op[i], scope);
        if (known_stops(values[i])) return values[i];
        values[i] = stage_bind(s, values[i], NULL, scope.block);
    }
    if (!start && e->nops > 1 && e->op[1]->kind == CORE_TEXT)
        start = e->op[first++]->attr.sym->text;
    emit_step(s, core_print_call(s->cx, PRINT_START, start ? start : ""), scope.block);
    for (uint32_t i = first; i < e->nops && !s->failed; i++) {
        if (e->op[i]->kind == CORE_TEXT) {
            const char *text = e->op[i]->attr.sym->text;
            emit_step(s, core_print_call(s->cx, PRINT_TEXT, text), scope.block);
            continue;
        }
        Node *steps = core_print_value(s->cx, e->op[i]->type, mask ? e->op[0]->type : NULL);
        scope.env = stage_env_push(s, NULL, mask ? mask : known_unit(s));
        scope.env = stage_env_push(s, scope.env, values[i]);
        stage_evaluate(s, steps, scope);
    }
    return s->failed ? known_error(s) : NULL;
}

const Known *stage_print(Stage *s, Node *e, Scope scope)
{
    if (!s->cx->keeps_prints) return known_unit(s);
    bool masked = !type_is_unit(e->op[0]->type);
    const Known *mask = masked ? stage_operand(s, e->op[0], scope) : NULL;
    if (mask && known_stops(mask)) return mask;
    if (mask) mask = stage_bind(s, mask, NULL, scope.block);
    const Known *stopped = print_parts(s, e, NULL, mask, scope);
    if (stopped) return stopped;
    emit_step(s, core_print_call(s->cx, PRINT_LINE, NULL), scope.block);
    return known_unit(s);
}

static const Known *emit_assert(Stage *s, Node *e, Node *condition, Block *block)
{
    stage_emit_effect(s, block, core_assert(s->cx, 1, &condition, e->origin), NULL);
    return known_unit(s);
}

// Evaluates one side of the branch of an assertion. Where the condition is false, prints the
// message and then fails.
static const Known *outcome(Stage *s, int side, Scope at, void *env)
{
    Node *e = env;
    if (side == 0) return known_unit(s);
    const Known *stopped = print_parts(s, e, "assertion failed: ", NULL, at);
    if (stopped) return stopped;
    emit_step(s, core_print_call(s->cx, PRINT_MESSAGE, NULL), at.block);
    return emit_assert(s, e, core_bool(s->cx, false), at.block);
}

// Whether the message contains values. If prints are kept (Session.keeps_prints), they are computed
// only if the assertion fails; otherwise, they are never computed.
static bool has_values(const Node *e)
{
    for (uint32_t i = 1; i < e->nops; i++)
        if (e->op[i]->kind != CORE_TEXT) return true;
    return false;
}

const Known *stage_assert(Stage *s, Node *e, Scope scope)
{
    if (s->cx->drops_asserts) return known_unit(s);
    const Known *c = stage_operand(s, e->op[0], scope);
    if (known_stops(c)) return c;
    Node *condition = stage_data(s, c, e->origin);
    if (s->failed) return known_error(s);
    bool known = condition->kind == CORE_LIT;
    if (known && condition->attr.bits) return known_unit(s);
    if (!s->cx->keeps_prints || !has_values(e)) return emit_assert(s, e, condition, scope.block);
    void *env = (void *)(uintptr_t)e;
    if (known) return outcome(s, 1, scope, env);
    return stage_choose(s, condition, core_unit(s->cx)->type, e->origin, scope, outcome, env);
}
