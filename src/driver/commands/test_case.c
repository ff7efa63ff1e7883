// Runs a test of `adze test` in three ways: in the interpreter; as compiled C, where the compiler
// sees the arguments of all calls; and in the interpreter again, but with compiled code for the
// entries that the test calls. That code is compiled for any sizes and arguments, as it is for C
// programs.
#include "driver/commands/test_case.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static Verdict failed_run(Session *cx, const Outcome *o)
{
    Text t = text_new(cx->arena);
    text_printf(&t, "error %s", diag_name(o->code));
    if (o->span.file) {
        int line, column;
        session_position(cx, o->span.file, o->span.lo, &line, &column);
        text_printf(&t, " at %s:%d:%d", cx->sources.at[o->span.file - 1]->path, line, column);
    }
    text_put(&t, ": ");
    for (const char *c = o->text; *c; c++) text_put(&t, *c == '\n' ? "; " : (char[]){*c, 0});
    return (Verdict){.failure = text_get(&t), .code = o->code, .place = o->span};
}

// --- interpreted --------------------------------------------------------------------------------

typedef struct {
    const Work *work;
    const TestCase *test;
    EvalWay way;
    Outcome outcome;
    bool value;
} Evaluation;

static void evaluate(void *env)
{
    Evaluation *v = env;
    Session *cx = v->work->cx;
    Value result = {0};
    cx->pass = "evaluate";
    cx->subject = v->test->function.span;
    v->outcome = core_eval_as(cx, cx->arena, v->work->program, &v->test->function,
                              INTERPRETER_STEPS, &v->way, &result);
    v->value = result.bits;
}

Verdict test_interpreted(const Work *w, const TestCase *c, const uint64_t *races)
{
    Session *cx = w->cx;
    Evaluation v = {.work = w, .test = c, .way = {.races = races}};
    cx->print = progress_write;
    cx->print_env = c->progress;
    double start = timing_now();
    bool good = driver_attempt(cx, evaluate, &v);
    double seconds = timing_now() - start;
    cx->print = NULL;
    if (cx->exhausted) {
        progress_stop(c->progress);
        longjmp(*cx->boundary, 1);
    }
    if (!good) return (Verdict){.failure = "a fault of the compiler"};
    if (!v.outcome.ok) return failed_run(cx, &v.outcome);
    return (Verdict){.value = v.value, .seconds = seconds};
}

// --- both sides of a comparison -----------------------------------------------------------------

enum { SHOWN = 8 }; // the number of elements shown per array

typedef struct {
    Evaluation evaluation;
    Value value;
} Sides;

static void evaluate_sides(void *env)
{
    Sides *s = env;
    const TestCase *c = s->evaluation.test;
    Session *cx = s->evaluation.work->cx;
    Function f = c->function;
    f.body = c->test->sides;
    f.result = f.body->type;
    s->evaluation.outcome = core_eval_as(cx, cx->arena, s->evaluation.work->program, &f,
                                         INTERPRETER_STEPS, &s->evaluation.way, &s->value);
    if (s->evaluation.outcome.ok) s->value = value_trim(cx->arena, &s->value, f.result);
}

static const char *show(Session *cx, const Value *v, Node *type)
{
    Text t = text_new(cx->arena);
    value_print(cx, &t, v, type, SHOWN);
    return text_get(&t);
}

// Replaces two values and their type with the first components in which the values differ, level by
// level, and writes the path of these components to `at`.
static void find_difference(const Value **a, const Value **b, Node **type, Text *at)
{
    while ((*a)->parts && (*b)->parts && (*a)->count == (*b)->count) {
        int64_t k = 0;
        while (k < (*a)->count && value_equal(&(*a)->parts[k], &(*b)->parts[k])) k++;
        if (k == (*a)->count) return;
        bool array = (*type)->kind == TYPE_ARRAY;
        const Sym *names = (*type)->kind == TYPE_STRUCT ? (*type)->names : NULL;
        if (names && names[k] && !type_is_enum(*type))
            text_printf(at, ".%s", names[k]->text);
        else
            text_printf(at, array ? "[%lld]" : ".%lld", (long long)k);
        *type = array ? (*type)->op[1] : (*type)->op[k];
        *a = &(*a)->parts[k];
        *b = &(*b)->parts[k];
    }
}

static void put_difference(Session *cx, Text *out, const Value *sides, Node *type)
{
    const Value *a = &sides->parts[0], *b = &sides->parts[1];
    Text at = text_new(cx->arena);
    Node *part = type->op[0];
    if (type->op[0] == type->op[1]) find_difference(&a, &b, &part, &at);
    if (at.len)
        text_printf(out, "\n     they differ at %s: %s and %s", text_get(&at), show(cx, a, part),
                    show(cx, b, part));
}

const char *test_sides(const Work *w, const TestCase *c)
{
    Session *cx = w->cx;
    Sides s = {.evaluation = {.work = w, .test = c}};
    DiagMark before = diag_mark(cx);
    bool good = c->test->sides && driver_attempt(cx, evaluate_sides, &s) && s.evaluation.outcome.ok;
    (void)diag_withdraw(cx, before);
    if (!good) return "is false";
    Node *type = c->test->sides->type;
    Text out = text_new(cx->arena);
    text_printf(&out, "%s %s %s is false", show(cx, &s.value.parts[0], type->op[0]), c->test->text,
                show(cx, &s.value.parts[1], type->op[1]));
    if (strcmp(c->test->text, "==") == 0) put_difference(cx, &out, &s.value, type);
    return text_get(&out);
}

// --- in a process of its own --------------------------------------------------------------------

