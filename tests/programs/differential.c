// Every program, every entry, at many sizes: what it means (core_eval of the inferred function)
// against every level below, each pass on loops, and compiled C; with floats as exact field
// elements and as IEEE numbers.
//
//   ONLY=pads           only programs with this in their path; ONLY=pads:mirror only such entries
//   KEEP=DIR            leaves the generated C there
//
// Each program runs in a process of its own, two or more at a time, so that a crash is the failure
// of one program.
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <dlfcn.h>
#include <glob.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "programs/pipeline.h"
#include "programs/values.h"

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

#ifdef __clang__
#define THIS_CC  "clang"
#define OTHER_CC "gcc"
#else
#define THIS_CC  "gcc"
#define OTHER_CC "clang"
#endif

enum {
    FUEL = 60000, // steps of the interpreter for one case; cases that need more are left out
    FUEL_BELOW = 6000000, // the levels below count other steps
    ROOM = 4000,          // scalars in all arguments of a case
    GUARD = 64,           // bytes around outputs
    REPORTS = 3           // of failures, for one entry
};

/// What is compared, from the meaning down.
enum { AT_CORE, AT_FLAT, AT_LOW, AT_DPIA, AT_LOOPS, AT_C = AT_LOOPS + LOOP_STAGES, LEVELS };
static const char *const level_text[LEVELS] = {"core",
                                               "flat",
                                               "low",
                                               "dpia",
                                               "loops",
                                               "loops after simplify",
                                               "loops after hoist",
                                               "loops after split",
                                               "compiled C"};
static const char *const algebra_text[] = {[ALGEBRA_IEEE] = "ieee", [ALGEBRA_FIELD] = "exact"};

typedef int Call(const int64_t *sizes, void *const *buffers);
typedef const char *Message(int status);

/// An entry at all levels.
typedef struct {
    const File *file;
    Stages stages;
    Call *call[2]; // by Algebra
    Message *message[2];
    int compared, failing, left_out, reports;
} Entry;

/// One choice of sizes and arguments.
typedef struct {
    Entry *entry;
    Arena *arena;
    NodeBinding *generics;
    int64_t *sizes; // as the generics of the entry
    Value *args[2]; // by Algebra
    bool bad_index; // some idx argument is out of range
    Algebra algebra;
    int level;
    Outcome outcome;
    Value result;
} Case;

static char *last_case; // shared with the parent: what ran when the process died
enum { LAST_CASE = 4096 };

// --- compiled code -----------------------------------------------------------------------------

static int64_t size_value(Session *cx, Node *size, const NodeBinding *generics, int n)
{
    int64_t value;
    return nat_is_const(node_replace_names(cx, size, generics, n), &value) ? value : -1;
}

// The numbers of IEEE are computed under AddressSanitizer, if this program is; the control flow of both is the same.
static bool is_sanitized(Algebra algebra)
{
    return SANITIZED && algebra == ALGEBRA_IEEE;
}

// Outputs lie between guards; where AddressSanitizer watches, exact blocks are enough.
static char *buffer_new(size_t bytes, bool guarded)
{
    size_t guard = guarded ? GUARD : 0;
    char *block = malloc(bytes + 2 * guard);
    if (!block) abort();
    memset(block, 0xa5, bytes + 2 * guard);
    return block + guard;
}

static bool buffer_free(char *data, size_t bytes, bool guarded)
{
    size_t guard = guarded ? GUARD : 0;
    char *block = data - guard;
    bool whole = true;
    for (size_t i = 0; i < guard; i++)
        whole = whole && block[i] == (char)0xa5 && data[bytes + i] == (char)0xa5;
    free(block);
    return whole;
}

// The code in a message "file:line:column: error E0601: ...".
static DiagCode code_in(const char *message)
{
    const char *at = message ? strstr(message, "error E") : NULL;
    for (int code = 0; at && code < DIAG_COUNT; code++)
        if (strncmp(at + 6, diag_name((DiagCode)code), 5) == 0) return (DiagCode)code;
    return DIAG_COUNT;
}

// Which argument (or, from nsource on, the result) and which leaf of it the parameter is.
static Node *leaf_owner(const LoopEntry *e, int param, int *source, int *leaf)
{
    *leaf = 0;
    for (*source = 0; *source <= e->nsource; ++*source) {
        Node *type = *source < e->nsource ? e->source[*source].type : e->result;
        int n = count_leaves(type);
        if (param < n) {
            *leaf = param;
            return type;
        }
        param -= n;
    }
    return NULL;
}

