// Nodes: hash-consing, rebuilding, de Bruijn variables, named variables, uses; and the tables
// themselves.
#include "ir/walk.h"

#include <cmocka.h>
#include <stdlib.h>

static Session *cx;

// Stands for nat/, which is above: sizes are rebuilt as they are.
static Node *rebuild_size(Session *session, Node *e, Node *const *ops)
{
    return node_make(
        session,
        &(NodeSpec){.kind = (Kind)e->kind, .attr = e->attr, .nops = (int)e->nops, .ops = ops});
}

static int setup(void **state)
{
    (void)state;
    cx = session_new();
    node_set_nat_rebuild(cx, rebuild_size);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    session_delete(cx);
    return 0;
}

static Node *scalar(Scalar s)
{
    return node_make(cx, &(NodeSpec){.kind = TYPE_SCALAR, .attr.i = s});
}

static Node *var(int64_t i)
{
    return node_make(cx, &(NodeSpec){.kind = CORE_VAR, .attr.i = i, .type = scalar(SCALAR_F32)});
}

static Node *lit(uint64_t bits)
{
    return node_make(cx,
                     &(NodeSpec){.kind = CORE_LIT, .attr.bits = bits, .type = scalar(SCALAR_F32)});
}

static Node *prim(Prim p, Node *a, Node *b)
{
    return node_make(
        cx,
        &(NodeSpec){
            .kind = CORE_PRIM, .attr.i = p, .type = a->type, .nops = 2, .ops = (Node *[]){a, b}});
}

static Node *add(Node *a, Node *b)
{
    return prim(PRIM_ADD, a, b);
}

static Node *let(Node *value, Node *body)
{
    return node_make(
        cx, &(NodeSpec){
                .kind = CORE_LET, .type = body->type, .nops = 2, .ops = (Node *[]){value, body}});
}

static Node *lam(int n, Node *body)
{
    return node_make(
        cx,
        &(NodeSpec){.kind = CORE_LAM, .attr.i = n, .type = body->type, .nops = 1, .ops = &body});
}

static Node *size_var(const char *name)
{
    return node_make(cx, &(NodeSpec){.kind = NAT_VAR, .attr.sym = session_sym(cx, name)});
}

static void equal_nodes_are_one(void **state)
{
    (void)state;
    assert_ptr_equal(add(var(0), lit(1)), add(var(0), lit(1)));
    assert_ptr_not_equal(add(var(0), lit(1)), add(lit(1), var(0)));
    assert_ptr_not_equal(add(var(0), lit(1)), prim(PRIM_SUB, var(0), lit(1)));
    Node *seq = node_with_variant(cx, add(var(0), lit(1)), VARIANT_SEQ);
    assert_ptr_not_equal(seq, add(var(0), lit(1)));
    assert_ptr_equal(node_with_variant(cx, seq, VARIANT_ANY), add(var(0), lit(1)));
    Node *other = node_with_type(cx, lit(1), scalar(SCALAR_I32));
    assert_ptr_not_equal(other, lit(1));
    assert_int_equal(other->type->attr.i, SCALAR_I32);
}

static void hints_and_places_are_no_identity(void **state)
{
    (void)state;
    Sym x = session_sym(cx, "x"), y = session_sym(cx, "y");
    Node *body = var(0);
    NodeSpec s = {.kind = CORE_LAM, .attr.i = 1, .type = body->type, .nops = 1, .ops = &body};
    Node *plain = node_make(cx, &s);
    s.origin = (Span){1, 2, 3};
    s.names = &x;
    assert_ptr_equal(node_make(cx, &s), plain);
    assert_int_equal(plain->origin.lo, 2); // taken, as there was none
    s.origin.lo = 9;
    s.names = &y;
    assert_ptr_equal(node_make(cx, &s), plain);
    assert_int_equal(plain->origin.lo, 2);
}

