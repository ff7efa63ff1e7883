// The textual form of phrases: read back to the very same, and the errors of malformed texts.
#include "dpia/programs.h"

static Phrase *read(Session *cx, const char *text)
{
    return dpia_read(cx, session_add_source(cx, "test", text, strlen(text)));
}

static const char *show(Session *cx, const Phrase *p)
{
    Text t = text_new(cx->arena);
    dpia_print(cx, &t, p);
    return text_get(&t);
}

static void each_program_reads_back(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    const char **names;
    int n = program_names(arena, &names);
    for (int i = 0; i < n; i++) {
        Session *cx = session_new();
        nat_init(cx);
        Phrase *p = dpia_from_core(cx, read_low(cx, names[i]));
        Phrase *again = read(cx, show(cx, p));
        if (!again) fail_msg("%s", show(cx, p));
        assert_ptr_equal(p->body, again->body);
        assert_ptr_equal(p->out.type, again->out.type);
        assert_string_equal(show(cx, p), show(cx, again));
        session_delete(cx);
    }
    arena_delete(arena);
}

static void the_form_is_stable(void **state)
{
    (void)state;
    Session *cx = session_new();
    nat_init(cx);
    const char *text = "(phrase f [n, m] (a: [n]f32, k: i64) (out: [n]f32)\n"
                       "  (doc \"says \\\"so\\\"\")\n"
                       "  (checks (1 <= m \"not empty\")\n"
                       "    (n == 2*m))\n"
                       "  (for i n (:= (acc_at out i) (+ (at a i) 1.0))))\n";
    assert_string_equal(show(cx, read(cx, text)), text);
    const char *small = "(phrase f () (out: i32)\n  (:= out 1))\n";
    assert_string_equal(show(cx, read(cx, small)), small);
    session_delete(cx);
}

static void malformed_texts_are_refused(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",
        "(phrase)",
        "(phrase f () (out: i32) (:= out 1)",
        "(phrase f () (out: i32) (:= out 1)) x",
        "(phrase f [n () (out: i32) (:= out 1))",
        "(phrase f (a i32) (out: i32) (:= out 1))",
        "(phrase f () (out: i32) (:= no 1))",
        "(phrase f () (out: [3]i32) (:= (acc_at out 1) 1))",
        "(phrase f () (out: [4]i32) (:= (acc_at (acc_at (acc_put 0 (join (hole)) out) 1)) 1))",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        Session *cx = session_new();
        nat_init(cx);
        assert_null(read(cx, texts[i]));
        assert_int_equal(cx->errors, 1);
        assert_int_equal(cx->diags.at[0]->code, E0119);
        session_delete(cx);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_program_reads_back),
        cmocka_unit_test(the_form_is_stable),
        cmocka_unit_test(malformed_texts_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
