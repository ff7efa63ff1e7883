#include "bench.h"
#include "blur.h"
#include "image/image.h"

int peer_blur(int64_t h, int64_t w, const int32_t *restrict in, int32_t *restrict out);

static int strips1(const int64_t *n, void *const *in, void *out)
{
    return adze_blur_strips(n[0], n[1], 1, in[0], out);
}

static int theirs(const int64_t *n, void *const *in, void *out)
{
    return peer_blur(n[0], n[1], in[0], out);
}

static int strips2(const int64_t *n, void *const *in, void *out)
{
    return adze_blur_strips(n[0], n[1], 2, in[0], out);
}

#ifdef BENCH_ROWS
#include "blur_rows.h"
#include "serial_blur_rows.h"

static int rows(const int64_t *n, void *const *in, void *out)
{
    return adze_blur_rows(n[0], n[1], in[0], out);
}

static int serial_rows(const int64_t *n, void *const *in, void *out)
{
    return serial_adze_blur_rows(n[0], n[1], in[0], out);
}
#endif

#ifdef BENCH_HALIDE
#include "image/halide.h"

HalideFilter halide_tiles, halide_strips;

static int tiles1(const int64_t *n, void *const *in, void *out)
{
    return adze_blur_tiles(n[0], n[1], 1, in[0], out);
}

static int tiles2(const int64_t *n, void *const *in, void *out)
{
    return adze_blur_tiles(n[0], n[1], 2, in[0], out);
}

static int halide_tiles1(const int64_t *n, void *const *in, void *out)
{
    return halide_run(halide_tiles, halide_type_int, 1, n, in[0], out);
}

static int halide_tiles2(const int64_t *n, void *const *in, void *out)
{
    return halide_run(halide_tiles, halide_type_int, 2, n, in[0], out);
}

static int halide_strips1(const int64_t *n, void *const *in, void *out)
{
    return halide_run(halide_strips, halide_type_int, 1, n, in[0], out);
}

static int halide_strips2(const int64_t *n, void *const *in, void *out)
{
    return halide_run(halide_strips, halide_type_int, 2, n, in[0], out);
}
#endif

// A pixel at a time, straight from the definition.
static int reference(const int64_t *n, void *const *in, void *out)
{
    const int32_t *image = in[0];
    int32_t *blurred = out;
    for (int64_t y = 0; y < n[0]; y++)
        for (int64_t x = 0; x < n[1]; x++) {
            int32_t sum = 0;
            for (int64_t j = y - 1; j <= y + 1; j++) {
                int32_t row = 0;
                for (int64_t i = x - 1; i <= x + 1; i++)
                    row += image[clamp(j, n[0]) * n[1] + clamp(i, n[1])];
                sum += row / 3;
            }
            blurred[y * n[1] + x] = sum / 3;
        }
    return 0;
}

const BenchCase bench_case = {
    .name = "image/blur",
    .pairs =
        {
            {"hand-written C", 1, strips1, theirs, adze_blur_strips_message},
#ifdef BENCH_ROWS
            {"rows, strips", 1, rows, strips1, adze_blur_rows_message},
            {"rows, strips", 2, rows, strips2, adze_blur_rows_message},
            {"rows for c, strips", 1, serial_rows, strips1, serial_adze_blur_rows_message},
#endif
#ifdef BENCH_HALIDE
            {"Halide, tiles", 1, tiles1, halide_tiles1, adze_blur_tiles_message},
            {"Halide, tiles", 2, tiles2, halide_tiles2, adze_blur_tiles_message},
            {"Halide, strips", 1, strips1, halide_strips1, adze_blur_strips_message},
            {"Halide, strips", 2, strips2, halide_strips2, adze_blur_strips_message},
#endif
        },
    .sizes = {{"256x256", {256, 256}}, {"517x1000", {517, 1000}}, {"4096x4096", {4096, 4096}}},
    .inputs = {image_pixels},
    .input_type = BENCH_I32,
    .output = image_pixels,
    .output_type = BENCH_I32,
    .reference = reference,
};
