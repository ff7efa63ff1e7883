// Applications: calls, pipes, partial applications.
//
// Data arguments are inferred before function arguments, so that the parameter types of a lambda
// are known when its body is inferred. The result is unified with its expected type in between.
#include "infer/calls/calls.h"

// --- functions and patterns --------------------------------------------------------------------

// Adds the declaration of the function as a note to the last error, if that error was reported
// after the first `reported` ones and says that an argument is not a size.
static void note_sizes(Body *b, const Symbol *y, int reported)
{
    if (b->cx->diags.len == reported || !y->item) return;
    Diag *d = vec_last(&b->cx->diags);
    if (d->code == E0403 || d->code == E0421)
        diag_note(b->cx, d, NO_SPAN, "%s", infer_show_item(b->cx, y->item));
}

// Reads the sizes passed in parentheses into `sized`, indexed by generic. Returns false after an
// error.
static bool size_arguments(Body *b, const Application *a, const Signature *sig, Node **sized)
{
    bool good = true;
    int reported = b->cx->diags.len;
    for (int i = 0; i < a->nargs; i++) {
        const SigParam *p = &sig->params.at[i];
        if (p->generic < 0) continue;
        if (p->shape >= 0) {
            const Extents *v = infer_extents(&b->scope, a->args[i]);
            for (int k = 0; v && k < v->n; k++) sized[p->generic + k] = v->at[k];
            good &= v != NULL;
        } else {
            sized[p->generic] = infer_size(&b->scope, a->args[i]);
            good &= sized[p->generic] != NULL;
        }
    }
    if (!good) note_sizes(b, a->symbol, reported);
    return good;
}

// Whether a value is or contains a function of vectors, which has no value in one lane.
static bool has_function_of_vectors(Node *t)
{
    if (t->kind == TYPE_FUN) return type_has_vector(t);
    for (uint32_t i = 0; i < t->nops; i++)
        if (has_function_of_vectors(t->op[i])) return true;
    return false;
}

// Marks the call as made once per lane, and returns the type of its result.
static Node *result_in_lanes(Body *b, const Application *a, Node *const *params, Node *result,
                             Node *lanes)
{
    for (int i = 0; i < a->nargs; i++) {
        Node *param = params[i] ? infer_resolve(b, params[i]) : NULL;
        if (!param || !has_function_of_vectors(param)) continue;
        Diag *d = diag_error(b->cx, E0329, a->args[i]->span,
                             "a function of vectors has no value in one lane, and %s is called "
                             "once for each",
                             infer_called_name(a));
        diag_help(b->cx, d, "pass only what the call needs, without functions of vectors");
        return infer_error(b);
    }
    infer_note(b, a->e)->simd = lanes;
    result = infer_resolve(b, result);
    Node *t = result->kind == TYPE_NEVER ? result : infer_many(b, result, lanes);
    if (t) return t;
    Diag *d = diag_error(b->cx, E0328, a->e->span,
                         "%s is called once for each lane, but `%s` is one value for all lanes",
                         infer_called_name(a), infer_show(b, result));
    if (result->kind == TYPE_REF)
        diag_help(b->cx, d, "return the value, or change it inside the function");
    return infer_error(b);
}

// Requires the array to have an element, because every border mode except const repeats one.
static void oblige_border(Body *b, const Application *a, Node *const *with)
{
    if (!infer_is_form(a->symbol, FORM_PAD) || a->nargs == 0) return;
    const Ast *mode = ast_strip(a->args[0]);
    if (mode->kind == AST_MODE) return;
    Node *added = nat_add(b->cx, with[0], with[1]);
    infer_oblige(b, SIZE_LE, nat_min(b->cx, added, nat_const(b->cx, 1)), with[2], a->e->span,
                 (Why){WHY_MODE, a->symbol, 0});
    if (mode->kind == AST_NAME && mode->name)
        vec_last(&b->obligations).border = infer_find_local(&b->scope, mode->name);
}

