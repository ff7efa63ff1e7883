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

static void rest(float *out, const int64_t *n, int64_t from)
{
    for (int64_t i = from; i < n[0] * n[1]; i++) out[i] = 0;
}

static void *room(int64_t bytes)
{
    static void *memory;
    static int64_t size;
    if (bytes > size) memory = realloc(memory, (size_t)bytes);
    if (!memory) abort();
    size = bytes > size ? bytes : size;
    return memory;
}

// Runs a kernel whose result has fewer elements than the output.
#define SHORT(NAME, COUNT, CALL)                                                                   \
    static int NAME(const int64_t *n, void *const *in, void *result)                               \
    {                                                                                              \
        float *out = result;                                                                       \
        int status = 0;                                                                            \
        (void)in;                                                                                  \
        CALL;                                                                                      \
        rest(out, n, COUNT);                                                                       \
        return status;                                                                             \
    }
#define OURS(NAME, COUNT, ARGS)                                                                    \
    SHORT(plain_##NAME, COUNT, status = adze_##NAME ARGS)                                          \
    SHORT(auto_##NAME, COUNT, status = adze_auto_##NAME ARGS)
#define THEIRS(NAME, COUNT, ARGS)                                                                  \
    SHORT(peer_##NAME, COUNT, c_##NAME ARGS) SHORT(fast_peer_##NAME, COUNT, fast_##NAME ARGS)
#define BOTH(NAME, COUNT, ARGS) OURS(NAME, COUNT, ARGS) THEIRS(NAME, COUNT, ARGS)

OURS(dot, 1, (all(n), in[0], in[1], out))
SHORT(peer_dot, 1, out[0] = c_dot(all(n), in[0], in[1]))
SHORT(fast_peer_dot, 1, out[0] = fast_dot(all(n), in[0], in[1]))
BOTH(gemv, n[0], (n[0], n[1], in[0], in[1], out))
BOTH(softmax, all(n), (n[0], n[1], in[0], out))
BOTH(layer_norm, all(n), (n[0], n[1], in[0], out))
BOTH(distances, all(n), (n[0], n[1], n[2], in[2], in[3], out))
BOTH(product, all(n), (n[0], n[1], n[2], in[2], in[3], out))
OURS(covariance, n[2] * n[2], (n[0], n[2], in[2], out))
THEIRS(covariance, n[2] * n[2], (n[0], n[2], in[2], room(4 * points(n)), out))

static int nearest_of(int (*f)(int64_t, int64_t, int64_t, const float *, const float *, int32_t *),
                      const int64_t *n, void *const *in, float *out)
{
    int32_t *best = room(4 * n[0]);
    int status = f(n[0], n[1], n[2], in[2], in[3], best);
    for (int64_t i = 0; i < n[0]; i++) out[i] = (float)best[i];
    return status;
}

SHORT(plain_nearest, n[0], status = nearest_of(adze_nearest, n, in, out))
SHORT(auto_nearest, n[0], status = nearest_of(adze_auto_nearest, n, in, out))
THEIRS(nearest, n[0], (n[0], n[1], n[2], in[2], in[3], out))

#define PAIRS(NAME)                                                                                \
    {"C: " #NAME, 1, plain_##NAME, peer_##NAME, adze_##NAME##_message},                            \
    {                                                                                              \
        "C -Ofast: auto " #NAME, 1, auto_##NAME, fast_peer_##NAME, adze_auto_##NAME##_message      \
    }

const BenchCase bench_case = {
    .name = "asis",
    .pairs = {PAIRS(dot), PAIRS(gemv), PAIRS(softmax), PAIRS(layer_norm), PAIRS(distances),
              PAIRS(product), PAIRS(covariance), PAIRS(nearest)},
    .sizes = {{"1000x100, d = 3", {1000, 100, 3}},
              {"500x500, d = 64", {500, 500, 64}},
              {"1000x1001, d = 500", {1000, 1001, 500}}},
    .inputs = {all, all, points, others},
    .input_type = BENCH_F32,
    .output = all,
    .output_type = BENCH_F32,
    .tolerance = 1e-3,
};
