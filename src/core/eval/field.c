// The exact algebra: applies runtime/adze_field.h, which generated C includes too, to the operators
// and types in the compiler's tables.
#include "core/eval/eval.h"

_Static_assert((int)ADZE_FIELD_ADD == (int)PRIM_ADD, "operators are numbered alike");
_Static_assert((int)ADZE_FIELD_SUB == (int)PRIM_SUB, "operators are numbered alike");
_Static_assert((int)ADZE_FIELD_MUL == (int)PRIM_MUL, "operators are numbered alike");
_Static_assert((int)ADZE_FIELD_DIV == (int)PRIM_DIV, "operators are numbered alike");
_Static_assert((int)ADZE_FIELD_NEG == (int)PRIM_NEG, "operators are numbered alike");
_Static_assert((int)ADZE_FIELD_MIN == (int)PRIM_MIN, "operators are numbered alike");
_Static_assert((int)ADZE_FIELD_MAX == (int)PRIM_MAX, "operators are numbered alike");
_Static_assert((int)ADZE_FIELD_ABS == (int)PRIM_ABS, "operators are numbered alike");
_Static_assert((int)ADZE_FIELD_EXP == (int)PRIM_EXP, "operators are numbered alike");
_Static_assert((int)ADZE_FIELD_ATAN == (int)PRIM_ATAN, "operators are numbered alike");
_Static_assert((int)ADZE_FIELD_SINH == (int)PRIM_SINH, "operators are numbered alike");
_Static_assert((int)ADZE_FIELD_POW == (int)PRIM_POW, "operators are numbered alike");
_Static_assert((int)ADZE_FIELD_TRUNC == (int)PRIM_TRUNC, "operators are numbered alike");

uint64_t field_from_double(double x)
{
    return adze_field_from_double(x);
}

uint64_t field_prim(Prim op, const uint64_t *args)
{
    switch (op) {
    case PRIM_EQ: return args[0] == args[1];
    case PRIM_NE: return args[0] != args[1];
    case PRIM_LT: return args[0] < args[1];
    case PRIM_LE: return args[0] <= args[1];
    case PRIM_GT: return args[0] > args[1];
    case PRIM_GE: return args[0] >= args[1];
    default: break; // arithmetic
    }
    if (op == PRIM_FMA)
        return adze_field_prim2(PRIM_ADD, adze_field_prim2(PRIM_MUL, args[0], args[1]), args[2]);
    if (prim_info[op].arity == 1) return adze_field_prim1((int)op, args[0]);
    return adze_field_prim2((int)op, args[0], args[1]);
}

uint64_t field_cast(Scalar from, Scalar to, uint64_t bits)
{
    bool from_float = scalar_info[from].class == CLASS_FLOAT;
    if (scalar_info[to].class != CLASS_FLOAT) return scalar_wrap(to, bits);
    if (from_float) return bits;
    if (scalar_info[from].class == CLASS_INT) return adze_field_from_i64((int64_t)bits);
    return adze_field_from_u64(bits);
}
