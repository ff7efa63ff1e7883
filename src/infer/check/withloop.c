// With-loops (StagedSAC 3.2; SaC). Generators provide values for the indices of an index space, and
// the operator combines these into one value. The index space of genarray is its shape, that of
// modarray the shape of its array, and that of fold the union of the generators. An index belongs
// to the first generator that contains it.
#include "infer/check/check.h"

typedef struct {
    Body *b;
    With *w;
    const Ast *e;
} WithLoop;

// --- the number of components ------------------------------------------------------------------

// The number of components of a vector that has not been inferred yet, or -1 if it is not known or
// the expression may be a number.
static int written_length(Body *b, const Ast *e)
{
    e = ast_strip(e);
    if (!e) return -1;
    if (infer_is_extents(&b->scope, e)) {
        const Extents *v = infer_extents(&b->scope, e);
        return v ? v->n : -1;
    }
    if (e->kind == AST_ARRAY) return e->kids.len;
    if (e->kind != AST_NAME || !e->name) return -1;
    const Local *l = infer_local_named(&b->scope, e);
    Node *t = l && l->kind == LOCAL_VALUE && l->type ? infer_settle(b, l->type) : NULL;
    return t && (t->kind == TYPE_TUPLE || t->kind == TYPE_ARRAY) ? infer_vector_length(t) : -1;
}

// Returns the number of components of the generators' indices, or -1 if the generators do not
// determine it. If `length` is not -1, all generators must agree with it; otherwise reports an
// error and returns -1.
static int generators_length(WithLoop *l, int length)
{
    bool known = length >= 0;
    for (int i = 0; i < l->w->n; i++) {
        const Ast *g = l->e->kids.at[i],
                  *parts[] = {g->kids.at[GENERATOR_LOWER], g->kids.at[GENERATOR_UPPER],
                              g->kids.at[GENERATOR_STEP], g->kids.at[GENERATOR_WIDTH]};
        const Ast *index = g->kids.at[GENERATOR_INDEX];
        for (int k = 0; k < 5; k++) {
            const Ast *at = k < 4 ? parts[k] : index;
            int n = k < 4                           ? written_length(l->b, at)
                    : index->kind == AST_BIND_ARRAY ? index->kids.len
                                                    : -1;
            if (n < 0 || n == length) continue;
            if (!known && length < 0) length = n;
            if (!known) continue;
            diag_error(l->b->cx, E0424, at->span, "this has %d component%s, but the index has %d",
                       n, n == 1 ? "" : "s", length);
            l->b->failed = true;
            return -1;
        }
    }
    return length;
}

// --- operators ---------------------------------------------------------------------------------

static bool take_operators(WithLoop *l)
{
    const Ast *op = l->e->kids.at[l->e->kids.len - 1];
    bool list = op->kind == AST_TUPLE;
    int n = list ? op->kids.len : 1;
    l->w->operators = ARENA_ARRAY(l->b->arena, WithOperator, n + 1);
    for (int i = 0; i < n; i++) {
        const Ast *one = ast_strip(list ? op->kids.at[i] : op);
        if (!one || one->kind == AST_ERROR) return false;
        l->w->operators[l->w->noperators++] = (WithOperator){.at = one, .kind = one->kind};
    }
    return n > 0;
}

static bool same_space(WithLoop *l, WithOperator *o, const Extents *v)
{
    With *w = l->w;
    if (w->space && w->space->n != v->n) {
        diag_error(l->b->cx, E0424, o->at->span,
                   "the operators of a with-loop share one index space, but this one has %d "
                   "dimension%s and not %d",
                   v->n, v->n == 1 ? "" : "s", w->space->n);
        return false;
    }
    for (int k = 0; w->space && k < v->n; k++)
        infer_unify_sizes(l->b, w->space->at[k], v->at[k], l->w->space_type, o->array, o->at->span,
                          no_why);
    if (!w->space) {
        w->space = v;
        w->space_type = o->array;
    }
    return true;
}

