// The rows of the view table: each view's typing rule, and where its elements are read and written.
#include "views/internal.h"

// --- common functions ---------------------------------------------------------------------------

static ViewStep none(const ViewContext *v, Node *view, int k, Path *path)
{
    (void)v, (void)view, (void)k, (void)path;
    return (ViewStep){.kind = STEP_NONE};
}

// Maps the path [i].. to [index]..
static ViewStep at(const ViewContext *v, int operand, Index index, Path *path)
{
    return step_place(operand, step_index(v, index, path->rest));
}

// Maps the path [i][j].. to [i*m + j]..
static Path *flat(const ViewContext *v, Index m, Path *path)
{
    Index i = path->step.at, j = path->rest->step.at;
    return step_index(v, index_add(v, index_mul(v, i, m), j), path->rest->rest);
}

// Maps the path [k].. to [k/m][k%m]..
static Path *folded(const ViewContext *v, Index m, Path *path)
{
    Index k = index_share(v, path->step.at);
    Index row = index_simplify(v, index_div(v, k, m));
    Index column = index_simplify(v, index_mod(v, k, m));
    return step_index(v, row, step_index(v, column, path->rest));
}

// Swaps the first two steps of the path.
static ViewStep swap_get(const ViewContext *v, Node *view, Path *path)
{
    (void)view;
    Path *second = path->rest;
    return step_place(0, step_again(v, second->step, step_again(v, path->step, second->rest)));
}

static ViewStep swap_put(const ViewContext *v, Node *view, int k, Path *path)
{
    (void)k;
    return swap_get(v, view, path);
}

// --- zip, unzip ---------------------------------------------------------------------------------

// zip : ([n]t1, ..., [n]tk) -> [n](t1, ..., tk), k >= 2
static Node *zip_type(Rule *r)
{
    int k = r->s->nops;
    if (k < 2) return rule_fail(r, "zip takes two or more arrays");
    Node **parts = ARENA_ARRAY(r->cx->arena, Node *, k);
    for (int i = 0; i < k; i++) {
        if (!rule_is_array(r, i)) return NULL;
        parts[i] = rule_type_of(r, i)->op[1];
        if (!rule_has_type(r, i, type_array(r->cx, rule_type_of(r, 0)->op[0], parts[i])))
            return NULL;
    }
    return type_array(r->cx, rule_type_of(r, 0)->op[0], type_tuple(r->cx, k, parts));
}

static ViewStep zip_get(const ViewContext *v, Node *view, Path *path)
{
    (void)view;
    Path *component = path->rest;
    return step_place(component->step.component, step_again(v, path->step, component->rest));
}

static ViewStep zip_put(const ViewContext *v, Node *view, int k, Path *path)
{
    (void)view;
    return step_place(0, step_again(v, path->step, step_component(v, k, path->rest)));
}

static ViewBack zip_back(Session *cx, Node *view, int k, Node *shift)
{
    (void)cx, (void)view, (void)shift;
    return (ViewBack){.kind = VIEW_UNZIP, .nops = 1, .component = k};
}

static const char *zip_misfit(const ViewContext *v, Node *view)
{
    for (int k = 1; k < (int)view->nops; k++)
        if (length_of(v, view, k).number != length_of(v, view, 0).number)
            return "arrays of different lengths";
    return NULL;
}

// unzip : [n](t1, ..., tk) -> ([n]t1, ..., [n]tk)
static Node *unzip_type(Rule *r)
{
    if (!rule_is_array(r, 0)) return NULL;
    Node *n = rule_type_of(r, 0)->op[0], *t = rule_type_of(r, 0)->op[1];
    if (t->kind != TYPE_TUPLE && t->kind != TYPE_STRUCT)
        return rule_misfit(r, 0, "an array of tuples");
    Node **parts = ARENA_ARRAY(r->cx->arena, Node *, t->nops + 1);
    for (uint32_t i = 0; i < t->nops; i++) parts[i] = type_array(r->cx, n, t->op[i]);
    return type_tuple(r->cx, (int)t->nops, parts);
}

