// The lexer: tokens, literals, comments, text that is none, pairing of brackets.
#include "util.h"

// The kinds of the tokens of `text`, as their spelling in token.def.
static void assert_tokens(const char *text, const char *expected)
{
    Session *cx = session_new();
    TokenStream ts = lex_source(cx, session_add_source(cx, "t", text, strlen(text)));
    Text out = text_new(cx->arena);
    for (int i = 0; i + 1 < ts.tokens.len; i++) {
        TokenKind k = ts.tokens.at[i].kind;
        text_printf(&out, "%s%s", i ? " " : "", token_info[k].text);
    }
    assert_string_equal(text_get(&out), expected);
    session_delete(cx);
}

static void test_signs(void **state)
{
    (void)state;
    assert_tokens("+ - * / % == != < <= > >= && || ! & | ^ << >>> |> >> ++ -> => .. = : :: , ; .",
                  "+ - * / % == != < <= > >= && || ! & | ^ << >>> |> >> ++ -> => .. = : :: , ; .");
    assert_tokens("a>>>b>>c>=d>e|>f||g|h",
                  "name >>> name >> name >= name > name |> name || name | name");
    assert_tokens("1..n", "integer .. name");
    assert_tokens("a.0.1", "name . integer . integer");
    assert_tokens("(a)[b]{c}@", "( name ) [ name ] { name } @");
    assert_tokens("+= -= *= /= %= &= |= ^= <<= >>>= ++= @@ @ ? $",
                  "+= -= *= /= %= &= |= ^= <<= >>>= ++= @@ @ ? $");
    assert_tokens("a>>>=b<<=c++=d+=e&=&f|=|g@@@h", "name >>>= name <<= name ++= name += name &= & "
                                                   "name |= | name @@ @ name");
    assert_tokens("-1->x", "- integer -> name");
}

static void test_words(void **state)
{
    (void)state;
    assert_tokens("fn fnx _ _a as1 as", "fn name _ name name as");
    assert_tokens("break in mut inn", "break in mut name");
    assert_tokens("a // b\nc /// d\n//// e\nf", "name name name");
}

static Token only_token(Session *cx, const char *text)
{
    TokenStream ts = lex_source(cx, session_add_source(cx, "t", text, strlen(text)));
    assert_int_equal(ts.tokens.len, 2);
    assert_int_equal(ts.tokens.at[0].hi, strlen(text));
    return ts.tokens.at[0];
}

static void assert_integer(const char *text, uint64_t value, const char *suffix)
{
    Session *cx = session_new();
    Token t = only_token(cx, text);
    assert_int_equal(t.kind, T_INT);
    assert_true(t.value.integer == value);
    assert_string_equal(t.name ? t.name->text : "", suffix);
    assert_int_equal(cx->errors, 0);
    session_delete(cx);
}

static void assert_float(const char *text, double value, const char *suffix)
{
    Session *cx = session_new();
    Token t = only_token(cx, text);
    assert_int_equal(t.kind, T_FLOAT);
    assert_true(t.value.number == value);
    assert_string_equal(t.name ? t.name->text : "", suffix);
    assert_int_equal(cx->errors, 0);
    session_delete(cx);
}

static void test_numbers(void **state)
{
    (void)state;
    assert_integer("0", 0, "");
    assert_integer("1_000_", 1000, "");
    assert_integer("0xFf_0u8", 0xff0, "u8");
    assert_integer("0b101", 5, "");
    assert_integer("7i64", 7, "i64");
    assert_integer("18446744073709551615", UINT64_MAX, "");
    assert_integer("0xffffffffffffffff", UINT64_MAX, "");
    assert_float("1.0", 1.0, "");
    assert_float("1e-3", 1e-3, "");
    assert_float("1.5e3", 1500, "");
    assert_float("1E+2f32", 100, "f32");
    assert_float("1.0f64", 1.0, "f64");
    assert_float("3f16", 3.0, "f16");
    assert_float("1_0.2_5", 10.25, "");
    assert_float("1e-400", 0.0, "");
}

// The errors of a text that is only read as tokens.
static void assert_lex_errors(const char *text, size_t len, const char *expected)
{
    Session *cx = session_new();
    TokenStream ts = lex_source(cx, session_add_source(cx, "t", text, len));
    lex_match_brackets(&ts);
    assert_string_equal(errors_of(cx), expected);
    session_delete(cx);
}

static void lex_errors(const char *text, const char *expected)
{
    assert_lex_errors(text, strlen(text), expected);
}

static void test_bad_numbers(void **state)
{
    (void)state;
    lex_errors("18446744073709551616 0x10000000000000000", "E0105@1:1 E0105@1:22");
    lex_errors("1e999 2", "E0105@1:1");
    lex_errors("0x 0b 0b12", "E0104@1:1 E0104@1:4 E0104@1:10");
    lex_errors("3q 1e 1.5u8 0x1p3 5bool", "E0104@1:2 E0104@1:5 E0104@1:10 E0104@1:16 E0104@1:20");
}

