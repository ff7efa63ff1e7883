// Statements, branches, and `if`.
#include "infer/check/check.h"

// --- statements --------------------------------------------------------------------------------

static void not_used(Body *b, const Ast *e, Node *t, bool needed)
{
    Diag *d = diag_error(b->cx, E0319, ast_value_of(e)->span, "the value is not used");
    b->failed = true;
    if (needed) {
        diag_help(b->cx, d, "the value of a block is its last expression, without a `;`");
        return;
    }
    if (!infer_unknown_in(t)) diag_note(b->cx, d, NO_SPAN, "it is of type `%s`", infer_show(b, t));
    const Ast *value = ast_value_of(e);
    if (value->kind == AST_NAME && value->name && infer_is_continuation_name(value->name))
        diag_help(b->cx, d, "write `%s()`, or `%s(x)` with a value", value->name->text,
                  value->name->text);
    else if (t->kind == TYPE_FUN)
        infer_help_partial(b, d, value->span);
    else if (t->kind == TYPE_ARRAY && type_is_unit(infer_resolve(b, t->op[1])))
        diag_help(b->cx, d,
                  "write a loop for its side effects: for i in range(0, n) { ... xs[i] ... }");
    else
        diag_help(b->cx, d, "discard it: let _ = ...;");
}

bool infer_wants_value(Body *b, Node *want)
{
    Node *t = want ? infer_resolve(b, want) : NULL;
    return t && t->kind != TYPE_META && t->kind != TYPE_NEVER && t->kind != TYPE_ERROR &&
           !type_is_unit(t);
}

Node *infer_effect(Body *b, const Ast *e, bool needed)
{
    Node *t = infer_settle(b, infer_expr(b, e, NULL)), *unit = infer_unit(b);
    if (t == unit || t->kind == TYPE_NEVER || t->kind == TYPE_ERROR) return t;
    b->changes++;
    if (t->kind == TYPE_META && solver_unify(b->scope.solver, unit, t, e->span, NULL)) return unit;
    not_used(b, e, t, needed);
    return type_error(b->cx);
}

bool infer_statement(Body *b, const Ast *e)
{
    return infer_effect(b, e, false)->kind != TYPE_NEVER;
}

// --- branches ----------------------------------------------------------------------------------

// Ignores the expected type if it is unknown. Also ignores it if it is a scalar and lanes diverge,
// because scalar values would then be broadcast.
Join infer_join_of(Body *b, Node *want, WhyKind why, Node *lanes)
{
    Node *t = want ? infer_resolve(b, want) : NULL;
    bool hint = t && (t->kind == TYPE_META || (lanes && (t->kind == TYPE_VAR || type_is_atom(t))));
    return (Join){.want = hint ? NULL : want, .why = why, .lanes = lanes};
}

// Joins the type of another value. If it has vectors where the joined type has scalars, the joined
// type gets vectors there, too.
static void raise_join(Body *b, Join *j, Node *found)
{
    bool lanes = j->lanes && found->kind != TYPE_ARRAY;
    if (!j->type)
        j->type = j->want ? j->want : lanes ? infer_rest_in_lanes(b, found, j->lanes) : found;
    Node *many = infer_like_lanes(b, j->type, found);
    if (many == infer_resolve(b, j->type)) return;
    j->type = many;
    j->want = NULL;
    j->raised = true;
}

// Unless a type is expected, widens the joined type to the common type of all branches so far. The
// common type of an array and a [?n]t is [?n]t.
static void widen_join(Body *b, Join *j, Node *found)
{
    if (!j->type || j->want || j->fixed) return;
    bool array = infer_resolve(b, j->type)->kind == TYPE_ARRAY;
    bool any_length = array && infer_becomes_up_to(b, found, j->type);
    Node *common = any_length ? found : infer_common(b, j->type, found);
    if (!common) return;
    j->type = common;
    j->raised = true;
}

bool infer_join_type(Body *b, Join *j, Node *found, Span span)
{
    j->fixed = true;
    raise_join(b, j, found);
    Node *t = infer_resolve(b, j->type);
    bool splat = t->kind == TYPE_VEC && found->kind != TYPE_VEC && infer_is_lane(b, found);
    return infer_unify(b, splat ? t->op[1] : t, found, span, (Why){j->why, NULL, 0});
}

