// adze bench FILE [NAME...]: times entries, and compares the times with one another and with those
// of an earlier revision.
#include "driver/bench/bench.h"
#include "driver/commands/commands.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct {
    Bench now, earlier; // `earlier` is the program at the git revision of --against
    int samples;        // 0: as many as take about half a second
    double most;        // the ratio of --fail-above, or 0
} Run;

// --- the command line ---------------------------------------------------------------------------

// Parses a ratio such as 1.1x or 1.1.
static bool parse_ratio(const char *text, double *ratio)
{
    char *end;
    *ratio = strtod(text, &end);
    return end > text && *ratio > 0 && *ratio < 1e9 && (!*end || strcmp(end, "x") == 0);
}

static bool read_options(const Options *o, Run *r)
{
    enum { MOST_SAMPLES = 100000 };
    const char *ratio = option_value(o, OPT_FAIL_ABOVE), *samples = option_value(o, OPT_SAMPLES);
    if (ratio && !parse_ratio(ratio, &r->most)) {
        fprintf(stderr, "adze bench: --fail-above takes a ratio such as 1.1x, not `%s`\n", ratio);
        return false;
    }
    if (!option_is_count(o, OPT_SAMPLES)) return false;
    long n = samples ? strtol(samples, NULL, 10) : 0;
    if (samples && (n < 1 || n > MOST_SAMPLES)) {
        fprintf(stderr, "adze bench: --samples takes a number from 1 to %d\n", MOST_SAMPLES);
        return false;
    }
    r->samples = (int)n;
    for (int i = 0; i < o->values[OPT_BENCH_OUTPUT].len; i++) {
        const char *path = o->values[OPT_BENCH_OUTPUT].at[i];
        if (path_has_extension(path, ".svg") || path_has_extension(path, ".json")) continue;
        fprintf(stderr, "adze bench: -o writes .svg and .json files, not `%s`\n", path);
        return false;
    }
    return true;
}

// --- an earlier revision ------------------------------------------------------------------------

static BenchCase *case_labelled(const Bench *b, const char *label)
{
    for (int i = 0; i < b->cases.len; i++)
        if (strcmp(b->cases.at[i]->label, label) == 0) return b->cases.at[i];
    return NULL;
}

// Compiles the revision, and measures its cases together with those of now.
static bool open_revision(Driver *d, Run *r, const char *revision)
{
    Strings names = {0};
    for (int i = 1; i < d->options.arguments.len; i++)
        vec_push(d->cx->arena, &names, d->options.arguments.at[i]);
    if (!bench_open_revision(d, d->options.arguments.at[0], revision, &r->earlier.work) ||
        !bench_find(d, &r->earlier, &names) || !bench_prepare(d, &r->earlier))
        return false;
    for (int i = 0; i < r->now.cases.len; i++) {
        BenchCase *c = r->now.cases.at[i];
        c->earlier = case_labelled(&r->earlier, c->label);
    }
    return true;
}

// --- measuring ----------------------------------------------------------------------------------

static bool measure(Driver *d, Run *r)
{
    BenchCases all = {0};
    for (int i = 0; i < r->now.cases.len; i++) {
        BenchCase *c = r->now.cases.at[i];
        vec_push(d->cx->arena, &all, c);
        if (c->earlier) vec_push(d->cx->arena, &all, c->earlier);
    }
    if (!bench_measure(d, &all, r->samples)) return false;
    for (int i = 0; i < r->now.cases.len; i++) {
        BenchCase *c = r->now.cases.at[i];
        if (!c->earlier) continue;
        c->compared = true;
        c->before = c->earlier->time;
    }
    return true;
}

static void warn_of_noise(const BenchCases *cases)
{
    int noisy = 0;
    for (int i = 0; i < cases->len; i++) noisy += cases->at[i]->time.noisy;
    if (noisy)
        fprintf(stderr,
                "adze bench: the machine is noisy: the times of %d of %d cases vary by more than a "
                "tenth; close other programs, or take more --samples\n",
                noisy, cases->len);
}

// Whether a case takes longer than --fail-above allows, and longer than chance explains.
static bool is_slower(const BenchCase *c, double most)
{
    return c->compared && most > 0 && bench_ratio(c) > most && c->time.low > c->before.high;
}

static int count_slower(const Run *r)
{
    int n = 0;
    for (int i = 0; i < r->now.cases.len; i++) {
        const BenchCase *c = r->now.cases.at[i];
        if (!is_slower(c, r->most)) continue;
        fprintf(stderr, "adze bench: %s takes %.2f times as long as before, more than %g\n",
                c->label, bench_ratio(c), r->most);
        n++;
    }
    return n;
}

// --- reports ------------------------------------------------------------------------------------

static bool write_outputs(Driver *d, const BenchCases *cases)
{
    const Strings *paths = &d->options.values[OPT_BENCH_OUTPUT];
    for (int i = 0; i < paths->len; i++) {
        bool plot = path_has_extension(paths->at[i], ".svg");
        if (!(plot ? bench_plot : bench_write)(d, paths->at[i], cases)) return false;
    }
    return true;
}

// Whether results can be kept in the cache. If not, that is no error, as for compiled code.
static bool can_keep(Driver *d, const char *history)
{
    const char *dir = path_dir(d->cx->arena, history);
    if (path_make_dirs(dir) && access(dir, W_OK) == 0) return true;
    diag_warning(d->cx, E0720, NO_SPAN, "the results cannot be kept in %s: %s", dir,
                 strerror(errno));
    return false;
}

// Saves the results where the next run finds them. Those of a run that failed are not kept, so that
// the next one fails, too.
static bool save(Driver *d, const Run *r, const char *history, int slower)
{
    const char *path = option_value(&d->options, OPT_SAVE);
    if (path) return bench_write(d, path, &r->now.cases);
    if (!history || slower || !can_keep(d, history)) return true;
    return bench_update(d, history, &r->now.cases);
}

// Reads the results to compare with: those of --against, or the last ones.
static bool read_earlier(Driver *d, Run *r, const char *history)
{
    const char *against = option_value(&d->options, OPT_AGAINST);
    if (against && access(against, F_OK) != 0) return open_revision(d, r, against);
    if (against) return bench_read(d->cx, against, &r->now.cases);
    return !history || access(history, F_OK) != 0 || bench_read(d->cx, history, &r->now.cases);
}

static int bench_body(Driver *d, void *env)
{
    Run *r = env;
    const Strings *arguments = &d->options.arguments;
    const char *path = arguments->at[0];
    Strings names = {0};
    for (int i = 1; i < arguments->len; i++) vec_push(d->cx->arena, &names, arguments->at[i]);
    if (!pipeline_open(d, path, &r->now.work) || !bench_find(d, &r->now, &names)) return 1;
    const char *history = bench_file(d, path);
    if (!bench_prepare(d, &r->now) || !read_earlier(d, r, history) || !measure(d, r)) return 1;
    warn_of_noise(&r->now.cases);
    if (d->json)
        json_put(d->json, "benches", bench_json(&r->now.cases));
    else
        bench_print(d->cx->arena, &r->now.cases);
    int slower = count_slower(r);
    if (!write_outputs(d, &r->now.cases) || !save(d, r, history, slower)) return 1;
    return slower ? 1 : 0;
}

int cmd_bench(Driver *d)
{
    Run r = {0};
    if (!target_exists(&d->options) || !read_options(&d->options, &r)) return 2;
    int status = driver_session(d, bench_body, &r);
    bench_free(&r.now);
    bench_free(&r.earlier);
    return status;
}
