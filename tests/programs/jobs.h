// Runs test programs as jobs, one process for each, so that a crash fails one program only. A job
// compiles its program, down to C, and compares all entries at all levels (levels.h). As many run
// at a time as there are processors.
#ifndef ADZE_TESTS_JOBS_H
#define ADZE_TESTS_JOBS_H

#include <dlfcn.h>
#include <malloc.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "programs/levels.h"

// --- one program -------------------------------------------------------------------------------

typedef struct {
    const File *file;
    LoopEntry **loops;
    int n;
    const char *dir;
} Emission;

// Returns the first line of C that allocates memory in a loop, other than in an iteration of a
// parallel loop, in a task, or in a function that repeats its body, or NULL.
static inline const char *allocated_in_loop(const char *text)
{
    enum { MOST = 200, OTHER = 0, LOOP = 1, OWN = 2 };
    char around[MOST];
    int depth = 0;
    bool own = false;
    for (const char *line = text; *line;
         line += strcspn(line, "\n") + (line[strcspn(line, "\n")] != 0)) {
        const char *at = line + strspn(line, " ");
        size_t n = strcspn(at, "\n");
        bool loop = strncmp(at, "for (", 5) == 0 || strncmp(at, "while (", 7) == 0;
        const char *call = strstr(at, "= adze_alloc");
        for (int k = depth; call && call < at + n && k-- > 0 && around[k] != OWN;)
            if (around[k] == LOOP) return line;
        if (*line == '{') depth = 0; // a function begins; macros may precede it
        if (*at == '}' && depth > 0) depth--;
        if (n && at[n - 1] == '{' && depth < MOST)
            around[depth++] = own ? OWN : loop ? LOOP : OTHER;
        own = strncmp(at, "#pragma omp parallel for", 24) == 0 ||
              strncmp(at, "#pragma omp task", 16) == 0 ||
              strncmp(at, "// Calls of this function to itself", 35) == 0;
    }
    return NULL;
}

static inline void emit_files(void *env)
{
    Emission *e = env;
    e->file->cx->pass = "emit";
    for (int a = 0; a < 2; a++) {
        if (!is_compared((Algebra)a)) continue;
        const char *name = algebra_text[a];
        Arena *arena = e->file->cx->arena;
        const char *text = emit_text(e->file->cx, e->loops, e->n, a == ALGEBRA_FIELD, e->dir,
                                     arena_printf(arena, "%s.h", name));
        const char *line = allocated_in_loop(text);
        if (line) session_ice(e->file->cx, __FILE__, __LINE__, "memory in a loop: %.100s", line);
        write_text(arena_printf(arena, "%s/%s.c", e->dir, name), text);
    }
}

// Compiles the C file of IEEE numbers with gcc, which warns most when it optimises, and that of
// field elements with clang; the other compiler only reports its warnings. Random
// programs (`odd`) and tests with sanitizers use the compiler of this test. In random programs, and
// in the file of field elements, which are integers, comparisons look odd to compilers; that file
// also has unused functions: these warnings are off. What is not optimised is compiled fast; gcc
// checks memory by calls and traps where something is undefined.
static inline bool compile_files(Arena *arena, const char *dir, bool odd, bool optimised)
{
    VEC(pid_t) running = {0};
    bool good = true;
    for (int a = 0; a < 2; a++) {
        if (!is_compared((Algebra)a)) continue;
        char *source = arena_printf(arena, "%s/%s.c", dir, algebra_text[a]);
        char *library = arena_printf(arena, "%s/%s.so", dir, algebra_text[a]);
        const char *allow =
            a == ALGEBRA_FIELD || only_in ? "-Wno-unused-function" : "-Wunused-function";
        const char *same =
            odd || a == ALGEBRA_FIELD ? "-Wno-tautological-compare" : "-Wtautological-compare";
        const char *least = odd || a == ALGEBRA_FIELD ? "-Wno-type-limits" : "-Wtype-limits";
        bool gcc = SANITIZED || odd ? strcmp(THIS_CC, "gcc") == 0 : a == ALGEBRA_IEEE;
        const char *make[] = {gcc ? "gcc" : "clang",
                              "-std=c17",
                              optimised && a == ALGEBRA_IEEE ? "-O1" : "-O0",
                              "-Wall",
                              "-Wextra",
                              allow,
                              same,
                              least,
                              "-Werror",
                              "-fPIC",
                              "-shared",
                              "-ffp-contract=off",
                              "-DADZE_NO_FMA",
                              "-o",
                              library,
                              source,
                              "-lm",
                              SANITIZED ? "-fsanitize=address,undefined" : NULL,
                              SANITIZED && gcc ? "-fsanitize-undefined-trap-on-error"
                                               : "-fno-sanitize-recover=all",
                              gcc ? "--param=asan-instrumentation-with-call-threshold=0" : NULL,
                              NULL};
        const char *look[] = {
            gcc ? "clang" : "gcc", "-std=c17", "-Wall", "-Wextra", allow, same, least, "-Werror",
            "-fsyntax-only",       source,     NULL};
        vec_push(arena, &running, start_command(make));
        if (!SANITIZED && (a == ALGEBRA_IEEE || optimised))
            vec_push(arena, &running, start_command(look));
    }
    for (int i = 0; i < running.len; i++) good = finish_command(running.at[i]) && good;
    return good;
}

