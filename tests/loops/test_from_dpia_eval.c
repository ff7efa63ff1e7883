// Loops mean what the low Core means that they come from.
#include "dpia/agreement.h"
#include "loops/ir/passes.h"
#include "loops/ir/loops.h"

static Outcome run(const Levels *l, Arena *arena, const Value *args, Algebra algebra, Value *result)
{
    return loops_eval(l->cx, arena, l->other, l->values, args, algebra, FUEL, result);
}

static void agree(Session *cx, const char *name, const Function *low, int least)
{
    const LoopEntry *e = loops_from_dpia(cx, dpia_from_core(cx, low));
    Levels l = {.cx = cx, .name = name, .low = low, .other = e, .body = e->body, .run = run};
    loops_check(cx, e);
    run_sizes(&l, least);
}

static void low_programs(void **state)
{
    (void)state;
    low_programs_agree(agree);
}

static void lowered_programs(void **state)
{
    (void)state;
    lowered_programs_agree(agree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(low_programs),
        cmocka_unit_test(lowered_programs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
