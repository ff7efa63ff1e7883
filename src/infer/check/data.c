// Tuples, arrays, structs, and access to elements.
#include "infer/check/check.h"

Node *infer_tuple(Body *b, const Ast *e, Node *want)
{
    int n = e->kids.len;
    Node *tuple = want ? infer_settle(b, want) : NULL;
    bool given = tuple && tuple->kind == TYPE_TUPLE && (int)tuple->nops == n;
    Node **parts = ARENA_ARRAY(b->arena, Node *, n + 1);
    for (int i = 0; i < n; i++) {
        const Ast *kid = e->kids.at[i];
        parts[i] = given ? infer_part_of(b, kid, tuple->op[i], no_why) : infer_value(b, kid, NULL);
    }
    return type_tuple(b->cx, n, parts);
}

// Joins the components of the vector that a spread ..v inserts into an array. Returns their number,
// or -1 after an error.
static int spread(Body *b, const Ast *e, Join *j)
{
    Node *t = infer_settle(b, infer_value(b, e->kids.at[0], NULL));
    bool many = t->kind == TYPE_ARRAY || t->kind == TYPE_TUPLE;
    int n = many ? infer_vector_length(t) : -1;
    if (n < 0 && t->kind != TYPE_ERROR) {
        Diag *d =
            diag_error(b->cx, E0306, e->span,
                       "`..` must be followed by a vector of a known length, but this is `%s`",
                       infer_show(b, t));
        if (t->kind == TYPE_ARRAY) diag_help(b->cx, d, "join arrays of any length with ++");
        infer_error(b);
    }
    for (int k = 0; k < n; k++) {
        Node *part = infer_resolve(b, infer_vector_component(t, k));
        if (part->kind == TYPE_IDX) part = infer_i64(b);
        if (!infer_join_type(b, j, part, e->span)) return -1;
    }
    return n;
}

// Joins one element, which must be data. Returns 1, or -1 after an error.
static int element(Body *b, const Ast *e, Node *data, Join *j)
{
    if (j->bad) {
        infer_expr(b, e, NULL);
        return -1;
    }
    infer_join(b, j, e);
    Node *t = infer_resolve(b, infer_note(b, e)->type);
    if (j->bad) return -1;
    bool good = t->kind == TYPE_NEVER || t->kind == TYPE_META || type_is_data(t);
    if (!good) j->bad = !infer_unify(b, data, t, e->span, (Why){WHY_ELEMENT, NULL, 0});
    return good ? 1 : -1;
}

// Builds the array type from the type that its elements agree on. Elements that never return fit
// any type.
static Node *array_of(Body *b, const Ast *e, const Join *j, Node *element, int count)
{
    Node *t = infer_joined(b, j);
    if (t->kind == TYPE_NEVER) t = element;
    if (!infer_unify(b, element, t, e->span, no_why)) return infer_error(b);
    for (int i = 0; i < e->kids.len; i++) {
        Node *found = infer_note(b, e->kids.at[i])->type;
        if (found && found->kind == TYPE_NEVER) infer_accept(b, e->kids.at[i], found, t, no_why);
    }
    return type_array(b->cx, nat_const(b->cx, count), t);
}

Node *infer_array(Body *b, const Ast *e, Node *want)
{
    Node *array = want ? infer_settle(b, want) : NULL, *data = infer_fresh(&b->scope, GENERIC_DATA);
    Node *wanted = array && array->kind == TYPE_ARRAY ? array->op[1] : NULL;
    Join j = infer_join_of(b, wanted, WHY_ELEMENT, NULL);
    bool bad = false;
    int count = 0;
    for (int i = 0; i < e->kids.len; i++) {
        const Ast *kid = e->kids.at[i];
        int n = kid->kind == AST_SPREAD ? spread(b, kid, &j) : element(b, kid, data, &j);
        bad = bad || n < 0;
        count += n;
    }
    return bad ? infer_error(b) : array_of(b, e, &j, data, count);
}