// Takes the index space from genarray(shape, default). If the shape is a number, so is the index.
static bool genarray_space(WithLoop *l, WithOperator *o)
{
    Body *b = l->b;
    const Ast *shape = o->at->kids.at[0];
    bool number = !infer_is_extents(&b->scope, shape) && infer_is_size(&b->scope, shape);
    const Extents *v = number ? infer_repeated(b->arena, infer_size(&b->scope, shape), 1)
                              : infer_extents(&b->scope, shape);
    if (!v) return false;
    if (number) l->w->scalar = true;
    for (int k = 0; k < v->n; k++)
        infer_oblige(b, SIZE_LE, nat_const(b->cx, 0), v->at[k], shape->span,
                     (Why){WHY_EXTENT, NULL, k});
    o->array = o->element = infer_fresh(&b->scope, GENERIC_DATA);
    for (int k = v->n; k-- > 0;) o->array = type_array(b->cx, v->at[k], o->array);
    return same_space(l, o, v);
}

// Takes the index space from modarray(array). It consists of as many leading dimensions of the
// array as the index has components, or of all dimensions if that number is not known.
static bool modarray_space(WithLoop *l, WithOperator *o, int length)
{
    Body *b = l->b;
    Node *t = infer_settle(b, infer_value(b, o->at->kids.at[0], NULL));
    if (t->kind == TYPE_ERROR) return false;
    Extents *v = infer_dims(&b->scope, t);
    Node *element = t;
    for (int k = 0; k < v->n; k++) element = element->op[1];
    if (length > v->n && infer_lacks_rank(b, element, o->at->kids.at[0]->span)) return false;
    if (length > v->n) {
        Diag *d = diag_error(b->cx, E0424, o->at->span,
                             "the index has %d component%s, but `%s` has %d dimension%s", length,
                             length == 1 ? "" : "s", infer_show(b, t), v->n, v->n == 1 ? "" : "s");
        if (t->kind == TYPE_REF)
            diag_help(b->cx, d, "this is a reference; *e is the value that it refers to");
        return false;
    }
    if (length >= 0) v->n = length;
    o->array = o->element = t;
    for (int k = 0; k < v->n; k++) o->element = o->element->op[1];
    return same_space(l, o, v);
}

static bool find_space(WithLoop *l)
{
    int length = generators_length(l, -1);
    bool good = true, vector = length >= 0;
    for (int i = 0; i < l->w->noperators; i++)
        if (l->w->operators[i].kind == AST_GENARRAY) good &= genarray_space(l, &l->w->operators[i]);
    if (good && l->w->space) length = l->w->space->n;
    for (int i = 0; i < l->w->noperators; i++) {
        WithOperator *o = &l->w->operators[i];
        if (o->kind == AST_MODARRAY) good &= modarray_space(l, o, length);
        if (o->kind == AST_FOLD) o->element = o->array = infer_value(l->b, o->at->kids.at[1], NULL);
    }
    if (!good) return false;
    if (vector) l->w->scalar = false;
    l->w->rank = l->w->space ? l->w->space->n : length;
    if (!l->w->space && length < 0) {
        l->w->scalar = true;
        l->w->rank = 1;
    }
    if (l->w->rank <= MOST_RANK) return generators_length(l, l->w->rank) == l->w->rank;
    diag_error(l->b->cx, E0424, l->e->span, "the index has too many components");
    return false;
}

// --- generators --------------------------------------------------------------------------------

// Reads one size per component of the index: the elements of a vector, or a single number used for
// all.
static const Extents *sizes(WithLoop *l, const Ast *e)
{
    Scope *s = &l->b->scope;
    if (infer_is_extents(s, e) || !infer_is_size(s, e)) return infer_extents(s, e);
    return infer_repeated(s->arena, infer_size(s, e), l->w->rank);
}

