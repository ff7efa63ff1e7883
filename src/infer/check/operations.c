// Operators in expressions, and function composition.
#include "infer/check/check.h"

static Node *unknown_operator(Body *b, const Ast *e)
{
    diag_error(b->cx, E0304, e->span, "`%s` is not an operator", e->name ? e->name->text : "");
    return infer_error(b);
}

Node *infer_unary(Body *b, const Ast *e, Node *want)
{
    Prim op;
    const Ast *operand = e->kids.at[0];
    if (!infer_find_operator(e->name, 1, &op)) return unknown_operator(b, e);
    bool literal = ast_is_literal(operand);
    const Ast *number = ast_strip(operand);
    if (op == PRIM_NEG && (number->kind == AST_INT || number->kind == AST_FLOAT))
        infer_note(b, number)->negative = true;
    Node *t = infer_value(b, operand, literal ? want : NULL);
    return infer_operate(b, e, op, &t, &literal, 1);
}

// Infers the type of a && b or a || b. For vectors, b is evaluated only in those lanes in which a
// does not decide the result.
static Node *logical_type(Body *b, const Ast *e)
{
    SizeGuard *outer = b->guard;
    Node *l = infer_condition(b, e->kids.at[0]);
    b->guard = infer_guard(b, outer, e->kids.at[0], ast_is_named(e, "&&"));
    Node *r = infer_condition(b, e->kids.at[1]);
    b->guard = outer;
    Node *lanes = infer_note(b, e)->simd = l ? l : r;
    if (!lanes) return infer_boolean(b);
    Node *type = type_varying(b->cx, lanes, infer_boolean(b));
    if (l && r)
        infer_unify_sizes(b, l, r, type, type_varying(b->cx, r, infer_boolean(b)), e->span,
                          (Why){WHY_LANES, NULL, 0});
    return type;
}

Node *infer_binary(Body *b, const Ast *e, Node *want)
{
    Prim op;
    const Ast *l = e->kids.at[0], *r = e->kids.at[1];
    if (ast_is_logical(e)) return logical_type(b, e);
    if (ast_is_binary(e, "++")) return infer_call(b, e, NULL, want);
    if (!infer_find_operator(e->name, 2, &op)) return unknown_operator(b, e);
    Node *types[2] = {infer_value(b, l, NULL), NULL};
    types[1] = infer_value(b, r, NULL);
    infer_note(b, e)->compared = infer_compared(b, e);
    bool literal[2] = {ast_is_literal(l), ast_is_literal(r)};
    return infer_operate(b, e, op, types, literal, 2);
}

// Infers the type of an operator used as a function. It takes the expected number of operands, or
// two by default. If the operator exists only with the other number of operands, it takes that
// number. If a function of pairs is expected, as in zip(a, b) |> map(*), both operands come from
// the pair.
Node *infer_operator(Body *b, const Ast *e, Node *want)
{
    Prim op;
    Node *fun = want ? infer_settle(b, want) : NULL, *one = infer_wanted_function(b, want, 1);
    Node *pair = one ? infer_settle(b, type_param(one, 0)) : NULL;
    if (pair && (pair->kind != TYPE_TUPLE || pair->nops != 2)) pair = NULL;
    int n = fun && fun->kind == TYPE_FUN && !pair ? type_nparams(fun) : 2;
    if (ast_is_named(e, "&&") || ast_is_named(e, "||")) {
        Node *both[2] = {infer_boolean(b), infer_boolean(b)};
        if (!pair) return type_fun(b->cx, 2, both, infer_boolean(b));
        return type_fun(b->cx, 1, (Node *[]){type_tuple(b->cx, 2, both)}, infer_boolean(b));
    }
    if (n != 1 && n != 2) n = 2;
    if (!infer_find_operator(e->name, n, &op)) {
        n = 3 - n;
        if (!infer_find_operator(e->name, n, &op)) return unknown_operator(b, e);
    }
    Node *types[2] = {NULL, NULL};
    bool given = infer_wanted_function(b, want, n) != NULL;
    for (int i = 0; i < n; i++)
        types[i] = pair ? pair->op[i] : given ? type_param(fun, i) : infer_unknown(b);
    Node *result = infer_operate(b, e, op, types, NULL, n);
    return pair ? type_fun(b->cx, 1, &pair, result) : type_fun(b->cx, n, types, result);
}

// If >> is applied to a number, as in x >> 1, reports that >> composes functions, and returns true.
static bool refuse_shift(Body *b, const Ast *e, Node *left)
{
    Node *t = infer_settle(b, left);
    bool number = type_is_number(t) || t->kind == TYPE_IDX || ast_is_literal(e->kids.at[0]);
    if (!number) return false;
    Diag *d = diag_error(b->cx, E0304, e->span, "`>>` composes functions, but this is a number");
    diag_help(b->cx, d, "write >>> to shift the bits of an integer to the right");
    infer_expr(b, e->kids.at[1], NULL);
    return true;
}

// Infers the type fn(A) -> C of f >> g, where f is of type fn(A) -> B and g of type fn(B) -> C.
Node *infer_compose(Body *b, const Ast *e, Node *want)
{
    Node *fun = infer_wanted_function(b, want, 1);
    Node *from = fun ? type_param(fun, 0) : infer_unknown(b), *middle = infer_unknown(b);
    Node *to = fun ? type_result(fun) : infer_unknown(b);
    Node *first = type_fun(b->cx, 1, &from, middle), *found = infer_expr(b, e->kids.at[0], first);
    if (refuse_shift(b, e, found)) return infer_error(b);
    infer_unify(b, first, found, ast_value_of(e->kids.at[0])->span, (Why){WHY_COMPOSE, NULL, 0});
    middle = infer_resolve(b, middle);
    infer_check(b, e->kids.at[1], type_fun(b->cx, 1, &middle, to), (Why){WHY_COMPOSE, NULL, 0});
    return type_fun(b->cx, 1, &from, to);
}