// Accepts the values of the fields. Returns the type of the struct, in which scalars become vectors
// if a field is given a vector for a scalar. Vectors are accepted first, because they determine the
// types that scalars are broadcast to.
static Node *accept_fields(Body *b, const Symbol *y, Node *type, const Ast *const *given,
                           Node *const *found)
{
    Node *lanes = NULL;
    for (uint32_t k = 0; k < type->nops && !lanes; k++)
        if (given[k] && infer_like_lanes(b, type->op[k], found[k]) != infer_resolve(b, type->op[k]))
            lanes = infer_lanes_inside(b, found[k]);
    Node *many = lanes ? infer_many(b, type, lanes) : NULL;
    if (many) type = many;
    for (int vectors = 1; vectors >= 0; vectors--)
        for (uint32_t k = 0; k < type->nops; k++)
            if (given[k] && (infer_lanes_inside(b, found[k]) != NULL) == vectors)
                infer_accept(b, given[k], found[k], type->op[k], (Why){WHY_FIELD, y, (int)k});
    return type;
}

int infer_find_field(Body *b, const Ast *at, const Symbol *y, int n, const Ast *const *given)
{
    int k = n - 1;
    while (k >= 0 && y->fields[k] != at->name) k--;
    if (k >= 0 && !given[k]) return k;
    Diag *d = diag_error(b->cx, k < 0 ? E0307 : E0308, at->name_span,
                         k < 0 ? "`%s` has no field `%s`" : "`%s` is given field `%s` twice",
                         y->name->text, at->name->text);
    diag_note(b->cx, d, y->item->name_span, "the struct is declared here");
    b->failed = true;
    return -1;
}

static Node *check_fields(Body *b, const Ast *e, const Symbol *y, Node *type)
{
    Session *cx = b->cx;
    int n = (int)type->nops;
    const Ast **given = ARENA_ARRAY(b->arena, const Ast *, n + 1);
    Node **found = ARENA_ARRAY(b->arena, Node *, n + 1);
    for (int i = 0; i < e->kids.len; i++) {
        const Ast *init = e->kids.at[i];
        if (init->kind != AST_INIT || !init->name) {
            infer_error(b);
            continue;
        }
        int k = infer_find_field(b, init, y, n, given);
        if (k < 0) {
            infer_expr(b, init->kids.at[0], NULL);
            continue;
        }
        given[k] = init->kids.at[0];
        found[k] = infer_settle(b, infer_expr(b, given[k], type->op[k]));
    }
    type = accept_fields(b, y, type, given, found);
    for (int i = 0; i < n; i++) {
        if (given[i]) continue;
        diag_error(cx, E0308, e->span, "field `%s` of `%s` is missing", y->fields[i]->text,
                   y->name->text);
        return infer_error(b);
    }
    return type;
}

Node *infer_struct_named(Body *b, const Ast *e, const Symbol **symbol)
{
    const Symbol *y = e->name ? infer_symbol_named(&b->scope, e) : NULL;
    if (e->name && !y)
        infer_unknown_name(&b->scope, e->name, e->name_span, "a struct is expected here");
    if (y && infer_is_ambiguous(&b->scope, y, e->span)) y = NULL;
    if (y && y->kind != SYMBOL_STRUCT) {
        Diag *d = diag_error(b->cx, E0203, e->name_span, "`%s` is not a struct", e->name->text);
        const Ast *of = y->kind == SYMBOL_ALIAS && y->item ? y->item->type : NULL;
        if (of && of->kind == AST_TYPE_NAME && of->name)
            diag_help(b->cx, d, "name the struct itself: %s { ... }", of->name->text);
        y = NULL;
    }
    *symbol = infer_note(b, e)->symbol = y;
    int n = y && infer_declared_type(b->in, y) ? y->generics.len : -1;
    Node **with =
        n < 0 ? NULL : infer_generics(&b->scope, y, y->generics.at, n, n, &e->generics, e->span);
    return with ? infer_replace(b->cx, y->type, y->generics.at, with, n) : NULL;
}

