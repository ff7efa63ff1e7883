// Types: makers, questions, printing.
#include "types/types.h"

#include <cmocka.h>

static Session *cx;

static int setup(void **state)
{
    (void)state;
    cx = session_new();
    nat_init(cx);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    session_delete(cx);
    return 0;
}

static Node *f32(void)
{
    return type_scalar(cx, SCALAR_F32);
}

static Node *i32(void)
{
    return type_scalar(cx, SCALAR_I32);
}

static Node *n(void)
{
    return nat_var(cx, session_sym(cx, "n"));
}

// x: f32 at 0, tags: [3]u8 at 4, d: f64 at 8, h: bool at 16; 24 bytes, and with one behind it a
// multiple of 8.
static void structs_of_c(void **state)
{
    (void)state;
    Sym name = session_sym(cx, "M"), outer = session_sym(cx, "N"), plain = session_sym(cx, "Q");
    Sym names[] = {session_sym(cx, "x"), session_sym(cx, "tags"), session_sym(cx, "double"),
                   session_sym(cx, "double_")};
    Node *u8 = type_scalar(cx, SCALAR_U8), *f64 = type_scalar(cx, SCALAR_F64);
    Node *fields[] = {f32(), type_array(cx, nat_const(cx, 3), u8), f64,
                      type_scalar(cx, SCALAR_BOOL)};
    Node *m = type_struct(cx, name, 4, fields, names);
    int64_t size = 0, at[] = {0, 4, 8, 16};
    assert_false(type_is_c_struct(cx, m)); // it does not say so
    map_put(&cx->c_layouts, MAP_KEY(name), cx);
    map_put(&cx->c_layouts, MAP_KEY(outer), cx);
    assert_true(type_is_c_struct(cx, m));
    assert_true(type_c_size(cx, m, &size));
    assert_int_equal(size, 24);
    for (int i = 0; i < 4; i++) assert_int_equal(type_c_offset(cx, m, i), at[i]);
    assert_string_equal(type_c_member(cx, m, 0), "x");
    assert_string_equal(type_c_member(cx, m, 2), "double__"); // double_ is there already
    Node *inner[] = {u8, type_array(cx, nat_const(cx, 2), m), u8};
    Node *all = type_struct(cx, outer, 3, inner, names);
    assert_true(type_c_size(cx, all, &size));
    assert_int_equal(size, 64);
    assert_int_equal(type_c_offset(cx, all, 2), 56);
    map_put(&cx->c_layouts, MAP_KEY(plain), cx);
    Node *full = type_struct(cx, plain, 2, (Node *[]){f64, f64}, names);
    Node *some =
        type_struct(cx, plain, 2, (Node *[]){f64, type_array(cx, nat_const(cx, 2), m)}, names);
    assert_true(type_c_is_padded(cx, m) && type_c_is_padded(cx, some)); // that of its member
    assert_false(type_c_is_padded(cx, full) || type_c_is_padded(cx, fields[1]));
    cx->c_layouts = map_new(cx->arena);
    map_put(&cx->c_layouts, MAP_KEY(name), cx);
    map_put(&cx->c_layouts, MAP_KEY(outer), cx);
    Node *bad[] = {type_array(cx, n(), u8), type_array(cx, nat_const(cx, 0), u8),
                   type_tuple(cx, 1, fields), type_struct(cx, plain, 4, fields, names),
                   type_array(cx, nat_const(cx, INT64_MAX / 2), m)};
    for (int i = 0; i < 5; i++) assert_false(type_c_size(cx, bad[i], &size));
}

static Node *pair(void)
{
    Sym names[] = {session_sym(cx, "re"), session_sym(cx, "im")};
    return type_struct(cx, session_sym(cx, "Complex"), 2, (Node *[]){f32(), f32()}, names);
}

