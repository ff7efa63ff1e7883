// Random programs that mix everything, at all levels, as compiled C for several processors, targets and C compilers, with sizes and
// numbers that the compiler knows and does not know.
//
//   SEED=7              program k of a seed is always the same; SEED=7:123 runs program 123 alone
//   PROGRAMS=1000       so many programs, or MINUTES=10, and the seeds after this one when its programs are used up
//   SHOW=1              with SEED=7:123, prints the program and runs nothing
//   NO_C=1              without C compilers, which take most of the time
//   FINDINGS=DIR        programs that fail go there, with what was said, in build/fuzz by default; REDUCE=0 does not make them smaller
//   REFUSED=1           lists programs that the compiler refuses; those are findings, too, with a number of a program or a file
//   PROGRAM=FILE        this program alone, in the way that SEED says
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "programs/random_program_functions.h"
#include "programs/random_program_reduce.h"
#include "programs/random_program_run.h"

enum {
    BATCH = 8,                    // programs that share a C file
    OF_A_SEED = 10000,            // programs
    USUAL = SANITIZED ? 24 : 160, // programs: half a minute
    KNOWN = 200                   // findings that are not made smaller again
};

typedef struct {
    uint64_t seed;
    int first, n; // programs
} Batch;

typedef struct {
    pid_t process;
    Batch batch;
    Ran *ran;
    char *dir;
} Slot;

typedef struct {
    Arena *arena;
    const char *base, *findings;
    int programs, entries, cases, errors, left_out, refused, failed;
    char known[KNOWN][DETAIL];
    int nknown;
    bool reduce;
} Fuzz;

// --- texts -------------------------------------------------------------------------------------

static const char *batch_text(Arena *arena, Batch b)
{
    Text out = text_new(arena);
    text_put(&out, random_program_prelude);
    for (int k = b.first; k < b.first + b.n; k++) random_program(&out, b.seed, k);
    return text_get(&out);
}

// How the programs of a batch are compiled: the same for a program alone.
static Config config_of(uint64_t seed, int program)
{
    static const char *const cpus[] = {"portable",  "x86-64", "x86-64-v2",      "x86-64-v3",
                                       "x86-64-v4", "znver2", "sapphirerapids", "znver4"};
    static const char *const levels[] = {"-O0", "-O1", "-O2", "-O3"};
    Random r = {hash_mix(seed, (uint64_t)(program / BATCH) + 77)};
    Config c = {.cpu = cpu_named(cpus[random_below(&r, sizeof cpus / sizeof *cpus)])};
    c.serial = random_below(&r, 4) == 0;
    c.exact_math = random_below(&r, 2) == 0;
    c.threads = !c.serial && random_below(&r, 3) == 0;
    c.field = random_below(&r, 4) == 0;
    c.cc = random_below(&r, 3) ? "gcc" : "clang";
    c.level = levels[random_below(&r, 4)];
    if (random_below(&r, 4) == 0)
        c.sanitize = strcmp(c.cc, "gcc") == 0 ? "-fsanitize-undefined-trap-on-error"
                                              : "-fsanitize-trap=undefined";
    c.no_c = getenv("NO_C") != NULL;
    if (c.cpu->level->family != CPU_ANY && c.cpu->level->family != cpu_of_machine()->level->family)
        c.cpu = cpu_named("portable");
    return c;
}

static const char *config_text(Arena *arena, const Config *c)
{
    return arena_printf(
        arena, "--cpu %s --target %s%s%s, %s %s%s%s", c->cpu->name, c->serial ? "c" : "omp",
        c->exact_math ? " --vector-math exact" : "", c->threads ? ", threads" : "", c->cc, c->level,
        c->sanitize ? " -fsanitize=undefined" : "", c->field ? ", exact field" : "");
}

static char *log_text(Arena *arena, const char *dir)
{
    size_t len;
    char *text = read_file(arena, arena_printf(arena, "%s/log", dir), &len);
    return text ? text : "";
}

// --- findings ----------------------------------------------------------------------------------

