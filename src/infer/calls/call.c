// Applications: calls, pipes, partial applications.
//
// Data arguments are inferred before function arguments, so that the parameter types of a lambda
// are known when its body is inferred. The expected result type is used in between.
#include "infer/calls/calls.h"

// --- functions and patterns --------------------------------------------------------------------

// range and unroll: with bounds in lanes each lane iterates over its own range.
static bool is_loop_of_one(const Symbol *y)
{
    return y->kind == SYMBOL_PATTERN && infer_patterns[y->row].kind == CORE_RANGE;
}

// An argument that is no size where the function takes one, reported since there were so many
// diagnostics: which arguments it takes.
static void note_sizes(Body *b, const Symbol *y, int reported)
{
    if (b->cx->diags.len == reported || !y->item) return;
    Diag *d = vec_last(&b->cx->diags);
    if (d->code == E0403 || d->code == E0421)
        diag_note(b->cx, d, NO_SPAN, "%s", infer_show_item(b->cx, y->item));
}

// The sizes given in parentheses, by generic; false after an error.
static bool size_arguments(Body *b, const Symbol *y, const Signature *sig, const Ast **args,
                           int nargs, Node **sized)
{
    bool good = true;
    int reported = b->cx->diags.len;
    for (int i = 0; i < nargs; i++) {
        const SigParam *p = &sig->params.at[i];
        if (p->generic < 0) continue;
        if (p->shape >= 0) {
            const Extents *v = infer_extents(&b->scope, args[i]);
            for (int k = 0; v && k < v->n; k++) sized[p->generic + k] = v->at[k];
            good &= v != NULL;
        } else {
            sized[p->generic] = infer_size(&b->scope, args[i]);
            good &= sized[p->generic] != NULL;
        }
    }
    if (!good) note_sizes(b, y, reported);
    return good;
}

// The result type of a function that is called for each lane; NULL: it cannot be.
static Node *type_in_lanes(Body *b, Node *t, Node *lanes)
{
    t = infer_resolve(b, t);
    return t->kind == TYPE_NEVER ? t : infer_many(b, t, lanes);
}

// `y`: NULL, the function is a value.
static Node *result_in_lanes(Body *b, const Ast *e, const Symbol *y, Node *result, Node *lanes)
{
    infer_note(b, e)->simd = lanes;
    Node *t = type_in_lanes(b, result, lanes);
    if (t) return t;
    diag_error(b->cx, E0328, e->span, "%s is called for each lane, and `%s` is one value for all",
               y ? y->name->text : "this function", infer_show(b, result));
    return infer_error(b);
}

// A border other than const repeats elements, so there must be one.
static void oblige_border(Body *b, const Ast *e, const Symbol *y, Node *const *with,
                          const Ast *border)
{
    if (infer_patterns[y->row].form != FORM_PAD) return;
    const Ast *mode = ast_strip(border);
    if (mode->kind == AST_MODE) return;
    Node *added = nat_add(b->cx, with[0], with[1]);
    infer_oblige(b, SIZE_LE, nat_min(b->cx, added, nat_const(b->cx, 1)), with[2], e->span,
                 (Why){WHY_MODE, y, 0});
    if (mode->kind == AST_NAME && mode->name)
        vec_last(&b->obligations).border = infer_find_local(&b->scope, mode->name);
}

// rotate(axis, ...): the axis is a number, and the array has that many dimensions.
static Node *rotate_axis(Body *b, const Ast *e, const Signature *sig, Node *const *with,
                         Node *array)
{
    int64_t axis = 0;
    Node *n = with[sig->params.at[0].generic];
    if (!nat_is_const(n, &axis)) {
        diag_error(b->cx, E0318, e->span, "the axis of rotate is a number");
        return infer_error(b);
    }
    Node *t = infer_settle(b, array);
    for (int64_t i = 0; i < axis && t->kind == TYPE_ARRAY; i++) t = infer_settle(b, t->op[1]);
    if (t->kind == TYPE_ARRAY || t->kind == TYPE_ERROR) return array;
    diag_error(b->cx, E0318, e->span, "`%s` has no axis %lld to rotate", infer_show(b, array),
               (long long)axis);
    return infer_error(b);
}

