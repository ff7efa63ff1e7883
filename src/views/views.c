// The rows of the table and the two questions asked of it.
#include "views/internal.h"

Path *path_index(Arena *a, Node *index, Path *rest)
{
    struct Path *p = ARENA_NEW(a, struct Path);
    p->step.index = index;
    p->rest = rest;
    return p;
}

Path *path_component(Arena *a, int component, Path *rest)
{
    struct Path *p = ARENA_NEW(a, struct Path);
    p->step.is_component = true;
    p->step.component = component;
    p->rest = rest;
    return p;
}

Path *path_append(Arena *a, Path *prefix, Path *rest)
{
    if (!prefix) return rest;
    Path *tail = path_append(a, prefix->rest, rest);
    return prefix->step.is_component ? path_component(a, prefix->step.component, tail)
                                     : path_index(a, prefix->step.index, tail);
}

static ViewStep place(int operand, Path *path)
{
    return (ViewStep){.kind = STEP_PLACE, .inside = {operand, path}};
}

static ViewStep none(const ViewContext *v, Node *view, Path *path, Node *shift)
{
    (void)v, (void)view, (void)path, (void)shift;
    return (ViewStep){.kind = STEP_NONE};
}

static Node *add(const ViewContext *v, Node *a, Node *b)
{
    return nat_add(v->cx, a, b);
}

static Node *sub(const ViewContext *v, Node *a, Node *b)
{
    return nat_sub(v->cx, a, b);
}

// The length of the array that operand k is.
static Node *length(Node *view, int k)
{
    return view->op[k]->type->op[0];
}

// [i][j].. as [i*m + j]..
static Path *flat(const ViewContext *v, Node *m, Path *path)
{
    Node *i = path->step.index, *j = path->rest->step.index;
    return path_index(v->arena, add(v, nat_mul(v->cx, i, m), j), path->rest->rest);
}

// [k].. as [k/m][k%m]..
static Path *folded(const ViewContext *v, Node *m, Path *path)
{
    Node *k = v->share(v->env, path->step.index);
    Node *row = nat_simplify(v->cx, v->facts, nat_div(v->cx, k, m));
    Node *column = nat_simplify(v->cx, v->facts, nat_mod(v->cx, k, m));
    return path_index(v->arena, row, path_index(v->arena, column, path->rest));
}

// The first two steps exchanged.
static Path *swapped(const ViewContext *v, Path *path)
{
    PathStep a = path->step, b = path->rest->step;
    Path *rest = path->rest->rest;
    Path *tail = a.is_component ? path_component(v->arena, a.component, rest)
                                : path_index(v->arena, a.index, rest);
    return b.is_component ? path_component(v->arena, b.component, tail)
                          : path_index(v->arena, b.index, tail);
}

// [i].. as [index]..
static ViewStep at(const ViewContext *v, int operand, Node *index, Path *path)
{
    return place(operand, path_index(v->arena, index, path->rest));
}

// --- zip, unzip ---------------------------------------------------------------------------------

static ViewStep zip_get(const ViewContext *v, Node *view, Path *path, Node *shift)
{
    (void)view, (void)shift;
    Path *component = path->rest;
    return at(v, component->step.component, path->step.index,
              &(struct Path){path->step, component->rest});
}

static ViewStep zip_put(const ViewContext *v, Node *acc, Path *path, Node *shift)
{
    (void)shift;
    return at(v, 0, path->step.index,
              &(struct Path){path->step, path_component(v->arena, (int)acc->attr.i, path->rest)});
}

static ViewStep swap_steps(const ViewContext *v, Node *view, Path *path, Node *shift)
{
    (void)view, (void)shift;
    return place(0, swapped(v, path));
}

// --- split, join, slide -------------------------------------------------------------------------

static ViewStep split_get(const ViewContext *v, Node *view, Path *path, Node *shift)
{
    (void)shift;
    return place(1, flat(v, view->op[0], path));
}

static ViewStep split_put(const ViewContext *v, Node *acc, Path *path, Node *shift)
{
    (void)shift;
    return place(1, folded(v, acc->op[0], path));
}

static ViewStep join_get(const ViewContext *v, Node *view, Path *path, Node *shift)
{
    (void)shift;
    return place(0, folded(v, view->op[0]->type->op[1]->op[0], path));
}

// The acceptor's own type is [n][m]t.
static ViewStep join_put(const ViewContext *v, Node *acc, Path *path, Node *shift)
{
    (void)shift;
    return place(0, flat(v, acc->type->op[1]->op[0], path));
}

