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

#if defined TEST_filter || defined TEST_scan
template <typename T> static unsigned long long state(unsigned which, T sum)
{
    return (unsigned long long)which << 32 | __builtin_bit_cast(unsigned, sum);
}

// The state of a tile before the last one runs, when those from `complete` on have published their
// own sums only, of the sums up to the end of each.
template <typename T>
static unsigned long long published(const T *upto, int tile, int tiles, int complete)
{
    return tile < complete    ? state(LOOKBACK_UP_TO_TILE, upto[tile])
           : tile < tiles - 1 ? state(LOOKBACK_OF_TILE, upto[tile] - upto[tile - 1])
                              : state(LOOKBACK_NONE, T(0));
}
#endif

#ifdef TEST_atax
static void test_atax(int n, int m)
{
    auto few = [](int i) { return (float)(i * 7 % 5 - 2); };
    Array<float> a("a", n * m, few), x("x", m, few), out("out", m, [](int) { return 0.0f; });
    launch({3, 1, 1}, {32, ATAX_ROWS, 1}, [&] { atax(a.at, x.at, out.at, n, m); });
    Array<float> products("products", n, [&](int i) {
        float sum = 0.0f;
        for (int j = 0; j < m; j++) sum += a.at[i * m + j] * x.at[j];
        return sum;
    });
    compare("atax", out, [&](int j) {
        float sum = 0.0f;
        for (int i = 0; i < n; i++) sum += a.at[i * m + j] * products.at[i];
        return sum;
    });
}
static const Test tests[] = {{"atax", test_atax, 256, 256}};
#endif

#ifdef TEST_convolution
static ConvolutionWeights weights()
{
    ConvolutionWeights w;
    for (int k = 0; k < CONVOLUTION_WEIGHTS; k++) w.at[k] = (float)(k * k % 7 - k);
    return w;
}

static void test_convolution_x(int n, int m)
{
    if (m < 100) m *= 3; // also more than a block
    ConvolutionWeights w = weights();
    Array<float> a("a", n * m, number), out("out", n * m);
    launch({blocks(m, CONVOLUTION_WIDTH), blocks(n, CONVOLUTION_ROWS), 1},
           {32, CONVOLUTION_ROWS, 1}, [&] { convolution_x(w, a.at, out.at, n, m); });
    compare("convolution_x", out, [&](int e) {
        float sum = 0.0f;
        for (int k = 0; k < CONVOLUTION_WEIGHTS; k++) {
            int j = e % m + k - CONVOLUTION_REACH;
            sum += w.at[k] * a.at[e / m * m + (j < 0 ? 0 : j < m ? j : m - 1)];
        }
        return sum;
    });
}

static void test_convolution_y(int n, int m)
{
    if (n < 100) n *= 3;
    ConvolutionWeights w = weights();
    Array<float> a("a", n * m, number), out("out", n * m);
    launch({blocks(m, 32), blocks(n, CONVOLUTION_HEIGHT), 1}, {32, CONVOLUTION_PARTS, 1},
           [&] { convolution_y(w, a.at, out.at, n, m); });
    compare("convolution_y", out, [&](int e) {
        float sum = 0.0f;
        for (int k = 0; k < CONVOLUTION_WEIGHTS; k++) {
            int i = e / m + k - CONVOLUTION_REACH;
            sum += w.at[k] * a.at[(i < 0 ? 0 : i < n ? i : n - 1) * m + e % m];
        }
        return sum;
    });
}
static const Test tests[] = {{"convolution_x", test_convolution_x, 64, 448},
                             {"convolution_y", test_convolution_y, 256, 128}};
#endif

