// Properties of the table of views: what is written through the put of a view, or of a chain of them,
// is read back by their gets at the same place; rows are complete; and the equations of Lin's thesis
// that are misprinted, as they should be.
#include "views/fixture.h"

enum { MAX_STEPS = 5, CHAINS = 600, MAX_ELEMENTS = 150 };

/// One view of a chain, over the variable x; or, with `inner`, that view of each element.
typedef struct Step Step;
struct Step {
    Node *view;
    int operand; // the one that the chain goes through
    const Step *inner;
    Node *in, *out; // types
};

// --- making chains ------------------------------------------------------------------------------

static int pick(Fixture *f, int n)
{
    f->random = f->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int)((f->random >> 33) % (uint64_t)n);
}

static int64_t value(Node *e)
{
    int64_t x = 0;
    assert_true(nat_is_const(e, &x));
    return x;
}

static Node *variable(Fixture *f, Node *type)
{
    return node_make(
        f->cx, &(NodeSpec){.kind = PH_VAR, .attr.sym = session_sym(f->cx, "x"), .type = type});
}

static int64_t count(Node *type)
{
    if (type->kind == TYPE_ARRAY) return value(type->op[0]) * count(type->op[1]);
    if (type_is_atom(type)) return 1;
    int64_t n = 0;
    for (uint32_t i = 0; i < type->nops; i++) n += count(type->op[i]);
    return n;
}

static Node *pattern(Fixture *f, Kind kind, int n, Node *a, Node *b, Node *c)
{
    return view_of(f, kind, 0, n, (Node *[]){a, b, c});
}

// Beside another array, at either end.
static void beside(Fixture *f, Step *s, Kind kind)
{
    Node *x = variable(f, s->in), *element = s->in->op[1];
    int64_t n = kind == VIEW_ZIP ? value(s->in->op[0]) : pick(f, 4);
    Node *other = variable(f, array_type(f, n, element));
    s->operand = pick(f, 2);
    s->view =
        s->operand ? pattern(f, kind, 2, other, x, NULL) : pattern(f, kind, 2, x, other, NULL);
}

static void cut_by_a_divisor(Fixture *f, Step *s, Kind kind, Node *x)
{
    int64_t n = value(s->in->op[0]), m = n ? 1 + pick(f, (int)n) : 1 + pick(f, 3);
    while (n % m) m--;
    s->operand = 1;
    s->view = pattern(f, kind, 2, size(f, m), x, NULL);
}

static Step *step_over(Fixture *f, Node *in);

// A view that applies to this type; false when the one drawn does not.
static bool draw(Fixture *f, Step *s)
{
    Node *x = variable(f, s->in);
    if (s->in->kind != TYPE_ARRAY) {
        if (type_is_atom(s->in)) return false;
        int64_t k = pick(f, (int)s->in->nops);
        s->view = node_make(
            f->cx, &(NodeSpec){
                       .kind = CORE_PROJ, .attr.i = k, .type = s->in->op[k], .nops = 1, .ops = &x});
        return true;
    }
    int64_t n = value(s->in->op[0]);
    Node *e = s->in->op[1];
    switch (pick(f, 11)) {
    case 0: s->view = pattern(f, VIEW_REVERSE, 1, x, NULL, NULL); return true;
    case 1:
        s->operand = 1;
        s->view =
            pattern(f, VIEW_ROTATE, 2,
                    number(f, type_scalar(f->cx, SCALAR_I64), size(f, pick(f, 15) - 7)), x, NULL);
        return true;
    case 2: {
        int64_t offset = pick(f, (int)n + 1), length = pick(f, (int)(n - offset) + 1);
        s->operand = 2;
        s->view = pattern(f, VIEW_SLICE, 3, size(f, offset), size(f, length), x);
        return true;
    }
    case 3: cut_by_a_divisor(f, s, pick(f, 3) ? VIEW_SPLIT : VIEW_STRIDE, x); return true;
    case 4: beside(f, s, VIEW_CONCAT); return true;
    case 5: beside(f, s, VIEW_ZIP); return true;
    case 6:
        if (e->kind != TYPE_ARRAY) return false;
        s->view = pattern(f, pick(f, 2) ? VIEW_JOIN : VIEW_TRANSPOSE, 1, x, NULL, NULL);
        return true;
    case 7:
        if (e->kind != TYPE_TUPLE) return false;
        s->view = pattern(f, VIEW_UNZIP, 1, x, NULL, NULL);
        return true;
    case 8: {
        if (n == 0) return false;
        Node *index = number(f, type_idx(f->cx, s->in->op[0]), size(f, pick(f, (int)n)));
        s->view = node_make(
            f->cx,
            &(NodeSpec){.kind = CORE_INDEX, .type = e, .nops = 2, .ops = (Node *[]){x, index}});
        return true;
    }
    default: // of each element
        if (type_is_atom(e)) return false;
        s->inner = step_over(f, e);
        s->out = type_array(f->cx, s->in->op[0], s->inner->out);
        return true;
    }
}

