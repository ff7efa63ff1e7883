// What generated kernels call, in sections like those of adze_support.h: the types and macros of C,
// and what replaces a section of that header. Names of sections begin with the device that they are
// for. Kernels for CUDA use the words of OpenCL C, too. This is not a header for C compilers.

//= opencl_kernel
// The integer types of C. A bool in memory is a byte.
#define ADZE_KERNEL
#define work_group(n) __attribute__((reqd_work_group_size(n, 1, 1)))
#define overloaded    __attribute__((overloadable))
#ifdef ADZE_NO_FMA
#pragma OPENCL FP_CONTRACT OFF
#else
#pragma OPENCL FP_CONTRACT ON
#endif
typedef char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long int64_t;
typedef uchar uint8_t;
typedef ushort uint16_t;
typedef uint uint32_t;
typedef ulong uint64_t;
typedef ADZE_INDEX adze_index;
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
//= opencl_size_min
// Of integers of 32 or 64 bits, as the next ones.
#define adze_size_min(a, b) ((a) < (b) ? (a) : (b))
//= opencl_size_max
#define adze_size_max(a, b) ((a) > (b) ? (a) : (b))
//= opencl_floor_div
#define adze_floor_div(a, b) ((a) / (b) - ((a) % (b) < 0))
//= opencl_floor_mod
#define adze_floor_mod(a, b) ((a) % (b) + ((a) % (b) < 0 ? (b) : 0))
//= opencl_minus_zero_f32
#define adze_minus_zero_f32 (-0.0f)
//= opencl_minus_zero_f64
#define adze_minus_zero_f64 (-0.0)
//= opencl_f16_to_f32 needs f16
static inline float adze_f16_to_f32(adze_f16 h)
{
    return vload_half(0, (private const half *)&h);
}
//= opencl_f16_from needs f16
static inline adze_f16 adze_f16_from(double x)
{
    adze_f16 h;
    vstore_half_rte(x, 0, (private half *)&h);
    return h;
}
//= opencl_to_bits
#define ADZE_BITS(name, T, R)                                                                      \
    static inline R adze_##name(T a)                                                               \
    {                                                                                              \
        union {                                                                                    \
            T a;                                                                                   \
            R result;                                                                              \
        } bits;                                                                                    \
        bits.a = a;                                                                                \
        return bits.result;                                                                        \
    }
//= opencl_count_bits
#define ADZE_POPCOUNT(T, U, name)                                                                  \
    static inline T adze_popcount_##name(T a)                                                      \
    {                                                                                              \
        return (T)popcount((U)a);                                                                  \
    }
#define ADZE_CLZ(T, U, name)                                                                       \
    static inline T adze_clz_##name(T a)                                                           \
    {                                                                                              \
        return (T)clz((U)a);                                                                       \
    }
#define ADZE_CTZ(T, U, name)                                                                       \
    static inline T adze_ctz_##name(T a)                                                           \
    {                                                                                              \
        return (T)popcount((U)(~(U)a & ((U)a - 1)));                                               \
    }
//= opencl_mul_hi
#define ADZE_MUL_HI(T, W, name)                                                                    \
    static inline T adze_mul_hi_##name(T a, T b)                                                   \
    {                                                                                              \
        return mul_hi(a, b);                                                                       \
    }
//= opencl_saturated
#define ADZE_SATURATED(T, name, op, beyond)                                                        \
    static inline T adze_##name(T a, T b)                                                          \
    {                                                                                              \
        return op##_sat(a, b);                                                                     \
    }
//= opencl_replace
// An atomic load, and a store of `next` if the memory still has the bits of *old, which otherwise
// gets those of the memory: for global memory, and for that of a group.
#define ADZE_REPLACE_IN(space, T, U, name, exchange)                                               \
    static inline T overloaded adze_load_##name(volatile space T *place)                           \
    {                                                                                              \
        return as_##T(exchange((volatile space U *)place, (U)0, (U)0));                            \
    }                                                                                              \
    static inline bool overloaded adze_replace_##name(volatile space T *place, private T *old,     \
                                                      T next)                                      \
    {                                                                                              \
        U was = as_##U(*old), is = exchange((volatile space U *)place, was, as_##U(next));         \
        *old = as_##T(is);                                                                         \
        return is == was;                                                                          \
    }
#define ADZE_REPLACE(T, U, name, exchange)                                                         \
    ADZE_REPLACE_IN(global, T, U, name, exchange) ADZE_REPLACE_IN(local, T, U, name, exchange)