#ifdef TEST_filter
// Runs the tiles from `first` on, where those before it have run, but those from `complete` on have
// published their own sums only.
static void test_tiles(int n, int first, int complete)
{
    int tiles = (int)blocks(n, FILTER_TILE), before = 0;
    Array<float> a("a", n, [](int i) { return (float)(i % 1000 % 7 - 2); }); // 4 of 7 are kept
    Array<float> out("out", n), want("want", n);
    Array<unsigned> upto("upto", tiles), kept("kept", 1, [](int) { return 0u; });
    unsigned count = 0;
    for (int i = 0; i < n; i++) {
        if (a.at[i] > 0.0f) want.at[count++] = a.at[i];
        upto.at[i / FILTER_TILE] = count;
        if (i < first * FILTER_TILE) before = (int)count;
    }
    Array<unsigned long long> states("states", tiles, [&](int tile) {
        return tile < first ? published(upto.at, tile, tiles, complete) : 0;
    });
    Array<int> taken("taken", 1, [=](int) { return first; });
    launch({(unsigned)(tiles - first), 1, 1}, {FILTER_THREADS, 1, 1},
           [&] { filter(a.at, out.at, kept.at, n, taken.at, states.at); });
    compare("filter, count", kept, [=](int) { return count; });
    out.count = (int)count;
    compare(
        "filter", out, [&](int i) { return want.at[i]; }, 0.0, before);
    compare("filter, states", states, [&](int tile) {
        return tile < first ? states.at[tile] : state(LOOKBACK_UP_TO_TILE, upto.at[tile]);
    });
}

static void test_filter(int n, int m)
{
    test_tiles(n * m, 0, 0);
    if (n == 97 && m < 3)
        test_tiles((m ? 40 : 5) * FILTER_TILE - 5, m ? 39 : 4, m == 1 ? 4 : m == 2 ? 37 : 1);
}
static const Test tests[] = {{"filter", test_filter, 160, 125}};
#endif

#ifdef TEST_gemv
static void test_gemv_n(int n, int m)
{
    Array<float> a("a", n * m, number), x("x", m, number), y("y", n, number), out("out", n);
    launch({blocks(n, GEMV_ROWS), 1, 1}, {32, GEMV_ROWS, 1},
           [&] { gemv_n(2.0f, 3.0f, a.at, x.at, y.at, out.at, n, m); });
    compare("gemv_n", out, [&](int i) {
        float sum = 0.0f;
        for (int j = 0; j < m; j++) sum += a.at[i * m + j] * x.at[j];
        return 2.0f * sum + 3.0f * y.at[i];
    });
}

static void test_gemv_t(int n, int m)
{
    Array<float> a("a", n * m, number), x("x", n, number), y("y", m, number), out("out", m);
    launch({blocks(m, 32), 1, 1}, {32, GEMV_PARTS, 1},
           [&] { gemv_t(2.0f, 3.0f, a.at, x.at, y.at, out.at, n, m); });
    compare("gemv_t", out, [&](int j) {
        float sum = 0.0f;
        for (int i = 0; i < n; i++) sum += a.at[i * m + j] * x.at[i];
        return 2.0f * sum + 3.0f * y.at[j];
    });
}
static const Test tests[] = {{"gemv_n", test_gemv_n, 256, 128}, {"gemv_t", test_gemv_t, 256, 128}};
#endif

#ifdef TEST_gesummv
static void test_gesummv(int n, int m)
{
    Array<float> a("a", n * m, number), b("b", n * m, [](int i) { return number(3 * i); });
    Array<float> x("x", m, number), out("out", n);
    launch({blocks(n, GESUMMV_ROWS), 1, 1}, {32, GESUMMV_ROWS, 1},
           [&] { gesummv(2.0f, 3.0f, a.at, b.at, x.at, out.at, n, m); });
    compare("gesummv", out, [&](int i) {
        float sum = 0.0f;
        for (int j = 0; j < m; j++)
            sum += (2.0f * a.at[i * m + j] + 3.0f * b.at[i * m + j]) * x.at[j];
        return sum;
    });
}
static const Test tests[] = {{"gesummv", test_gesummv, 256, 128}};
#endif

#ifdef TEST_histogram
static void test_histogram(int n, int m)
{
    uint32_t state = 1; // of a linear congruential generator
    Array<unsigned char> a("a", n * m, [&](int) {
        state = state * 1664525u + 1013904223u;
        return (unsigned char)(n == m ? 7 : state >> 24);
    });
    Array<unsigned> out("out", HISTOGRAM_BINS, [](int) { return 0u; });
    Array<unsigned> want("want", HISTOGRAM_BINS, [](int) { return 0u; });
    for (int i = 0; i < n * m; i++) want.at[a.at[i]]++;
    launch({3, 1, 1}, {HISTOGRAM_THREADS, 1, 1}, [&] { histogram(a.at, out.at, n * m); });
    compare("histogram", out, [&](int i) { return want.at[i]; });
}
static const Test tests[] = {{"histogram", test_histogram, 256, 192}};
#endif

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

