// Medians, their confidence intervals, and noise.
#include "driver/bench/bench.h"

#include <math.h>
#include <string.h>

// On a quiet machine, the quartiles of the times differ by less than this part of the median.
static const double QUIET = 0.1;

// The number of the samples below the true median is binomially distributed with p = 1/2. In 95 %
// of all cases it is within 1.96 standard deviations, sqrt(n)/2 each, of n/2.
BenchTime bench_statistics(double *seconds, int n)
{
    double median = timing_median(seconds, n), spread = 1.96 * sqrt(n) / 2;
    int low = (int)floor(n / 2.0 - spread), high = (int)ceil(n / 2.0 + spread);
    if (low < 0) low = 0;
    if (high > n - 1) high = n - 1;
    double quartiles = seconds[(n - 1) * 3 / 4] - seconds[(n - 1) / 4];
    return (BenchTime){median, seconds[low], seconds[high], quartiles > QUIET * median};
}

static double median_of(Arena *arena, const double *seconds, int n)
{
    double *copy = ARENA_ARRAY(arena, double, n + 1);
    memcpy(copy, seconds, (size_t)n * sizeof *copy);
    return timing_median(copy, n);
}

bool bench_drifts(Arena *arena, const double *seconds, int n)
{
    int half = n / 2;
    if (half < 2) return false;
    double first = median_of(arena, seconds, half);
    double second = median_of(arena, seconds + n - half, half);
    return fabs(first - second) > QUIET * fmin(first, second);
}
