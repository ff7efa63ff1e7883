// Elaboration of with-loops. A with-loop becomes a `generate` over the index space, in which the
// index of each element selects the generator. Pattern folding, loop fusion and loop splitting
// therefore apply to with-loops as well. An index vector is a tuple of the loop indices, which
// staging removes (with-loop specialisation and index vector elimination, StagedSAC 5.1.1).
#include "infer/elaborate/elaborate.h"

/// A term built with `depth` variables in scope.
typedef struct {
    Node *e;
    int depth;
} Held;

typedef struct {
    const With *w;
    // For each operator, the value outside all generators: the array of modarray, the default of
    // genarray, or the neutral value of fold.
    Held *first;
    // bounds[2*g] is the lower bound of generator g, and bounds[2*g + 1] its upper bound. An entry
    // is empty if the bound consists of sizes.
    Held *bounds;
    int only; // the operator whose elements are built, or ALL to build tuples for all operators
} WithElab;

enum { ALL = -1 };

static Node *here(Elab *x, Held h)
{
    return node_shift(x->cx, h.e, x->depth - h.depth, 0);
}

// The conjunction of two conditions; NULL means always true. All comparisons are evaluated, because
// they cannot fail and index_set_split needs a single conjunction.
static Node *both(Elab *x, Node *a, Node *b)
{
    if (!a || !b) return a ? a : b;
    return elab_prim(x, PRIM_AND, a, b);
}

// --- zero --------------------------------------------------------------------------------------

static Node *zero(Elab *x, Node *t)
{
    Session *cx = x->cx;
    Scalar s;
    if (t->kind == TYPE_ARRAY)
        return core_pattern(cx, VIEW_REPEAT, 0, 2, (Node *[]){t->op[0], zero(x, t->op[1])});
    if (t->kind == TYPE_TUPLE) {
        Node **parts = ARENA_ARRAY(x->b->arena, Node *, t->nops + 1);
        for (uint32_t i = 0; i < t->nops; i++) parts[i] = zero(x, t->op[i]);
        return core_tuple(cx, (int)t->nops, parts, NULL);
    }
    if (type_is_scalar(t, &s) && s == SCALAR_BOOL) return core_bool(cx, false);
    if (type_is_float(t)) return core_float(cx, t, 0);
    if (t->kind == TYPE_SCALAR) return core_int(cx, t, 0);
    return core_cast(cx, core_int(cx, elab_i64(x), 0), t);
}

// --- conditions --------------------------------------------------------------------------------

// Component k of a lower bound that consists of sizes, or 0 if the bound is omitted.
static Node *lower_size(Elab *x, const WithBound *bound, int k)
{
    return bound->sizes ? elab_type(x, bound->sizes->at[k]) : nat_const(x->cx, 0);
}

// Component k of a bound that is not a size; the bound has been checked to lie in the index space.
static Node *bound_value(Elab *x, Held bound, int k, bool shift)
{
    Node *v = here(x, bound);
    Node *n = core_cast(x->cx, elab_to_integer(x, elab_vector_component(x, v, k)), elab_i64(x));
    return shift ? elab_prim(x, PRIM_ADD, n, core_int(x->cx, elab_i64(x), 1)) : n;
}

// The condition lower <= i, or NULL if it always holds.
static Node *above(Elab *x, const WithElab *l, int g, int k, Node *i)
{
    const WithBound *bound = &l->w->generators[g].lower;
    int64_t n;
    if (l->bounds[2 * g].e)
        return elab_prim(x, PRIM_LE, bound_value(x, l->bounds[2 * g], k, bound->shift), i);
    Node *from = lower_size(x, bound, k);
    return nat_is_const(from, &n) && n <= 0 ? NULL
                                            : elab_prim(x, PRIM_LE, core_size(x->cx, from), i);
}

// The condition i < upper, or NULL if it always holds.
static Node *below(Elab *x, const WithElab *l, int g, int k, Node *i)
{
    const WithBound *bound = &l->w->generators[g].upper;
    if (l->bounds[2 * g + 1].e)
        return elab_prim(x, PRIM_LT, i, bound_value(x, l->bounds[2 * g + 1], k, bound->shift));
    if (!bound->sizes) return NULL;
    Node *n = elab_type(x, bound->sizes->at[k]);
    Node *extent = l->w->space ? elab_type(x, l->w->space->at[k]) : NULL;
    return n == extent ? NULL : elab_prim(x, PRIM_LT, i, core_size(x->cx, n));
}