#ifdef TEST_jacobi3d
static void test_jacobi3d(int n, int m)
{
    int p = n < 32 ? n : n % 32, plane = n * m;
    Array<float> a("a", p * plane, number), out("out", p * plane);
    launch({blocks(m, JACOBI3D_WIDTH), blocks(n, JACOBI3D_HEIGHT), blocks(p, JACOBI3D_PLANES)},
           {JACOBI3D_WIDTH, JACOBI3D_HEIGHT, 1},
           [&] { jacobi3d(2.0f, 0.25f, a.at, out.at, p, n, m); });
    compare("jacobi3d", out, [&](int e) {
        int i = e / plane, j = e / m % n, k = e % m;
        if (i == 0 || j == 0 || k == 0 || i == p - 1 || j == n - 1 || k == m - 1) return a.at[e];
        return 2.0f * a.at[e] + 0.25f * (a.at[e - plane] + a.at[e + plane] + a.at[e - m] +
                                         a.at[e + m] + a.at[e - 1] + a.at[e + 1]);
    });
}
static const Test tests[] = {{"jacobi3d", test_jacobi3d, 48, 96}};
#endif

#ifdef TEST_kmeans
static void test_kmeans(int n, int m)
{
    int p = n < 100 ? 7 * n : n, c = m % 17 + 1, f = m;
    Array<float> features("features", f * p, number);
    Array<float> centres("centres", c * f, [](int i) { return number(i * i % 101); });
    Array<int> out("out", p);
    launch({blocks(p, KMEANS_THREADS * KMEANS_EACH), 1, 1}, {KMEANS_THREADS, 1, 1},
           [&] { kmeans(features.at, centres.at, out.at, p, c, f); });
    compare("kmeans", out, [&](int i) {
        int nearest = 0;
        float least = INFINITY;
        for (int j = 0; j < c; j++) {
            float sum = 0.0f;
            for (int k = 0; k < f; k++) {
                float apart = features.at[k * p + i] - centres.at[j * f + k];
                sum += apart * apart;
            }
            if (sum < least) least = sum, nearest = j;
        }
        return nearest;
    });
}
static const Test tests[] = {{"kmeans", test_kmeans, 1024, 32}};
#endif

#ifdef TEST_md
enum { MD_THREADS = 128 };

static void test_md(int n, int m)
{
    int k = n > 1 ? m : 0;
    Array<float> particles("particles", 3 * n, [=](int e) {
        int i = e % n, axis = e / n;
        return (float)(axis == 0 ? i % 5 : axis == 1 ? i / 5 % 5 : i / 25) + 0.1f * number(i);
    });
    Array<int> neighbours("neighbours", k * n,
                          [=](int e) { return (e % n + 1 + 3 * (e / n) % (n - 1)) % n; });
    Array<float> forces("forces", 3 * n);
    Array<float4> packed("packed", n);
    const float cutoff = 16.0f, lj1 = 1.5f, lj2 = 2.0f;
    launch({blocks(n, MD_THREADS), 1, 1}, {MD_THREADS, 1, 1},
           [&] { md_pack(particles.at, packed.at, n); });
    launch({blocks(n, MD_THREADS), 1, 1}, {MD_THREADS, 1, 1},
           [&] { md(cutoff, lj1, lj2, packed.at, neighbours.at, forces.at, n, k); });
    auto force = [&](int e) {
        int i = e % n;
        double sum = 0.0;
        for (int j = 0; j < k; j++) {
            double d[3], r2 = 0.0;
            for (int axis = 0; axis < 3; axis++) {
                int to = axis * n + neighbours.at[j * n + i];
                d[axis] = (double)particles.at[axis * n + i] - (double)particles.at[to];
                r2 += d[axis] * d[axis];
            }
            double near2 = 1.0 / r2, near6 = near2 * near2 * near2;
            if (r2 < (double)cutoff)
                sum += near2 * near6 * ((double)lj1 * near6 - (double)lj2) * d[e / n];
        }
        return sum;
    };
    compare("md", forces, force, 1e-3);
}
static const Test tests[] = {{"md", test_md, 256, 64}};
#endif