static void functions_have_nodes_of_their_own(void **state)
{
    (void)state;
    Node *x = var(0), *one = lit(1), *sum = add(x, one), *type = scalar(SCALAR_I32);
    node_begin(cx);
    assert_ptr_equal(var(0), x);
    assert_ptr_equal(lit(1), one);
    assert_ptr_equal(scalar(SCALAR_I32), type);
    Node *other = add(x, one);
    assert_ptr_not_equal(other, sum);
    assert_ptr_equal(add(x, one), other);
    node_begin(cx);
    assert_ptr_not_equal(add(x, one), other);
}

// One that is not known to stand elsewhere is the same.
static void calls_at_two_places_are_two(void **state)
{
    (void)state;
    NodeSpec s = {.kind = CORE_CALL, .attr.sym = session_sym(cx, "f"), .type = lit(1)->type};
    s.origin = (Span){1, 2, 3};
    Node *first = node_make(cx, &s);
    assert_ptr_equal(node_make(cx, &s), first);
    s.origin.lo = 9;
    Node *second = node_make(cx, &s);
    assert_ptr_not_equal(second, first);
    assert_int_equal(second->origin.lo, 9);
    s.origin = (Span){0};
    Node *somewhere = node_make(cx, &s);
    assert_true(somewhere == first || somewhere == second);
    node_begin(cx);
    assert_ptr_not_equal(node_make(cx, &s), somewhere);
}

static void many_nodes_stay_one(void **state)
{
    (void)state;
    enum { N = 5000 };
    Node **all = ARENA_ARRAY(cx->arena, Node *, N);
    for (int i = 0; i < N; i++) all[i] = add(lit((uint64_t)i * 7919), var(i % 13));
    uint32_t count = node_count(cx);
    for (int i = 0; i < N; i++) {
        assert_ptr_equal(add(lit((uint64_t)i * 7919), var(i % 13)), all[i]);
        assert_true(all[i]->id < count);
    }
    assert_int_equal(node_count(cx), count);
}

static void loose_is_one_more_than_the_greatest_index(void **state)
{
    (void)state;
    assert_int_equal(lit(0)->loose, 0);
    assert_int_equal(add(var(2), var(0))->loose, 3);
    assert_int_equal(let(var(0), var(0))->loose, 1);
    assert_int_equal(let(lit(0), var(0))->loose, 0);
    assert_int_equal(lam(3, var(4))->loose, 2);
    assert_int_equal(lam(0, var(4))->loose, 5);
}

static void operands_have_sorts(void **state)
{
    (void)state;
    assert_int_equal(kind_sort(VIEW_SPLIT, 0), SORT_SIZE);
    assert_int_equal(kind_sort(VIEW_SPLIT, 1), SORT_TERM);
    assert_int_equal(kind_sort(CORE_MAP, 0), SORT_FUN);
    assert_int_equal(kind_sort(TYPE_ARRAY, 1), SORT_TYPE);
    assert_int_equal(kind_sort(CORE_GLOBAL, 5), SORT_GENERIC);
    assert_int_equal(kind_sort(ACC_AT, 0), SORT_ACCEPTOR);
    assert_int_equal(kind_sort(CORE_TUPLE, 9), SORT_TERM);
    Node *l = let(lit(0), var(0));
    assert_int_equal(node_binds(l, 0), 0);
    assert_int_equal(node_binds(l, 1), 1);
    assert_int_equal(node_binds(lam(4, var(0)), 0), 4);
}

// Letters of `under` are known, no longer than the operands, and acceptors occur in dpia only.
static void tables_are_sound(void **state)
{
    (void)state;
    for (int k = 1; k < KIND_COUNT; k++) {
        const KindInfo *info = &kind_info[k];
        int len = (int)strlen(info->under);
        assert_int_equal(strspn(info->under, "01nfstga"), len);
        assert_true(info->nops < 0 || len <= info->nops);
        assert_int_not_equal(info->levels, 0);
        assert_true(!strchr(info->under, 'a') || info->levels == LEVEL_DPIA);
        assert_true(!strchr(info->under, 'n') || info->attr == ATTR_INT);
    }
    for (int p = 0; p < PRIM_COUNT; p++) assert_in_range(prim_info[p].arity, 1, PRIM_OPERANDS);
}

