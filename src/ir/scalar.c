// Wraps integers to their type, rounds floats, and says which types operators take and give.
#include "ir/node.h"

#include <math.h>

uint64_t scalar_wrap(Scalar s, uint64_t bits)
{
    const ScalarInfo *info = &scalar_info[s];
    int unused = 64 - 8 * info->size;
    switch (info->class) {
    case CLASS_BOOL: return bits != 0;
    case CLASS_INT: return (uint64_t)((int64_t)(bits << unused) >> unused);
    case CLASS_UINT: return bits << unused >> unused;
    case CLASS_FLOAT: return bits;
    }
    return bits;
}

// binary16 has an 11-bit significand, and its smallest subnormal number is 2^-24. 65520 is halfway
// between its largest finite number and the next power of two.
static double round_to_f16(double x)
{
    if (isnan(x) || isinf(x) || x == 0) return x;
    if (fabs(x) >= 65520) return copysign(INFINITY, x);
    int exponent;
    frexp(x, &exponent);
    double unit = ldexp(1, exponent - 11 > -24 ? exponent - 11 : -24);
    return rint(x / unit) * unit;
}

double scalar_round(Scalar s, double value)
{
    if (s == SCALAR_F16) return round_to_f16(value);
    return s == SCALAR_F32 ? (double)(float)value : value;
}

Scalar scalar_unsigned(Scalar s)
{
    static const Scalar by_size[] = {
        [1] = SCALAR_U8, [2] = SCALAR_U16, [4] = SCALAR_U32, [8] = SCALAR_U64};
    return by_size[scalar_info[s].size];
}

Scalar scalar_float(Scalar s)
{
    static const Scalar by_size[] = {[2] = SCALAR_F16, [4] = SCALAR_F32, [8] = SCALAR_F64};
    return by_size[scalar_info[s].size];
}

bool prim_takes(Prim op, Scalar s)
{
    ScalarClass class = scalar_info[s].class;
    switch (prim_info[op].operands) {
    case ON_ANY: return true;
    case ON_BOOL: return class == CLASS_BOOL;
    case ON_INT: return class == CLASS_INT || class == CLASS_UINT;
    case ON_FLOAT: return class == CLASS_FLOAT;
    case ON_NUM: return class != CLASS_BOOL;
    case ON_LOGIC: return class != CLASS_FLOAT;
    case ON_BITS: return class == CLASS_UINT && scalar_info[s].size > 1;
    }
    return false;
}

Scalar prim_result(Prim op, Scalar s)
{
    switch (prim_info[op].result) {
    case GIVES_SAME: return s;
    case GIVES_BOOL: return SCALAR_BOOL;
    case GIVES_UNSIGNED: return scalar_unsigned(s);
    case GIVES_FLOAT: return scalar_float(s);
    }
    return s;
}

bool prim_is_hint(Prim op)
{
    return op == PRIM_LIKELY || op == PRIM_UNLIKELY;
}

bool prim_counts_bits(Prim op)
{
    return op == PRIM_POPCOUNT || op == PRIM_CLZ || op == PRIM_CTZ;
}