// The main function of the child process, which protects the parent from crashes in compiled code.
// Calls `run`, writes the verdict to `fd` and exits. The verdict is 0 or 1 followed by the time in
// seconds, or f followed by the failure message.
_Noreturn static void be_child(Session *cx, void (*run)(void *env, Text *output), void *env, int fd)
{
    sigset_t none; // unblocks the signals that the parent's threads block
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    cx->boundary = NULL; // an internal compiler error kills only this process
    Text output = text_new(cx->arena);
    run(env, &output);
    (void)!write(fd, text_get(&output), output.len);
    _exit(0);
}

static Verdict child_verdict(Session *cx, const Text *output, int status)
{
    if (WIFSIGNALED(status))
        return (Verdict){.failure =
                             arena_printf(cx->arena, "signal %d ended the compiled code (%s)",
                                          WTERMSIG(status), strsignal(WTERMSIG(status)))};
    const char *text = text_get(output);
    if (*text != 'f')
        return (Verdict){.value = *text == '1',
                         .failure = *text ? NULL : "the compiled code gave no result",
                         .seconds = *text ? strtod(text + 1, NULL) : 0};
    Outcome o = outcome_of_message(cx, text + 1);
    return failed_run(cx, &o);
}

static Verdict in_child(Driver *d, void (*run)(void *env, Text *output), void *env)
{
    Session *cx = d->cx;
    int ends[2], status = 0;
    if (pipe(ends) != 0) return (Verdict){.failure = strerror(errno)};
    fflush(NULL);
    pid_t parent = getpid(), child = fork();
    if (child == 0) {
        child_follows(parent, SIGKILL); // a signal could end the parent before it knows its child
        be_child(cx, run, env, ends[1]);
    }
    close(ends[1]);
    Text output = text_new(cx->arena);
    if (child > 0) {
        cleanup_child(d->cleanup, child);
        char buffer[512];
        for (ssize_t n; (n = read(ends[0], buffer, sizeof buffer)) > 0;)
            text_add(&output, buffer, (size_t)n);
        while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
        cleanup_child(d->cleanup, 0);
    }
    close(ends[0]);
    return child_verdict(cx, &output, status);
}

// --- compiled -----------------------------------------------------------------------------------

typedef struct {
    Session *cx;
    Library *library;
    const LoopEntry *loop;
    int runs;
} Compiled;

static void run_compiled(void *env, Text *output)
{
    Compiled *c = env;
    bool value = false;
    void *buffers[] = {&value};
    const char *message;
    double *seconds = ARENA_ARRAY(c->cx->arena, double, c->runs);
    int status = 0;
    for (int i = 0; i < c->runs && status == 0; i++) {
        double start = timing_now();
        status = library_invoke(c->cx, c->library, c->loop, NULL, buffers, &message);
        seconds[i] = timing_now() - start;
    }
    if (status)
        text_printf(output, "f%s", message);
    else
        text_printf(output, "%d%.9f", value, timing_median(seconds, c->runs));
}

Verdict test_compiled(Driver *d, Library *lib, const TestCase *c)
{
    Compiled env = {d->cx, lib, c->loop, timing_runs(&d->options)};
    if (!lib || !c->loop) return (Verdict){.failure = "it could not be compiled"};
    return in_child(d, run_compiled, &env);
}

// --- with compiled entries ----------------------------------------------------------------------

typedef struct {
    Evaluation evaluation;
    Library *library;
    LoopEntry *const *entries;
    int n;
} Entries;

static int64_t size_of(Session *cx, Sym name, const NodeBinding *generics, int n)
{
    int64_t size = 0;
    for (int i = 0; i < n; i++)
        if (generics[i].name == name) CHECK(cx, nat_is_const(generics[i].value, &size), "no size");
    return size;
}

static bool call_entry(void *env, const Function *f, const NodeBinding *generics, int ngenerics,
                       const Value *args, Arena *arena, Value *result, Outcome *outcome)
{
    const Entries *e = env;
    Session *cx = e->evaluation.work->cx;
    const LoopEntry *entry = NULL;
    for (int i = 0; i < e->n; i++)
        if (e->entries[i]->name == f->name) entry = e->entries[i];
    if (!entry) return false;
    int64_t *sizes = ARENA_ARRAY(arena, int64_t, entry->sizes.len + 1);
    for (int i = 0; i < entry->sizes.len; i++)
        sizes[i] = size_of(cx, entry->sizes.at[i], generics, ngenerics);
    *outcome = library_call(cx, arena, e->library, entry, sizes, args, result);
    return true;
}

static void run_by_entries(void *env, Text *output)
{
    Entries *e = env;
    Evaluation *v = &e->evaluation;
    Session *cx = v->work->cx;
    evaluate(v);
    const Outcome *o = &v->outcome;
    if (o->ok) {
        text_put(output, v->value ? "1" : "0");
        return;
    }
    text_put(output, "f");
    if (o->span.file) {
        int line, column;
        session_position(cx, o->span.file, o->span.lo, &line, &column);
        text_printf(output, "%s:%d:%d: ", source_short_path(cx->sources.at[o->span.file - 1]), line,
                    column);
    }
    text_printf(output, "error %s: %s", diag_name(o->code), o->text);
}

Verdict test_by_entries(Driver *d, const Work *w, Library *lib, LoopEntry *const *entries, int n,
                        const TestCase *c)
{
    Entries env = {{.work = w, .test = c}, lib, entries, n};
    env.evaluation.way = (EvalWay){.call = call_entry, .env = &env, .silent = true};
    return in_child(d, run_by_entries, &env);
}
