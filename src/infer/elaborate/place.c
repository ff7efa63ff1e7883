// Elaboration of components, elements and slices, both of values and of locations, and of
// assignments and references. CORE_GET reads a whole location.
#include "infer/elaborate/elaborate.h"

// --- components -------------------------------------------------------------------------------

// The index of the component that `e` (x.k or x.f) names in a value of type `of`.
static int component(Elab *x, const Ast *e, Node *of)
{
    if (e->kind == AST_PROJ) return (int)e->value.integer;
    const Symbol *y = infer_struct_symbol(x->b->in, of);
    int k = 0;
    while (y->fields[k] != e->name) k++;
    return k;
}

// Converts an index to a position in an array of length n. An index whose type has exactly this
// length is in bounds; any other index is checked at run time.
static Node *position(Elab *x, Node *index, Node *n, Span span)
{
    Node *t = index->type;
    if (t->kind == TYPE_IDX && nat_eq(x->cx, x->b->facts, t->op[0], n) == TRUTH_YES)
        return t->op[0] == n ? index : core_cast(x->cx, index, type_idx(x->cx, n));
    return elab_to_index(x, index, n, span);
}

// Sets *offset and *length to the sizes of a slice.
static void bounds_of(Elab *x, const Ast *e, Node **offset, Node **length)
{
    Node *const *bounds = infer_note(x->b, e)->generics;
    *offset = elab_type(x, bounds[0]);
    *length = elab_type(x, bounds[1]);
}

// --- locations ---------------------------------------------------------------------------------

// The location that contains a component or an element of `e`: the target if `e` is a reference,
// otherwise the location of `e` itself.
static Node *whole(Elab *x, const Ast *e)
{
    bool reference = elab_type(x, infer_note(x->b, e)->type)->kind == TYPE_REF;
    return reference ? elab_expr(x, e) : elab_place(x, e);
}

// The element of `base` at the indices of `e`. An index that is an array or a tuple stands for
// several indices.
static Node *element_of(Elab *x, const Ast *e, Node *base, bool place)
{
    Lets lets = {0};
    Node **terms = ARENA_ARRAY(x->b->arena, Node *, e->kids.len + 1);
    terms[0] = base;
    for (int i = 1; i < e->kids.len; i++) terms[i] = elab_expr(x, e->kids.at[i]);
    elab_name_vectors(x, &lets, terms + 1, e->kids.len - 1);
    Node *of = node_shift(x->cx, terms[0], lets.len, 0);
    for (int i = 1; i < e->kids.len; i++) {
        Span span = e->kids.at[i]->span;
        int n = infer_vector_length(terms[i]->type);
        for (int k = 0; k < n; k++) {
            Node *size = (place ? of->type->op[0] : of->type)->op[0];
            Node *at = position(x, elab_vector_component(x, terms[i], k), size, span);
            of = place ? core_ref_at(x->cx, of, at) : elab_at(x, of, at);
        }
    }
    return elab_wrap(x, &lets, of);
}

static Node *place_of(Elab *x, const Ast *e)
{
    Node *place, *offset, *length;
    switch (e->kind) {
    case AST_PAREN: return elab_place(x, e->kids.at[0]);
    case AST_NAME: return elab_local(x, infer_note(x->b, e)->local);
    case AST_DEREF: return elab_expr(x, e->kids.at[0]);
    case AST_INDEX: return element_of(x, e, whole(x, e->kids.at[0]), true);
    case AST_PROJ:
    case AST_FIELD:
        place = whole(x, e->kids.at[0]);
        return core_ref_proj(x->cx, place, component(x, e, place->type->op[0]));
    case AST_SLICE:
        bounds_of(x, e, &offset, &length);
        return core_ref_slice(x->cx, offset, length, whole(x, e->kids.at[0]));
    default: break;
    }
    CHECK(x->cx, false, "%s is not a place", ast_kind_text[e->kind]);
    return NULL;
}

Node *elab_place(Elab *x, const Ast *e)
{
    return elab_lane_of(x, place_of(x, e));
}

static Node *read(Elab *x, const Ast *e)
{
    return elab_lane_of(x, core_get(x->cx, elab_place(x, e)));
}

// --- components of values, or of locations -----------------------------------------------------

static bool is_place(Elab *x, const Ast *e)
{
    return infer_place(x->b, e).exists;
}

// The value from which an element or a component is taken. In SIMD mode, a name stands for the
// variable that may hold the values of all lanes.
static Node *base(Elab *x, const Ast *e)
{
    const Local *l = e->kind == AST_NAME ? infer_note(x->b, e)->local : NULL;
    bool value = l && l->kind == LOCAL_VALUE && !l->mutable && !infer_note(x->b, e)->held;
    return value ? elab_variable(x, l) : elab_expr(x, e);
}

Node *elab_component(Elab *x, const Ast *e)
{
    if (is_place(x, e)) return read(x, e);
    Node *of = base(x, e->kids.at[0]);
    return elab_lane_of(x, core_proj(x->cx, of, component(x, e, of->type)));
}

Node *elab_index(Elab *x, const Ast *e)
{
    if (is_place(x, e)) return read(x, e);
    return elab_lane_of(x, element_of(x, e, base(x, e->kids.at[0]), false));
}

Node *elab_slice(Elab *x, const Ast *e)
{
    Node *ops[3];
    if (is_place(x, e)) return read(x, e);
    bounds_of(x, e, &ops[0], &ops[1]);
    ops[2] = elab_expr(x, e->kids.at[0]);
    return core_pattern(x->cx, VIEW_SLICE, 0, 3, ops);
}

// --- assignment and references -----------------------------------------------------------------

// Elaborates place += e as place = place + e, but evaluates the left side only once.
static Node *assign_operated(Elab *x, const Ast *e, Node *place)
{
    Lets lets = {0};
    Prim op = PRIM_ADD;
    infer_find_operator(e->name, 2, &op);
    Node *type = place->type;
    bool known = place->kind == CORE_VAR;
    if (!known) {
        elab_push(x, &lets, session_sym(x->cx, "place"), place);
        place = core_var(x->cx, 0, type);
    }
    Node *old = core_at(x->cx, core_get(x->cx, place), e->kids.at[0]->span);
    Node *args[2] = {elab_lane_of(x, old), elab_expr(x, e->kids.at[1])};
    Node *set = core_set(x->cx, place, elab_operate(x, op, 2, args, e->span));
    return elab_wrap(x, &lets, core_at(x->cx, set, e->span));
}

Node *elab_assign(Elab *x, const Ast *e)
{
    Node *place = elab_place(x, e->kids.at[0]);
    if (e->name && e->name->len > 0) return assign_operated(x, e, place);
    return core_set(x->cx, place, elab_expr(x, e->kids.at[1]));
}

Node *elab_reference(Elab *x, const Ast *e)
{
    const Ast *to = e->kids.at[0];
    Node *place = is_place(x, to) ? elab_place(x, to) : core_new(x->cx, elab_expr(x, to));
    return e->value.integer ? place : core_borrow(x->cx, place);
}