// The body of a `for`, which is the last argument of its call, or NULL.
static const Ast *loop_body(Body *b, const Ast *const *args, int nargs)
{
    const Ast *last = nargs > 0 ? args[nargs - 1] : NULL;
    return last && last->kind == AST_LAMBDA && infer_note(b, last)->exit ? last : NULL;
}

// Whether all arguments of n but the last are there.
static bool is_partial(Body *b, int n, const Ast *const *args, int nargs)
{
    return nargs == n - 1 && !loop_body(b, args, nargs);
}

// The last argument may be the body of a `for`: then `break` carries the result of the call, or ()
// when the call does not come back.
static void decide_exit(Body *b, const Call *c, Node *result)
{
    const Ast *body = loop_body(b, c->args, c->nargs);
    if (!body) return;
    result = infer_resolve(b, result);
    Node *given = result->kind == TYPE_NEVER ? infer_unit(b) : result;
    infer_unify(b, infer_note(b, body)->exit->type, type_continuation(b->cx, given), body->span,
                no_why);
}

static Node *finish_call(Body *b, const Ast *e, const Symbol *y, Call *c, Node *const *params,
                         Node *result, Node *want)
{
    Node *type = c->partial ? type_fun(b->cx, 1, &c->missing, result) : result;
    Node *t = want ? infer_resolve(b, want) : NULL;
    bool wanted = t && type->kind != TYPE_NEVER && t->kind != TYPE_META && !infer_is_raised(b, e);
    if (wanted && !infer_lanes_inside(b, t) != !infer_lanes_inside(b, type))
        wanted =
            false; // the value is broadcast, or there is a call for each lane: the caller decides
    if (wanted && c->partial && t->kind != TYPE_FUN && t->kind != TYPE_ERROR) {
        infer_wrong_count(b, e, y ? y->name->text : "this function", c->nargs + 1, c->nargs,
                          y ? y->item : NULL);
        infer_give_up(b, c->args, 0);
        wanted = false;
        type = infer_error(b);
    }
    if (wanted && !infer_unify(b, want, type, e->span, (Why){WHY_RESULT, y, 0})) {
        infer_give_up(b, c->args, 0);
        type = infer_error(b);
    }
    decide_exit(b, c, type);
    Around outer = infer_enter_lanes(b, infer_note(b, e)->simd);
    infer_check_functions(b, e, y, params, c);
    b->around = outer;
    return wanted && type->kind != TYPE_ERROR ? want : type;
}