// Checks the axis of rotate(axis, ...), which must be a constant below the number of dimensions of
// the type `array`. Returns that type, which is also the type of the result.
static Node *rotate_axis(Body *b, const Ast *e, const Signature *sig, Node *const *with,
                         Node *array)
{
    int64_t axis = 0;
    Node *n = with[sig->params.at[0].generic];
    if (!nat_is_const(n, &axis)) {
        Diag *d = diag_error(b->cx, E0318, e->span, "the axis of rotate must be a constant");
        diag_help(b->cx, d,
                  "write a number: rotate(0, k, a); of each row "
                  "map(|row| rotate(0, k, row), a)");
        return infer_error(b);
    }
    Node *t = infer_settle(b, array);
    for (int64_t i = 0; i < axis && t->kind == TYPE_ARRAY; i++) t = infer_settle(b, t->op[1]);
    if (t->kind == TYPE_ARRAY || t->kind == TYPE_ERROR) return array;
    diag_error(b->cx, E0318, e->span, "`%s` has no axis %lld to rotate", infer_show(b, array),
               (long long)axis);
    return infer_error(b);
}

// The body of a `for`, which is passed as the last argument of the call, or NULL if there is none.
static const Ast *loop_body(Body *b, const Application *a)
{
    const Ast *last = a->nargs > 0 ? a->args[a->nargs - 1] : NULL;
    return last && last->kind == AST_LAMBDA && infer_note(b, last)->exit ? last : NULL;
}

// Whether exactly the last of n arguments is missing.
static bool is_partial(Body *b, const Application *a, int n)
{
    return a->nargs == n - 1 && !loop_body(b, a);
}

// If the last argument is the body of a `for`, its `break` carries the result of the call, or () if
// the call never returns.
static void decide_exit(Body *b, const Application *a, Node *result)
{
    const Ast *body = loop_body(b, a);
    if (!body) return;
    result = infer_resolve(b, result);
    Node *given = result->kind == TYPE_NEVER ? infer_unit(b) : result;
    infer_unify(b, infer_note(b, body)->exit->type, type_continuation(b->cx, given), body->span,
                no_why);
}

// Whether the value of a call is converted without loss to the expected type. It is not where the
// result has the type of arguments: `reduce(+, 0, bytes)` would be a sum of bytes, which wraps.
static bool converts(Body *b, const Application *a, Node *want, Node *type)
{
    const Signature *sig = a->symbol ? a->symbol->signature : NULL;
    return sig && sig->result->kind != TYPE_VAR && infer_widened(b, want, type);
}

static Node *finish_call(Body *b, const Application *a, const Call *c, Node *const *params,
                         Node *result)
{
    Node *type = c->partial ? type_fun(b->cx, 1, &c->missing, result) : infer_resolve(b, result);
    Node *t = a->want ? infer_resolve(b, a->want) : NULL;
    // If only one of the two types has vectors, the caller decides whether to broadcast the value
    // or to call the function once per lane.
    bool unifies =
        t && type->kind != TYPE_NEVER && t->kind != TYPE_META && !infer_is_raised(b, a->e) &&
        !infer_becomes_up_to(b, t, type) && !converts(b, a, t, type) && // infer_expr converts it
        !(t->kind == TYPE_ARRAY && type_is_up_to(type)) && // the other branch may become a [?n]t
        !infer_lanes_inside(b, t) == !infer_lanes_inside(b, type);
    if (unifies && c->partial && t->kind != TYPE_FUN && t->kind != TYPE_ERROR) {
        infer_report_count(b, a, a->nargs + 1);
        type = infer_error(b);
    } else if (unifies &&
               !infer_unify(b, a->want, type, a->e->span, (Why){WHY_RESULT, a->symbol, 0})) {
        type = infer_error(b);
    }
    decide_exit(b, a, type);
    Around outer = infer_enter_lanes(b, infer_note(b, a->e)->simd);
    infer_check_functions(b, a, params);
    b->around = outer;
    return unifies && type->kind != TYPE_ERROR ? a->want : type;
}

