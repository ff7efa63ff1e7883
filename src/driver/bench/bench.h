// Times entries of a file: what is timed (cases.c), how (measure.c), what the times say
// (statistics.c), earlier programs (revision.c) and results (results.c), and the reports (report.c,
// plot.c).
#ifndef ADZE_DRIVER_BENCH_H
#define ADZE_DRIVER_BENCH_H

#include "driver/sizes/sizes.h"

/// The median of the times of one call in seconds, with its 95 % confidence interval.
typedef struct {
    double median, low, high;
    bool noisy; // the times vary more than those of a quiet machine
} BenchTime;

/// A call that is timed. If `entry` is NULL, the whole body of a bench is.
typedef struct BenchCase BenchCase;
struct BenchCase {
    const char *title, *entry;
    const char *label;   // the title and the sizes, such as "dot, n = 1000": unique in a file
    GivenSizes given;    // the sizes of --size that it mentions
    Function *arguments; // computes the arguments of the call as a tuple, or NULL
    LoopEntry *arguments_loop, *loop;
    int64_t *sizes; // in the order of loop->sizes
    EntryCode code;
    void **buffers;
    AdzeArray *leaves; // the buffers to free
    int nleaves;
    int64_t calls;   // per sample
    double *seconds; // the samples: the time of one call each
    int nsamples;
    BenchTime time;
    bool compared; // whether `before` is known
    BenchTime before;
    BenchCase *earlier; // the same case of an earlier revision, measured together with this one
};
typedef VEC(BenchCase *) BenchCases;

/// A program and its cases, which live in its arena. Freed with bench_free.
typedef struct {
    Work work;
    BenchCases cases;
    Arena *arena; // lives as long as the cases
    Library *library;
} Bench;

// cases.c
/// Finds the benches of the program, with a case for each choice of the sizes of --size, and the
/// entries without parameters. `names` selects some by title or entry; if it is empty, all. Reports
/// errors and returns false after one.
bool bench_find(Driver *d, Bench *b, const Strings *names);
/// Compiles the cases and computes their arguments. Reports errors, and returns false after one.
bool bench_prepare(Driver *d, Bench *b);
void bench_free(Bench *b);

// revision.c
/// Opens the program of a file as it was at a git revision, with the modules that it imported then,
/// up to schedules. Reports errors, and returns false after one.
bool bench_open_revision(Driver *d, const char *path, const char *revision, Work *w);

// measure.c
/// Times the cases, one sample of each in turn. `samples` is their number, or 0 for as many as take
/// about half a second for each case. Reports the error of a failed call, and returns false.
bool bench_measure(Driver *d, const BenchCases *cases, int samples);

// statistics.c
/// Returns the median of the times and its confidence interval by order statistics. Sorts them.
BenchTime bench_statistics(double *seconds, int n);
/// Whether the second half of the samples, in the order in which they were taken, differs from the
/// first by more than a tenth.
bool bench_drifts(Arena *arena, const double *seconds, int n);

// results.c
/// Returns the file in the cache for the results of a program with the options given, or NULL if
/// there is no cache.
const char *bench_file(Driver *d, const char *path);
/// Reads earlier results from a file that bench_write wrote, and sets `before` of the cases with
/// the same label. Reports a file that is damaged, and returns false.
bool bench_read(Session *cx, const char *path, const BenchCases *cases);
/// The results as JSON.
json_t *bench_json(const BenchCases *cases);
/// Writes them to a file. Reports errors, and returns false after one.
bool bench_write(Driver *d, const char *path, const BenchCases *cases);
/// Writes them to a file that keeps its results of other cases.
bool bench_update(Driver *d, const char *path, const BenchCases *cases);

// report.c
/// A time with its unit, such as "1.5 ns".
const char *bench_time_text(Arena *arena, double seconds);
/// Prints the table.
void bench_print(Arena *arena, const BenchCases *cases);
/// Returns how many times as long the case takes as before, or 0 if that is not known.
double bench_ratio(const BenchCase *c);

// plot.c
/// Draws the medians with their intervals: as lines over a size if the cases differ in one, and
/// otherwise as bars. Reports errors, and returns false after one.
bool bench_plot(Driver *d, const char *path, const BenchCases *cases);

#endif
