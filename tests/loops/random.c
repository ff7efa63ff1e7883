// Random programs mean the same after every pass.
#include "loops/random_program.h"

enum { COUNT = 400, STEPS = 3000 };

static LoopEntry *read(Session *cx, const char *text)
{
    LoopEntry *e = loops_read(cx, session_add_source(cx, "random", text, strlen(text)));
    if (!e) fail_msg("%s\n%s", cx->diags.at[0]->text, text);
    return e;
}

static const char *show(Session *cx, const LoopEntry *e)
{
    Text t = text_new(cx->arena);
    loops_print(cx, &t, e);
    return text_get(&t);
}

// Whether the program ended.
static bool agrees(Session *cx, LoopEntry *const *stages, unsigned seed)
{
    unsigned state = seed;
    int64_t n = rand_r(&state) % 7, k = rand_r(&state) % 9 - 2;
    Value items[8], v = {0}, w = {0};
    for (int i = 0; i < 8; i++) items[i] = (Value){.bits = (uint64_t)(rand_r(&state) % 5)};
    Value args[] = {{.count = n, .parts = items}, {.bits = (uint64_t)k}};
    Outcome a = loops_eval(cx, cx->arena, stages[0], &n, args, ALGEBRA_IEEE, STEPS, &v);
    if (!a.ok && a.code == E0605) return false;
    if (!a.ok && a.code == E0901) fail_msg("program %u: %s", seed, a.text);
    for (int s = 1; s < LOOP_STAGES; s++) {
        Outcome b = loops_eval(cx, cx->arena, stages[s], &n, args, ALGEBRA_IEEE, 20 * STEPS, &w);
        if (!same_outcome(a, &v, b, &w))
            fail_msg("program %u, n = %d, k = %d: %s, after %s %s\n%s\n%s", seed, (int)n, (int)k,
                     outcome_text(cx, a, &v, stages[0]->result), loop_passes[s].name,
                     outcome_text(cx, b, &w, stages[0]->result), show(cx, stages[s - 1]),
                     show(cx, stages[s]));
    }
    return true;
}

static void passes_keep_the_meaning(void **state)
{
    (void)state;
    int ended = 0, programs = getenv("PROGRAMS") ? atoi(getenv("PROGRAMS")) : COUNT;
    unsigned first = getenv("SEED") ? (unsigned)atoi(getenv("SEED")) : 0;
    for (unsigned seed = first; seed < first + (unsigned)programs; seed++) {
        Session *cx = session_new();
        nat_init(cx);
        LoopEntry *stages[LOOP_STAGES];
        stages[0] = read(cx, random_program(cx->arena, "f", seed));
        loops_check(cx, stages[0]);
        for (int s = 1; s < LOOP_STAGES; s++) {
            stages[s] = loop_passes[s].run(cx, stages[s - 1]);
            loops_check(cx, stages[s]);
        }
        for (unsigned k = 0; k < 6; k++) ended += agrees(cx, stages, 1000 * k + seed);
        session_delete(cx);
    }
    if (ended < 2 * programs) fail_msg("%d runs of %d programs ended", ended, programs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(passes_keep_the_meaning)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