// Infers the type of an application of a function or pattern from its signature. `found` holds the
// types of the arguments that have already been inferred; it may be NULL.
static Node *apply_signature(Body *b, const Application *a, Node *const *found)
{
    const Symbol *y = a->symbol;
    Signature *sig = infer_signature(b->in, y);
    if (!sig) return infer_give_up(b, a);
    int n = sig->params.len;
    bool partial = n > 0 && sig->params.at[n - 1].generic < 0 && is_partial(b, a, n);
    if (a->nargs != n && !partial) return infer_wrong_count(b, a, n);
    Node **sized = ARENA_ARRAY(b->arena, Node *, sig->generics.len + 1);
    bool good = size_arguments(b, a, sig, sized);
    Node **with = good ? infer_instantiate(b, y, sig, &a->generics, a->e->span, sized) : NULL;
    if (!with) {
        for (int i = 0; i < a->nargs; i++)
            if (sig->params.at[i].generic < 0 && !(found && found[i]))
                infer_expr(b, a->args[i], NULL);
        return infer_error(b);
    }
    Node **params = infer_instance_params(b, sig, with);
    Call *c = infer_new_call(b, a);
    c->generics = with;
    c->partial = partial;
    if (partial) c->missing = infer_expect_missing(b, params[n - 1], a->want);
    b->has_scalar |= infer_keeps_masks(b->in, y);
    bool pattern = y->kind == SYMBOL_PATTERN;
    // If the bounds of range or unroll differ by lane, each lane iterates over its own range.
    bool by_lane = (!pattern || infer_patterns[y->row].kind == CORE_RANGE) && !partial && !found;
    Node *lanes = NULL, *result = infer_instance(b, sig, with, sig->result);
    if (!partial) infer_expect_vectors(b, params, a->nargs, result, a->want);
    infer_check_arguments(b, a, params, found, by_lane ? &lanes : NULL);
    if (lanes) result = result_in_lanes(b, a, params, result, lanes);
    if (pattern) oblige_border(b, a, with);
    if (infer_is_form(y, FORM_ROTATE) && !partial) result = rotate_axis(b, a->e, sig, with, result);
    return finish_call(b, a, c, params, result);
}

// Infers the type of a call to a rank-polymorphic function, which calls the instance for the ranks
// of this call.
static Node *apply_family(Body *b, const Application *a)
{
    const Item *item = a->symbol->item;
    int n = item->params.len, reported = b->cx->diags.len;
    if (a->nargs != n && (a->nargs != n - 1 || infer_is_shape_type(item->params.at[n - 1].type)))
        return infer_wrong_count(b, a, n);
    Node **types = ARENA_ARRAY(b->arena, Node *, n + 1);
    Application member = *a;
    member.symbol = infer_member_for(b, a, types);
    if (member.symbol) return apply_signature(b, &member, types);
    note_sizes(b, a->symbol, reported);
    return infer_error(b);
}

// Infers the type of an application of zip, which takes any number of arrays of the same length.
static Node *apply_zip(Body *b, const Application *a)
{
    bool loop = loop_body(b, a) != NULL;
    if (a->nargs == 0 || loop) {
        infer_report_count(b, a, loop ? a->nargs - 1 : 2);
        return infer_error(b);
    }
    Call *c = infer_new_call(b, a);
    c->partial = a->nargs == 1;
    int n = a->nargs + c->partial;
    Node **arrays = ARENA_ARRAY(b->arena, Node *, n), *result = infer_zipped(b, n, arrays);
    for (int i = 0; i < a->nargs; i++)
        infer_check(b, a->args[i], arrays[i], (Why){WHY_ARGUMENT, a->symbol, i});
    if (!c->partial) return result;
    c->missing = arrays[1];
    return type_fun(b->cx, 1, &c->missing, result);
}

static Node *apply_unzip(Body *b, const Application *a)
{
    Node *xs = infer_value(b, a->args[0], NULL), *fun = infer_unzip_function(b, xs);
    infer_new_call(b, a);
    bool good = xs->kind != TYPE_ERROR && infer_unify(b, type_param(fun, 0), xs, a->args[0]->span,
                                                      (Why){WHY_ARGUMENT, a->symbol, 0});
    return good ? type_result(fun) : infer_error(b);
}

