// Random programs of IMP, VecImp and PolyVecImp: what is well typed makes progress and keeps its type, and the lanes of a program do
// together what each of them does alone.
//
//   PROGRAMS=1000 SEED=7    more of them, other ones
#include "models/models.h"

enum { COUNT = 40, STEPS = 6000, FUEL = 200000 };

static const int lengths[] = {2, 4, 8, 16, 32};

static unsigned programs(unsigned count)
{
    return getenv("PROGRAMS") ? (unsigned)atoi(getenv("PROGRAMS")) : count;
}

static unsigned first_seed(void)
{
    return getenv("SEED") ? (unsigned)atoi(getenv("SEED")) : 0;
}

// Arguments for main; those of one lane are those of all.
static void draw(unsigned *seed, const ImpProgram *p, const char *name, ImpValue *args)
{
    for (int i = 0; i < MAIN_PARAMS; i++) {
        const ImpFn *f = NULL;
        for (int k = 0; k < p->functions.len; k++)
            if (strcmp(p->functions.at[k]->name->text, name) == 0) f = p->functions.at[k];
        args[i] = (ImpValue){.type = f->params.at[i].type};
        if (args[i].type.length == IMP_OPEN) args[i].type.length = 1;
        for (int k = 0; k < args[i].type.length; k++) {
            int x = rand_r(seed) % 11 - 4;
            args[i].lane[k] = args[i].type.base == BASE_BOOL    ? x & 1
                              : args[i].type.base == BASE_FLOAT ? x * 0.5
                                                                : x;
        }
    }
}

// Whether each lane, by itself, gives what it gives together with the others; `ended` counts them.
static void compare_lanes(Session *cx, const ImpProgram *program, const ImpValue *args,
                          const ImpValue *result, const char *text, int *ended)
{
    int lanes = 1;
    for (int i = 0; i < MAIN_PARAMS; i++)
        if (value_length(&args[i]) > lanes) lanes = value_length(&args[i]);
    for (int k = 0; k < lanes; k++) {
        ImpNumber own[MAIN_PARAMS];
        ImpWay way;
        for (int i = 0; i < MAIN_PARAMS; i++)
            own[i] = (ImpNumber){args[i].type.base, value_lane(&args[i], k)};
        ImpNumber one = imp_run(imp_lane(cx, program, k), "main", MAIN_PARAMS, own, FUEL, &way);
        if (way != IMP_ON) fail_msg("lane %d comes to no end\n%s", k, text);
        if (one.base != result->type.base || !same_number(one.number, value_lane(result, k)))
            fail_msg("lane %d is %g, alone %g\n%s", k, value_lane(result, k), one.number, text);
        ++*ended;
    }
}

// --- types --------------------------------------------------------------------------------------

static void types_are_kept(void **state)
{
    unsigned n = programs(COUNT);
    int ended = 0, lanes = 0;
    (void)state;
    for (unsigned seed = first_seed(); seed < first_seed() + n; seed++) {
        Session *cx = session_new();
        int l = lengths[seed % 3];
        ImpRandom how = {
            .seed = seed, .lengths = {l, l, l, l, 1}, .vectors = l, .recursive = seed % 2};
        const char *text = random_imp(cx->arena, &how), *why;
        const ImpProgram *open = read_model(cx, text), *p = poly_infer(cx, open, "main", &why);
        if (!p) fail_msg("program %u: %s\n%s", seed, why, text);
        if (!imp_well_typed(cx, imp_lane(cx, open, 0))) fail_msg("ill typed\n%s", text);
        ImpValue args[MAIN_PARAMS], steps, masks;
        unsigned numbers = seed;
        MaskEnd failed;
        draw(&numbers, p, "main", args);
        StepsEnd end = run_steps(cx, p, true, true, MAIN_PARAMS, args, STEPS, &steps, &why);
        if (end == STEPS_STUCK || end == STEPS_OTHER_TYPE)
            fail_msg("program %u: %s\n%s", seed, why ? why : "stuck", imp_text(cx->arena, p));
        if (end == STEPS_END) {
            masks = mask_run(p, "main", MAIN_PARAMS, args, FUEL, &failed);
            assert_int_equal(failed, MASKS_FINE);
            assert_int_equal(masks.type.length, steps.type.length);
            for (int k = 0; k < masks.type.length; k++)
                if (!same_number(masks.lane[k], steps.lane[k]))
                    fail_msg("program %u, lane %d\n%s", seed, k, imp_text(cx->arena, p));
            compare_lanes(cx, open, args, &steps, text, &lanes);
            ended++;
        }
        session_delete(cx);
    }
    if (ended < (int)n / 2) fail_msg("%d of %u programs ended", ended, n);
}

// --- mutants ------------------------------------------------------------------------------------

typedef struct {
    Session *cx;
    unsigned seed;
    int at; // how many types come before the one that changes
} Mutation;

static void mutate_type(Mutation *m, ImpType *t)
{
    static const int other[] = {1, 2, 4, 8};
    if (m->at-- != 0) return;
    if (rand_r(&m->seed) % 3 == 0)
        t->base = (ImpBase)((t->base + 1) % BASE_NOTHING);
    else
        t->length = other[rand_r(&m->seed) % 4];
}

