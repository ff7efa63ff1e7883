// Elaboration turns the syntax tree and its solved notes into Core. It makes no decisions, and
// reports only warnings.
//
// The level of a local is the number of variables bound outside it, so its de Bruijn index at some
// depth is depth - 1 - level. Sizes and types named by `let` or generics introduce no variables.
#include "infer/terms/terms.h"

Node *elab_plain(Elab *x, const Ast *e)
{
    return x->b->in->elaborator->plain(x, e);
}

// The variable that holds the value of an expression evaluated earlier by elab_hold.
static Node *held(Elab *x, const Note *note)
{
    bool all = x->lane && note->held <= x->lane->base; // holds the values of all lanes
    Node *t = note->as ? note->as : note->type;
    t = all ? elab_whole_type(x, t) : elab_type(x, t);
    return elab_lane_of(x, core_var(x->cx, x->depth - note->held, t));
}

Node *elab_as(Elab *x, Node *n, Node *as, Span span)
{
    if (n->type->kind == TYPE_NEVER) return n;
    if (n->type->kind == TYPE_TUPLE && as->kind == TYPE_ARRAY) return elab_to_vector(x, n, as);
    if (type_is_up_to(as) && n->type != as) return elab_up_to(x, n, as);
    if (type_is_scalar(n->type, NULL) && as->kind == TYPE_IDX)
        return elab_to_index(x, n, as->op[0], span);
    bool parts = n->type->kind == TYPE_STRUCT || n->type->kind == TYPE_TUPLE;
    if (parts && as->kind == n->type->kind) return elab_splat_to(x, n, as);
    if (n->type->kind != TYPE_VEC && as->kind == TYPE_VEC)
        return core_at(x->cx, core_cast(x->cx, core_cast(x->cx, n, as->op[1]), as), span);
    if (n->type != as && type_is_atom(n->type) && as->kind == TYPE_SCALAR)
        return core_at(x->cx, core_cast(x->cx, n, as), span);
    bool borrowed = n->type != as && n->type->kind == TYPE_REF && as->kind == TYPE_REF;
    return borrowed ? core_borrow(x->cx, n) : n;
}

Node *elab_open(Elab *x, const Ast *e)
{
    const Note *note = infer_note(x->b, e);
    if (note->held) return held(x, note);
    Node *n = x->masks && !x->lane ? x->b->in->elaborator->masked(x, e) : elab_plain(x, e),
         *as = note->as ? elab_type(x, note->as) : n->type;
    if (!n->origin.file) n = core_at(x->cx, n, e->span);
    elab_warn_wrapped(x, e, n, as);
    elab_warn_rounded(x, e, n, as);
    return elab_as(x, n, as, e->span);
}

// A term of type `!` gets the expected type from a label that is never jumped to.
Node *elab_expr(Elab *x, const Ast *e)
{
    Node *n = elab_open(x, e), *as = infer_note(x->b, e)->as;
    if (n->type->kind != TYPE_NEVER || !as) return n;
    as = elab_type(x, as);
    if (as->kind == TYPE_NEVER) return n;
    return core_label(x->cx, NULL, as, node_shift(x->cx, n, 1, 0));
}

Node *elab_closed(Body *b, const Ast *e, int nparams)
{
    Elab x = {.b = b, .cx = b->cx, .depth = nparams};
    return elab_expr(&x, e);
}

Node *elab_sides(Body *b, const Ast *comparison)
{
    for (int i = 0; i < comparison->kids.len; i++) {
        Node *type = infer_resolve(b, infer_note(b, comparison->kids.at[i])->type);
        if (infer_opened_in(b, type) && !infer_outside(b, type)) return NULL;
    }
    Elab x = {.b = b, .cx = b->cx, .sides = comparison};
    Node *sides = elab_open(&x, b->value);
    return sides->type->kind == TYPE_TUPLE && sides->type->nops == 2 ? sides : NULL;
}

Node *elab_body(Body *b, int nparams)
{
    Elab x = {.b = b, .cx = b->cx, .depth = nparams};
    return elab_label(&x, b->exit, b->type, elab_open, b->value);
}