// --- scalar functions, casts, load -------------------------------------------------------------

static Node *apply_prim(Body *b, const Application *a)
{
    int n = prim_info[a->symbol->row].arity;
    bool partial = n > 1 && a->nargs == n - 1, literal[PRIM_OPERANDS] = {false};
    Node *types[PRIM_OPERANDS] = {NULL};
    if (a->nargs != n && !partial) return infer_wrong_count(b, a, n);
    Call *c = infer_new_call(b, a);
    if (a->symbol->row == PRIM_POW && infer_is_size(&b->scope, a->e)) {
        c->generics = ARENA_ARRAY(b->arena, Node *, 1);
        c->generics[0] = infer_size(&b->scope, a->e);
        return c->generics[0] ? infer_i64(b) : infer_error(b);
    }
    for (int i = 0; i < a->nargs; i++) {
        literal[i] = ast_is_literal(a->args[i]);
        types[i] = infer_value(b, a->args[i], NULL);
    }
    if (partial) {
        Node *fun = infer_wanted_function(b, a->want, 1);
        c->partial = true;
        types[n - 1] = c->missing = fun ? type_param(fun, 0) : infer_unknown(b);
    }
    Node *result = infer_operate(b, a->e, (Prim)a->symbol->row, types, literal, n);
    return partial ? type_fun(b->cx, 1, &c->missing, result) : result;
}

static Node *apply_cast(Body *b, const Application *a)
{
    if (a->nargs != 1) return infer_wrong_count(b, a, 1);
    Node *to = type_scalar(b->cx, (Scalar)a->symbol->row);
    infer_new_call(b, a);
    Node *from = infer_value(b, a->args[0], infer_cast_hint(a->args[0], to));
    return infer_convert(b, a->e, from, to);
}

// Infers the type of prod(v).
static Node *apply_prod(Body *b, const Application *a)
{
    const Extents *v = infer_extents(&b->scope, a->args[0]);
    if (!v) return infer_error(b);
    Call *c = infer_new_call(b, a);
    c->generics = ARENA_ARRAY(b->arena, Node *, 1);
    c->generics[0] = infer_product(b->cx, v);
    return infer_i64(b);
}

// Infers the type of a call to a size function, which returns a size or a shape.
static Node *apply_sizes(Body *b, const Application *a)
{
    const Symbol *y = a->symbol;
    int takes = y->item->params.len;
    if (a->nargs != takes) return infer_wrong_count(b, a, takes);
    bool shape = infer_is_size_call(&b->scope, a->e, true);
    if (!shape && !infer_is_size_call(&b->scope, a->e, false)) {
        Diag *d = diag_error(b->cx, E0421, a->e->span, "an argument of `%s` is no size or shape",
                             y->name->text);
        diag_note(b->cx, d, y->item->name_span, "%s", infer_show_item(b->cx, y->item));
        diag_help(b->cx, d, "call it with sizes in parentheses: %s(...)", y->name->text);
        return infer_error(b);
    }
    Measure m = infer_measure_call(&b->scope, a->e);
    if (!m.size && !m.extents) return infer_error(b);
    Call *c = infer_new_call(b, a);
    c->generics = shape ? m.extents->at : ARENA_ARRAY(b->arena, Node *, 1);
    if (!shape) c->generics[0] = m.size;
    return shape ? infer_extents_type(b->cx, m.extents) : infer_i64(b);
}

// Infers the type of shape(a), rank(a) or prod(v).
static Node *apply_shape(Body *b, const Application *a)
{
    if (a->nargs != 1) return infer_wrong_count(b, a, 1);
    if (a->symbol->row == SHAPE_PROD) return apply_prod(b, a);
    Node *t = infer_settle(b, infer_value(b, a->args[0], NULL)), *element = t;
    infer_new_call(b, a);
    while (element->kind == TYPE_ARRAY) element = infer_settle(b, element->op[1]);
    if (element->kind == TYPE_ERROR) return infer_error(b);
    if (infer_lacks_rank(b, element, a->e->span)) return infer_error(b);
    if (a->symbol->row == SHAPE_RANK) return infer_i64(b);
    return infer_extents_type(b->cx, infer_dims(&b->scope, t));
}

