// Runs the entries of one text at all levels of the compiler and as compiled C, and finds what kind
// of failure they show, if any.
//
// Results are compared bit by bit (all NaNs are equal); where the reference fails, all levels must
// fail. Comments in a text may say of a program p3 and its variants p3_s and p3_v:
//
//   // rounding: p3      floats are regrouped, or go through functions that no two libraries round
//                        the same way (docs/language.md: Associativity; values agree up to
//                        rounding): they are compared in the exact field only
//   // lazy errors: p3   parts of values may fail, which need not be computed if nobody reads them
//                        (docs/language.md: Lazy evaluation): what fails in the reference may
//                        succeed elsewhere, or fail with the error of another part
#ifndef ADZE_TESTS_RANDOM_PROGRAM_RUN_H
#define ADZE_TESTS_RANDOM_PROGRAM_RUN_H

#include <ctype.h>
#include <time.h>

#include "base/target/cpu.h"
#include "programs/jobs.h"

/// The outcomes for a text. The first two are no failures: the compiler may refuse a program with
/// an error message.
#define FAILURES(X)                                                                                \
    X(AGREES, "agrees")                                                                            \
    X(REFUSED, "is refused")                                                                       \
    X(FAULT, "is a fault of the compiler")                                                         \
    X(DIFFERS, "gives different results")                                                          \
    X(OUTCOME, "fails on one level only")                                                          \
    X(NO_C, "becomes C that does not compile")                                                     \
    X(CRASH, "crashes")                                                                            \
    X(SLOW, "takes too long")                                                                      \
    X(LARGE, "takes too much memory")
typedef enum {
#define X(id, text) id,
    FAILURES(X)
#undef X
        FAILURE_COUNT
} Failure;
static const char *const failure_text[] = {
#define X(id, text) text,
    FAILURES(X)
#undef X
};

/// How texts are compiled.
typedef struct {
    const Cpu *cpu;
    bool serial, exact_math, threads, field, no_c;
    const char *cc, *level, *sanitize;
} Config;

enum { DETAIL = 200, MOST_FAILED = 64, SECONDS_EACH = SANITIZED ? 60 : 5, MEGABYTES = 1000 };

/// What a process that ran a text leaves behind, in shared memory.
typedef struct {
    Failure failure;
    char detail[DETAIL];              // the text of a fault, the code of a refusal
    char at[LAST_CASE];               // what ran last
    int failed[MOST_FAILED], nfailed; // numbers of programs
    int entries, cases, errors, left_out, refused;
} Ran;

static Ran *ran; // of this process

// --- comparing ---------------------------------------------------------------------------------

static inline bool same_bits(Node *type, const Value *a, const Value *b)
{
    if (type->kind == TYPE_SCALAR || type->kind == TYPE_IDX) {
        bool number = !is_float(leaf_scalar(type));
        bool nan = !number && isnan(double_of(a->bits)) && isnan(double_of(b->bits));
        return nan || a->bits == b->bits;
    }
    if (a->count != b->count) return false;
    for (int64_t i = 0; i < a->count; i++)
        if (!same_bits(type_has_elements(type) ? type->op[1] : type->op[i], &a->parts[i],
                       &b->parts[i]))
            return false;
    return true;
}

/// The number of a program in the name of one of its entries.
static inline int program_of(const char *entry)
{
    return entry[0] == 'p' ? atoi(entry + 1) : 0;
}

static inline void note_failure(Failure failure, const char *entry, const char *detail)
{
    int k = program_of(entry);
    for (int i = 0; i < ran->nfailed; i++)
        if (ran->failed[i] == k) return;
    if (ran->nfailed < MOST_FAILED) ran->failed[ran->nfailed++] = k;
    if (ran->failure > REFUSED) return;
    ran->failure = failure;
    snprintf(ran->detail, DETAIL, "%s", detail);
}

// The fault in the diagnostics, without its place in the program; NULL if all are errors of the
// program.
static inline const char *fault_in(Arena *arena, const char *diagnostics)
{
    const char *at = strstr(diagnostics, "error E0901");
    return at ? arena_strndup(arena, at, strcspn(at, "\n")) : NULL;
}

