// --time: reports how long compiling and running took, on standard error or in the report of
// --json.
#include "driver/pipeline/session.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

double timing_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

int timing_runs(const Options *o)
{
    const char *text = option_value(o, OPT_TIME);
    if (!text || !*text) return 1;
    long runs = strtol(text, NULL, 10);
    return runs < 1 ? 0 : runs > MOST_RUNS ? MOST_RUNS : (int)runs;
}

bool timing_is_open(const Options *o)
{
    const char *text = option_value(o, OPT_TIME);
    return text && !*text;
}

bool timing_is_count(const Options *o)
{
    if (!option_given(o, OPT_TIME) || timing_runs(o) > 0) return true;
    fprintf(stderr, "adze %s: --time takes the number of runs, not `%s`\n",
            command_info[o->command].name, option_value(o, OPT_TIME));
    return false;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double timing_median(double *seconds, int n)
{
    qsort(seconds, (size_t)n, sizeof *seconds, by_value);
    return n % 2 ? seconds[n / 2] : (seconds[n / 2 - 1] + seconds[n / 2]) / 2;
}

const char *timing_text(Arena *arena, double seconds)
{
    if (seconds < 1e-3) return arena_printf(arena, "%.3g us", seconds * 1e6);
    if (seconds < 1) return arena_printf(arena, "%.3g ms", seconds * 1e3);
    return arena_printf(arena, "%.3f s", seconds);
}

void timing_report(Driver *d, double compiling, double reading, double *runs, int n,
                   const char *what)
{
    double median = timing_median(runs, n);
    if (d->json) {
        json_t *one = json_object();
        json_put(one, "compiling", json_real(compiling));
        json_put(one, "reading", json_real(reading));
        json_put(one, "running", json_real(median));
        json_put(one, "runs", json_integer(n));
        json_put(d->json, "seconds", one);
        return;
    }
    Arena *a = d->cx->arena;
    fflush(stdout);
    if (compiling > 0) fprintf(stderr, "compiling: %s\n", timing_text(a, compiling));
    if (reading > 0) fprintf(stderr, "reading: %s\n", timing_text(a, reading));
    fprintf(stderr, "%s: %s", what, timing_text(a, median));
    if (n > 1)
        fprintf(stderr, " (median of %d runs, %s to %s)", n, timing_text(a, runs[0]),
                timing_text(a, runs[n - 1]));
    fputc('\n', stderr);
}
