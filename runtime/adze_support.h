// Functions that generated C calls. The emitter copies the sections that a file needs, and those
// that they need, into the file; a section begins with `//= NAME [needs ..]`. The whole file can
// also be included.
#ifndef ADZE_SUPPORT_H
#define ADZE_SUPPORT_H

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

//= minus_zero_f32
// clang 14 confuses -0.0 with 0.0 if a comparison with 0 selects a constant, as in
// `x < 0 ? -0.0 : x`. A variable that another file may define is not a constant.
#ifdef __clang__
__attribute__((weak, visibility("hidden"))) float adze_minus_zero_f32 = -0.0f;
#else
#define adze_minus_zero_f32 (-0.0f)
#endif
//= minus_zero_f64
#ifdef __clang__
__attribute__((weak, visibility("hidden"))) double adze_minus_zero_f64 = -0.0;
#else
#define adze_minus_zero_f64 (-0.0)
#endif
//= floor_div
// Floor division and its remainder; b > 0.
static inline int64_t adze_floor_div(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}
//= floor_mod
static inline int64_t adze_floor_mod(int64_t a, int64_t b)
{
    int64_t r = a % b;
    return r < 0 ? r + b : r;
}
//= size_min
static inline int64_t adze_size_min(int64_t a, int64_t b)
{
    return a < b ? a : b;
}
//= size_max
static inline int64_t adze_size_max(int64_t a, int64_t b)
{
    return a > b ? a : b;
}
//= size_pow
static inline int64_t adze_size_pow(int64_t base, int64_t exponent)
{
    uint64_t result = 1, square = (uint64_t)base;
    for (; exponent > 0; exponent /= 2) {
        if (exponent % 2) result *= square;
        square *= square;
    }
    return (int64_t)result;
}
//= sat_mul
// Sizes of memory saturate at INT64_MAX.
static inline int64_t adze_sat_mul(int64_t a, int64_t b)
{
    int64_t r = 0;
    bool beyond = a == INT64_MAX || b == INT64_MAX || __builtin_mul_overflow(a, b, &r);
    return beyond ? INT64_MAX : r;
}
//= sat_add
static inline int64_t adze_sat_add(int64_t a, int64_t b)
{
    int64_t r = 0;
    bool beyond = a == INT64_MAX || b == INT64_MAX || __builtin_add_overflow(a, b, &r);
    return beyond ? INT64_MAX : r;
}
//= sat_pow needs sat_mul
static inline int64_t adze_sat_pow(int64_t base, int64_t exponent)
{
    int64_t result = 1;
    if (base < 2) return exponent == 0 ? 1 : base == 1;
    while (exponent-- > 0 && result < INT64_MAX) result = adze_sat_mul(result, base);
    return result;
}
//= sat_div needs floor_div
static inline int64_t adze_sat_div(int64_t a, int64_t b)
{
    return a == INT64_MAX ? a : adze_floor_div(a, b);
}
//= alloc
// Memory for `count` elements of `size` bytes, aligned for vectors; NULL when there is not enough.
static inline void *adze_alloc(int64_t count, int64_t size)
{
    int64_t bytes;
    if (count < 0 || __builtin_mul_overflow(count, size, &bytes) || bytes > INT64_MAX / 2)
        return NULL;
    return aligned_alloc(64, ((size_t)bytes + 127) / 64 * 64);
}
//= workspace_bytes
// The bytes of a number of lines of 64 bytes; SIZE_MAX when no machine has as many.
static inline size_t adze_workspace_bytes(int64_t lines)
{
    return lines > INT64_MAX / 128 ? SIZE_MAX : (size_t)lines * 64;
}
//= alloc_workspace
// The last large workspace is kept for the next call, because each page of memory that is new to
// the process costs a page fault. -DADZE_KEPT=... sets the most bytes that are kept, 0 for none.
// gcc's AddressSanitizer finds more if none is kept.
#ifndef ADZE_KEPT
#ifdef __SANITIZE_ADDRESS__
#define ADZE_KEPT 0
#else
#define ADZE_KEPT (1 << 30)
#endif
#endif
static char *adze_workspace_kept; // begins with a line that holds its size

// Memory for a workspace, NULL when there is not enough.
static inline void *adze_alloc_workspace(size_t bytes)
{
    if (bytes > SIZE_MAX - 128) return NULL;
    char *memory = NULL;
    if (bytes >= 1 << 20)
        memory = __atomic_exchange_n(&adze_workspace_kept, NULL, __ATOMIC_ACQ_REL);
    if (memory && *(size_t *)memory < bytes) {
        free(memory);
        memory = NULL;
    }
    if (!memory && (memory = aligned_alloc(64, bytes + 64))) *(size_t *)memory = bytes;
    return memory ? memory + 64 : NULL;
}