static bool run_compiled(Case *c)
{
    Entry *e = c->entry;
    const LoopEntry *loop = e->stages.loops[LOOPS_SPLIT];
    int np = loop->params.len, ng = e->stages.core->generics.len, source, leaf;
    char **buffers = ARENA_ARRAY(c->arena, char *, np + 1);
    size_t *bytes = ARENA_ARRAY(c->arena, size_t, np + 1);
    int64_t *sizes = ARENA_ARRAY(c->arena, int64_t, ng + 1), room = 1000000;
    for (int i = 0; i < loop->sizes.len; i++)
        for (int k = 0; k < ng; k++)
            if (e->stages.core->generics.at[k].name == loop->sizes.at[i]) sizes[i] = c->sizes[k];
    Node *result_type = node_replace_names(e->stages.cx, loop->result, c->generics, ng);
    bool shaped = blank_value(c->arena, result_type, &room, &c->result);
    for (int i = 0; i < np; i++) {
        const LoopParam *p = &loop->params.at[i];
        int64_t count = p->rank == 0 ? 1 : size_value(e->stages.cx, p->count, c->generics, ng);
        if (count < 0 || (p->output && !shaped)) count = 0; // sizes that the entry refuses
        bytes[i] = (size_t)(count * leaf_bytes(p->scalar, c->algebra));
        buffers[i] = buffer_new(bytes[i], p->output && !is_sanitized(c->algebra));
        if (p->output) continue;
        Node *type = leaf_owner(loop, i, &source, &leaf);
        char *at = buffers[i];
        move_leaf(type, leaf, c->algebra, &c->args[c->algebra][source], &at, false);
        assert_int_equal(at - buffers[i], bytes[i]);
    }
    int status = e->call[c->algebra](sizes, (void *const *)buffers);
    c->outcome = (Outcome){.ok = status == 0};
    if (status) {
        c->outcome.text = e->message[c->algebra](status);
        c->outcome.code = code_in(c->outcome.text);
    }
    bool whole = true;
    for (int i = 0; i < np; i++) {
        const LoopParam *p = &loop->params.at[i];
        char *at = buffers[i];
        Node *type = leaf_owner(loop, i, &source, &leaf);
        if (p->output && shaped && status == 0)
            move_leaf(type, leaf, c->algebra, &c->result, &at, true);
        whole = buffer_free(buffers[i], bytes[i], p->output && !is_sanitized(c->algebra)) && whole;
    }
    return whole;
}

// --- one level ---------------------------------------------------------------------------------

static void run_level(void *env)
{
    Case *c = env;
    Stages *s = &c->entry->stages;
    const Value *args = c->args[c->algebra];
    int ng = s->core->generics.len;
    int64_t fuel = c->level == AT_CORE ? FUEL : FUEL_BELOW;
    const Function *f = c->level == AT_CORE ? s->core : c->level == AT_FLAT ? s->flat : s->low;
    c->result = (Value){0};
    s->cx->pass = level_text[c->level];
    switch (c->level) {
    case AT_CORE:
    case AT_FLAT:
    case AT_LOW:
        c->outcome = core_eval(s->cx, c->arena, c->level == AT_CORE ? s->program : NULL, f,
                               c->generics, ng, args, c->algebra, fuel, &c->result);
        break;
    case AT_DPIA:
        c->outcome =
            dpia_eval(s->cx, c->arena, s->phrase, c->sizes, args, c->algebra, fuel, &c->result);
        break;
    case AT_C:
        if (!run_compiled(c))
            c->outcome = (Outcome){.text = "it wrote outside of its output", .code = DIAG_COUNT};
        break;
    default:
        c->outcome = loops_eval(s->cx, c->arena, s->loops[c->level - AT_LOOPS], c->sizes, args,
                                c->algebra, fuel, &c->result);
        break;
    }
}

static void describe_outcome(Text *out, const Outcome *o)
{
    if (o->ok)
        text_put(out, "succeeds");
    else
        text_printf(out, "fails with %s (%s)",
                    o->code < DIAG_COUNT ? diag_name(o->code) : "no known code",
                    o->text ? o->text : "");
}