static ViewBack unzip_back(Session *cx, Node *view, int k, Node *shift)
{
    (void)cx, (void)shift;
    Node *element = view->op[k]->type->op[1];
    return (ViewBack){.kind = VIEW_ZIP, .nops = (int)element->nops, .parts = true, .component = -1};
}

// --- split, join, as_vector, as_scalar ----------------------------------------------------------

// In paths, lane j of a vector is written as the index [j].

// split[m] : [k]t -> [k/m][m]t
static Node *split_type(Rule *r)
{
    if (!rule_is_array(r, 1)) return NULL;
    Node *m = r->s->ops[0], *xs = rule_type_of(r, 1);
    return type_array(r->cx, nat_div(r->cx, xs->op[0], m), type_array(r->cx, m, xs->op[1]));
}

static ViewStep split_get(const ViewContext *v, Node *view, Path *path)
{
    return step_place(1, flat(v, index_size(v, view->op[0]), path));
}

static ViewStep split_put(const ViewContext *v, Node *view, int k, Path *path)
{
    (void)k;
    return step_place(0, folded(v, index_size(v, view->op[0]), path));
}

static const char *split_misfit(const ViewContext *v, Node *view)
{
    int64_t m = index_size(v, view->op[0]).number, n = index_size(v, view->type->op[0]).number, all;
    bool fits =
        m >= 0 && !__builtin_mul_overflow(n, m, &all) && all == length_of(v, view, 1).number;
    return fits ? NULL : "the length is not a multiple of the parts'";
}

// join : [n][m]t -> [n*m]t
static Node *join_type(Rule *r)
{
    if (!rule_is_array(r, 0)) return NULL;
    Node *n = rule_type_of(r, 0)->op[0], *row = rule_type_of(r, 0)->op[1];
    if (row->kind != TYPE_ARRAY) return rule_misfit(r, 0, "an array of arrays");
    return type_array(r->cx, nat_mul(r->cx, n, row->op[0]), row->op[1]);
}

static Index row_length(const ViewContext *v, Node *view)
{
    return index_size(v, view->op[0]->type->op[1]->op[0]);
}

static ViewStep join_get(const ViewContext *v, Node *view, Path *path)
{
    return step_place(0, folded(v, row_length(v, view), path));
}

static ViewStep join_put(const ViewContext *v, Node *view, int k, Path *path)
{
    (void)k;
    return step_place(0, flat(v, row_length(v, view), path));
}

static ViewBack rows_back(Session *cx, Node *view, int k, Node *shift)
{
    (void)cx, (void)k, (void)shift;
    Kind kind = view->kind == VIEW_JOIN ? VIEW_SPLIT : VIEW_AS_VECTOR;
    return (ViewBack){.kind = kind,
                      .nops = 2,
                      .ops = {view->op[0]->type->op[1]->op[0]},
                      .component = -1,
                      .is_divided = true};
}

// as_vector[L] : [k]t -> [k/L]vec[L]t
static Node *as_vector_type(Rule *r)
{
    if (!rule_is_array(r, 1)) return NULL;
    Node *lanes = r->s->ops[0], *xs = rule_type_of(r, 1);
    if (xs->op[1]->kind == TYPE_ARRAY || xs->op[1]->kind == TYPE_VEC)
        return rule_misfit(r, 1, "an array of scalars");
    return type_array(r->cx, nat_div(r->cx, xs->op[0], lanes),
                      type_varying(r->cx, lanes, xs->op[1]));
}

// as_scalar : [n]vec[L]t -> [n*L]t
static Node *as_scalar_type(Rule *r)
{
    if (!rule_is_array(r, 0)) return NULL;
    Node *n = rule_type_of(r, 0)->op[0], *vector = rule_type_of(r, 0)->op[1];
    if (vector->kind != TYPE_VEC) return rule_misfit(r, 0, "an array of vectors");
    return type_array(r->cx, nat_mul(r->cx, n, vector->op[0]), vector->op[1]);
}

