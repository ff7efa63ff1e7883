// Blocks, `let`, lambdas and scalar { }.
#include "infer/check/check.h"

// Opens a size, which exists in the rest of the block. There it is at most `most`, if that is not
// NULL.
static Node *new_size(Body *b, const Ast *block, const Ast *let, const Ast *name, Node *most)
{
    Session *cx = b->cx;
    bool named = name->kind == AST_BIND && name->name;
    Sym written = named ? name->name : session_sym(cx, "k");
    Node *size = nat_var(cx, sym_fresh(cx->syms, written->text));
    Span span = let->span, rest = {span.file, span.hi, block->span.hi};
    OpenedSize opened = {written, size, most, span, let->kids.at[0]->span, rest};
    vec_push(b->arena, &b->opened, opened);
    if (named) infer_local_push(&b->scope, LOCAL_SIZE, written, name->span, size);
    SizeCheck bound = {.relation = SIZE_LE, .left = size, .right = most};
    if (most) b->guard = size_guard_push(b->arena, b->guard, size_condition_check(b->arena, bound));
    return infer_note(b, let->kids.at[0])->size = size;
}

// Whether the type is a [?n]t and the pattern has the form (k, ys), which opens such a value.
static bool opens(const Ast *pattern, Node *type)
{
    if (!type_is_up_to(type) || pattern->kind != AST_BIND_TUPLE || pattern->kids.len != 2)
        return false;
    AstKind first = pattern->kids.at[0]->kind;
    return first == AST_BIND || first == AST_WILDCARD;
}

// Binds the names of a pattern (k, ys) for a value of the type [?n]t.
static void open_up_to(Body *b, const Ast *block, const Ast *let, Node *type)
{
    const Ast *pattern = let->kids.at[0];
    Node *elements = type->op[1];
    Node *size = new_size(b, block, let, pattern->kids.at[0], elements->op[0]);
    infer_note(b, pattern)->type = type;
    infer_bind(b, pattern->kids.at[1], type_array(b->cx, size, elements->op[1]), NULL, 0);
}

