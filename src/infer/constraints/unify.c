// Unification of types, and conditions on sizes.
#include "infer/constraints/constraints.h"

// Whether any unknown on which a postponed constraint depends may have changed since the
// constraints were last tried.
static bool may_go_on(const Body *b)
{
    if (b->waits.len == 0 || b->deep || b->tried == b->changes) return false;
    return b->untracked > 0 || b->watched != solver_watched_changes(b->scope.solver);
}

Node *infer_settle(Body *b, Node *t)
{
    t = infer_resolve(b, t);
    if (t->kind != TYPE_META || !may_go_on(b)) return t;
    infer_retry(b, false);
    return infer_resolve(b, t);
}

// Adds obligations for the size equations that the solver has found since the last call.
static void take_equations(Body *b, Node *expected, Node *found, Span span, Why why)
{
    SizeEquation *equations;
    int n = solver_take_equations(b->scope.solver, &equations);
    for (int i = 0; i < n; i++) {
        Obligation o = {.relation = SIZE_EQ,
                        .left = equations[i].left,
                        .right = equations[i].right,
                        .span = span.file ? span : equations[i].span,
                        .why = why,
                        .expected = expected,
                        .found = found,
                        .whole = equations[i].whole,
                        .part = equations[i].part,
                        .branch = b->branches > 0,
                        .guard = b->guard};
        vec_push(b->arena, &b->obligations, o);
    }
}

bool infer_unify(Body *b, Node *expected, Node *found, Span span, Why why)
{
    if (expected == found) return true;
    const char *reason = NULL;
    b->changes++;
    bool agree = solver_unify(b->scope.solver, expected, found, span, &reason);
    take_equations(b, expected, found, span, why);
    if (!agree) infer_mismatch(b, expected, found, span, why, reason);
    b->failed |= !agree;
    return agree;
}

bool infer_unify_sizes(Body *b, Node *left, Node *right, Node *expected, Node *found, Span span,
                       Why why)
{
    b->changes++;
    bool agree =
        solver_unify(b->scope.solver, type_idx(b->cx, left), type_idx(b->cx, right), span, NULL);
    take_equations(b, expected, found, span, why);
    return agree;
}

void infer_oblige(Body *b, SizeRelation r, Node *left, Node *right, Span span, Why why)
{
    Obligation o = {.relation = r,
                    .left = left,
                    .right = right,
                    .span = span,
                    .why = why,
                    .branch = b->branches > 0,
                    .guard = b->guard};
    vec_push(b->arena, &b->obligations, o);
}
