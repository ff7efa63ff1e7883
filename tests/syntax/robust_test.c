// Whatever the input, the parser ends, reports a place inside the file, and does not crash:
// prefixes of programs, random bytes, random tokens, programs with tokens changed, deep nesting.
#include "this_cc.h"
#include "util.h"

#include <stdio.h>
#include <stdlib.h>

// Parses, checks the places of the errors, and lays the result out when there are none.
static int survive(const char *text, size_t len)
{
    Session *cx = session_new();
    Module *m = parse_text(cx, text, len);
    for (int i = 0; i < cx->diags.len; i++) {
        Span span = cx->diags.at[i]->span;
        assert_true(span.file == 1 && span.lo <= span.hi && span.hi <= len);
    }
    int errors = cx->errors;
    Text out = text_new(cx->arena);
    if (errors == 0) format_module(cx, &out, m);
    session_delete(cx);
    return errors;
}

static void test_prefixes(void **state)
{
    (void)state;
    for (int i = 0; i < PROGRAMS; i++) {
        size_t len = strlen(programs[i]);
        for (size_t n = 0; n <= len; n += SANITIZED ? 5 : 1) survive(programs[i], n);
        assert_int_equal(survive(programs[i], len), 0);
    }
}

static void test_bytes(void **state)
{
    (void)state;
    static const char likely[] = "(){}[]|,;:=+-*.<>&\"/\n 019aenflt_\\\xc3\xa9\xff";
    uint64_t random = 1;
    for (int round = 0; round < 1500; round++) {
        char text[200];
        uint32_t len = random_below(&random, sizeof text);
        for (uint32_t i = 0; i < len; i++)
            text[i] = random_below(&random, 3) ? likely[random_below(&random, sizeof likely)]
                                               : (char)random_below(&random, 256);
        survive(text, len);
    }
}

// A random token, mostly with a blank after it.
static void add_token(Text *out, uint64_t *random)
{
    static const char *const values[] = {"", "?", "x", "1", "2.5", "\"s\""};
    static const char *const words[] = {"rule",     "strategy", "schedule",
                                        "contract", "allow",    "tune"};
    uint32_t k = random_below(random, TOKEN_COUNT + 10);
    text_put(out, k >= TOKEN_COUNT ? words[k % 6] : k <= T_STRING ? values[k] : token_info[k].text);
    if (random_below(random, 8)) text_char(out, random_below(random, 6) ? ' ' : '\n');
}

static void test_tokens(void **state)
{
    (void)state;
    uint64_t random = 2;
    for (int round = 0; round < 2000; round++) {
        Arena *arena = arena_new();
        Text out = text_new(arena);
        static const char *const starts[] = {"", "fn f() -> f32 { ", "rule r() { ",
                                             "strategy s() { ", "schedule f for omp"};
        text_put(&out, starts[round % 5]);
        for (uint32_t n = random_below(&random, 60); n > 0; n--) add_token(&out, &random);
        survive(text_get(&out), out.len);
        arena_delete(arena);
    }
}

// A program with one token left out, doubled, or replaced: at most a few errors come of it.
static void change_one(const char *program, uint64_t *random)
{
    Session *cx = session_new();
    TokenStream ts = lex_source(cx, session_add_source(cx, "t", program, strlen(program)));
    const Token *t = &ts.tokens.at[random_below(random, (uint32_t)ts.tokens.len - 1)];
    Text out = text_new(cx->arena);
    text_add(&out, program, t->lo);
    uint32_t how = random_below(random, 3);
    if (how == 1) text_add(&out, program + t->lo, t->hi - t->lo);
    text_char(&out, ' ');
    if (how == 1) text_add(&out, program + t->lo, t->hi - t->lo);
    if (how == 2) add_token(&out, random);
    text_put(&out, program + t->hi);
    int errors = survive(text_get(&out), out.len);
    if (errors > 4) fprintf(stderr, "%d errors in:\n%s\n", errors, text_get(&out));
    assert_true(errors <= 4);
    session_delete(cx);
}

static void test_changes(void **state)
{
    (void)state;
    uint64_t random = 3;
    for (int round = 0; round < 2000; round++) change_one(programs[round % PROGRAMS], &random);
}

// `before` n times, `middle`, `after` n times.
static void put_nested(Text *out, int n, const char *before, const char *middle, const char *after)
{
    for (int i = 0; i < n; i++) text_put(out, before);
    text_put(out, middle);
    for (int i = 0; i < n; i++) text_put(out, after);
}

static const char *nested(Arena *arena, int n, const char *before, const char *middle,
                          const char *after)
{
    Text out = text_new(arena);
    text_put(&out, "const x = 1 +\n");
    put_nested(&out, n, before, middle, after);
    text_put(&out, "\nconst y = *");
    return text_get(&out);
}