static void shifting(void **state)
{
    (void)state;
    assert_ptr_equal(node_shift(cx, add(var(0), var(1)), 2, 0), add(var(2), var(3)));
    assert_ptr_equal(node_shift(cx, add(var(0), var(1)), 2, 1), add(var(0), var(3)));
    Node *body = let(var(0), add(var(0), var(1)));
    assert_ptr_equal(node_shift(cx, body, 5, 0), let(var(5), add(var(0), var(6))));
    assert_ptr_equal(node_shift(cx, lam(2, add(var(1), var(2))), 1, 0),
                     lam(2, add(var(1), var(3))));
    assert_ptr_equal(node_shift(cx, node_shift(cx, body, 5, 0), -5, 0), body);
    Node *closed = lam(1, var(0));
    assert_ptr_equal(node_shift(cx, closed, 7, 0), closed);
}

static void instantiating(void **state)
{
    (void)state;
    Node *a = lit(10), *b = lit(20);
    // Arguments are in binding order: the last has index 0; what is free beyond them moves down.
    assert_ptr_equal(node_instantiate(cx, add(var(0), var(1)), (Node *[]){a, b}, 2), add(b, a));
    assert_ptr_equal(node_instantiate(cx, add(var(0), var(3)), (Node *[]){a, b}, 2),
                     add(b, var(1)));
    // An open argument is shifted under the binders it is put below.
    Node *body = let(lit(0), add(var(0), var(1)));
    assert_ptr_equal(node_instantiate(cx, body, (Node *[]){var(4)}, 1),
                     let(lit(0), add(var(0), var(5))));
    assert_ptr_equal(node_instantiate(cx, lam(2, var(2)), (Node *[]){var(0)}, 1), lam(2, var(2)));
    assert_ptr_equal(node_instantiate(cx, a, (Node *[]){b}, 1), a);
}

static Node *random_term(unsigned *seed, int depth, int scope)
{
    int pick = rand_r(seed) % (depth > 0 ? 5 : 2);
    if (pick == 0) return lit((uint64_t)rand_r(seed) % 4);
    if (pick == 1) return var(rand_r(seed) % (scope + 3));
    Node *first = random_term(seed, depth - 1, scope);
    if (pick == 2) return add(first, random_term(seed, depth - 1, scope));
    if (pick == 3) return let(first, random_term(seed, depth - 1, scope + 1));
    return lam(2, random_term(seed, depth - 1, scope + 2));
}

static void laws_of_substitution(void **state)
{
    (void)state;
    unsigned seed = 5;
    for (int i = 0; i < 2000; i++) {
        Node *e = random_term(&seed, 5, 2), *a = random_term(&seed, 3, 0);
        // Making room for a variable and filling it changes nothing.
        assert_ptr_equal(node_instantiate(cx, node_shift(cx, e, 1, 0), &a, 1), e);
        assert_ptr_equal(node_shift(cx, node_shift(cx, e, 2, 1), 3, 1), node_shift(cx, e, 5, 1));
        // Two arguments at once, or the inner one first.
        Node *b = random_term(&seed, 3, 0);
        Node *both = node_instantiate(cx, e, (Node *[]){a, b}, 2);
        Node *inner = node_instantiate(cx, e, (Node *[]){node_shift(cx, b, 1, 0)}, 1);
        assert_ptr_equal(node_instantiate(cx, inner, &a, 1), both);
        // A variable is used when its argument shows up.
        Node *mark = lit(77);
        Node *marked = node_instantiate(cx, e, (Node *[]){mark, a}, 2);
        assert_int_equal(node_uses(e, 1),
                         marked != node_instantiate(cx, e, (Node *[]){lit(78), a}, 2));
    }
}

