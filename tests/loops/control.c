// Control flow and calls: each program in tests/loops/control means the same as DPIA and after every
// pass; texts of all stages read back.
#include "loops/programs.h"

// Runs that neither had a value nor an error of the program's own.
static bool is_broken(Outcome o)
{
    return !o.ok && o.code == E0901;
}

// Whether there was a value.
static bool compare(Session *cx, const Control *c, Random *r)
{
    Call call;
    Value a = {0}, b = {0};
    if (!random_arguments(r, c->phrase, &call)) return false;
    Outcome dpia =
        dpia_eval(cx, cx->arena, c->phrase, call.sizes, call.args, r->algebra, MUCH_FUEL, &a);
    if (!dpia.ok && dpia.code == E0605) return false; // calls are nested too deeply
    if (is_broken(dpia)) fail_msg("%s: %s", c->name, dpia.text);
    for (int k = 0; k < LOOP_STAGES; k++) {
        Outcome loops = loops_eval(cx, cx->arena, c->stages[k], call.sizes, call.args, r->algebra,
                                   MUCH_FUEL, &b);
        if (!same_outcome(dpia, &a, loops, &b))
            fail_msg("%s with sizes %lld %lld: dpia %s, %s %s", c->name, (long long)call.sizes[0],
                     (long long)call.sizes[1], outcome_text(cx, dpia, &a, c->phrase->out.type),
                     loop_passes[k].name, outcome_text(cx, loops, &b, c->phrase->out.type));
    }
    return dpia.ok;
}

static void all_stages_agree(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    const char **names;
    int n = files_with(arena, CONTROL, ".dpia", &names);
    for (int i = 0; i < n; i++) {
        Session *cx = session_new();
        nat_init(cx);
        Control c = read_control(cx, names[i]);
        int values = 0;
        for (int k = 0; k < 40 && !calls_c(c.phrase); k++) {
            Random r = {
                .cx = cx, .seed = (unsigned)k, .algebra = k % 2 ? ALGEBRA_FIELD : ALGEBRA_IEEE};
            values += compare(cx, &c, &r);
        }
        if (values < 4 && !calls_c(c.phrase))
            fail_msg("%s has a value for %d inputs only", names[i], values);
        session_delete(cx);
    }
    arena_delete(arena);
}

static const char *show(Session *cx, const LoopEntry *e)
{
    Text t = text_new(cx->arena);
    loops_print(cx, &t, e);
    return text_get(&t);
}

static void all_stages_read_back(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    const char **names;
    int n = files_with(arena, CONTROL, ".dpia", &names);
    for (int i = 0; i < n; i++) {
        Session *cx = session_new();
        nat_init(cx);
        Control c = read_control(cx, names[i]);
        for (int k = 0; k < LOOP_STAGES; k++) {
            const char *text = show(cx, c.stages[k]);
            LoopEntry *again = loops_read(cx, session_add_source(cx, "test", text, strlen(text)));
            if (!again) fail_msg("%s: %s\n%s", names[i], cx->diags.at[0]->text, text);
            assert_ptr_equal(again->body, c.stages[k]->body);
            assert_int_equal(again->callees.len, c.stages[k]->callees.len);
            for (int f = 0; f < again->callees.len; f++)
                assert_ptr_equal(again->callees.at[f]->body, c.stages[k]->callees.at[f]->body);
            assert_string_equal(show(cx, again), text);
        }
        session_delete(cx);
    }
    arena_delete(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_stages_agree),
        cmocka_unit_test(all_stages_read_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