static inline void adze_workspace_free(void *workspace)
{
    char *memory = workspace ? (char *)workspace - 64 : NULL;
    if (memory && *(size_t *)memory >= 1 << 20 && *(size_t *)memory <= (size_t)ADZE_KEPT)
        memory = __atomic_exchange_n(&adze_workspace_kept, memory, __ATOMIC_ACQ_REL);
    free(memory);
}
//= part_of
// The part of a workspace from a line on. Each part is requested once, and parts do not overlap, so
// no other pointer aliases the result, which `restrict` says. It does not have the attribute
// `malloc`: gcc 12 then vectorises some loops over several parts to wrong ones.
__attribute__((noinline, unused)) static void *adze_part_of(void *workspace, int64_t line)
{
    return (char *)workspace + line * 64;
}
//= place_in
// The same for a part that other pointers may alias.
static inline void *adze_place_in(void *workspace, int64_t line)
{
    return (char *)workspace + line * 64;
}
//= outside
// The address of an element that may be before or after the array; lanes outside the array are
// inactive.
static inline void *adze_outside(const void *array, int64_t i, int64_t size)
{
    return (void *)((uintptr_t)array + (uintptr_t)i * (uintptr_t)size);
}
//= any_bool
// Element types of memory that has other types at other times.
typedef bool adze_any_bool __attribute__((may_alias));
//= any_i8
typedef int8_t adze_any_i8 __attribute__((may_alias));
//= any_i16
typedef int16_t adze_any_i16 __attribute__((may_alias));
//= any_i32
typedef int32_t adze_any_i32 __attribute__((may_alias));
//= any_i64
typedef int64_t adze_any_i64 __attribute__((may_alias));
//= any_u8
typedef uint8_t adze_any_u8 __attribute__((may_alias));
//= any_u16
typedef uint16_t adze_any_u16 __attribute__((may_alias));
//= any_u32
typedef uint32_t adze_any_u32 __attribute__((may_alias));
//= any_u64
typedef uint64_t adze_any_u64 __attribute__((may_alias));
//= any_f32
typedef float adze_any_f32 __attribute__((may_alias));
//= any_f64
typedef double adze_any_f64 __attribute__((may_alias));
//= div_int
// Integer division that wraps for the least value divided by -1; b is not 0.
#define ADZE_DIV(T, U, name)                                                                       \
    static inline T adze_div_##name(T a, T b)                                                      \
    {                                                                                              \
        return b == -1 ? (T)(0 - (U)a) : (T)(a / b);                                               \
    }
//= div_i8 needs div_int
ADZE_DIV(int8_t, uint8_t, i8)
//= div_i16 needs div_int
ADZE_DIV(int16_t, uint16_t, i16)
//= div_i32 needs div_int
ADZE_DIV(int32_t, uint32_t, i32)
//= div_i64 needs div_int
ADZE_DIV(int64_t, uint64_t, i64)
//= rem_int
// The remainder of this division.
#define ADZE_REM(T, name)                                                                          \
    static inline T adze_rem_##name(T a, T b)                                                      \
    {                                                                                              \
        return b == -1 ? 0 : (T)(a % b);                                                           \
    }
//= rem_i8 needs rem_int
ADZE_REM(int8_t, i8)
//= rem_i16 needs rem_int
ADZE_REM(int16_t, i16)
//= rem_i32 needs rem_int
ADZE_REM(int32_t, i32)
//= rem_i64 needs rem_int
ADZE_REM(int64_t, i64)
//= saturate
// A cast from float to integer that truncates and saturates; NaN gives 0. `limit` is the largest
// value plus 1.
#define ADZE_TO_SIGNED(name, F, T, limit, least, most)                                             \
    static inline T adze_##name(F x)                                                               \
    {                                                                                              \
        return x >= -(F)(limit) ? (x < (F)(limit) ? (T)x : most) : (x != x ? 0 : least);           \
    }
#define ADZE_TO_UNSIGNED(name, F, T, limit, most)                                                  \
    static inline T adze_##name(F x)                                                               \
    {                                                                                              \
        return x > 0 ? (x < (F)(limit) ? (T)x : most) : 0;                                         \
    }
