// The table of views: get after put is the identity where both exist, and each row reads what the
// language says, by evaluation on all small sizes.
#include "views/fixture.h"

static Node *memory(Fixture *f, const char *name, Node *type)
{
    return node_make(
        f->cx, &(NodeSpec){.kind = PH_VAR, .attr.sym = session_sym(f->cx, name), .type = type});
}

static Node *destination(Fixture *f, Node *type)
{
    return node_make(
        f->cx, &(NodeSpec){.kind = ACC_VAR, .attr.sym = session_sym(f->cx, "d"), .type = type});
}

static Path *path2(Fixture *f, int64_t i, int64_t j)
{
    return path_index(f->cx->arena, size(f, i), path_index(f->cx->arena, size(f, j), NULL));
}

static Path *path1(Fixture *f, int64_t i)
{
    return path_index(f->cx->arena, size(f, i), NULL);
}

static int64_t value(Node *e)
{
    int64_t x = 0;
    assert_true(nat_is_const(e, &x));
    return x;
}

static void assert_same_path(Path *a, Path *b)
{
    for (; a && b; a = a->rest, b = b->rest) {
        assert_int_equal(a->step.is_component, b->step.is_component);
        if (a->step.is_component)
            assert_int_equal(a->step.component, b->step.component);
        else
            assert_int_equal(value(a->step.index), value(b->step.index));
    }
    assert_null(a);
    assert_null(b);
}

// The place a step leads to when its window, if any, is decided by constants.
static ViewPlace settled(const ViewStep *s)
{
    if (s->kind == STEP_PLACE) return s->inside;
    assert_int_equal(s->kind, STEP_WINDOW);
    bool inside = (!s->has_lo || value(s->lo.size) <= value(s->index.size)) &&
                  (!s->has_hi || value(s->index.size) < value(s->hi.size));
    return inside ? s->inside : s->outside;
}

// What is written at `path` of argument `operand` is read back there.
static void assert_round_trip(Fixture *f, Node *view, Node *acc, Path *path, int operand)
{
    ViewStep put = put_at(f, acc, path, size(f, 1));
    ViewPlace to = settled(&put);
    if (to.operand < 0) return;
    ViewStep get = get_at(f, view, to.path, size(f, 1));
    ViewPlace from = settled(&get);
    assert_int_equal(from.operand, operand);
    assert_same_path(from.path, path);
}

static void zip_and_unzip(void **state)
{
    Fixture *f = *state;
    Node *xs = memory(f, "x", array_type(f, 3, f32(f))),
         *ys = memory(f, "y", array_type(f, 3, f32(f)));
    Node *zip = view_of(f, VIEW_ZIP, 0, 2, (Node *[]){xs, ys});
    Node *d = destination(f, zip->type);
    for (int k = 0; k < 2; k++)
        for (int64_t i = 0; i < 3; i++)
            assert_round_trip(f, zip, acceptor_put(f, zip, k, d), path1(f, i), k);
    Node *pairs = memory(f, "p", zip->type);
    Node *unzip = view_of(f, VIEW_UNZIP, 0, 1, &pairs);
    d = destination(f, unzip->type);
    Path *path = path_index(f->cx->arena, size(f, 2), path_component(f->cx->arena, 1, NULL));
    assert_round_trip(f, unzip, acceptor_put(f, unzip, 0, d), path, 0);
}

static void split_and_join(void **state)
{
    Fixture *f = *state;
    for (int64_t n = 0; n <= 5; n++)
        for (int64_t m = 1; m <= 4; m++) {
            Node *xs = memory(f, "x", array_type(f, n * m, f32(f))), *by = size(f, m);
            Node *split = view_of(f, VIEW_SPLIT, 0, 2, (Node *[]){by, xs});
            Node *d = destination(f, split->type);
            Node *acc = acceptor_put(f, split, 1, d);
            for (int64_t k = 0; k < n * m; k++) assert_round_trip(f, split, acc, path1(f, k), 1);
            Node *rows = memory(f, "r", split->type);
            Node *join = view_of(f, VIEW_JOIN, 0, 1, &rows);
            d = destination(f, join->type);
            acc = acceptor_put(f, join, 0, d);
            for (int64_t i = 0; i < n; i++)
                for (int64_t j = 0; j < m; j++) assert_round_trip(f, join, acc, path2(f, i, j), 0);
        }
}

