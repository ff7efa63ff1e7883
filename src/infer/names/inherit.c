// The sizes and types that a nested function inherits from the enclosing one.
#include "infer/names/names.h"

// Whether the signature has this generic, either inherited or its own.
static bool has_generic(const Signature *sig, const SigGeneric *g)
{
    for (int i = 0; sig && i < sig->generics.len; i++)
        if (sig->generics.at[i].name == g->name && sig->generics.at[i].span.lo == g->span.lo &&
            sig->generics.at[i].span.file == g->span.file)
            return true;
    return false;
}

static bool is_own(const Item *item, Sym name)
{
    for (int i = 0; i < item->generics.len; i++)
        if (item->generics.at[i].name == name) return true;
    for (int i = 0; i < item->params.len; i++)
        if (item->params.at[i].name == name) return true;
    return false;
}

static void inherit_generic(Scope *s, Signature *sig, SigGeneric g)
{
    g.parameter = -1;
    vec_push(s->in->arena, &sig->generics, g);
}

static bool inherit_shapes(Scope *s, Signature *sig, const Signature *from, const Item *item)
{
    bool all = true;
    for (int i = 0; i < from->shapes.len; i++) {
        SigShape h = from->shapes.at[i];
        if (is_own(item, h.name)) {
            all = false;
            continue;
        }
        int first = h.first;
        h.first = sig->generics.len;
        h.parameter = -1;
        for (int k = 0; k < h.rank; k++) inherit_generic(s, sig, from->generics.at[first + k]);
        vec_push(s->in->arena, &sig->shapes, h);
    }
    return all;
}

// A generic whose name the function redeclares is not inherited. If there is one, no conditions are
// inherited either.
void infer_inherit(Scope *s, Signature *sig, const Symbol *y)
{
    const Signature *from = y->outer ? y->outer->signature : NULL;
    if (!from) return;
    bool all = inherit_shapes(s, sig, from, y->item);
    for (int i = 0; i < from->generics.len; i++) {
        SigGeneric g = from->generics.at[i];
        if (g.extent) continue;
        bool own = is_own(y->item, g.name);
        if (!own) inherit_generic(s, sig, g);
        all &= !own;
    }
    sig->inherited = sig->generics.len;
    infer_push_generics(s, sig->generics.at, sig->generics.len);
    infer_push_shapes(s, sig);
    for (int i = 0; all && i < from->where.len; i++)
        vec_push(s->in->cx->arena, &sig->where, from->where.at[i]);
}

Node *infer_inherited(Scope *s, const Symbol *y, int k, Span span)
{
    Session *cx = s->in->cx;
    const SigGeneric *g = &y->signature->generics.at[k];
    const Signature *here = s->symbol ? s->symbol->signature : NULL;
    if (has_generic(here, g)) return infer_generic_self(cx, g);
    Diag *d = diag_error(cx, E0209, span,
                         "`%s` belongs to the function that contains `%s`, and has another meaning "
                         "here",
                         g->name->text, y->name->text);
    diag_note(cx, d, g->span, "it is declared here");
    diag_help(cx, d, "rename one of the two");
    return NULL;
}