static void prints_as_written(void **state)
{
    (void)state;
    Node *rows = type_array(cx, n(), type_array(cx, nat_add(cx, n(), nat_const(cx, 1)), f32()));
    assert_string_equal(type_show(cx, rows), "[n][n + 1]f32");
    assert_string_equal(type_show(cx, type_idx(cx, n())), "idx[n]");
    assert_string_equal(type_show(cx, type_tuple(cx, 2, (Node *[]){f32(), i32()})), "(f32, i32)");
    assert_string_equal(type_show(cx, type_tuple(cx, 1, (Node *[]){f32()})), "(f32,)");
    assert_string_equal(type_show(cx, type_tuple(cx, 0, NULL)), "()");
    assert_string_equal(type_show(cx, type_fun(cx, 2, (Node *[]){f32(), f32()}, i32())),
                        "fn(f32, f32) -> i32");
    assert_string_equal(type_show(cx, type_array(cx, n(), pair())), "[n]Complex");
    assert_string_equal(type_show(cx, type_mode(cx, f32())), "mode[f32]");
    Node *vector = type_varying(cx, n(), f32());
    assert_string_equal(type_show(cx, vector), "varying[n] f32");
    assert_true(type_is_data(vector) && type_is_value(vector) && !type_is_atom(vector));
    assert_true(type_has_elements(vector) && !type_has_array(vector));
    assert_ptr_equal(type_lane(vector), f32());
    assert_null(type_excess(type_vec(cx, 1024, f32())));
    assert_non_null(type_excess(type_vec(cx, 1025, f32())));
    assert_string_equal(type_show(cx, type_array(cx, nat_meta(cx, 1), type_meta(cx, 2))), "[_]_");
    Node *more = nat_add(cx, nat_meta(cx, 12), n());
    assert_string_equal(type_show(cx, type_array(cx, more, f32())), "[n + _]f32");
    Text full = text_new(cx->arena);
    type_print_full(&full, type_array(cx, nat_meta(cx, 1), pair()));
    assert_string_equal(text_get(&full), "[?1]Complex{re: f32, im: f32}");
}

static void answers_questions(void **state)
{
    (void)state;
    Node *fun = type_fun(cx, 1, (Node *[]){f32()}, i32());
    Node *array = type_array(cx, n(), f32());
    Scalar s;
    assert_true(type_is_scalar(f32(), &s) && s == SCALAR_F32);
    assert_false(type_is_scalar(array, NULL));
    assert_true(type_is_number(i32()) && type_is_integer(i32()) && !type_is_float(i32()));
    assert_false(type_is_number(type_scalar(cx, SCALAR_BOOL)));
    assert_false(type_is_integer(type_idx(cx, n())));
    assert_true(type_is_atom(type_idx(cx, n())));
    assert_true(type_is_data(pair()) && type_is_data(array) && type_is_data(type_idx(cx, n())));
    assert_false(type_is_data(fun));
    assert_false(type_is_data(type_tuple(cx, 2, (Node *[]){f32(), fun})));
    assert_false(type_is_data(type_array(cx, n(), type_error(cx))));
    assert_true(type_has_array(type_tuple(cx, 2, (Node *[]){f32(), array})));
    assert_false(type_has_array(pair()));
    assert_ptr_equal(type_result(fun), i32());
    assert_ptr_equal(type_param(fun, 0), f32());
    assert_int_equal(type_nparams(fun), 1);
    Node *dims[1];
    int rank;
    Node *matrix = type_array(cx, nat_const(cx, 4), array);
    assert_ptr_equal(type_strip_arrays(matrix, dims, 1, &rank), f32());
    assert_int_equal(rank, 2);
    assert_ptr_equal(dims[0], nat_const(cx, 4));
}

static void struct_fields_are_hints(void **state)
{
    (void)state;
    Node *bare = type_struct(cx, session_sym(cx, "Complex"), 2, (Node *[]){f32(), f32()}, NULL);
    assert_ptr_equal(bare, pair());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(prints_as_written, setup, teardown),
        cmocka_unit_test_setup_teardown(answers_questions, setup, teardown),
        cmocka_unit_test_setup_teardown(structs_of_c, setup, teardown),
        cmocka_unit_test_setup_teardown(struct_fields_are_hints, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