//= opencl_replace_i32 needs replace
ADZE_REPLACE(int, int, i32, atomic_cmpxchg)
//= opencl_replace_u32 needs replace
ADZE_REPLACE(uint, uint, u32, atomic_cmpxchg)
//= opencl_replace_f32 needs replace
ADZE_REPLACE(float, uint, f32, atomic_cmpxchg)
//= opencl_wide_atomics
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
//= opencl_replace_i64 needs replace wide_atomics
ADZE_REPLACE(long, long, i64, atom_cmpxchg)
//= opencl_replace_u64 needs replace wide_atomics
ADZE_REPLACE(ulong, ulong, u64, atom_cmpxchg)
//= opencl_replace_f64 needs replace wide_atomics
ADZE_REPLACE(double, ulong, f64, atom_cmpxchg)
//= opencl_vectors
// Vectors of neighbouring elements, by one access if their address is a multiple of their size.
#define local_space local
#define ADZE_VECTOR(name, T, V, n)                                                                 \
    typedef V name;                                                                                \
    static inline V adze_load_##name(global const T *at)                                           \
    {                                                                                              \
        return (uintptr_t)at % sizeof(V) ? vload##n(0, at) : *(global const V *)at;                \
    }                                                                                              \
    static inline void adze_store_##name(global T *at, V x)                                        \
    {                                                                                              \
        if ((uintptr_t)at % sizeof(V))                                                             \
            vstore##n(x, 0, at);                                                                   \
        else                                                                                       \
            *(global V *)at = x;                                                                   \
    }
#define ADZE_VECTOR_2(name, T, V)                                                                  \
    ADZE_VECTOR(name, T, V, 2)                                                                     \
    static inline V adze_##name(T x, T y)                                                          \
    {                                                                                              \
        return (V)(x, y);                                                                          \
    }
#define ADZE_VECTOR_4(name, T, V)                                                                  \
    ADZE_VECTOR(name, T, V, 4)                                                                     \
    static inline V adze_##name(T x, T y, T z, T w)                                                \
    {                                                                                              \
        return (V)(x, y, z, w);                                                                    \
    }
//= cuda_kernel
// The words of OpenCL C, and the integer types of C.
#define ADZE_KERNEL
#define kernel                extern "C" __global__
#define work_group(n)         __launch_bounds__(n)
#define restrict              __restrict__
#define local                 __shared__ __align__(16)
#define barrier(fence)        __syncthreads()
#define get_local_id(d)       ((adze_index)threadIdx.x)
#define get_local_size(d)     ((adze_index)blockDim.x)
#define get_group_id(d)       ((adze_index)blockIdx.x)
#define get_num_groups(d)     ((adze_index)gridDim.x)
#define get_global_id(d)      ((adze_index)blockIdx.x * blockDim.x + threadIdx.x)
#define get_global_size(d)    ((adze_index)gridDim.x * blockDim.x)
#define atomic_cmpxchg        atomicCAS
#define atomic_add            atomicAdd
#define mul_hi                __umul64hi
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long uint64_t;
typedef ADZE_INDEX adze_index;
#define INT8_MIN    (-128)
#define INT8_MAX    127
#define INT16_MIN   (-32768)
#define INT16_MAX   32767
#define INT32_MIN   (-2147483647 - 1)
#define INT32_MAX   2147483647
#define INT64_MIN   (-9223372036854775807L - 1)
#define INT64_MAX   9223372036854775807L
#define UINT8_MAX   255
#define UINT16_MAX  65535
#define UINT32_MAX  4294967295u
#define UINT64_MAX  18446744073709551615UL
#define UINT64_C(x) x##UL
#ifndef INFINITY
#define INFINITY __int_as_float(0x7f800000)
#define NAN      __int_as_float(0x7fc00000)
#endif
//= cuda_size_min
// Of integers of 32 or 64 bits, as the next ones.
#define adze_size_min(a, b) ((a) < (b) ? (a) : (b))
//= cuda_size_max
#define adze_size_max(a, b) ((a) > (b) ? (a) : (b))
//= cuda_floor_div
#define adze_floor_div(a, b) ((a) / (b) - ((a) % (b) < 0))
//= cuda_floor_mod
#define adze_floor_mod(a, b) ((a) % (b) + ((a) % (b) < 0 ? (b) : 0))
//= cuda_vectors
// Vectors of neighbouring elements, by one access if their address is a multiple of their size. The
// empty instruction keeps compilers from taking the last store out of both branches, and with it
// the vector apart.
#define local_space
#define ADZE_VECTOR(name, T, V, ...)                                                               \
    typedef V name;                                                                                \
    [[maybe_unused]] static inline V adze_load_##name(const T *at)                                 \
    {                                                                                              \
        return (uint64_t)at % sizeof(V) ? make_##V(__VA_ARGS__) : *(const V *)at;                  \
    }
