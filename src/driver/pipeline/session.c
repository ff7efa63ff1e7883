// Runs work in sessions: configures them from the options, survives internal compiler errors, and
// reports the diagnostics.
#include "driver/pipeline/session.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool driver_attempt(Session *cx, void (*body)(void *env), void *env)
{
    jmp_buf here, *outer = cx->boundary;
    cx->boundary = &here;
    volatile bool whole = false;
    if (setjmp(here) == 0) {
        body(env);
        whole = true;
    }
    cx->boundary = outer;
    return whole;
}

bool driver_guard(Session *cx, void (*body)(void *env), void *env)
{
    bool whole = driver_attempt(cx, body, env);
    if (cx->exhausted && cx->boundary) longjmp(*cx->boundary, 1);
    return whole;
}

static bool use_colour(void)
{
    const char *term = getenv("TERM"), *no = getenv("NO_COLOR");
    return isatty(STDERR_FILENO) && !(no && *no) && !(term && strcmp(term, "dumb") == 0);
}

// Prints the session's diagnostics, or adds them to the JSON report, and forgets them.
static void report(Driver *d)
{
    Session *cx = d->cx;
    if (d->json) {
        json_t *list = json_object_get(d->json, "diagnostics");
        for (int i = 0; i < cx->diags.len; i++)
            json_array_append_new(list, json_diagnostic(cx, cx->diags.at[i]));
    } else if (cx->diags.len) {
        Text out = text_new(cx->arena);
        diag_print_all(cx, &out, use_colour());
        fflush(stdout); // keeps the output in order if both streams go to one file
        fputs(text_get(&out), stderr);
    }
    cx->diags.len = 0;
}

typedef struct {
    Driver *d;
    int (*work)(Driver *d, void *env);
    void *env;
    int status;
} SessionWork;

static void session_body(void *env)
{
    SessionWork *w = env;
    w->status = w->work(w->d, w->env);
}

enum { WIDEST = 4096 }; // the limit of --vector-bytes

void driver_set_cpu(Driver *d, const Cpu *cpu)
{
    const char *wanted = option_value(&d->options, OPT_VECTOR_BYTES);
    const Target *target = target_wanted(&d->options);
    d->cx->device = target && target->device;
    if (d->cx->device) wanted = "0"; // work-items compute with scalars
    long bytes = wanted ? strtol(wanted, NULL, 10) : cpu->level->vector_bytes;
    d->cx->cpu = cpu;
    d->cx->vector_bytes = bytes < WIDEST ? (int)bytes : WIDEST;
}

// Whether math functions on vectors use the scalar functions, and a*b + c rounds twice, so that
// results equal the interpreter's for all sizes.
static bool math_is_exact(const Driver *d)
{
    const char *how = option_value(&d->options, OPT_VECTOR_MATH);
    return how ? strcmp(how, "exact") == 0 : d->options.command == COMMAND_TEST;
}

// Chooses which debugging statements (assertions, prints, profiles) the command compiles.
static void set_debugging(Driver *d)
{
    const Options *o = &d->options;
    bool compiles = o->command == COMMAND_BUILD || o->command == COMMAND_EXPLAIN;
    bool kept = option_given(o, OPT_KEEP_PRINTS) || option_given(o, OPT_PYTHON);
    d->cx->keeps_prints = !compiles || kept;
    d->cx->drops_asserts = option_given(o, OPT_NO_ASSERTS);
    d->cx->profiles = option_given(o, OPT_PROFILE);
}

void driver_open_session(Driver *d)
{
    d->cx = session_new();
    driver_set_cpu(d, d->cpus.at[0]);
    d->cx->exact_math = math_is_exact(d);
    d->cx->stats = d->stats;
    d->cx->unsaved = d->unsaved;
    set_debugging(d);
    session_limit_memory(d->cx, memory_limit(&d->options));
    nat_init(d->cx);
}

void driver_reads(const Driver *d, const char *path)
{
    if (d->reads) fprintf(d->reads, "%s%c", path, '\0');
}

int driver_session(Driver *d, int (*work)(Driver *d, void *env), void *env)
{
    Session *outer = d->cx;
    driver_open_session(d);
    SessionWork w = {d, work, env, 1};
    driver_guard(d->cx, session_body, &w);
    report(d);
    if (d->cx->errors) w.status = 1;
    for (int i = 0; i < d->cx->sources.len; i++) driver_reads(d, d->cx->sources.at[i]->path);
    session_delete(d->cx);
    d->cx = outer;
    return w.status;
}

int driver_each_argument(Driver *d, int (*work)(Driver *d, void *env))
{
    int status = 0;
    for (int i = 0; i < d->options.arguments.len; i++) {
        char *path = arena_printf(d->arena, "%s", d->options.arguments.at[i]);
        status |= driver_session(d, work, path) != 0;
    }
    return status;
}

HostOptions driver_host(const Driver *d)
{
    const Options *o = &d->options;
    const char *cc = option_value(o, OPT_CC);
    if (!cc) cc = option_value(o, OPT_COMPILE);
    return (HostOptions){.cc = cc && *cc ? cc : NULL,
                         .cflags = option_value(o, OPT_CFLAGS),
                         .cpu = cpu_flags(&d->cpus, 0, d->cx->arena),
                         .cache = option_value(o, OPT_CACHE),
                         .no_cache = option_given(o, OPT_NO_CACHE),
                         .progress = true,
                         .cleanup = d->cleanup};
}
