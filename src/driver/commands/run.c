// adze run FILE EXPR: evaluates an expression in the scope of a file, compiled or interpreted, and
// prints or writes its value.
#include "driver/commands/commands.h"

#include <stdlib.h>
#include <string.h>

// Without --limit, results of up to SHOWN elements are printed in full. Larger results are cut to
// SHOWN_OF_EACH elements in each dimension, or to fewer if that would still exceed SHOWN_IN_ALL
// elements in total. An array without elements may have at most MOST_EMPTY_ROWS rows.
enum { SHOWN = 1000, SHOWN_OF_EACH = 8, SHOWN_IN_ALL = 1 << 14, MOST_EMPTY_ROWS = 1 << 20 };

/// The resources of a run, which are freed even after an internal compiler error.
typedef struct {
    Stage level; // the level that --interpret selects
    Loads loads;
    Library *library;
    AdzeArray *leaves; // the entry's outputs
    int nleaves;
    Outputs outputs;
    double started, compiled; // when the run started and when compilation ended, in seconds
} Run;

/// The expression as a function of the loaded files.
typedef struct {
    Ast *ast;
    Loads *loads;
    Function *function;
    const char *const *paths; // the paths of the files, one per parameter
    const AdzeArray **leaves; // the contents of each file
} Expression;

// --- reading ------------------------------------------------------------------------------------

static bool read_expression(Driver *d, Work *w, Run *r, Expression *x)
{
    Session *cx = d->cx;
    const char *text = d->options.arguments.at[1];
    size_t bad;
    if (!text_is_utf8(text, strlen(text), &bad)) {
        diag_error(cx, E0704, NO_SPAN, "the expression is not UTF-8 text");
        return false;
    }
    cx->pass = "parse";
    uint32_t file = session_add_source(cx, "expression", text, strlen(text));
    int next, n;
    Ast *e = parse_expression(cx, file, w->module->ast_count, &next);
    if (cx->errors || !expression_set_sizes(cx, e, &d->options.values[OPT_SIZE])) return false;
    cx->pass = "infer";
    x->ast = e;
    x->loads = &r->loads;
    x->function =
        infer_expression(cx, w->program, w->module, e, loads_type, &r->loads, &x->paths, &n);
    if (cx->errors || !x->function) return false;
    x->leaves = ARENA_ARRAY(cx->arena, const AdzeArray *, n + 1);
    for (int i = 0; i < n; i++) {
        x->leaves[i] = loads_get(cx, &r->loads, x->paths[i], x->function->params.at[i].type);
        if (!x->leaves[i]) return false;
    }
    return true;
}

// --- computing ----------------------------------------------------------------------------------

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

// Returns the number of elements of an array, counting at most `limit` in each dimension. If the
// rows are empty, counts the rows instead, since a small file can have more empty rows than fit in
// memory.
static int64_t parts_of(const AdzeArray *a, int64_t limit)
{
    int64_t parts = 1;
    for (int d = 0; d < a->rank && a->shape[d] > 0; d++)
        if (__builtin_mul_overflow(parts, a->shape[d] < limit ? a->shape[d] : limit, &parts))
            return INT64_MAX;
    return parts;
}

typedef struct {
    const Work *work;
    const Expression *expression;
    Stage level;  // the level at which to interpret: STAGE_CORE, STAGE_DPIA or STAGE_LOOP
    Work lowered; // the work lowered to this level
    Outcome outcome;
    Value value;
    int64_t steps; // the maximum number of steps
} Interpretation;

static Outcome evaluate(Interpretation *in, const Value *args)
{
    Session *cx = in->work->cx;
    const Function *f = in->expression->function;
    if (in->level == STAGE_DPIA)
        return dpia_eval(cx, cx->arena, in->lowered.phrase, NULL, args, ALGEBRA_IEEE, in->steps,
                         &in->value);
    if (in->level == STAGE_LOOP)
        return loops_eval(cx, cx->arena, in->lowered.loop, NULL, args, ALGEBRA_IEEE, in->steps,
                          &in->value);
    return core_eval(cx, cx->arena, in->work->program, f, NULL, 0, args, ALGEBRA_IEEE, in->steps,
                     &in->value);
}

static void interpret(void *env)
{
    Interpretation *in = env;
    Session *cx = in->work->cx;
    const Function *f = in->expression->function;
    Value *args = ARENA_ARRAY(cx->arena, Value, f->params.len + 1);
    for (int i = 0; i < f->params.len; i++)
        args[i] = leaves_unpack(cx->arena, f->params.at[i].type, in->expression->leaves[i], -1);
    cx->pass = "evaluate";
    cx->subject = f->span;
    in->outcome = evaluate(in, args);
}