#define ADZE_VECTOR_STORE(name, T, V, ...)                                                         \
    [[maybe_unused]] static inline void adze_store_##name(T *at, V v)                              \
    {                                                                                              \
        const T each[] = {__VA_ARGS__};                                                            \
        if ((uint64_t)at % sizeof(V)) {                                                            \
            for (int i = 0; i < (int)(sizeof(V) / sizeof(T)); i++) at[i] = each[i];                \
            asm volatile("");                                                                      \
        } else {                                                                                   \
            *(V *)at = v;                                                                          \
        }                                                                                          \
    }
#define ADZE_VECTOR_2(name, T, V)                                                                  \
    ADZE_VECTOR(name, T, V, at[0], at[1])                                                          \
    ADZE_VECTOR_STORE(name, T, V, v.x, v.y)                                                        \
    [[maybe_unused]] static inline V adze_##name(T x, T y)                                         \
    {                                                                                              \
        return make_##V(x, y);                                                                     \
    }
#define ADZE_VECTOR_4(name, T, V)                                                                  \
    ADZE_VECTOR(name, T, V, at[0], at[1], at[2], at[3])                                            \
    ADZE_VECTOR_STORE(name, T, V, v.x, v.y, v.z, v.w)                                              \
    [[maybe_unused]] static inline V adze_##name(T x, T y, T z, T w)                               \
    {                                                                                              \
        return make_##V(x, y, z, w);                                                               \
    }
// Of field elements. CUDA's own vectors of this size are deprecated.
struct adze_ulong4 {
    uint64_t x, y, z, w;
};
[[maybe_unused]] static inline adze_ulong4 make_adze_ulong4(uint64_t x, uint64_t y, uint64_t z,
                                                            uint64_t w)
{
    return {x, y, z, w};
}
//= cuda_mma
// Whether the processor has instructions for matrices that all 32 work-items of a warp execute
// together: 1 for the ones here, more for those of another compiler.
#ifndef ADZE_MMA
#define ADZE_MMA (__CUDA_ARCH__ >= 800)
#endif
//= cuda_mma_f64 needs mma
#if ADZE_MMA == 1
static inline void adze_mma_f64(double *s0, double *s1, double x, double y)
{
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
                 : "+d"(*s0), "+d"(*s1)
                 : "d"(x), "d"(y));
}
#endif
//= cuda_mma_f32_f16 needs mma f16
#if ADZE_MMA == 1
static inline void adze_mma_f32_f16(float *s0, float *s1, float *s2, float *s3, adze_f16 x0,
                                    adze_f16 x1, adze_f16 x2, adze_f16 x3, adze_f16 y0, adze_f16 y1)
{
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5}, "
                 "{%6}, {%0, %1, %2, %3};"
                 : "+f"(*s0), "+f"(*s1), "+f"(*s2), "+f"(*s3)
                 : "r"(x0 | (uint32_t)x1 << 16), "r"(x2 | (uint32_t)x3 << 16),
                   "r"(y0 | (uint32_t)y1 << 16));
}
#endif
//= cuda_mma_i32 needs mma
#if ADZE_MMA == 1
#define ADZE_MMA_BYTES(a, b, c, d)                                                                 \
    ((uint8_t)(a) | (uint32_t)(uint8_t)(b) << 8 | (uint32_t)(uint8_t)(c) << 16 |                   \
     (uint32_t)(uint8_t)(d) << 24)
#define ADZE_MMA_I32(T, name, type)                                                                \
    static inline void adze_mma_i32_##name(int32_t *s0, int32_t *s1, T x0, T x1, T x2, T x3, T y0, \
                                           T y1, T y2, T y3)                                       \
    {                                                                                              \
        asm volatile("mma.sync.aligned.m8n8k16.row.col.s32." type "." type                         \
                     ".s32 {%0, %1}, {%2}, {%3}, {%0, %1};"                                        \
                     : "+r"(*s0), "+r"(*s1)                                                        \
                     : "r"(ADZE_MMA_BYTES(x0, x1, x2, x3)), "r"(ADZE_MMA_BYTES(y0, y1, y2, y3)));  \
    }
