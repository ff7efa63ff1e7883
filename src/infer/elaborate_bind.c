// Core of bindings: patterns, blocks, lambdas, the labels of continuations. A mutable variable is a place
// that holds its value; the names inside a pattern are components of one variable, but for mutable ones.
#include "infer/elaborate.h"

// --- lets --------------------------------------------------------------------------------------

void elab_push(Elab *x, Lets *lets, Sym name, Node *value)
{
    vec_push(x->b->arena, lets, ((LetBinding){name, value}));
    x->depth++;
}

Node *elab_wrap(Elab *x, const Lets *lets, Node *body)
{
    for (int i = lets->len - 1; i >= 0; i--, x->depth--)
        body = core_let(x->cx, lets->at[i].name, lets->at[i].value, body);
    return body;
}

// --- patterns ----------------------------------------------------------------------------------

void elab_set_level(Elab *x, const Ast *pattern, int level)
{
    Local *l = infer_note(x->b, pattern)->local;
    if (l) l->level = level;
    for (int i = 0; infer_has_parts(pattern) && i < pattern->kids.len; i++)
        elab_set_level(x, pattern->kids.at[i], level);
}

static Sym pattern_name(Elab *x, const Ast *pattern)
{
    bool named = pattern->kind == AST_BIND || pattern->kind == AST_BIND_MUT;
    if (named && pattern->name) return pattern->name;
    return session_sym(x->cx, pattern->kind == AST_BIND_TUPLE    ? "t"
                              : pattern->kind == AST_BIND_ARRAY  ? "v"
                              : pattern->kind == AST_BIND_STRUCT ? "s"
                                                                 : "_");
}

// The value a mutable name of a pattern begins with.
static Node *first_value(Elab *x, const Local *l)
{
    if (l->parent) return elab_part(x, elab_local(x, l->parent), l->component);
    return core_var(x->cx, x->depth - 1 - l->level, elab_type(x, l->type));
}

void elab_cells(Elab *x, Lets *lets, const Ast *pattern)
{
    Local *l = infer_note(x->b, pattern)->local;
    for (int i = 0; infer_has_parts(pattern) && i < pattern->kids.len; i++)
        elab_cells(x, lets, pattern->kids.at[i]);
    if (!l || !l->mutable) return;
    Node *cell = core_new(x->cx, first_value(x, l));
    l->level = x->depth;
    elab_push(x, lets, pattern->name, cell);
}

void elab_bind(Elab *x, Lets *lets, const Ast *pattern, Node *value)
{
    const Local *l = infer_note(x->b, pattern)->local;
    elab_set_level(x, pattern, x->depth);
    if (l && l->mutable) {
        elab_push(x, lets, pattern_name(x, pattern), core_new(x->cx, value));
        return;
    }
    elab_push(x, lets, pattern_name(x, pattern), value);
    elab_cells(x, lets, pattern);
}

// --- blocks ------------------------------------------------------------------------------------

// A statement becomes a let; one that does not come back is given: nothing follows it.
Node *elab_statement(Elab *x, Lets *lets, const Ast *s)
{
    if (s->kind == AST_FN) return NULL;
    const Ast *e = s->kind == AST_LET ? s->kids.at[2] : s;
    if (!infer_note(x->b, e)->type) return NULL; // a size
    Node *value = elab_open(x, e);
    if (value->type->kind == TYPE_NEVER) return value;
    if (s->kind == AST_LET)
        elab_bind(x, lets, s->kids.at[0], value);
    else
        elab_push(x, lets, NULL, value);
    return NULL;
}

// The value of a block without one: its last statement, if that is not a let.
static Node *no_value(Elab *x, Lets *lets)
{
    if (lets->len == 0 || vec_last(lets).name) return core_unit(x->cx);
    x->depth--;
    return lets->at[--lets->len].value;
}

// The statements from this one on, as a block.
static const Ast *rest_of(Elab *x, const Ast *e, int from)
{
    Ast *rest = infer_new_ast(x->b, AST_BLOCK, e->span);
    for (int i = from; i < e->kids.len; i++) vec_push(x->b->arena, &rest->kids, e->kids.at[i]);
    return rest;
}

// Statements from first to last, then the lets around the value from last to first: no recursion
// over long blocks.
Node *elab_block(Elab *x, const Ast *e)
{
    Lets lets = {0};
    Node *value = NULL;
    int last = e->kids.len - 1;
    if (x->masks && !x->lane) return elab_masked_block(x, e, 0);
    const Ast *rest =
        e == x->b->value && x->b->simd && !x->lane ? rest_of(x, e, x->b->simd_from) : NULL;
    if (rest) last = x->b->simd_from;
    for (int i = 0; i < last && !value; i++) value = elab_statement(x, &lets, e->kids.at[i]);
    if (rest) return elab_wrap(x, &lets, elab_simd_rest(x, rest));
    if (!value && last >= 0 && e->kids.at[last]) value = elab_open(x, e->kids.at[last]);
    return elab_wrap(x, &lets, value ? value : no_value(x, &lets));
}

// --- lambdas -----------------------------------------------------------------------------------

Node *elab_label(Elab *x, Local *k, Node *type, Node *(*make)(Elab *x, const Ast *e), const Ast *e)
{
    if (!k || !k->used) return make(x, e);
    k->level = x->depth++;
    Node *body = make(x, e);
    x->depth--;
    return core_label(x->cx, k->name, type, body);
}

// A body that does not come back suits the result that is expected.
static Node *lambda(Elab *x, Node *fun, Node *const *types, const Sym *names, Node *body)
{
    Node *f = core_lam(x->cx, type_nparams(fun), types, names, body);
    bool ends = body->type->kind == TYPE_NEVER && type_result(fun)->kind != TYPE_NEVER;
    return ends ? node_with_type(x->cx, f, fun) : f;
}

// |p, q| body. One that takes () and never comes back is of type fn() -> !, and gets its () from a let.
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
        names[i] = pattern_name(x, p);
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
    return lambda(x, fun, types, names, body);
}