//= f32_to_i8 needs saturate
ADZE_TO_SIGNED(f32_to_i8, float, int8_t, 128, INT8_MIN, INT8_MAX)
//= f32_to_i16 needs saturate
ADZE_TO_SIGNED(f32_to_i16, float, int16_t, 32768, INT16_MIN, INT16_MAX)
//= f32_to_i32 needs saturate
ADZE_TO_SIGNED(f32_to_i32, float, int32_t, 2147483648.0, INT32_MIN, INT32_MAX)
//= f32_to_i64 needs saturate
ADZE_TO_SIGNED(f32_to_i64, float, int64_t, 9223372036854775808.0, INT64_MIN, INT64_MAX)
//= f32_to_u8 needs saturate
ADZE_TO_UNSIGNED(f32_to_u8, float, uint8_t, 256, UINT8_MAX)
//= f32_to_u16 needs saturate
ADZE_TO_UNSIGNED(f32_to_u16, float, uint16_t, 65536, UINT16_MAX)
//= f32_to_u32 needs saturate
ADZE_TO_UNSIGNED(f32_to_u32, float, uint32_t, 4294967296.0, UINT32_MAX)
//= f32_to_u64 needs saturate
ADZE_TO_UNSIGNED(f32_to_u64, float, uint64_t, 18446744073709551616.0, UINT64_MAX)
//= f64_to_i8 needs saturate
ADZE_TO_SIGNED(f64_to_i8, double, int8_t, 128, INT8_MIN, INT8_MAX)
//= f64_to_i16 needs saturate
ADZE_TO_SIGNED(f64_to_i16, double, int16_t, 32768, INT16_MIN, INT16_MAX)
//= f64_to_i32 needs saturate
ADZE_TO_SIGNED(f64_to_i32, double, int32_t, 2147483648.0, INT32_MIN, INT32_MAX)
//= f64_to_i64 needs saturate
ADZE_TO_SIGNED(f64_to_i64, double, int64_t, 9223372036854775808.0, INT64_MIN, INT64_MAX)
//= f64_to_u8 needs saturate
ADZE_TO_UNSIGNED(f64_to_u8, double, uint8_t, 256, UINT8_MAX)
//= f64_to_u16 needs saturate
ADZE_TO_UNSIGNED(f64_to_u16, double, uint16_t, 65536, UINT16_MAX)
//= f64_to_u32 needs saturate
ADZE_TO_UNSIGNED(f64_to_u32, double, uint32_t, 4294967296.0, UINT32_MAX)
//= f64_to_u64 needs saturate
ADZE_TO_UNSIGNED(f64_to_u64, double, uint64_t, 18446744073709551616.0, UINT64_MAX)
//= min
// The smaller value; b if either is NaN, as for the machine instruction.
#define ADZE_MIN(T, name)                                                                          \
    static inline T adze_min_##name(T a, T b)                                                      \
    {                                                                                              \
        return a < b ? a : b;                                                                      \
    }
//= min_i8 needs min
ADZE_MIN(int8_t, i8)
//= min_i16 needs min
ADZE_MIN(int16_t, i16)
//= min_i32 needs min
ADZE_MIN(int32_t, i32)
//= min_i64 needs min
ADZE_MIN(int64_t, i64)
//= min_u8 needs min
ADZE_MIN(uint8_t, u8)
//= min_u16 needs min
ADZE_MIN(uint16_t, u16)
//= min_u32 needs min
ADZE_MIN(uint32_t, u32)
//= min_u64 needs min
ADZE_MIN(uint64_t, u64)
//= min_f32 needs min
ADZE_MIN(float, f32)
//= min_f64 needs min
ADZE_MIN(double, f64)
//= max
// The larger value; b if either is NaN, as for the machine instruction.
#define ADZE_MAX(T, name)                                                                          \
    static inline T adze_max_##name(T a, T b)                                                      \
    {                                                                                              \
        return a > b ? a : b;                                                                      \
    }
//= max_i8 needs max
ADZE_MAX(int8_t, i8)
//= max_i16 needs max
ADZE_MAX(int16_t, i16)
//= max_i32 needs max
ADZE_MAX(int32_t, i32)
//= max_i64 needs max
ADZE_MAX(int64_t, i64)
//= max_u8 needs max
ADZE_MAX(uint8_t, u8)
//= max_u16 needs max
ADZE_MAX(uint16_t, u16)
//= max_u32 needs max
ADZE_MAX(uint32_t, u32)
//= max_u64 needs max
ADZE_MAX(uint64_t, u64)
//= max_f32 needs max
ADZE_MAX(float, f32)
//= max_f64 needs max
ADZE_MAX(double, f64)
//= not
#define ADZE_NOT(T, name)                                                                          \
    static inline T adze_not_##name(T a)                                                           \
    {                                                                                              \
        return (T)~a;                                                                              \
    }
//= not_i8 needs not
ADZE_NOT(int8_t, i8)
//= not_i16 needs not
ADZE_NOT(int16_t, i16)
//= not_u8 needs not
ADZE_NOT(uint8_t, u8)
//= not_u16 needs not
ADZE_NOT(uint16_t, u16)
//= opaque
// A copy of a value that hides its computation from gcc.
#if defined(__GNUC__) && !defined(__clang__)
#define ADZE_OPAQUE(T, name)                                                                       \
    static inline T adze_opaque_##name(T a)                                                        \
    {                                                                                              \
        __asm__("" : "+r"(a));                                                                     \
        return a;                                                                                  \
    }
