// Scalar operators and casts as IEEE numbers and as integers of fixed width.
#include "core/eval.h"

#include <math.h>

bool core_fails_itself(Node *e)
{
    if (e->kind == CORE_TO_IDX || e->kind == CORE_SCATTER || e->kind == VIEW_PERMUTE ||
        e->kind == CORE_ASSERT)
        return true;
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

uint64_t float_bits(double x)
{
    Attr a;
    if (isnan(x)) return UINT64_C(0x7ff8) << 48;
    memcpy(&a.bits, &x, sizeof x);
    return a.bits;
}

double float_value(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

// --- floats ------------------------------------------------------------------------------------

static bool compare_floats(Prim op, double a, double b, uint64_t *result)
{
    switch (op) {
    case PRIM_EQ: *result = a == b; return true;
    case PRIM_NE: *result = a != b; return true;
    case PRIM_LT: *result = a < b; return true;
    case PRIM_LE: *result = a <= b; return true;
    case PRIM_GT: *result = a > b; return true;
    case PRIM_GE: *result = a >= b; return true;
    default: return false;
    }
}

// The functions of <math.h> for f64, and those for f32, which compute f16 as well: float is wide
// enough that rounding the result once more is right for + - * / and sqrt.
#define FLOAT_PRIM(NAME, T, SUFFIX)                                                                \
    static double NAME(Prim op, T a, T b, T c)                                                     \
    {                                                                                              \
        switch (op) {                                                                              \
        case PRIM_ADD: return (double)(a + b);                                                     \
        case PRIM_SUB: return (double)(a - b);                                                     \
        case PRIM_MUL: return (double)(a * b);                                                     \
        case PRIM_DIV: return (double)(a / b);                                                     \
        case PRIM_REM: return (double)fmod##SUFFIX(a, b);                                          \
        case PRIM_NEG: return (double)-a;                                                          \
        case PRIM_MIN: return (double)(a < b ? a : b);                                             \
        case PRIM_MAX: return (double)(a > b ? a : b);                                             \
        case PRIM_ABS: return (double)fabs##SUFFIX(a);                                             \
        case PRIM_SQRT: return (double)sqrt##SUFFIX(a);                                            \
        case PRIM_EXP: return (double)exp##SUFFIX(a);                                              \
        case PRIM_EXP2: return (double)exp2##SUFFIX(a);                                            \
        case PRIM_LOG: return (double)log##SUFFIX(a);                                              \
        case PRIM_LOG2: return (double)log2##SUFFIX(a);                                            \
        case PRIM_LOG10: return (double)log10##SUFFIX(a);                                          \
        case PRIM_SIN: return (double)sin##SUFFIX(a);                                              \
        case PRIM_COS: return (double)cos##SUFFIX(a);                                              \
        case PRIM_TAN: return (double)tan##SUFFIX(a);                                              \
        case PRIM_ASIN: return (double)asin##SUFFIX(a);                                            \
        case PRIM_ACOS: return (double)acos##SUFFIX(a);                                            \
        case PRIM_ATAN: return (double)atan##SUFFIX(a);                                            \
        case PRIM_ATAN2: return (double)atan2##SUFFIX(a, b);                                       \
        case PRIM_SINH: return (double)sinh##SUFFIX(a);                                            \
        case PRIM_COSH: return (double)cosh##SUFFIX(a);                                            \
        case PRIM_TANH: return (double)tanh##SUFFIX(a);                                            \
        case PRIM_ERF: return (double)erf##SUFFIX(a);                                              \
        case PRIM_POW: return (double)pow##SUFFIX(a, b);                                           \
        case PRIM_FLOOR: return (double)floor##SUFFIX(a);                                          \
        case PRIM_CEIL: return (double)ceil##SUFFIX(a);                                            \
        case PRIM_ROUND: return (double)round##SUFFIX(a);                                          \
        case PRIM_TRUNC: return (double)trunc##SUFFIX(a);                                          \
        case PRIM_FMA: return (double)fma##SUFFIX(a, b, c);                                        \
        case PRIM_NOT:                                                                             \
        case PRIM_AND:                                                                             \
        case PRIM_OR:                                                                              \
        case PRIM_XOR:                                                                             \
        case PRIM_SHL:                                                                             \
        case PRIM_SHR:                                                                             \
        case PRIM_EQ:                                                                              \
        case PRIM_NE:                                                                              \
        case PRIM_LT:                                                                              \
        case PRIM_LE:                                                                              \
        case PRIM_GT:                                                                              \
        case PRIM_GE:                                                                              \
        case PRIM_COUNT: break;                                                                    \
        }                                                                                          \
        return (double)NAN;                                                                        \
    }
FLOAT_PRIM(prim_f64, double, )
FLOAT_PRIM(prim_f32, float, f)

static uint64_t float_prim(Prim op, Scalar type, const uint64_t *args)
{
    double x[PRIM_OPERANDS] = {0};
    for (int i = 0; i < prim_info[op].arity; i++) x[i] = float_value(args[i]);
    uint64_t truth;
    if (compare_floats(op, x[0], x[1], &truth)) return truth;
    double r = type == SCALAR_F64 ? prim_f64(op, x[0], x[1], x[2])
                                  : prim_f32(op, (float)x[0], (float)x[1], (float)x[2]);
    return float_bits(scalar_round(type, r));
}

// --- integers and bool -------------------------------------------------------------------------

// Order of two integers of a type: -1, 0, 1.
static int order(Scalar type, uint64_t a, uint64_t b)
{
    if (scalar_info[type].class == CLASS_INT)
        return ((int64_t)a > (int64_t)b) - ((int64_t)a < (int64_t)b);
    return (a > b) - (a < b);
}

// a / b and a % b; -2^63 / -1 wraps to -2^63 with remainder 0.
static void divide(Scalar type, uint64_t a, uint64_t b, uint64_t *quotient, uint64_t *remainder)
{
    if (scalar_info[type].class != CLASS_INT) {
        *quotient = a / b;
        *remainder = a % b;
    } else if ((int64_t)b == -1) {
        *quotient = 0 - a;
        *remainder = 0;
    } else {
        *quotient = (uint64_t)((int64_t)a / (int64_t)b);
        *remainder = (uint64_t)((int64_t)a % (int64_t)b);
    }
}

// The count is taken modulo the width; >>> keeps the sign of signed integers.
static uint64_t shift(Prim op, Scalar type, uint64_t a, uint64_t count)
{
    count &= (uint64_t)scalar_info[type].size * 8 - 1;
    if (op == PRIM_SHL) return a << count;
    if (scalar_info[type].class != CLASS_INT || (int64_t)a >= 0) return a >> count;
    return ~(~a >> count);
}

static bool integer_prim(Prim op, Scalar type, uint64_t a, uint64_t b, uint64_t *r, DiagCode *code)
{
    uint64_t unused;
    switch (op) {
    case PRIM_ADD: *r = a + b; return true;
    case PRIM_SUB: *r = a - b; return true;
    case PRIM_MUL: *r = a * b; return true;
    case PRIM_DIV:
    case PRIM_REM:
        *code = E0602;
        if (b == 0) return false;
        if (op == PRIM_DIV)
            divide(type, a, b, r, &unused);
        else
            divide(type, a, b, &unused, r);
        return true;
    case PRIM_NEG: *r = 0 - a; return true;
    case PRIM_NOT: *r = scalar_info[type].class == CLASS_BOOL ? !a : ~a; return true;
    case PRIM_AND: *r = a & b; return true;
    case PRIM_OR: *r = a | b; return true;
    case PRIM_XOR: *r = a ^ b; return true;
    case PRIM_SHL:
    case PRIM_SHR: *r = shift(op, type, a, b); return true;
    case PRIM_EQ: *r = a == b; return true;
    case PRIM_NE: *r = a != b; return true;
    case PRIM_LT: *r = order(type, a, b) < 0; return true;
    case PRIM_LE: *r = order(type, a, b) <= 0; return true;
    case PRIM_GT: *r = order(type, a, b) > 0; return true;
    case PRIM_GE: *r = order(type, a, b) >= 0; return true;
    case PRIM_MIN: *r = order(type, a, b) < 0 ? a : b; return true;
    case PRIM_MAX: *r = order(type, a, b) > 0 ? a : b; return true;
    case PRIM_ABS: *r = order(type, a, 0) < 0 ? 0 - a : a; return true;
    default: *code = E0901; return false; // an operator on floats only
    }
}

bool eval_prim(Prim op, Scalar type, Algebra algebra, const uint64_t *args, uint64_t *result,
               DiagCode *code)
{
    if (scalar_info[type].class == CLASS_FLOAT) {
        *result = algebra == ALGEBRA_FIELD ? field_prim(op, args) : float_prim(op, type, args);
        return true;
    }
    if (!integer_prim(op, type, args[0], prim_info[op].arity > 1 ? args[1] : 0, result, code))
        return false;
    if (prim_info[op].result == GIVES_SAME) *result = scalar_wrap(type, *result);
    return true;
}

// --- casts -------------------------------------------------------------------------------------

// Toward zero, stopping at the ends of the range; NaN gives 0.
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

// In one rounding: a double cannot hold every 64-bit integer, so f32 does not come by way of it
// (f16 may: integers that a double cannot hold are beyond its range).
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

// The arguments of an operator on literals.
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
    return core_literal_like(cx, e, result);
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