static const ImpStmt *mutated_list(Mutation *m, const ImpStmt *s)
{
    if (!s) return NULL;
    ImpStmt with = *s;
    if (s->kind == STMT_DECL) mutate_type(m, &with.type);
    with.then = mutated_list(m, s->then);
    with.other = mutated_list(m, s->other);
    with.all = mutated_list(m, s->all);
    with.rest = mutated_list(m, s->rest);
    return imp_stmt(m->cx, with);
}

// The program with another type somewhere, or a function for another number of lanes.
static const ImpProgram *mutated(Session *cx, const ImpProgram *p, unsigned seed)
{
    Mutation m = {.cx = cx, .seed = seed};
    ImpProgram *out = ARENA_NEW(cx->arena, ImpProgram);
    m.at = rand_r(&m.seed) % 12;
    for (int i = 0; i < p->functions.len; i++) {
        const ImpFn *of = p->functions.at[i];
        ImpFn *f = ARENA_NEW(cx->arena, ImpFn);
        *f = (ImpFn){.name = of->name, .mode = of->mode, .result = of->result};
        if (m.at-- == 0) f->mode = 1 << rand_r(&m.seed) % 3;
        mutate_type(&m, &f->result);
        for (int k = 0; k < of->params.len; k++) {
            ImpParam param = of->params.at[k];
            if (i > 0) mutate_type(&m, &param.type);
            vec_push(cx->arena, &f->params, param);
        }
        f->body = mutated_list(&m, of->body);
        vec_push(cx->arena, &out->functions, f);
    }
    return out;
}

// What has been changed somewhere may still be well typed, by the rules of the thesis too: then it goes on. Or it is not: then it may get
// stuck, which is why there are types.
static void what_is_ill_typed_gets_stuck(void **state)
{
    unsigned n = programs(COUNT);
    int good = 0, stuck = 0;
    (void)state;
    for (unsigned seed = first_seed(); seed < first_seed() + n; seed++) {
        Session *cx = session_new();
        ImpRandom how = {.seed = seed, .lengths = {4, 4, 4, 4, 1}, .vectors = 4};
        const char *why;
        const ImpProgram *p =
            poly_infer(cx, read_model(cx, random_imp(cx->arena, &how)), "main", &why);
        assert_non_null(p);
        for (unsigned k = 0; k < 5; k++) {
            const ImpProgram *mutant = mutated(cx, p, 5 * seed + k);
            ImpValue args[MAIN_PARAMS], result;
            unsigned numbers = seed;
            draw(&numbers, mutant, "main", args);
            bool typed = vec_ill_typed(cx, mutant, true) == NULL;
            StepsEnd end =
                run_steps(cx, mutant, true, typed, MAIN_PARAMS, args, STEPS / 4, &result, &why);
            if (typed && (end == STEPS_STUCK || end == STEPS_OTHER_TYPE))
                fail_msg("program %u: %s\n%s", seed, why ? why : "stuck",
                         imp_text(cx->arena, mutant));
            good += typed;
            stuck += !typed && end == STEPS_STUCK;
        }
        session_delete(cx);
    }
    if (good < (int)n / 2 || stuck < (int)n / 2)
        fail_msg("%d good, %d stuck of %u", good, stuck, 5 * n);
}

// --- lanes that leave ---------------------------------------------------------------------------

// Programs with break, continue and return anywhere, for many lanes at once.
static void lanes_leave_one_by_one(void **state)
{
    unsigned n = programs(4 * COUNT);
    int ended = 0, lanes = 0;
    (void)state;
    for (unsigned seed = first_seed(); seed < first_seed() + n; seed++) {
        Session *cx = session_new();
        ImpRandom how = {.seed = seed, .exits = true, .recursive = seed % 3 == 0};
        const char *text = random_imp(cx->arena, &how);
        const ImpProgram *p = read_model(cx, text);
        const ImpProgram *wide = imp_widened(cx, p, lengths[seed % 5]);
        ImpValue args[MAIN_PARAMS];
        unsigned numbers = seed;
        MaskEnd failed;
        if (!imp_well_typed(cx, p)) fail_msg("ill typed\n%s", text);
        draw(&numbers, wide, "main", args);
        ImpValue result = mask_run(wide, "main", MAIN_PARAMS, args, FUEL, &failed);
        if (failed == MASKS_STUCK) fail_msg("program %u is stuck\n%s", seed, text);
        if (failed == MASKS_FINE) compare_lanes(cx, p, args, &result, text, &lanes);
        ended += failed == MASKS_FINE;
        session_delete(cx);
    }
    if (ended < (int)n / 2) fail_msg("%d of %u programs ended", ended, n);
}

// What is printed reads back.
static void programs_read_back(void **state)
{
    (void)state;
    for (unsigned seed = 0; seed < COUNT; seed++) {
        Session *cx = session_new();
        ImpRandom how = {.seed = seed,
                         .lengths = {4, 4, 4, 4, 1},
                         .vectors = 4,
                         .exits = seed % 2,
                         .recursive = true};
        const char *once = imp_text(cx->arena, read_model(cx, random_imp(cx->arena, &how)));
        assert_string_equal(imp_text(cx->arena, read_model(cx, once)), once);
        session_delete(cx);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(programs_read_back),
        cmocka_unit_test(types_are_kept),
        cmocka_unit_test(what_is_ill_typed_gets_stuck),
        cmocka_unit_test(lanes_leave_one_by_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