// Reads a bound that consists of integers instead of sizes. The integers are evaluated before the
// loop.
static bool value_bound(WithLoop *l, WithBound *bound, const Ast *e)
{
    Body *b = l->b;
    Node *t = infer_settle(b, infer_value(b, e, NULL));
    bool vector = t->kind == TYPE_TUPLE || t->kind == TYPE_ARRAY;
    int n = infer_vector_length(t);
    if (t->kind == TYPE_ERROR) return false;
    if (vector && n != l->w->rank) {
        diag_error(b->cx, E0424, e->span, "`%s` does not bound an index of %d component%s",
                   infer_show(b, t), l->w->rank, l->w->rank == 1 ? "" : "s");
        return false;
    }
    for (int k = 0; k < (vector ? n : 1); k++)
        infer_index_type(b, e, vector ? infer_vector_component(t, k) : t);
    bound->value = e;
    return true;
}

// The sizes of a bound: `v`, or the first index (the last one if `upper` is set) of the index space
// if `v` is NULL. `shift` adds 1 to each component.
static const Extents *size_bound(WithLoop *l, const Extents *v, bool shift, bool upper)
{
    Session *cx = l->b->cx;
    Extents *to = infer_new_extents(l->b->arena, l->w->rank);
    Node *zero = nat_const(cx, 0), *one = nat_const(cx, 1);
    for (int k = 0; k < to->n; k++) {
        Node *n = v ? v->at[k] : upper ? nat_sub(cx, l->w->space->at[k], one) : zero;
        to->at[k] = shift ? nat_add(cx, n, one) : n;
    }
    return to;
}

static bool no_upper_bound(WithLoop *l, Span span)
{
    Diag *d = diag_error(l->b->cx, E0424, span, "a generator of fold needs an upper bound");
    diag_help(l->b->cx, d, "write it: with (iv < shape(a)) { ... } fold(op, neutral)");
    return false;
}

// Reads a lower bound as an inclusive one, or an upper bound as an exclusive one.
static bool read_bound(WithLoop *l, WithBound *bound, const Ast *e, bool strict, bool upper)
{
    Scope *s = &l->b->scope;
    bool dot = !e || e->kind == AST_DOT, whole = !e || (dot && !strict);
    bound->shift = upper ? !strict : strict;
    if (dot && upper && !l->w->space) return no_upper_bound(l, e ? e->span : l->e->span);
    if (whole) return true;
    if (!dot && l->w->space && !infer_is_extents(s, e) && !infer_is_size(s, e))
        return value_bound(l, bound, e);
    const Extents *v = dot ? NULL : sizes(l, e);
    if (!dot && !v) return false;
    bound->sizes = size_bound(l, v, bound->shift, upper);
    return true;
}

static void oblige_bounds(WithLoop *l, const WithGenerator *g, const Ast *at)
{
    Body *b = l->b;
    for (int k = 0; k < l->w->rank; k++) {
        const Ast *lower = at->kids.at[GENERATOR_LOWER], *upper = at->kids.at[GENERATOR_UPPER];
        if (g->lower.sizes && lower && lower->kind != AST_DOT)
            infer_oblige(b, SIZE_LE, nat_const(b->cx, 0), g->lower.sizes->at[k], lower->span,
                         (Why){WHY_LOWER, NULL, k});
        if (g->upper.sizes && l->w->space && upper && upper->kind != AST_DOT)
            infer_oblige(b, SIZE_LE, g->upper.sizes->at[k], l->w->space->at[k], upper->span,
                         (Why){WHY_UPPER, NULL, k});
        if (g->step)
            infer_oblige(b, SIZE_LE, nat_const(b->cx, 1), g->step->at[k],
                         at->kids.at[GENERATOR_STEP]->span, (Why){WHY_STEP, NULL, k});
    }
}