static Step *step_over(Fixture *f, Node *in)
{
    Step *s = ARENA_NEW(f->cx->arena, Step);
    do *s = (Step){.in = in};
    while (!draw(f, s));
    if (!s->inner) s->out = s->view->type;
    return s;
}

// --- get and put of a step ----------------------------------------------------------------------

static Node *acceptor(Fixture *f, Kind kind, int64_t attr, Node *type, int n, Node *const *ops)
{
    return node_make(
        f->cx, &(NodeSpec){.kind = kind, .attr.i = attr, .type = type, .nops = n, .ops = ops});
}

static Node *acceptor_of(Fixture *f, const Step *s, Node *d);

static Node *acceptor_of_elements(Fixture *f, const Step *s, Node *d)
{
    Sym i = sym_fresh(f->cx->syms, "i");
    Node *index = number(f, type_idx(f->cx, d->type->op[0]), nat_var(f->cx, i));
    Node *at = acceptor(f, ACC_AT, 0, d->type->op[1], 2, (Node *[]){d, index});
    Node *ops[2] = {d->type->op[0], acceptor_of(f, s->inner, at)};
    return acceptor(f, ACC_MAP, (Attr){.sym = i}.i, s->in, 2, ops);
}

// One component goes to d, the others nowhere.
static Node *acceptor_of_component(Fixture *f, const Step *s, Node *d)
{
    Node **ops = ARENA_ARRAY(f->cx->arena, Node *, s->in->nops + 1);
    for (int k = 0; k < (int)s->in->nops; k++)
        ops[k] = k == (int)s->view->attr.i ? d : acceptor(f, ACC_NONE, 0, s->in->op[k], 0, NULL);
    return acceptor(f, ACC_TUPLE, 0, s->in, (int)s->in->nops, ops);
}

// Where the argument of a step goes whose result goes to d.
static Node *acceptor_of(Fixture *f, const Step *s, Node *d)
{
    if (s->inner) return acceptor_of_elements(f, s, d);
    Node *const *op = s->view->op;
    switch ((Kind)s->view->kind) {
    case CORE_PROJ: return acceptor_of_component(f, s, d);
    case CORE_INDEX: return acceptor(f, ACC_ELEMENT, 0, s->in, 2, (Node *[]){op[1], d});
    default: return acceptor_put(f, s->view, s->operand, d);
    }
}

// What a step looks at besides the path: offsets and indices.
static Node *shift_of(Node *e)
{
    int k = view_number(e);
    Node *shift = kind_is_view((Kind)e->kind) ? (k < 0 ? NULL : e->op[k]) : acceptor_number(e);
    return shift ? shift->op[0] : NULL;
}

static ViewPlace settled(const ViewStep *s)
{
    if (s->kind == STEP_PLACE) return s->inside;
    assert_int_equal(s->kind, STEP_WINDOW);
    bool inside = (!s->has_lo || value(s->lo.size) <= value(s->index.size)) &&
                  (!s->has_hi || value(s->index.size) < value(s->hi.size));
    return inside ? s->inside : s->outside;
}

// The path in the memory behind the acceptor; false: nowhere.
static bool put_path(Fixture *f, Node *acc, Path **path)
{
    while (acc->kind != ACC_VAR) {
        ViewStep step = put_at(f, acc, *path, shift_of(acc));
        ViewPlace to = settled(&step);
        if (to.operand < 0) return false;
        acc = acc->op[to.operand];
        if (step.bound)
            acc = node_replace_names(f->cx, acc, &(NodeBinding){step.bound, step.index.size}, 1);
        *path = to.path;
    }
    return true;
}