// "pads.adz, entry mirror, n = 3, m = 2 (ieee): mirror([1.0, 2.0], 3)"
static void describe_case(Text *out, const Case *c)
{
    const Stages *s = &c->entry->stages;
    text_printf(out, "%s, entry %s", c->entry->file->path, s->core->name->text);
    for (int i = 0; i < s->core->generics.len; i++)
        text_printf(out, ", %s = %" PRId64, s->core->generics.at[i].name->text, c->sizes[i]);
    text_printf(out, " (%s)\n", algebra_text[c->algebra]);
    for (int i = 0; i < s->core->params.len; i++) {
        Node *type = node_replace_names(s->cx, s->core->params.at[i].type, c->generics,
                                        s->core->generics.len);
        text_printf(out, "  %s = ", s->core->params.at[i].name->text);
        value_print(s->cx, out, &c->args[ALGEBRA_IEEE][i], type, 40);
        text_char(out, '\n');
    }
}

static void report(Case *c, const char *format, ...)
{
    Entry *e = c->entry;
    if (e->reports++ >= REPORTS) return;
    Text out = text_new(c->arena);
    text_put(&out, "FAIL ");
    describe_case(&out, c);
    text_printf(&out, "  %s ", level_text[c->level]);
    fprintf(stderr, "%s", text_get(&out));
    va_list args;
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fprintf(stderr, "\n");
}

// Runs a level and compares it with what the reference gave.
static bool agrees(Case *c, int level, Algebra algebra, const Outcome *want, const Value *result,
                   Node *type)
{
    Stages *s = &c->entry->stages;
    c->level = level;
    if (!guarded(s->cx, run_level, c)) {
        report(c, "has a fault:\n%s", take_diagnostics(s->cx));
        return false;
    }
    Text text = text_new(c->arena);
    if (c->outcome.ok != want->ok || (!want->ok && c->outcome.code != want->code)) {
        describe_outcome(&text, &c->outcome);
        text_put(&text, ", and should be: ");
        describe_outcome(&text, want);
        report(c, "%s", text_get(&text));
        return false;
    }
    if (!want->ok) return true;
    text_put(&text, "result");
    if (same_value(s->cx, type, algebra, result, &c->result, &text)) return true;
    report(c, "differs: %s", text_get(&text));
    return false;
}

// One case in one algebra through all levels; false when the reference gives up.
static bool compare_levels(Case *c, Algebra algebra)
{
    Stages *s = &c->entry->stages;
    c->algebra = algebra;
    c->level = AT_CORE;
    if (!guarded(s->cx, run_level, c)) {
        report(c, "has a fault:\n%s", take_diagnostics(s->cx));
        return true;
    }
    Outcome want = c->outcome;
    Value result = c->result;
    if (!want.ok && want.code == E0605) return false;
    if (!want.ok) c->entry->failing++;
    Node *type = node_replace_names(s->cx, s->core->result, c->generics, s->core->generics.len);
    for (int level = AT_FLAT; level < LEVELS; level++) {
        if (level == AT_C && !c->entry->call[algebra]) break;
        if (c->bad_index && level != AT_C)
            continue; // only callers from outside can give such arguments
        if (!agrees(c, level, algebra, &want, &result, type)) break;
    }
    return true;
}

// --- cases -------------------------------------------------------------------------------------

// Puts one idx of the value out of range; false when it has none.
static bool spoil_index(Session *cx, Random *r, Node *type, Value *v)
{
    if (type->kind == TYPE_IDX) {
        int64_t n = 0;
        nat_is_const(type->op[0], &n);
        v->bits = (uint64_t)(random_below(r, 2) ? n : -1);
        return true;
    }
    if (type->kind == TYPE_ARRAY)
        return v->count > 0 &&
               spoil_index(cx, r, type->op[1], &v->parts[random_below(r, v->count)]);
    for (uint32_t i = 0; type->kind != TYPE_SCALAR && i < type->nops; i++)
        if (spoil_index(cx, r, type->op[i], &v->parts[i])) return true;
    return false;
}

// Draws the arguments; the same numbers in both algebras. False when sizes allow none.
static bool draw_arguments(Case *c, Random seed, Style style, bool spoil)
{
    const Function *f = c->entry->stages.core;
    Session *cx = c->entry->stages.cx;
    int n = f->params.len;
    for (int a = 0; a < 2; a++) {
        Random r = seed;
        int64_t room = ROOM;
        bool spoilt = !spoil;
        c->args[a] = ARENA_ARRAY(c->arena, Value, n + 1);
        for (int i = 0; i < n; i++) {
            Node *type = node_replace_names(cx, f->params.at[i].type, c->generics, f->generics.len);
            if (!random_value(c->arena, &r, type, style, (Algebra)a, &room, &c->args[a][i]))
                return false;
            spoilt = spoilt || spoil_index(cx, &r, type, &c->args[a][i]);
        }
        if (!spoilt) return false;
    }
    c->bad_index = spoil;
    return true;
}

