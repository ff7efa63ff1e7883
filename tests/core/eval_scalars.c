// Operators and casts against C arithmetic, at the values where they differ from it or from one
// another.
#include "eval_util.h"

#include <math.h>

static uint64_t run(Prim op, Scalar s, uint64_t a, uint64_t b)
{
    uint64_t args[2] = {a, b}, result = 0;
    DiagCode code;
    assert_true(eval_prim(op, s, ALGEBRA_IEEE, args, &result, &code));
    return result;
}

// The values of a type that matter, and every pair of them under every operator, against C.
#define INTEGER_TEST(name, T, W, scalar, least, most)                                              \
    static void name(void **state)                                                                 \
    {                                                                                              \
        (void)state;                                                                               \
        static const T values[] = {0,    1,        2,     3,         7,     100,                   \
                                   most, most - 1, least, least + 1, (T)-1, (T)-5};                \
        int bits = (int)sizeof(T) * 8;                                                             \
        for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)                              \
            for (size_t j = 0; j < sizeof values / sizeof values[0]; j++) {                        \
                T a = values[i], b = values[j];                                                    \
                uint64_t x = (uint64_t)a, y = (uint64_t)b;                                         \
                bool wraps = (T)-1 < 1 && b == (T)-1;                                              \
                assert_int_equal((T)((W)a + (W)b), (T)run(PRIM_ADD, scalar, x, y));                \
                assert_int_equal((T)((W)a - (W)b), (T)run(PRIM_SUB, scalar, x, y));                \
                assert_int_equal((T)((W)a * (W)b), (T)run(PRIM_MUL, scalar, x, y));                \
                if (b != 0) {                                                                      \
                    T q = wraps ? (T)(0 - (W)a) : (T)(a / b), r = wraps ? (T)0 : (T)(a % b);       \
                    assert_int_equal(q, (T)run(PRIM_DIV, scalar, x, y));                           \
                    assert_int_equal(r, (T)run(PRIM_REM, scalar, x, y));                           \
                }                                                                                  \
                assert_int_equal(a &b, (T)run(PRIM_AND, scalar, x, y));                            \
                assert_int_equal((T)(a ^ b), (T)run(PRIM_XOR, scalar, x, y));                      \
                assert_int_equal((T)(a | b), (T)run(PRIM_OR, scalar, x, y));                       \
                assert_int_equal((T)((W)a << (y & (uint64_t)(bits - 1))),                          \
                                 (T)run(PRIM_SHL, scalar, x, y));                                  \
                assert_int_equal((T)(a >> (y & (uint64_t)(bits - 1))),                             \
                                 (T)run(PRIM_SHR, scalar, x, y));                                  \
                assert_int_equal(a < b, run(PRIM_LT, scalar, x, y));                               \
                assert_int_equal(a <= b, run(PRIM_LE, scalar, x, y));                              \
                assert_int_equal(a > b, run(PRIM_GT, scalar, x, y));                               \
                assert_int_equal(a >= b, run(PRIM_GE, scalar, x, y));                              \
                assert_int_equal(a == b, run(PRIM_EQ, scalar, x, y));                              \
                assert_int_equal(a != b, run(PRIM_NE, scalar, x, y));                              \
                assert_int_equal(a < b ? a : b, (T)run(PRIM_MIN, scalar, x, y));                   \
                assert_int_equal(a > b ? a : b, (T)run(PRIM_MAX, scalar, x, y));                   \
                assert_int_equal((T)(0 - (W)a), (T)run(PRIM_NEG, scalar, x, 0));                   \
                assert_int_equal((T)~a, (T)run(PRIM_NOT, scalar, x, 0));                           \
                assert_int_equal(a < (T)1 && a != 0 ? (T)(0 - (W)a) : a,                           \
                                 (T)run(PRIM_ABS, scalar, x, 0));                                  \
                assert_int_equal(run(PRIM_MUL, scalar, x, y),                                      \
                                 (uint64_t)(T)run(PRIM_MUL, scalar, x, y));                        \
            }                                                                                      \
    }
