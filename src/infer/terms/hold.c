// Evaluates expressions before a lambda that would otherwise evaluate them in each call.
#include "infer/terms/terms.h"

static bool are_stable(Elab *x, const Ast *const *e, int n);

// Whether an expression has no effect and the same value wherever it is evaluated.
static bool is_stable(Elab *x, const Ast *e)
{
    const Note *note = infer_note(x->b, e);
    const Call *c = note->call;
    switch (e->kind) {
    case AST_INT:
    case AST_FLOAT:
    case AST_BOOL:
    case AST_OPERATOR:
    case AST_LAMBDA: return true;
    case AST_NAME: return !note->local || !note->local->mutable;
    case AST_PROJ:
    case AST_FIELD:
    case AST_INDEX:
        if (note->symbol || infer_place(x->b, e).exists) return note->symbol != NULL;
        return are_stable(x, (const Ast *const *)e->kids.at, e->kids.len);
    case AST_PAREN:
    case AST_UNARY:
    case AST_BINARY:
    case AST_CAST:
    case AST_MODE:
    case AST_TUPLE:
    case AST_COMPOSE: return !c && are_stable(x, (const Ast *const *)e->kids.at, e->kids.len);
    case AST_CALL:
    case AST_PIPE:
        if (!c || !c->partial || (c->callee && !is_stable(x, c->callee))) return false;
        return are_stable(x, c->args, c->nargs);
    default: return false;
    }
}

// Whether all n expressions are stable; sizes and types always are.
static bool are_stable(Elab *x, const Ast *const *e, int n)
{
    for (int i = 0; i < n; i++)
        if (infer_note(x->b, e[i])->type && !is_stable(x, e[i])) return false;
    return true;
}

void elab_hold(Elab *x, Lets *lets, const Ast *e)
{
    Note *note = infer_note(x->b, e);
    note->held = 0;
    if (e->kind == AST_MODE) {
        elab_hold(x, lets, e->kids.at[0]);
        return;
    }
    if (!note->type || is_stable(x, e)) return;
    elab_push(x, lets, NULL, elab_expr(x, e));
    note->held = x->depth;
}