// Numbers do not make a fault another one.
static bool is_known(Fuzz *f, const Ran *r)
{
    char what[DETAIL];
    int n = snprintf(what, 30, "%s: ", failure_text[r->failure]);
    for (const char *at = r->detail; *at && n < DETAIL - 1; at++)
        if (!isdigit((unsigned char)*at)) what[n++] = *at;
    what[n] = '\0';
    int same = 0;
    for (int i = 0; i < f->nknown; i++) same += strcmp(f->known[i], what) == 0;
    if (f->nknown < KNOWN) strcpy(f->known[f->nknown++], what);
    return same >= (r->failure == FAULT ? 1 : 3);
}

static void report_finding(Fuzz *f, Slot *s, uint64_t seed, int k, const char *text,
                           const Config *config)
{
    const Ran *r = s->ran;
    const char *path = arena_printf(f->arena, "%s/%" PRIu64 "_%d.adz", f->findings, seed, k);
    f->failed++;
    fprintf(stderr, "FAIL SEED=%" PRIu64 ":%d %s %s (%s)\n  in %s, %s", seed, k,
            failure_text[r->failure], r->detail, config_text(f->arena, config), path, r->at);
    write_text(path, text);
    write_text(arena_printf(f->arena, "%s.log", path),
               arena_printf(f->arena, "%s\n%s\n%s", config_text(f->arena, config), r->at,
                            log_text(f->arena, s->dir)));
    if (!f->reduce || is_known(f, r)) return;
    const char *smaller = reduce_text(f->arena, text, config, r, s->dir);
    const char *made = arena_printf(f->arena, "%s/%" PRIu64 "_%d.small.adz", f->findings, seed, k);
    write_text(made,
               arena_printf(f->arena, "// SEED=%" PRIu64 ":%d %s (%s)\n%s", seed, k,
                            failure_text[r->failure], config_text(f->arena, config), smaller));
    fprintf(stderr, "  reduced: %s\n%s\n", made, smaller);
}

static void count(Fuzz *f, const Ran *r)
{
    f->entries += r->entries, f->cases += r->cases, f->errors += r->errors;
    f->left_out += r->left_out;
}

// Each program of a batch by itself.
static void run_one_by_one(Fuzz *f, Slot *s, bool failed_only)
{
    Ran all = *s->ran;
    Batch b = s->batch;
    for (int k = b.first; k < b.first + b.n; k++) {
        bool wanted = !failed_only;
        for (int i = 0; i < all.nfailed; i++)
            wanted = wanted || all.failed[i] == k || !all.failed[i];
        if (!wanted) continue;
        const char *text = batch_text(f->arena, (Batch){b.seed, k, 1});
        Config config = config_of(b.seed, k);
        const char *name = arena_printf(f->arena, "%" PRIu64 "_%d.adz", b.seed, k);
        Failure failure = run_alone(name, text, &config, s->dir, s->ran);
        if (!failed_only) count(f, s->ran);
        if (failure > REFUSED) report_finding(f, s, b.seed, k, text, &config);
        if (failure == REFUSED) {
            f->refused++;
            if (getenv("REFUSED"))
                fprintf(stderr, "refused SEED=%" PRIu64 ":%d %s\n", b.seed, k, s->ran->detail);
        }
    }
}

static void finish_batch(Fuzz *f, Slot *s, int status)
{
    Ran *r = s->ran;
    conclude(r, status);
    f->programs += s->batch.n;
    count(f, r);
    bool read = r->entries > 0;
    if (r->failure == REFUSED && read) f->refused += r->refused;
    if (r->failure == REFUSED && read && getenv("REFUSED"))
        fprintf(stderr, "refused SEED=%" PRIu64 ":%d.. %s\n", s->batch.seed, s->batch.first,
                r->detail);
    int failed = f->failed;
    bool ended = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    if (r->failure > REFUSED || !read) run_one_by_one(f, s, ended && read && r->nfailed > 0);
    if (r->failure > REFUSED && read && f->failed == failed)
        fprintf(stderr, "SEED=%" PRIu64 ":%d to %d fail only together\n", s->batch.seed,
                s->batch.first, s->batch.first + s->batch.n - 1);
}

// --- all of them -------------------------------------------------------------------------------

static void start_batch(Fuzz *f, Slot *s, Batch b)
{
    Arena *arena = arena_new();
    Config config = config_of(b.seed, b.first);
    s->batch = b;
    s->process = start_text("batch.adz", batch_text(arena, b), &config, s->dir, s->ran, b.n);
    arena_delete(arena);
    (void)f;
}

