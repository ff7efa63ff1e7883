// Memory of a schedule: in proportion to the program, not to the steps.
#include "schedule/rules.h"

// A chain of so many sums is a number in binary: 1 + x is a one, x + 1 a nought, the outermost digit is the lowest. `count` counts up as far as
// it goes, with a step for each digit that changes, below so many reversals that are made anew in each step.
static const char rules[] =
    "rule set[n: nat](xs: [n]f32) { map(|x| x + 1.0, xs) => map(|x| 1.0 + x, xs) }\n"
    "rule clear[n: nat](xs: [n]f32) { map(|x| 1.0 + x, xs) => map(|x| x + 1.0, xs) }\n"
    "strategy next() { set <+ { clear; arg(1, next) } }\n"
    "strategy below() { { is(\"reverse\"); arg(0, below) } <+ next }\n";

enum { REVERSALS = 20 };

static const char *program(Arena *arena, int digits)
{
    Text t = text_new(arena);
    text_printf(&t, "%sentry fn f[n: nat](a: [n]f32) -> [n]f32 {\n    a", rules);
    for (int i = 0; i < digits; i++) text_printf(&t, " |> map(|x| x + 1.0)");
    for (int i = 0; i < REVERSALS; i++) text_printf(&t, " |> reverse");
    text_printf(&t, "\n}\nschedule f { repeat(below); }\n");
    return text_get(&t);
}

// Bytes that the schedule takes, of 2^(digits + 1) steps.
static size_t bytes_of(int digits, ScheduleTrace *trace)
{
    Arena *arena = arena_new();
    Inferred r = infer_good(program(arena, digits));
    const Function *f = stage_entry(&r, "f");
    size_t before = arena_bytes(r.cx->arena);
    assert_non_null(
        schedule_run(r.cx, f, schedule_find(r.program, f->name, "c"), NULL, 0, NULL, trace));
    size_t bytes = arena_bytes(r.cx->arena) - before;
    session_delete(r.cx);
    arena_delete(arena);
    return bytes;
}

static void test_many_steps(void **state)
{
    (void)state;
    size_t few = bytes_of(10, NULL), many = bytes_of(13, NULL);
    if (many > few + few / 4)
        fail_msg("%zu bytes for two thousand steps, %zu for sixteen thousand", few, many);
}

// Who wants the steps told gets them all, and pays for it.
static void test_told_steps(void **state)
{
    (void)state;
    ScheduleTrace trace = {0};
    size_t told = bytes_of(12, &trace);
    assert_int_equal(trace.applied, 2 * 4096 - 2 - 12);
    assert_true(told > 2 * bytes_of(12, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_many_steps),
                                       cmocka_unit_test(test_told_steps)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
