// A kernel of bench/device, or a wrong one, on the CPU (device.h): runs it on awkward sizes,
// compares the results, and prints what is counted for a large one. KERNEL is its file; it is
// chosen by TEST_transpose and so on, or is TEST_wrong.
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

static void compare(const char *what, const float *got, const float *want, int n)
{
    for (int i = 0; i < n; i++) {
        if (got[i] == want[i]) continue;
        fprintf(stderr, "%s: element %d of %d is %g, not %g\n", what, i, n, (double)got[i],
                (double)want[i]);
        exit(1);
    }
}

static float *on_device(const char *name, const float *values, int n)
{
    return (float *)device_memory(name, values, (size_t)n, sizeof *values);
}

// Runs a kernel from na numbers to nw numbers, and compares them with `want`. Frees both arrays.
template <typename F>
static void check(const char *what, float *a, int na, float *want, int nw, F run)
{
    float *in = on_device("a", a, na), *out = on_device("out", NULL, nw);
    run(in, out);
    compare(what, out, want, nw);
    device_free(in);
    device_free(out);
    free(a);
    free(want);
}

#ifdef TEST_transpose
static void test(int n, int m)
{
    float *a = numbers(n * m), *want = numbers(n * m);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) want[j * n + i] = a[i * m + j];
    check("transpose", a, n * m, want, n * m, [=](float *in, float *out) {
        launch({blocks(m, 32), blocks(n, 32), 1}, {32, 8, 1}, [=] { transpose(in, out, n, m); });
    });
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
    float *y = on_device("b", b, k * m);
    check("product", a, n * k, want, n * m, [=](float *x, float *out) {
        launch({blocks(m, 64), blocks(n, 64), 1}, {16, 16, 1},
               [=] { product(x, y, out, n, m, k); });
    });
    device_free(y);
    free(b);
}
#endif

#ifdef TEST_sum
static void test(int n, int m)
{
    float *a = numbers(n * m), *want = numbers(1), none = 0.0f;
    want[0] = 0.0f; // the numbers are small integers, whose sums are exact
    for (int i = 0; i < n * m; i++) want[0] += a[i];
    float *total = on_device("total", &none, 1);
    check("sum", a, n * m, want, 1, [=](float *in, float *out) {
        launch({3, 1, 1}, {256, 1, 1}, [=] { sum(in, total, n * m); });
        out[0] = total[0];
    });
    device_free(total);
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
    check("jacobi", a, n * m, want, n * m, [=](float *in, float *out) {
        launch({blocks(m, 32), blocks(n, 8), 1}, {32, 8, 1}, [=] { jacobi(in, out, n, m); });
    });
}
#endif

#ifdef TEST_wrong
static void test(int n, int m)
{
    if (n < 64 || m < 64) return;
    check("wrong", numbers(128), 128, numbers(128), 128, [](float *in, float *out) {
        launch({2, 1, 1}, {64, 1, 1}, [=] { TEST_wrong(in, out, 128); });
    });
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
