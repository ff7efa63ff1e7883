// Operators on arrays, tuples and vectors work element by element, component by component, and lane
// by lane. Arrays must have the same shape; a scalar combines with every element. This is SaC's
// arithmetic (StagedSAC 3.1) with the strong requirement of equal shapes (5.1).
#include "infer/constraints/constraints.h"

static bool is_many(Node *t)
{
    return t->kind == TYPE_ARRAY || t->kind == TYPE_TUPLE;
}

bool infer_is_elementwise(Prim op, Node *l, Node *r)
{
    bool whole = op == PRIM_EQ || op == PRIM_NE; // == and != compare arrays and tuples as a whole
    bool lanes = l->kind == TYPE_VEC || r->kind == TYPE_VEC;
    return whole ? lanes && !is_many(l) && !is_many(r) : lanes || is_many(l) || is_many(r);
}

typedef struct {
    Body *b;
    const Wait *wait;
    Node *left, *right; // the whole operands, for error messages
} Operation;

static Node *on_scalars(Operation *w, Node *l, Node *r)
{
    Node *types[2] = {l, r};
    return infer_operate(w->b, w->wait->at, w->wait->op, types, w->wait->literal, w->wait->nops);
}

static Node *misfit(Operation *w)
{
    Body *b = w->b;
    Diag *d =
        diag_error(b->cx, E0304, w->wait->at->span,
                   "`%s` works element by element, and `%s` does not fit `%s`",
                   prim_info[w->wait->op].text, infer_show(b, w->left), infer_show(b, w->right));
    if (w->left->kind == TYPE_ARRAY && w->right->kind == TYPE_ARRAY)
        diag_help(b->cx, d, "use map for the rows of one of them: map(|row| row %s ..., ...)",
                  prim_info[w->wait->op].text);
    if (w->left->kind == TYPE_ARRAY && w->right->kind == TYPE_ARRAY &&
        type_rank(w->left) != type_rank(w->right))
        diag_help(b->cx, d,
                  "or std.arrays.broadcast, which says along which axes: a %s broadcast([1], "
                  "shape(a), row)",
                  prim_info[w->wait->op].text);
    return infer_error(b);
}

static Node *on(Operation *w, Node *l, Node *r);

static Node *on_arrays(Operation *w, Node *l, Node *r)
{
    Body *b = w->b;
    bool both = l->kind == TYPE_ARRAY && r->kind == TYPE_ARRAY && w->wait->nops == 2;
    Node *array = l->kind == TYPE_ARRAY ? l : r, *n = array->op[0];
    if (both)
        infer_unify_sizes(b, l->op[0], r->op[0], w->left, w->right, w->wait->at->span,
                          (Why){WHY_SHAPE, NULL, 0});
    Node *element =
        on(w, l->kind == TYPE_ARRAY ? l->op[1] : l, r->kind == TYPE_ARRAY ? r->op[1] : r);
    return element->kind == TYPE_ERROR ? element : type_array(b->cx, n, element);
}

static bool has_length(Node *t, uint32_t n)
{
    int64_t k;
    if (t->kind == TYPE_ARRAY) return nat_is_const(t->op[0], &k) && k == n;
    return t->kind != TYPE_TUPLE || t->nops == n;
}

static Node *on_tuples(Operation *w, Node *l, Node *r)
{
    uint32_t n = (l->kind == TYPE_TUPLE ? l : r)->nops;
    Node **parts = ARENA_ARRAY(w->b->arena, Node *, n + 1);
    if (!has_length(l, n) || !has_length(r, n)) return misfit(w);
    for (uint32_t k = 0; k < n; k++) {
        parts[k] = on(w, infer_vector_component(l, k), infer_vector_component(r, k));
        if (parts[k]->kind == TYPE_ERROR) return parts[k];
    }
    return type_tuple(w->b->cx, (int)n, parts);
}

