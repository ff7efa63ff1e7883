// The kernels of asis.adz as one writes them in C, compiled with the flags of the benchmark (c_),
// with -Ofast (fast_), which lets the compiler reassociate sums, and with -Ofast and the pragmas
// of OpenMP (threads_). Where loops could be in several orders, they are in the fastest.
#ifndef ADZE_BENCH_ASIS_PEER_H
#define ADZE_BENCH_ASIS_PEER_H

#include <stdint.h>

typedef const float *restrict In;
typedef float *restrict Out;

// KERNEL(name, parameters)
#define KERNELS(KERNEL)                                                                            \
    KERNEL(dot, (int64_t n, In x, In y, Out out))                                                  \
    KERNEL(gemv, (int64_t n, int64_t m, In a, In x, Out out))                                      \
    KERNEL(softmax, (int64_t n, int64_t m, In a, Out out))                                         \
    KERNEL(layer_norm, (int64_t n, int64_t m, In a, Out out))                                      \
    KERNEL(distances, (int64_t n, int64_t m, int64_t d, In a, In b, Out out))                      \
    KERNEL(product, (int64_t n, int64_t m, int64_t k, In a, In b, Out out))                        \
    KERNEL(covariance, (int64_t n, int64_t m, In a, Out room, Out out))                            \
    KERNEL(nearest,                                                                                \
           (int64_t n, int64_t k, int64_t d, In points, In centres, int32_t *restrict out))        \
    KERNEL(dense, (int64_t n, int64_t m, int64_t k, In x, In w, In bias, Out out))                 \
    KERNEL(attention, (int64_t n, int64_t m, int64_t d, In q, In k, In v, Out rooms, Out out))     \
    KERNEL(gemv_t, (int64_t n, int64_t m, In a, In x, Out out))                                    \
    KERNEL(column_sums, (int64_t n, int64_t m, In a, Out out))                                     \
    KERNEL(saxpy, (int64_t n, float a, In x, In y, Out out))                                       \
    KERNEL(total, (int64_t n, In x, Out out))                                                      \
    KERNEL(most, (int64_t n, In x, Out out))                                                       \
    KERNEL(variance, (int64_t n, In x, Out out))                                                   \
    KERNEL(running, (int64_t n, int64_t m, In a, Out out))                                         \
    KERNEL(histogram, (int64_t n, In x, int64_t *restrict out))                                    \
    KERNEL(jacobi, (int64_t n, int64_t m, In a, Out room, Out out))                                \
    KERNEL(conv2d, (int64_t c, int64_t o, int64_t h, int64_t w, In x, In k, Out out))              \
    KERNEL(blur, (int64_t n, int64_t m, In a, Out room, Out out))                                  \
    KERNEL(gauss, (int64_t n, int64_t m, In a, Out out))                                           \
    KERNEL(moving, (int64_t n, In x, Out out))                                                     \
    KERNEL(logsumexp, (int64_t n, int64_t m, In a, Out out))                                       \
    KERNEL(normalise, (int64_t n, int64_t m, In a, Out out))                                       \
    KERNEL(cross_entropy, (int64_t n, int64_t m, In a, In b, Out out))                             \
    KERNEL(black_scholes, (int64_t n, In spot, Out out))                                           \
    KERNEL(gelu, (int64_t n, In x, Out out))                                                       \
    KERNEL(polynomial, (int64_t n, In x, Out out))                                                 \
    KERNEL(forces, (int64_t n, In x, In y, Out out))                                               \
    KERNEL(outer, (int64_t n, int64_t m, In x, In y, Out out))                                     \
    KERNEL(transposed, (int64_t n, int64_t m, In a, Out out))                                      \
    KERNEL(floyd, (int64_t n, In d, Out a))                                                        \
    KERNEL(eliminate, (int64_t n, In d, Out a))                                                    \
    KERNEL(thomas, (int64_t n, int64_t m, In b, Out c, Out x))

#define DECLARE(NAME, PARAMETERS)                                                                  \
    void c_##NAME PARAMETERS;                                                                      \
    void fast_##NAME PARAMETERS;                                                                   \
    void threads_##NAME PARAMETERS;
KERNELS(DECLARE)

#endif
