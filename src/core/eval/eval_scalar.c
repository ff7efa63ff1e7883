// Scalar operators and casts on IEEE floats and fixed-width integers.
#include "core/eval/eval.h"
#include "views/views.h"

#include <math.h>

bool core_fails_itself(Node *e)
{
    if (e->kind == CORE_TO_IDX || e->kind == CORE_SCATTER || e->kind == CORE_ASSERT) return true;
    if (kind_is_view((Kind)e->kind)) return view_row((Kind)e->kind)->writes == WRITES_PERMUTED;
    if (e->kind != CORE_PRIM || (e->attr.i != PRIM_DIV && e->attr.i != PRIM_REM)) return false;
    Node *by = e->op[1];
    return !type_is_float(type_lane(by->type)) && (by->kind != CORE_LIT || by->attr.bits == 0);
}

bool core_may_fail(Map *memo, Node *e)
{
    static const char yes, no;
    const char *known = map_get(memo, MAP_KEY(e));
    if (known) return known == &yes;
    bool fails = core_fails_itself(e);
    for (uint32_t i = 0; i < e->nops && !fails; i++) fails = core_may_fail(memo, e->op[i]);
    map_put(memo, MAP_KEY(e), (void *)(uintptr_t)(fails ? &yes : &no));
    return fails;
}

// --- floats ------------------------------------------------------------------------------------

#define NO_FLOAT   NAN
#define NO_INTEGER 0

// Operators on f64, using the <math.h> functions for double.
static double prim_f64(Prim op, double a, double b, double c)
{
    switch (op) {
#define F(function) function
#define PRIM(name, text, arity, operands, result, spelt, spelling, work, integers, floats)         \
    case name:                                                                                     \
        return (double)(floats);
#include "ir/prim.def"
#undef PRIM
#undef F
    case PRIM_COUNT: break;
    }
    return (double)NAN;
}

// Operators on f32, using the <math.h> functions for float. f16 is computed this way too: float is
// so much wider that rounding the results of + - * / and sqrt twice is still correct.
static double prim_f32(Prim op, float a, float b, float c)
{
    switch (op) {
#define F(function) function##f
#define PRIM(name, text, arity, operands, result, spelt, spelling, work, integers, floats)         \
    case name:                                                                                     \
        return (double)(floats);
#include "ir/prim.def"
#undef PRIM
#undef F
    case PRIM_COUNT: break;
    }
    return (double)NAN;
}

static uint64_t float_prim(Prim op, Scalar type, const uint64_t *args)
{
    double x[PRIM_OPERANDS] = {0};
    for (int i = 0; i < prim_info[op].arity; i++) x[i] = float_value(args[i]);
    double r = type == SCALAR_F64 ? prim_f64(op, x[0], x[1], x[2])
                                  : prim_f32(op, (float)x[0], (float)x[1], (float)x[2]);
    return prim_info[op].result == GIVES_BOOL ? r != 0 : float_bits(scalar_round(type, r));
}

// --- integers and bool -------------------------------------------------------------------------

// Compares two integers of type `type`. Returns -1, 0 or 1 if `a` is less than, equal to or greater
// than `b`.
static int order(Scalar type, uint64_t a, uint64_t b)
{
    if (scalar_info[type].class == CLASS_INT)
        return ((int64_t)a > (int64_t)b) - ((int64_t)a < (int64_t)b);
    return (a > b) - (a < b);
}

// a / b. -2^63 / -1 wraps to -2^63, and the corresponding remainder is 0.
static uint64_t quotient(Scalar type, uint64_t a, uint64_t b)
{
    if (scalar_info[type].class != CLASS_INT) return a / b;
    return (int64_t)b == -1 ? 0 - a : (uint64_t)((int64_t)a / (int64_t)b);
}

static uint64_t remainder_of(Scalar type, uint64_t a, uint64_t b)
{
    if (scalar_info[type].class != CLASS_INT) return a % b;
    return (int64_t)b == -1 ? 0 : (uint64_t)((int64_t)a % (int64_t)b);
}

static uint64_t complement(Scalar type, uint64_t a)
{
    return scalar_info[type].class == CLASS_BOOL ? !a : ~a;
}

// The shift count modulo the width.
static uint64_t counted(Scalar type, uint64_t count)
{
    return count & ((uint64_t)scalar_info[type].size * 8 - 1);
}

// The operator >>>, which keeps the sign of signed integers.
static uint64_t shifted(Scalar type, uint64_t a, uint64_t count)
{
    count = counted(type, count);
    if (scalar_info[type].class != CLASS_INT || (int64_t)a >= 0) return a >> count;
    return ~(~a >> count);
}

static int width(Scalar type)
{
    return scalar_info[type].size * 8;
}

// The bits of an integer, without those that extend it to 64 bits.
static uint64_t own_bits(Scalar type, uint64_t a)
{
    return scalar_wrap(scalar_unsigned(type), a);
}

static uint64_t ones(Scalar type, uint64_t a)
{
    uint64_t count = 0;
    for (a = own_bits(type, a); a; a &= a - 1) count++;
    return count;
}