#ifdef TEST_merge
static void test_merge(int n, int m)
{
    int count = n * m;
    uint32_t state = 1; // of a linear congruential generator
    Array<float> a("a", count, [&](int i) {
        state = state * 1664525u + 1013904223u;
        return n == m ? number(i) : (float)(int)state;
    });
    Array<float> some("some", count), others("others", count), want("want", count);
    memcpy(want.at, a.at, (size_t)count * sizeof *a.at);
    qsort(want.at, (size_t)count, sizeof *want.at, [](const void *x, const void *y) {
        float left = *(const float *)x, right = *(const float *)y;
        return left < right ? -1 : left > right;
    });
    Array<float> *from = &some, *to = &others;
    unsigned tiles = blocks(count, MERGE_TILE);
    launch({tiles, 1, 1}, {MERGE_THREADS, 1, 1}, [&] { merge_tiles(a.at, from->at, count); });
    for (int length = MERGE_TILE; length < count; length *= 2) {
        launch({tiles, 1, 1}, {MERGE_THREADS, 1, 1},
               [&] { merge_pairs(from->at, to->at, count, length); });
        Array<float> *swapped = from;
        from = to;
        to = swapped;
    }
    compare("merge", *from, [&](int i) { return want.at[i]; });
}
static const Test tests[] = {{"merge", test_merge, 160, 125}};
#endif

#ifdef TEST_mriq
static void test_mriq(int n, int m)
{
    auto small = [](int i) { return 0.03f * number(i); };
    Array<float> voxels("voxels", 3 * n, small), frequencies("frequencies", 3 * m, number);
    Array<float> weights("weights", m, small), out("out", 2 * n);
    launch({blocks(n, MRIQ_TILE), 1, 1}, {MRIQ_TILE, 1, 1},
           [&] { mriq(voxels.at, frequencies.at, weights.at, out.at, n, m); });
    auto sum = [&](int e) {
        int i = e % n;
        double all = 0.0;
        for (int k = 0; k < m; k++) {
            double turns = 0.0;
            for (int axis = 0; axis < 3; axis++)
                turns += (double)frequencies.at[axis * m + k] * (double)voxels.at[axis * n + i];
            double angle = 2.0 * M_PI * turns;
            all += (double)weights.at[k] * (e < n ? cos(angle) : sin(angle));
        }
        return all;
    };
    compare("mriq", out, sum, 1e-4);
}
static const Test tests[] = {{"mriq", test_mriq, 256, 256}};
#endif

#ifdef TEST_nbody
static void test_nbody(int n, int m)
{
    n = 2 * n + m;
    Array<float> places("places", 3 * n, [](int i) { return 0.7f * number(i * i % 41); });
    Array<float> speeds("speeds", 3 * n, number);
    Array<float> masses("masses", n, [](int i) { return (float)(i % 3 + 1); });
    Array<float> new_places("new_places", 3 * n), new_speeds("new_speeds", 3 * n);
    const float dt = 0.1f, eps = 0.5f;
    launch({blocks(n, NBODY_BODIES), 1, 1}, {NBODY_BODIES, NBODY_PARTS, 1}, [&] {
        nbody(dt, eps, places.at, speeds.at, masses.at, new_places.at, new_speeds.at, n);
    });
    Array<double> pulls("pulls", 3 * n, [&](int e) {
        double sum = 0.0;
        for (int j = 0; j < n; j++) {
            double d[3], r2 = (double)(eps * eps);
            for (int axis = 0; axis < 3; axis++) {
                d[axis] = (double)places.at[axis * n + j] - (double)places.at[axis * n + e % n];
                r2 += d[axis] * d[axis];
            }
            sum += (double)masses.at[j] * d[e / n] / (r2 * sqrt(r2));
        }
        return sum;
    });
    const double t = (double)dt;
    auto place = [&](int e) {
        return (double)places.at[e] + t * (double)speeds.at[e] + 0.5 * t * t * pulls.at[e];
    };
    auto speed = [&](int e) { return (double)speeds.at[e] + t * pulls.at[e]; };
    compare("nbody, places", new_places, place, 1e-4);
    compare("nbody, speeds", new_speeds, speed, 1e-4);
}
static const Test tests[] = {{"nbody", test_nbody, 64, 128}};
#endif

