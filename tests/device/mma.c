// Calls entries of mma.adz, whose kernels have instructions for matrices: sums of integers, which
// are the same in any order.
#include "mma.h"

#include <stdio.h>
#include <stdlib.h>

static int64_t number(int64_t i, int64_t j)
{
    return (i * 37 + j * 11) % 23 - 11;
}

// The bits of a small integer as an f16.
static uint16_t half_of(int64_t x)
{
    int64_t size = x < 0 ? -x : x, exponent = 0;
    while (size >> (exponent + 1)) exponent++;
    int64_t bits = size ? (exponent + 15) << 10 | ((size << 10 >> exponent) & 1023) : 0;
    return (uint16_t)(bits | (x < 0) << 15);
}

static int64_t sum(int64_t i, int64_t j, int64_t k)
{
    int64_t all = 0;
    for (int64_t l = 0; l < k; l++) all += number(i, l) * number(j + 1, l);
    return all;
}

static int failures;

static void expect(const char *entry, int64_t i, int64_t j, double is, int64_t right)
{
    if (is == (double)right) return;
    printf("%s[%lld][%lld] is %g, not %lld\n", entry, (long long)i, (long long)j, is,
           (long long)right);
    failures++;
}

static void products(int64_t n, int64_t m, int64_t k)
{
    double *a = calloc((size_t)(n * k + 1), sizeof *a), *b = calloc((size_t)(k * m + 1), sizeof *b);
    double *out = calloc((size_t)(n * m + 1), sizeof *out);
    adze_f16 *x = calloc((size_t)(n * k + 1), sizeof *x),
             *y = calloc((size_t)(k * m + 1), sizeof *y);
    float *floats = calloc((size_t)(n * m + 1), sizeof *floats);
    if (!a || !b || !out || !x || !y || !floats) exit(1);
    for (int64_t i = 0; i < n * k; i++) a[i] = (double)number(i / k, i % k);
    for (int64_t i = 0; i < n * k; i++) x[i] = half_of(number(i / k, i % k));
    for (int64_t i = 0; i < k * m; i++) b[i] = (double)number(i % m + 1, i / m);
    for (int64_t i = 0; i < k * m; i++) y[i] = half_of(number(i / k + 1, i % k));
    if (adze_product(n, m, k, a, b, out) || adze_halves(n, m, k, x, y, floats)) exit(1);
    for (int64_t i = 0; i < n * m; i++) {
        expect("product", i / m, i % m, out[i], sum(i / m, i % m, k));
        expect("halves", i / m, i % m, floats[i], sum(i / m, i % m, k));
    }
    free(a), free(b), free(out), free(x), free(y), free(floats);
}

int main(void)
{
    double a[32], b[32], out[128];
    products(64, 64, 16);
    products(131, 130, 53);
    products(0, 70, 20);
    for (int64_t i = 0; i < 32; i++) a[i] = (double)number(i / 4, i % 4);
    for (int64_t i = 0; i < 32; i++) b[i] = (double)number(i / 4 + 1, i % 4);
    if (adze_twice(1, a, b, out)) return 1;
    for (int64_t i = 0; i < 128; i++)
        expect("twice", i / 2, i % 2, out[i], sum(i / 8 % 8, i / 2 % 4 * 2 + i % 2, 4));
    if (adze_other_order(1, a, b, out)) return 1;
    for (int64_t i = 0; i < 128; i++)
        expect("other_order", i / 2, i % 2, out[i],
               sum(7 - i / 8 % 8, 3 - i / 2 % 4 + i % 2 * 4, 4));
    return failures > 0;
}
