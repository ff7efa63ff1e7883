// CUDA kernels on the CPU, for tests: their unchanged text is compiled as C++ by clang with this
// header before it, and with the instrumentation of -fsanitize=thread, whose calls device.c
// receives. The threads of a block are fibres, which run in a random order between barriers; blocks
// run one after another. device.c reports races, also between blocks, barriers in divergent control
// flow, accesses outside of memory, and reads of memory that nothing was written to. It counts the
// 32-byte sectors that the warps' requests to global memory take, and the passes that those to
// shared memory take.
#ifndef ADZE_TESTS_DEVICE_H
#define ADZE_TESTS_DEVICE_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    unsigned x, y, z;
} DeviceIndex;

enum { DEVICE_WARP = 32 }; // the threads of a warp

/// Of the thread that is running.
extern DeviceIndex threadIdx, blockIdx, blockDim, gridDim;

/// Zeros the counters, which count from now on or do not, and makes the order of threads depend on
/// the seed.
void device_begin(uint64_t seed, bool counts);

/// Global memory of `count` elements of `size` bytes, with these values, or undefined ones if
/// `values` is NULL. It is aligned to 256 bytes, as the memory of a device is.
void *device_memory(const char *name, const void *values, size_t count, size_t size);
void device_free(void *memory);
/// Copies values to the beginning of global memory.
void device_write(void *memory, const void *values, size_t bytes);

/// Where the shared memory of the next kernels is, if they are in another library.
void device_set_shared(char *from, char *to);

/// Runs call(arguments) in each thread of the grid. A fault ends the program with a message that
/// names the lines, and the exit status 3.
void device_launch(DeviceIndex grid, DeviceIndex block, void (*call)(void *), void *arguments);

/// Threads go past the barrier in this line of a kernel as if it were not there.
void device_leave_out(int line);

/// Writes what was counted since device_begin, one line for each kind of memory and access:
/// "NAME global loads: R requests, S sectors a request".
void device_report(const char *name);

// For the macros and functions below.
void device_barrier(int line);
void device_warp_barrier(int line);
void device_atomic(const void *memory, size_t size, const void *caller);
void device_atomic_load(const void *memory, size_t size, const void *caller);
uint64_t device_shuffle(uint64_t value, unsigned lane);
unsigned device_ballot(bool value);

#ifdef __cplusplus
}

#define __global__
#define __device__
#define __shared__       static __attribute__((section("device_shared")))
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __launch_bounds__(...)
#define __syncthreads() device_barrier(__LINE__)
#define __syncwarp(...) device_warp_barrier(__LINE__)
#define DEVICE_PLAIN    __attribute__((no_sanitize("thread"), noinline, unused)) static

// The vectors of CUDA, whose alignment is their size.
#define DEVICE_VECTORS(T, name)                                                                    \
    typedef T name##2 __attribute__((ext_vector_type(2)));                                         \
    typedef T name##4 __attribute__((ext_vector_type(4)));                                         \
    DEVICE_PLAIN name##2 make_##name##2(T x, T y)                                                  \
    {                                                                                              \
        return name##2 {x, y};                                                                     \
    }                                                                                              \
    DEVICE_PLAIN name##4 make_##name##4(T x, T y, T z, T w)                                        \
    {                                                                                              \
        return name##4 {x, y, z, w};                                                               \
    }
DEVICE_VECTORS(signed char, char)
DEVICE_VECTORS(unsigned char, uchar)
DEVICE_VECTORS(short, short)
DEVICE_VECTORS(unsigned short, ushort)
DEVICE_VECTORS(int, int)
DEVICE_VECTORS(unsigned, uint)
DEVICE_VECTORS(float, float)
DEVICE_VECTORS(long, long)
DEVICE_VECTORS(unsigned long, ulong)
DEVICE_VECTORS(double, double)

template <typename T> DEVICE_PLAIN T atomicAdd(T *memory, T value)
{
    device_atomic(memory, sizeof *memory, __builtin_return_address(0));
    T old = *memory;
    *memory += value;
    return old;
}

template <typename T> DEVICE_PLAIN T atomicCAS(T *memory, T expected, T value)
{
    device_atomic(memory, sizeof *memory, __builtin_return_address(0));
    T old = *memory;
    if (old == expected) *memory = value;
    return old;
}

DEVICE_PLAIN unsigned long __umul64hi(unsigned long a, unsigned long b)
{
    return (unsigned long)(((unsigned __int128)a * b) >> 64);
}

DEVICE_PLAIN long __mul64hi(long a, long b)
{
    return (long)((__int128)a * b >> 64);
}

// __nv_atomic_load_n and __nv_atomic_store_n of CUDA, whatever their order and scope are.
#define __nv_atomic_load_n(memory, ...)         device_atomic_get(memory)
#define __nv_atomic_store_n(memory, value, ...) device_atomic_set(memory, value)

template <typename T> DEVICE_PLAIN T device_atomic_get(T *memory)
{
    device_atomic_load(memory, sizeof *memory, __builtin_return_address(0));
    return *memory;
}

template <typename T> DEVICE_PLAIN void device_atomic_set(T *memory, T value)
{
    device_atomic(memory, sizeof *memory, __builtin_return_address(0));
    *memory = value;
}

DEVICE_PLAIN unsigned __float_as_uint(float value)
{
    return __builtin_bit_cast(unsigned, value);
}