static void names_are_replaced_everywhere(void **state)
{
    (void)state;
    Node *n = size_var("n"), *m = size_var("m"),
         *t = node_make(cx, &(NodeSpec){.kind = TYPE_VAR, .attr.sym = session_sym(cx, "t")});
    Node *array =
        node_make(cx, &(NodeSpec){.kind = TYPE_ARRAY, .nops = 2, .ops = (Node *[]){n, t}});
    Node *xs = node_with_type(cx, var(0), array);
    Node *e = node_make(
        cx, &(NodeSpec){.kind = VIEW_SPLIT, .type = array, .nops = 2, .ops = (Node *[]){n, xs}});
    NodeBinding with[] = {{session_sym(cx, "n"), m}, {session_sym(cx, "t"), scalar(SCALAR_I32)}};
    Node *done = node_replace_names(cx, e, with, 2);
    assert_ptr_equal(done->op[0], m);
    assert_ptr_equal(done->type->op[0], m);
    assert_ptr_equal(done->type->op[1], scalar(SCALAR_I32));
    assert_ptr_equal(done->op[1]->type, done->type);
    assert_ptr_equal(node_replace_names(cx, e, with, 0), e);
    // Replaced names are not replaced again.
    NodeBinding swap[] = {{session_sym(cx, "n"), m}, {session_sym(cx, "m"), n}};
    assert_ptr_equal(node_replace_names(cx, m, swap, 2), n);
}

static void uses_are_counted(void **state)
{
    (void)state;
    assert_int_equal(node_count_uses(lit(0), 0), 0);
    assert_int_equal(node_count_uses(add(var(0), var(1)), 1), 1);
    assert_int_equal(node_count_uses(add(var(0), add(var(0), var(0))), 0), 2);
    assert_int_equal(node_count_uses(let(var(0), var(1)), 0), 2);
    assert_int_equal(node_count_uses(let(lit(0), var(0)), 0), 0);
    assert_false(node_uses(lam(2, add(var(0), var(1))), 0));
    assert_true(node_uses(lam(2, var(2)), 0));
}

static Node *keep(Session *session, Node *e, int depth, void *env)
{
    (void)session, (void)depth, (void)env;
    return e;
}

// 200 levels, each using the one below twice: every walk must see a node once, not once per path.
static void sharing_is_kept(void **state)
{
    (void)state;
    Node *e = var(3), *n = size_var("n");
    for (int i = 0; i < 200; i++) e = i % 5 ? add(e, e) : let(e, add(e, e));
    assert_ptr_equal(node_map(cx, e, 0, keep, NULL), e);
    Node *up = node_shift(cx, e, 4, 0);
    assert_ptr_equal(node_shift(cx, up, -4, 0), e);
    assert_false(node_uses(up, 0));
    assert_int_equal(node_count_uses(add(up, var(0)), 0), 1);
    Node *args[] = {lit(1), lit(2), lit(3), lit(4)};
    assert_true(node_instantiate(cx, add(var(3), var(3)), args, 4) == add(lit(1), lit(1)));
    NodeBinding with = {session_sym(cx, "n"), n};
    assert_ptr_equal(node_replace_names(cx, e, &with, 1), e);
}

static void operands_are_exchanged(void **state)
{
    (void)state;
    Node *e = add(var(0), lit(1));
    assert_ptr_equal(node_with_op(cx, e, 1, lit(2)), add(var(0), lit(2)));
    assert_ptr_equal(node_with_op(cx, e, 1, lit(1)), e);
    assert_ptr_equal(node_with_ops(cx, e, (Node *[]){lit(1), var(0)}), add(lit(1), var(0)));
    Node *items[20];
    for (int i = 0; i < 20; i++) items[i] = lit((uint64_t)i);
    Node *wide =
        node_make(cx, &(NodeSpec){.kind = CORE_ARRAY, .type = e->type, .nops = 20, .ops = items});
    items[17] = var(0);
    assert_ptr_equal(node_with_op(cx, wide, 17, var(0)), node_with_ops(cx, wide, items));
}

static void lists_of_names_are_one(void **state)
{
    (void)state;
    Sym x = session_sym(cx, "x"), y = session_sym(cx, "y");
    const Sym *pair = node_names(cx, (Sym[]){x, y}, 2);
    assert_ptr_equal(pair[0], x);
    assert_ptr_equal(pair[1], y);
    assert_ptr_equal(node_names(cx, (Sym[]){x, y}, 2), pair);
    assert_ptr_not_equal(node_names(cx, (Sym[]){y, x}, 2), pair);
    assert_ptr_not_equal(node_names(cx, &x, 1), pair);
    assert_ptr_equal(node_names(cx, &x, 1), node_names(cx, &x, 1));
}

