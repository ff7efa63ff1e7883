// Arguments of calls: data before functions, and vectors for scalar parameters.
#include "infer/calls/calls.h"

// A border mode is written where it is used, or is a parameter.
static void check_border(Body *b, const Ast *arg)
{
    const Ast *mode = ast_strip(arg);
    if (mode->kind == AST_MODE || mode->kind == AST_NAME || mode->kind == AST_ERROR) return;
    diag_error(b->cx, E0309, arg->span,
               "a border mode is written out: clamp, mirror, wrap or const(value)");
    b->failed = true;
}

// The parameter type in lanes, for a vector argument to a parameter without vectors, or a reference
// to one. NULL: the vector is no such argument.
static Node *param_in_lanes(Body *b, Node *param, Node *found)
{
    Node *one = infer_resolve(b, param);
    bool place = one->kind == TYPE_REF && found->kind == TYPE_REF;
    if (place && type_ref_space(one) != SPACE_GENERIC && found->op[0]->kind != TYPE_VEC)
        return NULL;
    Node *of = place ? infer_resolve(b, one->op[0]) : one;
    if (infer_lanes_inside(b, of)) return NULL;
    Node *t = infer_like_lanes(b, of, place ? found->op[0] : found);
    if (t == of) return NULL;
    return place ? type_ref(b->cx, t, type_ref_mutable(one), type_ref_space(one)) : t;
}

// An inferred argument; a vector for a scalar parameter calls the function for each of `lanes`.
static void accept_lanes(Body *b, const Ast *arg, Node *found, Node *param, Why why, Node **lanes)
{
    Node *want = param_in_lanes(b, param, found);
    infer_accept(b, arg, found, want ? want : param, why);
    if (!want) return;
    Node *n = infer_lanes_inside(b, want->kind == TYPE_REF ? want->op[0] : want);
    if (*lanes)
        infer_unify_sizes(b, *lanes, n, want, found, arg->span, (Why){WHY_LANES, NULL, 0});
    else
        *lanes = n;
}

// How many lanes the vectors have that a function gives for scalars of its parameter; NULL: it
// gives none.
static Node *lanes_given(Body *b, Node *param, Node *found)
{
    if (found->kind != TYPE_FUN || type_nparams(found) != type_nparams(param)) return NULL;
    Node *result = type_result(param), *given = infer_resolve(b, type_result(found));
    bool same = infer_like_lanes(b, result, given) == infer_resolve(b, result);
    return same ? NULL : infer_lanes_inside(b, given);
}

// Where function i gives vectors but another argument determines a scalar, as in fold(|sum, v| sum
// + v, 0.0, vectors), that argument is broadcast from the next iteration on.
static bool raises_argument(Body *b, Node *const *params, const Call *c, int i, Node *lanes)
{
    for (int k = 0; k < c->nargs; k++)
        if (params[k] == type_result(params[i]) &&
            infer_raise_value(b, c->args[k], lanes, c->args[i]->span))
            return true;
    return false;
}

// Infers the arguments whose parameters are functions, after all others.
void infer_check_functions(Body *b, const Ast *e, const Symbol *y, Node *const *params,
                           const Call *c)
{
    for (int i = 0; i < c->nargs; i++) {
        if (!params[i] || params[i]->kind != TYPE_FUN) continue;
        Node *found = infer_resolve(b, infer_expr(b, c->args[i], params[i]));
        Node *lanes = lanes_given(b, params[i], found);
        if (!lanes || (!raises_argument(b, params, c, i, lanes) &&
                       !infer_raise_call(b, e, lanes, c->args[i]->span)))
            infer_accept(b, c->args[i], found, params[i], (Why){WHY_ARGUMENT, y, i});
    }
}

static bool is_load(Body *b, const Ast *arg)
{
    AstVec generics;
    arg = ast_strip(arg);
    const Symbol *y =
        arg->kind == AST_CALL ? infer_generic_name(b, ast_strip(arg->kids.at[0]), &generics) : NULL;
    return y && y->kind == SYMBOL_LOAD;
}

// Whether the argument waits for later ones: a number for an unknown type is broadcast if these say
// that it is a vector. A load among them takes its type from the parameter, so the number comes
// first.
static bool is_for_lanes(Body *b, Node *param, Node *found, const Ast *const *args, int i,
                         int nargs)
{
    bool open = infer_resolve(b, param)->kind == TYPE_META && infer_is_lane(b, found);
    for (int k = i + 1; k < nargs && open; k++) open = !is_load(b, args[k]);
    return open;
}

