// Lane patterns (extract, insert, select, shuffle, compress, expand) applied to every vector inside
// a compound value.
#include "infer/calls/calls.h"

// --- one lane ----------------------------------------------------------------------------------

// The type of one lane of a value. Returns NULL if some vector does not have this number of lanes,
// or if a struct is declared with vectors.
static Node *one_lane(Body *b, Node *t, Node *lanes)
{
    t = infer_resolve(b, t);
    if (t->kind == TYPE_VEC)
        return nat_eq(b->cx, b->facts, t->op[0], lanes) == TRUTH_YES ? t->op[1] : NULL;
    if (!infer_is_compound(t)) return t;
    const Symbol *y = infer_struct_symbol(b->in, t);
    if (y && y->type && type_has_vector(y->type)) return NULL;
    for (uint32_t i = t->kind == TYPE_ARRAY; i < t->nops; i++) {
        Node *part = one_lane(b, t->op[i], lanes);
        if (!part) return NULL;
        if (part != t->op[i]) t = node_with_op(b->cx, t, (int)i, part);
    }
    return t;
}

bool infer_is_of_parts(Body *b, Node *t)
{
    t = infer_resolve(b, t);
    return infer_is_compound(t) && infer_lanes_inside(b, t);
}

// Reports that the pattern cannot be applied to the components of a compound value.
static Node *refuse_parts(Body *b, const Ast *at, const Symbol *y, Node *t, bool uniform)
{
    Diag *d = diag_error(b->cx, E0327, at->span,
                         uniform ? "a part of `%s` is one value for all lanes"
                                 : "`%s` has vectors that are not one for each of its lanes",
                         infer_show(b, t));
    diag_help(b->cx, d, "take its members one by one: %s(%s...)", y->name->text,
              uniform ? "" : "v.x, ");
    return infer_error(b);
}

Node *infer_lane_of_parts(Body *b, const Application *a)
{
    Node *t = infer_resolve(b, infer_note(b, a->args[0])->type);
    Node *one = one_lane(b, t, infer_lanes_inside(b, t));
    bool insert = a->nargs > 2;
    infer_new_call(b, a);
    infer_check(b, a->args[1], infer_i64(b), (Why){WHY_ARGUMENT, a->symbol, 1});
    if (insert)
        infer_check(b, a->args[2], one ? one : infer_error(b), (Why){WHY_ARGUMENT, a->symbol, 2});
    if (!one) return refuse_parts(b, a->args[0], a->symbol, t, false);
    return insert ? t : one;
}

// --- all lanes ---------------------------------------------------------------------------------

// Whether argument i is a value rather than a mask or positions: select(mask, a, b),
// shuffle(a, at), compress(a, mask), expand(a, mask).
static bool is_value(const Symbol *y, int i)
{
    return infer_patterns[y->row].kind == CORE_BLEND ? i > 0 : i == 0;
}

bool infer_is_for_parts(Body *b, const Symbol *y, Node *const *found)
{
    bool two = infer_patterns[y->row].kind == CORE_BLEND;
    return infer_is_compound(infer_resolve(b, found[two])) ||
           (two && infer_is_compound(infer_resolve(b, found[2])));
}

Node *infer_for_parts(Body *b, const Application *a, Node *const *found)
{
    const Symbol *y = a->symbol;
    Node *lanes = NULL, *t = NULL;
    bool two = infer_patterns[y->row].kind == CORE_BLEND;
    for (int i = 0; i < a->nargs && !lanes; i++) lanes = infer_lanes_inside(b, found[i]);
    infer_new_call(b, a);
    for (int i = 0; i < a->nargs; i++) {
        Node *part = infer_resolve(b, found[i]);
        if (!is_value(y, i) || !infer_is_compound(part)) continue;
        if (lanes) part = infer_rest_in_lanes(b, part, lanes);
        t = t ? infer_like_lanes(b, t, part) : part;
    }
    if (!lanes || !one_lane(b, t, lanes)) return refuse_parts(b, a->args[two], y, t, false);
    if (two && infer_has_uniform(t)) return refuse_parts(b, a->args[1], y, t, true);
    bool shuffle = infer_patterns[y->row].kind == CORE_SHUFFLE;
    Node *other = type_varying(b->cx, lanes, shuffle ? infer_i64(b) : infer_boolean(b));
    for (int i = 0; i < a->nargs; i++)
        infer_accept(b, a->args[i], found[i], is_value(y, i) ? t : other,
                     (Why){WHY_ARGUMENT, y, i});
    return t;
}
