// The kernels of a file of bench/device, or a wrong one, on the CPU (device.h): runs them on
// awkward sizes, compares the results, and prints what is counted for a large one. KERNEL is the
// file; it is chosen by TEST_transpose and so on, or is TEST_wrong. With an argument, the line of a
// barrier, runs them without this barrier.
#include "device.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include KERNEL

// What runs on the host is not instrumented.
#pragma clang attribute push(__attribute__((no_sanitize("thread"))), apply_to = function)

static const int sizes[] = {0, 1, 2, 31, 33, 97};
enum { SIZES = sizeof sizes / sizeof *sizes };

// A kernel, and the sizes at which its requests are counted.
typedef struct {
    const char *name;
    void (*run)(int n, int m);
    int n, m;
} Test;

__attribute__((unused)) static unsigned blocks(int n, int size)
{
    return (unsigned)((n + size - 1) / size);
}

// An array in global memory, which the host may access, too. Its elements are undefined, or given
// by a function of their number.
template <typename T> struct Array {
    T *at;
    int count;

    Array(const char *name, int n) : count(n)
    {
        at = (T *)device_memory(name, NULL, (size_t)n, sizeof *at);
    }
    template <typename F> Array(const char *name, int n, F element) : count(n)
    {
        T *values = (T *)calloc((size_t)n + 1, sizeof *values);
        for (int i = 0; i < n; i++) values[i] = element(i);
        at = (T *)device_memory(name, values, (size_t)n, sizeof *at);
        free(values);
    }
    Array(const Array &) = delete;
    ~Array()
    {
        device_free(at);
    }
};

// Small integers: sums of a few thousand products of three of them are exact.
__attribute__((unused)) static float number(int i)
{
    return (float)(i * 7 % 23) - 11.0f;
}

// Fails unless element i is want(i), for all i from `from` on, or differs by at most the tolerance
// relative to it and 1.
template <typename T, typename F>
static void compare(const char *what, const Array<T> &got, F want, double tolerance = 0.0,
                    int from = 0)
{
    for (int i = from; i < got.count; i++) {
        double is = (double)got.at[i], should = (double)want(i);
        if (fabs(is - should) <= tolerance * (fabs(should) + 1.0)) continue;
        fprintf(stderr, "%s: element %d of %d is %g, not %g\n", what, i, got.count, is, should);
        exit(1);
    }
}

#ifdef TEST_jacobi
static void test_jacobi(int n, int m)
{
    Array<float> a("a", n * m, number), out("out", n * m);
    launch({blocks(m, JACOBI_WIDTH), blocks(n, JACOBI_HEIGHT), 1}, {JACOBI_WIDTH, JACOBI_HEIGHT, 1},
           [&] { jacobi(a.at, out.at, n, m); });
    compare("jacobi", out, [&](int e) {
        int i = e / m, j = e % m;
        if (i == 0 || j == 0 || i == n - 1 || j == m - 1) return a.at[e];
        return 0.25f * (a.at[e - m] + a.at[e + m] + a.at[e - 1] + a.at[e + 1]);
    });
}
static const Test tests[] = {{"jacobi", test_jacobi, 256, 128}};
#endif

#ifdef TEST_product
static void test_product(int n, int m)
{
    int k = n < m ? n + 3 : m;
    Array<float> a("a", n * k, number), b("b", k * m, number), out("out", n * m);
    launch({blocks(m, PRODUCT_TILE), blocks(n, PRODUCT_TILE), 1}, {PRODUCT_SIDE, PRODUCT_SIDE, 1},
           [&] { product(a.at, b.at, out.at, n, m, k); });
    compare("product", out, [&](int e) {
        float sum = 0.0f;
        for (int l = 0; l < k; l++) sum += a.at[e / m * k + l] * b.at[l * m + e % m];
        return sum;
    });
}
static const Test tests[] = {{"product", test_product, 256, 128}};
#endif

#ifdef TEST_sum
static void test_sum(int n, int m)
{
    Array<float> a("a", n * m, number), out("out", 1, [](int) { return 0.0f; });
    launch({3, 1, 1}, {256, 1, 1}, [&] { sum(a.at, out.at, n * m); });
    compare("sum", out, [&](int) {
        float all = 0.0f;
        for (int i = 0; i < n * m; i++) all += a.at[i];
        return all;
    });
}
static const Test tests[] = {{"sum", test_sum, 256, 128}};
#endif

#ifdef TEST_transpose
static void test_transpose(int n, int m)
{
    Array<float> a("a", n * m, number), out("out", n * m);
    launch({blocks(m, TRANSPOSE_TILE), blocks(n, TRANSPOSE_TILE), 1},
           {TRANSPOSE_TILE, TRANSPOSE_ROWS, 1}, [&] { transpose(a.at, out.at, n, m); });
    compare("transpose", out, [&](int e) { return a.at[e % n * m + e / n]; });
}
static const Test tests[] = {{"transpose", test_transpose, 256, 128}};
#endif

#ifdef TEST_wrong
static void test_wrong(int n, int m)
{
    if (n < 64 || m < 64) return;
    Array<float> a("a", 128, number), out("out", 128);
    launch({2, 1, 1}, {64, 1, 1}, [&] { TEST_wrong(a.at, out.at, 128); });
    compare("wrong", out, number);
}
static const Test tests[] = {{"wrong", test_wrong, 256, 128}};
#endif

int main(int argc, char **argv)
{
    device_leave_out(argc > 1 ? atoi(argv[1]) : 0);
    for (const Test &test : tests) {
        for (int i = 0; i < SIZES; i++)
            for (int j = 0; j < SIZES; j++) {
                device_begin((uint64_t)(SIZES * i + j));
                test.run(sizes[i], sizes[j]);
            }
        device_begin(1);
        test.run(test.n, test.m);
        device_report(test.name);
    }
    return 0;
}

#pragma clang attribute pop