static ViewStep slide_get(const ViewContext *v, Node *view, Path *path, Node *shift)
{
    (void)shift;
    return place(2, flat(v, view->op[1], path));
}

// --- concat, slice, repeat ----------------------------------------------------------------------

static ViewStep concat_get(const ViewContext *v, Node *view, Path *path, Node *shift)
{
    (void)shift;
    Node *n = length(view, 0), *i = v->share(v->env, path->step.index);
    Path *left = path_index(v->arena, i, path->rest);
    Path *right = path_index(v->arena, sub(v, i, n), path->rest);
    return (ViewStep){
        .kind = STEP_WINDOW, .index = i, .hi = n, .inside = {0, left}, .outside = {1, right}};
}

static ViewStep part_put(const ViewContext *v, Node *acc, Path *path, Node *shift)
{
    (void)shift;
    return at(v, 2, add(v, path->step.index, acc->op[0]), path);
}

static ViewStep slice_get(const ViewContext *v, Node *view, Path *path, Node *shift)
{
    (void)shift;
    return at(v, 2, add(v, path->step.index, view->op[0]), path);
}

static ViewStep slice_put(const ViewContext *v, Node *acc, Path *path, Node *shift)
{
    (void)shift;
    Node *k = v->share(v->env, path->step.index), *offset = acc->op[0];
    return (ViewStep){.kind = STEP_WINDOW,
                      .index = k,
                      .lo = offset,
                      .hi = add(v, offset, acc->op[1]),
                      .inside = {2, path_index(v->arena, sub(v, k, offset), path->rest)},
                      .outside = {-1, NULL}};
}

static ViewStep repeat_get(const ViewContext *v, Node *view, Path *path, Node *shift)
{
    (void)v, (void)view, (void)shift;
    return place(1, path->rest);
}

// --- reverse, rotate, gather, permute, scatter --------------------------------------------------

static Node *mirrored(const ViewContext *v, Node *n, Node *i)
{
    return sub(v, sub(v, n, nat_const(v->cx, 1)), i);
}

static ViewStep reverse_get(const ViewContext *v, Node *view, Path *path, Node *shift)
{
    (void)shift;
    return at(v, 0, mirrored(v, length(view, 0), path->step.index), path);
}

static Node *modulo(const ViewContext *v, Node *e, Node *n)
{
    return nat_simplify(v->cx, v->facts, nat_mod(v->cx, e, n));
}

static ViewStep rotate_get(const ViewContext *v, Node *view, Path *path, Node *shift)
{
    return at(v, 1, modulo(v, sub(v, path->step.index, shift), length(view, 1)), path);
}

static ViewStep rotate_put(const ViewContext *v, Node *acc, Path *path, Node *shift)
{
    return at(v, 1, modulo(v, add(v, path->step.index, shift), length(acc, 1)), path);
}

static ViewStep through(int holder, int operand, Path *path)
{
    return (ViewStep){.kind = STEP_THROUGH,
                      .through = holder,
                      .index = path->step.index,
                      .inside = {operand, path}};
}

static ViewStep gather_get(const ViewContext *v, Node *view, Path *path, Node *shift)
{
    (void)v, (void)view, (void)shift;
    return through(0, 1, path);
}

static ViewStep circular_get(const ViewContext *v, Node *view, Path *path, Node *shift)
{
    (void)v, (void)view, (void)shift;
    return place(1, path);
}

static ViewStep permute_get(const ViewContext *v, Node *view, Path *path, Node *shift)
{
    (void)v, (void)view, (void)shift;
    return through(0, 2, path);
}

// --- acceptors that are no views ----------------------------------------------------------------

// The index of ACC_AT is an expression: whoever asks has it as `shift`.
static ViewStep at_put(const ViewContext *v, Node *acc, Path *path, Node *shift)
{
    (void)acc;
    return place(0, path_index(v->arena, shift, path));
}

static ViewStep component_put(const ViewContext *v, Node *acc, Path *path, Node *shift)
{
    (void)shift;
    return place(0, path_component(v->arena, (int)acc->attr.i, path));
}

// .k.. goes to operand k.
static ViewStep tuple_put(const ViewContext *v, Node *acc, Path *path, Node *shift)
{
    (void)v, (void)acc, (void)shift;
    return place(path->step.component, path->rest);
}

static ViewStep nowhere(const ViewContext *v, Node *acc, Path *path, Node *shift)
{
    (void)v, (void)acc, (void)path, (void)shift;
    return place(-1, NULL);
}