#else
#define ADZE_OPAQUE(T, name)                                                                       \
    static inline T adze_opaque_##name(T a)                                                        \
    {                                                                                              \
        return a;                                                                                  \
    }
#endif
//= opaque_i8 needs opaque
ADZE_OPAQUE(int8_t, i8)
//= opaque_i16 needs opaque
ADZE_OPAQUE(int16_t, i16)
//= opaque_i32 needs opaque
ADZE_OPAQUE(int32_t, i32)
//= opaque_i64 needs opaque
ADZE_OPAQUE(int64_t, i64)
//= opaque_u8 needs opaque
ADZE_OPAQUE(uint8_t, u8)
//= opaque_u16 needs opaque
ADZE_OPAQUE(uint16_t, u16)
//= opaque_u32 needs opaque
ADZE_OPAQUE(uint32_t, u32)
//= opaque_u64 needs opaque
ADZE_OPAQUE(uint64_t, u64)
//= add_f32
static inline float adze_add_f32(float a, float b)
{
    return a + b;
}
//= add_f64
static inline double adze_add_f64(double a, double b)
{
    return a + b;
}
//= sub_f32
static inline float adze_sub_f32(float a, float b)
{
    return a - b;
}
//= sub_f64
static inline double adze_sub_f64(double a, double b)
{
    return a - b;
}
//= abs_int
// The absolute value; the least integer is its own absolute value.
#define ADZE_ABS(T, U, name)                                                                       \
    static inline T adze_abs_##name(T a)                                                           \
    {                                                                                              \
        return a < 0 ? (T)(0 - (U)a) : a;                                                          \
    }
//= abs_i8 needs abs_int
ADZE_ABS(int8_t, uint8_t, i8)
//= abs_i16 needs abs_int
ADZE_ABS(int16_t, uint16_t, i16)
//= abs_i32 needs abs_int
ADZE_ABS(int32_t, uint32_t, i32)
//= abs_i64 needs abs_int
ADZE_ABS(int64_t, uint64_t, i64)
//= to_bits
// The bits of a float, and the float with given bits.
#define ADZE_BITS(name, T, R)                                                                      \
    static inline R adze_##name(T a)                                                               \
    {                                                                                              \
        R result;                                                                                  \
        memcpy(&result, &a, sizeof a);                                                             \
        return result;                                                                             \
    }
//= to_bits_f32 needs to_bits
ADZE_BITS(to_bits_f32, float, uint32_t)
//= to_bits_f64 needs to_bits
ADZE_BITS(to_bits_f64, double, uint64_t)
//= from_bits_u32 needs to_bits
ADZE_BITS(from_bits_u32, uint32_t, float)
//= from_bits_u64 needs to_bits
ADZE_BITS(from_bits_u64, uint64_t, double)
//= likely_bool
// A condition that mostly holds.
static inline bool adze_likely_bool(bool c)
{
    return __builtin_expect(c, 1);
}
//= unlikely_bool
// A condition that mostly does not hold.
static inline bool adze_unlikely_bool(bool c)
{
    return __builtin_expect(c, 0);
}
//= count_bits
// The number of ones, of leading zeros, and of trailing zeros. No zero is counted beyond the
// number.
#define ADZE_POPCOUNT(T, U, name)                                                                  \
    static inline T adze_popcount_##name(T a)                                                      \
    {                                                                                              \
        return (T)(sizeof a == 8 ? __builtin_popcountll((U)a) : __builtin_popcount((U)a));         \
    }
#define ADZE_CLZ(T, U, name)                                                                       \
    static inline T adze_clz_##name(T a)                                                           \
    {                                                                                              \
        int wide = sizeof a == 8 ? 64 : 32, bits = (int)sizeof a * 8;                              \
        if (a == 0) return (T)bits;                                                                \
        return (T)((wide == 64 ? __builtin_clzll((U)a) : __builtin_clz((U)a)) - (wide - bits));    \
    }
#define ADZE_CTZ(T, U, name)                                                                       \
    static inline T adze_ctz_##name(T a)                                                           \
    {                                                                                              \
        if (a == 0) return (T)(sizeof a * 8);                                                      \
        return (T)(sizeof a == 8 ? __builtin_ctzll((U)a) : __builtin_ctz((U)a));                   \
    }