static Node *lower_value(Elab *x, const WithElab *l, int g, int k)
{
    const WithBound *bound = &l->w->generators[g].lower;
    if (l->bounds[2 * g].e) return bound_value(x, l->bounds[2 * g], k, bound->shift);
    return core_size(x->cx, lower_size(x, bound, k));
}

// The condition (i - lower) % step < width, or NULL if it always holds.
static Node *on_grid(Elab *x, const WithElab *l, int g, int k, Node *i, Node *from)
{
    const WithGenerator *at = &l->w->generators[g];
    Session *cx = x->cx;
    if (!at->step) return NULL;
    Node *step = elab_type(x, at->step->at[k]), *one = nat_const(cx, 1);
    Node *width = at->width ? elab_type(x, at->width->at[k]) : one;
    if (step == one || step == width) return NULL;
    Node *offset = from ? elab_prim(x, PRIM_SUB, i, from) : i;
    Node *rest = elab_prim(x, PRIM_REM, offset, core_size(cx, step));
    return width == one ? elab_prim(x, PRIM_EQ, rest, core_size(cx, nat_const(cx, 0)))
                        : elab_prim(x, PRIM_LT, rest, core_size(cx, width));
}

// The condition that the generator contains the index with these components, or NULL if it always
// does.
static Node *contains(Elab *x, const WithElab *l, int g, Node *const *index)
{
    Node *bounds = NULL, *grid = NULL;
    int64_t n;
    for (int k = 0; k < l->w->rank; k++) {
        Node *i = elab_to_integer(x, index[k]);
        bounds = both(x, bounds, both(x, above(x, l, g, k, i), below(x, l, g, k, i)));
        Node *from = lower_value(x, l, g, k);
        bool at_zero = from->kind == CORE_NAT && nat_is_const(from->op[0], &n) && n == 0;
        grid = both(x, grid, on_grid(x, l, g, k, i, at_zero ? NULL : from));
    }
    return both(x, bounds, grid);
}

// --- elements ----------------------------------------------------------------------------------

// The body of a generator with the index bound to these components.
static Node *body_at(Elab *x, const WithElab *l, int g, Node *const *index)
{
    const Ast *at = l->w->generators[g].at, *pattern = at->kids.at[GENERATOR_INDEX];
    Node *iv =
        l->w->scalar ? index[0] : core_tuple(x->cx, l->w->rank, (Node **)(uintptr_t)index, NULL);
    Lets lets = {0};
    Sym name = pattern->kind == AST_BIND ? pattern->name : session_sym(x->cx, "iv");
    elab_set_level(x, pattern, x->depth);
    elab_push(x, &lets, name, iv);
    Node *element = elab_expr(x, at->kids.at[GENERATOR_BODY]);
    return elab_wrap(x, &lets, l->only == ALL ? element : core_proj(x->cx, element, l->only));
}

// The value at an index outside all generators.
static Node *elsewhere(Elab *x, const WithElab *l, Node *const *index)
{
    int n = l->w->noperators;
    Node **parts = ARENA_ARRAY(x->b->arena, Node *, n + 1);
    for (int i = 0; i < n; i++) {
        parts[i] = here(x, l->first[i]);
        for (int k = 0; l->w->operators[i].kind == AST_MODARRAY && k < l->w->rank; k++)
            parts[i] = elab_at(x, parts[i], index[k]);
    }
    return n == 1 ? parts[0] : l->only == ALL ? core_tuple(x->cx, n, parts, NULL) : parts[l->only];
}

static Node *element_at(Elab *x, const WithElab *l, int g, Node *const *index)
{
    if (g == l->w->n) return elsewhere(x, l, index);
    Node *inside = contains(x, l, g, index), *body = body_at(x, l, g, index);
    return inside ? core_if(x->cx, inside, body, element_at(x, l, g + 1, index)) : body;
}

static Sym index_name(Elab *x, const WithElab *l, int k)
{
    static const char *const names[] = {"i", "j", "k"};
    for (int g = 0; g < l->w->n; g++) {
        const Ast *pattern = l->w->generators[g].at->kids.at[GENERATOR_INDEX];
        if (pattern->kind == AST_BIND && l->w->scalar) return pattern->name;
        const Ast *part = pattern->kind == AST_BIND_ARRAY ? pattern->kids.at[k] : NULL;
        if (part && part->kind == AST_BIND) return part->name;
    }
    return session_sym(x->cx, k < 3 ? names[k] : "l");
}