// Tries to infer the type of a load of records. The struct for the records is determined by the
// rest of the body.
bool infer_try_load(Body *b, Wait *w, bool final)
{
    const char *path = b->loads.at[infer_note(b, w->at)->call->load]->value.string;
    Node *element = infer_resolve(b, w->operand[0]), *type = infer_resolve(b, w->result);
    bool open = element->kind == TYPE_META;
    if (element->kind == TYPE_ERROR) return true;
    if (open && !final) return false;
    Node *t = b->load(b->cx, path, open ? NULL : type, NULL, w->at->span, b->load_env);
    b->failed |= !t;
    if (t || open) // the file determines what the struct leaves open, such as the `t` of Complex[t]
        infer_unify(b, t ? type : element, t ? t : infer_error(b), w->at->span, no_why);
    return true;
}

static Node *refuse_load(Body *b, const Ast *e, const Ast *path)
{
    Diag *d = diag_error(b->cx, E0315, e->span,
                         "`load` can only be used in the expression given to `adze run`");
    if (b->scope.symbol)
        diag_help(b->cx, d, "make the contents of the file a parameter of the entry");
    else if (b->bench)
        diag_help(
            b->cx, d,
            "compute the data of a bench: generate(100000, |i| f32(i)), or uniforms[100000](7) "
            "of std.random");
    else
        diag_help(b->cx, d,
                  "write the data of a test out; "
                  "`adze run FILE 'f(load(\"%s\")) == ...'` compares with the contents of a file "
                  "and prints true or false",
                  path->value.string);
    return infer_error(b);
}

static Node *apply_load(Body *b, const Application *a)
{
    const Ast *path = a->nargs == 1 ? ast_strip(a->args[0]) : NULL;
    if (!path || path->kind != AST_STRING) {
        if (path && path->kind == AST_ERROR) return infer_error(b);
        Diag *d = diag_error(b->cx, E0315, a->e->span, "load takes the path of a file, in quotes");
        if (a->nargs == 2) diag_help(b->cx, d, "an array in an archive is load(\"FILE.npz:NAME\")");
        return infer_error(b);
    }
    if (!b->load) return refuse_load(b, a->e, path);
    Node *wanted = a->want ? infer_resolve(b, a->want) : NULL;
    if (wanted && wanted->kind == TYPE_META) wanted = NULL;
    Node *open = infer_unknown(b);
    Node *t = b->load(b->cx, path->value.string, wanted, open, a->e->span, b->load_env);
    if (!t) return infer_error(b);
    if (type_elements(t) == open)
        infer_add_wait(b,
                       &(Wait){WAIT_LOAD, .at = a->e, .nops = 1, .operand = {open}, .result = t});
    Call *c = infer_new_call(b, a);
    c->nargs = 0;
    c->load = b->loads.len;
    vec_push(b->arena, &b->loads, path);
    vec_push(b->arena, &b->load_types, t);
    return t;
}

// --- values of function type -------------------------------------------------------------------

// If fn(t) -> ! is called without a value and t is not known yet, t becomes ().
static Node *leave_without_value(Body *b, Node *fun, int nargs, Span span)
{
    bool open = nargs == 0 && fun->kind == TYPE_FUN && type_is_continuation(fun) &&
                type_nparams(fun) == 1 && infer_settle(b, type_param(fun, 0))->kind == TYPE_META;
    if (!open) return fun;
    infer_unify(b, infer_unit(b), type_param(fun, 0), span, no_why);
    return infer_resolve(b, fun);
}

// Explains a type error reported after the first `reported` errors in a call to a function that is
// a value: unlike a module-level function, it has only one type.
static void help_one_type(Body *b, const Ast *callee, Node *fun, int reported)
{
    const Local *l = callee->kind == AST_NAME ? infer_note(b, callee)->local : NULL;
    if (!l || b->cx->diags.len == reported || vec_last(&b->cx->diags)->code != E0301) return;
    Diag *d = vec_last(&b->cx->diags);
    diag_note(b->cx, d, l->span,
              "`%s` is a value of one type, `%s`; only a function of the module, "
              "fn %s[t: num](...), has several types",
              l->name->text, infer_show(b, fun), l->name->text);
}