INTEGER_TEST(i8, int8_t, uint32_t, SCALAR_I8, INT8_MIN, INT8_MAX)
INTEGER_TEST(i16, int16_t, uint32_t, SCALAR_I16, INT16_MIN, INT16_MAX)
INTEGER_TEST(i32, int32_t, uint32_t, SCALAR_I32, INT32_MIN, INT32_MAX)
INTEGER_TEST(i64, int64_t, uint64_t, SCALAR_I64, INT64_MIN, INT64_MAX)
INTEGER_TEST(u8, uint8_t, uint32_t, SCALAR_U8, 0, UINT8_MAX)
INTEGER_TEST(u16, uint16_t, uint32_t, SCALAR_U16, 0, UINT16_MAX)
INTEGER_TEST(u32, uint32_t, uint32_t, SCALAR_U32, 0, UINT32_MAX)
INTEGER_TEST(u64, uint64_t, uint64_t, SCALAR_U64, 0, UINT64_MAX)

static void division_by_zero(void **state)
{
    (void)state;
    for (Scalar s = SCALAR_I8; s <= SCALAR_U64; s++)
        for (int k = 0; k < 2; k++) {
            uint64_t args[2] = {5, 0}, result;
            DiagCode code = E0901;
            assert_false(
                eval_prim(k ? PRIM_DIV : PRIM_REM, s, ALGEBRA_FIELD, args, &result, &code));
            assert_int_equal(code, E0602);
        }
    expect(0, "(/ 1.0 0.0)", "inf");
}

static void booleans(void **state)
{
    (void)state;
    for (uint64_t a = 0; a < 2; a++)
        for (uint64_t b = 0; b < 2; b++) {
            assert_int_equal(run(PRIM_AND, SCALAR_BOOL, a, b), a && b);
            assert_int_equal(run(PRIM_OR, SCALAR_BOOL, a, b), a || b);
            assert_int_equal(run(PRIM_XOR, SCALAR_BOOL, a, b), a != b);
            assert_int_equal(run(PRIM_LT, SCALAR_BOOL, a, b), a < b);
            assert_int_equal(run(PRIM_EQ, SCALAR_BOOL, a, b), a == b);
            assert_int_equal(run(PRIM_NOT, SCALAR_BOOL, a, b), !a);
        }
}

static double f(Prim op, Scalar s, double a, double b)
{
    return float_value(run(op, s, float_bits(a), float_bits(b)));
}

static void floats(void **state)
{
    (void)state;
    assert_true(f(PRIM_ADD, SCALAR_F32, 16777216, 1) == 16777216);
    assert_true(f(PRIM_ADD, SCALAR_F64, 16777216, 1) == 16777217);
    assert_true(f(PRIM_DIV, SCALAR_F32, 1, 3) == (double)(1.0f / 3.0f));
    assert_true(f(PRIM_MUL, SCALAR_F32, 3e38, 2) == INFINITY);
    assert_true(f(PRIM_ADD, SCALAR_F16, 2048, 1) == 2048); // ties to even
    assert_true(f(PRIM_ADD, SCALAR_F16, 2048, 3) == 2052);
    assert_true(f(PRIM_MUL, SCALAR_F16, 256, 256) == INFINITY);
    assert_true(f(PRIM_REM, SCALAR_F64, -7.5, 2) == -1.5);
    assert_true(f(PRIM_MIN, SCALAR_F32, NAN, 2) == 2 && isnan(f(PRIM_MAX, SCALAR_F32, 2, NAN)));
    assert_true(f(PRIM_ABS, SCALAR_F64, -0.0, 0) == 0 && f(PRIM_NEG, SCALAR_F32, 2, 0) == -2);
    assert_true(f(PRIM_ROUND, SCALAR_F32, 2.5, 0) == 3 && f(PRIM_TRUNC, SCALAR_F32, -2.5, 0) == -2);
    assert_true(f(PRIM_FLOOR, SCALAR_F64, -2.5, 0) == -3 && f(PRIM_CEIL, SCALAR_F64, 2.5, 0) == 3);
    assert_int_equal(run(PRIM_LT, SCALAR_F32, float_bits(NAN), float_bits(1)), 0);
    assert_int_equal(run(PRIM_NE, SCALAR_F32, float_bits(NAN), float_bits(NAN)), 1);
    assert_int_equal(run(PRIM_EQ, SCALAR_F32, float_bits(-0.0), float_bits(0.0)), 1);
    assert_int_equal(run(PRIM_DIV, SCALAR_F64, float_bits(0), float_bits(0)),
                     float_bits(NAN)); // one NaN only
}

