// Random programs of IMP (tests/models) as functions of Adze, each called by so many lanes at once: what a lane gives is what the model gives
// for its arguments alone, and all levels agree on it, down to compiled C.
//
//   SEEDS=1000-1099     other programs; ONLY=:lanes1007_8 of those only this entry
//   SHOW=1              prints the programs and checks nothing
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "models/imp.h"
#include "models/print.h"
#include "models/random_imp.h"
#include "models/read.h"
#include "programs/jobs.h"

enum { FIRST = 1, LAST = 8, EACH = 4, LENGTHS = 6 }; // programs, and how many share a C file

static const int lengths[LENGTHS] = {1, 2, 4, 8, 16, 32};

// Each program has two of the lengths, all of them together have each often.
static int length_of(uint64_t seed, int k)
{
    return lengths[(seed + (uint64_t)k * (2 + seed / LENGTHS % 3)) % LENGTHS];
}

static const ImpProgram *model_of(Session *cx, uint64_t seed)
{
    const char *wrong;
    ImpRandom how = {.seed = (unsigned)seed, .exits = seed % 3 != 0};
    const ImpProgram *p = imp_read(cx, random_imp(cx->arena, &how), &wrong);
    assert_non_null(p);
    return p;
}

static void put_entry(Text *out, uint64_t seed, int lanes)
{
    static const char *const params[MAIN_PARAMS] = {"a: [n]i32", "b: [n]i32", "c: [n]bool",
                                                    "d: [n]f64", "e: i32"};
    text_printf(out, "entry fn lanes%" PRIu64 "_%d[n: nat](", seed, lanes);
    for (int i = 0; i < MAIN_PARAMS; i++) text_printf(out, "%s%s", i ? ", " : "", params[i]);
    text_printf(out,
                ") -> [n]i32 {\n    let mut out = repeat[n](0i32);\n"
                "    for i in vectorize(%d, 0, n) {\n"
                "        out[i] = p%" PRIu64 "_main(a[i], b[i], c[i], d[i], e);\n    }\n"
                "    out\n}\n",
                lanes, seed);
}

static const char *programs_text(Arena *arena, uint64_t from, uint64_t to)
{
    Text out = text_new(arena);
    for (uint64_t seed = from; seed <= to; seed++) {
        Session *cx = session_new();
        imp_as_adze(&out, model_of(cx, seed), arena_printf(arena, "p%" PRIu64 "_", seed));
        session_delete(cx);
        for (int k = 0; k < 2; k++)
            if (k == 0 || length_of(seed, 1) != length_of(seed, 0))
                put_entry(&out, seed, length_of(seed, k));
    }
    return text_get(&out);
}

// --- the model ----------------------------------------------------------------------------------

enum { LANES = 13, MODEL_FUEL = 1000000 };

typedef struct {
    ImpNumber of[LANES][MAIN_PARAMS];
    Value args[MAIN_PARAMS], parts[MAIN_PARAMS][LANES];
} Arguments;

// The last parameter is the same in all lanes.
static void draw(Arguments *a, unsigned seed)
{
    for (int i = 0; i < MAIN_PARAMS; i++) {
        bool one = i == MAIN_PARAMS - 1;
        for (int k = 0; k < LANES; k++) {
            int x = rand_r(&seed) % 11 - 4;
            double number = main_params[i] == BASE_BOOL    ? x & 1
                            : main_params[i] == BASE_FLOAT ? x * 0.5
                                                           : x;
            if (one && k > 0) number = a->of[0][i].number;
            a->of[k][i] = (ImpNumber){main_params[i], number};
            a->parts[i][k] = (Value){
                .bits = main_params[i] == BASE_FLOAT ? bits_of(number) : (uint64_t)(int64_t)number};
        }
        a->args[i] = one ? a->parts[i][0] : (Value){.count = LANES, .parts = a->parts[i]};
    }
}

// Whether what the entry means is what the model gives for each lane; `compared` counts those that come to an end.
static bool means_the_model(const File *file, const Function *entry, const ImpProgram *model,
                            uint64_t seed, int *compared)
{
    Session *cx = file->cx;
    static Arguments a;
    Value result = {0};
    NodeBinding n = {entry->generics.at[0].name, nat_const(cx, LANES)};
    draw(&a, (unsigned)seed);
    Outcome o = core_eval(cx, cx->arena, file->program, entry, &n, 1, a.args, ALGEBRA_IEEE,
                          MODEL_FUEL, &result);
    for (int k = 0; k < LANES; k++) {
        ImpWay failed;
        ImpNumber want = imp_run(model, "main", MAIN_PARAMS, a.of[k], MODEL_FUEL, &failed);
        if (failed == IMP_TIRED || (!o.ok && o.code == E0605)) return true;
        if (failed || !o.ok || (int32_t)result.parts[k].bits != (int32_t)want.number) {
            fprintf(stderr, "FAIL %s, lane %d: %s %d, and by the model %g\n", entry->name->text, k,
                    o.ok ? "is" : o.text, o.ok ? (int)(int32_t)result.parts[k].bits : 0,
                    want.number);
            return false;
        }
        ++*compared;
    }
    return true;
}

static void programs_mean_the_model(void **state)
{
    const uint64_t *seeds = *state;
    Arena *arena = arena_new();
    int compared = 0;
    for (uint64_t seed = seeds[0]; seed <= seeds[1]; seed++) {
        File file = read_program("model.adz", programs_text(arena, seed, seed));
        if (!file.program) fail_msg("%s", programs_text(arena, seed, seed));
        const char *name = arena_printf(arena, "lanes%" PRIu64 "_%d", seed, length_of(seed, 0));
        const Function *entry = find_entry(&file, name);
        const ImpProgram *model = model_of(file.cx, seed);
        assert_non_null(entry);
        if (!means_the_model(&file, entry, model, seed, &compared))
            fail_msg("%s", imp_text(arena, model));
        session_delete(file.cx);
    }
    arena_delete(arena);
    if (compared < (int)(seeds[1] - seeds[0] + 1) * LANES / 2) fail_msg("%d lanes", compared);
}

int main(void)
{
    uint64_t range[2] = {FIRST, LAST};
    const char *seeds = getenv("SEEDS");
    if (seeds && sscanf(seeds, "%" SCNu64 "-%" SCNu64, &range[0], &range[1]) != 2) return 2;
    Arena *arena = arena_new();
    if (getenv("SHOW")) {
        fputs(programs_text(arena, range[0], range[1]), stdout);
        arena_delete(arena);
        return 0;
    }
    const struct CMUnitTest model[] = {
        cmocka_unit_test_prestate(programs_mean_the_model, range),
    };
    int failed = cmocka_run_group_tests_name("the model", model, NULL, NULL), n = 0;
    Job *jobs = ARENA_ARRAY(arena, Job, (int)((range[1] - range[0]) / EACH) + 2);
    for (uint64_t seed = range[0]; seed <= range[1]; seed += EACH) {
        uint64_t last = seed + EACH - 1 < range[1] ? seed + EACH - 1 : range[1];
        const char *path = arena_printf(arena, "seeds_%" PRIu64 "-%" PRIu64, seed, last);
        jobs[n++] = (Job){.path = path, .text = programs_text(arena, seed, last)};
    }
    failed += test_jobs(arena, "lanes", jobs, n);
    arena_delete(arena);
    return failed;
}