// Builds generate(n0, |i| generate(n1, |j| ...)), starting with dimension k. `index` has room for
// all components.
static Node *over_space(Elab *x, const WithElab *l, int k, Node **index)
{
    if (k == l->w->rank) return element_at(x, l, 0, index);
    Session *cx = x->cx;
    Node *n = elab_type(x, l->w->space->at[k]);
    for (int i = 0; i < k; i++) index[i] = node_shift(cx, index[i], 1, 0);
    index[k] = core_var(cx, 0, type_idx(cx, n));
    x->depth++;
    Node *body = over_space(x, l, k + 1, index);
    x->depth--;
    for (int i = 0; i < k; i++) index[i] = node_shift(cx, index[i], -1, 0);
    return elab_generate(x, index_name(x, l, k), n, body);
}

// --- folds -------------------------------------------------------------------------------------

// The number of indices of a fold's generator along dimension k. If the generator has a step of
// width 1, only the indices on the grid are counted.
static Node *count(Elab *x, const WithGenerator *g, int k)
{
    Session *cx = x->cx;
    Node *from = lower_size(x, &g->lower, k);
    Node *to = elab_type(x, g->upper.sizes->at[k]), *n = nat_sub(cx, to, from);
    if (nat_le(cx, x->b->facts, from, to) != TRUTH_YES) n = nat_max(cx, n, nat_const(cx, 0));
    if (!g->step || g->width) return n;
    Node *step = elab_type(x, g->step->at[k]);
    return nat_div(cx, nat_add(cx, n, nat_sub(cx, step, nat_const(cx, 1))), step);
}

// The index in iteration i along dimension k.
static Node *fold_index(Elab *x, const WithGenerator *g, int k, Node *i)
{
    Session *cx = x->cx;
    Node *from = lower_size(x, &g->lower, k);
    Node *to = elab_type(x, g->upper.sizes->at[k]), *e = core_cast(cx, i, elab_i64(x));
    int64_t n;
    if (!g->step && nat_is_const(from, &n) && n == 0) return core_cast(cx, i, type_idx(cx, to));
    if (g->step && !g->width)
        e = elab_prim(x, PRIM_MUL, core_size(cx, elab_type(x, g->step->at[k])), e);
    e = elab_prim(x, PRIM_ADD, core_size(cx, from), e);
    return g->step ? e : core_to_idx(cx, e, to, g->at->span);
}

// Whether generator `a` ends, along some dimension, before `b` begins.
static bool is_before(Elab *x, const WithGenerator *a, const WithGenerator *b, int rank)
{
    for (int k = 0; a->upper.sizes && b->lower.sizes && k < rank; k++) {
        Node *end = elab_type(x, a->upper.sizes->at[k]),
             *begin = elab_type(x, b->lower.sizes->at[k]);
        if (nat_le(x->cx, x->b->facts, end, begin) == TRUTH_YES) return true;
    }
    return false;
}

// The element of generator g at an index. It is the neutral value if the index is off the grid of
// the generator (which is possible if its step has a width) or belongs to an earlier generator.
static Node *fold_element(Elab *x, const WithElab *l, int g, Node *const *index)
{
    Session *cx = x->cx;
    const With *w = l->w;
    const WithGenerator *at = &w->generators[g];
    Node *own = NULL, *body = body_at(x, l, g, index);
    for (int k = 0; at->width && k < w->rank; k++)
        own = both(x, own,
                   on_grid(x, l, g, k, elab_to_integer(x, index[k]), lower_value(x, l, g, k)));
    for (int h = 0; h < g; h++) {
        const WithGenerator *other = &w->generators[h];
        if (is_before(x, other, at, w->rank) || is_before(x, at, other, w->rank)) continue;
        Node *earlier = contains(x, l, h, index);
        own = both(x, own, earlier ? core_prim(cx, PRIM_NOT, 1, &earlier) : core_bool(cx, false));
    }
    return own ? core_if(cx, own, body, elsewhere(x, l, index)) : body;
}