// Unifies the parameter types that a lambda argument declares, because what is loaded can have no
// other. A mismatch is reported when the lambda is inferred.
static void say_parameters(Body *b, Node *param, const Ast *lambda)
{
    Node *fun = infer_resolve(b, param);
    int n = lambda->kids.len - 1;
    for (int i = 0; i < n && fun->kind == TYPE_FUN && type_nparams(fun) == n; i++) {
        const Ast *p = lambda->kids.at[i];
        bool typed = p->kind == AST_BIND && p->kids.len && p->kids.at[0];
        if (typed)
            solver_unify(b->scope.solver, infer_type(&b->scope, p->kids.at[0]), type_param(fun, i),
                         NO_SPAN, &(const char *){NULL});
    }
}

static void say_lambdas(Body *b, Node *const *params, const Ast *const *args, int nargs)
{
    bool loads = false;
    for (int i = 0; i < nargs && b->load; i++) loads |= is_load(b, args[i]);
    for (int i = 0; i < nargs && loads; i++)
        if (params[i] && params[i]->kind == TYPE_FUN && args[i]->kind == AST_LAMBDA)
            say_parameters(b, params[i], args[i]);
}

// `found`: the types of arguments that are inferred already, or NULL. `lanes` receives the number
// of lanes that the function is called for when it gets vectors for scalars; NULL: it cannot be.
void infer_check_arguments(Body *b, const Symbol *y, Node *const *params, const Ast **args,
                           Node *const *found, int nargs, Node **lanes)
{
    Node **waits = ARENA_ARRAY(b->arena, Node *, nargs + 1);
    say_lambdas(b, params, args, nargs);
    for (int i = 0; i < nargs; i++) {
        Why why = {WHY_ARGUMENT, y, i};
        if (!params[i] || params[i]->kind == TYPE_FUN) continue;
        Node *t = found ? found[i] : NULL;
        if (!t) t = infer_settle(b, infer_expr(b, args[i], params[i]));
        Node *raised = infer_raised(b, args[i]);
        if (raised) infer_unify(b, params[i], raised, args[i]->span, why);
        if (params[i]->kind != TYPE_MODE && is_for_lanes(b, params[i], t, args, i, nargs))
            waits[i] = t;
        else if (lanes && !(found && found[i]) && params[i]->kind != TYPE_MODE)
            accept_lanes(b, args[i], t, params[i], why, lanes);
        else
            infer_accept(b, args[i], t, params[i], why);
        if (params[i]->kind == TYPE_MODE) check_border(b, args[i]);
    }
    for (int i = 0; i < nargs; i++) {
        Why why = {WHY_ARGUMENT, y, i};
        if (waits[i] && lanes && !(found && found[i]))
            accept_lanes(b, args[i], waits[i], params[i], why, lanes);
        else if (waits[i])
            infer_accept(b, args[i], waits[i], params[i], why);
    }
}

// The parameter of a wanted function, before the arguments are inferred: if it is in lanes, numbers
// among the arguments are broadcast.
Node *infer_expect_missing(Body *b, Node *param, Node *want)
{
    Node *fun = want ? infer_settle(b, want) : NULL;
    bool given = fun && fun->kind == TYPE_FUN && type_nparams(fun) == 1;
    Node *t = given ? infer_settle(b, type_param(fun, 0)) : NULL;
    if (t && infer_lanes_inside(b, t))
        solver_unify(b->scope.solver, param, t, NO_SPAN, &(const char *){NULL});
    return param;
}

// Whether a parameter is the type variable `t`, or a function that gives it.
static bool gives(Body *b, Node *param, const Node *t)
{
    param = param ? infer_resolve(b, param) : NULL;
    if (param && param->kind == TYPE_FUN) param = infer_resolve(b, type_result(param));
    return param == t;
}

// If an array of vectors is wanted, they are the elements of the result before the arguments are
// inferred, so that numbers among these are broadcast, as in repeat[3](0).
void infer_expect_vectors(Body *b, Node *const *params, int nargs, Node *result, Node *want)
{
    Node *t = want ? infer_settle(b, want) : NULL;
    if (!t || t->kind != TYPE_ARRAY || !infer_lanes_inside(b, t)) return;
    for (result = infer_resolve(b, result); t->kind == TYPE_ARRAY && result->kind == TYPE_ARRAY;) {
        t = infer_resolve(b, t->op[1]);
        result = infer_resolve(b, result->op[1]);
    }
    bool given = false;
    for (int i = 0; i < nargs; i++) given |= gives(b, params[i], result);
    if (given && result->kind == TYPE_META)
        solver_unify(b->scope.solver, result, t, NO_SPAN, &(const char *){NULL});
}
