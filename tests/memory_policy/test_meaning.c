// Lowering keeps the meaning, and what it gives passes the checkers.
#include "memory_policy/memory_policy.h"
#include "staging/examples.h"
#include "staging/values/staging.h"

static void examples_mean_the_same(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        const Example *e = &examples[i];
        Session *cx = session_new();
        nat_init(cx);
        Function *f = text_function(cx, "main", e->generics, e->params, e->body);
        Function *flat = staging_run(cx, NULL, f);
        if (!flat) fail_msg("%s\n%s", e->body, diagnostics_text(cx));
        const Function *from[2] = {f, flat}; // with and without the work of staging
        for (int k = 0; k < 2; k++) {
            Function *low = policy_lower(cx, from[k], NULL);
            core_check(cx, low, LEVEL_LOW);
            policy_check_low(cx, low);
            same_meaning(cx, NULL, f, low, e->least);
        }
        session_delete(cx);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(examples_mean_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