static void run_case(Entry *e, const int64_t *sizes, Random seed, Style style, bool spoil)
{
    Session *cx = e->stages.cx;
    int ng = e->stages.core->generics.len;
    Case c = {.entry = e, .arena = arena_new()};
    c.sizes = ARENA_ARRAY(c.arena, int64_t, ng + 1);
    c.generics = ARENA_ARRAY(c.arena, NodeBinding, ng + 1);
    for (int i = 0; i < ng; i++) {
        c.sizes[i] = sizes[i];
        c.generics[i] = (NodeBinding){e->stages.core->generics.at[i].name, nat_const(cx, sizes[i])};
    }
    bool drawn = draw_arguments(&c, seed, style, spoil);
    if (drawn) {
        Text text = text_new(c.arena);
        describe_case(&text, &c);
        snprintf(last_case, LAST_CASE, "%s", text_get(&text));
    }
    bool ran = drawn && compare_levels(&c, ALGEBRA_FIELD) && compare_levels(&c, ALGEBRA_IEEE);
    e->compared += ran;
    e->left_out += !ran && !spoil;
    arena_delete(c.arena);
}

static bool sizes_hold(const Entry *e, const int64_t *sizes)
{
    const Function *f = e->stages.flat;
    NodeBinding with[16];
    int n = f->generics.len;
    for (int i = 0; i < n; i++)
        with[i] = (NodeBinding){f->generics.at[i].name, nat_const(e->stages.cx, sizes[i])};
    for (int i = 0; i < f->checks.len; i++) {
        const SizeCheck *k = &f->checks.at[i];
        int64_t l = size_value(e->stages.cx, k->left, with, n),
                r = size_value(e->stages.cx, k->right, with, n);
        if (k->relation == SIZE_EQ ? l != r : k->relation == SIZE_LE ? l > r : l == r) return false;
    }
    return true;
}

// Sizes at random; when the entry has conditions, now and then such as fulfil them.
static void draw_sizes(const Entry *e, Random *r, int64_t *sizes)
{
    static const int64_t choice[] = {0, 1, 2, 3, 5, 7, 13};
    int n = e->stages.core->generics.len;
    for (int i = 0; i < n; i++) sizes[i] = choice[random_below(r, 7)];
    if (random_below(r, 4) == 0) return;
    for (int tries = 0; tries < 60 && !sizes_hold(e, sizes); tries++)
        for (int i = 0; i < n; i++) sizes[i] = random_below(r, 14);
}

static void run_cases(Entry *e)
{
    static const int64_t equal[] = {0, 1, 2, 3, 5, 7, 13};
    int n = e->stages.core->generics.len;
    assert_in_range(n, 0, 15);
    Random r = {e->stages.core->name->hash};
    int equals = n ? 7 : 0, more = n == 0 ? 20 : n == 1 ? 6 : 12;
    for (int i = 0; i < equals + more; i++) {
        int64_t sizes[16];
        for (int k = 0; k < n; k++) sizes[k] = i < equals ? equal[i] : 0;
        if (i >= equals) draw_sizes(e, &r, sizes);
        Random seed = {random_next(&r)};
        run_case(e, sizes, seed, i % 3 == 1 ? STYLE_EXTREME : STYLE_SMALL, false);
        if (i % 4 == 3) run_case(e, sizes, seed, STYLE_SMALL, true);
    }
}

// --- one program -------------------------------------------------------------------------------

typedef struct {
    const File *file;
    LoopEntry **loops;
    int n;
    const char *dir;
} Emission;

static void emit_files(void *env)
{
    Emission *e = env;
    e->file->cx->pass = "emit";
    for (int a = 0; a < 2; a++) {
        const char *name = algebra_text[a];
        Arena *arena = e->file->cx->arena;
        const char *text = emit_text(e->file->cx, e->loops, e->n, a == ALGEBRA_FIELD, e->dir,
                                     arena_printf(arena, "%s.h", name));
        write_text(arena_printf(arena, "%s/%s.c", e->dir, name), text);
    }
}

