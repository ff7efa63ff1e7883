// Pictures of n[0] rows of n[1] pixels, row by row. Outside of its borders a picture has the nearest pixel
// of the border: pixel (x, y) is pixel (clamp(x), clamp(y)) for all integers x and y. Stages between input
// and output are computed for all x and y; so nothing is clamped but the places where the input is read.
#ifndef ADZE_BENCH_IMAGE_H
#define ADZE_BENCH_IMAGE_H

#include <stdint.h>

static inline int64_t image_pixels(const int64_t *n)
{
    return n[0] * n[1];
}

/// The place in 0..n-1 that is nearest to i.
static inline int64_t clamp(int64_t i, int64_t n)
{
    return i < 0 ? 0 : i < n ? i : n - 1;
}

/// How far apart to put rows of w numbers of 32 bits that are used together: at different places of their
/// pages, or stores would wait for loads that have the same last 12 address bits.
static inline int64_t row_stride(int64_t w)
{
    return (w + 911) / 1024 * 1024 + 112;
}

/// A pixel of a picture of floats, which may lie outside.
static inline float pixel(const int64_t *n, const float *image, int64_t y, int64_t x)
{
    return image[clamp(y, n[0]) * n[1] + clamp(x, n[1])];
}

/// A filter of a picture of floats a pixel at a time, straight from its definition, in double precision.
typedef double FilteredPixel(const int64_t *n, const float *image, int64_t y, int64_t x);
static inline int filter_pixels(const int64_t *n, const float *image, float *out,
                                FilteredPixel *value)
{
    for (int64_t y = 0; y < n[0]; y++)
        for (int64_t x = 0; x < n[1]; x++) out[y * n[1] + x] = (float)value(n, image, y, x);
    return 0;
}

#endif