static void test_deep(void **state)
{
    (void)state;
    static const char *const shapes[][3] = {
        {"(", "1", ")"},
        {"-", "1", ""},
        {"|x| ", "1", ""},
        {"[", "", "]"},
        {"{ ", "1", " }"},
        {"if a { ", "1", " } else { 2 }"},
        {"if a { 1 } else ", "{ 2 }", ""},
        {"x as [", "1", "]f32"},
        {"[..", "1", "]"},
        {"x as idx[..[", "1", "]]"},
        {"f[", "n", "](1)"},
        {"1 + ", "1", ""},
        {"", "1", " + 1"},
        {"", "a", " |> f"},
        {"", "a", "(1)"},
        {"", "a", "[1]"},
        {"", "a", ".0"},
        {"", "a", " as f32"},
        {"-(", "1", ")"},
        {"x as fn(f32) -> ", "f32", ""},
        {"P { x: ", "1", " }"},
        {"{ let x = ", "1", "; x }"},
        {"& ", "1", ""},
        {"*", "1", ""},
        {"?", "1", ""},
        {"@@", "1", ""},
        {"if a {} else ", "{}", ""},
        {"while ", "a", " {}"},
        {"{ match a { x => 1 } ", "1", " }"},
        {"while a { ", "", " }"},
        {"loop { ", "", " }"},
        {"for i in f(", "", ") {}"},
        {"for i in f() { ", "", " }"},
        {"with f() { ", "", " }"},
        {"unchecked { ", "", " }"},
        {"with (i) { ", "1", " } fold(+, 0)"},
        {"with (", "a", " <= i) { 1 } fold(+, 0)"},
        {"with (i) { 1 } modarray ", "a", ""},
        {"with (i) { 1 } fold(+, ", "0", ")"},
        {"match a { x => ", "1", " }"},
        {"{ x = ", "1", "; }"},
        {"{ a; ", "1", " }"},
        {"x as [n]", "f32", ""},
        {"x as &mut ", "f32", ""},
        {"x as fn() -> ", "!", ""},
    };
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        Session *cx = session_new();
        const char *text = nested(cx->arena, 100000, shapes[i][0], shapes[i][1], shapes[i][2]);
        parse_text(cx, text, strlen(text));
        assert_int_equal(cx->errors, 2);
        assert_int_equal(cx->diags.at[0]->code, E0108);
        assert_int_equal(cx->diags.at[1]->code, E0110);
        session_delete(cx);
    }
}

static void test_deep_strategies(void **state)
{
    (void)state;
    static const char *const shapes[][3] = {
        {"{ ", "a", " }"},
        {"(", "a", ")"},
        {"f(", "a", ")"},
        {"-", "1", ""},
        {"a <+ ", "a", ""},
        {"a @ ", "a", ""},
        {"1 + ", "1", ""},
        {"", "f", "()"},
        {"", "a", "[0]"},
        {"if a { ", "", " }"},
        {"if a {} else ", "{}", ""},
        {"f([", "1", "])"},
        {"f({ b; ", "a", "; c })"},
    };
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        Session *cx = session_new();
        Text out = text_new(cx->arena);
        text_put(&out, "strategy s() {\n");
        put_nested(&out, 100000, shapes[i][0], shapes[i][1], shapes[i][2]);
        text_put(&out, "\n}\nconst y = *");
        parse_text(cx, text_get(&out), out.len);
        assert_int_equal(cx->errors, 2);
        assert_int_equal(cx->diags.at[0]->code, E0108);
        assert_int_equal(cx->diags.at[1]->code, E0110);
        session_delete(cx);
    }
}

// A long sequence is not deep.
static void test_long_sequence(void **state)
{
    (void)state;
    Session *cx = session_new();
    Text out = text_new(cx->arena);
    text_put(&out, "strategy s() {\n");
    put_nested(&out, 100000, "a; ", "b", "");
    text_put(&out, "\n}");
    const Module *m = parse_text(cx, text_get(&out), out.len);
    assert_int_equal(cx->errors, 0);
    assert_int_equal(m->items.at[0]->body->kids.len, 100001);
    session_delete(cx);
}

// What is below the limits is accepted, and can be printed.
static void test_deep_enough(void **state)
{
    (void)state;
    static const char *const shapes[][3] = {{"(", "1", ")"}, {"-", "1", ""}, {"|x| ", "1", ""}};
    for (size_t i = 0; i < 3; i++) {
        Session *cx = session_new();
        int next;
        const char *text = nested(cx->arena, 490, shapes[i][0], shapes[i][1], shapes[i][2]) + 14;
        size_t len = (size_t)(strchr(text, '\n') - text);
        Ast *e = parse_expression(cx, session_add_source(cx, "t", text, len), 0, &next);
        Text out = text_new(cx->arena);
        ast_print(&out, e);
        assert_int_equal(cx->errors, 0);
        assert_int_equal(out.len, len);
        session_delete(cx);
    }
}

// Brackets that never pair take linear time, too.
static void test_unpaired(void **state)
{
    (void)state;
    static const char *const shapes[][2] = {{"(", "]"},   {"[", "}"}, {"{", ")"},
                                            {"([{", "]"}, {"", ")"},  {"(", ""}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        Arena *arena = arena_new();
        const char *text = nested(arena, 50000, shapes[i][0], "", shapes[i][1]);
        assert_true(survive(text, strlen(text)) > 0);
        arena_delete(arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_prefixes),      cmocka_unit_test(test_bytes),
        cmocka_unit_test(test_tokens),        cmocka_unit_test(test_changes),
        cmocka_unit_test(test_deep),          cmocka_unit_test(test_deep_enough),
        cmocka_unit_test(test_unpaired),      cmocka_unit_test(test_deep_strategies),
        cmocka_unit_test(test_long_sequence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