//= popcount_i8 needs count_bits
ADZE_POPCOUNT(int8_t, uint8_t, i8)
//= popcount_i16 needs count_bits
ADZE_POPCOUNT(int16_t, uint16_t, i16)
//= popcount_i32 needs count_bits
ADZE_POPCOUNT(int32_t, uint32_t, i32)
//= popcount_i64 needs count_bits
ADZE_POPCOUNT(int64_t, uint64_t, i64)
//= popcount_u8 needs count_bits
ADZE_POPCOUNT(uint8_t, uint8_t, u8)
//= popcount_u16 needs count_bits
ADZE_POPCOUNT(uint16_t, uint16_t, u16)
//= popcount_u32 needs count_bits
ADZE_POPCOUNT(uint32_t, uint32_t, u32)
//= popcount_u64 needs count_bits
ADZE_POPCOUNT(uint64_t, uint64_t, u64)
//= clz_i8 needs count_bits
ADZE_CLZ(int8_t, uint8_t, i8)
//= clz_i16 needs count_bits
ADZE_CLZ(int16_t, uint16_t, i16)
//= clz_i32 needs count_bits
ADZE_CLZ(int32_t, uint32_t, i32)
//= clz_i64 needs count_bits
ADZE_CLZ(int64_t, uint64_t, i64)
//= clz_u8 needs count_bits
ADZE_CLZ(uint8_t, uint8_t, u8)
//= clz_u16 needs count_bits
ADZE_CLZ(uint16_t, uint16_t, u16)
//= clz_u32 needs count_bits
ADZE_CLZ(uint32_t, uint32_t, u32)
//= clz_u64 needs count_bits
ADZE_CLZ(uint64_t, uint64_t, u64)
//= ctz_i8 needs count_bits
ADZE_CTZ(int8_t, uint8_t, i8)
//= ctz_i16 needs count_bits
ADZE_CTZ(int16_t, uint16_t, i16)
//= ctz_i32 needs count_bits
ADZE_CTZ(int32_t, uint32_t, i32)
//= ctz_i64 needs count_bits
ADZE_CTZ(int64_t, uint64_t, i64)
//= ctz_u8 needs count_bits
ADZE_CTZ(uint8_t, uint8_t, u8)
//= ctz_u16 needs count_bits
ADZE_CTZ(uint16_t, uint16_t, u16)
//= ctz_u32 needs count_bits
ADZE_CTZ(uint32_t, uint32_t, u32)
//= ctz_u64 needs count_bits
ADZE_CTZ(uint64_t, uint64_t, u64)
//= rotate
// Rotations by a count modulo the width, to the left and to the right.
#define ADZE_ROTATE(T, U, name, left, right)                                                       \
    static inline T adze_##name(T a, T count)                                                      \
    {                                                                                              \
        unsigned by = (unsigned)count & (sizeof a * 8 - 1), rest = (0 - by) & (sizeof a * 8 - 1);  \
        return (T)((U)((U)a left by) | (U)((U)a right rest));                                      \
    }
//= rotl_i8 needs rotate
ADZE_ROTATE(int8_t, uint8_t, rotl_i8, <<, >>)
//= rotl_i16 needs rotate
ADZE_ROTATE(int16_t, uint16_t, rotl_i16, <<, >>)
//= rotl_i32 needs rotate
ADZE_ROTATE(int32_t, uint32_t, rotl_i32, <<, >>)
//= rotl_i64 needs rotate
ADZE_ROTATE(int64_t, uint64_t, rotl_i64, <<, >>)
//= rotl_u8 needs rotate
ADZE_ROTATE(uint8_t, uint8_t, rotl_u8, <<, >>)
//= rotl_u16 needs rotate
ADZE_ROTATE(uint16_t, uint16_t, rotl_u16, <<, >>)
//= rotl_u32 needs rotate
ADZE_ROTATE(uint32_t, uint32_t, rotl_u32, <<, >>)
//= rotl_u64 needs rotate
ADZE_ROTATE(uint64_t, uint64_t, rotl_u64, <<, >>)
//= rotr_i8 needs rotate
ADZE_ROTATE(int8_t, uint8_t, rotr_i8, >>, <<)
//= rotr_i16 needs rotate
ADZE_ROTATE(int16_t, uint16_t, rotr_i16, >>, <<)
//= rotr_i32 needs rotate
ADZE_ROTATE(int32_t, uint32_t, rotr_i32, >>, <<)
//= rotr_i64 needs rotate
ADZE_ROTATE(int64_t, uint64_t, rotr_i64, >>, <<)
//= rotr_u8 needs rotate
ADZE_ROTATE(uint8_t, uint8_t, rotr_u8, >>, <<)
//= rotr_u16 needs rotate
ADZE_ROTATE(uint16_t, uint16_t, rotr_u16, >>, <<)
//= rotr_u32 needs rotate
ADZE_ROTATE(uint32_t, uint32_t, rotr_u32, >>, <<)
//= rotr_u64 needs rotate
ADZE_ROTATE(uint64_t, uint64_t, rotr_u64, >>, <<)
//= mul_hi
// The upper half of the product, computed in integers of twice the width.
#define ADZE_MUL_HI(T, W, name)                                                                    \
    static inline T adze_mul_hi_##name(T a, T b)                                                   \
    {                                                                                              \
        return (T)((W)a * (W)b >> (sizeof a * 8));                                                 \
    }
