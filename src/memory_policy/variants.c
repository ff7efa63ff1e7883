// The variants that determine the loop of a pattern (seq, unroll, par, vec), and checks of their
// trip and lane counts.
#include "memory_policy/internal.h"

enum { MAX_UNROLLED = 64 }; // the maximum number of iterations to unroll

bool lower_has_loop(Node *e)
{
    return e->variant == VARIANT_SEQ || e->variant == VARIANT_UNROLL || policy_in_any_order(e);
}

// The trip count of the pattern.
static Node *trip_count(Node *e)
{
    bool made = e->kind == CORE_GENERATE || e->kind == CORE_MAP;
    return (made ? e->type : e->op[2]->type)->op[0];
}

static void check_unroll(Lower *l, Node *e)
{
    int64_t n;
    bool known = nat_is_const(trip_count(e), &n);
    if (known && n <= MAX_UNROLLED) return;
    const char *name = kind_info[e->kind].text;
    Diag *d = diag_error(l->cx, E0415, lower_here(l),
                         "%s.unroll needs a known number of iterations", name);
    if (known)
        diag_note(l->cx, d, NO_SPAN, "it has %lld iterations, and at most %d can be unrolled",
                  (long long)n, MAX_UNROLLED);
    else
        diag_note(l->cx, d, NO_SPAN, "the number of iterations is %s",
                  nat_show(l->cx, trip_count(e)));
    diag_help(l->cx, d, "write %s.seq, or split the array into rows of a constant length", name);
}

static void check_vec(Lower *l, Node *e)
{
    int64_t lanes;
    bool known = nat_is_const(node_lanes(e), &lanes);
    if (known && lanes > 0) return;
    Diag *d = diag_error(l->cx, E0506, lower_here(l),
                         known ? "there must be at least one lane"
                               : "the number of lanes is not known at compile time");
    if (!known) diag_note(l->cx, d, NO_SPAN, "it is %s", nat_show(l->cx, node_lanes(e)));
    diag_help(l->cx, d, "give a literal, as in %s.vec[8]", kind_info[e->kind].text);
}

Variant lower_variant(Lower *l, Node *e, Variant usual)
{
    if (!lower_has_loop(e)) return usual;
    if (e->variant == VARIANT_SEQ) return usual;
    if (e->variant == VARIANT_UNROLL) check_unroll(l, e);
    if (e->variant == VARIANT_VEC) check_vec(l, e);
    return (Variant)e->variant;
}

const Low *lower_elements(Lower *l, Node *e, Node *xs, Demand elements)
{
    bool scan = e->kind == CORE_SCAN || e->kind == CORE_SCAN_EX;
    bool twice = scan && e->variant == VARIANT_PAR; // the first pass computes the sum of each chunk
    return policy_in_any_order(e) ? lower_read(l, xs, demand_outer(elements, twice))
                                  : lower_stream(l, xs, elements);
}