static void not_a_function(Body *b, const Ast *callee, Node *found)
{
    Diag *d = diag_error(b->cx, E0303, callee->span, "%s is not a function and cannot be applied",
                         infer_show_found(b, found));
    if (found->kind == TYPE_ARRAY)
        diag_help(b->cx, d, "write an index in brackets: a[i], of a matrix a[i, j]");
}

// Adds a hint about break(x) in a loop without a value, or about return(x, y).
static void help_jump(Body *b, const Ast *callee, int takes, int given)
{
    const Ast *name = ast_strip(callee);
    if (name->kind != AST_NAME || !infer_is_continuation_name(name->name)) return;
    Diag *d = vec_last(&b->cx->diags);
    if (takes == 1 && given > 1)
        diag_help(b->cx, d, "pass several values as a tuple: %s((a, b))", name->name->text);
    else if (takes == 0)
        diag_help(b->cx, d,
                  "%s carries no value here: assign the value to a variable that is declared "
                  "outside, and call %s()",
                  name->name->text, name->name->text);
}

// The type of the callee. An unknown type becomes that of a function with as many parameters as
// there are arguments.
static Node *type_of_callee(Body *b, const Application *a)
{
    Node *fun = infer_settle(b, infer_expr(b, a->callee, NULL));
    fun = leave_without_value(b, fun, a->nargs, a->callee->span);
    if (fun->kind != TYPE_META) return fun;
    Node **params = ARENA_ARRAY(b->arena, Node *, a->nargs + 1);
    for (int i = 0; i < a->nargs; i++) params[i] = infer_unknown(b);
    Node *shape = type_fun(b->cx, a->nargs, params, infer_unknown(b));
    b->changes++;
    return solver_unify(b->scope.solver, shape, fun, a->callee->span, NULL) ? shape : fun;
}

static Node *apply_value(Body *b, const Application *a)
{
    Node *fun = type_of_callee(b, a);
    if (fun->kind != TYPE_FUN) {
        bool silent = fun->kind == TYPE_ERROR || (infer_is_unknown(fun) && b->failed);
        if (!silent) not_a_function(b, a->callee, fun);
        return infer_give_up(b, a);
    }
    int n = type_nparams(fun);
    bool partial = n > 1 && is_partial(b, a, n);
    if (a->nargs != n && !partial) {
        infer_report_count(b, a, n);
        help_jump(b, a->callee, n, a->nargs);
        return infer_give_up(b, a);
    }
    Call *c = infer_new_call(b, a);
    c->partial = partial;
    if (partial) c->missing = type_param(fun, n - 1);
    bool named = a->callee->kind == AST_NAME && !type_is_continuation(fun);
    Node *lanes = NULL, *result = type_result(fun);
    int reported = b->cx->diags.len;
    infer_check_arguments(b, a, fun->op, NULL, named && !partial ? &lanes : NULL);
    if (named) help_one_type(b, a->callee, fun, reported);
    if (lanes) result = result_in_lanes(b, a, fun->op, infer_settle(b, result), lanes);
    return finish_call(b, a, c, fun->op, result);
}

// --- patterns ----------------------------------------------------------------------------------

// Infers the type of a lane pattern applied to vectors, or to every vector inside a compound value.
static Node *apply_lanes(Body *b, const Application *a)
{
    bool one = infer_is_form(a->symbol, FORM_LANE); // extract or insert
    Signature *sig = infer_signature(b->in, a->symbol);
    if (!sig || a->nargs != sig->params.len || a->generics.len > 0)
        return apply_signature(b, a, NULL);
    Node **found = ARENA_ARRAY(b->arena, Node *, a->nargs);
    for (int i = 0; i < (one ? 1 : a->nargs); i++)
        found[i] = infer_settle(b, infer_expr(b, a->args[i], NULL));
    if (one && infer_is_of_parts(b, found[0])) return infer_lane_of_parts(b, a);
    if (!one && infer_is_for_parts(b, a->symbol, found)) return infer_for_parts(b, a, found);
    return apply_signature(b, a, found);
}

