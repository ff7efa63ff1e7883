// The bits of floats: those of a double, as which atoms hold all of them, and those of their types.
#include "core/eval/eval.h"

#include <math.h>

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

// An IEEE format: the bits of a number, those of its significand, and its largest exponent, that of
// infinity and NaN.
typedef struct {
    int all, digits, most;
} Format;

static Format format_of(Scalar type)
{
    int all = scalar_info[type].size * 8;
    int digits = type == SCALAR_F64 ? 52 : type == SCALAR_F32 ? 23 : 10;
    return (Format){all, digits, (1 << (all - 1 - digits)) - 1};
}

enum { WIDE_DIGITS = 52, WIDE_MOST = 0x7ff }; // of a double

uint64_t float_to_bits(Scalar type, uint64_t value)
{
    Format f = format_of(type);
    double x = fabs(float_value(value));
    uint64_t sign = value >> 63 << (f.all - 1), infinity = (uint64_t)f.most << f.digits;
    uint64_t significand = value & ((UINT64_C(1) << WIDE_DIGITS) - 1);
    int bias = f.most / 2, exponent;
    if (isnan(x) || isinf(x)) return sign | infinity | significand >> (WIDE_DIGITS - f.digits);
    if (x < ldexp(1, 1 - bias)) return sign | (uint64_t)ldexp(x, bias - 1 + f.digits);
    double scaled = ldexp(frexp(x, &exponent), f.digits + 1); // with the first digit
    return sign | (((uint64_t)(exponent - 2 + bias) << f.digits) + (uint64_t)scaled);
}

uint64_t float_from_bits(Scalar type, uint64_t bits)
{
    Format f = format_of(type);
    uint64_t first = UINT64_C(1) << f.digits, significand = bits & (first - 1);
    int exponent = (int)(bits >> f.digits) & f.most;
    uint64_t sign = bits >> (f.all - 1) << 63;
    if (exponent == f.most)
        return sign | (uint64_t)WIDE_MOST << WIDE_DIGITS | significand << (WIDE_DIGITS - f.digits);
    if (exponent > 0) significand |= first;
    int scale = (exponent > 0 ? exponent : 1) - f.most / 2 - f.digits;
    return sign | float_bits(ldexp((double)significand, scale));
}