#ifdef TEST_nn
static void test_nn(int n, int m)
{
    Array<float> lats("lats", n * m, number);
    Array<float> lngs("lngs", n * m, [](int i) { return number(3 * i); }), out("out", n * m);
    launch({3, 1, 1}, {256, 1, 1}, [&] { nn(1.0f, 2.0f, lats.at, lngs.at, out.at, n * m); });
    compare("nn", out, [&](int i) {
        float x = 1.0f - lats.at[i], y = 2.0f - lngs.at[i];
        return sqrtf(x * x + y * y);
    });
}
static const Test tests[] = {{"nn", test_nn, 256, 96}};
#endif

#ifdef TEST_product
static void test_product(int n, int m)
{
    int k = n < m ? n + 3 : m;
    if (n == 33) m *= 4; // both are multiples of 4, but no tile is full
    Array<float> a("a", n * k, number), b("b", k * m, number), out("out", n * m);
    auto *kernel = k % 4 || m % 4 ? product : product_aligned;
    launch({blocks(m, PRODUCT_TILE), blocks(n, PRODUCT_TILE), 1}, {PRODUCT_THREADS, 1, 1},
           [&] { kernel(a.at, b.at, out.at, n, m, k); });
    compare("product", out, [&](int e) {
        float sum = 0.0f;
        for (int l = 0; l < k; l++) sum += a.at[e / m * k + l] * b.at[l * m + e % m];
        return sum;
    });
}
static const Test tests[] = {{"product_aligned", test_product, 256, 128},
                             {"product", test_product, 255, 127}};
#endif

#ifdef TEST_scan
// The last of some tiles, when those from `complete` on have published their own sums only.
static void test_last_tile(int tiles, int complete)
{
    int n = tiles * SCAN_TILE - 5;
    Array<float> a("a", n, [](int i) { return (float)(i % 1000 % 7); }); // sums of tiles differ
    Array<float> out("out", n), want("want", n);
    float sum = 0.0f;
    for (int i = 0; i < n; i++) want.at[i] = sum += a.at[i];
    Array<float> upto("upto", tiles, [&](int tile) {
        return want.at[tile < tiles - 1 ? (tile + 1) * SCAN_TILE - 1 : n - 1];
    });
    Array<unsigned long long> states(
        "states", tiles, [&](int tile) { return published(upto.at, tile, tiles, complete); });
    Array<int> taken("taken", 1, [=](int) { return tiles - 1; });
    launch({1, 1, 1}, {SCAN_THREADS, 1, 1}, [&] { scan(a.at, out.at, n, taken.at, states.at); });
    compare(
        "scan, last tile", out, [&](int i) { return want.at[i]; }, 0.0, (tiles - 1) * SCAN_TILE);
    compare("scan, last state", states, [&](int tile) {
        return tile < tiles - 1 ? states.at[tile] : state(LOOKBACK_UP_TO_TILE, upto.at[tile]);
    });
}

static void test_scan(int n, int m)
{
    int count = n * m;
    Array<float> a("a", count, number), out("out", count), want("want", count);
    float sum = 0.0f;
    for (int i = 0; i < count; i++) want.at[i] = sum += a.at[i];
    Array<int> taken("taken", 1, [](int) { return 0; });
    Array<unsigned long long> states("states", (int)blocks(count, SCAN_TILE),
                                     [](int) { return 0ull; });
    launch({blocks(count, SCAN_TILE), 1, 1}, {SCAN_THREADS, 1, 1},
           [&] { scan(a.at, out.at, count, taken.at, states.at); });
    compare("scan", out, [&](int i) { return want.at[i]; });
    if (n == 97 && m < 3) test_last_tile(m ? 40 : 5, m == 1 ? 4 : m == 2 ? 37 : 1);
}
static const Test tests[] = {{"scan", test_scan, 144, 128}};
#endif

#ifdef TEST_sort
static int by_bits(const void *x, const void *y)
{
    unsigned a = sort_key(*(const float *)x), b = sort_key(*(const float *)y);
    return a < b ? -1 : a > b;
}