// `found`: the types of arguments that are inferred already, or NULL.
static Node *apply_signature(Body *b, const Ast *e, const Symbol *y, const AstVec *generics,
                             const Ast **args, Node *const *found, int nargs, Node *want)
{
    Signature *sig = infer_signature(b->in, y);
    if (!sig) return infer_give_up(b, args, nargs);
    int n = sig->params.len;
    bool partial = n > 0 && sig->params.at[n - 1].generic < 0 && is_partial(b, n, args, nargs);
    if (nargs != n && !partial) {
        infer_wrong_count(b, e, y->name->text, n, nargs, y->item);
        return infer_give_up(b, args, nargs);
    }
    Node **sized = ARENA_ARRAY(b->arena, Node *, sig->generics.len + 1),
         **params = ARENA_ARRAY(b->arena, Node *, n + 1);
    bool good = size_arguments(b, y, sig, args, nargs, sized);
    Node **with = good ? infer_instantiate(b, y, sig, generics, e->span, sized) : NULL;
    if (!with) {
        for (int i = 0; i < nargs; i++)
            if (sig->params.at[i].generic < 0 && !(found && found[i])) infer_expr(b, args[i], NULL);
        return infer_error(b);
    }
    for (int i = 0; i < n; i++) {
        Node *t = sig->params.at[i].type;
        params[i] = t ? infer_replace(b->cx, t, sig->generics.at, with, sig->generics.len) : NULL;
    }
    Call *c = infer_new_call(b, e, y, NULL, args, nargs);
    c->generics = with;
    c->partial = partial;
    if (partial) c->missing = infer_expect_missing(b, params[n - 1], want);
    b->has_scalar |= infer_keeps_masks(b->in, y);
    bool pattern = y->kind == SYMBOL_PATTERN;
    bool one_by_one = (!pattern || is_loop_of_one(y)) && !partial && !found;
    Node *lanes = NULL;
    Node *result = infer_replace(b->cx, sig->result, sig->generics.at, with, sig->generics.len);
    if (!partial) infer_expect_vectors(b, params, nargs, result, want);
    infer_check_arguments(b, y, params, args, found, nargs, one_by_one ? &lanes : NULL);
    if (lanes) result = result_in_lanes(b, e, y, result, lanes);
    if (pattern && nargs > 0) oblige_border(b, e, y, with, args[0]);
    if (pattern && infer_patterns[y->row].form == FORM_ROTATE && !partial)
        result = rotate_axis(b, e, sig, with, result);
    return finish_call(b, e, y, c, params, result, want);
}

// A function of any rank: that for the ranks of this call.
static Node *apply_family(Body *b, const Ast *e, const Symbol *family, const AstVec *generics,
                          const Ast **args, int nargs, Node *want)
{
    int n = family->item->params.len;
    if (nargs != n &&
        (nargs != n - 1 || infer_is_shape_type(family->item->params.at[n - 1].type))) {
        infer_wrong_count(b, e, family->name->text, n, nargs, family->item);
        return infer_give_up(b, args, nargs);
    }
    Node **types = ARENA_ARRAY(b->arena, Node *, n + 1);
    int reported = b->cx->diags.len;
    const Symbol *y = infer_member_for(b, family, e, generics, args, nargs, want, types);
    if (!y) note_sizes(b, family, reported);
    return y ? apply_signature(b, e, y, generics, args, types, nargs, want) : infer_error(b);
}

// zip takes any number of arrays of one length.
static Node *apply_zip(Body *b, const Ast *e, const Symbol *y, const Ast **args, int nargs,
                       Node *want)
{
    bool loop = loop_body(b, args, nargs) != NULL;
    if (nargs == 0 || loop) {
        infer_wrong_count(b, e, "zip", loop ? nargs - 1 : 2, nargs, y->item);
        return infer_error(b);
    }
    Call *c = infer_new_call(b, e, y, NULL, args, nargs);
    c->partial = nargs == 1;
    int n = nargs + c->partial;
    Node **parts = ARENA_ARRAY(b->arena, Node *, n), *size = infer_fresh(&b->scope, GENERIC_NAT);
    for (int i = 0; i < n; i++) {
        parts[i] = infer_fresh(&b->scope, GENERIC_DATA);
        Node *array = type_array(b->cx, size, parts[i]);
        if (i < nargs)
            infer_check(b, args[i], array, (Why){WHY_ARGUMENT, y, i});
        else
            c->missing = array;
    }
    Node *result = type_array(b->cx, size, type_tuple(b->cx, n, parts));
    (void)want;
    return c->partial ? type_fun(b->cx, 1, &c->missing, result) : result;
}

static Node *apply_unzip(Body *b, const Ast *e, const Symbol *y, const Ast **args)
{
    Node *xs = infer_value(b, args[0], NULL), *fun = infer_unzip_function(b, xs);
    infer_new_call(b, e, y, NULL, args, 1);
    if (xs->kind == TYPE_ERROR) return infer_error(b);
    if (!infer_unify(b, type_param(fun, 0), xs, args[0]->span, (Why){WHY_ARGUMENT, y, 0}))
        return infer_error(b);
    return type_result(fun);
}