// Infers `let k: nat = value` for a value computed at run time: an index, whose bound also bounds
// the size, or another integer.
static bool open_size(Body *b, const Ast *block, const Ast *let)
{
    const Ast *pattern = let->kids.at[0], *value = let->kids.at[2];
    Session *cx = b->cx;
    Node *t = infer_settle(b, infer_expr(b, value, NULL));
    if (t->kind != TYPE_IDX)
        t = infer_accept(b, value, t, infer_i64(b), (Why){WHY_ANNOTATION, NULL, 0});
    Node *most = t->kind == TYPE_IDX ? nat_sub(cx, t->op[0], nat_const(cx, 1)) : NULL;
    new_size(b, block, let, pattern, most);
    return infer_note(b, value)->type->kind != TYPE_NEVER;
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

// Returns the continuation that the value names, so that the variable becomes another name for it.
// Returns NULL if the value does not name a continuation.
static Local *continuation_of(Body *b, const Ast *value)
{
    const Ast *name = ast_strip(value);
    Local *l = name->kind == AST_NAME ? infer_note(b, name)->local : NULL;
    Node *t = l && l->kind == LOCAL_VALUE && !l->mutable ? infer_resolve(b, l->type) : NULL;
    return t && t->kind == TYPE_FUN && type_is_continuation(t) ? l : NULL;
}

// Only arrays are declared in an address space: scalars are in registers.
static void declare_space(Body *b, const Ast *let, Local *l, Node *type)
{
    Node *t = infer_settle(b, type);
    if (t->kind == TYPE_ERROR || !l) return;
    l->space = infer_space(&b->scope, let->name);
    if (t->kind == TYPE_ARRAY) return;
    Diag *d = diag_error(b->cx, E0309, let->name_span,
                         "arrays are declared in an address space, but this is %s",
                         infer_show_found(b, t));
    diag_help(b->cx, d, "an array of one element: let mut x: %s [1]T = [e];", let->name->text);
    b->failed = true;
}

// Infers a `let`. Returns false if evaluating its value never returns.
static bool let_types(Body *b, const Ast *block, const Ast *let)
{
    const Ast *pattern = let->kids.at[0], *written = let->kids.at[1], *value = let->kids.at[2];
    Node *t, *found;
    if (written && infer_is_nat_type(&b->scope, written)) {
        if (pattern->kind == AST_BIND && pattern->name &&
            !infer_consists_of_sizes(&b->scope, value))
            return open_size(b, block, let);
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
    if (pattern->kind == AST_BIND_TUPLE && opens(pattern, infer_settle(b, t))) {
        open_up_to(b, block, let, infer_settle(b, t));
        return found->kind != TYPE_NEVER;
    }
    infer_bind(b, pattern, t, NULL, 0);
    Local *l = infer_note(b, pattern)->local;
    if (let->value.integer && l) l->mutable = true;
    if (let->name) declare_space(b, let, l, t);
    infer_declare(b, let);
    if (l && pattern->kind == AST_BIND && !l->mutable) {
        infer_know(&b->scope, l, value);
        l->same = continuation_of(b, value);
        infer_name_condition(b, l, value);
    }
    return found->kind != TYPE_NEVER;
}

// Infers a statement. Returns its type, which is () or, if it never returns, `!`. `needed` is set
// if the block should have a value.
static Node *statement_types(Body *b, const Ast *block, const Ast *s, bool needed)
{
    if (s->kind == AST_FN) {
        infer_capture(&b->scope, s);
        return infer_unit(b);
    }
    if (s->kind != AST_LET || s->kids.len != 3) return infer_effect(b, s, needed);
    return let_types(b, block, s) ? infer_unit(b) : type_never(b->cx);
}

static Node *never_reached(Body *b, const Ast *e)
{
    Diag *d = diag_error(b->cx, E0322, e->span, "this is never reached");
    diag_note(b->cx, d, NO_SPAN, "the statement before it never returns");
    return infer_error(b);
}

// Adds to the guard what a statement implies about sizes in the code after it. If an `if` has no
// `else` and its branch never returns, its condition is false in the rest of the block.
static void enter_rest(Body *b, const Ast *s)
{
    bool alone = s->kind == AST_IF && s->kids.len == 3 && !s->kids.at[2];
    if (alone && infer_resolve(b, infer_note(b, s->kids.at[1])->type)->kind == TYPE_NEVER)
        b->guard = infer_guard(b, b->guard, s->kids.at[0], false);
}

// Infers the value of a block. If it is an array whose length is a size that the block opened (one
// of b->opened, from index `first` on), it becomes a [?n]t, where n is the bound of the size.
static Node *block_value(Body *b, const Ast *value, Node *want, int first)
{
    Node *t = infer_expr(b, value, want);
    Node *found = first < b->opened.len ? infer_settle(b, t) : t;
    for (int i = first; i < b->opened.len && found->kind == TYPE_ARRAY; i++) {
        const OpenedSize *o = &b->opened.at[i];
        if (found->op[0] != o->size || !o->most) continue;
        Node *most = infer_bound_outside(b, o->most, first);
        return infer_accept(b, value, found, infer_up_to(b->in, most, found->op[1]), no_why);
    }
    return t;
}

// Infers a block. If a statement in it never returns, neither does the block, and no code may
// follow that statement.
Node *infer_block(Body *b, const Ast *e, Node *want)
{
    int mark = infer_scope_mark(&b->scope), last = e->kids.len - 1, opened = b->opened.len;
    const Ast *value = last < 0 ? NULL : e->kids.at[last], *unreached = NULL;
    bool ends = false, needed = !value && infer_wants_value(b, want);
    Node *done = infer_unit(b), *t = done;
    SizeGuard *outer = b->guard;
    infer_enter_nested(&b->scope, e);
    for (int i = 0; i < last; i++) {
        bool defines = e->kids.at[i]->kind == AST_FN;
        if (ends && !unreached && !defines) unreached = e->kids.at[i];
        done = statement_types(b, e, e->kids.at[i], needed && i == last - 1);
        if (done->kind == TYPE_NEVER) ends = true;
        enter_rest(b, e->kids.at[i]);
    }
    if (ends && value && !unreached) unreached = value;
    if (needed && done->kind == TYPE_ERROR) t = done;
    if (value) t = block_value(b, value, want, opened);
    infer_scope_release(&b->scope, mark);
    b->guard = outer;
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
        diag_help(cx, d, "to use each element with its index, write generate(n, |i| f(i, xs[i]))");
    infer_error(b);
}

// Brings break and continue into scope if the lambda is the body of a `for` or `with`.
static void enter_continuations(Body *b, const Ast *e, Node *result)
{
    const Note *note = infer_note(b, e);
    if (note->exit) infer_local_enter(&b->scope, note->exit);
    if (!note->next) return;
    note->next->type = type_continuation(b->cx, infer_resolve(b, result));
    infer_local_enter(&b->scope, note->next);
}

// Infers the body of a lambda. `result` is its expected type, or NULL. The body of a `for` yields
// () unless another type is expected.
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

// Infers scalar { } or scalar |m| { }, where the mask m is a vector of bools. If the number of
// lanes of the enclosing construct is not known yet, simd_regions.c determines it.
Node *infer_scalar(Body *b, const Ast *e, Node *want)
{
    int mark = infer_scope_mark(&b->scope);
    Around outer = b->around;
    b->has_scalar = true;
    if (e->kids.len > 1) {
        Node *lanes = outer.lanes ? outer.lanes : infer_fresh(&b->scope, GENERIC_NAT);
        infer_note(b, e)->lanes = lanes;
        infer_bind(b, e->kids.at[0], type_varying(b->cx, lanes, infer_boolean(b)), NULL, 0);
    }
    b->around = (Around){0};
    Node *t = infer_expr(b, vec_last(&e->kids), want);
    b->around = outer;
    infer_scope_release(&b->scope, mark);
    return t;
}