Node *infer_struct(Body *b, const Ast *e, Node *want)
{
    const Symbol *y;
    Node *type = infer_struct_named(b, e, &y);
    if (!type) {
        for (int i = 0; i < e->kids.len; i++)
            if (e->kids.at[i]->kids.len) infer_expr(b, e->kids.at[i]->kids.at[0], NULL);
        return infer_error(b);
    }
    Node *wanted = want ? infer_resolve(b, want) : type;
    type = infer_like_lanes(b, type, wanted);
    if (wanted->kind == TYPE_STRUCT && !infer_unify(b, wanted, type, e->span, no_why))
        return infer_error(b);
    return check_fields(b, e, y, type);
}

// --- indices -----------------------------------------------------------------------------------

// Adds a hint for an array of bools or integers used as an index, as other languages allow.
static void help_index(Body *b, Diag *d, Node *index)
{
    Node *of = index->kind == TYPE_ARRAY ? infer_resolve(b, index->op[1]) : index;
    Scalar s;
    if (type_is_scalar(of, &s) && s == SCALAR_BOOL)
        diag_help(b->cx, d, "%s", foreign_name("filter"));
    else if (index->kind == TYPE_ARRAY)
        diag_help(b->cx, d, "index by each number: map(|k| xs[k], ks)");
}

static void not_an_array(Body *b, const Ast *e, Node *t, const Ast *index)
{
    Node *indices = index ? infer_note(b, index)->type : NULL;
    bool several = indices && infer_resolve(b, indices)->kind == TYPE_ARRAY;
    Diag *d = diag_error(b->cx, E0306, e->span, "`%s` is not an array and has no elements",
                         infer_show(b, t));
    if (t->kind == TYPE_VEC)
        diag_help(b->cx, d,
                  "extract(v, i) is the value in lane i, insert(v, i, x) is a vector with x there");
    else if (t->kind == TYPE_TUPLE && index && ast_strip(index)->kind == AST_INT)
        diag_help(b->cx, d, "write a component of a tuple with a dot: %s.%s",
                  infer_written(b, e->span), infer_written(b, index->span));
    else if (t->kind == TYPE_TUPLE)
        diag_help(b->cx, d, "the components of a tuple are t.0, t.1, ...");
    else if (type_is_up_to(t))
        infer_help_open(b, d, e->span);
    else if (t->kind == TYPE_STRUCT)
        diag_help(b->cx, d, "a field of a struct is s.field");
    else if (several)
        diag_help(b->cx, d,
                  "an array as an index has one number for each dimension; to index by each "
                  "number write map(|k| %s[k], %s)",
                  infer_written(b, e->span), infer_written(b, index->span));
}

// Sets *size and *element to the length and the element type of the array that `e` is or refers to.
// An unknown type becomes an array. Returns false after an error.
static bool element_of(Body *b, const Ast *e, Node *t, const Ast *index, Node **size,
                       Node **element)
{
    t = infer_referent(b, t);
    if (t->kind == TYPE_META) {
        Node *array = type_array(b->cx, infer_fresh(&b->scope, GENERIC_NAT),
                                 infer_fresh(&b->scope, GENERIC_DATA));
        if (infer_unify(b, array, t, e->span, no_why)) t = array;
    }
    if (t->kind != TYPE_ARRAY) {
        if (t->kind != TYPE_ERROR) not_an_array(b, e, t, index);
        infer_error(b);
        return false;
    }
    *size = t->op[0];
    *element = t->op[1];
    return true;
}

// The type of a value that holds one element of type `t` for each lane.
static Node *element_in_lanes(Body *b, const Ast *e, Node *t, Node *lanes)
{
    Node *many = t->kind == TYPE_ERROR ? t : infer_many(b, infer_settle(b, t), lanes);
    if (many) return many;
    Diag *d = diag_error(b->cx, E0327, e->span, "`%s` cannot be in lanes", infer_show(b, t));
    diag_note(b->cx, d, NO_SPAN, "each lane has its own index here, and so its own element");
    return infer_error(b);
}

// Checks an index that differs by lane. *lanes is the number of lanes of all such indices; the
// first one sets it.
static void index_in_lanes(Body *b, const Ast *at, Node *index, Node **lanes)
{
    infer_index_type(b, at, index->op[1]);
    if (!*lanes) *lanes = index->op[0];
    infer_unify_sizes(b, *lanes, index->op[0], type_varying(b->cx, *lanes, index->op[1]), index,
                      at->span, (Why){WHY_LANES, NULL, 0});
}