// --- scalar functions, casts, load -------------------------------------------------------------

static Node *apply_prim(Body *b, const Ast *e, const Symbol *y, const Ast **args, int nargs,
                        Node *want)
{
    int n = prim_info[y->row].arity;
    bool partial = n > 1 && nargs == n - 1, literal[PRIM_OPERANDS] = {false};
    Node *types[PRIM_OPERANDS] = {NULL};
    if (nargs != n && !partial) {
        infer_wrong_count(b, e, y->name->text, n, nargs, NULL);
        return infer_give_up(b, args, nargs);
    }
    Call *c = infer_new_call(b, e, y, NULL, args, nargs);
    for (int i = 0; i < nargs; i++) {
        literal[i] = ast_is_literal(args[i]);
        types[i] = infer_value(b, args[i], NULL);
    }
    if (partial) {
        Node *fun = want ? infer_settle(b, want) : NULL;
        bool given = fun && fun->kind == TYPE_FUN && type_nparams(fun) == 1;
        c->partial = true;
        types[n - 1] = c->missing = given ? type_param(fun, 0) : infer_unknown(b);
    }
    Node *result = infer_operate(b, e, (Prim)y->row, types, literal, n);
    return partial ? type_fun(b->cx, 1, &c->missing, result) : result;
}

static Node *apply_cast(Body *b, const Ast *e, const Symbol *y, const Ast **args, int nargs)
{
    if (nargs != 1) {
        infer_wrong_count(b, e, y->name->text, 1, nargs, NULL);
        return infer_give_up(b, args, nargs);
    }
    Node *to = type_scalar(b->cx, (Scalar)y->row);
    infer_new_call(b, e, y, NULL, args, nargs);
    Node *from = infer_value(b, args[0], infer_cast_hint(args[0], to));
    return infer_convert(b, e, from, to);
}

// prod(v)
static Node *apply_prod(Body *b, const Ast *e, const Symbol *y, const Ast **args)
{
    const Extents *v = infer_extents(&b->scope, args[0]);
    if (!v) return infer_error(b);
    Call *c = infer_new_call(b, e, y, NULL, args, 1);
    c->generics = ARENA_ARRAY(b->arena, Node *, 1);
    c->generics[0] = infer_product(b->cx, v);
    return type_scalar(b->cx, SCALAR_I64);
}

// shape(a), rank(a), prod(v)
static Node *apply_shape(Body *b, const Ast *e, const Symbol *y, const Ast **args, int nargs)
{
    if (nargs != 1) {
        infer_wrong_count(b, e, y->name->text, 1, nargs, NULL);
        return infer_give_up(b, args, nargs);
    }
    if (y->row == SHAPE_PROD) return apply_prod(b, e, y, args);
    Node *t = infer_settle(b, infer_value(b, args[0], NULL)), *of = t;
    infer_new_call(b, e, y, NULL, args, nargs);
    while (of->kind == TYPE_ARRAY) of = infer_settle(b, of->op[1]);
    if (of->kind == TYPE_ERROR) return infer_error(b);
    if (of->kind == TYPE_META && !solver_is_number(b->scope.solver, of)) {
        Diag *d = diag_error(b->cx, E0422, e->span, "cannot tell the rank of this array");
        diag_help(b->cx, d, "write its type where it is named");
        return infer_error(b);
    }
    if (y->row == SHAPE_RANK) return type_scalar(b->cx, SCALAR_I64);
    return infer_extents_type(b->cx, infer_dims(&b->scope, t));
}

// Records of a file are of the struct that the rest of the body says.
bool infer_try_load(Body *b, Wait *w, bool final)
{
    const char *path = b->loads.at[infer_note(b, w->at)->call->load]->value.string;
    Node *element = infer_resolve(b, w->operand[0]), *type = infer_resolve(b, w->result);
    bool open = element->kind == TYPE_META;
    if (open && !final) return false;
    Node *t = b->load(b->cx, path, open ? NULL : type, NULL, w->at->span, b->load_env);
    b->failed |= !t;
    if (t || open) // what the struct leaves open, as `t` of Complex[t], is as in the file
        infer_unify(b, t ? type : element, t ? t : infer_error(b), w->at->span, no_why);
    return true;
}

