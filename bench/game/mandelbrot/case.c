#include "bench.h"
#include "mandelbrot.h"

void peer_mandelbrot(int64_t n, uint8_t *restrict out);

static int64_t output(const int64_t *n)
{
    return n[0] * n[0] / 8;
}

static int ours(const int64_t *n, void *const *in, void *out)
{
    (void)in;
    return adze_mandelbrot(n[0], out);
}

static int theirs(const int64_t *n, void *const *in, void *out)
{
    (void)in;
    peer_mandelbrot(n[0], out);
    return 0;
}

// A pixel at a time.
static int reference(const int64_t *n, void *const *in, void *out)
{
    (void)in;
    uint8_t *bits = out;
    for (int64_t p = 0; p < n[0] * n[0]; p++) {
        double cre = 2.0 * (double)(p % n[0]) / (double)n[0] - 1.5;
        double cim = 2.0 * (double)(p / n[0]) / (double)n[0] - 1.0, re = 0, im = 0;
        int i = 0;
        for (; i < 50 && re * re + im * im <= 4.0; i++) {
            double next = re * re - im * im + cre;
            im = 2.0 * re * im + cim;
            re = next;
        }
        if (re * re + im * im <= 4.0) bits[p / 8] |= (uint8_t)(128 >> p % 8);
    }
    return 0;
}

// Pixels on the edge depend on where products and sums are contracted: the mean of the differences
// allows for a pixel in about 100000.
const BenchCase bench_case = {
    .name = "game/mandelbrot",
    .pairs = {{"hand-written C", 1, ours, theirs, adze_mandelbrot_message}},
    .sizes = {{"320", {320}}, {"1600", {1600}}, {"4000", {4000}}},
    .output = output,
    .output_type = BENCH_U8,
    .reference = reference,
    .tolerance = 1e-5,
    .mean = true,
};
