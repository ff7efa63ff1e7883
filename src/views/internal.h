// Declarations shared by the files of views/: arithmetic on indices that are sizes or numbers.
#ifndef ADZE_VIEWS_INTERNAL_H
#define ADZE_VIEWS_INTERNAL_H

#include "views/views.h"

Index index_size(const ViewContext *v, Node *size);
Index index_number(const ViewContext *v, int64_t n);
/// Applies `op`, the kind of an operation on sizes, to `a` and `b`.
Index index_apply(const ViewContext *v, Kind op, Index a, Index b);
Index index_sub(const ViewContext *v, Index a, Index b);
static inline Index index_add(const ViewContext *v, Index a, Index b)
{
    return index_apply(v, NAT_SUM, a, b);
}
static inline Index index_mul(const ViewContext *v, Index a, Index b)
{
    return index_apply(v, NAT_PRODUCT, a, b);
}
static inline Index index_div(const ViewContext *v, Index a, Index b)
{
    return index_apply(v, NAT_DIV, a, b);
}
static inline Index index_mod(const ViewContext *v, Index a, Index b)
{
    return index_apply(v, NAT_MOD, a, b);
}
static inline Index index_min(const ViewContext *v, Index a, Index b)
{
    return index_apply(v, NAT_MIN, a, b);
}
static inline Index index_max(const ViewContext *v, Index a, Index b)
{
    return index_apply(v, NAT_MAX, a, b);
}
/// Returns an index equal to `a` that is cheap to repeat (see ViewContext.share).
Index index_share(const ViewContext *v, Index a);
Index index_simplify(const ViewContext *v, Index a);

/// Returns the path that consists of an index or a component followed by `rest`, for use in the
/// result of get or put.
Path *step_index(const ViewContext *v, Index index, Path *rest);
Path *step_component(const ViewContext *v, int component, Path *rest);
/// Returns the path that consists of a copy of `step` followed by `rest`.
Path *step_again(const ViewContext *v, PathStep step, Path *rest);

/// The length of operand k of the view, which must be an array.
Index length_of(const ViewContext *v, Node *view, int k);

ViewStep step_place(int operand, Path *path);
/// Returns the STEP_WINDOW lo <= index < hi ? inside : outside. One of lo and hi may be NULL, which
/// means that there is no such bound.
ViewStep step_window(Index index, const Index *lo, const Index *hi, ViewPlace inside,
                     ViewPlace outside);

// The functions in the row of VIEW_PAD (pad.c).
Node *pad_type(Rule *r);
ViewStep pad_get(const ViewContext *v, Node *view, Path *path);
ViewStep pad_put(const ViewContext *v, Node *view, int k, Path *path);
ViewBack pad_back(Session *cx, Node *view, int k, Node *shift);
const char *pad_misfit(const ViewContext *v, Node *view);

#endif