// Both files compiled by this compiler and looked at by the other one, at the same time. Field
// elements are integers, for which some comparisons of floats look odd, and the file has more
// functions than it needs.
static bool compile_files(Arena *arena, const char *dir)
{
    pid_t running[4];
    bool good = true;
    for (int a = 0; a < 2; a++) {
        char *source = arena_printf(arena, "%s/%s.c", dir, algebra_text[a]);
        char *library = arena_printf(arena, "%s/%s.so", dir, algebra_text[a]);
        const char *allow = a == ALGEBRA_FIELD ? "-Wno-unused-function" : "-Wunused-function";
        const char *odd =
            a == ALGEBRA_FIELD ? "-Wno-tautological-compare" : "-Wtautological-compare";
        const char *least = a == ALGEBRA_FIELD ? "-Wno-type-limits" : "-Wtype-limits";
        const char *make[] = {THIS_CC,
                              "-std=c17",
                              "-O1",
                              "-Wall",
                              "-Wextra",
                              allow,
                              odd,
                              least,
                              "-Werror",
                              "-fPIC",
                              "-shared",
                              "-ffp-contract=off",
                              "-o",
                              library,
                              source,
                              "-lm",
                              is_sanitized((Algebra)a) ? "-fsanitize=address,undefined" : NULL,
                              "-fno-sanitize-recover=all",
                              NULL};
        const char *look[] = {OTHER_CC, "-std=c17", "-Wall",         "-Wextra", allow, odd,
                              least,    "-Werror",  "-fsyntax-only", source,    NULL};
        running[a] = start_command(make);
        running[a + 2] = start_command(look);
    }
    for (int i = 0; i < 4; i++) good = finish_command(running[i]) && good;
    return good;
}

static bool load_entries(const char *dir, Entry *entries, int n)
{
    for (int a = 0; a < 2; a++) {
        char path[512], name[256];
        snprintf(path, sizeof path, "%s/%s.so", dir, algebra_text[a]);
        void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
        if (!library) {
            fprintf(stderr, "FAIL %s\n", dlerror());
            return false;
        }
        for (int i = 0; i < n; i++) {
            if (!entries[i].stages.done) continue;
            const char *entry = entries[i].stages.core->name->text;
            snprintf(name, sizeof name, "adze_call_%s", entry);
            *(void **)&entries[i].call[a] = dlsym(library, name);
            snprintf(name, sizeof name, "adze_%s_message", entry);
            *(void **)&entries[i].message[a] = dlsym(library, name);
            assert_non_null(entries[i].call[a]);
            assert_non_null(entries[i].message[a]);
        }
    }
    return true;
}

static bool wanted_entry(const char *name)
{
    const char *only = getenv("ONLY"), *colon = only ? strchr(only, ':') : NULL;
    return !colon || strcmp(colon + 1, name) == 0;
}

static bool compile_entries(const File *file, Entry *entries, int n, const char *dir)
{
    LoopEntry **loops = ARENA_ARRAY(file->cx->arena, LoopEntry *, n + 1);
    Emission emission = {.file = file, .loops = loops, .dir = dir};
    for (int i = 0; i < n; i++)
        if (entries[i].stages.done) loops[emission.n++] = entries[i].stages.loops[LOOPS_SPLIT];
    if (!guarded(file->cx, emit_files, &emission)) {
        fprintf(stderr, "FAIL %s: emit:\n%s", file->path, take_diagnostics(file->cx));
        return false;
    }
    if (!compile_files(file->cx->arena, dir)) {
        fprintf(stderr, "FAIL %s: the generated C does not compile\n", file->path);
        return false;
    }
    return load_entries(dir, entries, n);
}

// Whether every entry of the program agrees at all levels.
static bool check_program(const char *path, const char *dir)
{
    File file = read_program(path, NULL);
    bool good = file.program != NULL;
    int n = 0, cases = 0, failing = 0, left_out = 0;
    Entry *entries =
        good ? ARENA_ARRAY(file.cx->arena, Entry, file.program->functions.len + 1) : NULL;
    for (int i = 0; good && i < file.program->functions.len; i++) {
        const Function *f = file.program->functions.at[i];
        if (!f->entry || strchr(f->name->text, '.') || !wanted_entry(f->name->text)) continue;
        entries[n++] = (Entry){.file = &file, .stages = run_stages(&file, f)};
    }
    for (int i = 0; i < n; i++) good = good && entries[i].stages.done;
    if (n) good = compile_entries(&file, entries, n, dir) && good;
    for (int i = 0; i < n; i++) {
        Entry *e = &entries[i];
        if (!e->stages.done) continue;
        run_cases(e);
        if (e->compared == 0)
            fprintf(stderr, "FAIL %s: no case of %s could be compared\n", path,
                    e->stages.core->name->text);
        good = good && e->reports == 0 && e->compared > 0;
        cases += e->compared, failing += e->failing, left_out += e->left_out;
    }
    fprintf(stderr, "%s: %d entries, %d cases (%d of them errors), %d left out\n", path, n, cases,
            failing / 2, left_out);
    session_delete(file.cx);
    return good;
}

