// GFLOP/s of the tiles in tile.adz against a loop of FMA on registers, k = 256, panels in cache. The best of many short runs, so that a
// machine with other work tells the same.
#include <immintrin.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "tile.h"

enum { K = 256, CALLS = 20, RUNS = 3000 };

typedef int Tile(int64_t k, const float *a, const float *b, float *out);

static const struct {
    const char *name;
    Tile *run;
    int rows, columns;
} tiles[] = {
    {"16 lanes  6x4", adze_tile_6x4, 6, 64},     {"16 lanes  8x3", adze_tile_8x3, 8, 48},
    {"16 lanes 12x2", adze_tile_12x2, 12, 32},   {"16 lanes 14x2", adze_tile_14x2, 14, 32},
    {"16 lanes  6x1", adze_tile_6x1, 6, 16},     {" 8 lanes  6x2", adze_narrow_6x2, 6, 16},
    {" 8 lanes 12x2", adze_narrow_12x2, 12, 16}, {" 8 lanes  6x4", adze_narrow_6x4, 6, 32},
    {" 8 lanes  8x3", adze_narrow_8x3, 8, 24},
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// Chains of FMA that do not wait for one another.
#ifdef __AVX512F__
typedef __m512 Vector;
#define FMA    _mm512_fmadd_ps
#define ALL(x) _mm512_set1_ps(x)
#define STORE  _mm512_storeu_ps
#else
typedef __m256 Vector;
#define FMA    _mm256_fmadd_ps
#define ALL(x) _mm256_set1_ps(x)
#define STORE  _mm256_storeu_ps
#endif
enum { CHAINS = 12, STEPS = 1000, LANES = sizeof(Vector) / sizeof(float) };

static double peak(void)
{
    double best = 1e9;
    float out[LANES * CHAINS], sum = 0;
    volatile float one = 1.0f, little = 1e-9f;
    for (int r = 0; r < RUNS; r++) {
        Vector c[CHAINS], x = ALL(one), y = ALL(little);
        for (int i = 0; i < CHAINS; i++) c[i] = ALL(0.0f);
        double start = now();
        for (int s = 0; s < STEPS; s++) {
#pragma GCC unroll 12
            for (int i = 0; i < CHAINS; i++) c[i] = FMA(x, y, c[i]);
#pragma GCC unroll 12
            for (int i = 0; i < CHAINS; i++) __asm__ volatile("" : "+x"(c[i]));
        }
        double time = now() - start;
        if (time < best) best = time;
        for (int i = 0; i < CHAINS; i++) STORE(out + LANES * i, c[i]);
        sum += out[r % (LANES * CHAINS)];
    }
    if (sum == 0.5f) puts("");
    return 2.0 * LANES * CHAINS * STEPS / best * 1e-9;
}

static double rate(int t, const float *a, const float *b, float *out)
{
    double best = 1e9;
    for (int r = 0; r < RUNS; r++) {
        double start = now();
        for (int i = 0; i < CALLS; i++) tiles[t].run(K, a, b, out);
        double time = now() - start;
        if (time < best) best = time;
    }
    return 2.0 * tiles[t].rows * tiles[t].columns * K * CALLS / best * 1e-9;
}

static int differs(int t, const float *a, const float *b, const float *out)
{
    int n = tiles[t].columns, m = tiles[t].rows;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int p = 0; p < K; p++) sum += (double)a[p * m + i] * (double)b[p * n + j];
            if (sum - out[i * n + j] > 1e-3 || out[i * n + j] - sum > 1e-3) return 1;
        }
    return 0;
}

int main(void)
{
    static float a[K * 64], b[K * 64], out[64 * 64];
    for (int i = 0; i < K * 64; i++) {
        a[i] = (float)(i * 7 % 11) * 0.125f - 0.5f;
        b[i] = (float)(i * 5 % 13) * 0.125f - 0.75f;
    }
    double most = peak();
    printf("peak of FMA    %6.1f GFLOP/s\n", most);
    for (int t = 0; t < (int)(sizeof tiles / sizeof *tiles); t++) {
        tiles[t].run(K, a, b, out);
        if (differs(t, a, b, out)) return printf("%s: a wrong value\n", tiles[t].name), 1;
        double r = rate(t, a, b, out);
        printf("%s  %6.1f GFLOP/s  %.2f\n", tiles[t].name, r, r / most);
    }
    return 0;
}