__extension__ typedef __int128 adze_wide_i64;
__extension__ typedef unsigned __int128 adze_wide_u64;
//= mul_hi_i8 needs mul_hi
ADZE_MUL_HI(int8_t, int32_t, i8)
//= mul_hi_i16 needs mul_hi
ADZE_MUL_HI(int16_t, int32_t, i16)
//= mul_hi_i32 needs mul_hi
ADZE_MUL_HI(int32_t, int64_t, i32)
//= mul_hi_i64 needs mul_hi
ADZE_MUL_HI(int64_t, adze_wide_i64, i64)
//= mul_hi_u8 needs mul_hi
ADZE_MUL_HI(uint8_t, uint32_t, u8)
//= mul_hi_u16 needs mul_hi
ADZE_MUL_HI(uint16_t, uint32_t, u16)
//= mul_hi_u32 needs mul_hi
ADZE_MUL_HI(uint32_t, uint64_t, u32)
//= mul_hi_u64 needs mul_hi
ADZE_MUL_HI(uint64_t, adze_wide_u64, u64)
//= saturated
// Sums and differences that saturate at the limits of the type.
#define ADZE_SATURATED(T, name, op, beyond)                                                        \
    static inline T adze_##name(T a, T b)                                                          \
    {                                                                                              \
        T result;                                                                                  \
        return __builtin_##op##_overflow(a, b, &result) ? (T)(beyond) : result;                    \
    }
//= add_sat_i8 needs saturated
ADZE_SATURATED(int8_t, add_sat_i8, add, a < 0 ? INT8_MIN : INT8_MAX)
//= add_sat_i16 needs saturated
ADZE_SATURATED(int16_t, add_sat_i16, add, a < 0 ? INT16_MIN : INT16_MAX)
//= add_sat_i32 needs saturated
ADZE_SATURATED(int32_t, add_sat_i32, add, a < 0 ? INT32_MIN : INT32_MAX)
//= add_sat_i64 needs saturated
ADZE_SATURATED(int64_t, add_sat_i64, add, a < 0 ? INT64_MIN : INT64_MAX)
//= add_sat_u8 needs saturated
ADZE_SATURATED(uint8_t, add_sat_u8, add, UINT8_MAX)
//= add_sat_u16 needs saturated
ADZE_SATURATED(uint16_t, add_sat_u16, add, UINT16_MAX)
//= add_sat_u32 needs saturated
ADZE_SATURATED(uint32_t, add_sat_u32, add, UINT32_MAX)
//= add_sat_u64 needs saturated
ADZE_SATURATED(uint64_t, add_sat_u64, add, UINT64_MAX)
//= sub_sat_i8 needs saturated
ADZE_SATURATED(int8_t, sub_sat_i8, sub, a < 0 ? INT8_MIN : INT8_MAX)
//= sub_sat_i16 needs saturated
ADZE_SATURATED(int16_t, sub_sat_i16, sub, a < 0 ? INT16_MIN : INT16_MAX)
//= sub_sat_i32 needs saturated
ADZE_SATURATED(int32_t, sub_sat_i32, sub, a < 0 ? INT32_MIN : INT32_MAX)
//= sub_sat_i64 needs saturated
ADZE_SATURATED(int64_t, sub_sat_i64, sub, a < 0 ? INT64_MIN : INT64_MAX)
//= sub_sat_u8 needs saturated
ADZE_SATURATED(uint8_t, sub_sat_u8, sub, 0)
//= sub_sat_u16 needs saturated
ADZE_SATURATED(uint16_t, sub_sat_u16, sub, 0)
//= sub_sat_u32 needs saturated
ADZE_SATURATED(uint32_t, sub_sat_u32, sub, 0)
//= sub_sat_u64 needs saturated
ADZE_SATURATED(uint64_t, sub_sat_u64, sub, 0)
//= avg_ceil
// The average, rounded up.
#define ADZE_AVG_CEIL(T, name)                                                                     \
    static inline T adze_avg_ceil_##name(T a, T b)                                                 \
    {                                                                                              \
        return (T)((a | b) - ((a ^ b) >> 1));                                                      \
    }
