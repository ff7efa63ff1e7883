#include "bilateral.h"
#include "bench.h"
#include "image/image.h"

#include <math.h>

void peer_bilateral(int64_t h, int64_t w, const float *restrict in, float *restrict out);

static int ours(const int64_t *n, void *const *in, void *out)
{
    return adze_bilateral(n[0], n[1], 1, in[0], out);
}

static int theirs(const int64_t *n, void *const *in, void *out)
{
    peer_bilateral(n[0], n[1], in[0], out);
    return 0;
}

static double value(const int64_t *n, const float *image, int64_t y, int64_t x)
{
    double weight = 0, sum = 0, center = pixel(n, image, y, x);
    for (int j = -2; j <= 2; j++)
        for (int i = -2; i <= 2; i++) {
            double p = pixel(n, image, y + j, x + i), apart = p - center;
            double k = exp(-(i * i + j * j) / 2.0) * exp(-8 * apart * apart);
            weight += k;
            sum += k * p;
        }
    return sum / weight;
}

static int reference(const int64_t *n, void *const *in, void *out)
{
    return filter_pixels(n, in[0], out, value);
}

const BenchCase bench_case = {
    .name = "image/bilateral",
    .pairs = {{"hand-written C", 1, ours, theirs, adze_bilateral_message}},
    .sizes = {{"256x256", {256, 256}}, {"517x1000", {517, 1000}}, {"1024x1024", {1024, 1024}}},
    .inputs = {image_pixels},
    .output = image_pixels,
    .reference = reference,
    .tolerance = 1e-6,
};
