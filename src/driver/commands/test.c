// adze test [FILE|DIR]: runs all tests in the given files, each in the ways described in
// test_case.c.
#include "driver/commands/commands.h"
#include "driver/commands/test_case.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    int passed, failed;
} Tally;

// --- reports ------------------------------------------------------------------------------------

// Whether both verdicts are failures with the same error at the same position. Their messages may
// differ.
static bool same_failure(const Verdict *a, const Verdict *b)
{
    return a->failure && b->failure && a->code == b->code && a->place.file &&
           a->place.file == b->place.file && a->place.lo == b->place.lo;
}

// The ways to run a test. BY_ENTRIES is used only if the test calls entries.
enum { INTERPRETED, COMPILED, BY_ENTRIES, WAYS };

static bool agree(const Verdict *a, const Verdict *b)
{
    return same_failure(a, b) || (!a->failure && !b->failure && a->value == b->value);
}

// Whether the interpreter stopped at a call to a C function, and so reached no verdict.
static bool is_outside(const Verdict *v)
{
    return v->failure && v->code == E0608;
}

// Returns the reason why the test failed, or NULL if it passed. If the test calls C functions, only
// the compiled run counts.
static const char *judge(const Work *w, const TestCase *c, const Verdict *v, int ways)
{
    static const char *const names[WAYS] = {"interpreted", "compiled", "with compiled entries"};
    bool compiled = ways > COMPILED && !v[COMPILED].failure, all = true;
    Text text = text_new(w->cx->arena);
    if (compiled && is_outside(&v[INTERPRETED])) return v[COMPILED].value ? NULL : "false";
    for (int k = 0; k < ways; k++) {
        all = all && agree(&v[0], &v[k]);
        const char *gives = v[k].failure ? v[k].failure : v[k].value ? "true" : "false";
        text_printf(&text, "%s%s: %s", k ? "; " : "", names[k], gives);
    }
    if (!all) return text_get(&text);
    return v[0].failure ? v[0].failure : v[0].value ? NULL : test_sides(w, c);
}