DEVICE_PLAIN float __uint_as_float(unsigned bits)
{
    return __builtin_bit_cast(float, bits);
}

DEVICE_PLAIN int __popc(unsigned bits)
{
    return __builtin_popcount(bits);
}

DEVICE_PLAIN int __popcll(unsigned long long bits)
{
    return __builtin_popcountll(bits);
}

DEVICE_PLAIN int __clz(int bits)
{
    return bits ? __builtin_clz((unsigned)bits) : 32;
}

DEVICE_PLAIN int __clzll(long long bits)
{
    return bits ? __builtin_clzll((unsigned long long)bits) : 64;
}

// The value of 4 bytes of the lane at this distance, or of this lane if there is none.
template <typename T> DEVICE_PLAIN T device_shuffle_by(T value, int distance)
{
    unsigned number = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    int lane = (int)(number % DEVICE_WARP), other = lane + distance;
    bool is_there = other >= 0 && other < DEVICE_WARP;
    unsigned bits = __builtin_bit_cast(unsigned, value);
    return __builtin_bit_cast(T,
                              (unsigned)device_shuffle(bits, (unsigned)(is_there ? other : lane)));
}

template <typename T> DEVICE_PLAIN T __shfl_down_sync(unsigned, T value, unsigned distance)
{
    return device_shuffle_by(value, (int)distance);
}

template <typename T> DEVICE_PLAIN T __shfl_up_sync(unsigned, T value, unsigned distance)
{
    return device_shuffle_by(value, -(int)distance);
}

// The instructions for matrices that kernels of the compiler call, by their definition: lane l has
// TERMS/4 elements of row l/4 of the first matrix, those of the rows that are multiples of 8 behind
// it, and as many of column l/4 of the second one.
#define ADZE_MMA 2

template <int TERMS, int SUMS, typename T, typename E, typename ADD>
DEVICE_PLAIN void device_mma(T *(&&sums)[SUMS], const E (&&x)[SUMS / 2 * TERMS / 4],
                             const E (&&y)[TERMS / 4], ADD add)
{
    enum { EACH = TERMS / 4, WARPS = 32 };
    static E rows[WARPS][DEVICE_WARP][SUMS / 2][EACH], columns[WARPS][DEVICE_WARP][EACH];
    unsigned warp = threadIdx.x / DEVICE_WARP, lane = threadIdx.x % DEVICE_WARP;
    __builtin_memcpy(rows[warp][lane], x, sizeof x);
    __builtin_memcpy(columns[warp][lane], y, sizeof y);
    if (device_ballot(true) != ~0u) __builtin_trap();
    for (unsigned s = 0; s < SUMS; s++)
        for (unsigned k = 0; k < TERMS; k++)
            *sums[s] = add(*sums[s], rows[warp][lane / 4 * 4 + k / EACH][s / 2][k % EACH],
                           columns[warp][(2 * (lane % 4) + s % 2) * 4 + k / EACH][k % EACH]);
    (void)device_ballot(true);
}

// The number with these bits as an f16.
DEVICE_PLAIN float device_half(unsigned short bits)
{
    int exponent = bits >> 10 & 31, digits = bits & 1023;
    float size = exponent == 31 ? (digits ? NAN : INFINITY)
                 : exponent     ? ldexpf((float)(digits + 1024), exponent - 25)
                                : ldexpf((float)digits, -24);
    return bits >> 15 ? -size : size;
}

DEVICE_PLAIN void adze_mma_f64(double *s0, double *s1, double x, double y)
{
    device_mma<4, 2>({s0, s1}, {x}, {y},
                     [](double sum, double p, double q) { return __builtin_fma(p, q, sum); });
}

DEVICE_PLAIN void adze_mma_f32_f16(float *s0, float *s1, float *s2, float *s3, unsigned short x0,
                                   unsigned short x1, unsigned short x2, unsigned short x3,
                                   unsigned short y0, unsigned short y1)
{
    device_mma<8, 4>({s0, s1, s2, s3}, {x0, x1, x2, x3}, {y0, y1},
                     [](float sum, unsigned short p, unsigned short q) {
                         return sum + device_half(p) * device_half(q);
                     });
}

#define DEVICE_MMA_I32(T, name)                                                                    \
    DEVICE_PLAIN void adze_mma_i32_##name(int *s0, int *s1, T x0, T x1, T x2, T x3, T y0, T y1,    \
                                          T y2, T y3)                                              \
    {                                                                                              \
        device_mma<16, 2>({s0, s1}, {x0, x1, x2, x3}, {y0, y1, y2, y3}, [](int sum, T p, T q) {    \
            return (int)((unsigned)sum + (unsigned)(p * q));                                       \
        });                                                                                        \
    }
DEVICE_MMA_I32(signed char, i8)
DEVICE_MMA_I32(unsigned char, u8)

#define __ballot_sync(mask, value) device_ballot(value)
#define __ffs(bits)                __builtin_ffs((int)(bits))
#define rsqrtf(x)                  (1.0f / sqrtf(x))
#define sincospif(x, sine, cosine)                                                                 \
    (*(sine) = (float)sin((double)(x)*M_PI), *(cosine) = (float)cos((double)(x)*M_PI))

/// Launches a kernel as kernel<<<grid, block>>>(arguments..) would.
template <typename F> void launch(DeviceIndex grid, DeviceIndex block, F kernel)
{
    device_launch(
        grid, block, [](void *f) { (*(F *)f)(); }, &kernel);
}
#endif
#endif