// --- transpose, slide ---------------------------------------------------------------------------

// transpose : [n][m]t -> [m][n]t
static Node *transpose_type(Rule *r)
{
    if (!rule_is_array(r, 0)) return NULL;
    Node *n = rule_type_of(r, 0)->op[0], *row = rule_type_of(r, 0)->op[1];
    if (row->kind != TYPE_ARRAY) return rule_misfit(r, 0, "an array of arrays");
    return type_array(r->cx, row->op[0], type_array(r->cx, n, row->op[1]));
}

// slide[size, step] : [n]t -> [(n - size + step)/step][size]t
static Node *slide_type(Rule *r)
{
    if (!rule_is_array(r, 2)) return NULL;
    Node *size = r->s->ops[0], *step = r->s->ops[1], *xs = rule_type_of(r, 2);
    Node *last = nat_add(r->cx, nat_sub(r->cx, xs->op[0], size), step);
    return type_array(r->cx, nat_div(r->cx, last, step), type_array(r->cx, size, xs->op[1]));
}

static ViewStep slide_get(const ViewContext *v, Node *view, Path *path)
{
    return step_place(2, flat(v, index_size(v, view->op[1]), path));
}

static const char *slide_misfit(const ViewContext *v, Node *view)
{
    int64_t width = index_size(v, view->op[0]).number, step = index_size(v, view->op[1]).number;
    if (width < 0 || step <= 0) return "a step that is not positive";
    return width - step <= length_of(v, view, 2).number ? NULL : "windows longer than the array";
}

// --- concat, repeat, slice ----------------------------------------------------------------------

// concat : ([n]t, [m]t) -> [n + m]t
static Node *concat_type(Rule *r)
{
    if (!rule_is_array(r, 0) || !rule_is_array(r, 1)) return NULL;
    Node *a = rule_type_of(r, 0), *b = rule_type_of(r, 1);
    if (!rule_agree(r, a->op[1], b->op[1]))
        return rule_fail(r, "concat of %s and %s", type_show(r->cx, a), type_show(r->cx, b));
    return type_array(r->cx, nat_add(r->cx, a->op[0], b->op[0]), a->op[1]);
}

static ViewStep concat_get(const ViewContext *v, Node *view, Path *path)
{
    Index n = length_of(v, view, 0), i = index_share(v, path->step.at);
    Path *left = step_index(v, i, path->rest);
    Path *right = step_index(v, index_sub(v, i, n), path->rest);
    return step_window(i, NULL, &n, (ViewPlace){0, left}, (ViewPlace){1, right});
}

static ViewStep concat_put(const ViewContext *v, Node *view, int k, Path *path)
{
    Index i = path->step.at;
    return at(v, 0, k == 0 ? i : index_add(v, i, length_of(v, view, 0)), path);
}

static ViewBack concat_back(Session *cx, Node *view, int k, Node *shift)
{
    (void)shift;
    Node *offset = k == 0 ? nat_const(cx, 0) : view->op[0]->type->op[0];
    return (ViewBack){
        .kind = VIEW_SLICE, .nops = 3, .ops = {offset, view->op[k]->type->op[0]}, .component = -1};
}

// repeat[n] : t -> [n]t
static Node *repeat_type(Rule *r)
{
    return type_array(r->cx, r->s->ops[0], rule_type_of(r, 1));
}

static ViewStep repeat_get(const ViewContext *v, Node *view, Path *path)
{
    (void)v, (void)view;
    return step_place(1, path->rest);
}

// slice[offset, length] : [n]t -> [length]t
static Node *slice_type(Rule *r)
{
    return rule_is_array(r, 2) ? type_array(r->cx, r->s->ops[1], rule_type_of(r, 2)->op[1]) : NULL;
}

static ViewStep slice_get(const ViewContext *v, Node *view, Path *path)
{
    return at(v, 2, index_add(v, path->step.at, index_size(v, view->op[0])), path);
}

