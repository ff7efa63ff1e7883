// Size, type and shape parameters, and the names that they bring into scope.
#include "infer/names/names.h"

#include <string.h>

bool infer_is_shape_kind(Sym kind)
{
    return kind && strcmp(kind->text, "shape") == 0;
}

bool infer_is_shape_type(const Ast *type)
{
    return type && type->kind == AST_TYPE_NAME && !type->generics.len &&
           infer_is_shape_kind(type->name);
}

int infer_count_shapes(const Item *item)
{
    int n = 0;
    for (int i = 0; i < item->generics.len; i++)
        n += infer_is_shape_kind(item->generics.at[i].kind);
    for (int i = 0; i < item->params.len; i++) n += infer_is_shape_type(item->params.at[i].type);
    return n;
}

Extents *infer_new_extents(Arena *arena, int n)
{
    Extents *v = ARENA_NEW(arena, Extents);
    *v = (Extents){ARENA_ARRAY(arena, Node *, n + 1), n};
    return v;
}

Node *infer_generic_self(Session *cx, const SigGeneric *g)
{
    if (g->number) return g->number;
    return g->kind == GENERIC_NAT ? nat_var(cx, g->name) : type_var(cx, g->name);
}

// Brings a generic into scope, bound to its own size or type variable.
static void push_generic(Scope *s, const SigGeneric *g)
{
    bool nat = g->kind == GENERIC_NAT;
    Node *self = infer_generic_self(s->in->cx, g);
    Local *l = infer_local_push(s, nat ? LOCAL_SIZE : LOCAL_TYPE, g->name, g->span, self);
    l->generic = g->kind;
}

void infer_push_generics(Scope *s, const SigGeneric *generics, int n)
{
    for (int i = 0; i < n; i++)
        if (!generics[i].extent) push_generic(s, &generics[i]);
}

void infer_push_shapes(Scope *s, const Signature *sig)
{
    for (int i = 0; i < sig->shapes.len; i++) {
        const SigShape *h = &sig->shapes.at[i];
        Extents *v = infer_new_extents(s->in->arena, h->rank);
        for (int k = 0; k < h->rank; k++)
            v->at[k] = infer_generic_self(s->in->cx, &sig->generics.at[h->first + k]);
        infer_local_push(s, LOCAL_SHAPE, h->name, h->span, NULL)->extents = v;
    }
}
