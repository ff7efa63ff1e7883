// adze test [FILE|DIR]: every test of every file, by the reference interpreter and as compiled C.
#include "driver/internal.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct {
    int passed, failed;
} Tally;

/// A test, as the function that compiled code has of it.
typedef struct {
    const Test *test;
    Function function;
    LoopEntry *loop; // NULL when it could not be compiled
} Case;

/// What one way of running a test gives: true, false, or why it gives nothing.
typedef struct {
    bool value;
    const char *failure; // NULL: `value` holds
    DiagCode code;       // of the failure, when it has a place
    Span place;
} Verdict;

// --- running one test ---------------------------------------------------------------------------

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
    return (Verdict){false, text_get(&t), o->code, o->span};
}

typedef struct {
    Session *cx;
    const Work *work;
    const Case *test;
    const uint64_t *races; // the seed of the order, where races are looked for; else NULL
    Verdict verdict;
} Evaluation;

static void evaluate_body(void *env)
{
    Evaluation *v = env;
    Session *cx = v->cx;
    const Program *program = v->work->program;
    const Function *f = &v->test->function;
    Value result;
    cx->pass = "evaluate";
    Outcome o =
        v->races ? core_eval_races(cx, cx->arena, program, f, INTERPRETER_STEPS, *v->races, &result)
                 : core_eval(cx, cx->arena, program, f, NULL, 0, NULL, ALGEBRA_IEEE,
                             INTERPRETER_STEPS, &result);
    v->verdict = o.ok ? (Verdict){.value = result.bits} : failed_run(v->cx, &o);
}

static Verdict run_interpreted(Session *cx, const Work *w, const Case *c, const uint64_t *races)
{
    Evaluation v = {cx, w, c, races, {0}};
    Progress *p = progress_start(true, "interpreting \"%s\"", c->test->title->text);
    if (!driver_guard(cx, evaluate_body, &v)) v.verdict.failure = "a fault of the compiler";
    progress_stop(p);
    return v.verdict;
}

// In a process of its own: what the compiler did wrong must not end this one.
_Noreturn static void call_in_child(Session *cx, const Library *lib, const Case *c, int fd)
{
    sigset_t none; // blocked in the threads of the parent
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    cx->boundary = NULL; // a fault ends this process only
    bool value = false;
    void *buffers[] = {&value};
    const char *message;
    int status = library_invoke(cx, lib, c->loop, NULL, buffers, &message);
    char first = status ? 'f' : value ? '1' : '0';
    (void)!write(fd, &first, 1);
    if (status) (void)!write(fd, message, strlen(message));
    _exit(0);
}

static Verdict child_verdict(Session *cx, const Text *said, int status)
{
    if (WIFSIGNALED(status))
        return (Verdict){.failure = arena_printf(cx->arena,
                                                 "the compiled code was ended by signal %d (%s)",
                                                 WTERMSIG(status), strsignal(WTERMSIG(status)))};
    const char *text = text_get(said);
    if (*text != 'f')
        return (Verdict){.value = *text == '1',
                         .failure = *text ? NULL : "the compiled code gave no result"};
    Outcome o = outcome_of_message(cx, text + 1);
    return failed_run(cx, &o);
}

static Verdict run_compiled(Driver *d, const Library *lib, const Case *c)
{
    Session *cx = d->cx;
    int ends[2], status = 0;
    if (!lib || !c->loop) return (Verdict){.failure = "it could not be compiled"};
    if (pipe(ends) != 0) return (Verdict){.failure = strerror(errno)};
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) call_in_child(cx, lib, c, ends[1]);
    close(ends[1]);
    Text said = text_new(cx->arena);
    if (child > 0) {
        cleanup_child(d->cleanup, child);
        char buffer[512];
        for (ssize_t n; (n = read(ends[0], buffer, sizeof buffer)) > 0;)
            text_add(&said, buffer, (size_t)n);
        while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
        cleanup_child(d->cleanup, 0);
    }
    close(ends[0]);
    return child_verdict(cx, &said, status);
}

// --- telling ------------------------------------------------------------------------------------

// Both fail with the same error at the same place; the words may differ.
static bool same_failure(const Verdict *a, const Verdict *b)
{
    return a->failure && b->failure && a->code == b->code && a->place.file &&
           a->place.file == b->place.file && a->place.lo == b->place.lo;
}

// NULL when the test passed.
static const char *judge(Session *cx, const Verdict *i, const Verdict *c)
{
    if (same_failure(i, c)) return i->failure;
    if (!i->failure && !c->failure && i->value == c->value) return i->value ? NULL : "is false";
    const char *by_interpreter = i->failure ? i->failure : i->value ? "true" : "false";
    const char *compiled = c->failure ? c->failure : c->value ? "true" : "false";
    return arena_printf(cx->arena, "interpreted: %s; compiled: %s", by_interpreter, compiled);
}