//= avg_ceil_i8 needs avg_ceil
ADZE_AVG_CEIL(int8_t, i8)
//= avg_ceil_i16 needs avg_ceil
ADZE_AVG_CEIL(int16_t, i16)
//= avg_ceil_i32 needs avg_ceil
ADZE_AVG_CEIL(int32_t, i32)
//= avg_ceil_i64 needs avg_ceil
ADZE_AVG_CEIL(int64_t, i64)
//= avg_ceil_u8 needs avg_ceil
ADZE_AVG_CEIL(uint8_t, u8)
//= avg_ceil_u16 needs avg_ceil
ADZE_AVG_CEIL(uint16_t, u16)
//= avg_ceil_u32 needs avg_ceil
ADZE_AVG_CEIL(uint32_t, u32)
//= avg_ceil_u64 needs avg_ceil
ADZE_AVG_CEIL(uint64_t, u64)
//= abs_diff
// The distance of two numbers, which an unsigned number can hold.
#define ADZE_ABS_DIFF(T, U, name)                                                                  \
    static inline U adze_abs_diff_##name(T a, T b)                                                 \
    {                                                                                              \
        return (U)(a < b ? (U)b - (U)a : (U)a - (U)b);                                             \
    }
//= abs_diff_i8 needs abs_diff
ADZE_ABS_DIFF(int8_t, uint8_t, i8)
//= abs_diff_i16 needs abs_diff
ADZE_ABS_DIFF(int16_t, uint16_t, i16)
//= abs_diff_i32 needs abs_diff
ADZE_ABS_DIFF(int32_t, uint32_t, i32)
//= abs_diff_i64 needs abs_diff
ADZE_ABS_DIFF(int64_t, uint64_t, i64)
//= abs_diff_u8 needs abs_diff
ADZE_ABS_DIFF(uint8_t, uint8_t, u8)
//= abs_diff_u16 needs abs_diff
ADZE_ABS_DIFF(uint16_t, uint16_t, u16)
//= abs_diff_u32 needs abs_diff
ADZE_ABS_DIFF(uint32_t, uint32_t, u32)
//= abs_diff_u64 needs abs_diff
ADZE_ABS_DIFF(uint64_t, uint64_t, u64)
//= f16
// Half precision: stored as 16 bits, computed in float (which is wide enough that rounding the
// result once more is exact for + - * / and sqrt).
typedef uint16_t adze_f16;
//= any_f16 needs f16
typedef adze_f16 adze_any_f16 __attribute__((may_alias));
//= f16_to_f32 needs f16
static inline float adze_f16_to_f32(adze_f16 h)
{
    uint32_t sign = (uint32_t)(h & 0x8000) << 16, exponent = (h >> 10) & 31, fraction = h & 1023;
    uint32_t bits;
    if (exponent == 31)
        bits = sign | 0x7f800000 | fraction << 13;
    else if (exponent)
        bits = sign | (exponent + 112) << 23 | fraction << 13;
    else { // a subnormal is fraction * 2^-24, exact in float
        float tiny = (float)fraction * 0x1p-24f;
        memcpy(&bits, &tiny, sizeof bits);
        bits |= sign;
    }
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}
//= f16_from needs f16
// Rounds the exact value of a double to nearest, ties to even.
static inline adze_f16 adze_f16_from(double x)
{
    uint16_t sign = signbit(x) ? 0x8000 : 0;
    double a = fabs(x);
    if (a != a) return (adze_f16)(sign | 0x7e00);
    if (a >= 65520.0) return (adze_f16)(sign | 0x7c00);
    if (a < 0x1p-14) return (adze_f16)(sign | (uint16_t)nearbyint(a * 0x1p24));
    int exponent;
    double scaled = nearbyint(ldexp(frexp(a, &exponent), 11)); // 1024..2048
    return (adze_f16)(sign | (uint16_t)(((exponent + 14) << 10) + ((int)scaled - 1024)));
}
//= libmvec
// The vector size in bytes of glibc's vector math library on this machine; 0 if there is none. Its
// results are within 4 ULP.
#if !defined __x86_64__ || !defined __LP64__ || !defined __GLIBC__ || __GLIBC_MINOR__ < 35
#define ADZE_LIBMVEC 0
#elif defined __AVX512F__
#define ADZE_LIBMVEC 64
#elif defined __AVX2__
#define ADZE_LIBMVEC 32
#else
#define ADZE_LIBMVEC 16
#endif
//= threads
// The number of threads of a parallel loop; 0 requests the maximum.
static inline int adze_threads(int32_t wanted)
{
#ifdef _OPENMP
    extern int omp_get_max_threads(void);
    return wanted > 0 ? wanted : omp_get_max_threads();
#else
    return wanted > 0 ? wanted : 1;
#endif
}
//= helpers
// The number of worker threads of a parallel loop, one less than omp_set_num_threads or
// OMP_NUM_THREADS set.
static inline int64_t adze_helpers(void)
{
#ifdef _OPENMP
    extern int omp_get_max_threads(void);
    return omp_get_max_threads() - 1;
#else
    return 0;
#endif
}
//= stack
// The limit of the stack of recursive functions in bytes, beyond which they fail. -DADZE_STACK=...
// sets another limit, for threads whose stack is smaller or larger than 8 MiB.
#ifndef ADZE_STACK
#define ADZE_STACK (6 << 20)
#endif
#define ADZE_STACK_TOP          ((uintptr_t)__builtin_frame_address(0))
#define adze_stack_end()        ((int64_t)(ADZE_STACK_TOP - ADZE_STACK))
#define adze_stack_is_deep(end) (ADZE_STACK_TOP < (uintptr_t)(end))
//= stack_here needs stack
// The end of the current thread's stack: `end`, unless that is in the stack of another thread.
#define adze_stack_here(end)                                                                       \
    (ADZE_STACK_TOP - (uintptr_t)(end) + ADZE_STACK / 8 <= ADZE_STACK / 8 * (uintptr_t)9           \
         ? (end)                                                                                   \
         : adze_stack_end())