// The type of the index: a tuple of indices bounded by the index space or, in a fold, by the upper
// bound of the generator.
static Node *index_type(WithLoop *l, const WithGenerator *g)
{
    Session *cx = l->b->cx;
    Node **parts = ARENA_ARRAY(l->b->arena, Node *, l->w->rank + 1);
    for (int k = 0; k < l->w->rank; k++) {
        Node *n = l->w->space ? l->w->space->at[k] : g->upper.sizes->at[k];
        parts[k] = l->w->space || !g->step ? type_idx(cx, n) : infer_i64(l->b);
    }
    return l->w->scalar ? parts[0] : type_tuple(cx, l->w->rank, parts);
}

// Drops bounds that lie at the ends of the index space, so that is_covered recognises a generator
// that contains all indices.
static void drop_bounds(WithLoop *l, WithGenerator *g)
{
    Body *b = l->b;
    if (!l->w->space || g->step) return;
    bool from = g->lower.sizes != NULL, to = g->upper.sizes != NULL;
    for (int k = 0; k < l->w->rank; k++) {
        from = from && infer_resolve(b, g->lower.sizes->at[k]) == nat_const(b->cx, 0);
        to = to && infer_resolve(b, g->upper.sizes->at[k]) == infer_resolve(b, l->w->space->at[k]);
    }
    if (from) g->lower = (WithBound){0};
    if (to) g->upper = (WithBound){0};
}

static bool generator(WithLoop *l, WithGenerator *g, const Ast *at, Node *element)
{
    Body *b = l->b;
    int64_t strict = at->value.integer;
    const Ast *step = at->kids.at[GENERATOR_STEP], *width = at->kids.at[GENERATOR_WIDTH];
    g->at = at;
    if (at->kind == AST_ERROR) return false;
    if (!read_bound(l, &g->lower, at->kids.at[GENERATOR_LOWER], strict & GENERATOR_ABOVE, false) ||
        !read_bound(l, &g->upper, at->kids.at[GENERATOR_UPPER], strict & GENERATOR_BELOW, true))
        return false;
    g->step = step ? sizes(l, step) : NULL;
    g->width = width ? sizes(l, width) : NULL;
    if ((step && !g->step) || (width && !g->width)) return false;
    if (width && !step) {
        diag_error(b->cx, E0424, width->span, "a width needs a step");
        return false;
    }
    oblige_bounds(l, g, at);
    drop_bounds(l, g);
    int mark = infer_scope_mark(&b->scope);
    infer_bind(b, at->kids.at[GENERATOR_INDEX], index_type(l, g), NULL, 0);
    infer_check(b, at->kids.at[GENERATOR_BODY], element, no_why);
    infer_scope_release(&b->scope, mark);
    return true;
}

// --- the whole ---------------------------------------------------------------------------------

// Whether the type has a zero. Restricts unknown types to numbers.
static bool has_zero(Body *b, Node *t)
{
    Scalar s;
    t = infer_settle(b, t);
    if (t->kind == TYPE_ARRAY) return has_zero(b, t->op[1]);
    if (t->kind == TYPE_TUPLE) {
        bool all = true;
        for (uint32_t i = 0; i < t->nops; i++) all &= has_zero(b, t->op[i]);
        return all;
    }
    if (type_is_scalar(t, &s)) return true;
    return t->kind == TYPE_ERROR || infer_require(b, t, GENERIC_NUM);
}

static void finish_operator(WithLoop *l, WithOperator *o)
{
    Body *b = l->b;
    if (o->kind == AST_FOLD) {
        Node *pair[2] = {o->element, o->element};
        infer_check(b, o->at->kids.at[0], type_fun(b->cx, 2, pair, o->element), no_why);
    }
    if (o->kind != AST_GENARRAY) return;
    if (o->at->kids.len > 1)
        infer_check(b, o->at->kids.at[1], o->element, no_why);
    else if (!l->w->covered && !has_zero(b, o->element)) {
        Diag *d = diag_error(b->cx, E0424, o->at->span, "genarray of `%s` needs a default",
                             infer_show(b, o->element));
        diag_help(b->cx, d, "write it: genarray(shape, default)");
        infer_error(b);
    }
}