// Terms that nothing leads to give their memory to new ones; older ones, sizes and types stay what they are.
static void garbage_is_collected(void **state)
{
    (void)state;
    Node *old = prim(PRIM_ADD, lit(1), lit(2)), *type = scalar(SCALAR_F32);
    uint32_t from = node_count(cx);
    Node *kept = prim(PRIM_MUL, lit(3), old), *lost = prim(PRIM_MUL, lit(4), old);
    scalar(SCALAR_F64);
    assert_int_equal(node_collect(cx, from, (Node *[]){kept, NULL}, 2), 2); // kept, 3
    assert_ptr_equal(prim(PRIM_MUL, lit(3), old), kept);
    assert_ptr_equal(prim(PRIM_ADD, lit(1), lit(2)), old);
    assert_ptr_equal(scalar(SCALAR_F32), type);
    size_t bytes = arena_bytes(cx->arena);
    Node *made = prim(PRIM_MUL, lit(5), old);
    assert_int_equal(arena_bytes(cx->arena), bytes);
    assert_ptr_equal(made, lost); // its memory
    assert_int_equal(made->op[0]->attr.bits, 5);
    assert_true(made->id > kept->id);
    for (uint64_t i = 10; i < 5000; i++) prim(PRIM_ADD, kept, lit(i));
    assert_int_equal(node_collect(cx, from, &kept, 1), 2);
    assert_ptr_equal(prim(PRIM_MUL, lit(3), old), kept);
}

static void scalars_have_values(void **state)
{
    (void)state;
    assert_true(scalar_wrap(SCALAR_I8, 255) == (uint64_t)-1);
    assert_true(scalar_wrap(SCALAR_U8, 511) == 255);
    assert_true(scalar_wrap(SCALAR_I64, UINT64_MAX) == UINT64_MAX);
    assert_true(scalar_wrap(SCALAR_BOOL, 4) == 1);
    assert_true(scalar_wrap(SCALAR_U32, UINT64_MAX) == UINT32_MAX);
    assert_true(scalar_round(SCALAR_F32, 0.1) == (double)0.1f);
    assert_true(scalar_round(SCALAR_F64, 0.1) == 0.1);
    static const struct {
        double from, to;
    } halves[] = {{65504, 65504}, {65519.9, 65504},     {65520, 1e300 * 1e300}, {0x1p-24, 0x1p-24},
                  {0x1p-25, 0},   {0x1.8p-25, 0x1p-24}, {2049, 2048},           {2051, 2052},
                  {-2051, -2052}, {0.1, 0x1.998p-4}};
    for (size_t i = 0; i < sizeof halves / sizeof *halves; i++)
        assert_true(scalar_round(SCALAR_F16, halves[i].from) == halves[i].to);
}

// --- walks --------------------------------------------------------------------------------------

// A sum of two equal products of variables 0 and 1.
static Node *two_products(void)
{
    Node *pair[2] = {var(0), var(1)};
    Node *product = node_make(cx, &(NodeSpec){.kind = CORE_PRIM,
                                              .attr.i = PRIM_MUL,
                                              .type = scalar(SCALAR_F32),
                                              .nops = 2,
                                              .ops = pair});
    return node_make(cx, &(NodeSpec){.kind = CORE_PRIM,
                                     .attr.i = PRIM_ADD,
                                     .type = scalar(SCALAR_F32),
                                     .nops = 2,
                                     .ops = (Node *[]){product, product}});
}

typedef struct {
    int visits;
    Prim over;  // operands of this operator are skipped
    Node *stop; // the walk ends here
} Visits;

static Walk count_visits(Node *n, void *env)
{
    Visits *v = env;
    v->visits++;
    if (n == v->stop) return WALK_STOP;
    return n->kind == CORE_PRIM && (Prim)n->attr.i == v->over ? WALK_OVER : WALK_INTO;
}

