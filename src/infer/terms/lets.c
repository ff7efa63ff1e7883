// Wraps terms in lets, labels and lambdas.
#include "infer/terms/terms.h"

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

// Gives the result of `e` the type that is expected around it. The two are equal, but perhaps only
// under a condition that the lets of `e` establish by jumping away otherwise.
static Node *of_type(Elab *x, Node *e, Node *type)
{
    VEC(Node *) lets = {0};
    if (!type_has_array(e->type)) return e;
    for (; e->kind == CORE_LET && e->type != type; e = e->op[1]) vec_push(x->cx->arena, &lets, e);
    if (e->type->kind != TYPE_NEVER && e->type != type) e = node_with_type(x->cx, e, type);
    for (int i = lets.len; i-- > 0;)
        e = node_with_type(x->cx, node_with_op(x->cx, lets.at[i], 1, e), e->type);
    return e;
}

Node *elab_choice(Elab *x, const Ast *e, Node *condition, Node *then, Node *otherwise)
{
    Node *value = core_if(x->cx, condition, then, otherwise);
    if (x->lane || x->masks || !type_has_array(value->type)) return value;
    Node *type = elab_type(x, infer_note(x->b, e)->type);
    Node *ops[] = {condition, of_type(x, then, type), of_type(x, otherwise, type)};
    return node_with_type(x->cx, core_pattern(x->cx, CORE_IF, 0, 3, ops), type);
}

Node *elab_label(Elab *x, Local *k, Node *type, Node *(*make)(Elab *x, const Ast *e), const Ast *e)
{
    if (!k || !k->used) return make(x, e);
    k->level = x->depth++;
    Node *body = make(x, e);
    x->depth--;
    return core_label(x->cx, k->name, type, of_type(x, body, type));
}

Node *elab_lambda_of(Elab *x, Node *fun_type,
                     Node *(*make)(Elab *x, Node *const *args, int n, void *env), void *env)
{
    int n = type_nparams(fun_type);
    Node **args = ARENA_ARRAY(x->b->arena, Node *, n + 1);
    Sym *names = ARENA_ARRAY(x->b->arena, Sym, n + 1);
    for (int i = 0; i < n; i++) {
        args[i] = core_var(x->cx, n - 1 - i, type_param(fun_type, i));
        names[i] = session_sym(x->cx, (const char *const[]){"a", "b", "c", "d"}[i % 4]);
    }
    x->depth += n;
    Node *body = make(x, args, n, env);
    x->depth -= n;
    return core_lam(x->cx, n, fun_type->op, names, body);
}
