#include "bench.h"
#include "harris.h"
#include "image/image.h"

int peer_harris(int64_t h, int64_t w, const float *restrict in, float *restrict out);

static int strips1(const int64_t *n, void *const *in, void *out)
{
    return adze_harris_strips(n[0], n[1], 1, in[0], out);
}

static int theirs(const int64_t *n, void *const *in, void *out)
{
    return peer_harris(n[0], n[1], in[0], out);
}

static int strips2(const int64_t *n, void *const *in, void *out)
{
    return adze_harris_strips(n[0], n[1], 2, in[0], out);
}

#ifdef BENCH_ROWS
#include "harris_rows.h"
#include "serial_harris_rows.h"

static int rows(const int64_t *n, void *const *in, void *out)
{
    return adze_harris_rows(n[0], n[1], in[0], out);
}

static int serial_rows(const int64_t *n, void *const *in, void *out)
{
    return serial_adze_harris_rows(n[0], n[1], in[0], out);
}

static int windows(const int64_t *n, void *const *in, void *out)
{
    return adze_harris_windows(n[0], n[1], in[0], out);
}

static int serial_windows(const int64_t *n, void *const *in, void *out)
{
    return serial_adze_harris_windows(n[0], n[1], in[0], out);
}
#endif

#ifdef BENCH_HALIDE
#include "image/halide.h"

HalideFilter halide_tiles, halide_strips;

static int tiles1(const int64_t *n, void *const *in, void *out)
{
    return adze_harris_tiles(n[0], n[1], 1, in[0], out);
}

static int tiles2(const int64_t *n, void *const *in, void *out)
{
    return adze_harris_tiles(n[0], n[1], 2, in[0], out);
}

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

// A pixel at a time, straight from the definition, in double precision.
static void gradients(const int64_t *n, const float *image, int64_t y, int64_t x, double *dx,
                      double *dy)
{
    *dx = *dy = 0;
    for (int k = -1; k <= 1; k++) {
        double weight = (k == 0 ? 2 : 1) / 12.0;
        *dx += weight * (pixel(n, image, y + k, x + 1) - pixel(n, image, y + k, x - 1));
        *dy += weight * (pixel(n, image, y + 1, x + k) - pixel(n, image, y - 1, x + k));
    }
}

static int reference(const int64_t *n, void *const *in, void *out)
{
    float *corners = out;
    for (int64_t y = 0; y < n[0]; y++)
        for (int64_t x = 0; x < n[1]; x++) {
            double sxx = 0, sxy = 0, syy = 0, dx, dy;
            for (int k = 0; k < 9; k++) {
                gradients(n, in[0], y + k / 3 - 1, x + k % 3 - 1, &dx, &dy);
                sxx += dx * dx;
                sxy += dx * dy;
                syy += dy * dy;
            }
            corners[y * n[1] + x] =
                (float)(sxx * syy - sxy * sxy - 0.04 * (sxx + syy) * (sxx + syy));
        }
    return 0;
}

const BenchCase bench_case = {
    .name = "image/harris",
    .pairs =
        {
            {"hand-written C", 1, strips1, theirs, adze_harris_strips_message},
#ifdef BENCH_ROWS
            {"rows, strips", 1, rows, strips1, adze_harris_rows_message},
            {"rows, strips", 2, rows, strips2, adze_harris_rows_message},
            {"rows for c, strips", 1, serial_rows, strips1, serial_adze_harris_rows_message},
            {"windows, strips", 1, windows, strips1, adze_harris_windows_message},
            {"windows, strips", 2, windows, strips2, adze_harris_windows_message},
            {"windows for c, strips", 1, serial_windows, strips1,
             serial_adze_harris_windows_message},
#endif
#ifdef BENCH_HALIDE
            {"Halide, tiles", 1, tiles1, halide_tiles1, adze_harris_tiles_message},
            {"Halide, tiles", 2, tiles2, halide_tiles2, adze_harris_tiles_message},
            {"Halide, strips", 1, strips1, halide_strips1, adze_harris_strips_message},
            {"Halide, strips", 2, strips2, halide_strips2, adze_harris_strips_message},
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
