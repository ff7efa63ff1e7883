#include "gaussian.h"
#include "bench.h"
#include "image/image.h"

int peer_gaussian(int64_t h, int64_t w, const float *restrict in, float *restrict out);

static int ours(const int64_t *n, void *const *in, void *out)
{
    return adze_gaussian(n[0], n[1], 1, in[0], out);
}

static int theirs(const int64_t *n, void *const *in, void *out)
{
    return peer_gaussian(n[0], n[1], in[0], out);
}

static double value(const int64_t *n, const float *image, int64_t y, int64_t x)
{
    static const double weights[5] = {0.0625, 0.25, 0.375, 0.25, 0.0625};
    double sum = 0;
    for (int j = 0; j < 5; j++)
        for (int i = 0; i < 5; i++)
            sum += weights[j] * weights[i] * pixel(n, image, y + j - 2, x + i - 2);
    return sum;
}

static int reference(const int64_t *n, void *const *in, void *out)
{
    return filter_pixels(n, in[0], out, value);
}

const BenchCase bench_case = {
    .name = "image/gaussian",
    .pairs = {{"hand-written C", 1, ours, theirs, adze_gaussian_message}},
    .sizes = {{"256x256", {256, 256}}, {"517x1000", {517, 1000}}, {"4096x4096", {4096, 4096}}},
    .inputs = {image_pixels},
    .output = image_pixels,
    .reference = reference,
    .tolerance = 1e-6,
};
