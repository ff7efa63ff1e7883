// Marks in printed text: which lines come from which lines of the source.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/marks.h"

#include <string.h>

static Session *cx;
static uint32_t file, library;

static int setup(void **state)
{
    (void)state;
    cx = session_new();
    file = session_add_source(cx, "a.adz", "one\ntwo\nthree\n", 14);
    library = session_add_source(cx, "lib.adz", "far\n", 4);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    session_delete(cx);
    return 0;
}

static Span line(uint32_t of, int number)
{
    uint32_t lo = cx->sources.at[of - 1]->lines.at[number - 1];
    return (Span){of, lo, lo + 1};
}

static bool is_main(Span span, void *env)
{
    return span.file == *(uint32_t *)env;
}

// Formats lines as "text:1,2|text:".
static const char *taken(const Text *text, MarkWanted *wanted)
{
    MarkedLines lines = marks_take(cx, text_get(text), wanted, &file);
    Text out = text_new(cx->arena);
    for (int i = 0; i < lines.len; i++) {
        text_printf(&out, "%s%s:", i ? "|" : "", lines.at[i].text);
        for (int k = 0; k < lines.at[i].from.len; k++)
            text_printf(&out, "%s%d", k ? "," : "", lines.at[i].from.at[k]);
    }
    return text_get(&out);
}

static void part(Text *out, Span span, const char *text)
{
    mark_open(cx, out, span);
    text_put(out, text);
    mark_close(cx, out);
}

static void test_off(void **state)
{
    (void)state;
    Text out = text_new(cx->arena);
    part(&out, line(file, 1), "a");
    assert_string_equal(text_get(&out), "a");
}

static void test_lines(void **state)
{
    (void)state;
    Text out = text_new(cx->arena);
    cx->marks = true;
    part(&out, line(file, 3), "a");
    part(&out, line(file, 1), "b");
    part(&out, line(file, 3), "c");
    text_put(&out, "\nd\n");
    part(&out, line(file, 2), "e");
    assert_string_equal(taken(&out, is_main), "abc:1,3|d:|e:2");
}

// A line without a place of its own has that of the part around it; so have parts of the library.
static void test_around(void **state)
{
    (void)state;
    Text out = text_new(cx->arena);
    cx->marks = true;
    mark_open(cx, &out, line(file, 1));
    text_put(&out, "(\n x\n ");
    part(&out, line(library, 1), "y\n z");
    text_put(&out, "\n ");
    mark_open(cx, &out, line(file, 2));
    text_put(&out, "(\n");
    part(&out, NO_SPAN, "v");
    text_put(&out, ")");
    mark_close(cx, &out);
    text_put(&out, "\nw)");
    mark_close(cx, &out);
    text_put(&out, "\nend\n");
    assert_string_equal(taken(&out, is_main), "(:1| x:1| y:1| z:1| (:2|v):2|w):1|end:");
}

// Text that only resembles marks stays as it is.
static void test_others(void **state)
{
    (void)state;
    Text out = text_new(cx->arena);
    text_put(&out, "\1x\1"
                   "1,\1"
                   "1,2x\2\3");
    assert_string_equal(taken(&out, is_main), "\1x\1"
                                              "1,\1"
                                              "1,2x\2\3:");
    text_put(&out, "\n\n\1"
                   "1,0\2");
    assert_string_equal(taken(&out, NULL), "\1x\1"
                                           "1,\1"
                                           "1,2x\2\3:|:|\1"
                                           "1,0\2:");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_off, setup, teardown),
        cmocka_unit_test_setup_teardown(test_lines, setup, teardown),
        cmocka_unit_test_setup_teardown(test_around, setup, teardown),
        cmocka_unit_test_setup_teardown(test_others, setup, teardown),
    };
    return cmocka_run_group_tests_name("marks", tests, NULL, NULL);
}
