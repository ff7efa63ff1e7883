// Elaboration of print and assert.
#include "infer/elaborate/elaborate.h"

// The message of an assertion without the values of its arguments.
static const char *static_message(Elab *x, const Call *c)
{
    Text out = text_new(x->cx->arena);
    text_put(&out, "assertion failed: ");
    for (int i = 1; i < c->nargs; i++) {
        const Ast *arg = ast_strip(c->args[i]);
        text_put(&out, arg->kind == AST_STRING ? arg->value.string : "...");
    }
    if (c->nargs > 1) return text_get(&out);
    for (const char *s = source_text(x->cx, c->args[0]->span); *s; s++) // puts it on one line
        if (*s != '\n')
            text_char(&out, *s);
        else if (out.len && out.at[out.len - 1] != ' ')
            text_char(&out, ' ');
    return text_get(&out);
}

// Elaborates the condition of an assertion. A per-lane condition must be true in all active lanes.
static Node *condition(Elab *x, const Ast *e)
{
    Node *c = elab_expr(x, e);
    if (c->type->kind != TYPE_VEC) return c;
    if (x->masks && !x->lane) {
        Node *live = elab_live(x);
        c = elab_prim(x, PRIM_OR, c, core_prim(x->cx, PRIM_NOT, 1, &live));
    }
    return core_pattern(x->cx, CORE_ALL, 0, 1, &c);
}

Node *elab_print(Elab *x, const Ast *e, const Call *c)
{
    bool asserts = c->symbol->row == PRINT_ASSERT, vectors = false;
    Node **ops = ARENA_ARRAY(x->b->arena, Node *, c->nargs + 1);
    for (int i = 0; i < c->nargs; i++) {
        const Ast *arg = ast_strip(c->args[i]);
        if (arg->kind == AST_STRING)
            ops[i] = core_text(x->cx, arg->value.string);
        else
            ops[i] = asserts && i == 0 ? condition(x, c->args[0]) : elab_expr(x, c->args[i]);
        vectors |= type_has_vector(ops[i]->type);
    }
    if (!asserts) {
        Node *mask = vectors && x->masks && !x->lane ? elab_live(x) : NULL;
        return core_at(x->cx, core_line(x->cx, c->nargs, ops, mask), e->span);
    }
    session_set_failure(x->cx, e->span, static_message(x, c));
    return core_assert(x->cx, c->nargs, ops, e->span);
}
