// Exact arithmetic for tests: floats of all types are elements of the field GF(p), p = 2^61 - 1.
// Sums, differences, products and quotients are exact, so that every legal reordering of them gives
// equal results, and a missing or repeated element changes them. All other functions are hashes of
// their number and arguments: equal for equal arguments, unrelated otherwise, except that at 0 and
// 1 many have the same value as on floats. The interpreters and the generated C share this
// definition.
//
//   + - * neg          those of the field
//   x / y              x times the inverse of y; x / 0 is a hash of x
//   < <= == ...        compare representatives, 0 <= x < p; so do min and max
//   % sqrt exp pow ... hashes, but exp(0) = 1, log(1) = 0, sqrt(1) = 1, pow(x, 1) = x, ...
//   integer to float   the integer modulo p; true is 1
//   float to integer   the representative, cut to the width of the integer as by a C cast
//   float to bool      x != 0
//   literals           m * 2^e for integers m and e; infinity is a constant, minus infinity its
//                      negative, and NaN another constant
#ifndef ADZE_FIELD_H
#define ADZE_FIELD_H

#ifndef ADZE_KERNEL // kernels of a device have their own names for these
#include <math.h>
#include <stdint.h>
__extension__ typedef unsigned __int128 adze_field_wide;
#endif

typedef uint64_t adze_field; // 0 <= x < p

#define ADZE_FIELD_P ((UINT64_C(1) << 61) - 1)

/// The operators that are not hashes for all arguments, with their numbers in the compiler's table
/// of operators, and a number for constants.
enum {
    ADZE_FIELD_ADD = 0,
    ADZE_FIELD_SUB = 1,
    ADZE_FIELD_MUL = 2,
    ADZE_FIELD_DIV = 3,
    ADZE_FIELD_NEG = 5,
    ADZE_FIELD_MIN = 18,
    ADZE_FIELD_MAX = 19,
    ADZE_FIELD_ABS,
    ADZE_FIELD_SQRT,
    ADZE_FIELD_EXP,
    ADZE_FIELD_EXP2,
    ADZE_FIELD_LOG,
    ADZE_FIELD_LOG2,
    ADZE_FIELD_LOG10,
    ADZE_FIELD_SIN,
    ADZE_FIELD_COS,
    ADZE_FIELD_TAN,
    ADZE_FIELD_ASIN,
    ADZE_FIELD_ACOS,
    ADZE_FIELD_ATAN,
    ADZE_FIELD_SINH = 34,
    ADZE_FIELD_COSH,
    ADZE_FIELD_TANH,
    ADZE_FIELD_ERF,
    ADZE_FIELD_POW,
    ADZE_FIELD_FLOOR,
    ADZE_FIELD_CEIL,
    ADZE_FIELD_ROUND,
    ADZE_FIELD_TRUNC,
    ADZE_FIELD_CONSTANT = 1000
};

/// x modulo p.
static inline adze_field adze_field_from_u64(uint64_t x)
{
    x = (x & ADZE_FIELD_P) + (x >> 61); // 2^61 = 1
    return x >= ADZE_FIELD_P ? x - ADZE_FIELD_P : x;
}

static inline adze_field adze_field_neg(adze_field a)
{
    return a == 0 ? 0 : ADZE_FIELD_P - a;
}

static inline adze_field adze_field_from_i64(int64_t x)
{
    if (x >= 0) return adze_field_from_u64((uint64_t)x);
    return adze_field_neg(adze_field_from_u64(0 - (uint64_t)x));
}

static inline adze_field adze_field_add(adze_field a, adze_field b)
{
    return adze_field_from_u64(a + b);
}

static inline adze_field adze_field_sub(adze_field a, adze_field b)
{
    return adze_field_add(a, adze_field_neg(b));
}

static inline adze_field adze_field_mul(adze_field a, adze_field b)
{
#ifdef ADZE_KERNEL
    return adze_field_from_u64((a * b & ADZE_FIELD_P) + mul_hi(a << 3, b));
#else
    adze_field_wide product = (adze_field_wide)a * b;
    return adze_field_from_u64((uint64_t)(product & ADZE_FIELD_P) + (uint64_t)(product >> 61));
#endif
}