static void transpose_and_reverse(void **state)
{
    Fixture *f = *state;
    Node *a = memory(f, "a", array_type(f, 2, array_type(f, 3, f32(f))));
    Node *view = view_of(f, VIEW_TRANSPOSE, 0, 1, &a), *d = destination(f, view->type);
    assert_round_trip(f, view, acceptor_put(f, view, 0, d), path2(f, 1, 2), 0);
    for (int64_t n = 1; n <= 5; n++) {
        Node *xs = memory(f, "x", array_type(f, n, f32(f)));
        view = view_of(f, VIEW_REVERSE, 0, 1, &xs);
        d = destination(f, xs->type);
        Node *acc = acceptor_put(f, view, 0, d);
        for (int64_t i = 0; i < n; i++) assert_round_trip(f, view, acc, path1(f, i), 0);
    }
}

static void rotate(void **state)
{
    Fixture *f = *state;
    for (int64_t n = 1; n <= 4; n++)
        for (int64_t k = -6; k <= 6; k++) {
            Node *xs = memory(f, "x", array_type(f, n, f32(f))), *shift = size(f, k);
            Node *ops[2] = {number(f, type_scalar(f->cx, SCALAR_I64), shift), xs};
            Node *view = view_of(f, VIEW_ROTATE, 0, 2, ops);
            Node *acc = acceptor_put(f, view, 1, destination(f, xs->type));
            for (int64_t i = 0; i < n; i++) {
                ViewStep put = put_at(f, acc, path1(f, i), shift);
                ViewStep get = get_at(f, view, put.inside.path, shift);
                assert_same_path(get.inside.path, path1(f, i));
                get = get_at(f, view, path1(f, i), shift);
                assert_int_equal(value(get.inside.path->step.index), (((i - k) % n) + n) % n);
            }
        }
}

static void concat_and_slice(void **state)
{
    Fixture *f = *state;
    int64_t n = 2, m = 3;
    Node *a = memory(f, "a", array_type(f, n, f32(f))),
         *b = memory(f, "b", array_type(f, m, f32(f)));
    Node *view = view_of(f, VIEW_CONCAT, 0, 2, (Node *[]){a, b}), *d = destination(f, view->type);
    Node *first = acceptor_put(f, view, 0, d);
    Node *second = acceptor_put(f, view, 1, d);
    for (int64_t i = 0; i < n; i++) assert_round_trip(f, view, first, path1(f, i), 0);
    for (int64_t i = 0; i < m; i++) assert_round_trip(f, view, second, path1(f, i), 1);
    Node *ops[3] = {size(f, 1), size(f, 2), memory(f, "x", array_type(f, 5, f32(f)))};
    view = view_of(f, VIEW_SLICE, 0, 3, ops);
    Node *acc = acceptor_put(f, view, 2, destination(f, view->type));
    int written = 0;
    for (int64_t k = 0; k < 5; k++) {
        ViewStep put = put_at(f, acc, path1(f, k), NULL);
        written += settled(&put).operand >= 0;
        assert_round_trip(f, view, acc, path1(f, k), 2);
    }
    assert_int_equal(written, 2);
}

static void gather_and_scatter(void **state)
{
    Fixture *f = *state;
    Node *idx = memory(f, "i", array_type(f, 3, type_idx(f->cx, size(f, 4))));
    Node *xs = memory(f, "x", array_type(f, 4, f32(f)));
    ViewStep get = get_at(f, view_of(f, VIEW_GATHER, 0, 2, (Node *[]){idx, xs}), path1(f, 2), NULL);
    assert_int_equal(get.kind, STEP_THROUGH);
    assert_int_equal(get.through, 0);
    assert_int_equal(value(get.index.size), 2);
    assert_int_equal(get.inside.operand, 1);
    Node *ops[2] = {idx, memory(f, "y", array_type(f, 3, f32(f)))};
    NodeSpec spec = {.kind = CORE_SCATTER, .type = xs->type, .nops = 2, .ops = ops};
    Node *acc = acceptor_put(f, node_make(f->cx, &spec), 1, destination(f, xs->type));
    ViewStep put = put_at(f, acc, path1(f, 1), NULL);
    assert_int_equal(put.kind, STEP_THROUGH);
    assert_int_equal(put.inside.operand, 1);
}

static void slide_repeat_and_short_paths(void **state)
{
    Fixture *f = *state;
    Node *xs = memory(f, "x", array_type(f, 7, f32(f)));
    Node *slide = view_of(f, VIEW_SLIDE, 0, 3, (Node *[]){size(f, 3), size(f, 2), xs});
    assert_int_equal(get_at(f, slide, path1(f, 1), NULL).kind, STEP_SHORT);
    ViewStep get = get_at(f, slide, path2(f, 1, 2), NULL);
    assert_same_path(get.inside.path, path1(f, 4));
    Node *repeat = view_of(f, VIEW_REPEAT, 0, 2, (Node *[]){size(f, 5), xs});
    get = get_at(f, repeat, path2(f, 3, 2), NULL);
    assert_int_equal(get.inside.operand, 1);
    assert_same_path(get.inside.path, path1(f, 2));
}