// Infers a[i, j], or a[v] where v is an array or a tuple with one component per dimension. An index
// that differs by lane makes this a gather: each lane reads its own element.
Node *infer_index(Body *b, const Ast *e, Node *want)
{
    AstVec generics;
    const Symbol *y = infer_generic_name(b, e, &generics);
    if (y && y->kind != SYMBOL_CONST) {
        infer_note(b, e)->symbol = y;
        return infer_function_name(b, e, y, &generics, want);
    }
    Node *t = infer_value(b, e->kids.at[0], NULL), *size, *lanes = NULL;
    bool good = true;
    for (int i = 1; i < e->kids.len; i++) {
        const Ast *at = e->kids.at[i];
        Node *index = infer_settle(b, infer_value(b, at, NULL));
        int n = infer_vector_length(index);
        if (index->kind == TYPE_VEC) index_in_lanes(b, at, index, &lanes);
        if (n < 0) {
            Diag *d =
                diag_error(b->cx, E0306, at->span,
                           "an index must have a known number of components, but this is `%s`",
                           infer_show(b, index));
            help_index(b, d, index);
            good = false;
        }
        if (n == 0 && index->kind == TYPE_ARRAY) infer_index_type(b, at, index->op[1]);
        for (int k = 0; k < n; k++) {
            if (index->kind != TYPE_VEC) infer_index_type(b, at, infer_vector_component(index, k));
            good = good && element_of(b, e->kids.at[0], t, at, &size, &t);
        }
    }
    infer_note(b, e)->simd = lanes;
    if (good && lanes) return element_in_lanes(b, e, t, lanes);
    return good ? t : infer_error(b);
}

// Adds a hint to each error, starting at index `reported`, about a bound that is not a size.
static void help_slice(Body *b, int reported)
{
    for (int i = reported; i < b->cx->diags.len; i++)
        if (b->cx->diags.at[i]->code == E0403)
            diag_help(b->cx, b->cx->diags.at[i],
                      "write a part that begins anywhere as generate(k, |i| xs[at + i])");
}

// If the bound is a negative number, which would count from the end in other languages, reports an
// error and returns true.
static bool is_negative(Body *b, const Ast *bound)
{
    bool negative = bound && bound->kind == AST_UNARY && ast_is_named(bound, "-") &&
                    bound->kids.at[0]->kind == AST_INT && bound->kids.at[0]->value.integer != 0;
    if (!negative) return false;
    Diag *d = diag_error(b->cx, E0404, bound->span, "a bound of a slice is negative");
    diag_help(b->cx, d,
              "bounds count from the beginning: xs[..n - 1] is all but the last element, "
              "xs[n - 1..] the last one");
    return true;
}

Node *infer_slice(Body *b, const Ast *e)
{
    Node *size, *element, *zero = nat_const(b->cx, 0);
    const Ast *lo_at = e->kids.at[1], *hi_at = e->kids.len > 2 ? e->kids.at[2] : NULL;
    Node *t = infer_value(b, e->kids.at[0], NULL);
    if (!element_of(b, e->kids.at[0], t, NULL, &size, &element)) return infer_error(b);
    if (is_negative(b, lo_at) || is_negative(b, hi_at)) return infer_error(b);
    int reported = b->cx->diags.len;
    Node *lo = lo_at ? infer_size(&b->scope, lo_at) : zero,
         *hi = hi_at ? infer_size(&b->scope, hi_at) : size;
    if (!lo || !hi) {
        help_slice(b, reported);
        return infer_error(b);
    }
    Why why = {WHY_SLICE, NULL, 0};
    infer_oblige(b, SIZE_LE, zero, lo, e->span, why);
    infer_oblige(b, SIZE_LE, lo, hi, e->span, why);
    infer_oblige(b, SIZE_LE, hi, size, e->span, why);
    Node **bounds = ARENA_ARRAY(b->arena, Node *, 2);
    bounds[0] = lo;
    bounds[1] = nat_sub(b->cx, hi, lo);
    infer_note(b, e)->generics = bounds;
    return type_array(b->cx, bounds[1], element);
}