static inline bool load_entries(const char *dir, Entry *entries, int n)
{
    for (int a = 0; a < 2; a++) {
        if (!is_compared((Algebra)a)) continue;
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
            snprintf(name, sizeof name, "adze_1call_%s", entry);
            *(void **)&entries[i].call[a] = dlsym(library, name);
            snprintf(name, sizeof name, "adze_%s_message", entry);
            *(void **)&entries[i].message[a] = dlsym(library, name);
            assert_non_null(entries[i].call[a]);
            assert_non_null(entries[i].message[a]);
        }
    }
    return true;
}

static inline bool wanted_entry(const char *name)
{
    const char *only = getenv("ONLY"), *colon = only ? strchr(only, ':') : NULL;
    return !colon || strcmp(colon + 1, name) == 0;
}

static inline bool compile_entries(const File *file, Entry *entries, int n, const char *dir,
                                   bool odd, bool optimised)
{
    LoopEntry **loops = ARENA_ARRAY(file->cx->arena, LoopEntry *, n + 1);
    Emission emission = {.file = file, .loops = loops, .dir = dir};
    for (int i = 0; i < n; i++)
        if (entries[i].stages.done) loops[emission.n++] = entries[i].stages.loops[LOOPS_DONE];
    if (emission.n == 0) return true;
    if (!guarded(file->cx, emit_files, &emission)) {
        fprintf(stderr, "FAIL %s: emit:\n%s", file->path, take_diagnostics(file->cx));
        return false;
    }
    if (!compile_files(file->cx->arena, dir, odd, optimised)) {
        fprintf(stderr, "FAIL %s: the generated C does not compile\n", file->path);
        return false;
    }
    return load_entries(dir, entries, n);
}

/// A program to be checked.
typedef struct {
    const char *path; // its file, or the name of the text
    const char *text; // of a random program, whose entries may run out of fuel in all cases
    bool low;         // low Core
    bool optimised;   // by the C compiler, and all C looked at by the other one: twice as long
    Device device;    // if any, it is compiled for a device
    Algebra algebra;  // then the one in which it is compared
    char *dir;
    char *last; // shared memory: the case that ran last
    pid_t process;
    bool good;
} Job;

// Whether every entry of the program agrees at all levels.
static inline bool check_program(const Job *p)
{
    only_in = p->device ? &p->algebra : NULL;
    File file = p->low ? read_low_program(p->path) : read_program_for(p->path, p->text, p->device);
    bool good = file.program != NULL;
    int n = 0, cases = 0, failing = 0, left_out = 0;
    Entry *entries =
        good ? ARENA_ARRAY(file.cx->arena, Entry, file.program->functions.len + 1) : NULL;
    for (int i = 0; good && i < file.program->functions.len; i++) {
        Function *f = file.program->functions.at[i];
        if (!f->entry || strchr(f->name->text, '.') || !wanted_entry(f->name->text)) continue;
        Stages stages = p->low      ? run_low_stages(&file, f)
                        : p->device ? run_device_stages(&file, f, p->device)
                                    : run_stages(&file, f);
        entries[n++] = (Entry){.file = &file, .stages = stages};
    }
    for (int i = 0; i < n; i++) good = good && entries[i].stages.done;
    if (n) good = compile_entries(&file, entries, n, p->dir, p->text, p->optimised) && good;
    for (int i = 0; i < n; i++) {
        Entry *e = &entries[i];
        if (!e->stages.done) continue;
        run_cases(e);
        bool told = e->compared > 0 || p->text;
        if (!told)
            fprintf(stderr, "FAIL %s: no case of %s could be compared\n", p->path,
                    e->stages.core->name->text);
        good = good && e->reports == 0 && told;
        cases += e->compared, failing += e->failing, left_out += e->left_out;
    }
    fprintf(stderr, "%s: %d entries, %d cases (%d of them errors), %d left out\n", p->path, n,
            cases, failing, left_out);
    session_delete(file.cx);
    return good && (cases > left_out || n == 0);
}

