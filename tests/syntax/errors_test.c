// Errors: exact codes and places, several in one file, and nothing that only follows from another.
#include "util.h"

static void test_each_code(void **state)
{
    (void)state;
    assert_errors("const x = #1", "E0101@1:11");
    assert_errors("const x = f(\"a)\n", "E0102@1:13");
    assert_errors("test \"a {\n    true\n}\n", "E0102@1:6");
    assert_errors("const x = 1. + 2.", "E0104@1:11 E0104@1:16");
    assert_errors("fn f() -> i32 { (1)) }", "E0107@1:20");
    assert_errors("const x = \"\\q\"", "E0103@1:12");
    assert_errors("const x = 1q", "E0104@1:12");
    assert_errors("const x = 1e999", "E0105@1:11");
    assert_errors("const x = (1 + 2", "E0106@1:11");
    assert_errors("const x = 1 + 2)", "E0107@1:16");
    assert_errors("enum E { A, B }", "E0109@1:1");
    assert_errors("const x = 1 +", "E0110@1:14");
    assert_errors("x = 3", "E0111@1:1");
    assert_errors("fn f() -> i32 { let x = 1 \n x }", "E0112@1:25");
    assert_errors("fn f() -> i32 { let x = 1; }", "E0113@1:28");
    assert_errors("fn f() -> i32 { x; }", "E0113@1:17");
    assert_errors("const x = a < b < c", "E0114@1:17");
    assert_errors("const x = if a { b }", "E0115@1:11");
    assert_errors("const type = 1", "E0116@1:7");
    assert_errors("#![fast]\nconst x = 1", "E0117@1:1");
    assert_errors("fn f[n: size]() -> i32 { 1 }", "E0118@1:9");
}

static void test_reserved(void **state)
{
    (void)state;
    assert_errors(
        "rule a: map f (map g xs) -> map (f) xs\nstrategy s = a; b\nschedule f for omp { x; y }\n"
        "extern fn g(x: f32) -> f32\nimport a as b\nconst c = 1",
        "E0109@1:1 E0109@2:1 E0109@3:1 E0109@4:1 E0109@5:10");
    assert_errors("fn f() -> i32 {\n  let mut x = 1;\n  for i in n { let x = 1; x }\n  let y = "
                  "match x { a => b };\n"
                  "  while x { y = 3; }\n  x = 2;\n  let z = with (a) { 1 };\n  unchecked { z }\n}",
                  "E0109@2:7 E0109@3:3 E0109@4:11 E0109@5:3 E0109@7:11 E0109@8:3");
    assert_errors("fn f() -> i32 { x = 2; let y = loop { 1 }; y }", "E0109@1:19 E0109@1:32");
    assert_errors("fn @(?n) pow(x: f32) -> f32 { x }\nfn g(x: &f32) -> f32 { $x }",
                  "E0109@1:4 E0109@2:9 E0109@2:24");
    assert_errors("fn f(loop: i32) -> i32 { let mut = 1; match }",
                  "E0116@1:6 E0109@1:30 E0110@1:34 E0109@1:39");
}

static void test_several(void **state)
{
    (void)state;
    assert_errors("fn a(x: f32 -> f32 { x + }\nfn b() -> { 1 }\nfn c() -> f32 { let x = ; let y = "
                  "f(1 2, * 3); x }\n",
                  "E0106@1:5 E0110@2:11 E0110@3:25 E0110@3:39 E0110@3:42");
    assert_errors(
        "const a = 1 2\nconst b = )\nstruct S { x f32, y: , z: f32 }\ntype T = [n\ntest x { 1 }",
        "E0111@1:13 E0107@2:11 E0110@3:14 E0110@3:22 E0106@4:10 E0110@5:6");
    assert_errors(
        "fn f(x: i32, y) -> i32 { [1, , 2] }\nimport\nconst = 3\nfn g(1: i32, a b: i32) -> i32 { }",
        "E0110@1:15 E0110@1:30 E0110@3:1 E0110@3:7 E0110@4:6 E0110@4:16 E0113@4:33");
}