void infer_join(Body *b, Join *j, const Ast *branch)
{
    Node *found = infer_settle(b, infer_expr(b, branch, j->type ? j->type : j->want));
    vec_push(b->arena, &j->branches, branch);
    if (found->kind == TYPE_ERROR) j->bad = true;
    if (found->kind == TYPE_ERROR || found->kind == TYPE_NEVER) return;
    widen_join(b, j, found);
    raise_join(b, j, found);
    // Errors compare the elements of an array with the first one, and that with what is expected.
    bool known = j->want && (j->why != WHY_ELEMENT || j->branches.len == 1);
    Why why = known ? no_why : (Why){j->why, NULL, 0};
    j->bad |= infer_accept(b, branch, found, j->type, why)->kind == TYPE_ERROR;
}

void infer_join_in_lanes(Body *b, Join *j, Node *lanes)
{
    if (j->lanes) return;
    j->lanes = lanes;
    if (!j->type) return;
    Node *many = infer_rest_in_lanes(b, j->type, lanes);
    j->raised |= many != infer_resolve(b, j->type);
    j->type = many;
}

// Converts the branches that were joined before the type was raised. Branches that never return are
// converted only if lanes diverge, since other lanes may then take other branches.
Node *infer_joined(Body *b, const Join *j)
{
    if (!j->type) return j->bad ? infer_error(b) : type_never(b->cx);
    for (int i = 0; i < j->branches.len && (j->raised || j->lanes); i++) {
        const Ast *branch = j->branches.at[i];
        Node *found = infer_resolve(b, infer_note(b, branch)->type);
        if (found->kind == TYPE_NEVER ? j->lanes != NULL : j->raised)
            infer_accept(b, branch, found, j->type, (Why){j->why, NULL, 0});
    }
    return j->type;
}

// Adds the condition of an `if` to the guards of its first branch, or its negation to those of the
// second.
static void enter_branch(Body *b, const Ast *e, int branch, SizeGuard *outer)
{
    b->guard = infer_guard(b, outer, e->kids.at[0], branch == 1);
}

static Node *if_alone(Body *b, const Ast *e)
{
    int reported = b->cx->diags.len;
    enter_branch(b, e, 1, b->guard);
    infer_statement(b, e->kids.at[1]);
    const Ast *last = ast_value_of(e->kids.at[1]);
    uint32_t value = last->span.lo;
    if (last->kind == AST_NAME && last->name && infer_is_continuation_name(last->name))
        return infer_unit(b);
    for (int i = reported; i < b->cx->diags.len; i++)
        if (b->cx->diags.at[i]->code == E0319 && b->cx->diags.at[i]->span.lo == value)
            diag_help(b->cx, b->cx->diags.at[i],
                      "an `if` without an `else` has no value: if c { a } else { b }");
    return infer_unit(b);
}

static Node *no_else(Body *b, const Ast *e, Node *want)
{
    Diag *d = diag_error(b->cx, E0301, e->span, "expected `%s`, but this `if` has no `else`",
                         infer_show(b, want));
    diag_help(b->cx, d, "write both branches: if c { a } else { b }");
    infer_expr(b, e->kids.at[1], want);
    return infer_error(b);
}

static Node *branches(Body *b, const Ast *e, Node *want, Node *lanes)
{
    if (!e->kids.at[2]) return infer_wants_value(b, want) ? no_else(b, e, want) : if_alone(b, e);
    Join j = infer_join_of(b, want, WHY_BRANCH, lanes);
    SizeGuard *outer = b->guard;
    for (int branch = 1; branch <= 2; branch++) {
        enter_branch(b, e, branch, outer);
        infer_join(b, &j, e->kids.at[branch]);
    }
    return infer_joined(b, &j);
}

Node *infer_if(Body *b, const Ast *e, Node *want)
{
    bool holds;
    if (infer_is_decided(&b->scope, e->kids.at[0], &holds)) {
        const Ast *taken = e->kids.at[holds ? 1 : 2];
        infer_note(b, e)->option = holds ? 1 : 2;
        return taken ? infer_expr(b, taken, want) : infer_unit(b);
    }
    Node *lanes = infer_note(b, e)->simd = infer_condition(b, e->kids.at[0]);
    Around outer = infer_enter_lanes(b, lanes);
    SizeGuard *guard = b->guard;
    b->branches++;
    Node *t = branches(b, e, want, lanes);
    b->branches--;
    b->guard = guard;
    b->around = outer;
    return t;
}