// Infers the type of an operator on vectors, whose lengths must agree, or on a vector and a uniform
// value (VecImp's lattice: 1 < L < error).
static Node *on_lanes(Operation *w, Node *l, Node *r)
{
    Body *b = w->b;
    Node *vector = l->kind == TYPE_VEC ? l : r;
    if (l->kind == TYPE_VEC && r->kind == TYPE_VEC && w->wait->nops == 2)
        infer_unify_sizes(b, l->op[0], r->op[0], l, r, w->wait->at->span,
                          (Why){WHY_LANES, NULL, 0});
    Node *lane = on_scalars(w, type_lane(l), type_lane(r));
    return lane->kind == TYPE_ERROR ? lane : type_varying(b->cx, vector->op[0], lane);
}

static Node *on(Operation *w, Node *l, Node *r)
{
    l = infer_resolve(w->b, l);
    r = infer_resolve(w->b, r);
    bool one = !is_many(l) && !is_many(r);
    if (!one && (l->kind == TYPE_STRUCT || r->kind == TYPE_STRUCT)) return misfit(w);
    if (l->kind == TYPE_TUPLE || r->kind == TYPE_TUPLE) return on_tuples(w, l, r);
    if (l->kind == TYPE_ARRAY || r->kind == TYPE_ARRAY) return on_arrays(w, l, r);
    if (l->kind == TYPE_VEC || r->kind == TYPE_VEC) return on_lanes(w, l, r);
    return on_scalars(w, l, r);
}

// The number of dimensions, or -1 if the elements may still turn out to be arrays.
static int rank(Body *b, Node *t, bool final)
{
    Node *element = type_elements(t);
    bool open = element->kind == TYPE_META && !final && !infer_is_number(b, element);
    return open ? -1 : type_rank(t);
}

bool infer_try_elementwise(Body *b, Wait *wait, Node *l, Node *r, bool final)
{
    Operation w = {.b = b, .wait = wait, .left = l, .right = r};
    int ranks[2] = {wait->literal[0] ? 0 : rank(b, l, final),
                    wait->literal[1] ? 0 : rank(b, r, final)};
    bool arrays = l->kind != TYPE_TUPLE && r->kind != TYPE_TUPLE;
    if (ranks[0] < 0 || ranks[1] < 0) return false;
    bool fits = !arrays || wait->nops == 1 || !ranks[0] || !ranks[1] || ranks[0] == ranks[1];
    Node *result = fits ? on(&w, l, r) : misfit(&w);
    infer_unify(b, wait->result, result, wait->at->span, no_why);
    return true;
}

// --- vectors as indices and arguments ----------------------------------------------------------

// Whether the type is an array or a tuple of numbers and indices. Sets *mixed if its components may
// differ in type from those of the other operand, because it is an array or contains indices.
static bool is_vector(Body *b, Node *t, bool *mixed)
{
    for (int k = 0; k < infer_vector_length(t); k++) {
        Node *part = infer_resolve(b, infer_vector_component(t, (uint32_t)k));
        if (!infer_is_number(b, part) && part->kind != TYPE_IDX) return false;
        *mixed |= part->kind == TYPE_IDX || t->kind == TYPE_ARRAY;
    }
    return is_many(t);
}

bool infer_is_vectors(Body *b, Prim op, Node *l, Node *r)
{
    bool mixed = false;
    if ((op != PRIM_EQ && op != PRIM_NE) || (l->kind != TYPE_TUPLE && r->kind != TYPE_TUPLE))
        return false;
    return l != r && infer_vector_length(l) == infer_vector_length(r) && is_vector(b, l, &mixed) &&
           is_vector(b, r, &mixed) && mixed;
}

bool infer_compare_vectors(Body *b, const Wait *wait, Node *l, Node *r)
{
    Operation w = {.b = b, .wait = wait, .left = l, .right = r};
    Node *result = infer_boolean(b);
    for (int k = 0; k < infer_vector_length(l); k++) {
        Node *same = on_scalars(&w, infer_vector_component(l, (uint32_t)k),
                                infer_vector_component(r, (uint32_t)k));
        if (same->kind == TYPE_ERROR) result = same;
    }
    infer_unify(b, wait->result, result, wait->at->span, no_why);
    return true;
}
