// State and control: flat programs lowered and translated, compared with the text beside them, which
// reads back to the same.
#include "dpia/programs.h"
#include "memory_policy/memory_policy.h"

static const char *show(Session *cx, const Phrase *p)
{
    Text t = text_new(cx->arena);
    dpia_print(cx, &t, p);
    return text_get(&t);
}

static void each_program_has_its_commands(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    const char **names;
    int n = program_names_in(STATE_PROGRAMS, arena, &names);
    for (int i = 0; i < n; i++) {
        Session *cx = session_new();
        nat_init(cx);
        const Function *flat = read_program(cx, STATE_PROGRAMS, names[i]);
        core_check_flat(cx, flat);
        const Function *low = policy_lower(cx, flat, NULL);
        core_check(cx, low, LEVEL_LOW);
        const char *text = show(cx, dpia_from_core(cx, low));
        assert_golden(cx, arena_printf(arena, STATE_PROGRAMS "/%s.dpia", names[i]), text);
        Phrase *again = dpia_read(cx, session_add_source(cx, "again", text, strlen(text)));
        if (!again) fail_msg("%s does not read:\n%s", names[i], text);
        assert_string_equal(show(cx, again), text);
        session_delete(cx);
    }
    arena_delete(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_program_has_its_commands),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
