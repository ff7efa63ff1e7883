// Checks that an entry of Loop IR means the same at each of several stages. Tests that run passes
// on random programs share this.
#ifndef TESTS_LOOPS_AGREE_H
#define TESTS_LOOPS_AGREE_H

#include "loops/random_program.h"
#include "loops/read.h"

/// The entry as text, kept by the session.
static inline const char *show(Session *cx, const LoopEntry *e)
{
    Text t = text_new(cx->arena);
    loops_print(cx, &t, e);
    return text_get(&t);
}

/// An array of n small numbers; other ones for another `by`.
static inline Value some_items(Arena *arena, int64_t n, unsigned by)
{
    Value v = {.count = n, .parts = ARENA_ARRAY(arena, Value, n)};
    for (int64_t i = 0; i < n; i++) v.parts[i].bits = (by * (unsigned)i + 2) % 7;
    return v;
}

/// Runs all stages for one size and its arguments; the test fails if one differs from the first.
/// The first may take `steps` steps, the others nine times as many. False if the first takes more:
/// then nothing was compared.
static inline bool agree_at(Session *cx, LoopEntry *const *stages, int count, unsigned seed,
                            int64_t n, const Value *args, int64_t steps)
{
    Value v = {0}, w = {0};
    Outcome a = loops_eval(cx, cx->arena, stages[0], &n, args, ALGEBRA_IEEE, steps, &v);
    if (!a.ok && a.code == E0605) return false;
    if (!a.ok) fail_msg("program %u: %s\n%s", seed, a.text, show(cx, stages[0]));
    for (int s = 1; s < count; s++) {
        if (stages[s]->body == stages[s - 1]->body) continue;
        Outcome b = loops_eval(cx, cx->arena, stages[s], &n, args, ALGEBRA_IEEE, 9 * steps, &w);
        if (!same_outcome(a, &v, b, &w))
            fail_msg("program %u, n = %d: %s, then %s\n%s\n%s", seed, (int)n,
                     outcome_text(cx, a, &v, stages[0]->result),
                     outcome_text(cx, b, &w, stages[0]->result), show(cx, stages[s - 1]),
                     show(cx, stages[s]));
    }
    return true;
}

/// Sets stages[s] to the entry after pass s, checked. The caller has set stages[0].
static inline void run_all_passes(Session *cx, LoopEntry **stages)
{
    for (int s = 1; s < LOOP_STAGES; s++) {
        stages[s] = loop_passes[s].run(cx, stages[s - 1]);
        loops_check(cx, stages[s]);
    }
}

#endif