static uint64_t leading_zeros(Scalar type, uint64_t a)
{
    int zeros = width(type);
    for (a = own_bits(type, a); a; a >>= 1) zeros--;
    return (uint64_t)zeros;
}

static uint64_t trailing_zeros(Scalar type, uint64_t a)
{
    uint64_t lowest = own_bits(type, a & (0 - a));
    return lowest ? ones(SCALAR_U64, lowest - 1) : (uint64_t)width(type);
}

// The bits of an integer rotated to the left.
static uint64_t rotated(Scalar type, uint64_t a, uint64_t count)
{
    count = counted(type, count);
    a = own_bits(type, a);
    return count == 0 ? a : a << count | a >> ((uint64_t)width(type) - count);
}

__extension__ typedef unsigned __int128 Wide;

// The upper half of the product. The upper half of a product of signed integers is that of the
// unsigned ones less each factor whose other factor is negative.
static uint64_t high_product(Scalar type, uint64_t a, uint64_t b)
{
    bool is_signed = scalar_info[type].class == CLASS_INT;
    uint64_t high = (uint64_t)((Wide)a * b >> 64);
    if (is_signed && (int64_t)a < 0) high -= b;
    if (is_signed && (int64_t)b < 0) high -= a;
    return width(type) == 64 ? high : a * b >> width(type);
}

// The nearest number of the type to one that may be too large or too small by the number of bits
// that an i64 has more.
static uint64_t clamped(Scalar type, int64_t x)
{
    bool is_signed = scalar_info[type].class == CLASS_INT;
    int64_t most = (int64_t)(UINT64_MAX >> (64 - width(type) + is_signed));
    int64_t least = is_signed ? -most - 1 : 0;
    return (uint64_t)(x < least ? least : x > most ? most : x);
}

static uint64_t saturated_sum(Scalar type, uint64_t a, uint64_t b)
{
    int64_t sum;
    if (type == SCALAR_U64) return a + b < a ? UINT64_MAX : a + b;
    bool beyond = __builtin_add_overflow((int64_t)a, (int64_t)b, &sum);
    return clamped(type, !beyond ? sum : (int64_t)a < 0 ? INT64_MIN : INT64_MAX);
}

static uint64_t saturated_difference(Scalar type, uint64_t a, uint64_t b)
{
    int64_t difference;
    if (type == SCALAR_U64) return a < b ? 0 : a - b;
    bool beyond = __builtin_sub_overflow((int64_t)a, (int64_t)b, &difference);
    return clamped(type, !beyond ? difference : (int64_t)a < 0 ? INT64_MIN : INT64_MAX);
}

static uint64_t integer_prim(Prim op, Scalar type, uint64_t a, uint64_t b)
{
    switch (op) {
#define PRIM(name, text, arity, operands, result, spelt, spelling, work, integers, floats)         \
    case name:                                                                                     \
        return integers;
#include "ir/prim.def"
#undef PRIM
    case PRIM_COUNT: break;
    }
    return 0;
}

// The operators to_bits and from_bits. In the exact algebra, bits are the representative.
static uint64_t eval_bits(Prim op, Scalar type, Algebra algebra, uint64_t a)
{
    Scalar to = prim_result(op, type);
    if (scalar_info[to].class == CLASS_FLOAT)
        return algebra == ALGEBRA_FIELD ? field_cast(type, to, a) : float_from_bits(to, a);
    if (scalar_info[type].class != CLASS_FLOAT) return scalar_wrap(to, a);
    return algebra == ALGEBRA_FIELD ? field_cast(type, to, a) : float_to_bits(type, a);
}

bool eval_prim(Prim op, Scalar type, Algebra algebra, const uint64_t *args, uint64_t *result,
               DiagCode *code)
{
    if (op == PRIM_TO_BITS || op == PRIM_FROM_BITS) {
        *result = eval_bits(op, type, algebra, args[0]);
        return true;
    }
    if (scalar_info[type].class == CLASS_FLOAT) {
        *result = algebra == ALGEBRA_FIELD ? field_prim(op, args) : float_prim(op, type, args);
        return true;
    }
    uint64_t a = args[0], b = prim_info[op].arity > 1 ? args[1] : 0;
    bool by_zero = (op == PRIM_DIV || op == PRIM_REM) && b == 0;
    *code = by_zero ? E0602 : E0901; // E0901: the operator is only defined on floats
    if (by_zero || prim_info[op].operands == ON_FLOAT) return false;
    *result = integer_prim(op, type, a, b);
    *result = scalar_wrap(prim_result(op, type), *result);
    return true;
}

// --- casts -------------------------------------------------------------------------------------

// Converts a float to an integer. Rounds toward zero and saturates at the ends of the range. NaN
// becomes 0.
static uint64_t saturate(Scalar to, double x)
{
    int bits = scalar_info[to].size * 8;
    bool is_signed = scalar_info[to].class == CLASS_INT;
    double limit = ldexp(1, is_signed ? bits - 1 : bits); // one above the greatest value
    if (isnan(x)) return 0;
    if (x >= limit)
        return scalar_wrap(to, is_signed ? (UINT64_C(1) << (bits - 1)) - 1 : UINT64_MAX);
    if (!is_signed) return x <= 0 ? 0 : (uint64_t)x;
    if (x < -limit) return scalar_wrap(to, UINT64_C(1) << (bits - 1));
    return (uint64_t)(int64_t)x;
}

