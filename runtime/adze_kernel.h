// OpenCL C that generated kernels call, in sections like those of adze_support.h: the types and
// macros of C, and what replaces a section of that header. This is not a header for C compilers.

//= kernel
// The integer types of C. A bool in memory is a byte.
#pragma OPENCL FP_CONTRACT OFF
typedef char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long int64_t;
typedef uchar uint8_t;
typedef ushort uint16_t;
typedef uint uint32_t;
typedef ulong uint64_t;
#define bool        uchar
#define INT8_MIN    CHAR_MIN
#define INT8_MAX    CHAR_MAX
#define INT16_MIN   SHRT_MIN
#define INT16_MAX   SHRT_MAX
#define INT32_MIN   INT_MIN
#define INT32_MAX   INT_MAX
#define INT64_MIN   LONG_MIN
#define INT64_MAX   LONG_MAX
#define UINT8_MAX   UCHAR_MAX
#define UINT16_MAX  USHRT_MAX
#define UINT32_MAX  UINT_MAX
#define UINT64_MAX  ULONG_MAX
#define UINT64_C(x) x##UL
//= minus_zero_f32
#define adze_minus_zero_f32 (-0.0f)
//= minus_zero_f64
#define adze_minus_zero_f64 (-0.0)
//= f16_to_f32 needs f16
static inline float adze_f16_to_f32(adze_f16 h)
{
    return vload_half(0, (private const half *)&h);
}
//= f16_from needs f16
static inline adze_f16 adze_f16_from(double x)
{
    adze_f16 h;
    vstore_half_rte(x, 0, (private half *)&h);
    return h;
}
//= replace
// An atomic load, and a store of `next` if the memory still has the bits of *old, which otherwise
// gets those of the memory.
#define ADZE_REPLACE(T, U, name, exchange)                                                         \
    static inline T adze_load_##name(volatile global T *place)                                     \
    {                                                                                              \
        return as_##T(exchange((volatile global U *)place, (U)0, (U)0));                           \
    }                                                                                              \
    static inline bool adze_replace_##name(volatile global T *place, private T *old, T next)       \
    {                                                                                              \
        U was = as_##U(*old), is = exchange((volatile global U *)place, was, as_##U(next));        \
        *old = as_##T(is);                                                                         \
        return is == was;                                                                          \
    }
//= replace_i32 needs replace
ADZE_REPLACE(int, int, i32, atomic_cmpxchg)
//= replace_u32 needs replace
ADZE_REPLACE(uint, uint, u32, atomic_cmpxchg)
//= replace_f32 needs replace
ADZE_REPLACE(float, uint, f32, atomic_cmpxchg)
//= wide_atomics
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
//= replace_i64 needs replace wide_atomics
ADZE_REPLACE(long, long, i64, atom_cmpxchg)
//= replace_u64 needs replace wide_atomics
ADZE_REPLACE(ulong, ulong, u64, atom_cmpxchg)
//= replace_f64 needs replace wide_atomics
ADZE_REPLACE(double, ulong, f64, atom_cmpxchg)
