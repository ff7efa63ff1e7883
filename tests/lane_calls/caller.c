// Calls the entries of lane_calls.adz, and prints what they give and in which order they call the
// functions of this file. What is printed is the same whether there are vectors or not.
#include "lane_calls.h"

#include <stdio.h>
#include <stdlib.h>

enum { MAX = 45 };

float noise(float x);
float other(float x, int32_t k);
bool chosen(int32_t x);
void tick(void);
void mark(int64_t i, float x, float *place);
int64_t look(int64_t n, const int32_t *table, int64_t at);
void pair(float x, float *less, int64_t *more);
void add_to(int32_t k, int32_t *row);

static int calls;

// What it gives depends on how often it was called.
float noise(float x)
{
    printf("noise %g\n", (double)x);
    return x * 0.5f + (float)(calls++ % 5);
}

float other(float x, int32_t k)
{
    printf("other %g %d\n", (double)x, (int)k);
    return x - (float)(k * (calls++ % 3));
}

bool chosen(int32_t x)
{
    printf("chosen %d\n", (int)x);
    return (x + calls++) % 3 == 1;
}

void tick(void)
{
    printf("tick %d\n", calls++);
}

void mark(int64_t i, float x, float *place)
{
    printf("mark %d %g %g\n", (int)i, (double)x, (double)*place);
    *place -= 2.0f * x;
}

int64_t look(int64_t n, const int32_t *table, int64_t at)
{
    printf("look %d\n", (int)at);
    return at >= 0 && at < n ? table[at] : -1;
}

void pair(float x, float *less, int64_t *more)
{
    printf("pair %g %g %d\n", (double)x, (double)*less, (int)*more);
    *less += x;
    *more += calls++;
}

void add_to(int32_t k, int32_t *row)
{
    for (int j = 0; j < 3; j++) row[j] += k * j + calls;
    printf("add %d\n", (int)k);
    calls++;
}

static void show(const char *name, int n, const double *values, int status)
{
    printf("%s %d: status %d", name, n, status);
    for (int i = 0; i < n && !status; i++) printf(" %.9g", values[i]);
    printf("\n");
    calls = 0;
}

// The inputs: small numbers of both signs.
static float xs[MAX];
static double ds[MAX];
static int32_t ks[MAX], table[7] = {3, 1, 4, 1, 5, 9, 2};

static void fill(int n)
{
    for (int i = 0; i < n; i++) {
        ks[i] = (i * 7 + 3) % 11 - 5;
        xs[i] = (float)ks[i] * 0.25f;
        ds[i] = ks[i] * 0.75;
    }
}

#define SHOW(T, entry, count, ...)                                                                 \
    do {                                                                                           \
        T out[3 * MAX];                                                                            \
        double values[3 * MAX];                                                                    \
        int status = adze_##entry(__VA_ARGS__, out);                                               \
        for (int i = 0; i < (count) && !status; i++) values[i] = (double)out[i];                   \
        show(#entry, count, values, status);                                                       \
    } while (0)

static void all(int n)
{
    fill(n);
    SHOW(float, one, n, n, xs);
    SHOW(double, some, n, n, ds);
    SHOW(float, in_row, n, n, xs);
    SHOW(float, of_other, n, n, xs);
    SHOW(float, ticks, n, n, xs);
    SHOW(int32_t, of_bools, n, n, ks);
    SHOW(float, marks, n, n, xs);
    SHOW(int64_t, looks, n, n, 7, ks, table);
    SHOW(float, pairs, n, n, xs);
    SHOW(int32_t, rows, 3 * n, n, ks);
    SHOW(float, apart, n, n, xs);
    SHOW(float, sides, n, n, xs);
    SHOW(float, looped, n, n, xs);
    SHOW(float, checked, n, n, xs, ks); // fails from the first negative place on
}

int main(void)
{
    static const int sizes[] = {0, 1, 3, 4, 7, 8, 13, 16, 31, 45};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) all(sizes[i]);
    fill(8);
    SHOW(float, simd, 8, xs);
    return 0;
}