typedef struct {
    Case *c;
    const Outcome *want;
    const Value *result;
    Node *type;
    bool bits; // results are compared
    bool lazy; // errors need not occur
} Reference;

static inline void fail_case(Case *c, Failure failure, const char *what, const char *detail)
{
    report(c, "%s: %s", failure_text[failure], detail);
    note_failure(failure, c->entry->stages.core->name->text, what);
}

static inline const char *outcome_name(const Outcome *o)
{
    return o->ok ? "a value" : o->code < DIAG_COUNT ? diag_name(o->code) : "no known code";
}

// Compares one level with the reference; false ends the case.
static inline bool level_agrees(const Reference *r, int level)
{
    Case *c = r->c;
    Session *cx = c->entry->stages.cx;
    Text text = text_new(c->arena);
    c->level = level;
    if (!level_ran(c)) {
        const char *diagnostics = take_diagnostics(cx);
        report(c, "has a fault:\n%s", diagnostics);
        note_failure(FAULT, c->entry->stages.core->name->text, fault_in(c->arena, diagnostics));
        return false;
    }
    if (!c->outcome.ok && c->outcome.code == E0605) return false; // levels count steps differently
    if (r->lazy && !r->want->ok && (c->outcome.ok || diag_is_of_run(c->outcome.code))) return true;
    if (!same_outcome(c, &c->outcome, r->want)) {
        describe_outcome(&text, &c->outcome);
        text_put(&text, ", and should be: ");
        describe_outcome(&text, r->want);
        const char *says = c->outcome.text ? c->outcome.text : "";
        if (strncmp(says, "read before", 11) == 0) return false; // undefined() was read: no meaning
        const char *what = arena_printf(c->arena, "%s for %s: %.8s", outcome_name(&c->outcome),
                                        outcome_name(r->want), says);
        fail_case(c, OUTCOME, what, text_get(&text));
        return false;
    }
    if (!r->want->ok || !r->bits) return true;
    if (c->algebra == ALGEBRA_IEEE && same_bits(r->type, r->result, &c->result)) return true;
    if (same_value(cx, r->type, c->algebra, r->result, &c->result, &text) &&
        c->algebra == ALGEBRA_FIELD)
        return true;
    if (text_get(&text)[0] == '\0') text_put(&text, "in the last bits");
    value_print(cx, &text, &c->result, r->type, 40);
    text_put(&text, " instead of ");
    value_print(cx, &text, r->result, r->type, 40);
    fail_case(c, DIFFERS, "", text_get(&text));
    return false;
}

static inline void check_case(Case *c, Algebra algebra, bool rounding, bool lazy)
{
    Stages *s = &c->entry->stages;
    c->algebra = algebra;
    c->level = AT_CORE;
    if (!level_ran(c)) {
        const char *diagnostics = take_diagnostics(s->cx);
        report(c, "has a fault:\n%s", diagnostics);
        note_failure(FAULT, s->core->name->text, fault_in(c->arena, diagnostics));
        return;
    }
    Outcome want = c->outcome;
    Value result = c->result;
    bool gives_up = !want.ok && want.code == E0605;
    ran->cases++;
    ran->errors += !want.ok;
    ran->left_out += gives_up;
    if (gives_up) return;
    Node *type = node_replace_names(s->cx, s->core->result, c->generics, s->core->generics.len);
    Reference r = {c, &want, &result, type, algebra == ALGEBRA_FIELD || !rounding, lazy};
    if (!r.bits && c->entry->call[algebra]) { // not compared, but it may not crash
        c->level = AT_C;
        level_ran(c);
    }
    if (!r.bits) return;
    for (int level = AT_FLAT; level < LEVELS; level++) {
        if (level == AT_C && !c->entry->call[algebra]) break;
        if (level > AT_LOOPS && level < AT_C &&
            is_unchanged(s->loops[level - AT_LOOPS - 1], s->loops[level - AT_LOOPS]))
            continue;
        if (!level_agrees(&r, level)) break;
    }
}

// --- cases -------------------------------------------------------------------------------------