// The index of ACC_ELEMENT is given as `shift`, as that of ACC_AT is.
static ViewStep element_put(const ViewContext *v, Node *acc, Path *path, Node *shift)
{
    (void)acc;
    return (ViewStep){.kind = STEP_WINDOW,
                      .index = v->share(v->env, path->step.index),
                      .lo = shift,
                      .hi = add(v, shift, nat_const(v->cx, 1)),
                      .inside = {1, path->rest},
                      .outside = {-1, NULL}};
}

static ViewStep mapped_put(const ViewContext *v, Node *acc, Path *path, Node *shift)
{
    (void)shift;
    ViewStep s = place(1, path->rest);
    s.bound = acc->attr.sym;
    s.index = v->share(v->env, path->step.index);
    return s;
}

// clang-format off
const ViewRow view_table[] = {
    {VIEW_ZIP,       ACC_ZIP,       "ic", "i",  zip_get,     zip_put},
    {VIEW_UNZIP,     ACC_UNZIP,     "ci", "ic", swap_steps,  swap_steps},
    {VIEW_SPLIT,     ACC_SPLIT,     "ii", "i",  split_get,   split_put},
    {VIEW_JOIN,      ACC_JOIN,      "i",  "ii", join_get,    join_put},
    {VIEW_AS_VECTOR, ACC_AS_VECTOR, "ii", "i",  split_get,   split_put}, // the second index is that of a lane
    {VIEW_AS_SCALAR, ACC_AS_SCALAR, "i",  "ii", join_get,    join_put},
    {VIEW_TRANSPOSE, ACC_TRANSPOSE, "ii", "ii", swap_steps,  swap_steps},
    {VIEW_SLIDE,     KIND_NONE,     "ii", "",   slide_get,   none},
    {VIEW_PAD,       KIND_NONE,     "i",  "",   view_pad_get, none},
    {VIEW_CONCAT,    ACC_PART,      "i",  "i",  concat_get,  part_put},
    {VIEW_REPEAT,    KIND_NONE,     "i",  "",   repeat_get,  none},
    {VIEW_SLICE,     ACC_SLICE,     "i",  "i",  slice_get,   slice_put},
    {VIEW_REVERSE,   ACC_REVERSE,   "i",  "i",  reverse_get, reverse_get},
    {VIEW_ROTATE,    ACC_ROTATE,    "i",  "i",  rotate_get,  rotate_put},
    {VIEW_GATHER,    ACC_SCATTER,   "i",  "i",  gather_get,  gather_get},
    {VIEW_CIRCULAR,  KIND_NONE,     "",   "",   circular_get, none},
    {VIEW_PERMUTE,   KIND_NONE,     "i",  "",   permute_get, none},
    {CORE_INDEX,     ACC_AT,        "",   "",   none,        at_put},
    {CORE_PROJ,      ACC_PROJ,      "",   "",   none,        component_put},
    {KIND_NONE,      ACC_TUPLE,     "",   "c",  none,        tuple_put},
    {KIND_NONE,      ACC_NONE,      "",   "",   none,        nowhere},
    {KIND_NONE,      ACC_ELEMENT,   "",   "i",  none,        element_put},
    {KIND_NONE,      ACC_MAP,       "",   "i",  none,        mapped_put},
};
// clang-format on
const int view_table_len = sizeof view_table / sizeof *view_table;

static bool reaches(const char *steps, Path *path)
{
    for (; *steps; steps++, path = path->rest)
        if (!path || path->step.is_component != (*steps == 'c')) return false;
    return true;
}

ViewStep view_get(const ViewContext *v, Node *view, Path *path, Node *shift)
{
    for (int i = 0; i < view_table_len; i++)
        if (view_table[i].view == (Kind)view->kind)
            return reaches(view_table[i].get_steps, path) ? view_table[i].get(v, view, path, shift)
                                                          : (ViewStep){.kind = STEP_SHORT};
    session_ice(v->cx, __FILE__, __LINE__, "%s is not a view", kind_info[view->kind].text);
}

ViewStep view_put(const ViewContext *v, Node *acc, Path *path, Node *shift)
{
    for (int i = 0; i < view_table_len; i++)
        if (view_table[i].acceptor == (Kind)acc->kind)
            return reaches(view_table[i].put_steps, path) ? view_table[i].put(v, acc, path, shift)
                                                          : (ViewStep){.kind = STEP_SHORT};
    session_ice(v->cx, __FILE__, __LINE__, "%s is not an acceptor", kind_info[acc->kind].text);
}
