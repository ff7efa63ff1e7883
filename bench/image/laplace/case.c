#include "laplace.h"
#include "bench.h"
#include "image/image.h"

void peer_laplace(int64_t h, int64_t w, const float *restrict in, float *restrict out);

static int ours(const int64_t *n, void *const *in, void *out)
{
    return adze_laplace(n[0], n[1], 1, in[0], out);
}

static int theirs(const int64_t *n, void *const *in, void *out)
{
    peer_laplace(n[0], n[1], in[0], out);
    return 0;
}

static double value(const int64_t *n, const float *image, int64_t y, int64_t x)
{
    double sum = -4.0 * pixel(n, image, y, x);
    for (int k = -1; k <= 1; k += 2)
        sum += (double)pixel(n, image, y + k, x) + pixel(n, image, y, x + k);
    return sum;
}

static int reference(const int64_t *n, void *const *in, void *out)
{
    return filter_pixels(n, in[0], out, value);
}

const BenchCase bench_case = {
    .name = "image/laplace",
    .pairs = {{"hand-written C", 1, ours, theirs, adze_laplace_message}},
    .sizes = {{"256x256", {256, 256}}, {"517x1000", {517, 1000}}, {"4096x4096", {4096, 4096}}},
    .inputs = {image_pixels},
    .output = image_pixels,
    .reference = reference,
    .tolerance = 1e-6,
};
