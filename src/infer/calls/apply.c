// Functions that all kinds of calls share.
#include "infer/calls/calls.h"

// Infers the arguments of a wrong call as well, to report their own errors.
Node *infer_give_up(Body *b, const Ast **args, int n)
{
    for (int i = 0; i < n; i++) infer_expr(b, args[i], NULL);
    return infer_error(b);
}

void infer_wrong_count(Body *b, const Ast *e, const char *name, int takes, int given,
                       const Item *item)
{
    Diag *d = diag_error(b->cx, E0302, e->span, "%s takes %d argument%s, not %d", name, takes,
                         takes == 1 ? "" : "s", given);
    if (item) diag_note(b->cx, d, NO_SPAN, "%s", infer_show_item(b->cx, item));
    infer_help_count(b, d, e, name, takes, given, item);
    b->failed = true;
}

Call *infer_new_call(Body *b, const Ast *e, const Symbol *y, const Ast *callee, const Ast **args,
                     int nargs)
{
    Call *c = ARENA_NEW(b->arena, Call);
    *c = (Call){.symbol = y, .callee = callee, .args = args, .nargs = nargs};
    infer_note(b, e)->call = c;
    return c;
}

// A signature with an error, which was reported, says nothing about its uses.
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
        infer_oblige(b, c->relation, infer_replace(b->cx, c->left, sig->generics.at, with, n),
                     infer_replace(b->cx, c->right, sig->generics.at, with, n), span,
                     (Why){WHY_WHERE, y, i});
    }
    Instance instance = {y, with, span};
    vec_push(b->arena, &b->instances, instance);
    return with;
}