// Whether Oclgrind, which writes its reports to the log of the program, has reported something.
static inline bool is_reported(const char *log)
{
    return strstr(log, "Oclgrind") || strstr(log, "OCLGRIND") || strstr(log, "data race");
}

// --- all programs ------------------------------------------------------------------------------

static inline void start_program(Job *p)
{
    enum { SECONDS = 300 }; // no program takes this long
    p->last = mmap(NULL, LAST_CASE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(p->last != MAP_FAILED);
    fflush(NULL);
    p->process = fork();
    if (p->process) return;
    char log[512];
    snprintf(log, sizeof log, "%s/log", p->dir);
    int out = open(log, O_CREAT | O_TRUNC | O_WRONLY, 0666);
    if (out < 0 || dup2(out, 1) < 0 || dup2(out, 2) < 0) _exit(2);
    mallopt(M_PERTURB, 0xa5); // uninitialised memory is not 0 by chance
    setrlimit(RLIMIT_CPU, &(struct rlimit){SECONDS, SECONDS}); // CPU time, as machines may be busy
    alarm(4 * SECONDS);
    last_case = p->last;
    exit(check_program(p) ? 0 : 1);
}

static inline void finish_program(Job *programs, int n)
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
        char *text = read_file(arena, log, &len);
        if (text) fputs(text, stderr);
        p->good = p->good && !(p->device && text && is_reported(text));
        if (WIFSIGNALED(status) || (WIFEXITED(status) && WEXITSTATUS(status) > 1))
            fprintf(stderr, "FAIL %s ended early; the last case was\n%s", p->path, p->last);
        arena_delete(arena);
    }
}

static inline void run_all(Job *programs, int n)
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

static inline void program_agrees(void **state)
{
    const Job *p = *state;
    assert_true(p->good);
}

static inline void remove_folder(const char *dir)
{
    pid_t rm = start_command((const char *const[]){"rm", "-rf", dir, NULL});
    finish_command(rm);
}

/// Checks all jobs, and reports them as a group of tests. The environment variable KEEP names a
/// folder in which their folders and C files then stay.
static inline int test_jobs(Arena *arena, const char *group, Job *jobs, int n)
{
    const char *keep = getenv("KEEP"), *tmp = getenv("TMPDIR");
    char *base = keep ? arena_printf(arena, "%s", keep)
                      : arena_printf(arena, "%s/adze-XXXXXX", tmp ? tmp : "/tmp");
    if (keep ? mkdir(base, 0777) != 0 && errno != EEXIST : !mkdtemp(base)) {
        perror(base);
        return 2;
    }
    struct CMUnitTest *tests = ARENA_ARRAY(arena, struct CMUnitTest, n + 1);
    for (int i = 0; i < n; i++) {
        const char *slash = strrchr(jobs[i].path, '/');
        jobs[i].dir = arena_printf(arena, "%s/%d-%s", base, i, slash ? slash + 1 : jobs[i].path);
        if (mkdir(jobs[i].dir, 0777) != 0 && errno != EEXIST) perror(jobs[i].dir);
        tests[i] = (struct CMUnitTest){
            .name = jobs[i].path, .test_func = program_agrees, .initial_state = &jobs[i]};
    }
    run_all(jobs, n);
    if (!keep) remove_folder(base);
    int failed = _cmocka_run_group_tests(group, tests, (size_t)n, NULL, NULL);
    for (int i = 0; i < n; i++) munmap(jobs[i].last, LAST_CASE);
    return failed;
}

#endif
