// Runs one case: results are checked first, then both sides run in turn, a sample each, in one
// process. Prints a line per pair and size and appends a JSON object for it to the file given as
// argument. A ratio above 1 means that Adze is faster. With BENCH_PEERS_ONLY the peers run alone.
// Where memory bounds a case both sides are told in GB/s, beside the triad of STREAM that runs between them.
#define _GNU_SOURCE // sched_setaffinity
#include "bench.h"
#include "spread.h"

#include <malloc.h>
#include <math.h>
#ifdef _OPENMP
#include <omp.h>
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROUNDS = 21, LONG_ROUNDS = 7, TRIAD = 1 << 24 };
static const double SAMPLE_SECONDS = 0.02, LONG_SECONDS = 0.3;
static const struct timespec PAUSE = {.tv_nsec = 40000000};
static const double WARM_SECONDS = 0.02;

#ifdef BENCH_PEERS_ONLY
static const bool with_ours = false;
#else
static const bool with_ours = true;
#endif

// --- memory: what a call allocates at its peak, through the linker's --wrap --------------------

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
void __real_free(void *p);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
void __wrap_free(void *p);

static size_t live, peak;

static void *counted(void *p)
{
    size_t size = p ? malloc_usable_size(p) : 0;
    size_t now = __atomic_add_fetch(&live, size, __ATOMIC_RELAXED);
    if (now > peak) peak = now;
    return p;
}

void *__wrap_malloc(size_t size)
{
    return counted(__real_malloc(size));
}

void *__wrap_calloc(size_t count, size_t size)
{
    return counted(__real_calloc(count, size));
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    return counted(__real_aligned_alloc(alignment, size));
}

void __wrap_free(void *p)
{
    if (p) __atomic_sub_fetch(&live, malloc_usable_size(p), __ATOMIC_RELAXED);
    __real_free(p);
}

// --- numbers -----------------------------------------------------------------------------------

static size_t type_size(BenchType type)
{
    switch (type) {
    case BENCH_U8: return 1;
    case BENCH_F32:
    case BENCH_I32: return 4;
    case BENCH_F64:
    case BENCH_I64: return 8;
    }
    abort();
}

static double number(BenchType type, const void *p, int64_t i)
{
    switch (type) {
    case BENCH_F32: return (double)((const float *)p)[i];
    case BENCH_F64: return ((const double *)p)[i];
    case BENCH_U8: return ((const uint8_t *)p)[i];
    case BENCH_I32: return ((const int32_t *)p)[i];
    case BENCH_I64: return (double)((const int64_t *)p)[i];
    }
    abort();
}

static void store_bits(BenchType type, void *p, int64_t i, uint64_t bits)
{
    switch (type) {
    case BENCH_F32: ((float *)p)[i] = (float)(bits >> 40) * 0x1p-24f; break;
    case BENCH_F64: ((double *)p)[i] = (double)(bits >> 11) * 0x1p-53; break;
    case BENCH_U8: ((uint8_t *)p)[i] = (uint8_t)(bits >> 56); break;
    case BENCH_I32: ((int32_t *)p)[i] = (int32_t)(bits >> 56); break;
    case BENCH_I64: ((int64_t *)p)[i] = (int64_t)(bits >> 56); break;
    }
}

// --- data --------------------------------------------------------------------------------------

enum { PAGE = 4096, BUFFERS = BENCH_INPUTS + 3 };

typedef struct {
    const int64_t *n;
    const BenchPair *pair;
    void *in[BENCH_INPUTS];
    void *ours, *theirs, *expected; // outputs
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

// Buffers begin in different places of a page, and both outputs in the same: a store would otherwise wait for loads that have its last
// 12 address bits, on one side and not on the other.
static const int input_places[BENCH_INPUTS] = {0, 1024, 3072, 512, 1536, 2560, 3584, 256};
static const int output_place = 2048;

// n zeros.
static void *zeros(Data *d, BenchType type, int64_t n, int place)
{
    size_t bytes = ((size_t)n * type_size(type) / PAGE + 2) * PAGE;
    char *p = aligned_alloc(PAGE, bytes);
    must(!p, "not enough memory");
    d->blocks[d->nblocks++] = p;
    memset(p, 0, bytes);
    return p + place;
}

static BenchType input_type(int k)
{
    return bench_case.input_types ? bench_case.input_types[k] : bench_case.input_type;
}

static void fill_noise(const int64_t *n, int k, int64_t count, void *in)
{
    (void)n;
    uint64_t x = (uint64_t)(k + 1) * 0x9e3779b97f4a7c15u + 1;
    for (int64_t i = 0; i < count; i++) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        store_bits(input_type(k), in, i, x);
    }
}

