// Patterns on lanes (extract, insert, select, shuffle, compress, expand) that are applied to each
// vector which is a part of a value.
#include "infer/calls/calls.h"

// --- one lane ----------------------------------------------------------------------------------

// The type of one lane of a value whose vectors all have this many lanes; NULL: a struct has
// vectors of its own.
static Node *one_lane(Body *b, Node *t, Node *lanes)
{
    t = infer_resolve(b, t);
    if (t->kind == TYPE_VEC)
        return nat_eq(b->cx, b->facts, t->op[0], lanes) == TRUTH_YES ? t->op[1] : NULL;
    if (!infer_is_compound(t)) return t;
    const Symbol *y =
        t->kind == TYPE_STRUCT ? map_get(&b->in->structs, MAP_KEY(t->attr.sym)) : NULL;
    if (y && y->type && infer_has_vector(y->type)) return NULL;
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

static Node *no_lanes(Body *b, const Ast *at, const Symbol *y, Node *t)
{
    Diag *d =
        diag_error(b->cx, E0327, at->span,
                   "`%s` has vectors that are not one for each of its lanes", infer_show(b, t));
    diag_help(b->cx, d, "take its members one by one: %s(v.x, ...)", y->name->text);
    return infer_error(b);
}

Node *infer_lane_of_parts(Body *b, const Ast *e, const Symbol *y, const Ast **args, int nargs)
{
    Node *t = infer_resolve(b, infer_note(b, args[0])->type), *lanes = infer_lanes_inside(b, t);
    Node *one = one_lane(b, t, lanes);
    infer_new_call(b, e, y, NULL, args, nargs);
    infer_check(b, args[1], type_scalar(b->cx, SCALAR_I64), (Why){WHY_ARGUMENT, y, 1});
    if (nargs > 2) infer_check(b, args[2], one ? one : infer_error(b), (Why){WHY_ARGUMENT, y, 2});
    if (one) return nargs > 2 ? t : one;
    return no_lanes(b, args[0], y, t);
}

// --- all lanes ---------------------------------------------------------------------------------

// select(mask, a, b), and shuffle(a, at), compress(a, mask), expand(a, mask).
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

// A part that is one for all lanes is not chosen by them.
static Node *one_for_all(Body *b, const Ast *at, const Symbol *y, Node *t)
{
    Diag *d = diag_error(b->cx, E0327, at->span, "a part of `%s` is one value for all lanes",
                         infer_show(b, t));
    diag_help(b->cx, d, "take its members one by one: %s(...)", y->name->text);
    return infer_error(b);
}

Node *infer_for_parts(Body *b, const Ast *e, const Symbol *y, const Ast **args, int nargs,
                      Node *const *found)
{
    Node *lanes = NULL, *t = NULL;
    bool two = infer_patterns[y->row].kind == CORE_BLEND;
    for (int i = 0; i < nargs && !lanes; i++) lanes = infer_lanes_inside(b, found[i]);
    infer_new_call(b, e, y, NULL, args, nargs);
    for (int i = 0; i < nargs; i++) {
        Node *part = infer_resolve(b, found[i]);
        if (!is_value(y, i) || !infer_is_compound(part)) continue;
        if (lanes) part = infer_rest_in_lanes(b, part, lanes);
        t = t ? infer_like_lanes(b, t, part) : part;
    }
    if (!lanes || !one_lane(b, t, lanes)) return no_lanes(b, args[two], y, t);
    if (two && infer_has_uniform(t)) return one_for_all(b, args[1], y, t);
    Node *other =
        type_scalar(b->cx, infer_patterns[y->row].kind == CORE_SHUFFLE ? SCALAR_I64 : SCALAR_BOOL);
    for (int i = 0; i < nargs; i++)
        infer_accept(b, args[i], found[i], is_value(y, i) ? t : type_varying(b->cx, lanes, other),
                     (Why){WHY_ARGUMENT, y, i});
    return t;
}