// f32 functions are those of float, not of double rounded.
static void functions(void **state)
{
    (void)state;
    static const float xs[] = {0.0f, 0.3f, 0.9f, 1.0f, -0.7f};
    for (size_t i = 0; i < sizeof xs / sizeof xs[0]; i++) {
        volatile float x = xs[i];
        volatile double d = (double)x;
        assert_true(f(PRIM_SIN, SCALAR_F32, (double)x, 0) == (double)sinf(x));
        assert_true(f(PRIM_SIN, SCALAR_F64, d, 0) == sin(d));
        assert_true(f(PRIM_EXP, SCALAR_F32, (double)x, 0) == (double)expf(x));
        assert_true(f(PRIM_ACOS, SCALAR_F64, d, 0) == acos(d));
        assert_true(f(PRIM_TANH, SCALAR_F64, d, 0) == tanh(d));
        assert_true(f(PRIM_ERF, SCALAR_F32, (double)x, 0) == (double)erff(x));
        assert_true(f(PRIM_ATAN2, SCALAR_F32, (double)x, 2) == (double)atan2f(x, 2));
        assert_true(f(PRIM_POW, SCALAR_F64, 2, d) == pow(2, d));
    }
    assert_true(f(PRIM_SQRT, SCALAR_F32, 2, 0) == (double)sqrtf(2) &&
                f(PRIM_LOG2, SCALAR_F64, 8, 0) == 3);
}

static double fused(Scalar s, double a, double b, double c)
{
    uint64_t args[] = {float_bits(a), float_bits(b), float_bits(c)}, result = 0;
    DiagCode code;
    assert_true(eval_prim(PRIM_FMA, s, ALGEBRA_IEEE, args, &result, &code));
    return float_value(result);
}

// a*b + c rounded once: twice would give 0, and for f16 once from f32.
static void fused_multiply_add(void **state)
{
    (void)state;
    double tiny = 0x1p-30;
    assert_true(fused(SCALAR_F64, 1 + tiny, 1 - tiny, -1) == -0x1p-60);
    assert_true(fused(SCALAR_F32, 1 + 0x1p-20, 1 - 0x1p-20, -1) == -0x1p-40);
    assert_true(fused(SCALAR_F16, 3, 5, 0.25) == 15.25 &&
                fused(SCALAR_F16, 255, 257, 0) == INFINITY);
    assert_true(isnan(fused(SCALAR_F32, INFINITY, 0, 1)));
}

static uint64_t cast(Scalar from, Scalar to, double x)
{
    return eval_cast(from, to, ALGEBRA_IEEE, float_bits(x));
}

