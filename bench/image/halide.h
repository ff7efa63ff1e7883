// What Halide's programs are called with: pictures of one number per pixel.
#ifndef ADZE_BENCH_HALIDE_H
#define ADZE_BENCH_HALIDE_H

#include <HalideRuntime.h>
#include <stdint.h>

typedef int HalideFilter(struct halide_buffer_t *in, struct halide_buffer_t *out);

// Threads that run keep running: a new number needs a new pool.
static inline void halide_use_threads(int threads)
{
    static int used;
    if (threads == used) return;
    halide_shutdown_thread_pool();
    halide_set_num_threads(threads);
    used = threads;
}

/// Runs a filter on n[0] rows of n[1] numbers of 32 bits, with that many threads.
static inline int halide_run(HalideFilter *filter, enum halide_type_code_t code, int threads,
                             const int64_t *n, void *in, void *out)
{
    int h = (int)n[0], w = (int)n[1];
    struct halide_dimension_t shape[2] = {{.extent = w, .stride = 1}, {.extent = h, .stride = w}};
    struct halide_type_t type = {.code = (uint8_t)code, .bits = 32, .lanes = 1};
    struct halide_buffer_t from = {.host = in, .type = type, .dimensions = 2, .dim = shape};
    struct halide_buffer_t to = {.host = out, .type = type, .dimensions = 2, .dim = shape};
    halide_use_threads(threads);
    return filter(&from, &to);
}

#endif