static inline void check_sizes(Entry *e, const int64_t *sizes, Random seed, Style style,
                               bool rounding, bool lazy)
{
    Session *cx = e->stages.cx;
    int ng = e->stages.core->generics.len;
    Case c = {.entry = e, .arena = arena_new(), .any_error = true};
    c.sizes = ARENA_ARRAY(c.arena, int64_t, ng + 1);
    c.generics = ARENA_ARRAY(c.arena, NodeBinding, ng + 1);
    for (int i = 0; i < ng; i++) {
        c.sizes[i] = sizes[i];
        c.generics[i] = (NodeBinding){e->stages.core->generics.at[i].name, nat_const(cx, sizes[i])};
    }
    if (draw_arguments(&c, seed, style, false)) {
        Text text = text_new(c.arena);
        describe_case(&text, &c);
        snprintf(ran->at, LAST_CASE, "%s", text_get(&text));
        check_case(&c, ALGEBRA_FIELD, rounding, lazy);
        if (ran->nfailed == 0 || ran->failure <= REFUSED)
            check_case(&c, ALGEBRA_IEEE, rounding, lazy);
    }
    arena_delete(c.arena);
}

// Runs an entry with small sizes that fulfil its conditions, if such are found. Two of three cases
// have extreme numbers.
static inline void check_entry(Entry *e, bool rounding, bool lazy)
{
    static const int64_t choice[] = {0, 1, 2, 3, 4, 5, 7, 8, 11, 13};
    int n = e->stages.core->generics.len, times = n ? 6 : 3;
    Random r = {e->stages.core->name->hash};
    clock_t start = clock();
    for (int i = 0; i < times; i++) {
        int64_t sizes[16];
        for (int tries = 0; tries < 20; tries++) {
            for (int k = 0; k < n; k++) sizes[k] = choice[random_below(&r, i < 3 ? 5 : 10)];
            if (sizes_hold(e, sizes)) break;
        }
        Random seed = {random_next(&r)};
        check_sizes(e, sizes, seed, (Style)(i % 3), rounding, lazy);
        // Interpreters copy arrays where C does not, so a nest of folds may take a second at each of
        // thirty levels.
        if (e->reports || clock() - start > SECONDS_EACH * CLOCKS_PER_SEC / 4) break;
    }
    if (e->slowest > SECONDS_EACH * CLOCKS_PER_SEC)
        note_failure(SLOW, e->stages.core->name->text, "run");
}

// --- C -----------------------------------------------------------------------------------------

// Compilers warn about expressions of constants, and about vectors with lanes that are never set.
enum { FLAGS = 24 };
static inline bool compile_random(Arena *arena, const Config *config, const char *dir, Algebra a)
{
    const char *source = arena_printf(arena, "%s/%s.c", dir, algebra_text[a]);
    const char *library = arena_printf(arena, "%s/%s.so", dir, algebra_text[a]);
    static const char *const flags[FLAGS] = {"-std=c17",
                                             "-Wall",
                                             "-Wextra",
                                             "-Wno-unused-function",
                                             "-Wno-tautological-compare",
                                             "-Wno-type-limits",
                                             "-Wno-sign-compare",
                                             "-Wno-logical-not-parentheses",
                                             "-Wno-shift-negative-value",
                                             "-Wno-array-bounds",
                                             "-Wno-bool-compare",
                                             "-Wno-maybe-uninitialized",
                                             "-Wno-implicit-const-int-float-conversion",
                                             "-Wno-xor-used-as-pow",
                                             "-Wno-self-assign",
                                             "-Wno-stringop-overflow",
                                             "-Wno-overflow",
                                             "-Wno-unknown-warning-option",
                                             "-Werror",
                                             "-fPIC",
                                             "-shared",
                                             "-ffp-contract=off",
                                             "-DADZE_NO_FMA"};
    const char *argv[FLAGS + 16] = {config->cc, a == ALGEBRA_FIELD ? "-O0" : config->level};
    int n = 2;
    for (size_t i = 0; i < FLAGS && flags[i]; i++) argv[n++] = flags[i];
    if (config->cpu->level->flags[0]) argv[n++] = config->cpu->level->flags;
    if (config->threads) argv[n++] = "-fopenmp";
    if (config->sanitize && a == ALGEBRA_IEEE) {
        argv[n++] = "-fsanitize=undefined";
        argv[n++] = config->sanitize;
    }
    argv[n++] = "-o";
    argv[n++] = library;
    argv[n++] = source;
    argv[n++] = "-lm";
    return finish_command(start_command(argv));
}

