// Loops, and the continuations break, continue and return, which are values of type fn(T) -> !.
#include "infer/check/check.h"

#include <string.h>

Local *infer_continuation(Body *b, const char *name, Node *type)
{
    Local *l = ARENA_NEW(b->arena, Local);
    *l = (Local){.kind = LOCAL_VALUE,
                 .name = session_sym(b->cx, name),
                 .type = type,
                 .level = -1,
                 .mode = -1};
    return l;
}

// Infers the body of a `while` or `loop`, in which `break` carries a value of type t. Returns the
// continuation `break`.
static Local *loop_body(Body *b, const Ast *e, const Ast *body, Node *t)
{
    int mark = infer_scope_mark(&b->scope);
    Note *note = infer_note(b, e);
    note->exit = infer_continuation(b, "break", type_continuation(b->cx, t));
    note->next = infer_continuation(b, "continue", type_continuation(b->cx, infer_unit(b)));
    infer_local_enter(&b->scope, note->exit);
    infer_local_enter(&b->scope, note->next);
    infer_statement(b, body);
    infer_scope_release(&b->scope, mark);
    return note->exit;
}

Node *infer_while(Body *b, const Ast *e)
{
    Node *lanes = infer_note(b, e)->simd = infer_condition(b, e->kids.at[0]);
    Around outer = infer_enter_lanes(b, lanes);
    SizeGuard *guard = b->guard;
    b->guard = infer_guard(b, guard, e->kids.at[0], true);
    loop_body(b, e, e->kids.at[1], infer_unit(b));
    b->guard = guard;
    b->around = outer;
    return infer_unit(b);
}

// Infers a `loop`. Its value is what `break` carries, or () by default. A `loop` without `break`
// never returns. If a [?n]t is expected, arrays that `break` carries are converted to it.
Node *infer_loop(Body *b, const Ast *e, Node *want)
{
    bool up_to = want && type_is_up_to(infer_resolve(b, want));
    Node *t = up_to ? want : infer_fresh(&b->scope, GENERIC_DATA);
    if (!loop_body(b, e, e->kids.at[0], t)->used) return type_never(b->cx);
    vec_push(b->arena, &b->values, t);
    return t;
}

// Builds the function |p, q| body. `break` leaves the call to which this function is passed as the
// last argument. `continue`, which does not exist in a `with`, leaves the body.
static Ast *body_function(Body *b, const Ast *e)
{
    Ast *lambda = infer_new_ast(b, AST_LAMBDA, e->span);
    int call = e->kids.len - 2;
    for (int i = 0; i < e->kids.len; i++)
        if (i != call) vec_push(b->arena, &lambda->kids, e->kids.at[i]);
    Note *note = infer_note(b, lambda);
    note->exit = infer_continuation(b, "break", infer_unknown(b));
    if (e->kind == AST_FOR) note->next = infer_continuation(b, "continue", infer_unknown(b));
    return lambda;
}

// The guard of a loop body. If the loop runs over a range, this guard says that the range is not
// empty.
static SizeGuard *in_range(Body *b, const Ast *call)
{
    const Ast *callee = ast_strip(call->kids.at[0]);
    const Symbol *y = callee->kind == AST_NAME ? infer_symbol_named(&b->scope, callee) : NULL;
    bool range = y && y->unit == b->in->prelude && call->kids.len == 3 &&
                 (strcmp(y->name->text, "range") == 0 || strcmp(y->name->text, "unroll") == 0);
    return range ? infer_guard_range(b, b->guard, call->kids.at[1], call->kids.at[2]) : b->guard;
}

// Infers `for p, q in f(args) body` and `with p, q in f(args) body` as f(args, |p, q| body).
Node *infer_for(Body *b, const Ast *e)
{
    const Ast *call = ast_strip(e->kids.at[e->kids.len - 2]);
    Ast *lambda = body_function(b, e);
    const Local *exit = infer_note(b, e)->exit = infer_note(b, lambda)->exit;
    if (call->kind != AST_CALL) {
        infer_error(b);
        return infer_expr(b, lambda, NULL)->kind == TYPE_ERROR ? infer_error(b) : infer_unit(b);
    }
    SizeGuard *outer = b->guard;
    b->guard = in_range(b, call);
    Node *t = infer_resolve(b, infer_call(b, call, lambda, NULL));
    b->guard = outer;
    infer_note(b, call)->type = t;
    if (!exit->used || t->kind == TYPE_ERROR) return t;
    if (t->kind == TYPE_NEVER) return infer_unit(b); // it can only be left by `break`
    if (infer_require(b, t, GENERIC_DATA)) return t;
    diag_error(b->cx, E0309, call->span,
               "a loop left by `break` must yield data, but this one yields `%s`",
               infer_show(b, t));
    return infer_error(b);
}