static void casts_of_floats(void **state)
{
    (void)state;
    assert_int_equal((int64_t)cast(SCALAR_F32, SCALAR_I32, -2.9), -2);
    assert_int_equal((int64_t)cast(SCALAR_F64, SCALAR_I8, 300), 127);
    assert_int_equal((int64_t)cast(SCALAR_F64, SCALAR_I8, -300), -128);
    assert_int_equal((int64_t)cast(SCALAR_F64, SCALAR_I8, -128.9), -128);
    assert_int_equal(cast(SCALAR_F64, SCALAR_U8, -1), 0);
    assert_int_equal(cast(SCALAR_F64, SCALAR_U8, 255.9), 255);
    assert_int_equal(cast(SCALAR_F64, SCALAR_U8, 256), 255);
    assert_true((int64_t)cast(SCALAR_F64, SCALAR_I64, 1e300) == INT64_MAX);
    assert_true((int64_t)cast(SCALAR_F64, SCALAR_I64, -INFINITY) == INT64_MIN);
    assert_true(cast(SCALAR_F64, SCALAR_U64, 1e19) == UINT64_C(10000000000000000000));
    assert_true(cast(SCALAR_F32, SCALAR_U64, INFINITY) == UINT64_MAX);
    assert_int_equal(cast(SCALAR_F32, SCALAR_I32, NAN), 0);
    assert_int_equal(cast(SCALAR_F32, SCALAR_BOOL, 0.5), 1);
    assert_int_equal(cast(SCALAR_F32, SCALAR_BOOL, NAN), 1);
    assert_int_equal(cast(SCALAR_F32, SCALAR_BOOL, -0.0), 0);
    assert_true(float_value(cast(SCALAR_F64, SCALAR_F32, 0.1)) == (double)0.1f);
    assert_true(float_value(cast(SCALAR_F64, SCALAR_F16, 65519)) == 65504);
    assert_true(float_value(cast(SCALAR_F64, SCALAR_F16, 65520)) == INFINITY);
}

static void casts_of_integers(void **state)
{
    (void)state;
    for (int64_t x = -70000; x <= 70000; x += 977) {
        uint64_t bits = (uint64_t)x;
        assert_true((int64_t)eval_cast(SCALAR_I64, SCALAR_I8, ALGEBRA_IEEE, bits) == (int8_t)x);
        assert_true(eval_cast(SCALAR_I64, SCALAR_U16, ALGEBRA_IEEE, bits) == (uint16_t)x);
        assert_true(eval_cast(SCALAR_I32, SCALAR_U64, ALGEBRA_IEEE, bits) == (uint64_t)x);
        assert_true(eval_cast(SCALAR_I64, SCALAR_BOOL, ALGEBRA_IEEE, bits) == (x != 0));
        assert_true(float_value(eval_cast(SCALAR_I64, SCALAR_F64, ALGEBRA_IEEE, bits)) ==
                    (double)x);
    }
    // 2^24 + 1 and 2^53 + 2^29 + 1 show double rounding.
    int64_t big = (INT64_C(1) << 53) + (1 << 29) + 1;
    assert_true(float_value(eval_cast(SCALAR_I64, SCALAR_F32, ALGEBRA_IEEE, (uint64_t)big)) ==
                (double)(float)big);
    assert_true(float_value(eval_cast(SCALAR_U64, SCALAR_F32, ALGEBRA_IEEE, UINT64_MAX)) ==
                18446744073709551616.0);
    assert_true(float_value(eval_cast(SCALAR_BOOL, SCALAR_F32, ALGEBRA_IEEE, 1)) == 1);
    expect(3, "(cast (to_idx 2i64 : idx[n]) : u8)", "2");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(i8),
        cmocka_unit_test(i16),
        cmocka_unit_test(i32),
        cmocka_unit_test(i64),
        cmocka_unit_test(u8),
        cmocka_unit_test(u16),
        cmocka_unit_test(u32),
        cmocka_unit_test(u64),
        cmocka_unit_test(division_by_zero),
        cmocka_unit_test(booleans),
        cmocka_unit_test(floats),
        cmocka_unit_test(functions),
        cmocka_unit_test(fused_multiply_add),
        cmocka_unit_test(casts_of_floats),
        cmocka_unit_test(casts_of_integers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
