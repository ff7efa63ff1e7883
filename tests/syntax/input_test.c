// The inputs of `adze repl`: what they begin with, where the first part ends, and when they go on.
#include "this_cc.h"
#include "util.h"

#include <stdlib.h>

static uint32_t add_text(Session *cx, const char *text)
{
    return session_add_source(cx, "input", text, strlen(text));
}

// The names that an input binds, separated by blanks.
static const char *names_of(Session *cx, const Input *in)
{
    Text out = text_new(cx->arena);
    for (int i = 0; i < in->names.len; i++)
        text_printf(&out, "%s%s", i ? " " : "", in->names.at[i]->text);
    return text_get(&out);
}

static void test_kinds(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        InputKind kind;
        const char *names, *rest, *errors; // `rest`: the text after the first part
    } rows[] = {
        {"", INPUT_NOTHING, "", "", ""},
        {"  // nothing\n", INPUT_NOTHING, "", "", ""},
        {";;", INPUT_NOTHING, "", "", ""},
        {"1 + 2", INPUT_EXPRESSION, "", "", ""},
        {"1 + 2;", INPUT_EXPRESSION, "", "", ""},
        {"1; 2", INPUT_EXPRESSION, "", "2", ""},
        {"1\n2", INPUT_EXPRESSION, "", "2", ""},
        {"{ let x = 1; x } 2", INPUT_EXPRESSION, "", "2", ""},
        {"1 2", INPUT_EXPRESSION, "", "", "E0110@1:3"},
        {"x = 3", INPUT_EXPRESSION, "", "", "E0110@1:3"},
        {"let x = 3", INPUT_LET, "x", "", ""},
        {"let x = 3; x", INPUT_LET, "x", "x", ""},
        {"let mut x: i32 = 3;", INPUT_LET, "x", "", ""},
        {"let (a, (_, b)) = f(1)\na", INPUT_LET, "a b", "a", ""},
        {"let P { x, y: z } = p", INPUT_LET, "x z", "", ""},
        {"#![in_order]", INPUT_EXPRESSION, "", "", "E0110@1:1"},
        {"let x", INPUT_LET, "x", "", "E0110@1:6"},
        {"fn f() -> i32 { 1 }", INPUT_ITEMS, "", "", ""},
        {"fn f() -> i32 { 1 } fn g() -> i32 { 2 } f()", INPUT_ITEMS, "", "f()", ""},
        {"/// doc\nstruct P { x: f32 }", INPUT_ITEMS, "", "", ""},
        {"import std.linalg (dot); dot(a, b)", INPUT_ITEMS, "", "dot(a, b)", ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Session *cx = session_new();
        Input in = parse_input(cx, add_text(cx, rows[i].text), 0);
        assert_int_equal(in.kind, rows[i].kind);
        assert_string_equal(names_of(cx, &in), rows[i].names);
        assert_string_equal(rows[i].text + in.end, rows[i].rest);
        assert_string_equal(errors_of(cx), rows[i].errors);
        session_delete(cx);
    }
}

// A `let` becomes a block whose value is that of its names.
static void test_let(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"let x = 3", "{ let x = 3; x }"},
        {"let (a, b) = f(1)", "{ let (a, b) = f(1); (a, b) }"},
        {"let _ = 1", "{ let _ = 1; () }"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Session *cx = session_new();
        int next;
        Input in = parse_input(cx, add_text(cx, rows[i][0]), 0);
        const Ast *same = parse_expression(cx, add_text(cx, rows[i][1]), 0, &next);
        assert_true(ast_equal(in.value, same));
        session_delete(cx);
    }
}

static void test_unfinished(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool unfinished;
    } rows[] = {
        {"", false},       {"1", false},          {"f(1,", true},    {"fn f() {", true},
        {"[1, [2]", true}, {"(1))", false},       {")(", false},     {"[1, (2]", false},
        {"1 +", true},     {"x |>", true},        {"let x =", true}, {"f(1) // (", false},
        {"\"(\"", false},  {"1,", true},          {"/// doc", true}, {"/// doc\nfn f() { }", false},
        {"// doc", false}, {"let f = |x|", true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Session *cx = session_new();
        assert_int_equal(input_is_unfinished(cx, add_text(cx, rows[i].text)), rows[i].unfinished);
        session_delete(cx);
    }
}

// Whatever the input, the first part ends inside it, and so does each error.
static void test_random(void **state)
{
    (void)state;
    static const char *const pieces[] = {
        "let ", "x",       " = ",  "(",  ")",    "{", "}",       "[",   "]",
        ";",    "fn ",     "f",    ",",  "1",    "+", ":",       "|",   "\n",
        "mut ", "struct ", "/// ", "\"", "\xc3", "&", "import ", "#![", "="};
    enum { PIECES = sizeof pieces / sizeof *pieces };
    uint64_t random = 7;
    for (int round = 0; round < 3000; round++) {
        Session *cx = session_new();
        Text text = text_new(cx->arena);
        for (uint32_t n = random_below(&random, 20); n > 0; n--)
            text_put(&text, pieces[random_below(&random, PIECES)]);
        uint32_t file = add_text(cx, text_get(&text));
        (void)input_is_unfinished(cx, file);
        Input in = parse_input(cx, file, 0);
        assert_true(in.end <= text.len);
        assert_true(in.kind != INPUT_NOTHING || cx->errors || in.end == text.len);
        for (int i = 0; i < cx->diags.len; i++) assert_true(cx->diags.at[i]->span.hi <= text.len);
        session_delete(cx);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kinds),
        cmocka_unit_test(test_let),
        cmocka_unit_test(test_unfinished),
        cmocka_unit_test(test_random),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