static void report(Driver *d, const char *path, const TestCase *c, const char *problem,
                   Tally *tally)
{
    int line = 0, column = 0;
    const char *title = c ? c->test->title->text : NULL;
    if (c) session_position(d->cx, c->test->span.file, c->test->span.lo, &line, &column);
    *(problem ? &tally->failed : &tally->passed) += 1;
    if (d->json) {
        json_t *one = json_object();
        json_put(one, "file", json_text(path));
        json_put(one, "line", c ? json_integer(line) : json_null());
        json_put(one, "title", title ? json_string(title) : json_null());
        json_put(one, "passed", json_boolean(!problem));
        json_put(one, "message", problem ? json_text(problem) : json_null());
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

static TestCase case_of(const Work *w, int k)
{
    Session *cx = w->cx;
    const Test *t = w->program->tests.at[k];
    return (TestCase){
        .test = t,
        .function = {.name = session_sym(cx, arena_printf(cx->arena, "adze_test_%d", k + 1)),
                     .span = t->span,
                     .entry = true,
                     .result = type_scalar(cx, SCALAR_BOOL),
                     .body = t->body,
                     .checks = t->checks}};
}

// Whether --only excludes the test.
static bool is_excluded(const Driver *d, const Test *t)
{
    const char *only = option_value(&d->options, OPT_ONLY);
    return only && !strstr(t->title->text, only);
}

// Runs the tests in the interpreter, which reports races. Returns 1 if a test failed, and 0
// otherwise.
static int test_races(Driver *d, const FileTests *t, const Work *w)
{
    int failed = t->tally->failed;
    for (int i = 0; i < w->program->tests.len; i++) {
        if (is_excluded(d, w->program->tests.at[i])) continue;
        TestCase c = case_of(w, i);
        c.progress = progress_start(true, "running test %d of %d, \"%s\"", i + 1,
                                    w->program->tests.len, c.test->title->text);
        Verdict v = test_interpreted(w, &c, t->races);
        progress_stop(c.progress);
        report(d, t->path, &c, judge(w, &c, &v, 1), t->tally);
    }
    return t->tally->failed > failed;
}

typedef VEC(LoopEntry *) LoopEntries;

typedef struct {
    const Work *w;
    Map seen;
    LoopEntries entries;
} Called;

static bool calls_c(const LoopEntry *e)
{
    for (int i = 0; i < e->callees.len; i++)
        if (e->callees.at[i]->external) return true;
    return false;
}

// Finds and lowers the entries that a term calls. Entries that call C functions are left out,
// because those functions are not linked.
static void find_entries(Called *c, Node *e)
{
    if (map_get(&c->seen, MAP_KEY(e))) return;
    map_put(&c->seen, MAP_KEY(e), c);
    for (uint32_t i = 0; i < e->nops; i++) find_entries(c, e->op[i]);
    const Function *f =
        e->kind == CORE_GLOBAL ? map_get(&c->w->program->by_name, MAP_KEY(e->attr.sym)) : NULL;
    if (!f || map_get(&c->seen, MAP_KEY(f))) return;
    map_put(&c->seen, MAP_KEY(f), c);
    if (f->body) find_entries(c, f->body);
    LoopEntry *loop =
        f->entry ? pipeline_lower(c->w, program_compiled(c->w->program, f)).loop : NULL;
    if (loop && !calls_c(loop)) vec_push(c->w->cx->arena, &c->entries, loop);
}

// Reports how long a test took, if it ran.
static void report_time(Driver *d, const char *path, const TestCase *c, const Verdict *v)
{
    int line, column;
    Arena *a = d->cx->arena;
    if (v[INTERPRETED].failure || v[COMPILED].failure) return;
    if (d->json) {
        json_t *list = json_object_get(d->json, "tests");
        json_t *one = json_array_get(list, json_array_size(list) - 1), *seconds = json_object();
        json_put(seconds, "interpreted", json_real(v[INTERPRETED].seconds));
        json_put(seconds, "compiled", json_real(v[COMPILED].seconds));
        json_put(one, "seconds", seconds);
        return;
    }
    session_position(d->cx, c->test->span.file, c->test->span.lo, &line, &column);
    fprintf(stderr, "%s:%d \"%s\": interpreted %s, compiled %s\n", path, line, c->test->title->text,
            timing_text(a, v[INTERPRETED].seconds), timing_text(a, v[COMPILED].seconds));
}

static void run_case(Driver *d, const FileTests *t, const Work *w, const TestCase *c,
                     const LoopEntries *entries)
{
    Verdict v[WAYS];
    v[INTERPRETED] = test_interpreted(w, c, NULL);
    v[COMPILED] = test_compiled(d, t->library, c);
    if (t->library && entries->len)
        v[BY_ENTRIES] = test_by_entries(d, w, t->library, entries->at, entries->len, c);
    progress_stop(c->progress);
    report(d, t->path, c, judge(w, c, v, t->library && entries->len ? WAYS : BY_ENTRIES), t->tally);
    if (option_given(&d->options, OPT_TIME)) report_time(d, t->path, c, v);
}

// Compiles the tests, and the entries that they call, into a library.
static void compile(Driver *d, FileTests *t, const Work *w, TestCase *cases, int n,
                    LoopEntries *entries)
{
    Session *cx = d->cx;
    Called called = {.w = w, .seen = map_new(cx->arena)};
    LoopEntries loops = {0};
    double start = timing_now();
    cx->keeps_prints = false; // only the interpreter prints
    for (int i = 0; i < n; i++) {
        cases[i].loop = pipeline_lower(w, &cases[i].function).loop;
        if (cases[i].loop) vec_push(cx->arena, &loops, cases[i].loop);
        if (cases[i].loop) find_entries(&called, cases[i].test->body);
    }
    *entries = called.entries;
    for (int i = 0; i < entries->len; i++) vec_push(cx->arena, &loops, entries->at[i]);
    HostOptions host = driver_host(d);
    host.quick = true;
    host.exact = true;
    const char *name = path_stem(cx->arena, t->path);
    if (loops.len) t->library = library_build(cx, name, loops.at, loops.len, &host);
    if (option_given(&d->options, OPT_TIME) && !d->json)
        fprintf(stderr, "%s: compiling %s\n", t->path,
                timing_text(cx->arena, timing_now() - start));
    cx->keeps_prints = true;
}

static int test_body(Driver *d, void *env)
{
    FileTests *t = env;
    Work w;
    if (!pipeline_open(d, t->path, &w)) {
        report(d, t->path, NULL, "does not compile", t->tally);
        return 1;
    }
    if (t->races) return test_races(d, t, &w);
    int n = 0, failed = t->tally->failed;
    TestCase *cases = ARENA_ARRAY(d->cx->arena, TestCase, w.program->tests.len + 1);
    LoopEntries entries;
    for (int i = 0; i < w.program->tests.len; i++)
        if (!is_excluded(d, w.program->tests.at[i])) cases[n++] = case_of(&w, i);
    compile(d, t, &w, cases, n, &entries);
    for (int i = 0; i < n; i++) {
        cases[i].progress = progress_start(true, "running test %d of %d, \"%s\"", i + 1, n,
                                           cases[i].test->title->text);
        run_case(d, t, &w, &cases[i], &entries);
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
    if (status && tally->failed == before) tally->failed++; // an error outside the tests
    return status;
}

// --- folders ------------------------------------------------------------------------------------

// Runs the tests of all programs below a folder, sorted by name.
static int test_folder(Driver *d, const char *dir, Tally *tally)
{
    Strings paths = {0};
    int status = 0;
    if (!files_below(d->arena, dir, ".adz", NULL, &paths)) {
        report(d, dir, NULL, strerror(errno), tally);
        status = 1;
    }
    for (int i = 0; i < paths.len; i++) status |= test_file(d, paths.at[i], tally);
    return status;
}

int cmd_test(Driver *d)
{
    Tally tally = {0};
    int status = 0;
    if (!target_exists(&d->options) || !option_is_count(&d->options, OPT_ORDER_SEED) ||
        !timing_is_count(&d->options))
        return 2;
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
    if (option_given(&d->options, OPT_ONLY) && tally.passed + tally.failed == 0) {
        fprintf(stderr, "adze: --only %s: no test has this in its title\n",
                option_value(&d->options, OPT_ONLY));
        return 1;
    }
    return status;
}