typedef struct {
    Session *cx;
    LoopEntry **loops;
    int n;
    const char *dir;
    bool field;
} Emitting;

static inline void emit_random(void *env)
{
    Emitting *e = env;
    e->cx->pass = "emit";
    const char *name = algebra_text[e->field];
    const char *text = emit_text(e->cx, e->loops, e->n, e->field, e->dir,
                                 arena_printf(e->cx->arena, "%s.h", name));
    write_text(arena_printf(e->cx->arena, "%s/%s.c", e->dir, name), text);
}

static inline bool load_random(const char *dir, Entry *entries, int n, Algebra a)
{
    char name[512];
    snprintf(name, sizeof name, "%s/%s.so", dir, algebra_text[a]);
    void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        fprintf(stderr, "FAIL %s\n", dlerror());
        return false;
    }
    for (int i = 0; i < n; i++) {
        const char *entry = entries[i].stages.core->name->text;
        snprintf(name, sizeof name, "adze_1call_%s", entry);
        *(void **)&entries[i].call[a] = dlsym(library, name);
        snprintf(name, sizeof name, "adze_%s_message", entry);
        *(void **)&entries[i].message[a] = dlsym(library, name);
    }
    return true;
}

static inline bool runs_here(const Cpu *cpu)
{
    return cpu_runs_on(cpu, cpu_of_machine());
}

static inline void make_c(const File *file, const Config *config, const char *dir, Entry *entries,
                          int n)
{
    Emitting e = {.cx = file->cx, .n = n, .dir = dir};
    e.loops = ARENA_ARRAY(file->cx->arena, LoopEntry *, n + 1);
    for (int i = 0; i < n; i++) e.loops[i] = entries[i].stages.loops[LOOPS_DONE];
    for (int a = 0; n && a < 1 + config->field; a++) {
        e.field = a == ALGEBRA_FIELD;
        snprintf(ran->at, LAST_CASE, "emitting C\n");
        if (!guarded(file->cx, emit_random, &e)) {
            const char *diagnostics = take_diagnostics(file->cx);
            fprintf(stderr, "FAIL emit:\n%s", diagnostics);
            note_failure(FAULT, "emit", fault_in(file->cx->arena, diagnostics));
        } else if (config->no_c) {
            continue;
        } else if (!compile_random(file->cx->arena, config, dir, (Algebra)a)) {
            note_failure(NO_C, "emit", "");
        } else if (runs_here(config->cpu)) {
            load_random(dir, entries, n, (Algebra)a);
        }
    }
}

// --- one text ----------------------------------------------------------------------------------

// Whether the text has the line "// what: p3" about the program of the entry.
static inline bool says(const char *text, const char *what, const Entry *e)
{
    char line[60];
    snprintf(line, sizeof line, "// %s: p%d\n", what, program_of(e->stages.core->name->text));
    return strstr(text, line) != NULL;
}

static inline void note_refusal(Session *cx, const char *entry)
{
    const char *diagnostics = take_diagnostics(cx), *fault = fault_in(cx->arena, diagnostics);
    fprintf(stderr, "%s %s: %s", fault ? "FAIL" : "refused", entry, diagnostics);
    const char *code = strstr(diagnostics, "error E");
    if (fault) {
        note_failure(FAULT, entry, fault);
    } else if (ran->failure == AGREES) {
        ran->failure = REFUSED;
        snprintf(ran->detail, DETAIL, "%.*s", code ? (int)strcspn(code, "\n") : 0, code);
    }
    ran->refused++;
}