static Node *apply_load(Body *b, const Ast *e, const Symbol *y, const Ast **args, int nargs,
                        Node *want)
{
    const Ast *path = nargs == 1 ? ast_strip(args[0]) : NULL;
    if (!path || path->kind != AST_STRING) {
        if (!path || path->kind != AST_ERROR)
            diag_error(b->cx, E0315, e->span, "load takes the path of a file, in quotes");
        return infer_error(b);
    }
    if (!b->load) {
        Diag *d =
            diag_error(b->cx, E0315, e->span, "load stands only in the expression of `adze run`");
        if (b->scope.symbol)
            diag_help(b->cx, d, "make what is loaded a parameter of the entry");
        else
            diag_help(b->cx, d,
                      "a test has its data written out; what is in a file is compared by "
                      "`adze run FILE 'f(load(\"%s\")) == ...'`, which prints true or false",
                      path->value.string);
        return infer_error(b);
    }
    Node *wanted = want ? infer_resolve(b, want) : NULL;
    if (wanted && wanted->kind == TYPE_META) wanted = NULL;
    Node *open = infer_unknown(b);
    Node *t = b->load(b->cx, path->value.string, wanted, open, e->span, b->load_env);
    if (!t) return infer_error(b);
    if (type_strip_arrays(t, NULL, 0, &(int){0}) == open)
        infer_add_wait(b, &(Wait){WAIT_LOAD, .at = e, .nops = 1, .operand = {open}, .result = t});
    infer_new_call(b, e, y, NULL, NULL, 0)->load = b->loads.len;
    vec_push(b->arena, &b->loads, path);
    vec_push(b->arena, &b->load_types, t);
    return t;
}

// --- values of function type -------------------------------------------------------------------

// fn(t) -> ! called without a value, where t is not known: it is ().
static Node *leave_without_value(Body *b, Node *fun, int nargs, Span span)
{
    bool open = nargs == 0 && fun->kind == TYPE_FUN && type_is_continuation(fun) &&
                type_nparams(fun) == 1 && infer_settle(b, type_param(fun, 0))->kind == TYPE_META;
    if (!open) return fun;
    infer_unify(b, infer_unit(b), type_param(fun, 0), span, no_why);
    return infer_resolve(b, fun);
}

// A function that is a value is called with another type than before: what was reported since there
// were so many diagnostics says why.
static void help_one_type(Body *b, const Ast *callee, Node *fun, int reported)
{
    const Local *l = callee->kind == AST_NAME ? infer_note(b, callee)->local : NULL;
    if (!l || b->cx->diags.len == reported || vec_last(&b->cx->diags)->code != E0301) return;
    Diag *d = vec_last(&b->cx->diags);
    diag_note(
        b->cx, d, l->span,
        "`%s` is a value of one type, `%s`; a function of the module, fn %s[t: num](...), may "
        "have several",
        l->name->text, infer_show(b, fun), l->name->text);
}

static void not_a_function(Body *b, const Ast *callee, Node *found)
{
    Diag *d = diag_error(b->cx, E0303, callee->span, "%s is not a function and cannot be applied",
                         infer_show_found(b, found));
    if (found->kind == TYPE_ARRAY)
        diag_help(b->cx, d, "an element is taken by brackets: a[i], of a matrix a[i, j]");
}

// break(x) in a loop without a value, return(x, y)
static void help_jump(Body *b, const Ast *callee, int takes, int given)
{
    const Ast *name = ast_strip(callee);
    if (name->kind != AST_NAME || !infer_is_continuation_name(name->name)) return;
    Diag *d = vec_last(&b->cx->diags);
    if (takes == 1 && given > 1)
        diag_help(b->cx, d, "several values are a tuple: %s((a, b))", name->name->text);
    else if (takes == 0)
        diag_help(b->cx, d,
                  "it gives no value here: assign a variable that is declared outside, and call "
                  "%s()",
                  name->name->text);
}