// Whether some generator covers the whole index space.
static bool is_covered(const With *w)
{
    for (int i = 0; i < w->n; i++) {
        const WithGenerator *g = &w->generators[i];
        if (!g->lower.sizes && !g->upper.sizes && !g->lower.value && !g->upper.value && !g->step)
            return true;
    }
    return false;
}

// Whether `e` has the form of an index (a name, or names in brackets) and all of these names are in
// scope or, if `known` is false, none of them is.
static bool has_names(const Body *b, const Ast *e, AstKind row, AstKind name, bool known)
{
    if (e->kind == name)
        return e->name && known == (infer_local_named(&b->scope, e) != NULL ||
                                    infer_symbol_named(&b->scope, e) != NULL);
    for (int i = 0; i < e->kids.len && e->kind == row; i++)
        if (e->kids.at[i]->kind != name || !has_names(b, e->kids.at[i], row, name, known))
            return false;
    return e->kind == row && e->kids.len > 0;
}

// Whether the sides of (index < bound) are swapped: the names in the index are already in scope,
// but those in the bound are not.
static bool is_swapped(const Body *b, const Ast *g)
{
    if (g->kind == AST_ERROR || g->kids.at[GENERATOR_LOWER]) return false;
    const Ast *bound = g->kids.at[GENERATOR_UPPER];
    return bound && has_names(b, bound, AST_ARRAY, AST_NAME, false) &&
           has_names(b, g->kids.at[GENERATOR_INDEX], AST_BIND_ARRAY, AST_BIND, true);
}

static Node *refuse_swapped(Body *b, const Ast *g)
{
    const Ast *bound = g->kids.at[GENERATOR_UPPER];
    const Ast *first = bound->kind == AST_ARRAY ? bound->kids.at[0] : bound;
    Diag *d =
        diag_error(b->cx, E0201, first->span, "nothing called `%s` is in scope", first->name->text);
    diag_note(b->cx, d, g->kids.at[GENERATOR_INDEX]->span,
              "the index is on the left of a single relation, so it is declared here");
    diag_help(b->cx, d, "write an upper bound beside the lower one: (low %s index <= .)",
              g->value.integer & GENERATOR_BELOW ? "<" : "<=");
    return infer_error(b);
}

Node *infer_with_loop(Body *b, const Ast *e)
{
    for (int i = 0; i + 1 < e->kids.len; i++)
        if (is_swapped(b, e->kids.at[i])) return refuse_swapped(b, e->kids.at[i]);
    With *w = infer_note(b, e)->with = ARENA_NEW(b->arena, With);
    WithLoop l = {b, w, e};
    *w = (With){.n = e->kids.len - 1};
    w->generators = ARENA_ARRAY(b->arena, WithGenerator, w->n + 1);
    if (!take_operators(&l) || !find_space(&l)) return infer_error(b);
    int n = w->noperators;
    Node **elements = ARENA_ARRAY(b->arena, Node *, n + 1),
         **results = ARENA_ARRAY(b->arena, Node *, n + 1);
    for (int i = 0; i < n; i++) elements[i] = w->operators[i].element;
    w->element = n == 1 ? elements[0] : type_tuple(b->cx, n, elements);
    for (int i = 0; i < w->n; i++)
        if (!generator(&l, &w->generators[i], e->kids.at[i], w->element)) return infer_error(b);
    w->covered = w->space && is_covered(w);
    for (int i = 0; i < n; i++) {
        finish_operator(&l, &w->operators[i]);
        results[i] = w->operators[i].array;
    }
    return n == 1 ? results[0] : type_tuple(b->cx, n, results);
}