// --- all programs ------------------------------------------------------------------------------

typedef struct {
    const char *path;
    char *dir;
    char *last; // shared memory
    pid_t process;
    bool good;
} Job;

static void start_program(Job *p)
{
    p->last = mmap(NULL, LAST_CASE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(p->last != MAP_FAILED);
    fflush(NULL);
    p->process = fork();
    if (p->process) return;
    char log[512];
    snprintf(log, sizeof log, "%s/log", p->dir);
    int out = open(log, O_CREAT | O_TRUNC | O_WRONLY, 0666);
    if (out < 0 || dup2(out, 1) < 0 || dup2(out, 2) < 0) _exit(2);
    alarm(300);
    last_case = p->last;
    exit(check_program(p->path, p->dir) ? 0 : 1);
}

static void finish_program(Job *programs, int n)
{
    int status;
    pid_t done = wait(&status);
    for (int i = 0; i < n; i++) {
        Job *p = &programs[i];
        if (p->process != done) continue;
        p->good = WIFEXITED(status) && WEXITSTATUS(status) == 0;
        char log[512];
        snprintf(log, sizeof log, "%s/log", p->dir);
        Arena *arena = arena_new();
        size_t len;
        char *text = read_text(arena, log, &len);
        if (text) fputs(text, stderr);
        if (WIFSIGNALED(status) || (WIFEXITED(status) && WEXITSTATUS(status) > 1))
            fprintf(stderr, "FAIL %s ended early; the last case was\n%s", p->path, p->last);
        arena_delete(arena);
    }
}

static void run_all(Job *programs, int n)
{
    long workers = sysconf(_SC_NPROCESSORS_ONLN);
    int running = 0;
    for (int i = 0; i < n; i++) {
        if (running == workers) {
            finish_program(programs, n);
            running--;
        }
        start_program(&programs[i]);
        running++;
    }
    while (running-- > 0) finish_program(programs, n);
}

static void program_agrees(void **state)
{
    const Job *p = *state;
    assert_true(p->good);
}

static bool wanted_program(const char *path)
{
    const char *only = getenv("ONLY");
    if (!only) return true;
    char name[256];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(only, ":"), only);
    return strstr(path, name) != NULL;
}

static void remove_folder(const char *dir)
{
    pid_t rm = start_command((const char *const[]){"rm", "-rf", dir, NULL});
    finish_command(rm);
}

int main(void)
{
    static const char *const places[] = {"tests/programs/*.adz", "examples/*.adz", "lib/std/*.adz"};
    glob_t found = {0};
    for (int i = 0; i < 3; i++) glob(places[i], i ? GLOB_APPEND : 0, NULL, &found);
    Arena *arena = arena_new();
    const char *keep = getenv("KEEP"), *tmp = getenv("TMPDIR");
    char *base = keep ? arena_printf(arena, "%s", keep)
                      : arena_printf(arena, "%s/adze-XXXXXX", tmp ? tmp : "/tmp");
    if (keep ? mkdir(base, 0777) != 0 && errno != EEXIST : !mkdtemp(base)) {
        perror(base);
        return 2;
    }
    Job *programs = ARENA_ARRAY(arena, Job, found.gl_pathc + 1);
    struct CMUnitTest *tests = ARENA_ARRAY(arena, struct CMUnitTest, found.gl_pathc + 1);
    int n = 0;
    for (size_t i = 0; i < found.gl_pathc; i++) {
        const char *path = found.gl_pathv[i];
        if (!wanted_program(path)) continue;
        char *dir = arena_printf(arena, "%s/%s", base, strrchr(path, '/') + 1);
        if (mkdir(dir, 0777) != 0 && errno != EEXIST) perror(dir);
        programs[n] = (Job){.path = path, .dir = dir};
        tests[n] = (struct CMUnitTest){
            .name = path, .test_func = program_agrees, .initial_state = &programs[n]};
        n++;
    }
    run_all(programs, n);
    if (!keep) remove_folder(base);
    int failed = _cmocka_run_group_tests("differential", tests, (size_t)n, NULL, NULL);
    for (int i = 0; i < n; i++) munmap(programs[i].last, LAST_CASE);
    globfree(&found);
    arena_delete(arena);
    return failed;
}