static ViewStep slice_put(const ViewContext *v, Node *view, int k, Path *path)
{
    (void)k;
    Index i = index_share(v, path->step.at), offset = index_size(v, view->op[0]);
    Index end = index_add(v, offset, index_size(v, view->op[1]));
    ViewPlace inside = {0, step_index(v, index_sub(v, i, offset), path->rest)};
    return step_window(i, &offset, &end, inside, (ViewPlace){-1, NULL});
}

static const char *slice_misfit(const ViewContext *v, Node *view)
{
    int64_t offset = index_size(v, view->op[0]).number, length = index_size(v, view->op[1]).number,
            n = length_of(v, view, 2).number;
    bool fits = offset >= 0 && length >= 0 && offset <= n && length <= n - offset;
    return fits ? NULL : "a part that is not inside the array";
}

// stride[k] : [n*k]t -> [n]t
static Node *stride_type(Rule *r)
{
    if (!rule_is_array(r, 1)) return NULL;
    Node *xs = rule_type_of(r, 1);
    return type_array(r->cx, nat_div(r->cx, xs->op[0], r->s->ops[0]), xs->op[1]);
}

static ViewStep stride_get(const ViewContext *v, Node *view, Path *path)
{
    return at(v, 1, index_mul(v, path->step.at, index_size(v, view->op[0])), path);
}

// Maps [i] to [i/k] if k divides i, and discards the element otherwise.
static ViewStep stride_put(const ViewContext *v, Node *view, int k, Path *path)
{
    (void)k;
    Path *parts = folded(v, index_size(v, view->op[0]), path);
    Index one = index_number(v, 1);
    ViewPlace inside = {0, step_again(v, parts->step, path->rest)};
    return step_window(parts->rest->step.at, NULL, &one, inside, (ViewPlace){-1, NULL});
}

// --- reverse, rotate, circular ------------------------------------------------------------------

// reverse : [n]t -> [n]t
static Node *reverse_type(Rule *r)
{
    return rule_is_array(r, 0) ? rule_type_of(r, 0) : NULL;
}

static ViewStep reverse_get(const ViewContext *v, Node *view, Path *path)
{
    Index last = index_sub(v, length_of(v, view, 0), index_number(v, 1));
    return at(v, 0, index_sub(v, last, path->step.at), path);
}

static ViewStep reverse_put(const ViewContext *v, Node *view, int k, Path *path)
{
    (void)k;
    return reverse_get(v, view, path);
}

// rotate : (i64, [n]t) -> [n]t
static Node *rotate_type(Rule *r)
{
    if (!rule_has_type(r, 0, type_scalar(r->cx, SCALAR_I64)) || !rule_is_array(r, 1)) return NULL;
    return rule_type_of(r, 1);
}

static Index modulo(const ViewContext *v, Index i, Index n)
{
    return index_simplify(v, index_mod(v, i, n));
}

// The amount of a rotation. Numbers are reduced modulo n first, so that later sums do not overflow
// 64 bits.
static Index rotation(const ViewContext *v, Index n)
{
    return v->numbers ? index_mod(v, v->shift, n) : v->shift;
}

static ViewStep rotate_get(const ViewContext *v, Node *view, Path *path)
{
    Index n = length_of(v, view, 1), k = rotation(v, n);
    return at(v, 1, modulo(v, index_sub(v, path->step.at, k), n), path);
}

static ViewStep rotate_put(const ViewContext *v, Node *view, int k, Path *path)
{
    (void)k;
    Index n = length_of(v, view, 1), by = rotation(v, n);
    return at(v, 0, modulo(v, index_add(v, path->step.at, by), n), path);
}

// Element i was written to (i + k) mod n, which is where a rotation by -k reads it.
static ViewBack rotate_back(Session *cx, Node *view, int k, Node *shift)
{
    (void)k, (void)view;
    if (!shift) return (ViewBack){.kind = KIND_NONE};
    Node *back = nat_sub(cx, nat_const(cx, 0), shift), *i64 = type_scalar(cx, SCALAR_I64);
    Node *number =
        node_make(cx, &(NodeSpec){.kind = CORE_NAT, .type = i64, .nops = 1, .ops = &back});
    return (ViewBack){.kind = VIEW_ROTATE, .nops = 2, .ops = {number}, .component = -1};
}

