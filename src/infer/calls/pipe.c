// Pipes: x |> f(a) means f(a, x), and x |> f means f(x).
#include "infer/calls/calls.h"

// The number of arguments that a named function takes, or -1 if it varies or the symbol is not a
// function.
static int takes(Body *b, const Symbol *y)
{
    if (y->kind == SYMBOL_PRIM) return prim_info[y->row].arity;
    if (y->kind != SYMBOL_FN && y->kind != SYMBOL_PATTERN) return -1;
    if (y->is_family) return y->item->params.len;
    const Signature *sig = infer_signature(b->in, y);
    return sig && !infer_is_form(y, FORM_ZIP) ? sig->params.len : -1;
}

// Whether `x |> f(args)` means f(args)(x), because f(args) is complete and returns a function.
static bool is_complete(Body *b, const Ast *call)
{
    AstVec generics;
    const Ast *callee = ast_strip(call->kids.at[0]);
    const Symbol *y = infer_generic_name(b, callee, &generics);
    int n = call->kids.len - 1;
    if (y) {
        if (takes(b, y) != n || y->kind == SYMBOL_PRIM) return false;
        if (y->is_family) return y->item->type && y->item->type->kind == AST_TYPE_FN;
        return infer_signature(b->in, y)->result->kind == TYPE_FUN;
    }
    const Local *l =
        callee->kind == AST_NAME && callee->name ? infer_local_named(&b->scope, callee) : NULL;
    if (!l || l->kind != LOCAL_VALUE) return true;
    Node *t = infer_settle(b, l->type);
    return t->kind != TYPE_FUN || type_nparams(t) == n;
}

static Node *pipe_into_operator(Body *b, const Ast *e)
{
    const Ast *op = e->kids.at[1];
    Diag *d = diag_error(b->cx, E0303, op->span,
                         "the right side of a pipe is a function, not the value of `%s`",
                         op->name ? op->name->text : "");
    diag_help(b->cx, d, "|> binds weaker than operators: put parentheses around the pipe");
    infer_expr(b, e->kids.at[0], NULL);
    return infer_error(b);
}

// Adds a hint if the errors after the first `reported` include a type error for the piped value and
// another one for a different argument.
static void help_order(Body *b, const Ast *e, int reported)
{
    Span x = ast_value_of(e->kids.at[0])->span;
    Diag *piped = NULL;
    int others = 0;
    for (int i = reported; i < b->cx->diags.len; i++) {
        Diag *d = b->cx->diags.at[i];
        if (d->code != E0301) continue;
        if (d->span.lo == x.lo && d->span.hi == x.hi)
            piped = d;
        else
            others++;
    }
    if (piped && others) infer_help_pipe(b, piped, e);
}

Node *infer_pipe(Body *b, const Ast *e, Node *want)
{
    const Ast *x = e->kids.at[0], *f = ast_strip(e->kids.at[1]);
    if (e->kids.at[1]->kind == AST_BINARY) return pipe_into_operator(b, e);
    bool call = f->kind == AST_CALL && !is_complete(b, f);
    int reported = b->cx->diags.len;
    Application a = {.e = e, .callee = call ? f->kids.at[0] : f, .want = want};
    infer_take_arguments(b, &a, call ? f : e, call ? 1 : 2, x);
    Node *t = infer_apply(b, &a);
    if (call) help_order(b, e, reported);
    return t;
}
