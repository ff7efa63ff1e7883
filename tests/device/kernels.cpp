// A kernel of bench/device, or a wrong one, on the CPU (device.h): runs it on awkward sizes, compares
// the results, and prints what is counted for a large one. KERNEL is its file; it is chosen by
// TEST_transpose and so on, or is TEST_wrong.
#include "device.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include KERNEL

// What runs on the host is not instrumented.
#pragma clang attribute push(__attribute__((no_sanitize("thread"))), apply_to = function)

static const int sizes[] = {1, 2, 31, 33, 97};

__attribute__((unused)) static unsigned blocks(int n, int size)
{
    return (unsigned)((n + size - 1) / size);
}

static float *numbers(int n)
{
    float *a = (float *)malloc(((size_t)n + 1) * sizeof *a);
    for (int i = 0; i < n; i++) a[i] = (float)(i * 7 % 23) - 11.0f;
    return a;
}

__attribute__((unused)) static void compare(const char *what, const float *got, const float *want,
                                            int n)
{
    for (int i = 0; i < n; i++) {
        if (got[i] == want[i]) continue;
        fprintf(stderr, "%s: element %d of %d is %g, not %g\n", what, i, n, (double)got[i],
                (double)want[i]);
        exit(1);
    }
}

#ifdef TEST_transpose
static void test(int n, int m)
{
    float *a = numbers(n * m), *want = numbers(n * m);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) want[j * n + i] = a[i * m + j];
    float *in = (float *)device_memory("a", a, (size_t)n * m, sizeof *a);
    float *out = (float *)device_memory("out", NULL, (size_t)n * m, sizeof *a);
    launch({blocks(m, 32), blocks(n, 32), 1}, {32, 8, 1}, [&] { transpose(in, out, n, m); });
    compare("transpose", out, want, n * m);
    device_free(in);
    device_free(out);
    free(a);
    free(want);
}
#endif

#ifdef TEST_product
static void test(int n, int m)
{
    int k = n < m ? n + 3 : m;
    float *a = numbers(n * k), *b = numbers(k * m), *want = numbers(n * m);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            float s = 0.0f;
            for (int l = 0; l < k; l++) s += a[i * k + l] * b[l * m + j];
            want[i * m + j] = s;
        }
    float *x = (float *)device_memory("a", a, (size_t)n * k, sizeof *a);
    float *y = (float *)device_memory("b", b, (size_t)k * m, sizeof *a);
    float *out = (float *)device_memory("out", NULL, (size_t)n * m, sizeof *a);
    launch({blocks(m, 64), blocks(n, 64), 1}, {16, 16, 1}, [&] { product(x, y, out, n, m, k); });
    compare("product", out, want, n * m);
    device_free(x);
    device_free(y);
    device_free(out);
    free(a);
    free(b);
    free(want);
}
#endif

#ifdef TEST_sum
static void test(int n, int m)
{
    float *a = numbers(n * m), want = 0.0f, none = 0.0f;
    for (int i = 0; i < n * m; i++) want += a[i];
    float *in = (float *)device_memory("a", a, (size_t)n * m, sizeof *a);
    float *out = (float *)device_memory("out", &none, 1, sizeof *a);
    launch({3, 1, 1}, {256, 1, 1}, [&] { sum(in, out, n * m); });
    compare("sum", out, &want, 1); // the numbers are small integers, whose sums are exact
    device_free(in);
    device_free(out);
    free(a);
}
#endif

#ifdef TEST_jacobi
static void test(int n, int m)
{
    float *a = numbers(n * m), *want = numbers(n * m);
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
            want[i * m + j] = 0.25f * (a[(i - 1) * m + j] + a[(i + 1) * m + j] + a[i * m + j - 1] +
                                       a[i * m + j + 1]);
    float *in = (float *)device_memory("a", a, (size_t)n * m, sizeof *a);
    float *out = (float *)device_memory("out", NULL, (size_t)n * m, sizeof *a);
    launch({blocks(m, 32), blocks(n, 8), 1}, {32, 8, 1}, [&] { jacobi(in, out, n, m); });
    compare("jacobi", out, want, n * m);
    device_free(in);
    device_free(out);
    free(a);
    free(want);
}
#endif

#ifdef TEST_wrong
static void test(int n, int m)
{
    if (n < 64 || m < 64) return;
    n = 128;
    float *a = numbers(n);
    float *in = (float *)device_memory("a", a, (size_t)n, sizeof *a);
    float *out = (float *)device_memory("out", NULL, (size_t)n, sizeof *a);
    launch({2, 1, 1}, {64, 1, 1}, [&] { TEST_wrong(in, out, n); });
    device_free(in);
    device_free(out);
    free(a);
}
#endif

int main(int argc, char **argv)
{
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 5; j++) {
            device_begin((uint64_t)(5 * i + j));
            test(sizes[i], sizes[j]);
        }
    device_begin(1);
    test(256, 128);
    device_report(argc > 1 ? argv[1] : "kernel");
    return 0;
}

#pragma clang attribute pop