// circular[k] : [n]t -> [n]t
static Node *circular_type(Rule *r)
{
    return rule_is_array(r, 1) ? rule_type_of(r, 1) : NULL;
}

static ViewStep circular_get(const ViewContext *v, Node *view, Path *path)
{
    (void)v, (void)view;
    return step_place(1, path);
}

// --- gather, permute, scatter -------------------------------------------------------------------

// gather : ([n]idx[m], [m]t) -> [n]t
static Node *gather_type(Rule *r)
{
    if (!rule_is_indices(r, 0) || !rule_is_array(r, 1)) return NULL;
    Node *idx = rule_type_of(r, 0), *t = rule_type_of(r, 1)->op[1];
    return rule_has_type(r, 1, type_array(r->cx, idx->op[1]->op[0], t))
               ? type_array(r->cx, idx->op[0], t)
               : NULL;
}

static ViewStep through(int holder, int operand, Path *path)
{
    return (ViewStep){
        .kind = STEP_THROUGH, .through = holder, .index = path->step.at, .inside = {operand, path}};
}

static ViewStep gather_get(const ViewContext *v, Node *view, Path *path)
{
    (void)v, (void)view;
    return through(0, 1, path);
}

// permute : (idx[n] -> idx[n], its inverse, [n]t) -> [n]t
static Node *permute_type(Rule *r)
{
    if (!rule_is_array(r, 2)) return NULL;
    Node *i = type_idx(r->cx, rule_type_of(r, 2)->op[0]);
    for (int k = 0; k < 2; k++)
        if (!rule_is_function_to(r, k, 1, &i, i)) return NULL;
    return rule_type_of(r, 2);
}

static ViewStep permute_get(const ViewContext *v, Node *view, Path *path)
{
    (void)v, (void)view;
    ViewStep s = through(0, 2, path);
    s.inverse = 1;
    return s;
}

static ViewStep scatter_put(const ViewContext *v, Node *view, int k, Path *path)
{
    (void)v, (void)view, (void)k;
    return through(0, 0, path);
}

static ViewBack scatter_back(Session *cx, Node *view, int k, Node *shift)
{
    (void)cx, (void)k, (void)shift;
    return (ViewBack){.kind = VIEW_GATHER, .nops = 2, .ops = {view->op[0]}, .component = -1};
}

// --- the rows -----------------------------------------------------------------------------------

