// Runs one case: results are checked first, then both sides run in turn, a sample each, in one
// process. Prints a line per size and appends a JSON object per size to the file given as argument.
// A ratio above 1 means that Adze is faster.
#include "bench.h"

#include <malloc.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROUNDS = 21 };
static const double SAMPLE_SECONDS = 0.02;

// --- memory: what a call allocates at its peak, through the linker's --wrap --------------------

void *__real_malloc(size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
void __real_free(void *p);
void *__wrap_malloc(size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
void __wrap_free(void *p);

static size_t live, peak;

static void *counted(void *p)
{
    if (p) live += malloc_usable_size(p);
    if (live > peak) peak = live;
    return p;
}

void *__wrap_malloc(size_t size)
{
    return counted(__real_malloc(size));
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    return counted(__real_aligned_alloc(alignment, size));
}

void __wrap_free(void *p)
{
    if (p) live -= malloc_usable_size(p);
    __real_free(p);
}

static size_t peak_of(void (*call)(void *), void *data)
{
    size_t before = live;
    peak = live;
    call(data);
    return peak - before;
}

// --- data --------------------------------------------------------------------------------------

float *bench_zeros(int64_t n)
{
    size_t bytes = ((size_t)n * sizeof(float) + 127) / 64 * 64;
    float *p = aligned_alloc(64, bytes);
    if (!p) bench_must(1, "not enough memory");
    return memset(p, 0, bytes);
}

float *bench_floats(int64_t n, uint64_t seed)
{
    float *p = bench_zeros(n);
    uint64_t x = seed * 0x9e3779b97f4a7c15u + 1;
    for (int64_t i = 0; i < n; i++) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        p[i] = (float)(x >> 40) * 0x1p-24f;
    }
    return p;
}

void bench_free(void *p)
{
    free(p);
}

double bench_difference(const float *a, const float *b, int64_t n)
{
    double worst = 0, size = 0;
    for (int64_t i = 0; i < n; i++) {
        double d = fabs((double)a[i] - b[i]);
        if (!(d <= worst)) worst = d;
        if (fabs((double)b[i]) > size) size = fabs((double)b[i]);
    }
    return worst / (1 + size);
}

void bench_must(int status, const char *message)
{
    if (status == 0) return;
    fprintf(stderr, "bench: %s: %s\n", bench_case.name, message);
    exit(1);
}

// --- time --------------------------------------------------------------------------------------

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// Seconds per call, over `calls` calls.
static double sample(void (*call)(void *), void *data, int calls)
{
    double start = now();
    for (int i = 0; i < calls; i++) call(data);
    return (now() - start) / calls;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(const double *values)
{
    double sorted[ROUNDS];
    memcpy(sorted, values, sizeof sorted);
    qsort(sorted, ROUNDS, sizeof *sorted, by_value);
    return sorted[ROUNDS / 2];
}

static void run_size(int k, FILE *json)
{
    const BenchCase *c = &bench_case;
    void *data = c->setup(k);
    size_t our_peak = peak_of(c->ours, data), their_peak = peak_of(c->theirs, data);
    double difference = c->difference(data);
    if (!(difference <= c->tolerance)) {
        fprintf(stderr, "bench: %s %s: results differ by %g (allowed %g)\n", c->name, c->labels[k],
                difference, c->tolerance);
        exit(1);
    }
    double once = sample(c->theirs, data, 1);
    int calls = once > SAMPLE_SECONDS ? 1 : (int)(SAMPLE_SECONDS / (once + 1e-9)) + 1;
    double ours[ROUNDS], theirs[ROUNDS], ratio[ROUNDS], low = INFINITY, high = 0;
    for (int r = 0; r < ROUNDS; r++) { // who goes first alternates
        if (r % 2) ours[r] = sample(c->ours, data, calls);
        theirs[r] = sample(c->theirs, data, calls);
        if (r % 2 == 0) ours[r] = sample(c->ours, data, calls);
        ratio[r] = theirs[r] / ours[r];
        if (ratio[r] < low) low = ratio[r];
        if (ratio[r] > high) high = ratio[r];
    }
    printf("%-10s 1 thread  %-12s ours %10.3f us  peer %10.3f us  ratio %5.2f (%.2f-%.2f)  memory "
           "%zu / %zu bytes\n",
           c->name, c->labels[k], median(ours) * 1e6, median(theirs) * 1e6, median(ratio), low,
           high, our_peak, their_peak);
    fflush(stdout);
    if (json)
        fprintf(
            json,
            "{\"name\": \"%s\", \"peer\": \"%s\", \"threads\": 1, \"size\": \"%s\", \"ours_s\": "
            "%.9g, \"peer_s\": "
            "%.9g, \"ratio\": %.4f, \"ratio_min\": %.4f, \"ratio_max\": %.4f, \"ours_bytes\": %zu, "
            "\"peer_bytes\": %zu}\n",
            c->name, c->peer, c->labels[k], median(ours), median(theirs), median(ratio), low, high,
            our_peak, their_peak);
    c->release(data);
}

int main(int argc, char **argv)
{
    FILE *json = argc > 1 ? fopen(argv[1], "a") : NULL;
    if (argc > 1 && !json) {
        perror(argv[1]);
        return 1;
    }
    for (int k = 0; k < bench_case.nsizes; k++) run_size(k, json);
    return json && fclose(json) != 0;
}