static void test_strings(void **state)
{
    (void)state;
    Session *cx = session_new();
    Token t = only_token(cx, "\"a\\n\\t\\r\\\\\\\"\\u{41}\\u{e9}\\u{20ac}\\u{1F600}\xc3\xa9\"");
    assert_int_equal(t.kind, T_STRING);
    assert_string_equal(t.value.string, "a\n\t\r\\\"A\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\xc3\xa9");
    assert_int_equal(cx->errors, 0);
    session_delete(cx);
    lex_errors("\"abc\n\"d\" \"", "E0102@1:1 E0102@2:5");
    lex_errors("\"\\q \\u{} \\u{110000} \\u{d800} \\u41\" x",
               "E0103@1:2 E0103@1:5 E0103@1:10 E0103@1:21 E0103@1:30");
    lex_errors("\"\\", "E0102@1:1");
}

static void test_bytes(void **state)
{
    (void)state;
    assert_integer("'a'", 'a', "u8");
    assert_integer("'\"'", '"', "u8");
    assert_integer("' '", ' ', "u8");
    assert_integer("'\\n'", '\n', "u8");
    assert_integer("'\\''", '\'', "u8");
    assert_integer("'\\\\'", '\\', "u8");
    assert_integer("'\\0'", 0, "u8");
    assert_integer("'\\u{0}'", 0, "u8");
    assert_integer("'\\u{7f}'", 127, "u8");
    assert_tokens("'a','b'..'c'", "integer , integer .. integer");
    lex_errors("'' 'ab' '\xc3\xa9' '\\u{80}'", "E0123@1:1 E0123@1:4 E0123@1:9 E0123@1:13");
    lex_errors("'\\q' '\\u{}' \"\\0\" \"\\u{0}\"", "E0103@1:2 E0103@1:7 E0103@1:14 E0103@1:19");
    lex_errors("x'\n'\xc3\xa9\n'", "E0102@1:2 E0102@2:1 E0102@3:1");
    lex_errors("'\\", "E0102@1:1");
    lex_errors("'\x01'", "E0101@1:2");
}

static void test_bad_text(void **state)
{
    (void)state;
    lex_errors("a # b \xc3\xa9\xc3\xa9 c ~ \\ ' `",
               "E0101@1:3 E0101@1:7 E0101@1:12 E0101@1:14 E0102@1:16 E0101@1:18");
    lex_errors("a \xff\xfe b", "E0101@1:3");
    lex_errors("// \xc3\n\"\xed\xa0\x80\"", "E0101@1:4 E0101@2:2");
    lex_errors("// \xf4\x90\x80\x80 \xc0\x80", "E0101@1:4");
    lex_errors("\x01 x \x7f", "E0101@1:1 E0101@1:5");
    assert_lex_errors("a\0b", 3, "E0101@1:2");
    lex_errors("\xef\xbb\xbf"
               "a",
               "");
}

static void test_comments(void **state)
{
    (void)state;
    static const char text[] = "// a\r\n\n  // b  \nx // c\n/// d\n//// e\n\n\n/// f";
    Session *cx = session_new();
    TokenStream ts = lex_source(cx, session_add_source(cx, "t", text, strlen(text)));
    static const struct {
        const char *text;
        bool own_line, blank, doc;
    } expected[] = {{"// a", true, false, false},   {"// b", true, true, false},
                    {"// c", false, false, false},  {"/// d", true, false, true},
                    {"//// e", true, false, false}, {"/// f", true, true, true}};
    assert_int_equal(ts.remarks.len, 6);
    for (int i = 0; i < 6; i++) {
        const Remark *r = &ts.remarks.at[i];
        assert_string_equal(r->comment.text, expected[i].text);
        assert_int_equal(r->comment.own_line, expected[i].own_line);
        assert_int_equal(r->comment.blank_before, expected[i].blank);
        assert_int_equal(r->doc, expected[i].doc);
    }
    session_delete(cx);
}

static void test_brackets(void **state)
{
    (void)state;
    lex_errors("([{}])", "");
    lex_errors("f(a", "E0106@1:2");
    lex_errors("f(a))", "E0107@1:5");
    lex_errors("{ (a }", "E0106@1:3");
    lex_errors("{ (a] }", "E0107@1:5");
    lex_errors("fn a { (\nfn b { }\nfn c { [ }", "E0106@1:8 E0106@3:8");
    lex_errors("x(\nfn(a)\n)", "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_signs),    cmocka_unit_test(test_words),
        cmocka_unit_test(test_numbers),  cmocka_unit_test(test_bad_numbers),
        cmocka_unit_test(test_strings),  cmocka_unit_test(test_bytes),
        cmocka_unit_test(test_bad_text), cmocka_unit_test(test_comments),
        cmocka_unit_test(test_brackets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