static void tell(Driver *d, const char *path, const Case *c, const char *problem, Tally *tally)
{
    int line = 0, column = 0;
    const char *title = c ? c->test->title->text : NULL;
    if (c) session_position(d->cx, c->test->span.file, c->test->span.lo, &line, &column);
    *(problem ? &tally->failed : &tally->passed) += 1;
    if (d->json) {
        json_t *one = json_object();
        json_put(one, "file", json_string(path));
        json_put(one, "line", c ? json_integer(line) : json_null());
        json_put(one, "title", title ? json_string(title) : json_null());
        json_put(one, "passed", json_boolean(!problem));
        json_put(one, "message", problem ? json_string(problem) : json_null());
        json_array_append_new(json_object_get(d->json, "tests"), one);
        return;
    }
    printf("%s %s", problem ? "FAIL" : "ok  ", path);
    if (c) printf(":%d \"%s\"", line, title);
    printf("%s%s\n", problem ? ": " : "", problem ? problem : "");
    fflush(stdout);
}

// --- a file -------------------------------------------------------------------------------------

typedef struct {
    const char *path;
    Tally *tally;
    const uint64_t *races;
    Library *library;
} FileTests;

static Case case_of(const Work *w, int k)
{
    Session *cx = w->cx;
    const Test *t = w->program->tests.at[k];
    return (Case){.test = t,
                  .function = {.name = session_sym(cx, arena_printf(cx->arena, "test_%d", k + 1)),
                               .span = t->span,
                               .entry = true,
                               .result = type_scalar(cx, SCALAR_BOOL),
                               .body = t->body,
                               .checks = t->checks}};
}

// By the interpreter alone, which looks for races.
static int test_races(Driver *d, const FileTests *t, const Work *w)
{
    int failed = t->tally->failed;
    for (int i = 0; i < w->program->tests.len; i++) {
        Case c = case_of(w, i);
        Verdict v = run_interpreted(d->cx, w, &c, t->races);
        tell(d, t->path, &c, v.failure ? v.failure : v.value ? NULL : "is false", t->tally);
    }
    return t->tally->failed > failed;
}

static int test_body(Driver *d, void *env)
{
    FileTests *t = env;
    Session *cx = d->cx;
    Work w;
    if (!pipeline_open(d, t->path, &w)) {
        tell(d, t->path, NULL, "does not compile", t->tally);
        return 1;
    }
    if (t->races) return test_races(d, t, &w);
    int n = w.program->tests.len, nloops = 0, failed = t->tally->failed;
    Case *cases = ARENA_ARRAY(cx->arena, Case, n + 1);
    LoopEntry **loops = ARENA_ARRAY(cx->arena, LoopEntry *, n + 1);
    for (int i = 0; i < n; i++) {
        cases[i] = case_of(&w, i);
        cases[i].loop = pipeline_lower(&w, &cases[i].function).loop;
        if (cases[i].loop) loops[nloops++] = cases[i].loop;
    }
    HostOptions host = driver_host(d);
    host.exact = true;
    if (nloops) t->library = library_build(cx, path_stem(cx->arena, t->path), loops, nloops, &host);
    for (int i = 0; i < n; i++) {
        Verdict interpreted = run_interpreted(cx, &w, &cases[i], NULL);
        Verdict compiled = run_compiled(d, t->library, &cases[i]);
        tell(d, t->path, &cases[i], judge(cx, &interpreted, &compiled), t->tally);
    }
    return t->tally->failed > failed;
}

static int test_file(Driver *d, const char *path, Tally *tally)
{
    const char *given = option_value(&d->options, OPT_ORDER_SEED);
    uint64_t seed = given ? strtoull(given, NULL, 10) : 1;
    bool races = option_given(&d->options, OPT_RACES);
    FileTests t = {.path = path, .tally = tally, .races = races ? &seed : NULL};
    int before = tally->failed, status = driver_session(d, test_body, &t);
    library_close(t.library);
    if (status && tally->failed == before) tally->failed++; // an error outside of the tests
    return status;
}

// --- folders ------------------------------------------------------------------------------------

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static int not_hidden(const struct dirent *e)
{
    return e->d_name[0] != '.';
}

// All programs below a folder, in the order of their names.
static int test_folder(Driver *d, const char *dir, Tally *tally)
{
    struct dirent **entries;
    int n = scandir(dir, &entries, not_hidden, by_name), status = 0;
    if (n < 0) {
        tell(d, dir, NULL, strerror(errno), tally);
        return 1;
    }
    for (int i = 0; i < n; i++) {
        const char *path = path_join(d->arena, dir, entries[i]->d_name);
        bool link = entries[i]->d_type == DT_LNK; // a link to a folder could lead back here
        if (path_is_dir(path))
            status |= link ? 0 : test_folder(d, path, tally);
        else if (path_has_extension(path, ".adz"))
            status |= test_file(d, path, tally);
        free(entries[i]);
    }
    free(entries);
    return status;
}

int cmd_test(Driver *d)
{
    Tally tally = {0};
    int status = 0;
    if (!target_exists(&d->options) || !option_is_count(&d->options, OPT_ORDER_SEED)) return 2;
    if (d->json) json_put(d->json, "tests", json_array());
    const Strings *paths = &d->options.arguments;
    for (int i = 0; i < paths->len; i++)
        status |= path_is_dir(paths->at[i]) ? test_folder(d, paths->at[i], &tally)
                                            : test_file(d, paths->at[i], &tally);
    if (paths->len == 0) status = test_folder(d, ".", &tally);
    if (d->json) {
        json_put(d->json, "passed", json_integer(tally.passed));
        json_put(d->json, "failed", json_integer(tally.failed));
    } else {
        printf("%d passed, %d failed\n", tally.passed, tally.failed);
    }
    return status;
}
