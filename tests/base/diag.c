// Positions in sources, and diagnostics as they are printed.
#include "base/session.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

static const char source[] = "let a = 1;\n\tlet \xc3\xa9 = b;\nend";

static Session *with_source(uint32_t *file)
{
    Session *cx = session_new();
    *file = session_add_source(cx, "dir/f.adz", source, sizeof source - 1);
    return cx;
}

static void positions_count_characters(void **state)
{
    (void)state;
    uint32_t file;
    Session *cx = with_source(&file);
    int line, column;
    session_position(cx, file, 0, &line, &column);
    assert_int_equal(line * 100 + column, 101);
    session_position(cx, file, 21, &line, &column); // b, after the two bytes of e acute
    assert_int_equal(line * 100 + column, 210);
    session_position(cx, file, sizeof source - 1, &line, &column);
    assert_int_equal(line * 100 + column, 304);
    session_position(cx, 0, 7, &line, &column);
    assert_int_equal(line + column, 0);
    session_delete(cx);
}

static void diagnostics_are_underlined_and_in_order(void **state)
{
    (void)state;
    uint32_t file;
    Session *cx = with_source(&file);
    Diag *later = diag_error(cx, E0201, (Span){file, 21, 22}, "nothing called %s", "b");
    diag_help(cx, later, "did you mean a?");
    diag_note(cx, later, (Span){file, 4, 5}, "this is near");
    diag_warning(cx, E0201, (Span){file, 0, 3}, "first");
    diag_error(cx, E0201, (Span){file, 21, 22}, "again"); // same code, same place: dropped
    Text out = text_new(cx->arena);
    diag_print_all(cx, &out, false);
    assert_string_equal(text_get(&out), "dir/f.adz:1:1: warning E0201: first\n"
                                        "    1 | let a = 1;\n"
                                        "      | ^^^\n"
                                        "dir/f.adz:2:10: error E0201: nothing called b\n"
                                        "    2 |  let \xc3\xa9 = b;\n"
                                        "      |          ^\n"
                                        "      = help: did you mean a?\n"
                                        "      = note: dir/f.adz:1:5: this is near\n"
                                        "    1 | let a = 1;\n"
                                        "      |     -\n");
    session_delete(cx);
}

static void too_many_errors_are_dropped(void **state)
{
    (void)state;
    uint32_t file;
    Session *cx = with_source(&file);
    for (uint32_t i = 0; i < 500; i++) diag_error(cx, E0201, (Span){file, i, i + 1}, "no %u", i);
    assert_int_equal(cx->errors, 500);
    assert_int_equal(cx->diags.len, 100);
    session_delete(cx);
}

static void faults_of_the_compiler_return_to_the_boundary(void **state)
{
    (void)state;
    Session *cx = session_new();
    jmp_buf boundary;
    cx->boundary = &boundary;
    if (setjmp(boundary) == 0) {
        CHECK(cx, 1 + 1 == 2, "never");
        CHECK(cx, 1 + 1 == 3, "the number is %d", 3);
        fail_msg("a failed CHECK went on");
    }
    assert_int_equal(cx->diags.len, 1);
    assert_int_equal(cx->diags.at[0]->code, E0901);
    session_delete(cx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(positions_count_characters),
        cmocka_unit_test(diagnostics_are_underlined_and_in_order),
        cmocka_unit_test(too_many_errors_are_dropped),
        cmocka_unit_test(faults_of_the_compiler_return_to_the_boundary),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