// The operator of the fold, or an operator on tuples if there are several folds.
static Node *fold_operator(Elab *x, const WithElab *l)
{
    Session *cx = x->cx;
    const With *w = l->w;
    if (w->noperators == 1) return elab_expr(x, w->operators[0].at->kids.at[0]);
    Node *t = elab_type(x, w->element), *types[2] = {t, t};
    Sym names[2] = {session_sym(cx, "a"), session_sym(cx, "b")};
    Node **parts = ARENA_ARRAY(x->b->arena, Node *, w->noperators);
    x->depth += 2;
    for (int i = 0; i < w->noperators; i++) {
        Node *op = elab_expr(x, w->operators[i].at->kids.at[0]);
        Node *args[2] = {core_proj(cx, core_var(cx, 1, t), i),
                         core_proj(cx, core_var(cx, 0, t), i)};
        parts[i] = elab_apply(x, op, 2, args);
    }
    x->depth -= 2;
    return core_lam(cx, 2, types, names, core_tuple(cx, w->noperators, parts, NULL));
}

// Builds reduce(op, z, generate(n0, |i| reduce(op, z, generate(n1, ...)))), starting with
// dimension k.
static Node *over_generator(Elab *x, const WithElab *l, int g, int k, Node **index)
{
    if (k == l->w->rank) return fold_element(x, l, g, index);
    Session *cx = x->cx;
    Node *op = fold_operator(x, l), *z = elsewhere(x, l, index);
    Node *n = count(x, &l->w->generators[g], k);
    x->depth++;
    for (int i = 0; i < k; i++) index[i] = node_shift(cx, index[i], 1, 0);
    index[k] = fold_index(x, &l->w->generators[g], k, core_var(cx, 0, type_idx(cx, n)));
    Node *body = over_generator(x, l, g, k + 1, index);
    x->depth--;
    for (int i = 0; i < k; i++) index[i] = node_shift(cx, index[i], -1, 0);
    Node *xs = elab_generate(x, index_name(x, l, k), n, body);
    return core_at(cx, core_pattern(cx, CORE_REDUCE, 0, 3, (Node *[]){op, z, xs}),
                   l->w->generators[g].at->span);
}

static Node *folds(Elab *x, const WithElab *l)
{
    Node **index = ARENA_ARRAY(x->b->arena, Node *, l->w->rank + 1), *result = NULL;
    for (int g = 0; g < l->w->n; g++) {
        Node *one = over_generator(x, l, g, 0, index);
        result = result ? elab_apply(x, fold_operator(x, l), 2, (Node *[]){result, one}) : one;
    }
    return result;
}

// --- several results ---------------------------------------------------------------------------

// Converts an array [n][m](A, B) to a tuple ([n][m]A, [n][m]B).
static Node *unzip(Elab *x, Node *e, int rank)
{
    if (rank > 1) e = elab_map(x, "row", unzip(x, core_var(x->cx, 0, e->type->op[1]), rank - 1), e);
    return rank ? core_pattern(x->cx, VIEW_UNZIP, 0, 1, &e) : e;
}

static Node *fold_array(Elab *x, Node *op, Node *z, Node *e, int rank)
{
    Session *cx = x->cx;
    if (rank == 0) return e;
    if (rank > 1)
        e = elab_map(x, "row",
                     fold_array(x, node_shift(cx, op, 1, 0), node_shift(cx, z, 1, 0),
                                core_var(cx, 0, e->type->op[1]), rank - 1),
                     e);
    return core_pattern(cx, CORE_REDUCE, 0, 3, (Node *[]){op, z, e});
}

static Node *over_whole_space(Elab *x, const WithElab *l)
{
    return over_space(x, l, 0, ARENA_ARRAY(x->b->arena, Node *, l->w->rank + 1));
}

static Node *fold_part(Elab *x, const WithElab *l, int i, Node *elements)
{
    Node *op = elab_expr(x, l->w->operators[i].at->kids.at[0]);
    return fold_array(x, op, here(x, l->first[i]), elements, l->w->rank);
}

// Whether all bodies end in a tuple of values, one for each operator.
static bool is_apart(const With *w)
{
    bool apart = true;
    for (int g = 0; g < w->n; g++)
        apart &= ast_value_of(w->generators[g].at->kids.at[GENERATOR_BODY])->kind == AST_TUPLE;
    return apart;
}

