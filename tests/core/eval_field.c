// The exact algebra: the laws of a field, the numbers that doubles stand for, hashes.
#include "eval_util.h"

#include "adze_field.h"

#include <math.h>

static const adze_field samples[] = {
    0, 1, 2, 3, 5, ADZE_FIELD_P - 1, ADZE_FIELD_P - 2, 123456789, UINT64_C(1) << 60};
enum { SAMPLES = sizeof samples / sizeof samples[0] };

static void laws(void **state)
{
    (void)state;
    for (int i = 0; i < SAMPLES; i++)
        for (int j = 0; j < SAMPLES; j++) {
            adze_field a = samples[i], b = samples[j];
            assert_true(adze_field_add(a, b) == adze_field_add(b, a) &&
                        adze_field_add(a, b) < ADZE_FIELD_P);
            assert_true(adze_field_mul(a, b) == adze_field_mul(b, a) &&
                        adze_field_mul(a, b) < ADZE_FIELD_P);
            assert_true(adze_field_add(adze_field_sub(a, b), b) == a);
            if (b) assert_true(adze_field_mul(adze_field_div(a, b), b) == a);
            for (int k = 0; k < SAMPLES; k++) {
                adze_field c = samples[k];
                assert_true(adze_field_mul(a, adze_field_add(b, c)) ==
                            adze_field_add(adze_field_mul(a, b), adze_field_mul(a, c)));
                assert_true(adze_field_mul(a, adze_field_mul(b, c)) ==
                            adze_field_mul(adze_field_mul(a, b), c));
            }
        }
}

static void doubles(void **state)
{
    (void)state;
    static const double xs[] = {0, 1, -1, 0.5, 3.75, -1e300, 1e-300, 5e-324, 0.1, 123456789.0};
    adze_field two = field_from_double(2);
    for (size_t i = 0; i < sizeof xs / sizeof xs[0]; i++) {
        adze_field x = field_from_double(xs[i]);
        assert_true(field_from_double(-xs[i]) == adze_field_neg(x));
        if (isfinite(xs[i] * 2))
            assert_true(field_from_double(xs[i] * 2) == adze_field_mul(x, two));
    }
    assert_true(field_from_double(3) == 3 && field_from_double(-0.0) == 0);
    assert_true(field_from_double(0.75) == adze_field_div(3, 4));
    assert_true(field_from_double(INFINITY) == adze_field_neg(field_from_double(-INFINITY)));
    assert_true(field_from_double(NAN) != field_from_double(INFINITY));
}

static uint64_t run(Prim op, uint64_t a, uint64_t b)
{
    uint64_t args[PRIM_OPERANDS] = {a, b}, result;
    DiagCode code;
    assert_true(eval_prim(op, SCALAR_F16, ALGEBRA_FIELD, args, &result, &code));
    return result;
}

static void operators(void **state)
{
    (void)state;
    assert_true(run(PRIM_SUB, 1, 2) == ADZE_FIELD_P - 1 && run(PRIM_NEG, 1, 0) == ADZE_FIELD_P - 1);
    assert_true(run(PRIM_MIN, 5, 7) == 5 && run(PRIM_MAX, 5, 7) == 7);
    assert_true(run(PRIM_LT, 5, 7) && !run(PRIM_GE, 5, 7) && run(PRIM_EQ, 5, 5) &&
                run(PRIM_NE, 5, 7));
    uint64_t three[] = {5, 7, ADZE_FIELD_P - 30}, sum;
    assert_true(eval_prim(PRIM_FMA, SCALAR_F64, ALGEBRA_FIELD, three, &sum, &(DiagCode){0}) &&
                sum == 5);
    // Hashes: by operator and by argument, in order; division by zero is one.
    assert_true(run(PRIM_SQRT, 4, 0) == run(PRIM_SQRT, 4, 9) &&
                run(PRIM_SQRT, 4, 0) != run(PRIM_SQRT, 5, 0));
    assert_true(run(PRIM_SQRT, 4, 0) != run(PRIM_SIN, 4, 0));
    assert_true(run(PRIM_POW, 2, 3) != run(PRIM_POW, 3, 2) && run(PRIM_ABS, 4, 0) != 4);
    assert_true(run(PRIM_DIV, 4, 0) == run(PRIM_DIV, 4, 0) &&
                run(PRIM_DIV, 4, 0) != run(PRIM_DIV, 5, 0));
    for (Prim op = PRIM_ABS; op < PRIM_COUNT; op++) assert_true(run(op, 3, 4) < ADZE_FIELD_P);
}

static void casts(void **state)
{
    (void)state;
    assert_true(eval_cast(SCALAR_I32, SCALAR_F32, ALGEBRA_FIELD, (uint64_t)-3) == ADZE_FIELD_P - 3);
    assert_true(eval_cast(SCALAR_U64, SCALAR_F64, ALGEBRA_FIELD, UINT64_MAX) == 7);
    assert_true(eval_cast(SCALAR_I64, SCALAR_F64, ALGEBRA_FIELD, (uint64_t)INT64_MIN) ==
                ADZE_FIELD_P - 4);
    assert_true(eval_cast(SCALAR_F64, SCALAR_F16, ALGEBRA_FIELD, 1234567) == 1234567);
    assert_true(eval_cast(SCALAR_F64, SCALAR_U8, ALGEBRA_FIELD, 257) == 1);
    assert_true((int64_t)eval_cast(SCALAR_F64, SCALAR_I8, ALGEBRA_FIELD, 255) == -1);
    assert_true(eval_cast(SCALAR_F64, SCALAR_BOOL, ALGEBRA_FIELD, 2) == 1);
    assert_true(eval_cast(SCALAR_BOOL, SCALAR_F64, ALGEBRA_FIELD, 1) == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(laws),
        cmocka_unit_test(doubles),
        cmocka_unit_test(operators),
        cmocka_unit_test(casts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