static void walks_visit_operands_in_order(void **state)
{
    (void)state;
    Visits all = {.over = PRIM_SUB}, over = {.over = PRIM_MUL}, one = {.stop = var(1)};
    assert_false(node_walk(two_products(), count_visits, &all));
    assert_int_equal(all.visits, 7);
    assert_false(node_walk(two_products(), count_visits, &over));
    assert_int_equal(over.visits, 3);
    one.over = PRIM_SUB;
    assert_true(node_walk(two_products(), count_visits, &one));
    assert_int_equal(one.visits, 4);
}

static void walks_visit_distinct_nodes_once(void **state)
{
    (void)state;
    Visits v = {.over = PRIM_SUB};
    Map seen = map_new(cx->arena);
    assert_false(node_walk_once(&seen, two_products(), count_visits, &v));
    assert_int_equal(v.visits, 4);
    assert_false(node_walk_once(&seen, two_products(), count_visits, &v));
    assert_int_equal(v.visits, 4);
}

static bool is_the_node(Node *n, void *env)
{
    return n == *(Node **)env;
}

static void any_finds_nodes_below(void **state)
{
    (void)state;
    Node *below = var(1), *elsewhere = var(2);
    assert_true(node_any(two_products(), is_the_node, &below));
    assert_false(node_any(two_products(), is_the_node, &elsewhere));
}

static Node *next_variable(Session *session, Node *n, void *env)
{
    (void)session;
    ++*(int *)env;
    return n->kind == CORE_VAR ? var(n->attr.i + 1) : n;
}

static void rewrites_go_bottom_up_once(void **state)
{
    (void)state;
    int rewritten = 0;
    Node *e = node_rewrite(cx, two_products(), next_variable, &rewritten);
    assert_int_equal(rewritten, 4);
    assert_ptr_equal(e->op[0], e->op[1]);
    assert_int_equal(e->op[0]->op[0]->attr.i, 1);
    assert_int_equal(e->op[0]->op[1]->attr.i, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(equal_nodes_are_one, setup, teardown),
        cmocka_unit_test_setup_teardown(hints_and_places_are_no_identity, setup, teardown),
        cmocka_unit_test_setup_teardown(functions_have_nodes_of_their_own, setup, teardown),
        cmocka_unit_test_setup_teardown(calls_at_two_places_are_two, setup, teardown),
        cmocka_unit_test_setup_teardown(many_nodes_stay_one, setup, teardown),
        cmocka_unit_test_setup_teardown(loose_is_one_more_than_the_greatest_index, setup, teardown),
        cmocka_unit_test_setup_teardown(operands_have_sorts, setup, teardown),
        cmocka_unit_test_setup_teardown(tables_are_sound, setup, teardown),
        cmocka_unit_test_setup_teardown(shifting, setup, teardown),
        cmocka_unit_test_setup_teardown(instantiating, setup, teardown),
        cmocka_unit_test_setup_teardown(laws_of_substitution, setup, teardown),
        cmocka_unit_test_setup_teardown(names_are_replaced_everywhere, setup, teardown),
        cmocka_unit_test_setup_teardown(uses_are_counted, setup, teardown),
        cmocka_unit_test_setup_teardown(sharing_is_kept, setup, teardown),
        cmocka_unit_test_setup_teardown(operands_are_exchanged, setup, teardown),
        cmocka_unit_test_setup_teardown(lists_of_names_are_one, setup, teardown),
        cmocka_unit_test_setup_teardown(garbage_is_collected, setup, teardown),
        cmocka_unit_test_setup_teardown(scalars_have_values, setup, teardown),
        cmocka_unit_test_setup_teardown(walks_visit_operands_in_order, setup, teardown),
        cmocka_unit_test_setup_teardown(walks_visit_distinct_nodes_once, setup, teardown),
        cmocka_unit_test_setup_teardown(any_finds_nodes_below, setup, teardown),
        cmocka_unit_test_setup_teardown(rewrites_go_bottom_up_once, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
