// Helpers shared by all kinds of calls.
#include "infer/calls/calls.h"

Node *infer_give_up(Body *b, const Application *a)
{
    for (int i = 0; i < a->nargs; i++) infer_expr(b, a->args[i], NULL);
    return infer_error(b);
}

static bool is_option(const Application *a)
{
    return a->symbol && a->symbol->kind == SYMBOL_ENUM;
}

const char *infer_called_name(const Application *a)
{
    if (is_option(a)) return a->callee->name->text;
    return a->symbol ? a->symbol->name->text : "this function";
}

void infer_report_count(Body *b, const Application *a, int takes)
{
    const Item *item = a->symbol && !is_option(a) ? a->symbol->item : NULL;
    Diag *d = diag_error(b->cx, E0302, a->e->span, "%s takes %d argument%s, not %d",
                         infer_called_name(a), takes, takes == 1 ? "" : "s", a->nargs);
    b->failed = true;
    if (!item) return;
    diag_note(b->cx, d, NO_SPAN, "%s", infer_show_item(b->cx, item));
    infer_help_count(b, d, a->e, item, takes, a->nargs);
}

Node *infer_wrong_count(Body *b, const Application *a, int takes)
{
    infer_report_count(b, a, takes);
    return infer_give_up(b, a);
}

Call *infer_new_call(Body *b, const Application *a)
{
    Call *c = ARENA_NEW(b->arena, Call);
    *c = (Call){.symbol = a->symbol, .args = a->args, .nargs = a->nargs};
    if (!a->symbol) c->callee = a->callee;
    infer_note(b, a->e)->call = c;
    return c;
}

Node *infer_instance(Body *b, const Signature *sig, Node *const *with, Node *e)
{
    return infer_replace(b->cx, e, sig->generics.at, with, sig->generics.len);
}

Node **infer_instance_params(Body *b, const Signature *sig, Node *const *with)
{
    Node **params = ARENA_ARRAY(b->arena, Node *, sig->params.len + 1);
    for (int i = 0; i < sig->params.len; i++)
        if (sig->params.at[i].type)
            params[i] = infer_instance(b, sig, with, sig->params.at[i].type);
    return params;
}

Node *infer_wanted_function(Body *b, Node *want, int n)
{
    Node *fun = want ? infer_settle(b, want) : NULL;
    return fun && fun->kind == TYPE_FUN && type_nparams(fun) == n ? fun : NULL;
}

// Whether the signature contains an error. It has already been reported, so uses of the signature
// report none.
static bool has_error(const Signature *sig)
{
    for (int i = 0; i < sig->params.len; i++)
        if (sig->params.at[i].type && sig->params.at[i].type->kind == TYPE_ERROR) return true;
    return sig->result->kind == TYPE_ERROR;
}

Node **infer_instantiate(Body *b, const Symbol *y, const Signature *sig, const AstVec *generics,
                         Span span, Node *const *sized)
{
    int n = sig->generics.len;
    Node **with = infer_generics(&b->scope, y, sig->generics.at, n, sig->nbracket, generics, span);
    if (!with) return NULL;
    if (has_error(sig)) b->failed = true;
    Node *zero = nat_const(b->cx, 0);
    for (int i = 0; i < n; i++) {
        const SigGeneric *g = &sig->generics.at[i];
        if (g->parameter >= 0 && sized) with[i] = sized[i];
        if (g->kind == GENERIC_NAT)
            infer_oblige(b, SIZE_LE, zero, with[i], span, (Why){WHY_GENERIC, y, i});
    }
    for (int i = 0; i < sig->where.len; i++) {
        const SizeCheck *c = &sig->where.at[i];
        infer_oblige(b, c->relation, infer_instance(b, sig, with, c->left),
                     infer_instance(b, sig, with, c->right), span, (Why){WHY_WHERE, y, i});
    }
    vec_push(b->arena, &b->instances, ((Instance){y, with, span}));
    return with;
}
