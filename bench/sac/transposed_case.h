// The case around the functions of transposed.h.
#ifndef ADZE_BENCH_TRANSPOSED_CASE_H
#define ADZE_BENCH_TRANSPOSED_CASE_H

#include "transposed.h"

static int64_t transpose_count(const int64_t *n)
{
    return n[0] * n[0];
}

#define TRANSPOSE_RUN(name, call)                                                                  \
    static int name(const int64_t *n, void *const *in, void *out)                                  \
    {                                                                                              \
        return call;                                                                               \
    }

TRANSPOSE_RUN(plain, (peer_plain(n[0], n[0], in[0], out), 0))
TRANSPOSE_RUN(tiled, (peer_tiled(n[0], n[0], in[0], out), 0))

// The second of each pair of sizes is one at which a column lies in few lines of the cache.
#define TRANSPOSE_SIZES                                                                            \
    {"100", {100}}, {"128", {128}}, {"1000", {1000}}, {"1024", {1024}}, {"4000", {4000}},          \
        {"4096", {4096}}, {"8000", {8000}},

#endif