// The path in the argument of the step; false: in another argument.
static bool get_path(Fixture *f, const Step *s, Path **path)
{
    Arena *a = f->cx->arena;
    if (s->inner) {
        Path *rest = (*path)->rest;
        if (!get_path(f, s->inner, &rest)) return false;
        *path = path_index(a, (*path)->step.index, rest);
        return true;
    }
    if (s->view->kind == CORE_PROJ) {
        *path = path_component(a, (int)s->view->attr.i, *path);
        return true;
    }
    if (s->view->kind == CORE_INDEX) {
        *path = path_index(a, s->view->op[1]->op[0], *path);
        return true;
    }
    ViewStep step = get_at(f, s->view, *path, shift_of(s->view));
    ViewPlace from = settled(&step);
    *path = from.path;
    return from.operand == s->operand;
}

static bool same_path(Path *a, Path *b)
{
    for (; a && b; a = a->rest, b = b->rest) {
        if (a->step.is_component != b->step.is_component) return false;
        if (a->step.is_component ? a->step.component != b->step.component
                                 : value(a->step.index) != value(b->step.index))
            return false;
    }
    return !a && !b;
}

// --- chains -------------------------------------------------------------------------------------

typedef struct {
    int n;
    Step *step[MAX_STEPS];
    Node *acceptor; // of the argument of the first
    int written;
} Chain;

static void check_scalar(Fixture *f, Chain *c, Path *path)
{
    Path *at = path;
    if (!put_path(f, c->acceptor, &at)) return;
    c->written++;
    for (int k = c->n - 1; k >= 0; k--)
        if (!get_path(f, c->step[k], &at)) fail_msg("step %d reads another argument", k);
    if (!same_path(at, path)) fail_msg("another scalar is read back than was written");
}

// All scalars of the type, at the end of this path.
static void check_scalars(Fixture *f, Chain *c, Node *type, Path *path)
{
    Arena *a = f->cx->arena;
    if (type_is_atom(type)) {
        check_scalar(f, c, path);
    } else if (type->kind == TYPE_ARRAY) {
        for (int64_t i = 0; i < value(type->op[0]); i++)
            check_scalars(f, c, type->op[1], path_append(a, path, path_index(a, size(f, i), NULL)));
    } else {
        for (int k = 0; k < (int)type->nops; k++)
            check_scalars(f, c, type->op[k], path_append(a, path, path_component(a, k, NULL)));
    }
}

static Node *draw_type(Fixture *f, int depth)
{
    Node *scalar = f32(f);
    int kind = depth == 0 ? 2 : pick(f, depth == 3 ? 1 : 3);
    if (kind == 0) return array_type(f, pick(f, 5), draw_type(f, depth - 1));
    if (kind == 1)
        return type_tuple(f->cx, 2, (Node *[]){draw_type(f, depth - 1), draw_type(f, depth - 1)});
    return scalar;
}

// What is not lost on the way: all that the destination gets comes from the argument or another one.
static void check_chain(Fixture *f, Chain *c, Node *in)
{
    Node *out = c->step[c->n - 1]->out;
    Node *acc = node_make(
        f->cx, &(NodeSpec){.kind = ACC_VAR, .attr.sym = session_sym(f->cx, "d"), .type = out});
    for (int k = c->n - 1; k >= 0; k--) acc = acceptor_of(f, c->step[k], acc);
    c->acceptor = acc;
    assert_ptr_equal(acc->type, in);
    check_scalars(f, c, in, NULL);
    bool others = false;
    for (int k = 0; k < c->n; k++)
        for (const Step *s = c->step[k]; s; s = s->inner)
            others |= s->view && (s->view->kind == VIEW_ZIP || s->view->kind == VIEW_CONCAT);
    if (!others) assert_int_equal(c->written, count(out));
}

static void what_is_put_is_got_back(void **state)
{
    Fixture *f = *state;
    int checked = 0;
    for (int i = 0; i < CHAINS; i++) {
        Chain c = {0};
        Node *in = draw_type(f, 3), *type = in;
        for (int n = 1 + pick(f, MAX_STEPS); c.n < n && !type_is_atom(type); c.n++) {
            c.step[c.n] = step_over(f, type);
            type = c.step[c.n]->out;
        }
        if (count(type) > MAX_ELEMENTS || count(in) > MAX_ELEMENTS) continue;
        check_chain(f, &c, in);
        checked += c.written;
    }
    assert_in_range(checked, 1000, 1000000);
}

// --- rows ---------------------------------------------------------------------------------------

static const Kind views[] = {
#define VIEW(kind, ...) kind,
#include "ir/view.def"
#undef VIEW
};
enum { NVIEWS = sizeof views / sizeof *views };