static Node *apply_value(Body *b, const Ast *e, const Ast *callee, const Ast **args, int nargs,
                         Node *want)
{
    Node *fun = infer_settle(b, infer_expr(b, callee, NULL));
    fun = leave_without_value(b, fun, nargs, callee->span);
    if (fun->kind == TYPE_META) {
        Node **params = ARENA_ARRAY(b->arena, Node *, nargs + 1);
        for (int i = 0; i < nargs; i++) params[i] = infer_unknown(b);
        Node *shape = type_fun(b->cx, nargs, params, infer_unknown(b));
        b->changes++;
        if (solver_unify(b->scope.solver, shape, fun, callee->span, NULL)) fun = shape;
    }
    if (fun->kind != TYPE_FUN) {
        bool silent = fun->kind == TYPE_ERROR || (infer_is_unknown(fun) && b->failed);
        if (!silent) not_a_function(b, callee, fun);
        return infer_give_up(b, args, nargs);
    }
    int n = type_nparams(fun);
    bool partial = n > 1 && is_partial(b, n, args, nargs);
    if (nargs != n && !partial) {
        infer_wrong_count(b, e, "this function", n, nargs, NULL);
        help_jump(b, callee, n, nargs);
        return infer_give_up(b, args, nargs);
    }
    Call *c = infer_new_call(b, e, NULL, callee, args, nargs);
    c->partial = partial;
    Node *const *params = fun->op;
    if (partial) c->missing = params[n - 1];
    bool named = ast_strip(callee)->kind == AST_NAME, ends = type_is_continuation(fun);
    Node *lanes = NULL, *result = type_result(fun);
    int reported = b->cx->diags.len;
    infer_check_arguments(b, NULL, params, args, NULL, nargs,
                          named && !ends && !partial ? &lanes : NULL);
    if (named && !ends) help_one_type(b, ast_strip(callee), fun, reported);
    if (lanes) result = result_in_lanes(b, e, NULL, infer_settle(b, result), lanes);
    return finish_call(b, e, NULL, c, params, result, want);
}

// --- patterns ----------------------------------------------------------------------------------

// extract and insert: of a vector, or of all vectors that are parts of a value.
static Node *apply_lane(Body *b, const Ast *e, const Symbol *y, const AstVec *generics,
                        const Ast **args, int nargs, Node *want)
{
    Signature *sig = infer_signature(b->in, y);
    if (!sig || nargs != sig->params.len || generics->len > 0)
        return apply_signature(b, e, y, generics, args, NULL, nargs, want);
    Node **found = ARENA_ARRAY(b->arena, Node *, nargs);
    found[0] = infer_settle(b, infer_expr(b, args[0], NULL));
    if (infer_is_of_parts(b, found[0])) return infer_lane_of_parts(b, e, y, args, nargs);
    return apply_signature(b, e, y, generics, args, found, nargs, want);
}

// select, shuffle, compress and expand: of vectors, or of all vectors that are parts of a value.
static Node *apply_lanes(Body *b, const Ast *e, const Symbol *y, const AstVec *generics,
                         const Ast **args, int nargs, Node *want)
{
    Signature *sig = infer_signature(b->in, y);
    if (!sig || nargs != sig->params.len || generics->len > 0)
        return apply_signature(b, e, y, generics, args, NULL, nargs, want);
    Node **found = ARENA_ARRAY(b->arena, Node *, nargs);
    for (int i = 0; i < nargs; i++) found[i] = infer_settle(b, infer_expr(b, args[i], NULL));
    if (infer_is_for_parts(b, y, found)) return infer_for_parts(b, e, y, args, nargs, found);
    return apply_signature(b, e, y, generics, args, found, nargs, want);
}

