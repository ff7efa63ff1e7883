// Elaboration of blocks and lambdas.
#include "infer/elaborate/elaborate.h"

// --- blocks ------------------------------------------------------------------------------------

// Returns the value of a block that ends in a statement, and removes that statement from the lets.
// If there is no statement, or if it is a let, the value is ().
static Node *no_value(Elab *x, Lets *lets)
{
    if (lets->len == 0 || vec_last(lets).name) return core_unit(x->cx);
    x->depth--;
    return lets->at[--lets->len].value;
}

// Builds a block from the statements starting at index `from`.
static const Ast *rest_of(Elab *x, const Ast *e, int from)
{
    Ast *rest = infer_new_ast(x->b, AST_BLOCK, e->span);
    for (int i = from; i < e->kids.len; i++) vec_push(x->b->arena, &rest->kids, e->kids.at[i]);
    return rest;
}

// Returns the elements of a [?n]t up to its current length as an array of length `size`, and sets
// *count to that length. If `value` reads a variable, reads just these elements, not all of its
// memory.
static Node *elements_of(Elab *x, Lets *lets, Node *value, Node *size, Node **count)
{
    Session *cx = x->cx;
    Node *zero = nat_const(cx, 0);
    if (value->kind == CORE_GET && value->op[0]->kind == CORE_VAR) {
        Node *place = value->op[0];
        *count = core_get(cx, core_ref_proj(cx, place, 0));
        return core_get(cx, core_ref_slice(cx, zero, size, core_ref_proj(cx, place, 1)));
    }
    elab_push(x, lets, session_sym(cx, "some"), value);
    Node *some = core_var(cx, 0, value->type), *ops[3] = {zero, size, core_proj(cx, some, 1)};
    *count = core_proj(cx, some, 0);
    return core_pattern(cx, VIEW_SLICE, 0, 3, ops);
}

// Elaborates a `let` that opens a size, with the statements after it as its body.
static Node *elab_open_size(Elab *x, const Ast *e, int at)
{
    Session *cx = x->cx;
    const Ast *let = e->kids.at[at], *pattern = let->kids.at[0], *value = let->kids.at[2];
    Node *size = infer_note(x->b, pattern)->size, *v = elab_open(x, value);
    Lets lets = {0}, inside = {0};
    if (v->type->kind == TYPE_NEVER) return v;
    Node *count = v;
    if (pattern->kind == AST_BIND_TUPLE) {
        Node *elements = elements_of(x, &lets, v, size, &count);
        elab_bind(x, &inside, pattern->kids.at[1], elements);
    } else if (v->type->kind != TYPE_IDX) {
        count = core_to_idx(cx, v, type_own_size(cx)->op[0], value->span);
    }
    Node *body = elab_wrap(x, &inside, elab_block(x, rest_of(x, e, at + 1)));
    return elab_wrap(x, &lets, core_at(cx, core_open(cx, size->attr.sym, count, body), let->span));
}

static bool opens_size(Elab *x, const Ast *s)
{
    return s->kind == AST_LET && infer_note(x->b, s->kids.at[0])->size;
}

// Elaborates the statements from first to last, then builds the lets from last to first, so that
// long blocks need no recursion.
Node *elab_block(Elab *x, const Ast *e)
{
    Lets lets = {0};
    Node *value = NULL;
    int last = e->kids.len - 1;
    if (x->masks && !x->lane) return elab_masked_block(x, e, 0);
    const Ast *rest =
        e == x->b->value && x->b->simd && !x->lane ? rest_of(x, e, x->b->simd_from) : NULL;
    if (rest) last = x->b->simd_from;
    for (int i = 0; i < last && !value; i++)
        value = opens_size(x, e->kids.at[i]) ? elab_open_size(x, e, i)
                                             : elab_statement(x, &lets, e->kids.at[i]);
    if (rest) return elab_wrap(x, &lets, elab_simd_rest(x, rest));
    if (!value && last >= 0 && e->kids.at[last]) value = elab_open(x, e->kids.at[last]);
    return elab_wrap(x, &lets, value ? value : no_value(x, &lets));
}

// --- lambdas -----------------------------------------------------------------------------------

// Elaborates |p, q| body. A lambda that takes () and never returns has type fn() -> !, so its
// parameter is let-bound to (). If the body never returns but the type of the lambda has a result,
// the lambda keeps that type.
Node *elab_lambda(Elab *x, const Ast *e)
{
    int n = e->kids.len - 1, outer = x->depth;
    const Note *note = infer_note(x->b, e);
    Node *fun = elab_type(x, note->type), **types = ARENA_ARRAY(x->b->arena, Node *, n + 1);
    Sym *names = ARENA_ARRAY(x->b->arena, Sym, n + 1);
    Lets lets = {0};
    for (int i = 0; i < n; i++) {
        const Ast *p = e->kids.at[i];
        types[i] = elab_type(x, infer_note(x->b, p)->type);
        names[i] = elab_pattern_name(x, p);
        elab_set_level(x, p, x->depth + i);
    }
    if (type_nparams(fun) < n)
        elab_push(x, &lets, names[0], core_unit(x->cx));
    else
        x->depth += n;
    for (int i = 0; i < n; i++) elab_cells(x, &lets, e->kids.at[i]);
    Node *body = elab_label(x, note->next, type_result(fun), elab_open, e->kids.at[n]);
    body = elab_wrap(x, &lets, body);
    x->depth = outer;
    Node *f = core_lam(x->cx, type_nparams(fun), types, names, body);
    bool ends = body->type->kind == TYPE_NEVER && type_result(fun)->kind != TYPE_NEVER;
    return ends ? node_with_type(x->cx, f, fun) : f;
}