// Converts an integer to a float, rounding only once. Since a double cannot hold every 64-bit
// integer, a conversion to f32 must not go through double. A conversion to f16 may, since integers
// that a double cannot hold are beyond the range of f16.
static double integer_to_float(Scalar from, Scalar to, uint64_t bits)
{
    bool is_signed = scalar_info[from].class == CLASS_INT;
    if (to == SCALAR_F32) return is_signed ? (double)(float)(int64_t)bits : (double)(float)bits;
    return scalar_round(to, is_signed ? (double)(int64_t)bits : (double)bits);
}

uint64_t eval_cast(Scalar from, Scalar to, Algebra algebra, uint64_t bits)
{
    bool from_float = scalar_info[from].class == CLASS_FLOAT,
         to_float = scalar_info[to].class == CLASS_FLOAT;
    if (from == to) return bits; // NaNs too
    if (algebra == ALGEBRA_FIELD && (from_float || to_float)) return field_cast(from, to, bits);
    if (from_float && to_float) return float_bits(scalar_round(to, float_value(bits)));
    if (to_float) return float_bits(integer_to_float(from, to, bits));
    if (to == SCALAR_BOOL) return from_float ? float_value(bits) != 0 : bits != 0;
    return from_float ? saturate(to, float_value(bits)) : scalar_wrap(to, bits);
}

uint64_t field_of_literal(Node *type, uint64_t bits)
{
    return type_is_float(type) ? field_from_double(float_value(bits)) : bits;
}

Node *core_literal_like(Session *cx, Node *e, uint64_t bits)
{
    return node_make(
        cx, &(NodeSpec){.kind = CORE_LIT, .attr.bits = bits, .type = e->type, .origin = e->origin});
}

bool core_is_float_zero(Node *e, bool negative)
{
    return e->kind == CORE_LIT && type_is_float(e->type) &&
           e->attr.bits == float_bits(negative ? -0.0 : 0.0);
}

// Stores the operands of an operator in args, and their type in *scalar. Returns false if they are
// not literals of a scalar type.
static bool literal_arguments(Node *e, Scalar *scalar, uint64_t *args)
{
    if (!type_is_scalar(e->op[0]->type, scalar)) return false;
    for (uint32_t i = 0; i < e->nops; i++) {
        if (e->op[i]->kind != CORE_LIT) return false;
        args[i] = e->op[i]->attr.bits;
    }
    return true;
}

Node *core_literal_of_prim(Session *cx, Node *e)
{
    uint64_t args[PRIM_OPERANDS] = {0}, exact[PRIM_OPERANDS] = {0}, result, same;
    DiagCode code;
    Prim op = (Prim)e->attr.i;
    Scalar scalar;
    if (!literal_arguments(e, &scalar, args)) return e;
    for (uint32_t i = 0; i < e->nops; i++) exact[i] = field_of_literal(e->op[0]->type, args[i]);
    if (!eval_prim(op, scalar, ALGEBRA_IEEE, args, &result, &code) ||
        !eval_prim(op, scalar, ALGEBRA_FIELD, exact, &same, &code))
        return e;
    return same == field_of_literal(e->type, result) ? core_literal_like(cx, e, result) : e;
}

Node *core_rounded_literal(Session *cx, Node *e)
{
    uint64_t args[PRIM_OPERANDS] = {0}, result;
    Node *ops[PRIM_OPERANDS];
    DiagCode code;
    Scalar scalar;
    if (e->kind != CORE_PRIM || !type_is_float(e->type)) return e;
    for (uint32_t i = 0; i < e->nops; i++) ops[i] = core_rounded_literal(cx, e->op[i]);
    Node *rounded = node_with_ops(cx, e, ops);
    if (!literal_arguments(rounded, &scalar, args)) return e;
    if (!eval_prim((Prim)e->attr.i, scalar, ALGEBRA_IEEE, args, &result, &code)) return e;
    bool kept = e->attr.i == PRIM_FROM_BITS && isnan(float_value(result)); // NAN has other bits
    return kept ? e : core_literal_like(cx, e, result);
}

Node *core_literal_of_cast(Session *cx, Node *e)
{
    Node *x = e->kind == CORE_CAST ? e->op[0] : NULL;
    if (!x || x->kind != CORE_LIT) return e;
    if (x->type->kind != TYPE_SCALAR || e->type->kind != TYPE_SCALAR) return e;
    Scalar from = (Scalar)x->type->attr.i, to = (Scalar)e->type->attr.i;
    uint64_t bits = eval_cast(from, to, ALGEBRA_IEEE, x->attr.bits);
    uint64_t exact = eval_cast(from, to, ALGEBRA_FIELD, field_of_literal(x->type, x->attr.bits));
    return exact == field_of_literal(e->type, bits) ? core_literal_like(cx, e, bits) : e;
}
