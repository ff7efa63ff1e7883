// pad[l, r](mode, xs) with xs : [n]t. Element i of the result lies at j = i - l of the argument,
// which is out of it for -l <= j < 0 and n <= j < n + r. Each mode brings j back into [0, n), or
// gives the border a value of its own.
#include "views/internal.h"

// The nearest element: min(max(j, 0), n - 1).
static Node *clamp(const ViewContext *v, Node *j, Node *n)
{
    Session *cx = v->cx;
    Node *last = nat_sub(cx, n, nat_const(cx, 1));
    return nat_min(cx, nat_max(cx, j, nat_const(cx, 0)), last);
}

// Symmetric reflection, the edge repeated (-1 is 0, n is n - 1), with period 2n: m = j mod 2n, then
// m or, when m >= n, 2n - 1 - m. As m < n exactly when m <= 2n - 1 - m, that is min(m, 2n - 1 - m).
// Where neither border is wider than the array one reflection at each end does, without division:
// for -n <= j < 2n it is min(max(j, -1 - j), 2n - 1 - j).
static Node *mirror(const ViewContext *v, Node *view, Node *j, Node *n)
{
    Session *cx = v->cx;
    Node *one = nat_const(cx, 1), *period = nat_mul(cx, nat_const(cx, 2), n);
    bool narrow = nat_le(cx, v->facts, view->op[0], n) == TRUTH_YES &&
                  nat_le(cx, v->facts, view->op[1], n) == TRUTH_YES;
    Node *m = v->share(v->env, narrow ? j : nat_mod(cx, j, period));
    Node *above = nat_sub(cx, nat_sub(cx, period, one), m);
    Node *below = nat_sub(cx, nat_const(cx, -1), m);
    return nat_min(cx, narrow ? nat_max(cx, m, below) : m, above);
}

ViewStep view_pad_get(const ViewContext *v, Node *view, Path *path, Node *shift)
{
    (void)shift;
    Session *cx = v->cx;
    PadMode mode = (PadMode)view->attr.i;
    int xs = mode == PAD_CONST ? 3 : 2;
    Node *n = view->op[xs]->type->op[0], *l = view->op[0], *to = NULL;
    Node *i = mode == PAD_CONST ? v->share(v->env, path->step.index) : path->step.index;
    Node *j = nat_sub(cx, i, l);
    switch (mode) {
    case PAD_CLAMP: to = clamp(v, j, n); break;
    case PAD_MIRROR: to = mirror(v, view, j, n); break;
    case PAD_WRAP: to = nat_mod(cx, j, n); break;
    case PAD_CONST:
        return (ViewStep){.kind = STEP_WINDOW,
                          .index = i,
                          .lo = l,
                          .hi = nat_add(cx, l, n),
                          .inside = {xs, path_index(v->arena, j, path->rest)},
                          .outside = {2, path->rest}};
    case PAD_MODE_COUNT: break;
    }
    CHECK(cx, to, "pad of mode %d", (int)mode);
    to = nat_simplify(cx, v->facts, to);
    return (ViewStep){.kind = STEP_PLACE, .inside = {xs, path_index(v->arena, to, path->rest)}};
}