static void drop_line(void *env, const char *line, size_t len)
{
    (void)env, (void)line, (void)len;
}

static bool is_short(const Expression *x)
{
    enum { MOST_ELEMENTS = 1 << 20 };
    int64_t elements = 0;
    for (int i = 0; i < x->function->params.len; i++)
        for (int k = 0; k < type_leaves(x->function->params.at[i].type); k++) {
            int64_t more = parts_of(&x->leaves[i][k], INT64_MAX);
            if (more > MOST_ELEMENTS - elements) return false;
            elements += more;
        }
    return true;
}

// If the interpreter soon fails at the same position, replaces the outcome with the interpreter's
// and returns true. In code for any sizes, the message about a violated size condition contains
// names that the user did not write.
static bool interpret_failure(Session *cx, const Work *w, const Expression *x, Outcome *o)
{
    enum { STEPS = 1 << 20 };
    if (o->code != E0604 || !is_short(x)) return false;
    Interpretation in = {.work = w, .expression = x, .level = STAGE_CORE, .steps = STEPS};
    cx->print = drop_line;
    bool whole = driver_attempt(cx, interpret, &in);
    cx->print = NULL;
    const Outcome *found = &in.outcome;
    if (!whole || found->ok || found->code != o->code || found->span.file != o->span.file ||
        found->span.lo != o->span.lo)
        return false;
    *o = in.outcome;
    return true;
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
static int invoke(Driver *d, const Run *r, const LoopEntry *e, const int64_t *sizes,
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
static int invoke_shown(Driver *d, const Run *r, const Work *w, LoopEntry *e,
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

static bool run_compiled(Driver *d, const Work *w, const Expression *x, Run *r)
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

// Whether the array fits in memory as a Value, in which each row is a Value too. If not, reports
// E0606.
static bool has_values(Session *cx, const AdzeArray *a)
{
    if (adze_array_count(a) > 0 || parts_of(a, INT64_MAX) <= MOST_EMPTY_ROWS) return true;
    diag_error(cx, E0606, NO_SPAN, "%s has no elements, but too many rows", array_text(cx, a));
    return false;
}

// Interprets the expression and stores its value in r->leaves, as compiled code does.
static bool run_interpreted(Driver *d, const Work *w, const Expression *x, Run *r)
{
    Session *cx = d->cx;
    const Function *f = x->function;
    for (int i = 0; i < f->params.len; i++)
        for (int k = 0; k < type_leaves(f->params.at[i].type); k++)
            if (!has_values(cx, &x->leaves[i][k])) return false;
    Interpretation in = {.work = w, .expression = x, .level = r->level, .steps = INTERPRETER_STEPS};
    if (in.level != STAGE_CORE) {
        in.lowered = pipeline_lower(w, f);
        if (!in.lowered.loop) return false;
    }
    Progress *progress = progress_start(true, "interpreting");
    cx->print = progress_write;
    cx->print_env = progress;
    double start = timing_now();
    bool whole = driver_attempt(cx, interpret, &in);
    double seconds = timing_now() - start;
    cx->print = NULL;
    progress_stop(progress);
    if (whole && in.outcome.ok && option_given(&d->options, OPT_TIME))
        timing_report(d, 0, r->loads.seconds, &seconds, 1, "interpreting");
    if (!whole) longjmp(*cx->boundary, 1);
    if (!in.outcome.ok) {
        outcome_report(cx, &in.outcome, NULL, NULL);
        return false;
    }
    r->nleaves = type_leaves(f->result);
    r->leaves = ARENA_ARRAY(d->arena, AdzeArray, r->nleaves + 1);
    if (!type_alloc_leaves(cx, f->result, r->leaves)) return false;
    leaves_pack(&in.value, f->result, r->leaves);
    return true;
}

// --- the result ---------------------------------------------------------------------------------

static int64_t parts_of_all(const AdzeArray *leaves, int n, int64_t limit)
{
    int64_t total = 0;
    for (int i = 0; i < n; i++)
        if (__builtin_add_overflow(total, parts_of(&leaves[i], limit), &total)) return INT64_MAX;
    return total;
}

static int64_t shown_elements(const Driver *d, const AdzeArray *leaves, int n)
{
    const char *text = option_value(&d->options, OPT_LIMIT);
    if (text) {
        long long limit = strtoll(text, NULL, 10);
        return limit == 0 || limit > INT32_MAX ? INT32_MAX : limit;
    }
    if (parts_of_all(leaves, n, INT64_MAX) <= SHOWN) return INT32_MAX;
    int64_t limit = SHOWN_OF_EACH;
    while (limit > 1 && parts_of_all(leaves, n, limit) > SHOWN_IN_ALL) limit--;
    return limit;
}

// Prints the bytes unchanged, and adds a final newline if they do not end with one.
static void print_text(Session *cx, const AdzeArray *bytes)
{
    Text out = text_new(cx->arena);
    const char *at = bytes->data;
    int64_t n = adze_array_count(bytes);
    for (int64_t i = 0; i < n; i++) text_char(&out, at[i]);
    if (n == 0 || at[n - 1] != '\n') text_char(&out, '\n');
    out_text(&out);
}

static bool print_result(Driver *d, Node *type, const AdzeArray *leaves, int n)
{
    Session *cx = d->cx;
    if (d->json) {
        for (int i = 0; i < n; i++)
            if (!has_values(cx, &leaves[i])) return false;
        Value v = leaves_unpack(cx->arena, type, leaves, -1);
        json_put(d->json, "type", json_string(type_show(cx, type)));
        json_put(d->json, "value", json_value(&v, type));
        return true;
    }
    if (option_given(&d->options, OPT_TEXT)) {
        print_text(cx, &leaves[n - 1]); // the first of the two leaves of a [?n]u8 is its length
        return true;
    }
    int64_t limit = shown_elements(d, leaves, n);
    Value v = leaves_unpack(cx->arena, type, leaves, limit);
    Text out = text_new(cx->arena);
    value_print(cx, &out, &v, type, (int)limit);
    text_char(&out, '\n');
    out_text(&out);
    return true;
}

static bool write_result(Driver *d, const Outputs *o, Node *type, const AdzeArray *leaves)
{
    if (!outputs_write(d->cx, o, type, leaves)) return false;
    if (!d->json) return true;
    json_t *list = json_array();
    for (int i = 0; i < o->paths->len; i++) json_array_append_new(list, json_text(o->paths->at[i]));
    json_put(d->json, "written", list);
    return true;
}

static int run_body(Driver *d, void *env)
{
    Run *r = env;
    Work w;
    Expression x = {0};
    const Outputs *o = &r->outputs;
    bool interpret = option_given(&d->options, OPT_INTERPRET);
    if (!pipeline_open(d, d->options.arguments.at[0], &w) || !read_expression(d, &w, r, &x))
        return 1;
    Node *type = x.function->result;
    if (o->paths->len && !outputs_check(d->cx, o, type)) return 1;
    if (option_given(&d->options, OPT_TEXT) && !outputs_check_text(d->cx, type)) return 1;
    if (!(interpret ? run_interpreted(d, &w, &x, r) : run_compiled(d, &w, &x, r))) return 1;
    int results = type_leaves(type);
    AdzeArray *leaves = r->leaves + (r->nleaves - results);
    leaves_trim(type, leaves);
    if (o->paths->len) return write_result(d, o, type, leaves) ? 0 : 1;
    return print_result(d, type, leaves, results) ? 0 : 1;
}

// Sets *level to the LEVEL of --interpret[=LEVEL], or to that of the reference interpreter if none
// is given. Returns false after an error.
static bool find_level(const Options *o, Stage *level)
{
    static const Stage with[] = {STAGE_CORE, STAGE_DPIA, STAGE_LOOP};
    const char *name = option_value(o, OPT_INTERPRET);
    *level = STAGE_CORE;
    if (!name || !*name) return true;
    for (int i = 0; i < 3; i++)
        if (strcmp(name, stage_name[with[i]]) == 0) return *level = with[i], true;
    fprintf(stderr,
            "adze run: there is no interpreter of the level `%s`, only of core, dpia and loop\n",
            name);
    return false;
}

int cmd_run(Driver *d)
{
    if (!option_is_count(&d->options, OPT_LIMIT) || !target_exists(&d->options)) return 2;
    if (!timing_is_count(&d->options)) return 2;
    Run r = {.loads.arena = d->arena, .started = timing_now()};
    if (!find_level(&d->options, &r.level) || !outputs_choose(&d->options, &r.outputs)) return 2;
    int status = driver_session(d, run_body, &r);
    leaves_free(r.leaves, r.nleaves);
    library_close(r.library);
    loads_free(&r.loads);
    return status;
}
