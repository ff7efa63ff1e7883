// Operators on bits and on integers that do not wrap, against their definitions in integers of 128
// bits: every pair of 8-bit numbers, and pairs of extreme and of random numbers of the other types.
#include "eval_util.h"

#include <math.h>

__extension__ typedef __int128 Exact;
__extension__ typedef unsigned __int128 Natural;

static uint64_t run(Prim op, Scalar s, uint64_t a, uint64_t b)
{
    uint64_t args[2] = {a, b}, result = 0;
    DiagCode code;
    assert_true(eval_prim(op, s, ALGEBRA_IEEE, args, &result, &code));
    return result;
}

// A linear congruential generator.
static uint32_t random_31(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 1;
}

static int bits_of(Scalar s)
{
    return scalar_info[s].size * 8;
}

static bool is_signed(Scalar s)
{
    return scalar_info[s].class == CLASS_INT;
}

static Exact exact(Scalar s, uint64_t a)
{
    return is_signed(s) ? (Exact)(int64_t)a : (Exact)a;
}

static bool bit(uint64_t a, int i)
{
    return a >> i & 1;
}

static uint64_t clamp(Scalar s, Exact x)
{
    Exact most = ((Exact)1 << (bits_of(s) - is_signed(s))) - 1,
          least = is_signed(s) ? -most - 1 : 0;
    return (uint64_t)(x < least ? least : x > most ? most : x);
}

static void check(Prim op, Scalar s, uint64_t a, uint64_t b, uint64_t want)
{
    want = scalar_wrap(prim_result(op, s), want);
    uint64_t got = run(op, s, a, b);
    if (got != want)
        fail_msg("%s of %s %llx, %llx is %llx, not %llx", prim_info[op].text, scalar_info[s].text,
                 (unsigned long long)a, (unsigned long long)b, (unsigned long long)got,
                 (unsigned long long)want);
}

static void check_bits(Scalar s, uint64_t a)
{
    int bits = bits_of(s), ones = 0, leading = 0, trailing = 0;
    for (int i = 0; i < bits; i++) ones += bit(a, i);
    while (leading < bits && !bit(a, bits - 1 - leading)) leading++;
    while (trailing < bits && !bit(a, trailing)) trailing++;
    check(PRIM_POPCOUNT, s, a, 0, (uint64_t)ones);
    check(PRIM_CLZ, s, a, 0, (uint64_t)leading);
    check(PRIM_CTZ, s, a, 0, (uint64_t)trailing);
    check(PRIM_TO_BITS, s, a, 0, a);
}

static void check_pair(Scalar s, uint64_t a, uint64_t b)
{
    Exact x = exact(s, a), y = exact(s, b);
    int bits = bits_of(s), by = (int)(b & (uint64_t)(bits - 1));
    uint64_t left = 0, right = 0;
    for (int i = 0; i < bits; i++) {
        left |= (uint64_t)bit(a, i) << (i + by) % bits;
        right |= (uint64_t)bit(a, (i + by) % bits) << i;
    }
    check(PRIM_ROTL, s, a, b, left);
    check(PRIM_ROTR, s, a, b, right);
    check(PRIM_MUL_HI, s, a, b,
          (uint64_t)(is_signed(s) ? (Natural)(x * y >> bits) : (Natural)x * (Natural)y >> bits));
    check(PRIM_ADD_SAT, s, a, b, clamp(s, x + y));
    check(PRIM_SUB_SAT, s, a, b, clamp(s, x - y));
    check(PRIM_AVG_CEIL, s, a, b, (uint64_t)((x + y + 1) >> 1));
    check(PRIM_ABS_DIFF, s, a, b, (uint64_t)(x < y ? y - x : x - y));
}

static void pairs_of_bytes(void **state)
{
    (void)state;
    for (uint64_t a = 0; a < 256; a++) {
        check_bits(SCALAR_U8, a);
        check_bits(SCALAR_I8, scalar_wrap(SCALAR_I8, a));
        for (uint64_t b = 0; b < 256; b++) {
            check_pair(SCALAR_U8, a, b);
            check_pair(SCALAR_I8, scalar_wrap(SCALAR_I8, a), scalar_wrap(SCALAR_I8, b));
        }
    }
}