static Data make_data(const int64_t *n)
{
    const BenchCase *c = &bench_case;
    Data d = {.n = n, .count = c->output(n)};
    for (int k = 0; k < BENCH_INPUTS; k++) {
        if (!c->inputs[k]) continue;
        int64_t count = c->inputs[k](n);
        d.in[k] = zeros(&d, input_type(k), count, input_places[k]);
        (c->fill ? c->fill : fill_noise)(n, k, count, d.in[k]);
    }
    d.ours = zeros(&d, c->output_type, d.count, output_place);
    d.theirs = zeros(&d, c->output_type, d.count, output_place);
    d.expected = c->reference ? zeros(&d, c->output_type, d.count, output_place) : d.theirs;
    if (c->reference) must(c->reference(n, d.in, d.expected), "the reference failed");
    return d;
}

static void free_data(Data *d)
{
    for (int k = 0; k < d->nblocks; k++) free(d->blocks[k]);
}

static void run_ours(const Data *d)
{
    int status = d->pair->ours(d->n, d->in, d->ours);
    must(status, d->pair->message(status));
}

static void run_theirs(const Data *d)
{
    must(d->pair->theirs(d->n, d->in, d->theirs), "the peer failed");
}

static size_t peak_of(void (*call)(const Data *), const Data *data)
{
    size_t before = live;
    peak = live;
    call(data);
    return peak - before;
}

// max |a - b| / (1 + max |b|), or the mean of |a - b| in place of the greatest.
static double difference(int64_t count, const void *a, const void *b)
{
    BenchType type = bench_case.output_type;
    double worst = 0, sum = 0, size = 0;
    for (int64_t i = 0; i < count; i++) {
        double y = number(type, b, i), apart = fabs(number(type, a, i) - y);
        if (!(apart <= worst)) worst = apart;
        sum += apart;
        if (fabs(y) > size) size = fabs(y);
    }
    return (bench_case.mean ? sum / (double)count : worst) / (1 + size);
}

static void check(const Data *d, const char *label, const char *side, const void *out)
{
    const BenchCase *c = &bench_case;
    double apart = difference(d->count, out, d->expected);
    if (!(apart <= c->tolerance)) {
        fprintf(stderr, "bench: %s %s: results of %s differ by %g (allowed %g)\n", c->name, label,
                side, apart, c->tolerance);
        exit(1);
    }
    if (c->known && !c->known(d->n, out)) {
        fprintf(stderr, "bench: %s %s: the result of %s is not the known one\n", c->name, label,
                side);
        exit(1);
    }
}

// --- time --------------------------------------------------------------------------------------

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// Seconds per call, over `calls` calls. Threads of the other side may look for work for a while after they have none: they get the time to
// give up. After that the first calls do not count.
static double sample(void (*call)(const Data *), const Data *data, int calls)
{
    if (data->pair->threads > 1) {
        nanosleep(&PAUSE, NULL);
        spread_threads();
        for (double start = now(); now() - start < WARM_SECONDS;) call(data);
    }
    double start = now();
    for (int i = 0; i < calls; i++) call(data);
    return (now() - start) / calls;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

typedef struct {
    double low, median, high;
} Spread;

static Spread spread(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, by_value);
    return (Spread){values[0], values[count / 2], values[count - 1]};
}

// a[i] = b[i] + k * c[i] over 64 MB each, which no cache holds: seconds, on as many threads as the pair has.
static double triad(void)
{
    static float *a, *b, *c;
    if (!a) {
        float **const arrays[] = {&a, &b, &c};
        for (int k = 0; k < 3; k++) {
            *arrays[k] = aligned_alloc(PAGE, TRIAD * sizeof(float));
            must(!*arrays[k], "not enough memory");
            memset(*arrays[k], 0, TRIAD * sizeof(float));
        }
    }
    double start = now();
#pragma omp parallel for simd
    for (int64_t i = 0; i < TRIAD; i++) a[i] = b[i] + 3.0f * c[i];
    return now() - start;
}

typedef struct {
    Spread ours, theirs, ratio, triad;
} Times;