// Builds a separate loop for each operator. The loops are fused later if they read the same arrays.
static Node *each_by_itself(Elab *x, WithElab *l)
{
    int n = l->w->noperators;
    Node **parts = ARENA_ARRAY(x->b->arena, Node *, n);
    for (l->only = 0; l->only < n; l->only++) {
        Node *elements = over_whole_space(x, l);
        bool fold = l->w->operators[l->only].kind == AST_FOLD;
        parts[l->only] = fold ? fold_part(x, l, l->only, elements) : elements;
    }
    return core_tuple(x->cx, n, parts, NULL);
}

// Builds one loop for all operators. Its elements are tuples that cannot be taken apart here, such
// as the result of a function call.
static Node *all_together(Elab *x, const WithElab *l)
{
    Session *cx = x->cx;
    int n = l->w->noperators;
    Lets lets = {0};
    Node **parts = ARENA_ARRAY(x->b->arena, Node *, n);
    Node *arrays = unzip(x, over_whole_space(x, l), l->w->rank), *t = arrays->type;
    elab_push(x, &lets, session_sym(cx, "results"), arrays);
    for (int i = 0; i < n; i++) {
        parts[i] = core_proj(cx, core_var(cx, 0, t), i);
        if (l->w->operators[i].kind == AST_FOLD) parts[i] = fold_part(x, l, i, parts[i]);
    }
    return elab_wrap(x, &lets, core_tuple(cx, n, parts, NULL));
}

// --- the whole ---------------------------------------------------------------------------------

// The value of an operator outside all generators, or NULL if it is not needed.
static Node *first_value(Elab *x, const With *w, const WithOperator *o)
{
    if (w->covered && o->kind == AST_GENARRAY && o->at->kids.len == 1) return NULL;
    if (o->kind == AST_MODARRAY) return elab_expr(x, o->at->kids.at[0]);
    if (o->at->kids.len > 1) return elab_expr(x, o->at->kids.at[1]);
    return zero(x, elab_type(x, o->element));
}

// A bound that consists of integers, each of which is checked to be in the index space. Returns
// NULL if the bound consists of sizes.
static Node *checked_bound(Elab *x, const With *w, const WithBound *bound)
{
    Session *cx = x->cx;
    if (!bound->value) return NULL;
    Lets lets = {0};
    Node *v = elab_expr(x, bound->value);
    elab_name_vectors(x, &lets, &v, 1);
    Node **parts = ARENA_ARRAY(x->b->arena, Node *, w->rank + 1), *one = nat_const(cx, 1);
    for (int k = 0; k < w->rank; k++) {
        Node *n = elab_type(x, w->space->at[k]), *most = bound->shift ? n : nat_add(cx, n, one);
        parts[k] = elab_to_index(x, elab_vector_component(x, v, k), most, bound->value->span);
    }
    return elab_wrap(x, &lets, core_tuple(cx, w->rank, parts, NULL));
}

// Let-binds `e` unless it is an atom. `e` may be NULL.
static Held hold(Elab *x, Lets *lets, Node *e)
{
    if (!e || elab_is_atom(e)) return (Held){e, x->depth};
    Node *t = e->type;
    elab_push(x, lets, NULL, e);
    return (Held){core_var(x->cx, 0, t), x->depth};
}

Node *elab_with_loop(Elab *x, const Ast *e)
{
    const With *w = infer_note(x->b, e)->with;
    WithElab l = {w, ARENA_ARRAY(x->b->arena, Held, w->noperators + 1),
                  ARENA_ARRAY(x->b->arena, Held, 2 * w->n + 1), ALL};
    Lets lets = {0};
    Node *result;
    for (int i = 0; i < w->noperators; i++)
        l.first[i] = hold(x, &lets, first_value(x, w, &w->operators[i]));
    for (int g = 0; g < w->n; g++) {
        l.bounds[2 * g] = hold(x, &lets, checked_bound(x, w, &w->generators[g].lower));
        l.bounds[2 * g + 1] = hold(x, &lets, checked_bound(x, w, &w->generators[g].upper));
    }
    if (!w->space)
        result = folds(x, &l);
    else if (w->noperators == 1)
        result = core_at(x->cx, over_whole_space(x, &l), e->span);
    else
        result = is_apart(w) ? each_by_itself(x, &l) : all_together(x, &l);
    return elab_wrap(x, &lets, result);
}