// Sorts, and compares with what the host sorts.
static void test_whole_sort(const Array<float> &a)
{
    int n = a.count, tiles = (int)blocks(n, SORT_TILE);
    Array<float> some("some", n), out("out", n), want("want", n);
    memcpy(want.at, a.at, (size_t)n * sizeof *a.at);
    qsort(want.at, (size_t)n, sizeof *want.at, by_bits);
    auto zero = [](int) { return 0u; };
    Array<unsigned> counts("counts", SORT_PASSES * SORT_DIGITS, zero);
    launch({3, 1, 1}, {SORT_THREADS, 1, 1}, [&] { sort_count(a.at, counts.at, n); });
    launch({SORT_PASSES, 1, 1}, {SORT_THREADS, 1, 1}, [&] { sort_starts(counts.at); });
    for (int pass = 0; pass < SORT_PASSES; pass++) {
        const float *from = pass == 0 ? a.at : pass % 2 ? some.at : out.at;
        float *to = pass % 2 ? out.at : some.at;
        Array<int> taken("taken", 1, zero);
        Array<unsigned> states("states", tiles * SORT_DIGITS, zero);
        launch({(unsigned)tiles, 1, 1}, {SORT_THREADS, 1, 1}, [&] {
            sort_pass(from, to, &counts.at[pass * SORT_DIGITS], n, pass, taken.at, states.at);
        });
    }
    auto bits = [](float number) { return (double)__float_as_uint(number); };
    Array<double> got_bits("bits", n, [&](int i) { return bits(out.at[i]); });
    compare("sort", got_bits, [&](int i) { return bits(want.at[i]); });
}

// A pass over the last of some tiles, when those from `complete` on have published how many keys
// with each digit they have alone.
static void test_last_tile(const Array<float> &a, int pass, int complete)
{
    int n = a.count, tiles = (int)blocks(n, SORT_TILE), last = (tiles - 1) * SORT_TILE;
    Array<unsigned> counts("counts", tiles * SORT_DIGITS, [](int) { return 0u; });
    auto digit = [&](int i) { return (int)sort_digit(sort_key(a.at[i]), pass); };
    for (int i = 0; i < n; i++) counts.at[i / SORT_TILE * SORT_DIGITS + digit(i)]++;
    auto up_to = [&](int tile, int d) {
        unsigned sum = 0;
        for (int t = 0; t <= tile; t++) sum += counts.at[t * SORT_DIGITS + d];
        return sum;
    };
    auto state = [](unsigned which, unsigned sum) { return which << 30 | sum; };
    Array<unsigned> states("states", tiles * SORT_DIGITS, [&](int e) {
        int tile = e / SORT_DIGITS;
        return tile < complete    ? state(SORT_UP_TO_TILE, up_to(tile, e % SORT_DIGITS))
               : tile < tiles - 1 ? state(SORT_OF_TILE, counts.at[e])
                                  : state(SORT_NONE, 0);
    });
    unsigned sum = 0;
    Array<unsigned> starts("starts", SORT_DIGITS, [&](int d) {
        unsigned start = sum;
        sum += up_to(tiles - 1, d);
        return start;
    });
    Array<int> taken("taken", 1, [=](int) { return tiles - 1; });
    Array<float> out("out", n);
    launch({1, 1, 1}, {SORT_THREADS, 1, 1},
           [&] { sort_pass(a.at, out.at, starts.at, n, pass, taken.at, states.at); });
    unsigned places[SORT_DIGITS];
    for (int d = 0; d < SORT_DIGITS; d++) places[d] = starts.at[d] + up_to(tiles - 2, d);
    Array<float> got("got", n - last, [&](int i) { return out.at[places[digit(last + i)]++]; });
    compare("sort, last tile", got, [&](int i) { return a.at[last + i]; });
}

static void test_sort(int n, int m)
{
    uint32_t state = 1; // of a linear congruential generator
    Array<float> a("a", n * m, [&](int i) {
        state = state * 1664525u + 1013904223u;
        unsigned exponent = 96 + state % 64, sign = state >> 1 << 31;
        return n == m ? number(i) : __uint_as_float(sign | exponent << 23 | state >> 9);
    });
    test_whole_sort(a);
    if (n == 97 && m == 97) test_last_tile(a, 0, 1);
    if (n == 97 && m == 33) {
        Array<float> more("more", 5 * SORT_TILE - 9, [](int i) { return (float)(i * i % 10007); });
        test_last_tile(more, 2, 2);
    }
}
static const Test tests[] = {{"sort", test_sort, 160, 125}};
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
                device_begin((uint64_t)(SIZES * i + j), false);
                test.run(sizes[i], sizes[j]);
            }
        device_begin(1, true);
        test.run(test.n, test.m);
        device_report(test.name);
    }
    return 0;
}

#pragma clang attribute pop