/// The inverse of a, which is not 0: a^(p - 2).
static inline adze_field adze_field_inverse(adze_field a)
{
    adze_field result = 1;
    for (uint64_t e = ADZE_FIELD_P - 2; e; e >>= 1) {
        if (e & 1) result = adze_field_mul(result, a);
        a = adze_field_mul(a, a);
    }
    return result;
}

static inline uint64_t adze_field_mix(uint64_t h, uint64_t x)
{
    h = (h ^ x) * UINT64_C(0xbf58476d1ce4e5b9);
    h = (h ^ (h >> 29)) * UINT64_C(0x94d049bb133111eb);
    return h ^ (h >> 32);
}

/// A pseudo-random function for operator `op`. `b` is 0 if the operator takes one argument.
static inline adze_field adze_field_hash(int op, adze_field a, adze_field b)
{
    uint64_t h = adze_field_mix(UINT64_C(0x9e3779b97f4a7c15), (uint64_t)op);
    return adze_field_from_u64(adze_field_mix(adze_field_mix(h, a), b));
}

static inline adze_field adze_field_div(adze_field a, adze_field b)
{
    if (b == 0) return adze_field_hash(ADZE_FIELD_DIV, a, 0);
    return adze_field_mul(a, adze_field_inverse(b));
}

/// Whether a function has an exact value at `a`, which must be 0 or 1 for that. If so, sets *result
/// to it.
static inline int adze_field_is_exact(int op, adze_field a, adze_field *result)
{
    switch (op) {
    case ADZE_FIELD_ABS:
    case ADZE_FIELD_SQRT:
    case ADZE_FIELD_FLOOR:
    case ADZE_FIELD_CEIL:
    case ADZE_FIELD_ROUND:
    case ADZE_FIELD_TRUNC: *result = a; return a <= 1;
    case ADZE_FIELD_EXP:
    case ADZE_FIELD_EXP2:
    case ADZE_FIELD_COS:
    case ADZE_FIELD_COSH: *result = 1; return a == 0;
    case ADZE_FIELD_SIN:
    case ADZE_FIELD_TAN:
    case ADZE_FIELD_ASIN:
    case ADZE_FIELD_ATAN:
    case ADZE_FIELD_SINH:
    case ADZE_FIELD_TANH:
    case ADZE_FIELD_ERF: *result = 0; return a == 0;
    case ADZE_FIELD_LOG:
    case ADZE_FIELD_LOG2:
    case ADZE_FIELD_LOG10:
    case ADZE_FIELD_ACOS: *result = 0; return a == 1;
    default: return 0;
    }
}

/// Computes an operator with one operand.
static inline adze_field adze_field_prim1(int op, adze_field a)
{
    adze_field exact;
    if (op == ADZE_FIELD_NEG) return adze_field_neg(a);
    return adze_field_is_exact(op, a, &exact) ? exact : adze_field_hash(op, a, 0);
}

/// Computes an operator with two operands.
static inline adze_field adze_field_prim2(int op, adze_field a, adze_field b)
{
    switch (op) {
    case ADZE_FIELD_ADD: return adze_field_add(a, b);
    case ADZE_FIELD_SUB: return adze_field_sub(a, b);
    case ADZE_FIELD_MUL: return adze_field_mul(a, b);
    case ADZE_FIELD_DIV: return adze_field_div(a, b);
    case ADZE_FIELD_MIN: return a < b ? a : b;
    case ADZE_FIELD_MAX: return a > b ? a : b;
    case ADZE_FIELD_POW: return b == 0 ? 1 : b == 1 ? a : adze_field_hash(op, a, b);
    default: return adze_field_hash(op, a, b);
    }
}

/// The field element for a double, which is m * 2^e exactly; 2^e equals 2^(e mod 61) in the field.
static inline adze_field adze_field_from_double(double x)
{
    if (isnan(x)) return adze_field_hash(ADZE_FIELD_CONSTANT, 2, 0);
    if (isinf(x)) {
        adze_field infinity = adze_field_hash(ADZE_FIELD_CONSTANT, 1, 0);
        return x > 0 ? infinity : adze_field_neg(infinity);
    }
    int e;
    int64_t m = (int64_t)ldexp(frexp(x, &e), 53);
    int shift = ((e - 53) % 61 + 61) % 61;
    return adze_field_mul(adze_field_from_i64(m), UINT64_C(1) << shift);
}

#endif
