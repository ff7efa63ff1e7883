// Bindings: the patterns of `let` and of lambdas, blocks.
#include "infer/internal.h"

static const Why no_why = {WHY_NONE, NULL, 0};

static void bind_tuple(Body *b, const Ast *pattern, Node *type, Local *parent, int component)
{
    int n = pattern->kids.len;
    Local *l = ARENA_NEW(b->arena, Local);
    *l = (Local){.kind = LOCAL_VALUE,
                 .type = type,
                 .parent = parent,
                 .component = component,
                 .level = -1,
                 .mode = -1};
    infer_note(b, pattern)->local = l;
    Node *t = infer_settle(b, type);
    Node **parts = ARENA_ARRAY(b->arena, Node *, n + 1);
    if (t->kind == TYPE_META) {
        for (int i = 0; i < n; i++) parts[i] = infer_fresh(&b->scope, GENERIC_DATA);
        if (infer_unify(b, type_tuple(b->cx, n, parts), t, pattern->span, no_why))
            t = infer_resolve(b, t);
    }
    bool fits = t->kind == TYPE_TUPLE && (int)t->nops == n;
    if (!fits && t->kind != TYPE_ERROR)
        diag_error(b->cx, E0313, pattern->span, "a pattern of %d parts does not match `%s`", n,
                   infer_show(b, t));
    if (!fits) b->failed = true;
    for (int i = 0; i < n; i++)
        infer_bind(b, pattern->kids.at[i], fits ? t->op[i] : infer_error(b), l, i);
}

// Gives the names of a pattern the parts of a value of this type; `parent` is the tuple it is
// component of, or NULL.
void infer_bind(Body *b, const Ast *pattern, Node *type, Local *parent, int component)
{
    infer_note(b, pattern)->type = type;
    vec_push(b->arena, &b->seen, pattern);
    if (pattern->kind == AST_BIND_TUPLE) {
        bind_tuple(b, pattern, type, parent, component);
        return;
    }
    if (pattern->kind != AST_BIND || !pattern->name) return;
    if (pattern->kids.len && pattern->kids.at[0]) {
        Node *written = infer_type(&b->scope, pattern->kids.at[0]);
        if (written->kind == TYPE_ERROR) b->failed = true;
        infer_unify(b, written, type, pattern->span, (Why){WHY_ANNOTATION, NULL, 0});
    }
    Local *l = infer_local_push(&b->scope, LOCAL_VALUE, pattern->name, pattern->span, type);
    l->parent = parent;
    l->component = component;
    infer_note(b, pattern)->local = l;
}

static void let_size(Body *b, const Ast *let)
{
    const Ast *pattern = let->kids.at[0];
    Node *n = infer_size(&b->scope, let->kids.at[2]);
    if (!n || pattern->kind != AST_BIND) {
        infer_error(b);
        n = nat_const(b->cx, 0);
    }
    infer_oblige(b, SIZE_LE, nat_const(b->cx, 0), n, let->kids.at[2]->span,
                 (Why){WHY_GENERIC, NULL, 0});
    if (pattern->kind == AST_BIND && pattern->name)
        infer_local_push(&b->scope, LOCAL_SIZE, pattern->name, pattern->span, n);
}

static void let_types(Body *b, const Ast *let)
{
    const Ast *written = let->kids.at[1], *value = let->kids.at[2];
    Node *t;
    if (written && infer_is_nat_type(&b->scope, written)) {
        let_size(b, let);
        return;
    }
    if (written) {
        t = infer_type(&b->scope, written);
        if (t->kind == TYPE_ERROR) infer_error(b);
        infer_check(b, value, t, (Why){WHY_ANNOTATION, NULL, 0});
    } else {
        t = infer_expr(b, value, NULL);
    }
    infer_bind(b, let->kids.at[0], t, NULL, 0);
}

Node *infer_block(Body *b, const Ast *e, Node *want)
{
    int mark = infer_scope_mark(&b->scope), last = e->kids.len - 1;
    for (int i = 0; i < last; i++) {
        const Ast *s = e->kids.at[i];
        if (s->kind == AST_LET && s->kids.len == 3)
            let_types(b, s);
        else
            infer_error(b);
    }
    Node *t = last < 0 ? infer_error(b) : infer_expr(b, e->kids.at[last], want);
    infer_scope_release(&b->scope, mark);
    return t;
}

static void wrong_lambda(Body *b, const Ast *e, Node *want)
{
    int n = e->kids.len - 1, m = type_nparams(want);
    Session *cx = b->cx;
    Diag *d = diag_error(cx, E0302, e->span,
                         "this function takes %d argument%s, but one of %d is expected", n,
                         n == 1 ? "" : "s", m);
    diag_note(cx, d, NO_SPAN, "expected: %s", infer_show(b, want));
    if (m == 1 && infer_resolve(b, type_param(want, 0))->kind == TYPE_TUPLE)
        diag_help(cx, d, "take the tuple apart with parentheses: |(a, b)| ...");
    infer_error(b);
}

Node *infer_lambda(Body *b, const Ast *e, Node *want)
{
    int n = e->kids.len - 1, mark = infer_scope_mark(&b->scope);
    Node *fun = want ? infer_settle(b, want) : NULL;
    bool wanted = fun && fun->kind == TYPE_FUN, given = wanted && type_nparams(fun) == n;
    if (wanted && !given) wrong_lambda(b, e, fun);
    Node **params = ARENA_ARRAY(b->arena, Node *, n + 1);
    for (int i = 0; i < n; i++) {
        params[i] = given ? type_param(fun, i) : wanted ? infer_error(b) : infer_unknown(b);
        infer_bind(b, e->kids.at[i], params[i], NULL, 0);
    }
    const Ast *body = e->kids.at[n];
    Node *result =
        given ? infer_check(b, body, type_result(fun), no_why) : infer_expr(b, body, NULL);
    infer_scope_release(&b->scope, mark);
    bool bad = (wanted && !given) || result->kind == TYPE_ERROR;
    return bad ? infer_error(b) : type_fun(b->cx, n, params, result);
}