static inline bool stages_of(const File *file, Function *f, const Config *config, Entry *out)
{
    Stages s = {.cx = file->cx, .program = file->program, .core = f, .serial = config->serial};
    s.target = config->serial ? "c" : "omp";
    s.threads = config->threads;
    clock_t start = clock();
    snprintf(ran->at, LAST_CASE, "compiling %s\n", f->name->text);
    guarded(file->cx, stages_body, &s);
    if (clock() - start > SECONDS_EACH * CLOCKS_PER_SEC)
        note_failure(SLOW, f->name->text, "compile");
    if (!s.done) note_refusal(file->cx, f->name->text);
    *out = (Entry){.file = file, .stages = s};
    return s.done;
}

/// Runs all entries of a text, in this process; `ran` gets the outcome. C is made in `dir`.
static inline void run_text(const char *name, const char *text, const Config *config,
                            const char *dir)
{
    File file = {.cx = session_new(), .path = name};
    Reading reading = {&file, text, strlen(text), false};
    nat_init(file.cx);
    file.cx->cpu = config->cpu;
    file.cx->vector_bytes = config->cpu->level->vector_bytes;
    file.cx->exact_math = config->exact_math;
    snprintf(ran->at, LAST_CASE, "reading\n");
    if (!guarded(file.cx, read_body, &reading)) file.program = NULL;
    if (!file.program) {
        note_refusal(file.cx, "all");
        return;
    }
    int n = 0, all = file.program->functions.len;
    Entry *entries = ARENA_ARRAY(file.cx->arena, Entry, all + 1);
    for (int i = 0; i < all; i++) {
        Function *f = file.program->functions.at[i];
        if (f->entry && !strchr(f->name->text, '.')) n += stages_of(&file, f, config, &entries[n]);
    }
    ran->entries += n;
    make_c(&file, config, dir, entries, n);
    for (int i = 0; i < n; i++)
        check_entry(&entries[i], says(text, "rounding", &entries[i]),
                    says(text, "lazy errors", &entries[i]));
    session_delete(file.cx);
}

// --- processes ---------------------------------------------------------------------------------

static inline Ran *ran_new(void)
{
    Ran *r = mmap(NULL, sizeof *r, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (r == MAP_FAILED) abort();
    return r;
}

/// Runs a text in a process of its own, whose output goes to the file log in `dir`.
static inline pid_t start_text(const char *name, const char *text, const Config *config,
                               const char *dir, Ran *result, int programs)
{
    memset(result, 0, sizeof *result);
    fflush(NULL);
    pid_t child = fork();
    if (child) return child;
    Arena *arena = arena_new();
    int out = open(arena_printf(arena, "%s/log", dir), O_CREAT | O_TRUNC | O_WRONLY, 0666);
    if (out < 0 || dup2(out, 1) < 0 || dup2(out, 2) < 0) _exit(2);
    mallopt(M_PERTURB, 0xa5); // uninitialised memory is not 0 by chance
    rlim_t seconds = (rlim_t)(4 * SECONDS_EACH * (programs + 2));
    rlim_t bytes = (rlim_t)MEGABYTES * 1000000 * (programs > 1 ? 3 : 1);
    setrlimit(RLIMIT_CPU, &(struct rlimit){seconds, seconds});
    if (!SANITIZED) setrlimit(RLIMIT_AS, &(struct rlimit){bytes, bytes});
    alarm(10 * (unsigned)seconds);
    ran = result;
    run_text(name, text, config, dir);
    _exit(0);
}

/// Sets the outcome of a process that ended with this status.
static inline void conclude(Ran *r, int status)
{
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return;
    bool slow = WIFSIGNALED(status) && (WTERMSIG(status) == SIGXCPU ||
                                        WTERMSIG(status) == SIGALRM || WTERMSIG(status) == SIGKILL);
    r->failure = slow ? SLOW : WIFEXITED(status) ? LARGE : CRASH; // an arena without memory exits
    r->detail[0] = '\0';
}

/// Runs a text in a process of its own, and waits for it.
static inline Failure run_alone(const char *name, const char *text, const Config *config,
                                const char *dir, Ran *r)
{
    int status;
    pid_t child = start_text(name, text, config, dir, r, 1);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
    conclude(r, status);
    return r->failure;
}

#endif
