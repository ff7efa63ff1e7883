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

// --- data --------------------------------------------------------------------------------------

enum { PAGE = 4096, BUFFERS = BENCH_INPUTS + 2 };

typedef struct {
    const int64_t *n;
    float *in[BENCH_INPUTS];
    float *ours, *theirs; // outputs
    int64_t count;
    void *blocks[BUFFERS]; // what to free
    int nblocks;
} Data;

static void must(int status, const char *message)
{
    if (status == 0) return;
    fprintf(stderr, "bench: %s: %s\n", bench_case.name, message);
    exit(1);
}

// n zeros. Buffers in different places of a page, and both outputs in the same: a store would
// otherwise wait for loads that have its last 12 address bits, on one side and not on the other.
static float *zeros(Data *d, int64_t n, int place)
{
    size_t bytes = ((size_t)n * sizeof(float) / PAGE + 2) * PAGE;
    char *p = aligned_alloc(PAGE, bytes);
    must(!p, "not enough memory");
    d->blocks[d->nblocks++] = p;
    memset(p, 0, bytes);
    return (float *)(void *)(p + place * 1024);
}

// n floats in [0, 1), the same in every run.
static float *noise(Data *d, int64_t n, int place)
{
    float *p = zeros(d, n, place);
    uint64_t x = (uint64_t)(place + 1) * 0x9e3779b97f4a7c15u + 1;
    for (int64_t i = 0; i < n; i++) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        p[i] = (float)(x >> 40) * 0x1p-24f;
    }
    return p;
}

static Data make_data(const int64_t *n)
{
    Data d = {.n = n, .count = bench_case.output(n)};
    for (int k = 0; k < BENCH_INPUTS; k++)
        if (bench_case.inputs[k]) d.in[k] = noise(&d, bench_case.inputs[k](n), k);
    d.ours = zeros(&d, d.count, BENCH_INPUTS);
    d.theirs = zeros(&d, d.count, BENCH_INPUTS);
    return d;
}

static void free_data(Data *d)
{
    for (int k = 0; k < d->nblocks; k++) free(d->blocks[k]);
}

static void run_ours(const Data *d)
{
    int status = bench_case.ours(d->n, d->in, d->ours);
    must(status, bench_case.message(status));
}

static void run_theirs(const Data *d)
{
    must(bench_case.theirs(d->n, d->in, d->theirs), "the peer failed");
}

static size_t peak_of(void (*call)(const Data *), const Data *data)
{
    size_t before = live;
    peak = live;
    call(data);
    return peak - before;
}

// max |a - b| / (1 + max |b|)
static double difference(const Data *d)
{
    double worst = 0, size = 0;
    for (int64_t i = 0; i < d->count; i++) {
        double apart = fabs((double)d->ours[i] - d->theirs[i]);
        if (!(apart <= worst)) worst = apart;
        if (fabs((double)d->theirs[i]) > size) size = fabs((double)d->theirs[i]);
    }
    return worst / (1 + size);
}

// --- time --------------------------------------------------------------------------------------

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// Seconds per call, over `calls` calls.
static double sample(void (*call)(const Data *), const Data *data, int calls)
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

typedef struct {
    double ours, theirs, ratio, low, high; // medians; the ratio's extremes
} Times;

static Times measure(const Data *d)
{
    double once = sample(run_theirs, d, 1);
    int calls = once > SAMPLE_SECONDS ? 1 : (int)(SAMPLE_SECONDS / (once + 1e-9)) + 1;
    double ours[ROUNDS], theirs[ROUNDS], ratio[ROUNDS];
    Times t = {.low = INFINITY};
    for (int r = 0; r < ROUNDS; r++) { // who goes first alternates
        if (r % 2) ours[r] = sample(run_ours, d, calls);
        theirs[r] = sample(run_theirs, d, calls);
        if (r % 2 == 0) ours[r] = sample(run_ours, d, calls);
        ratio[r] = theirs[r] / ours[r];
        t.low = fmin(t.low, ratio[r]);
        t.high = fmax(t.high, ratio[r]);
    }
    t.ours = median(ours);
    t.theirs = median(theirs);
    t.ratio = median(ratio);
    return t;
}

static void run_size(const char *label, const int64_t *n, FILE *json)
{
    const BenchCase *c = &bench_case;
    Data d = make_data(n);
    size_t our_peak = peak_of(run_ours, &d), their_peak = peak_of(run_theirs, &d);
    double apart = difference(&d);
    if (!(apart <= c->tolerance)) {
        fprintf(stderr, "bench: %s %s: results differ by %g (allowed %g)\n", c->name, label, apart,
                c->tolerance);
        exit(1);
    }
    Times t = measure(&d);
    printf("%-10s 1 thread  %-12s ours %10.3f us  peer %10.3f us  ratio %5.2f (%.2f-%.2f)  memory "
           "%zu / %zu bytes\n",
           c->name, label, t.ours * 1e6, t.theirs * 1e6, t.ratio, t.low, t.high, our_peak,
           their_peak);
    fflush(stdout);
    if (json)
        fprintf(
            json,
            "{\"name\": \"%s\", \"peer\": \"%s\", \"threads\": 1, \"size\": \"%s\", \"ours_s\": "
            "%.9g, \"peer_s\": "
            "%.9g, \"ratio\": %.4f, \"ratio_min\": %.4f, \"ratio_max\": %.4f, \"ours_bytes\": %zu, "
            "\"peer_bytes\": %zu}\n",
            c->name, c->peer, label, t.ours, t.theirs, t.ratio, t.low, t.high, our_peak,
            their_peak);
    free_data(&d);
}

int main(int argc, char **argv)
{
    FILE *json = argc > 1 ? fopen(argv[1], "a") : NULL;
    if (argc > 1 && !json) {
        perror(argv[1]);
        return 1;
    }
    for (int k = 0; k < 3; k++) run_size(bench_case.sizes[k].label, bench_case.sizes[k].n, json);
    return json && fclose(json) != 0;
}
