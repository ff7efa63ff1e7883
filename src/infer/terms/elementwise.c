// Builds the Core for operators on arrays and tuples: a map over a zip or, if an operand is a
// tuple, one operation per component. Index vectors therefore create no arrays.
#include "infer/terms/terms.h"

// --- operators ---------------------------------------------------------------------------------

Node *elab_array(Elab *x, const Ast *e, Node *type)
{
    int n = e->kids.len, count = 0;
    Node **given = ARENA_ARRAY(x->b->arena, Node *, n + 1);
    VEC(Node *) parts = {0};
    Lets lets = {0};
    for (int i = 0; i < n; i++) {
        bool all = e->kids.at[i]->kind == AST_SPREAD;
        given[i] = elab_expr(x, all ? e->kids.at[i]->kids.at[0] : e->kids.at[i]);
        count += all;
    }
    if (count == 0) return core_array(x->cx, type->op[1], n, given);
    elab_name_all(x, &lets, given, n, elab_is_ready);
    for (int i = 0; i < n; i++) {
        bool all = e->kids.at[i]->kind == AST_SPREAD;
        int length = all ? infer_vector_length(given[i]->type) : 1;
        for (int k = 0; k < length; k++) {
            Node *part = all ? elab_vector_component(x, given[i], k) : given[i];
            if (all) part = elab_splat_to(x, elab_to_integer(x, part), type->op[1]);
            vec_push(x->b->arena, &parts, part);
        }
    }
    return elab_wrap(x, &lets, core_array(x->cx, type->op[1], parts.len, parts.at));
}

static Node *on_tuples(Elab *x, Prim op, int n, Node *const *args, Span span)
{
    Node *given[PRIM_OPERANDS] = {NULL}, *operands[PRIM_OPERANDS];
    Lets lets = {0};
    int count = 0;
    for (int i = 0; i < n; i++) given[i] = args[i];
    elab_name_all(x, &lets, given, n, elab_is_ready);
    for (int i = 0; i < n; i++)
        if (given[i]->type->kind == TYPE_TUPLE) count = (int)given[i]->type->nops;
    Node **parts = ARENA_ARRAY(x->b->arena, Node *, count + 1);
    for (int k = 0; k < count; k++) {
        for (int i = 0; i < n; i++) operands[i] = elab_vector_component(x, given[i], k);
        parts[k] = elab_operate(x, op, n, operands, span);
    }
    return elab_wrap(x, &lets, core_tuple(x->cx, count, parts, NULL));
}

static bool is_array_or_cheap(Node *e)
{
    return e->type->kind == TYPE_ARRAY || elab_is_cheap(e);
}

// Zips one to three arrays: a, zip(a, b) or zip(a, zip(b, c)).
static Node *zipped(Elab *x, Node *const *arrays, int n)
{
    Node *all = arrays[n - 1];
    for (int i = n - 2; i >= 0; i--)
        all = core_pattern(x->cx, VIEW_ZIP, 0, 2, (Node *[]){arrays[i], all});
    return all;
}

// The component of p, an element of the zipped arrays, that comes from array k of n.
static Node *zipped_part(Elab *x, Node *p, int k, int n)
{
    for (int i = 0; i < k; i++) p = core_proj(x->cx, p, 1);
    return k < n - 1 ? core_proj(x->cx, p, 0) : p;
}

// Builds a map such as map(|p| p.0 op p.1, zip(a, b)) or, for one array, map(|x| x op s, a).
static Node *on_arrays(Elab *x, Prim op, int n, Node *const *args, Span span)
{
    Session *cx = x->cx;
    Node *given[PRIM_OPERANDS] = {NULL}, *arrays[PRIM_OPERANDS], *operands[PRIM_OPERANDS];
    Lets lets = {0};
    int count = 0;
    for (int i = 0; i < n; i++) given[i] = args[i];
    elab_name_all(x, &lets, given, n, is_array_or_cheap);
    for (int i = 0; i < n; i++)
        if (given[i]->type->kind == TYPE_ARRAY) arrays[count++] = given[i];
    Node *xs = zipped(x, arrays, count), *p = core_var(cx, 0, xs->type->op[1]);
    x->depth++;
    for (int i = 0, k = 0; i < n; i++) {
        bool array = given[i]->type->kind == TYPE_ARRAY;
        operands[i] = array ? zipped_part(x, p, k++, count) : node_shift(cx, given[i], 1, 0);
    }
    Node *body = elab_operate(x, op, n, operands, span);
    x->depth--;
    return elab_wrap(x, &lets, core_at(cx, elab_map(x, count > 1 ? "p" : "x", body, xs), span));
}

Node *elab_elementwise(Elab *x, Prim op, int n, Node *const *args, Span span)
{
    bool many = false, tuple = false;
    for (int i = 0; i < n; i++) {
        many |= elab_is_many(args[i]);
        tuple |= args[i]->type->kind == TYPE_TUPLE;
    }
    if (!many) return NULL;
    return tuple ? on_tuples(x, op, n, args, span) : on_arrays(x, op, n, args, span);
}

// --- casts -------------------------------------------------------------------------------------

Node *elab_convert_elements(Elab *x, Node *e, Node *to, Span span)
{
    x->depth++;
    Node *body = elab_convert(x, core_var(x->cx, 0, e->type->op[1]), to, span);
    x->depth--;
    return core_at(x->cx, elab_map(x, "x", body, e), span);
}
