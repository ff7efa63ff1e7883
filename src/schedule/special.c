// Special values, which violate equations that hold for most numbers: NaN, infinities, signed
// zeros, the limits of integer types, the smallest integers that a float cannot represent exactly,
// and shift counts that are too large.
#include "schedule/random.h"

#include <math.h>

static uint64_t float_special(Scalar s, int k)
{
    const double digits = s == SCALAR_F64   ? 0x1p53
                          : s == SCALAR_F32 ? 0x1p24
                                            : 0x1p11,
                 most = s == SCALAR_F64   ? 0x1.fffffffffffffp1023
                        : s == SCALAR_F32 ? 0x1.fffffep127
                                          : 65504.0,
                 least = s == SCALAR_F64   ? 0x1p-1074
                         : s == SCALAR_F32 ? 0x1p-149
                                           : 0x1p-24;
    const double all[SPECIALS] = {NAN,   0.0,   -0.0,   1.0, -1.0,   INFINITY,   -INFINITY, most,
                                  -most, least, -least, 0.5, digits, digits + 2, -0x1p31};
    return float_bits(scalar_round(s, all[k]));
}

static uint64_t integer_special(Scalar s, int k)
{
    int bits = scalar_info[s].size * 8;
    uint64_t top = (uint64_t)1 << (bits - 1), width = (uint64_t)bits;
    const uint64_t all[SPECIALS] = {top,       top - 1, 0,       1,     UINT64_MAX,
                                    top + 1,   top - 2, 2,       width, width - 1,
                                    width + 1, 3,       top / 2, 7,     UINT64_MAX - 1};
    return scalar_wrap(s, all[k]);
}

uint64_t special_bits(Scalar s, int k)
{
    switch (scalar_info[s].class) {
    case CLASS_FLOAT: return float_special(s, k % SPECIALS);
    case CLASS_BOOL: return (uint64_t)k & 1;
    case CLASS_INT:
    case CLASS_UINT: break;
    }
    return integer_special(s, k % SPECIALS);
}
