// pad[l, r](mode, xs) with xs : [n]t. Element i of the result corresponds to index j = i - l of the
// argument, which is out of bounds for -l <= j < 0 and n <= j < n + r. Each mode either maps j into
// [0, n) or has a value for the border.
#include "views/internal.h"

static int last(Node *view)
{
    return (int)view->nops - 1;
}

// pad[l, r](mode, xs) : [n]t -> [l + n + r]t; the mode `const` has a value of type t
Node *pad_type(Rule *r)
{
    bool with_value = r->s->attr.i == PAD_CONST;
    int xs = with_value ? 3 : 2;
    if (r->s->nops != xs + 1) return rule_fail(r, "pad takes %d operands", xs + 1);
    if (!rule_is_array(r, xs)) return NULL;
    Node *t = rule_type_of(r, xs), *const *ops = r->s->ops;
    if (with_value && !rule_has_type(r, 2, t->op[1])) return NULL;
    return type_array(r->cx, nat_add(r->cx, nat_add(r->cx, ops[0], t->op[0]), ops[1]), t->op[1]);
}

// The nearest element: min(max(j, 0), n - 1).
static Index clamp(const ViewContext *v, Index j, Index n)
{
    Index first = index_number(v, 0), end = index_sub(v, n, index_number(v, 1));
    return index_min(v, index_max(v, j, first), end);
}

static bool is_narrow(const ViewContext *v, Node *view)
{
    Node *n = view->op[last(view)]->type->op[0];
    return !v->numbers && nat_le(v->cx, v->facts, view->op[0], n) == TRUTH_YES &&
           nat_le(v->cx, v->facts, view->op[1], n) == TRUTH_YES;
}

static bool is_empty(const ViewContext *v, Node *view)
{
    Node *n = view->op[last(view)]->type->op[0];
    return !v->numbers && nat_eq(v->cx, v->facts, n, nat_const(v->cx, 0)) == TRUTH_YES;
}

// Symmetric reflection with a repeated edge (-1 becomes 0, n becomes n - 1) and period 2n. With m
// as j mod 2n, the result is m if m < n, and 2n - 1 - m otherwise. Since m < n if and only if
// m <= 2n - 1 - m, this is min(m, 2n - 1 - m).
//
// If neither border is wider than the array, a single reflection at each end suffices, which needs
// no division: for -n <= j < 2n, the result is min(max(j, -1 - j), 2n - 1 - j).
static Index mirror(const ViewContext *v, Node *view, Index j, Index n)
{
    Index one = index_number(v, 1), period = index_mul(v, index_number(v, 2), n);
    bool narrow = is_narrow(v, view);
    Index m = index_share(v, narrow ? j : index_mod(v, j, period));
    Index above = index_sub(v, index_sub(v, period, one), m);
    Index below = index_sub(v, index_number(v, -1), m);
    return index_min(v, narrow ? index_max(v, m, below) : m, above);
}

static ViewStep with_value(const ViewContext *v, Index i, Index l, Index n, Path *path)
{
    Index end = index_add(v, l, n);
    return step_window(i, &l, &end, (ViewPlace){3, step_index(v, index_sub(v, i, l), path->rest)},
                       (ViewPlace){2, path->rest});
}

ViewStep pad_get(const ViewContext *v, Node *view, Path *path)
{
    Index i = path->step.at, l = index_size(v, view->op[0]), n = length_of(v, view, last(view));
    if (view->attr.i == PAD_CONST && is_empty(v, view)) return step_place(2, path->rest);
    if (view->attr.i == PAD_CONST) return with_value(v, index_share(v, i), l, n, path);
    Index j = index_sub(v, i, l), to = j;
    switch ((PadMode)view->attr.i) {
    case PAD_CLAMP: to = clamp(v, j, n); break;
    case PAD_MIRROR: to = mirror(v, view, j, n); break;
    case PAD_WRAP: to = index_mod(v, j, n); break;
    case PAD_CONST:
    case PAD_MODE_COUNT: break;
    }
    return step_place(last(view), step_index(v, index_simplify(v, to), path->rest));
}

// Only writes the interior. The border is written separately.
ViewStep pad_put(const ViewContext *v, Node *view, int k, Path *path)
{
    (void)k;
    Index to = index_add(v, path->step.at, index_size(v, view->op[0]));
    return step_place(0, step_index(v, to, path->rest));
}

ViewBack pad_back(Session *cx, Node *view, int k, Node *shift)
{
    (void)cx, (void)shift;
    return (ViewBack){.kind = VIEW_SLICE,
                      .nops = 3,
                      .ops = {view->op[0], view->op[k]->type->op[0]},
                      .component = -1};
}

const char *pad_misfit(const ViewContext *v, Node *view)
{
    int64_t l = index_size(v, view->op[0]).number, r = index_size(v, view->op[1]).number;
    if (l < 0 || r < 0) return "a negative width";
    bool readable = view->attr.i == PAD_CONST || length_of(v, view, last(view)).number > 0 ||
                    (l == 0 && r == 0);
    return readable ? NULL : "the border of an empty array";
}
