// The kernels of asis.adz as one writes them in C, compiled with the flags of the benchmark, and as
// `fast_` with -Ofast, which lets the compiler reassociate sums.
#ifndef ADZE_BENCH_ASIS_PEER_H
#define ADZE_BENCH_ASIS_PEER_H

#include <stdint.h>

#define PEERS(NAME)                                                                                \
    float NAME##_dot(int64_t n, const float *restrict x, const float *restrict y);                 \
    void NAME##_gemv(int64_t n, int64_t m, const float *restrict a, const float *restrict x,       \
                     float *restrict out);                                                         \
    void NAME##_softmax(int64_t n, int64_t m, const float *restrict a, float *restrict out);       \
    void NAME##_layer_norm(int64_t n, int64_t m, const float *restrict a, float *restrict out);    \
    void NAME##_distances(int64_t n, int64_t m, int64_t d, const float *restrict a,                \
                          const float *restrict b, float *restrict out);                           \
    void NAME##_product(int64_t n, int64_t m, int64_t k, const float *restrict a,                  \
                        const float *restrict b, float *restrict out);                             \
    void NAME##_covariance(int64_t n, int64_t m, const float *restrict a, float *restrict room,    \
                           float *restrict out);                                                   \
    void NAME##_nearest(int64_t n, int64_t k, int64_t d, const float *restrict points,             \
                        const float *restrict centres, float *restrict out);
PEERS(c)
PEERS(fast)

#endif