static void test_recovery(void **state)
{
    (void)state;
    // after a fault in a statement the next statement is read
    assert_errors("fn f() -> i32 { let x 1; let y = 2 3; let = 4; let z: = 5; z + }",
                  "E0110@1:23 E0110@1:36 E0110@1:43 E0110@1:55 E0110@1:64");
    // a missing semicolon hides nothing
    assert_errors("fn f() -> i32 {\n  let x = 1\n  let y = 2\n  x + }",
                  "E0112@2:11 E0112@3:11 E0110@4:7");
    // the fault in the head of a function does not hide those of its body
    assert_errors("fn f(x) i32 { let a = ; a }", "E0110@1:7 E0110@1:9 E0110@1:23");
    // what is left open is one error, and the next item is read
    assert_errors("fn f() -> i32 {\n  if a { 1 } else { 2\n}\nfn g() -> i32 { 1 + }\n",
                  "E0106@1:15 E0110@4:21");
    assert_errors("fn f() -> i32 { g(1, [2 }\nconst x = * 2", "E0106@1:22 E0110@2:11");
    assert_errors("fn f() -> i32 { 1 } }\nconst x = ]1", "E0107@1:21 E0107@2:11");
    assert_errors("const x = f(a], b)\nconst y = f(a] +", "E0107@1:14 E0107@2:14 E0110@2:17");
    // bad text is silent afterwards
    assert_errors("const x = 1 ~ 2\nconst y = f(?, ~)", "E0101@1:13 E0109@2:13 E0101@2:16");
}

static void test_hints(void **state)
{
    (void)state;
    Session *cx = session_new();
    const char *text = "fn f() -> i32 { let x = 1\n x }";
    parse_text(cx, text, strlen(text));
    assert_int_equal(cx->diags.len, 1);
    assert_true(cx->diags.at[0]->notes.len == 1 && cx->diags.at[0]->notes.at[0].help);
    session_delete(cx);
}

static void test_places(void **state)
{
    (void)state;
    assert_errors("const x = a[]", "E0110@1:13");
    assert_errors("const x = a.", "E0110@1:13");
    assert_errors("const x = a.1x", "E0104@1:14");
    assert_errors("type T = []f32", "E0110@1:10");
    assert_errors("type T = fn(f32)", "E0110@1:17");
    assert_errors("const x = P { 1 }", "E0110@1:15");
    assert_errors("const x = { a b }", "E0110@1:15");
    assert_errors("const x = {}", "E0113@1:12");
    assert_errors("const x = |a, 1| 2", "E0110@1:15");
    assert_errors("const x = (a, b", "E0106@1:11");
    assert_errors("const x = f(++, 1)", "E0110@1:13");
    assert_errors("pattern f() -> f32 { 1 }", "E0110@1:20");
    assert_errors("entry const x = 1", "E0110@1:7");
    assert_errors("fn (a: f32) -> f32 { 1 + }", "E0110@1:4 E0110@1:26");
    assert_errors("const x = if a < b { 1 } else if { 2 } else { 3 }\nconst y = *",
                  "E0110@1:40 E0110@2:11");
    assert_errors("", "");
    assert_errors("// nothing", "");
}

static void test_expression(void **state)
{
    (void)state;
    Session *cx = session_new();
    int next = 0;
    parse_expression(cx, session_add_source(cx, "t", "f(1) 2", 6), 10, &next);
    assert_string_equal(errors_of(cx), "E0110@1:6");
    assert_true(next > 10);
    session_delete(cx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_code),  cmocka_unit_test(test_reserved),
        cmocka_unit_test(test_several),    cmocka_unit_test(test_recovery),
        cmocka_unit_test(test_hints),      cmocka_unit_test(test_places),
        cmocka_unit_test(test_expression),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