// The numbers of a type at which something changes, then random ones of all magnitudes.
static uint64_t number(Scalar s, int i, unsigned *seed)
{
    uint64_t top = UINT64_C(1) << (bits_of(s) - 1);
    const uint64_t extremes[] = {0,       1,        2,        top,           top - 1,
                                 top + 1, top >> 1, ~top,     UINT64_MAX,    UINT64_MAX - 1,
                                 0x55,    0xaa,     top >> 7, (top >> 1) + 1};
    int n = (int)(sizeof extremes / sizeof *extremes);
    if (i < n) return scalar_wrap(s, extremes[i]);
    uint64_t random = (uint64_t)random_31(seed) << 40 ^ (uint64_t)random_31(seed) << 20 ^
                      (uint64_t)random_31(seed);
    return scalar_wrap(s, random >> random_31(seed) % 64);
}

static void pairs_of_numbers(void **state)
{
    (void)state;
    unsigned seed = 3;
    for (Scalar s = SCALAR_I8; s <= SCALAR_U64; s++)
        for (int i = 0; i < 100; i++) {
            uint64_t a = number(s, i, &seed);
            check_bits(s, a);
            for (int k = 0; k < 100; k++) check_pair(s, a, number(s, k, &seed));
        }
}

// --- bits of floats ------------------------------------------------------------------------------

// Every half is the number that its bits say, and has these bits.
static void bits_of_halves(void **state)
{
    (void)state;
    for (uint64_t bits = 0; bits < 1 << 16; bits++) {
        uint64_t x = run(PRIM_FROM_BITS, SCALAR_U16, bits, 0);
        int exponent = (int)(bits >> 10 & 31), digits = (int)(bits & 1023);
        double size = exponent ? ldexp(1024 + digits, exponent - 25) : ldexp(digits, -24);
        double want = bits >> 15 ? -size : size;
        if (exponent < 31) assert_int_equal(x, float_bits(want));
        if (exponent == 31) assert_true(digits ? isnan(float_value(x)) : isinf(float_value(x)));
        assert_int_equal(run(PRIM_TO_BITS, SCALAR_F16, x, 0), bits);
    }
}

// The bits are those of C; NaNs keep theirs, quiet or not, and so do casts to the same type.
static void bits_of_floats(void **state)
{
    (void)state;
    unsigned seed = 5;
    for (int i = 0; i < 100000; i++) {
        static const uint32_t some[] = {0,          0x80000000, 1,          0x807fffff, 0x7f800000,
                                        0xff800000, 0x7f800001, 0xffc12345, 0x7fc00000, 0x00800000};
        uint32_t bits =
            i < 10 ? some[i] : (uint32_t)random_31(&seed) << 8 ^ (uint32_t)random_31(&seed);
        float f;
        memcpy(&f, &bits, 4);
        uint64_t x = run(PRIM_FROM_BITS, SCALAR_U32, bits, 0);
        if (f == f) assert_int_equal(x, float_bits((double)f));
        if (f != f) assert_true(isnan(float_value(x)));
        assert_int_equal(run(PRIM_TO_BITS, SCALAR_F32, x, 0), bits);
        uint64_t same = eval_cast(SCALAR_F32, SCALAR_F32, ALGEBRA_IEEE, x);
        assert_int_equal(run(PRIM_TO_BITS, SCALAR_F32, same, 0), bits);
        uint64_t wide = (uint64_t)bits << 32 | (uint32_t)random_31(&seed);
        assert_int_equal(run(PRIM_FROM_BITS, SCALAR_U64, wide, 0), wide);
        assert_int_equal(run(PRIM_TO_BITS, SCALAR_F64, wide, 0), wide);
    }
}

static void bits_of_computed_nans(void **state)
{
    (void)state;
    uint64_t nan = run(PRIM_DIV, SCALAR_F32, 0, 0);
    assert_int_equal(run(PRIM_TO_BITS, SCALAR_F32, nan, 0), 0x7fc00000);
    assert_int_equal(run(PRIM_TO_BITS, SCALAR_F16, nan, 0), 0x7e00);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_of_bytes), cmocka_unit_test(pairs_of_numbers),
        cmocka_unit_test(bits_of_halves), cmocka_unit_test(bits_of_floats),
        cmocka_unit_test(bits_of_computed_nans)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