static void are_steps(const char *steps)
{
    for (; *steps; steps++) assert_true(*steps == 'i' || *steps == 'c');
}

static void rows_are_complete(void **state)
{
    (void)state;
    for (int i = 0; i < NVIEWS; i++) {
        const ViewRow *row = view_row(views[i]);
        assert_non_null(row->get);
        assert_non_null(row->put);
        assert_non_null(row->type);
        assert_true(!row->roles || strspn(row->roles, "xkvif") == strlen(row->roles));
        are_steps(row->get_steps);
        are_steps(row->put_steps);
        // what is written is where put says, or is written by commands of its own
        bool own = row->writes == WRITES_COPIES || row->writes == WRITES_PERMUTED;
        if (!own) assert_int_equal(*row->put_steps != 0, row->writes != WRITES_NOTHING);
    }
}

static void short_paths_have_no_answer(void **state)
{
    Fixture *f = *state;
    for (int i = 0; i < NVIEWS; i++) {
        const ViewRow *row = view_row(views[i]);
        Node view = {.kind = views[i]};
        if (*row->get_steps) assert_int_equal(get_at(f, &view, NULL, NULL).kind, STEP_SHORT);
    }
}

// --- misprints ----------------------------------------------------------------------------------

static void leads_to(Path *path, int64_t i, int64_t j)
{
    assert_int_equal(value(path->step.index), i);
    if (j < 0)
        assert_null(path->rest);
    else
        assert_int_equal(value(path->rest->step.index), j);
}

static Path *path2(Fixture *f, int64_t i, int64_t j)
{
    Arena *a = f->cx->arena;
    return path_index(a, size(f, i), j < 0 ? NULL : path_index(a, size(f, j), NULL));
}

// 5.19 has the other length: element [i][j] of split[m] is m*i + j.
static void lin_5_19_split_reads_by_the_length_of_a_row(void **state)
{
    Fixture *f = *state;
    Node *x = variable(f, array_type(f, 6, f32(f)));
    Node *split = pattern(f, VIEW_SPLIT, 2, size(f, 3), x, NULL); // [2][3]
    leads_to(get_at(f, split, path2(f, 1, 2), NULL).inside.path, 5, -1);
    leads_to(get_at(f, split, path2(f, 1, 0), NULL).inside.path, 3, -1);
}

// The example of 5.3 divides by the number of rows; 5.37 is right: k goes to [k/m][k%m].
static void lin_5_3_split_writes_by_the_length_of_a_row(void **state)
{
    Fixture *f = *state;
    Node *scalar = f32(f);
    Node *d = node_make(f->cx, &(NodeSpec){.kind = ACC_VAR,
                                           .attr.sym = session_sym(f->cx, "d"),
                                           .type = array_type(f, 2, array_type(f, 3, scalar))});
    Node *x = variable(f, array_type(f, 6, scalar));
    Node *split = pattern(f, VIEW_SPLIT, 2, size(f, 3), x, NULL);
    Node *acc = acceptor_put(f, split, 1, d);
    leads_to(put_at(f, acc, path2(f, 4, -1), NULL).inside.path, 1, 1);
    leads_to(put_at(f, acc, path2(f, 2, -1), NULL).inside.path, 0, 2);
}

// 5.42 has its lengths exchanged: the argument of a transpose into [n][m] is [m][n].
static void lin_5_42_transpose_of_a_rectangle(void **state)
{
    Fixture *f = *state;
    Step s = {.in = array_type(f, 3, array_type(f, 2, f32(f)))};
    s.view = pattern(f, VIEW_TRANSPOSE, 1, variable(f, s.in), NULL, NULL);
    s.out = s.view->type;
    assert_int_equal(value(s.out->op[0]), 2);
    assert_int_equal(value(s.out->op[1]->op[0]), 3);
    Chain c = {.n = 1, .step = {&s}};
    check_chain(f, &c, s.in);
    assert_int_equal(c.written, 6);
    leads_to(put_at(f, c.acceptor, path2(f, 2, 1), NULL).inside.path, 1, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_is_put_is_got_back, setup, teardown),
        cmocka_unit_test_setup_teardown(rows_are_complete, setup, teardown),
        cmocka_unit_test_setup_teardown(short_paths_have_no_answer, setup, teardown),
        cmocka_unit_test_setup_teardown(lin_5_19_split_reads_by_the_length_of_a_row, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(lin_5_3_split_writes_by_the_length_of_a_row, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(lin_5_42_transpose_of_a_rectangle, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