// --- pad ----------------------------------------------------------------------------------------

// Where the language reads the border from.
static int64_t border(PadMode mode, int64_t j, int64_t n)
{
    if (mode == PAD_CLAMP) return j < 0 ? 0 : j >= n ? n - 1 : j;
    if (mode == PAD_WRAP) return floor_mod(j, n);
    int64_t m = floor_mod(j, 2 * n);
    return m < n ? m : 2 * n - 1 - m;
}

typedef struct {
    Sym name;
    int64_t value;
} Variable;

static bool variable_value(Node *atom, int64_t *x, void *env)
{
    const Variable *v = env;
    *x = v->value;
    return atom->attr.sym == v->name;
}

static void check_pad(Fixture *f, PadMode mode, Node *n, const Variable *known, int64_t l,
                      int64_t r)
{
    Node *xs = memory(f, "x", type_array(f->cx, n, f32(f)));
    Node *pad = view_of(f, VIEW_PAD, mode, 3, (Node *[]){size(f, l), size(f, r), xs});
    for (int64_t i = 0; i < l + known->value + r; i++) {
        int64_t at = -1;
        ViewStep get = get_at(f, pad, path1(f, i), NULL);
        assert_int_equal(get.kind, STEP_PLACE);
        Variable copy = *known;
        assert_true(nat_eval(get.inside.path->step.index, variable_value, &copy, &at));
        assert_int_equal(at, border(mode, i - l, known->value));
    }
}

static void pad_reads_the_border_by_mode(void **state)
{
    Fixture *f = *state;
    Sym name = session_sym(f->cx, "n");
    for (PadMode mode = PAD_CLAMP; mode <= PAD_WRAP; mode++)
        for (int64_t n = 1; n <= 3; n++)
            for (int64_t l = 0; l <= 7; l++)
                for (int64_t r = 0; r <= 7; r += 1 + l % 2) {
                    Variable known = {name, n};
                    check_pad(f, mode, size(f, n), &known, l, r);
                    check_pad(f, mode, nat_var(f->cx, name), &known, l, r);
                }
}

static void has_division(Node *e, bool *found)
{
    if (e->kind == NAT_DIV || e->kind == NAT_MOD) *found = true;
    for (uint32_t i = 0; i < e->nops; i++) has_division(e->op[i], found);
}

static void mirror_divides_only_when_it_must(void **state)
{
    Fixture *f = *state;
    Sym name = session_sym(f->cx, "n"), i = session_sym(f->cx, "i");
    Node *n = nat_var(f->cx, name), *xs = memory(f, "x", type_array(f->cx, n, f32(f)));
    Node *pad = view_of(f, VIEW_PAD, PAD_MIRROR, 3, (Node *[]){size(f, 2), size(f, 2), xs});
    Path *path = path_index(f->cx->arena, nat_var(f->cx, i), NULL);
    bool divides = false;
    has_division(get_at(f, pad, path, NULL).inside.path->step.index, &divides);
    assert_true(divides);
    Facts *facts = facts_new(f->cx, f->cx->arena, NULL);
    facts_range(facts, name, size(f, 2), NULL);
    f->v.facts = facts;
    divides = false;
    has_division(get_at(f, pad, path, NULL).inside.path->step.index, &divides);
    assert_false(divides);
}

static void pad_const_has_a_window(void **state)
{
    Fixture *f = *state;
    Node *xs = memory(f, "x", array_type(f, 2, f32(f))), *v = memory(f, "v", f32(f));
    Node *ops[4] = {size(f, 1), size(f, 3), v, xs};
    Node *pad = view_of(f, VIEW_PAD, PAD_CONST, 4, ops);
    for (int64_t i = 0; i < 6; i++) {
        ViewStep get = get_at(f, pad, path1(f, i), NULL);
        ViewPlace at = settled(&get);
        assert_int_equal(at.operand, i >= 1 && i < 3 ? 3 : 2);
        if (at.operand == 3) assert_int_equal(value(at.path->step.index), i - 1);
    }
}

// --- dense views --------------------------------------------------------------------------------

// The position in dense, row-major memory of the element at this path.
static int64_t position(Node *type, Path *path)
{
    int64_t at = 0;
    for (; path; path = path->rest) {
        if (!path->step.is_component) at = at * value(type->op[0]) + value(path->step.index);
        type = type->op[path->step.is_component ? path->step.component : 1];
    }
    return at;
}