// clang-format off
static const ViewRow rows[KIND_COUNT] = {
    [VIEW_ZIP] = {
        .type = zip_type, .get_steps = "ic", .get = zip_get, .put_steps = "i", .put = zip_put,
        .back = zip_back, .misfit = zip_misfit,
        .writes = WRITES_DATA, .why = "each argument is written to its part of the result",
    },
    [VIEW_UNZIP] = {
        .type = unzip_type, .get_steps = "ci", .get = swap_get, .put_steps = "ic", .put = swap_put,
        .back = unzip_back, .dense = true, .levels = LEVELS_MANY, // read once for each component
        .writes = WRITES_DATA, .why = "one pass writes all components",
    },
    [VIEW_SPLIT] = {
        .type = split_type, .get_steps = "ii", .get = split_get, .put_steps = "i", .put = split_put,
        .undone_by = VIEW_JOIN, .misfit = split_misfit, .adds = true, .dense = true, .levels = LEVELS_SPLIT,
        .writes = WRITES_DATA,
    },
    [VIEW_JOIN] = {
        .type = join_type, .get_steps = "i", .get = join_get, .put_steps = "ii", .put = join_put,
        .back = rows_back, .dense = true, .levels = LEVELS_JOIN,
        .writes = WRITES_DATA, .why = "nested loops instead of division",
    },
    [VIEW_AS_VECTOR] = {
        .type = as_vector_type, .get_steps = "ii", .get = split_get, .put_steps = "i", .put = split_put,
        .undone_by = VIEW_AS_SCALAR, .misfit = split_misfit, .adds = true,
        .writes = WRITES_DATA, .alone = true,
    },
    [VIEW_AS_SCALAR] = {
        .type = as_scalar_type, .get_steps = "i", .get = join_get, .put_steps = "ii", .put = join_put,
        .back = rows_back, .levels = LEVELS_MANY, // each vector is read once for each lane
        .writes = WRITES_DATA, .why = "vectors are stored whole", .alone = true,
    },
    [VIEW_TRANSPOSE] = {
        .type = transpose_type, .get_steps = "ii", .get = swap_get, .put_steps = "ii", .put = swap_put,
        .undone_by = VIEW_TRANSPOSE, .levels = LEVELS_SWAP,
        .writes = WRITES_DATA,
    },
    [VIEW_SLIDE] = {
        .type = slide_type, .get_steps = "ii", .get = slide_get, .put_steps = "", .put = none,
        .misfit = slide_misfit, .adds = true, .levels = LEVELS_WINDOWS,
    },
    [VIEW_PAD] = {
        .type = pad_type, .get_steps = "i", .get = pad_get, .put_steps = "i", .put = pad_put,
        .back = pad_back, .misfit = pad_misfit, .roles = "vx",
        .writes = WRITES_BORDER,
    },
    [VIEW_CONCAT] = {
        .type = concat_type, .get_steps = "i", .get = concat_get, .put_steps = "i", .put = concat_put,
        .back = concat_back,
        .writes = WRITES_DATA, .why = "each argument is written to its part of the result",
    },
    [VIEW_REPEAT] = {
        .type = repeat_type, .get_steps = "i", .get = repeat_get, .put_steps = "", .put = none,
        .levels = LEVELS_REPEAT,
        .writes = WRITES_COPIES,
    },
    [VIEW_SLICE] = {
        .type = slice_type, .get_steps = "i", .get = slice_get, .put_steps = "i", .put = slice_put,
        .misfit = slice_misfit, .adds = true, .dense = true,
        .writes = WRITES_PART,
    },
    [VIEW_STRIDE] = {
        .type = stride_type, .get_steps = "i", .get = stride_get, .put_steps = "i", .put = stride_put,
        .misfit = split_misfit,
        .writes = WRITES_PART,
    },
    [VIEW_REVERSE] = {
        .type = reverse_type, .get_steps = "i", .get = reverse_get, .put_steps = "i", .put = reverse_put,
        .undone_by = VIEW_REVERSE,
        .writes = WRITES_DATA,
    },
    [VIEW_ROTATE] = {
        .type = rotate_type, .get_steps = "i", .get = rotate_get, .put_steps = "i", .put = rotate_put,
        .back = rotate_back, .roles = "kx",
        .writes = WRITES_DATA,
    },
    [VIEW_GATHER] = {
        .type = gather_type, .get_steps = "i", .get = gather_get, .put_steps = "", .put = none,
        .roles = "ix", .levels = LEVELS_MANY,
    },
    [VIEW_CIRCULAR] = {
        .type = circular_type, .get_steps = "", .get = circular_get, .put_steps = "", .put = none,
        .alone = true,
    },
    [VIEW_PERMUTE] = {
        .type = permute_type, .get_steps = "i", .get = permute_get, .put_steps = "", .put = none,
        .roles = "ffx",
        .writes = WRITES_PERMUTED, .alone = true,
    },
    [CORE_SCATTER] = {
        .get_steps = "", .put_steps = "i", .put = scatter_put,
        .back = scatter_back, .roles = "ix",
    },
};
// clang-format on

const ViewRow *view_row(Kind kind)
{
    return rows[kind].put ? &rows[kind] : NULL;
}

bool kind_is_view(Kind kind)
{
    return rows[kind].get != NULL;
}