//= thread
// The number of the current thread in its team, from 0.
static inline int64_t adze_thread(void)
{
#ifdef _OPENMP
    extern int omp_get_thread_num(void);
    return omp_get_thread_num();
#else
    return 0;
#endif
}
//= print
// The part of a line that this thread has printed so far; lines are written as a whole.
static _Thread_local struct {
    char *text;
    size_t length, room;
} adze_line;

static inline void adze_print_text(const char *text)
{
    size_t n = strlen(text), room = adze_line.length + n + 1;
    if (room > adze_line.room) {
        char *wider = realloc(adze_line.text, 2 * room);
        if (!wider) return;
        adze_line.text = wider;
        adze_line.room = 2 * room;
    }
    memcpy(adze_line.text + adze_line.length, text, n + 1);
    adze_line.length += n;
}

static inline char *adze_take_line(void)
{
    char *text = adze_line.text;
    adze_line.text = NULL;
    adze_line.length = adze_line.room = 0;
    return text;
}
//= print_text needs print
//= print_start needs print
// Begins a line with a text; a failure may have left an unfinished line.
static inline void adze_print_start(const char *text)
{
    adze_line.length = 0;
    adze_print_text(text);
}
//= print_line needs print
static inline void adze_print_line(void)
{
    adze_print_text("\n");
    char *text = adze_take_line();
    if (text) fputs(text, stderr);
    free(text);
}
//= print_message needs print_line
// The message of a failed assertion.
#define adze_print_message() adze_print_line()
//= print_kept needs print
// The message of a failed assertion, which the caller of the library takes and frees.
static char *adze_kept_message;
static inline void adze_print_kept(void)
{
    free(__atomic_exchange_n(&adze_kept_message, adze_take_line(), __ATOMIC_ACQ_REL));
}
//= print_next needs print
// The separator of array elements.
static inline void adze_print_next(void)
{
    if (adze_line.length && adze_line.text[adze_line.length - 1] != '[') adze_print_text(", ");
}
//= print_bool needs print
static inline void adze_print_bool(bool x)
{
    adze_print_text(x ? "true" : "false");
}
//= print_i64 needs print
static inline void adze_print_i64(int64_t x)
{
    char text[24];
    snprintf(text, sizeof text, "%" PRId64, x);
    adze_print_text(text);
}
//= print_u64 needs print
static inline void adze_print_u64(uint64_t x)
{
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, x);
    adze_print_text(text);
}
//= print_float needs print
// The fewest digits that read back to the number. Numbers between 0.00001 and 10^16 are written
// out, others with an exponent.
static inline void adze_print_float(double x, double (*read)(const char *text))
{
    char text[64];
    int after = 0; // digits after the first
    if (isnan(x) || isinf(x)) {
        adze_print_text(isnan(x) ? "nan" : x < 0 ? "-inf" : "inf");
        return;
    }
    do snprintf(text, sizeof text, "%.*e", after, x);
    while (read(text) != x && ++after < 17);
    int exponent = atoi(strchr(text, 'e') + 1), decimals = after - exponent;
    if (exponent >= -5 && exponent < 16)
        snprintf(text, sizeof text, "%.*f", decimals > 1 ? decimals : 1, x);
    adze_print_text(text);
}
//= print_f16 needs print_float f16_from f16_to_f32
static inline double adze_read_f16(const char *text)
{
    return adze_f16_to_f32(adze_f16_from(strtod(text, NULL)));
}
static inline void adze_print_f16(adze_f16 x)
{
    adze_print_float(adze_f16_to_f32(x), adze_read_f16);
}
//= print_f32 needs print_float
static inline double adze_read_f32(const char *text)
{
    return strtof(text, NULL);
}
static inline void adze_print_f32(float x)
{
    adze_print_float(x, adze_read_f32);
}
//= print_f64 needs print_float
static inline double adze_read_f64(const char *text)
{
    return strtod(text, NULL);
}
static inline void adze_print_f64(double x)
{
    adze_print_float(x, adze_read_f64);
}
//= end

#endif
