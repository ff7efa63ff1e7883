// Compiles expressions and calls the code.
#include "driver/evaluate/evaluate.h"

// Lowers the expression for the sizes of the loaded files, or for any sizes. In the latter case,
// the code takes the sizes as arguments, and *sizes is set to them. Both versions must produce the
// same bits, so a*b+c is not fused.
static LoopEntry *choose_version(Driver *d, const Work *w, const Expression *x, HostOptions *host,
                                 const int64_t **sizes)
{
    Session *cx = d->cx;
    General g = {0};
    bool special = option_given(&d->options, OPT_SPECIALISE),
         general = option_given(&d->options, OPT_GENERAL);
    if (x->function->params.len) {
        host->exact = true;
        cx->exact_math |= !option_given(&d->options, OPT_VECTOR_MATH);
    }
    if (special || !general_make(w, x->ast, x->loads, x->function, &g))
        return pipeline_lower(w, x->function).loop;
    const char *name = path_stem(cx->arena, w->path);
    if (!general && !general_pays(cx, &g, name, host)) return pipeline_lower(w, x->function).loop;
    *sizes = g.sizes;
    return g.loop;
}

// Reports a failure. The message mentions the types of the loaded arrays and is the same for both
// versions of the code.
static void report_failure(Session *cx, const Work *w, Outcome o, const LoopEntry *e,
                           const Expression *x)
{
    if (interpret_failure(cx, w, x, &o)) {
        outcome_report(cx, &o, NULL, NULL);
        return;
    }
    LoopEntry actual = *e;
    actual.sizes.len = 0;
    actual.source = x->function->params.at;
    outcome_report(cx, &o, &actual, NULL);
}

// Whether the code prints anything. If so, no progress is shown.
static bool prints(const LoopEntry *e)
{
    for (int i = 0; i < e->callees.len; i++)
        if (core_print_step_of(e->callees.at[i]->name) != PRINT_COUNT) return true;
    return false;
}

// Whether the code calls C functions, as `print` also does. If so, only the user can know that it
// may run several times.
static bool calls_c(const LoopEntry *e)
{
    for (int i = 0; i < e->callees.len; i++)
        if (e->callees.at[i]->external) return true;
    return false;
}

// Calls the code as many times as --time says, or without a number until the calls took MEASURED
// seconds. Returns the status of the last call.
static int invoke(Driver *d, const Evaluation *r, const LoopEntry *e, const int64_t *sizes,
                  void *const *buffers, Progress *p, const char **message)
{
    enum { MOST = 1000 };
    static const double MEASURED = 0.2;
    Session *cx = d->cx;
    bool open = timing_is_open(&d->options) && !calls_c(e);
    int n = open ? MOST : timing_runs(&d->options), status = 0, done = 0;
    double *seconds = ARENA_ARRAY(cx->arena, double, n), total = 0;
    while (done < n && status == 0 && !(open && total > MEASURED)) {
        double start = timing_now();
        status = library_invoke(cx, r->library, e, sizes, buffers, message);
        seconds[done] = timing_now() - start;
        total += seconds[done++];
        if (!open && n > 1) progress_expect(p, total / done * n);
    }
    progress_stop(p);
    if (status == 0 && option_given(&d->options, OPT_TIME))
        timing_report(d, r->compiled - r->started - r->loads.seconds, r->loads.seconds, seconds,
                      done, "running");
    return status;
}

// Calls the code, and shows on a terminal how long it takes and how long it took the last time.
static int invoke_shown(Driver *d, const Evaluation *r, const Work *w, LoopEntry *e,
                        const HostOptions *host, const int64_t *sizes, void *const *buffers,
                        const char **message)
{
    static const double WORTH_RECORDING = 1;
    Session *cx = d->cx;
    Progress *p = progress_start(!prints(e), "computing");
    if (!p || option_given(&d->options, OPT_TIME))
        return invoke(d, r, e, sizes, buffers, p, message);
    Text source = text_new(cx->arena), header = text_new(cx->arena), extents = text_new(cx->arena);
    pipeline_emit(cx, &e, 1, path_stem(cx->arena, w->path), true, &source, &header);
    for (int i = 0; sizes && i < e->sizes.len; i++)
        text_printf(&extents, "%lld ", (long long)sizes[i]);
    progress_expect(p, cache_duration(cx, host, &source, &extents));
    double start = timing_now();
    int status = invoke(d, r, e, sizes, buffers, p, message);
    double seconds = timing_now() - start;
    if (status == 0 && seconds > WORTH_RECORDING)
        cache_record(cx, host, &source, &extents, seconds);
    return status;
}

// Fills the first buffers of a call with the leaves of the loaded files, and returns their number.
static int input_buffers(const Expression *x, void **buffers)
{
    int n = 0;
    for (int i = 0; i < x->function->params.len; i++)
        for (int k = 0; k < type_leaves(x->function->params.at[i].type); k++)
            buffers[n++] = x->leaves[i][k].data;
    return n;
}

bool evaluate_compiled(Driver *d, const Work *w, const Expression *x, Evaluation *r)
{
    Session *cx = d->cx;
    HostOptions host = driver_host(d);
    const int64_t *sizes = NULL;
    LoopEntry *e = choose_version(d, w, x, &host, &sizes);
    if (!e) return false;
    int n = e->params.len;
    if (cx->profiles && !loops_has_kernels(e))
        fprintf(stderr, "profile: the program has no kernels\n");
    r->library = library_build(cx, path_stem(cx->arena, w->path), &e, 1, &host);
    if (!r->library) return false;
    r->compiled = timing_now();
    void **buffers = ARENA_ARRAY(cx->arena, void *, n + 1);
    r->leaves = ARENA_ARRAY(d->arena, AdzeArray, n + 1);
    r->nleaves = n;
    Outcome o;
    const char *message;
    if (!leaves_alloc(cx, e, sizes, true, r->leaves, &o)) {
        report_failure(cx, w, o, e, x);
        return false;
    }
    for (int i = input_buffers(x, buffers); i < n; i++) buffers[i] = r->leaves[i].data;
    if (invoke_shown(d, r, w, e, &host, sizes, buffers, &message) == 0) return true;
    o = outcome_of_message(cx, message);
    report_failure(cx, w, o, e, x);
    return false;
}
