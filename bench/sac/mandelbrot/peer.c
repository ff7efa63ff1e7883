#include <stdint.h>

void peer_mandelbrot(int64_t n, int32_t limit, int32_t *restrict out);

void peer_mandelbrot(int64_t n, int32_t limit, int32_t *restrict out)
{
    double side = 3.0 / (double)n;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) {
            double re = (double)j * side - 2.25, im = (double)i * side - 1.5, x = 0, y = 0;
            int32_t k = 0;
            for (; k < limit && x * x + y * y <= 4; k++) {
                double next = x * x - y * y + re;
                y = 2 * x * y + im;
                x = next;
            }
            out[i * n + j] = k;
        }
}
