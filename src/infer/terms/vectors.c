// Access to the components of vectors of numbers, which are arrays or tuples.
#include "infer/terms/terms.h"

bool elab_is_many(Node *e)
{
    return e->type->kind == TYPE_ARRAY || e->type->kind == TYPE_TUPLE;
}

bool elab_is_cheap(Node *e)
{
    return elab_is_path(e) || elab_is_atom(e);
}

void elab_name_all(Elab *x, Lets *lets, Node **e, int n, bool (*cheap)(Node *e))
{
    int pushed = 0, last = n - 1;
    while (last >= 0 && cheap(e[last])) last--;
    for (int i = 0; i < n; i++) {
        e[i] = node_shift(x->cx, e[i], pushed, 0);
        if (i > last || elab_is_cheap(e[i])) continue;
        Node *t = e[i]->type;
        elab_push(x, lets, NULL, e[i]);
        pushed++;
        for (int k = 0; k < i; k++) e[k] = node_shift(x->cx, e[k], 1, 0);
        e[i] = core_var(x->cx, 0, t);
    }
}

static bool has_components(Node *e)
{
    return !elab_is_many(e) || elab_is_path(e) || e->kind == CORE_TUPLE || e->kind == CORE_ARRAY;
}

Node *elab_vector_component(Elab *x, Node *e, int k)
{
    if (!elab_is_many(e)) return e;
    if (e->kind == CORE_TUPLE || e->kind == CORE_ARRAY) return e->op[k];
    return e->type->kind == TYPE_TUPLE ? core_proj(x->cx, e, k) : elab_part(x, e, k);
}

void elab_name_vectors(Elab *x, Lets *lets, Node **e, int n)
{
    elab_name_all(x, lets, e, n, has_components);
}

Node *elab_to_vector(Elab *x, Node *e, Node *type)
{
    Lets lets = {0};
    int n = (int)e->type->nops;
    elab_name_vectors(x, &lets, &e, 1);
    Node **parts = ARENA_ARRAY(x->b->arena, Node *, n + 1);
    for (int k = 0; k < n; k++) parts[k] = elab_to_integer(x, elab_vector_component(x, e, k));
    return elab_wrap(x, &lets, core_array(x->cx, type->op[1], n, parts));
}

bool elab_is_ready(Node *e)
{
    return elab_is_many(e) ? has_components(e) : elab_is_cheap(e);
}