static Slot *slot_of(Slot *slots, int n, pid_t process)
{
    for (int i = 0; i < n; i++)
        if (slots[i].process == process) return &slots[i];
    return NULL;
}

static void run_batches(Fuzz *f, uint64_t seed, int programs, time_t until)
{
    long workers = sysconf(_SC_NPROCESSORS_ONLN);
    Slot *slots = ARENA_ARRAY(f->arena, Slot, (int)workers);
    int started = 0, running = 0, next = 0;
    for (long i = 0; i < workers; i++) {
        slots[i].ran = ran_new();
        slots[i].dir = arena_printf(f->arena, "%s/%ld", f->base, i);
        mkdir(slots[i].dir, 0777);
    }
    for (;;) {
        bool more = until ? time(NULL) < until : started < programs;
        Slot *s = running < workers ? slot_of(slots, (int)workers, 0) : NULL;
        if (more && s) {
            start_batch(f, s,
                        (Batch){seed + (uint64_t)(next / OF_A_SEED), next % OF_A_SEED, BATCH});
            next += BATCH;
            started += BATCH;
            running++;
            continue;
        }
        if (!running) break;
        int status;
        pid_t done = wait(&status);
        s = slot_of(slots, (int)workers, done);
        if (!s) continue;
        finish_batch(f, s, status);
        s->process = 0;
        running--;
    }
}

static void run_single(Fuzz *f, uint64_t seed, int k, const char *path)
{
    size_t len;
    Slot s = {.ran = ran_new(), .dir = (char *)(uintptr_t)f->base};
    const char *text =
        path ? read_file(f->arena, path, &len) : batch_text(f->arena, (Batch){seed, k, 1});
    Config config = config_of(seed, k);
    if (!text) abort();
    f->programs = 1;
    Failure failure = run_alone("alone.adz", text, &config, f->base, s.ran);
    fputs(log_text(f->arena, f->base), stderr);
    fprintf(stderr, "%s (%s)\n", failure_text[failure], config_text(f->arena, &config));
    if (failure > (getenv("REFUSED") ? AGREES : REFUSED))
        report_finding(f, &s, seed, k, text, &config);
    f->entries = s.ran->entries, f->cases = s.ran->cases;
}

static int failures;
static bool too_many_refused; // such programs test nothing

static void programs_agree(void **state)
{
    (void)state;
    assert_int_equal(failures, 0);
    assert_false(too_many_refused);
}

int main(void)
{
    const char *seeds = getenv("SEED"), *minutes = getenv("MINUTES"),
               *programs = getenv("PROGRAMS");
    const char *tmp = getenv("TMPDIR"), *findings = getenv("FINDINGS"), *reduced = getenv("REDUCE");
    uint64_t seed = 1;
    int k = -1;
    if (seeds) sscanf(seeds, "%" SCNu64 ":%d", &seed, &k);
    Fuzz f = {.arena = arena_new(), .findings = findings ? findings : "build/fuzz"};
    if (getenv("SHOW")) {
        fputs(batch_text(f.arena, (Batch){seed, k < 0 ? 0 : k, 1}), stdout);
        return 0;
    }
    char *base = arena_printf(f.arena, "%s/adze-fuzz-XXXXXX", tmp ? tmp : "/tmp");
    if (!mkdtemp(base)) return 2;
    mkdir(f.findings, 0777);
    f.base = base;
    f.reduce = !reduced || strcmp(reduced, "0") != 0;
    fprintf(stderr, "random programs: SEED=%" PRIu64 "\n", seed);
    if (k >= 0 || getenv("PROGRAM"))
        run_single(&f, seed, k < 0 ? 0 : k, getenv("PROGRAM"));
    else
        run_batches(&f, seed, programs ? atoi(programs) : USUAL,
                    minutes ? time(NULL) + (time_t)(60 * atof(minutes)) : 0);
    fprintf(stderr,
            "SEED=%" PRIu64 ": %d programs, %d entries, %d cases (%d of them errors, %d left out), "
            "%d refused, %d failed\n",
            seed, f.programs, f.entries, f.cases, f.errors, f.left_out, f.refused, f.failed);
    remove_folder(base);
    failures = f.failed;
    too_many_refused = f.refused > f.programs / 20;
    arena_delete(f.arena);
    const struct CMUnitTest tests[] = {cmocka_unit_test(programs_agree)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
