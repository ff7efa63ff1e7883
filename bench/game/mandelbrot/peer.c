#include <stdbool.h>
#include <stdint.h>

// Pixels at a time: four bytes of the picture, enough to hide what an operation takes.
enum { LANES = 32, CHECKED = 5, ITERATIONS = 50 };

void peer_mandelbrot(int64_t n, uint8_t *restrict out);

static bool some_within(const double *restrict re2, const double *restrict im2)
{
    int within = 0;
    for (int k = 0; k < LANES; k++) within |= re2[k] + im2[k] <= 4.0;
    return within;
}

// Bits of the points that stay within radius 2. Lanes that have left go on, to infinity.
static void group(const double *restrict cre, double cim, uint8_t *restrict out)
{
    double re[LANES] = {0}, im[LANES] = {0}, re2[LANES] = {0}, im2[LANES] = {0};
    for (int i = 0; i < ITERATIONS / CHECKED; i++) {
        for (int j = 0; j < CHECKED; j++)
            for (int k = 0; k < LANES; k++) {
                im[k] = 2.0 * re[k] * im[k] + cim;
                re[k] = re2[k] - im2[k] + cre[k];
                re2[k] = re[k] * re[k];
                im2[k] = im[k] * im[k];
            }
        if (!some_within(re2, im2)) break;
    }
    for (int b = 0; b < LANES / 8; b++) {
        unsigned bits = 0;
        for (int k = 0; k < 8; k++) bits = bits << 1 | (re2[8 * b + k] + im2[8 * b + k] <= 4.0);
        out[b] = (uint8_t)bits;
    }
}

// n pixels wide and high, n a multiple of LANES.
void peer_mandelbrot(int64_t n, uint8_t *restrict out)
{
    for (int64_t y = 0; y < n; y++)
        for (int64_t x = 0; x < n; x += LANES) {
            double cre[LANES];
            for (int k = 0; k < LANES; k++) cre[k] = 2.0 * (double)(x + k) / (double)n - 1.5;
            group(cre, 2.0 * (double)y / (double)n - 1.0, out + (y * n + x) / 8);
        }
}