static Node *apply_pattern(Body *b, const Ast *e, const Symbol *y, const Ast *callee,
                           const Ast **args, int nargs, Node *want)
{
    AstVec generics;
    infer_generic_name(b, callee, &generics);
    infer_note_variant(b, e, callee, y, &generics);
    if (infer_is_form(y, FORM_ZIP)) return apply_zip(b, e, y, args, nargs, want);
    if (infer_is_form(y, FORM_UNZIP) && nargs == 1) return apply_unzip(b, e, y, args);
    if (infer_is_form(y, FORM_LANE)) return apply_lane(b, e, y, &generics, args, nargs, want);
    if (infer_is_form(y, FORM_LANES)) return apply_lanes(b, e, y, &generics, args, nargs, want);
    return apply_signature(b, e, y, &generics, args, NULL, nargs, want);
}

// --- dispatch ----------------------------------------------------------------------------------

Node *infer_apply(Body *b, const Ast *e, const Ast *callee, const Ast **args, int nargs, Node *want)
{
    AstVec generics;
    callee = ast_strip(callee);
    if (infer_is_option(b, callee)) return infer_apply_option(b, e, callee, args, nargs, want);
    const Symbol *y = infer_generic_name(b, callee, &generics);
    if (!y) return apply_value(b, e, callee, args, nargs, want);
    if (infer_is_ambiguous(&b->scope, y, callee->span)) return infer_give_up(b, args, nargs);
    switch (y->kind) {
    case SYMBOL_FN:
        if (y->is_family) return apply_family(b, e, y, &generics, args, nargs, want);
        return apply_signature(b, e, y, &generics, args, NULL, nargs, want);
    case SYMBOL_PATTERN: return apply_pattern(b, e, y, callee, args, nargs, want);
    case SYMBOL_PRIM: return apply_prim(b, e, y, args, nargs, want);
    case SYMBOL_SCALAR: return apply_cast(b, e, y, args, nargs);
    case SYMBOL_LOAD: return apply_load(b, e, y, args, nargs, want);
    case SYMBOL_SHAPE: return apply_shape(b, e, y, args, nargs);
    case SYMBOL_PRINT: return infer_print(b, e, y, args, nargs);
    case SYMBOL_CONST:
    case SYMBOL_STRUCT:
    case SYMBOL_ENUM:
    case SYMBOL_ALIAS:
    case SYMBOL_MODE:
    case SYMBOL_RULE:
    case SYMBOL_STRATEGY:
    case SYMBOL_AMBIGUOUS: break;
    }
    return apply_value(b, e, callee, args, nargs, want);
}

const Ast **infer_call_arguments(Body *b, const Ast *call, int from, const Ast *last, int *n)
{
    const Ast **args = ARENA_ARRAY(b->arena, const Ast *, call->kids.len + 1);
    *n = 0;
    for (int i = from; i < call->kids.len; i++) args[(*n)++] = call->kids.at[i];
    if (last) args[(*n)++] = last;
    return args;
}

// A call, or a ++ b, which is concat(a, b).
Node *infer_call(Body *b, const Ast *e, Node *want)
{
    int n;
    if (e->kind == AST_CALL) {
        const Ast **args = infer_call_arguments(b, e, 1, NULL, &n);
        return infer_apply(b, e, e->kids.at[0], args, n, want);
    }
    const Ast **args = infer_call_arguments(b, e, 0, NULL, &n);
    const Symbol *concat = infer_find_symbol(&(Scope){.in = b->in, .unit = b->in->prelude},
                                             session_sym(b->cx, "concat"));
    CHECK(b->cx, concat, "the prelude has no concat");
    return apply_signature(b, e, concat, &(AstVec){0}, args, NULL, n, want);
}

Node *infer_call_with(Body *b, const Ast *call, const Ast *last)
{
    int n;
    const Ast **args = infer_call_arguments(b, call, 1, last, &n);
    return infer_apply(b, call, call->kids.at[0], args, n, NULL);
}
