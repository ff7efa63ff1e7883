#include "bench.h"
#include "image/image.h"
#include "unsharp.h"

int peer_unsharp(int64_t h, int64_t w, const float *restrict in, float *restrict out);

static int strips1(const int64_t *n, void *const *in, void *out)
{
    return adze_unsharp_strips(n[0], n[1], 1, in[0], out);
}

static int theirs(const int64_t *n, void *const *in, void *out)
{
    return peer_unsharp(n[0], n[1], in[0], out);
}

#ifdef BENCH_ROWS
#include "serial_unsharp_rows.h"
#include "unsharp_rows.h"

static int rows(const int64_t *n, void *const *in, void *out)
{
    return adze_unsharp_rows(n[0], n[1], in[0], out);
}

static int serial_rows(const int64_t *n, void *const *in, void *out)
{
    return serial_adze_unsharp_rows(n[0], n[1], in[0], out);
}
#endif

static int strips2(const int64_t *n, void *const *in, void *out)
{
    return adze_unsharp_strips(n[0], n[1], 2, in[0], out);
}

#ifdef BENCH_HALIDE
#include "image/halide.h"

HalideFilter halide_tiles, halide_strips;

static int halide_tiles1(const int64_t *n, void *const *in, void *out)
{
    return halide_run(halide_tiles, halide_type_float, 1, n, in[0], out);
}

static int halide_tiles2(const int64_t *n, void *const *in, void *out)
{
    return halide_run(halide_tiles, halide_type_float, 2, n, in[0], out);
}

static int halide_strips1(const int64_t *n, void *const *in, void *out)
{
    return halide_run(halide_strips, halide_type_float, 1, n, in[0], out);
}

static int halide_strips2(const int64_t *n, void *const *in, void *out)
{
    return halide_run(halide_strips, halide_type_float, 2, n, in[0], out);
}
#endif

static double value(const int64_t *n, const float *image, int64_t y, int64_t x)
{
    static const double weights[7] = {1, 6, 15, 20, 15, 6, 1};
    double mean = 0, centre = pixel(n, image, y, x);
    for (int j = 0; j < 7; j++)
        for (int i = 0; i < 7; i++)
            mean += weights[j] * weights[i] / 4096 * pixel(n, image, y + j - 3, x + i - 3);
    return centre + 0.8 * (centre - mean);
}

static int reference(const int64_t *n, void *const *in, void *out)
{
    return filter_pixels(n, in[0], out, value);
}

const BenchCase bench_case = {
    .name = "image/unsharp",
    .pairs =
        {
            {"hand-written C", 1, strips1, theirs, adze_unsharp_strips_message},
#ifdef BENCH_ROWS
            {"rows, hand-written C", 1, rows, theirs, adze_unsharp_rows_message},
            {"rows, strips", 1, rows, strips1, adze_unsharp_rows_message},
            {"rows, strips", 2, rows, strips2, adze_unsharp_rows_message},
            {"rows for c, C", 1, serial_rows, theirs, serial_adze_unsharp_rows_message},
#ifdef BENCH_HALIDE
            {"rows, Halide, tiles", 1, rows, halide_tiles1, adze_unsharp_rows_message},
            {"rows, Halide, tiles", 2, rows, halide_tiles2, adze_unsharp_rows_message},
            {"rows, Halide, strips", 1, rows, halide_strips1, adze_unsharp_rows_message},
            {"rows, Halide, strips", 2, rows, halide_strips2, adze_unsharp_rows_message},
#endif
#endif
        },
    .sizes = {{"256x256", {256, 256}}, {"517x1000", {517, 1000}}, {"4096x4096", {4096, 4096}}},
    .inputs = {image_pixels},
    .input_type = BENCH_F32,
    .output = image_pixels,
    .output_type = BENCH_F32,
    .reference = reference,
    .tolerance = 1e-6,
};
