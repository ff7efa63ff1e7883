// Inference of arguments. Data arguments are inferred before functions, and scalar parameters
// accept vectors.
#include "infer/calls/calls.h"

// Reports a border mode that is neither written out nor a parameter.
static void check_border(Body *b, const Ast *arg)
{
    const Ast *mode = ast_strip(arg);
    if (mode->kind == AST_MODE || mode->kind == AST_NAME || mode->kind == AST_ERROR) return;
    diag_error(b->cx, E0309, arg->span,
               "a border mode is clamp, mirror, wrap, const(value) or a parameter");
    b->failed = true;
}

// Returns the parameter type with vectors wherever the type of the argument has them; both may be
// references. Returns NULL if the argument requires no call per lane, for example because the
// parameter type has vectors itself.
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

// Accepts an inferred argument. If it passes a vector to a scalar parameter, the function is called
// once per lane: *lanes is set to the number of lanes or, if it is already set, unified with it.
static void accept_lanes(Body *b, const Ast *arg, Node *found, Node *param, Why why, Node **lanes)
{
    Node *want = param_in_lanes(b, param, found);
    infer_accept(b, arg, found, want ? want : param, why);
    if (!want) return;
    Node *n = infer_lanes_inside(b, want->kind == TYPE_REF ? want->op[0] : want);
    if (!*lanes) {
        *lanes = n;
        return;
    }
    param = infer_resolve(b, param);
    Node *others = infer_many(b, param->kind == TYPE_REF ? param->op[0] : param, *lanes);
    infer_unify_sizes(b, *lanes, n, others ? others : want, found, arg->span,
                      (Why){WHY_LANES, NULL, 0});
}

// The number of lanes of the vectors that a function argument returns where the parameter type
// expects scalars, or NULL if there are none.
static Node *lanes_given(Body *b, Node *param, Node *found)
{
    if (found->kind != TYPE_FUN || type_nparams(found) != type_nparams(param)) return NULL;
    Node *result = type_result(param), *given = infer_resolve(b, type_result(found));
    bool same = infer_like_lanes(b, result, given) == infer_resolve(b, result);
    return same ? NULL : infer_lanes_inside(b, given);
}

// If function argument i returns vectors but another argument makes that type a scalar, as in
// fold(|sum, v| sum + v, 0.0, vectors), broadcasts the other argument from the next inference
// iteration on and returns true. No error needs to be reported then.
static bool raises_argument(Body *b, const Application *a, Node *const *params, int i, Node *lanes)
{
    for (int k = 0; k < a->nargs; k++)
        if (params[k] == type_result(params[i]) &&
            infer_raise_value(b, a->args[k], lanes, a->args[i]->span))
            return true;
    return false;
}

void infer_check_functions(Body *b, const Application *a, Node *const *params)
{
    for (int i = 0; i < a->nargs; i++) {
        if (!params[i] || params[i]->kind != TYPE_FUN) continue;
        Node *found = infer_resolve(b, infer_expr(b, a->args[i], params[i]));
        Node *lanes = lanes_given(b, params[i], found);
        if (!lanes || (!raises_argument(b, a, params, i, lanes) &&
                       !infer_raise_call(b, a->e, lanes, a->args[i]->span)))
            infer_accept(b, a->args[i], found, params[i], (Why){WHY_ARGUMENT, a->symbol, i});
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

// Whether argument i is accepted only after all later arguments. A number passed for an unknown
// type is broadcast if a later argument makes that type a vector. But it is accepted at once if a
// load follows: the load takes its type from the parameter, so the number must determine that type
// first.
static bool is_for_lanes(Body *b, const Application *a, Node *param, Node *found, int i)
{
    bool open = infer_resolve(b, param)->kind == TYPE_META && infer_is_lane(b, found);
    for (int k = i + 1; k < a->nargs && open; k++) open = !is_load(b, a->args[k]);
    return open;
}

// Unifies the parameter types that a lambda argument declares with those that the callee expects,
// so that a load among the arguments gets its type from them. A mismatch is reported when the
// lambda is inferred.
static void unify_declared(Body *b, Node *param, const Ast *lambda)
{
    Node *fun = infer_resolve(b, param);
    int n = lambda->kids.len - 1;
    for (int i = 0; i < n && fun->kind == TYPE_FUN && type_nparams(fun) == n; i++) {
        const Ast *p = lambda->kids.at[i];
        bool typed = p->kind == AST_BIND && p->kids.len && p->kids.at[0];
        if (typed)
            solver_unify(b->scope.solver, infer_type(&b->scope, p->kids.at[0]), type_param(fun, i),
                         NO_SPAN, NULL);
    }
}

static void unify_lambdas(Body *b, const Application *a, Node *const *params)
{
    bool loads = false;
    for (int i = 0; i < a->nargs && b->load; i++) loads |= is_load(b, a->args[i]);
    for (int i = 0; i < a->nargs && loads; i++)
        if (params[i] && params[i]->kind == TYPE_FUN && a->args[i]->kind == AST_LAMBDA)
            unify_declared(b, params[i], a->args[i]);
}

void infer_check_arguments(Body *b, const Application *a, Node *const *params, Node *const *found,
                           Node **lanes)
{
    Node **late = ARENA_ARRAY(b->arena, Node *, a->nargs + 1);
    unify_lambdas(b, a, params);
    for (int k = 0; k < 2 * a->nargs; k++) {
        int i = k % a->nargs;
        bool again = k >= a->nargs;
        if (again ? !late[i] : !params[i] || params[i]->kind == TYPE_FUN) continue;
        const Ast *arg = a->args[i];
        Why why = {WHY_ARGUMENT, a->symbol, i};
        bool mode = params[i]->kind == TYPE_MODE, inferred = found && found[i];
        Node *t = again ? late[i] : inferred ? found[i] : NULL;
        if (!t) t = infer_settle(b, infer_expr(b, arg, params[i]));
        Node *raised = again ? NULL : infer_raised(b, arg);
        if (raised) infer_unify(b, params[i], raised, arg->span, why);
        if (!again && !mode && is_for_lanes(b, a, params[i], t, i))
            late[i] = t;
        else if (lanes && !inferred && !mode)
            accept_lanes(b, arg, t, params[i], why, lanes);
        else
            infer_accept(b, arg, t, params[i], why);
        if (mode) check_border(b, arg);
    }
}

Node *infer_expect_missing(Body *b, Node *param, Node *want)
{
    Node *fun = infer_wanted_function(b, want, 1);
    Node *t = fun ? infer_settle(b, type_param(fun, 0)) : NULL;
    if (t && infer_lanes_inside(b, t)) solver_unify(b->scope.solver, param, t, NO_SPAN, NULL);
    return param;
}

// Whether a parameter type is the unknown type `t`, or that of a function that returns it.
static bool gives(Body *b, Node *param, const Node *t)
{
    param = param ? infer_resolve(b, param) : NULL;
    if (param && param->kind == TYPE_FUN) param = infer_resolve(b, type_result(param));
    return param == t;
}

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
    if (given && result->kind == TYPE_META) solver_unify(b->scope.solver, result, t, NO_SPAN, NULL);
}