// Infers the type of an iterate whose steps change a length. It calls `iterated` with all arguments
// but the function.
static Node *apply_iterated(Body *b, const Application *a, const Symbol *iterated)
{
    Application own = *a;
    if (a->generics.len == 0) {
        Diag *d = diag_error(b->cx, E0406, a->e->span, "the number of steps is not known");
        diag_help(b->cx, d, "give it in brackets: iterate[3](...)");
        return infer_error(b);
    }
    own.symbol = iterated;
    own.args = a->args + 1;
    own.nargs = a->nargs - 1;
    return apply_signature(b, &own, NULL);
}

static Node *apply_pattern(Body *b, Application *a)
{
    bool iterates = infer_patterns[a->symbol->row].kind == CORE_ITERATE;
    const Symbol *iterated = iterates ? infer_iterated(b, a) : NULL;
    if (iterated) return apply_iterated(b, a, iterated);
    infer_note_variant(b, a->e, a->callee, a->symbol, &a->generics);
    if (infer_is_form(a->symbol, FORM_ZIP)) return apply_zip(b, a);
    if (infer_is_form(a->symbol, FORM_UNZIP) && a->nargs == 1) return apply_unzip(b, a);
    if (infer_is_form(a->symbol, FORM_LANE) || infer_is_form(a->symbol, FORM_LANES))
        return apply_lanes(b, a);
    return apply_signature(b, a, NULL);
}

// --- dispatch ----------------------------------------------------------------------------------

Node *infer_apply(Body *b, Application *a)
{
    a->callee = ast_strip(a->callee);
    if (infer_is_option(b, a->callee)) return infer_apply_option(b, a);
    const Symbol *y = a->symbol = infer_generic_name(b, a->callee, &a->generics);
    if (!y) return apply_value(b, a);
    if (infer_is_ambiguous(&b->scope, y, a->callee->span)) return infer_give_up(b, a);
    switch (y->kind) {
    case SYMBOL_FN: return y->is_family ? apply_family(b, a) : apply_signature(b, a, NULL);
    case SYMBOL_PATTERN: return apply_pattern(b, a);
    case SYMBOL_PRIM: return apply_prim(b, a);
    case SYMBOL_SCALAR: return apply_cast(b, a);
    case SYMBOL_LOAD: return apply_load(b, a);
    case SYMBOL_SHAPE: return apply_shape(b, a);
    case SYMBOL_SIZES: return apply_sizes(b, a);
    case SYMBOL_PRINT: return infer_print(b, a);
    case SYMBOL_CONST:
    case SYMBOL_STRUCT:
    case SYMBOL_ENUM:
    case SYMBOL_ALIAS:
    case SYMBOL_MODE:
    case SYMBOL_RULE:
    case SYMBOL_STRATEGY:
    case SYMBOL_AMBIGUOUS: break;
    }
    a->symbol = NULL;
    return apply_value(b, a);
}

void infer_take_arguments(Body *b, Application *a, const Ast *call, int from, const Ast *last)
{
    a->args = ARENA_ARRAY(b->arena, const Ast *, call->kids.len + 1);
    for (int i = from; i < call->kids.len; i++) a->args[a->nargs++] = call->kids.at[i];
    if (last) a->args[a->nargs++] = last;
}

Node *infer_call(Body *b, const Ast *e, const Ast *last, Node *want)
{
    Application a = {.e = e, .want = want};
    infer_take_arguments(b, &a, e, e->kind == AST_CALL, last);
    if (e->kind == AST_CALL) {
        a.callee = e->kids.at[0];
        return infer_apply(b, &a);
    }
    a.symbol = infer_find_symbol(&(Scope){.in = b->in, .unit = b->in->prelude},
                                 session_sym(b->cx, "concat"));
    CHECK(b->cx, a.symbol, "the prelude has no concat");
    return apply_signature(b, &a, NULL);
}
