// Bindings: the patterns of `let`, lambdas and loops, blocks.
#include "infer/internal.h"

static const Why no_why = {WHY_NONE, NULL, 0};

Local *infer_parent(Body *b, Node *type, Local *parent, int component)
{
    Local *l = ARENA_NEW(b->arena, Local);
    *l = (Local){.kind = LOCAL_VALUE,
                 .type = type,
                 .parent = parent,
                 .component = component,
                 .level = -1,
                 .mode = -1};
    return l;
}

bool infer_has_parts(const Ast *pattern)
{
    return pattern->kind == AST_BIND_TUPLE || pattern->kind == AST_BIND_ARRAY ||
           pattern->kind == AST_BIND_STRUCT || pattern->kind == AST_BIND_FIELD ||
           pattern->kind == AST_BIND_OPTION;
}

static void bind_tuple(Body *b, const Ast *pattern, Node *type, Local *parent, int component)
{
    int n = pattern->kids.len;
    Local *l = infer_note(b, pattern)->local = infer_parent(b, type, parent, component);
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

// Whether a type is that of the index of a with-loop: of a fold its components are numbers.
static bool is_index(Body *b, Node *t)
{
    bool index = t->kind == TYPE_TUPLE;
    for (uint32_t i = 0; index && i < t->nops; i++) {
        Scalar s;
        Node *part = infer_resolve(b, t->op[i]);
        index = part->kind == TYPE_IDX || (type_is_scalar(part, &s) && s == SCALAR_I64);
    }
    return index;
}

// The elements are components of the array. The index of a with-loop is a tuple.
static void bind_array(Body *b, const Ast *pattern, Node *type, Local *parent, int component)
{
    int n = pattern->kids.len;
    Node *t = infer_settle(b, type), *length = nat_const(b->cx, n);
    if (is_index(b, t)) {
        bind_tuple(b, pattern, type, parent, component);
        return;
    }
    Local *l = infer_note(b, pattern)->local = infer_parent(b, type, parent, component);
    if (t->kind == TYPE_META) {
        Node *array = type_array(b->cx, length, infer_fresh(&b->scope, GENERIC_DATA));
        if (infer_unify(b, array, t, pattern->span, no_why)) t = infer_resolve(b, t);
    }
    if (t->kind == TYPE_ARRAY)
        infer_unify_sizes(b, length, t->op[0], type_array(b->cx, length, t->op[1]), t,
                          pattern->span, (Why){WHY_PARTS, NULL, 0});
    else if (t->kind != TYPE_ERROR)
        diag_error(b->cx, E0313, pattern->span, "an array pattern does not match `%s`",
                   infer_show(b, t));
    Node *element = t->kind == TYPE_ARRAY ? t->op[1] : NULL;
    if (!element) b->failed = true;
    for (int i = 0; i < n; i++)
        infer_bind(b, pattern->kids.at[i], element ? element : infer_error(b), l, i);
}

static void bind_name(Body *b, const Ast *pattern, Node *type, Local *parent, int component)
{
    if (!pattern->name) return;
    if (pattern->kids.len && pattern->kids.at[0]) {
        Node *written = infer_type(&b->scope, pattern->kids.at[0]);
        if (written->kind == TYPE_ERROR) b->failed = true;
        infer_unify(b, written, type, pattern->span, (Why){WHY_ANNOTATION, NULL, 0});
    }
    Local *l = infer_local_push(&b->scope, LOCAL_VALUE, pattern->name, pattern->span, type);
    l->parent = parent;
    l->component = component;
    l->mutable = pattern->kind == AST_BIND_MUT;
    infer_note(b, pattern)->local = l;
}

// Gives the names of a pattern the parts of a value of this type; `parent` is the tuple it is
// component of, or NULL.
void infer_bind(Body *b, const Ast *pattern, Node *type, Local *parent, int component)
{
    infer_note(b, pattern)->type = type;
    vec_push(b->arena, &b->seen, pattern);
    switch (pattern->kind) {
    case AST_BIND:
    case AST_BIND_MUT: bind_name(b, pattern, type, parent, component); break;
    case AST_BIND_ARRAY: bind_array(b, pattern, type, parent, component); break;
    case AST_BIND_STRUCT: infer_bind_struct(b, pattern, type, parent, component); break;
    case AST_BIND_TUPLE: bind_tuple(b, pattern, type, parent, component); break;
    case AST_BIND_VALUE: infer_bind_value(b, pattern, type); break;
    case AST_BIND_OPTION: infer_bind_option(b, pattern, type, parent, component); break;
    default: break; // _, or an error
    }
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

// The continuation whose name the value is, else NULL: what is named once more leaves the same
// construct.
static Local *continuation_of(Body *b, const Ast *value)
{
    const Ast *name = infer_strip(value);
    Local *l = name->kind == AST_NAME ? infer_note(b, name)->local : NULL;
    Node *t = l && l->kind == LOCAL_VALUE && !l->mutable ? infer_resolve(b, l->type) : NULL;
    return t && t->kind == TYPE_FUN && type_is_continuation(t) ? l : NULL;
}

// Whether the value comes back.
static bool let_types(Body *b, const Ast *let)
{
    const Ast *pattern = let->kids.at[0], *written = let->kids.at[1], *value = let->kids.at[2];
    Node *t, *found;
    if (written && infer_is_nat_type(&b->scope, written)) {
        let_size(b, let);
        return true;
    }
    Node *raised = infer_raised_value(b, let);
    if (written || raised) {
        t = written ? infer_type(&b->scope, written) : raised;
        if (t->kind == TYPE_ERROR) infer_error(b);
        found = infer_agree(b, value, t, (Why){WHY_ANNOTATION, NULL, 0});
    } else {
        t = found = infer_expr(b, value, NULL);
    }
    infer_bind(b, pattern, t, NULL, 0);
    Local *l = infer_note(b, pattern)->local;
    if (let->value.integer && l) l->mutable = true;
    infer_declare(b, let);
    if (l && pattern->kind == AST_BIND && !l->mutable) {
        infer_know(b, l, value);
        l->same = continuation_of(b, value);
    }
    return found->kind != TYPE_NEVER;
}

// (), or `!` when it does not come back; an error only where a value is `needed` and thrown away.
static Node *statement_types(Body *b, const Ast *s, bool needed)
{
    if (s->kind == AST_FN) {
        infer_capture(b, s);
        return infer_unit(b);
    }
    if (s->kind != AST_LET || s->kids.len != 3) return infer_effect(b, s, needed);
    return let_types(b, s) ? infer_unit(b) : type_never(b->cx);
}

static Node *never_reached(Body *b, const Ast *e)
{
    Diag *d = diag_error(b->cx, E0322, e->span, "this is never reached");
    diag_note(b->cx, d, NO_SPAN, "what stands before it does not come back");
    return infer_error(b);
}

// A block in which a statement does not come back does not either, and has nothing behind it.
Node *infer_block(Body *b, const Ast *e, Node *want)
{
    int mark = infer_scope_mark(&b->scope), last = e->kids.len - 1;
    const Ast *value = last < 0 ? NULL : e->kids.at[last], *unreached = NULL;
    bool ends = false, needed = !value && infer_wants_value(b, want);
    Node *done = infer_unit(b), *t = done;
    infer_enter_nested(b, e);
    for (int i = 0; i < last; i++) {
        bool defines = e->kids.at[i]->kind == AST_FN;
        if (ends && !unreached && !defines) unreached = e->kids.at[i];
        done = statement_types(b, e->kids.at[i], needed && i == last - 1);
        if (done->kind == TYPE_NEVER) ends = true;
    }
    if (ends && value && !unreached) unreached = value;
    if (needed && done->kind == TYPE_ERROR) t = done;
    if (value) t = infer_expr(b, value, want);
    infer_scope_release(&b->scope, mark);
    if (unreached) return never_reached(b, unreached);
    return ends ? type_never(b->cx) : t;
}

static void wrong_lambda(Body *b, const Ast *e, Node *want)
{
    int n = e->kids.len - 1, m = type_nparams(want);
    Session *cx = b->cx;
    if (infer_note(b, e)->exit) {
        Span span = e->kids.at[0]->span;
        if (n > 0) span.hi = e->kids.at[n - 1]->span.hi;
        diag_error(cx, E0302, span, "%d name%s here, but the call gives its body %d value%s", n,
                   n == 1 ? " stands" : "s stand", m, m == 1 ? "" : "s");
        infer_error(b);
        return;
    }
    Diag *d = diag_error(cx, E0302, e->span,
                         "this function takes %d argument%s, but one of %d is expected", n,
                         n == 1 ? "" : "s", m);
    diag_note(cx, d, NO_SPAN, "expected: %s", infer_show(b, want));
    if (m == 1 && infer_resolve(b, type_param(want, 0))->kind == TYPE_TUPLE)
        diag_help(cx, d, "take the tuple apart with parentheses: |(a, b)| ...");
    else if (m == 1 && n == 2)
        diag_help(cx, d,
                  "an element with its number: generate(n, |i| f(i, xs[i])) goes through them");
    infer_error(b);
}

// The body of a `for` or `with` is a function in which break and continue are in scope.
static void enter_continuations(Body *b, const Ast *e, Node *result)
{
    const Note *note = infer_note(b, e);
    if (note->exit) infer_local_enter(&b->scope, note->exit);
    if (!note->next) return;
    note->next->type = type_continuation(b->cx, infer_resolve(b, result));
    infer_local_enter(&b->scope, note->next);
}

// `result` is what is expected, or NULL; of the body of a `for` (), when nothing says otherwise.
static Node *lambda_body(Body *b, const Ast *e, Node *result)
{
    const Ast *body = vec_last(&e->kids);
    bool is_loop = infer_note(b, e)->exit != NULL;
    if (is_loop && !result) result = infer_unit(b);
    enter_continuations(b, e, result);
    if (!result) return infer_expr(b, body, NULL);
    if (!is_loop || !type_is_unit(infer_resolve(b, result)))
        return infer_part_of(b, body, result, no_why);
    infer_statement(b, body);
    return result;
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
    for (int i = mark; infer_note(b, e)->exit && i < b->scope.stack.len; i++)
        b->scope.stack.at[i]->counts = true;
    Node *result = lambda_body(b, e, given ? type_result(fun) : NULL);
    infer_scope_release(&b->scope, mark);
    bool bad = (wanted && !given) || result->kind == TYPE_ERROR;
    return bad ? infer_error(b) : type_fun(b->cx, n, params, result);
}