#endif
//= cuda_mma_i32_i8 needs mma_i32
#if ADZE_MMA == 1
ADZE_MMA_I32(int8_t, i8, "s8")
#endif
//= cuda_mma_i32_u8 needs mma_i32
#if ADZE_MMA == 1
ADZE_MMA_I32(uint8_t, u8, "u8")
#endif
//= cuda_count_bits
#define ADZE_POPCOUNT(T, U, name)                                                                  \
    static inline T adze_popcount_##name(T a)                                                      \
    {                                                                                              \
        return (T)(sizeof a == 8 ? __popcll((U)a) : __popc((unsigned)(U)a));                       \
    }
#define ADZE_CLZ(T, U, name)                                                                       \
    static inline T adze_clz_##name(T a)                                                           \
    {                                                                                              \
        if (sizeof a == 8) return (T)__clzll((long long)a);                                        \
        return (T)(__clz((int)(U)a) - (32 - (int)sizeof a * 8));                                   \
    }
#define ADZE_CTZ(T, U, name)                                                                       \
    static inline T adze_ctz_##name(T a)                                                           \
    {                                                                                              \
        U below = (U)(~(U)a & ((U)a - 1));                                                         \
        return (T)(sizeof a == 8 ? __popcll(below) : __popc((unsigned)below));                     \
    }
//= cuda_mul_hi
typedef int64_t adze_wide_i64;
typedef uint64_t adze_wide_u64;
#define ADZE_MUL_HI(T, W, name)                                                                    \
    static inline T adze_mul_hi_##name(T a, T b)                                                   \
    {                                                                                              \
        if (sizeof a < 8) return (T)((W)a * (W)b >> (sizeof a * 8 % 64));                          \
        return (T)-1 < (T)1 ? (T)__mul64hi((long long)a, (long long)b)                             \
                            : (T)__umul64hi((unsigned long long)a, (unsigned long long)b);         \
    }
//= cuda_saturated
// Whether a sum or a difference wrapped.
#define ADZE_WRAPPED_add(a, b, r) (b < 0 ? r > a : r < a)
#define ADZE_WRAPPED_sub(a, b, r) (b < 0 ? r < a : r > a)
#define ADZE_WRAPPING_add(a, b) ((uint64_t)a + (uint64_t)b)
#define ADZE_WRAPPING_sub(a, b) ((uint64_t)a - (uint64_t)b)
#define ADZE_SATURATED(T, name, op, beyond)                                                        \
    static inline T adze_##name(T a, T b)                                                          \
    {                                                                                              \
        T result = (T)ADZE_WRAPPING_##op(a, b);                                                    \
        return ADZE_WRAPPED_##op(a, b, result) ? (T)(beyond) : result;                             \
    }
//= cuda_replace
// An atomic load, and a store of `next` if the memory still has the bits of *old, which otherwise
// gets those of the memory.
#define ADZE_REPLACE(T, U, name)                                                                   \
    static inline U adze_word_of_##name(T x)                                                       \
    {                                                                                              \
        U bits;                                                                                    \
        memcpy(&bits, &x, sizeof x);                                                               \
        return bits;                                                                               \
    }                                                                                              \
    static inline T adze_value_of_##name(U bits)                                                   \
    {                                                                                              \
        T x;                                                                                       \
        memcpy(&x, &bits, sizeof x);                                                               \
        return x;                                                                                  \
    }                                                                                              \
    static inline T adze_load_##name(T *place)                                                     \
    {                                                                                              \
        return adze_value_of_##name(atomicCAS((U *)place, (U)0, (U)0));                            \
    }                                                                                              \
    static inline bool adze_replace_##name(T *place, T *old, T next)                               \
    {                                                                                              \
        U was = adze_word_of_##name(*old);                                                         \
        U is = atomicCAS((U *)place, was, adze_word_of_##name(next));                              \
        *old = adze_value_of_##name(is);                                                           \
        return is == was;                                                                          \
    }
//= cuda_replace_i32 needs replace
ADZE_REPLACE(int32_t, unsigned, i32)
//= cuda_replace_u32 needs replace
ADZE_REPLACE(uint32_t, unsigned, u32)
//= cuda_replace_f32 needs replace
ADZE_REPLACE(float, unsigned, f32)
//= cuda_replace_i64 needs replace
ADZE_REPLACE(int64_t, unsigned long long, i64)
//= cuda_replace_u64 needs replace
ADZE_REPLACE(uint64_t, unsigned long long, u64)
//= cuda_replace_f64 needs replace
ADZE_REPLACE(double, unsigned long long, f64)