// In one step along each dimension, from the first element, the memory and the view advance alike.
static void assert_dense(Fixture *f, Node *view, int component)
{
    Node *whole = component < 0 ? view->type : view->type->op[component];
    int64_t first = -1, at = 0, n = value(whole->op[0]);
    bool matrix = whole->op[1]->kind == TYPE_ARRAY;
    int64_t m = matrix ? value(whole->op[1]->op[0]) : 1;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < m; j++) {
            Path *path = matrix ? path2(f, i, j) : path1(f, i);
            if (component >= 0) path = path_component(f->cx->arena, component, path);
            ViewStep get = get_at(f, view, path, NULL);
            assert_int_equal(get.kind, STEP_PLACE);
            Node *xs = view->op[get.inside.operand];
            int64_t to = position(xs->type, get.inside.path);
            if (first < 0) first = to;
            assert_int_equal(to - first, at++);
        }
}

static void parts_of_dense_arrays_are_dense(void **state)
{
    Fixture *f = *state;
    for (int64_t n = 1; n <= 4; n++)
        for (int64_t m = 1; m <= 4; m++) {
            Node *xs = memory(f, "x", array_type(f, n * m, f32(f)));
            Node *a = memory(f, "a", array_type(f, n, array_type(f, m, f32(f))));
            Node *ps =
                memory(f, "p", array_type(f, n, type_tuple(f->cx, 2, (Node *[]){f32(f), f32(f)})));
            Node *split = view_of(f, VIEW_SPLIT, 0, 2, (Node *[]){size(f, m), xs});
            Node *join = view_of(f, VIEW_JOIN, 0, 1, &a);
            Node *slice = view_of(f, VIEW_SLICE, 0, 3, (Node *[]){size(f, n - 1), size(f, 1), a});
            Node *unzip = view_of(f, VIEW_UNZIP, 0, 1, &ps);
            assert_dense(f, split, -1);
            assert_dense(f, join, -1);
            assert_dense(f, slice, -1);
            assert_dense(f, unzip, 1);
            assert_ptr_equal(view_dense_array(split), xs);
            assert_ptr_equal(view_dense_array(join), a);
            assert_ptr_equal(view_dense_array(slice), a);
            assert_ptr_equal(view_dense_array(unzip), ps);
            assert_null(view_dense_array(view_of(f, VIEW_TRANSPOSE, 0, 1, &a)));
            assert_null(view_dense_array(view_of(f, VIEW_REVERSE, 0, 1, &xs)));
            assert_null(
                view_dense_array(view_of(f, VIEW_STRIDE, 0, 2, (Node *[]){size(f, m), xs})));
        }
}

static void a_window_is_dense_but_windows_are_not(void **state)
{
    Fixture *f = *state;
    Node *xs = memory(f, "x", array_type(f, 7, f32(f)));
    Node *slide = view_of(f, VIEW_SLIDE, 0, 3, (Node *[]){size(f, 3), size(f, 2), xs});
    Node *ops[2] = {slide, number(f, type_idx(f->cx, size(f, 3)), size(f, 1))};
    NodeSpec window = {.kind = CORE_INDEX, .type = slide->type->op[1], .nops = 2, .ops = ops};
    assert_null(view_dense_array(slide));
    assert_ptr_equal(view_dense_array(node_make(f->cx, &window)), xs);
}

static void a_scatter_has_a_row_but_is_no_view(void **state)
{
    (void)state;
    assert_null(view_row(CORE_MAP));
    assert_non_null(view_row(CORE_SCATTER));
    assert_false(kind_is_view(CORE_SCATTER));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_scatter_has_a_row_but_is_no_view),
        cmocka_unit_test_setup_teardown(zip_and_unzip, setup, teardown),
        cmocka_unit_test_setup_teardown(split_and_join, setup, teardown),
        cmocka_unit_test_setup_teardown(transpose_and_reverse, setup, teardown),
        cmocka_unit_test_setup_teardown(rotate, setup, teardown),
        cmocka_unit_test_setup_teardown(concat_and_slice, setup, teardown),
        cmocka_unit_test_setup_teardown(gather_and_scatter, setup, teardown),
        cmocka_unit_test_setup_teardown(slide_repeat_and_short_paths, setup, teardown),
        cmocka_unit_test_setup_teardown(pad_reads_the_border_by_mode, setup, teardown),
        cmocka_unit_test_setup_teardown(mirror_divides_only_when_it_must, setup, teardown),
        cmocka_unit_test_setup_teardown(pad_const_has_a_window, setup, teardown),
        cmocka_unit_test_setup_teardown(parts_of_dense_arrays_are_dense, setup, teardown),
        cmocka_unit_test_setup_teardown(a_window_is_dense_but_windows_are_not, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