static Times measure(const Data *d)
{
    double once = sample(run_theirs, d, 1);
    int calls = once > SAMPLE_SECONDS ? 1 : (int)(SAMPLE_SECONDS / (once + 1e-9)) + 1;
    int rounds = once > LONG_SECONDS ? LONG_ROUNDS : bench_case.rounds ? bench_case.rounds : ROUNDS;
    double ours[ROUNDS] = {0}, theirs[ROUNDS], ratio[ROUNDS], triads[ROUNDS] = {0};
    for (int r = 0; r < rounds; r++) { // who goes first alternates
        if (with_ours && r % 2) ours[r] = sample(run_ours, d, calls);
        theirs[r] = sample(run_theirs, d, calls);
        if (with_ours && r % 2 == 0) ours[r] = sample(run_ours, d, calls);
        if (bench_case.bytes) triads[r] = triad();
        ratio[r] = theirs[r] / ours[r];
    }
    return (Times){spread(ours, rounds), spread(theirs, rounds), spread(ratio, rounds),
                   spread(triads, rounds)};
}

// --- reports -----------------------------------------------------------------------------------

static void print_head(const BenchPair *pair, const char *label)
{
    printf("%-22s %-16s %d thread%s  %-12s", bench_case.name, pair->peer, pair->threads,
           pair->threads == 1 ? " " : "s", label);
}

static double triad_rate(const Times *t)
{
    return 3 * TRIAD * sizeof(float) * 1e-9 / t->triad.median;
}

// Both sides in GB/s, or the peer alone, and the triad.
static void print_bytes(const int64_t *n, const Times *t)
{
    if (!bench_case.bytes) return;
    double gb = (double)bench_case.bytes(n) * 1e-9;
    if (with_ours) printf("  %.1f", gb / t->ours.median);
    printf("  %.1f GB/s, triad %.1f", gb / t->theirs.median, triad_rate(t));
}

static void run_peer_alone(const Data *d, const char *label)
{
    size_t bytes = peak_of(run_theirs, d);
    check(d, label, d->pair->peer, d->theirs);
    Times times = measure(d);
    Spread t = times.theirs;
    print_head(d->pair, label);
    printf(" peer %11.3f us (%.3f-%.3f)  memory %zu bytes", t.median * 1e6, t.low * 1e6,
           t.high * 1e6, bytes);
    print_bytes(d->n, &times);
    printf("\n");
}

static void run_both(const Data *d, const char *label, FILE *json)
{
    const BenchPair *pair = d->pair;
    size_t ours = peak_of(run_ours, d), theirs = peak_of(run_theirs, d);
    check(d, label, pair->peer, d->theirs);
    check(d, label, "Adze", d->ours);
    Times t = measure(d);
    print_head(pair, label);
    printf(" ours %11.3f us  peer %11.3f us  ratio %5.2f (%.2f-%.2f)  memory %zu / %zu bytes",
           t.ours.median * 1e6, t.theirs.median * 1e6, t.ratio.median, t.ratio.low, t.ratio.high,
           ours, theirs);
    print_bytes(d->n, &t);
    printf("\n");
    if (!json) return;
    fprintf(json,
            "{\"name\": \"%s\", \"peer\": \"%s\", \"threads\": %d, \"size\": \"%s\", "
            "\"ours_s\": %.9g, \"peer_s\": %.9g, \"ratio\": %.4f, \"ratio_min\": %.4f, "
            "\"ratio_max\": %.4f, \"ours_bytes\": %zu, \"peer_bytes\": %zu",
            bench_case.name, pair->peer, pair->threads, label, t.ours.median, t.theirs.median,
            t.ratio.median, t.ratio.low, t.ratio.high, ours, theirs);
    if (bench_case.bytes)
        fprintf(json, ", \"moved_bytes\": %lld, \"triad_gb_s\": %.4f",
                (long long)bench_case.bytes(d->n), triad_rate(&t));
    fprintf(json, "}\n");
}

static void run_size(const char *label, const int64_t *n, FILE *json)
{
    Data d = make_data(n);
    for (int p = 0; p < BENCH_PAIRS && bench_case.pairs[p].theirs; p++) {
        d.pair = &bench_case.pairs[p];
#ifdef _OPENMP
        omp_set_num_threads(d.pair->threads);
#endif
        if (with_ours)
            run_both(&d, label, json);
        else
            run_peer_alone(&d, label);
        fflush(stdout);
    }
    free_data(&d);
}

int main(int argc, char **argv)
{
    FILE *json = argc > 1 ? fopen(argv[1], "a") : NULL;
    if (argc > 1 && !json) {
        perror(argv[1]);
        return 1;
    }
    for (int k = 0; k < BENCH_LABELS && bench_case.sizes[k].label; k++)
        run_size(bench_case.sizes[k].label, bench_case.sizes[k].n, json);
    return json && fclose(json) != 0;
}
