#include "asis.h"
#include "bench.h"
#include "peer.h"

#include <stdlib.h>

// n[0] rows of n[1] elements, points of n[2] numbers.
static int64_t all(const int64_t *n)
{
    return n[0] * n[1];
}

static int64_t points(const int64_t *n)
{
    return n[0] * n[2];
}

static int64_t others(const int64_t *n)
{
    return n[1] * n[2];
}

enum { TEAM = 2 }; // threads of the peers that have several

static void *room(int64_t bytes)
{
    static void *memory;
    static int64_t size;
    if (bytes > size) memory = realloc(memory, (size_t)bytes);
    if (!memory) abort();
    size = bytes > size ? bytes : size;
    return memory;
}

// Runs a kernel whose result has COUNT elements, at most as many as the output.
#define RUN(NAME, COUNT, CALL)                                                                     \
    static int NAME(const int64_t *n, void *const *in, void *result)                               \
    {                                                                                              \
        float *out = result;                                                                       \
        int status = 0;                                                                            \
        (void)in;                                                                                  \
        CALL;                                                                                      \
        for (int64_t i = COUNT; i < all(n); i++) out[i] = 0;                                       \
        return status;                                                                             \
    }
#define KERNEL(NAME, COUNT, ARGS, PEER_ARGS)                                                       \
    RUN(ours_##NAME, COUNT, status = adze_##NAME ARGS)                                             \
    RUN(c_of_##NAME, COUNT, c_##NAME PEER_ARGS)                                                    \
    RUN(fast_of_##NAME, COUNT, fast_##NAME PEER_ARGS)                                              \
    RUN(threads_of_##NAME, COUNT, threads_##NAME PEER_ARGS)
#define SAME(NAME, COUNT, ARGS) KERNEL(NAME, COUNT, ARGS, ARGS)
// A kernel with COUNT integers as its result, which ARGS names `integers`.
#define INTEGERS(NAME, TYPE, COUNT, ARGS)                                                          \
    RUN(ours_##NAME, COUNT, GET(TYPE, COUNT, status = adze_##NAME ARGS))                           \
    RUN(c_of_##NAME, COUNT, GET(TYPE, COUNT, c_##NAME ARGS))                                       \
    RUN(fast_of_##NAME, COUNT, GET(TYPE, COUNT, fast_##NAME ARGS))                                 \
    RUN(threads_of_##NAME, COUNT, GET(TYPE, COUNT, threads_##NAME ARGS))
#define GET(TYPE, COUNT, CALL)                                                                     \
    TYPE *integers = room((int64_t)sizeof *integers * (COUNT));                                    \
    CALL;                                                                                          \
    for (int64_t i = 0; i < (COUNT); i++) out[i] = (float)integers[i]

SAME(dot, 1, (all(n), in[0], in[1], out))
SAME(gemv, n[0], (n[0], n[1], in[0], in[1], out))
SAME(softmax, all(n), (n[0], n[1], in[0], out))
SAME(layer_norm, all(n), (n[0], n[1], in[0], out))
SAME(distances, all(n), (n[0], n[1], n[2], in[2], in[3], out))
SAME(product, all(n), (n[0], n[1], n[2], in[2], in[3], out))
RUN(ours_product_at, all(n), status = adze_product_at(n[0], n[1], n[2], in[2], in[3], out))
KERNEL(covariance, n[2] * n[2], (n[0], n[2], in[2], out),
       (n[0], n[2], in[2], room(4 * points(n)), out))
INTEGERS(nearest, int32_t, n[0], (n[0], n[1], n[2], in[2], in[3], integers))
SAME(dense, all(n), (n[0], n[1], n[2], in[2], in[3], in[0], out))
KERNEL(attention, points(n), (n[0], n[1], n[2], in[2], in[3], in[3], out),
       (n[0], n[1], n[2], in[2], in[3], in[3], room(4 * n[1] * TEAM), out))
SAME(gemv_t, n[1], (n[0], n[1], in[0], in[1], out))
SAME(column_sums, n[1], (n[0], n[1], in[0], out))
SAME(saxpy, all(n), (all(n), 2, in[0], in[1], out))
SAME(total, 1, (all(n), in[0], out))
SAME(most, 1, (all(n), in[0], out))
SAME(variance, 1, (all(n), in[0], out))
SAME(running, all(n), (n[0], n[1], in[0], out))
INTEGERS(histogram, int64_t, 256, (all(n), in[0], integers))
KERNEL(jacobi, all(n), (n[0], n[1], in[0], out), (n[0], n[1], in[0], room(4 * all(n)), out))
// Four channels of a quarter of the rows each.
SAME(conv2d, 4 * (n[0] / 4 - 2) * (n[1] - 2), (4, 4, n[0] / 4 - 2, n[1] - 2, in[0], in[2], out))
KERNEL(blur, all(n), (n[0], n[1], in[0], out), (n[0], n[1], in[0], room(4 * all(n)), out))
SAME(gauss, all(n), (n[0], n[1], in[0], out))
SAME(moving, all(n) - 24, (all(n) - 24, in[0], out))
SAME(logsumexp, n[0], (n[0], n[1], in[0], out))
SAME(normalise, all(n), (n[0], n[1], in[0], out))
SAME(cross_entropy, n[0], (n[0], n[1], in[0], in[1], out))
SAME(black_scholes, all(n), (all(n), in[0], out))
SAME(gelu, all(n), (all(n), in[0], out))
SAME(polynomial, all(n), (all(n), in[0], out))
SAME(forces, n[0], (n[0], in[0], in[1], out))
SAME(outer, all(n), (n[0], n[1], in[0], in[1], out))
SAME(transposed, all(n), (n[0], n[1], in[0], out))
SAME(floyd, n[2] * n[2], (n[2], in[0], out))
SAME(eliminate, n[2] * n[2], (n[2], in[0], out))
KERNEL(thomas, all(n), (n[0], n[1], in[0], out), (n[0], n[1], in[0], room(4 * all(n)), out))

#define PAIRS(NAME, ...) PAIRS_OF(NAME, NAME)
#define PAIRS_OF(NAME, PEER)                                                                       \
    {"C: " #NAME, 1, ours_##NAME, c_of_##PEER, adze_##NAME##_message},                             \
        {"C -Ofast: " #NAME, 1, ours_##NAME, fast_of_##PEER, adze_##NAME##_message},               \
        {"C, 2 threads: " #NAME, TEAM, ours_##NAME, threads_of_##PEER, adze_##NAME##_message},

const BenchCase bench_case = {
    .name = "asis",
    .pairs = {KERNELS(PAIRS) PAIRS_OF(product_at, product)}, // the product by positions
    .sizes = {{"1000x100, d = 3", {1000, 100, 3}},
              {"500x500, d = 64", {500, 500, 64}},
              {"1000x1001, d = 500", {1000, 1001, 500}}},
    .inputs = {all, all, points, others},
    .input_type = BENCH_F32,
    .output = all,
    .output_type = BENCH_F32,
    .tolerance = 1e-3,
    .rounds = 11, // of so many pairs
};
