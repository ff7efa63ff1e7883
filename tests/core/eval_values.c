// Values as text, and their equality.
#include "eval_util.h"

#include <math.h>
#include <stdlib.h>

static void composite(void **state)
{
    (void)state;
    expect(0, "(tuple)", "()");
    expect(0, "(tuple 1)", "(1,)");
    expect(0, "(tuple 1 2.0 true (array 1u8 255u8))", "(1, 2.0, true, [1, 255])");
    expect(0, "(tuple 1.0 (array -2) : P{x: f32, y: [1]i32})", "P { x: 1.0, y: [-2] }");
    expect(0, "18446744073709551615u64", "18446744073709551615");
    expect(3, "(to_idx 2i64 : idx[n])", "2");
}

static const char *show_float(Session *cx, Scalar s, double x)
{
    Value v = {.bits = float_bits(x)};
    Text out = text_new(cx->arena);
    value_print(cx, &out, &v, type_scalar(cx, s), 10);
    return text_get(&out);
}

static void floats(void **state)
{
    (void)state;
    Session *cx = new_session();
    static const struct {
        Scalar type;
        double x;
        const char *text;
    } rows[] = {
        {SCALAR_F64, 0.0, "0.0"},
        {SCALAR_F64, -0.0, "-0.0"},
        {SCALAR_F64, 100, "100.0"},
        {SCALAR_F64, 0.1, "0.1"},
        {SCALAR_F64, 0.1 + 0.2, "0.30000000000000004"},
        {SCALAR_F32, (double)0.1f, "0.1"},
        {SCALAR_F64, (double)0.1f, "0.10000000149011612"},
        {SCALAR_F32, 16777216, "16777216.0"},
        {SCALAR_F64, 1e15, "1000000000000000.0"},
        {SCALAR_F64, 1e16, "1e+16"},
        {SCALAR_F64, 1e-5, "0.00001"},
        {SCALAR_F64, 1.5e-7, "1.5e-07"},
        {SCALAR_F64, 5e-324, "5e-324"},
        {SCALAR_F64, 1.7976931348623157e308, "1.7976931348623157e+308"},
        {SCALAR_F16, 0.0999755859375, "0.1"},
        {SCALAR_F16, 65504, "65504.0"},
        {SCALAR_F32, INFINITY, "inf"},
        {SCALAR_F32, -INFINITY, "-inf"},
        {SCALAR_F32, NAN, "nan"},
        {SCALAR_F32, -2.5, "-2.5"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_string_equal(show_float(cx, rows[i].type, rows[i].x), rows[i].text);
    for (int i = 0; i < 2000; i++) { // whatever is printed reads back
        double x = ldexp((double)rand() / RAND_MAX - 0.5, rand() % 200 - 100);
        float y = (float)x;
        assert_true(strtod(show_float(cx, SCALAR_F64, x), NULL) == x);
        assert_true(strtof(show_float(cx, SCALAR_F32, (double)y), NULL) == y);
    }
    session_delete(cx);
}

static void limit(void **state)
{
    (void)state;
    Session *cx = new_session();
    Function *f = read_closed(cx, "(repeat 3 (repeat 2 1))");
    Value v;
    NodeBinding n = {session_sym(cx, "n"), nat_const(cx, 0)};
    assert_true(core_eval(cx, cx->arena, NULL, f, &n, 1, NULL, ALGEBRA_IEEE, PLENTY, &v).ok);
    static const char *const texts[] = {"[...]", "[[1, ...], ...]", "[[1, 1], [1, 1], ...]",
                                        "[[1, 1], [1, 1], [1, 1]]"};
    for (int i = 0; i < 4; i++) {
        Text out = text_new(cx->arena);
        value_print(cx, &out, &v, f->result, i);
        assert_string_equal(text_get(&out), texts[i]);
    }
    session_delete(cx);
}

static void equality(void **state)
{
    (void)state;
    Value a[2] = {{.bits = float_bits(NAN)}, {.bits = float_bits(0.0)}};
    Value b[2] = {{.bits = float_bits(-NAN)}, {.bits = float_bits(-0.0)}};
    Value one = {.count = 1, .parts = a}, other = {.count = 1, .parts = b};
    Value two = {.count = 2, .parts = a}, changed = {.count = 2, .parts = b};
    assert_true(value_equal(&one, &other));
    assert_false(value_equal(&one, &two));
    assert_false(value_equal(&two, &changed));
    assert_false(value_equal(&one, &a[0]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(composite),
        cmocka_unit_test(floats),
        cmocka_unit_test(limit),
        cmocka_unit_test(equality),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
