// Errors: exact codes and places, several in one file, and nothing that only follows from another.
#include "util.h"

static void test_each_code(void **state)
{
    (void)state;
    assert_errors("const x = #1", "E0101@1:11");
    assert_errors("const x = f(\"a)\n", "E0102@1:13");
    assert_errors("bench { 1 }\nfn f() -> i32 { }\n", "E0110@1:7");
    assert_errors("test \"a {\n    true\n}\n", "E0102@1:6");
    assert_errors("const x = 1. + 2.", "E0104@1:11 E0104@1:16");
    assert_errors("fn f() -> i32 { (1)) }", "E0107@1:20");
    assert_errors("const x = \"\\q\"", "E0103@1:12");
    assert_errors("const x = 1q", "E0104@1:12");
    assert_errors("const x = 1e999", "E0105@1:11");
    assert_errors("const x = (1 + 2", "E0106@1:11");
    assert_errors("const x = 1 + 2)", "E0107@1:16");
    assert_errors("import a as b", "E0109@1:10");
    assert_errors("const x = 1 +", "E0110@1:14");
    assert_errors("x = 3", "E0111@1:1");
    assert_errors("fn f() -> i32 { let x = 1 \n x }", "E0112@1:25");
    assert_errors("const x = a < b < c", "E0114@1:17");
    assert_errors("const type = 1", "E0116@1:7");
    assert_errors("#![fast]\nconst x = 1", "E0117@1:1");
    assert_errors("#![explicit_memory]\n#![explicit_memory = 1]\nconst x = 1", "E0117@2:1");
    assert_errors("#[fast]\nstruct P { x: f32 }", "E0124@1:1");
    assert_errors("#[c_layout]\nenum P { A }\nconst x = ", "E0124@1:1 E0110@3:11");
    assert_errors("#[c_layout]", "E0110@1:12");
    assert_errors("fn f(x: [4]f32 strided) -> i32 { 1 }", "E0125@1:16");
    assert_errors("entry fn f(x: [4]([4]f32 strided, i32)) -> i32 { 1 }", "E0125@1:26");
    assert_errors("entry fn f(x: [4]f32 strided strided) -> i32 { 1 }", "E0110@1:30");
    assert_errors("entry fn f(x: [4]f32) -> ! strided { 1 as f32 strided }",
                  "E0125@1:28 E0125@1:47");
    assert_errors("fn f() -> i32 { #[c_layout] 1 }", "E0110@1:17");
    assert_errors("fn f[n: size]() -> i32 { 1 }", "E0118@1:9");
    assert_errors("fn f() -> i32 { return 1; }", "E0120@1:17");
    assert_errors("fn f() { for x in xs { x } }", "E0121@1:19");
}

static void test_reserved(void **state)
{
    (void)state;
    assert_errors("import a as b\nconst c = 1", "E0109@1:10");
    assert_errors("fn f(loop: i32) -> i32 { let while = 1; let x: match = 1; x.in }",
                  "E0116@1:6 E0116@1:30 E0110@1:48 E0116@1:61");
    assert_errors("fn f(return: i32) { let break = 1; let mut continue = 1; |break| 1 }",
                  "E0116@1:6 E0116@1:25 E0116@1:44 E0116@1:59");
}

// Words of rules, strategies and schedules are names elsewhere, and items begin with them even
// where brackets are open.
static void test_words(void **state)
{
    (void)state;
    assert_errors("import rule (schedule)\nconst contract = 1\n"
                  "struct strategy { rule: i32, allow: f32 }\n"
                  "fn schedule[tune: nat](reassociate: strategy) -> i32 {\n"
                  "  let contract = rule(1); contract.rule <contract }",
                  "");
    assert_errors("const x = rule\nrule r() { a => b }\nconst y = schedule\n"
                  "contract rule s() { a => b }\nconst z = 1 +\nschedule f { s }",
                  "E0110@6:1");
    assert_errors("fn f() { g(\nrule r() { a => b }\nstrategy s() { (\nschedule f { s <+ }\n"
                  "reassociate rule t() { a }",
                  "E0106@1:11 E0106@3:16 E0110@4:19 E0110@5:26");
}

static void test_rules(void **state)
{
    (void)state;
    assert_errors("rule r: map(f) => map(g)\nrule s(a: f32) { a }\nrule t() { a => b => c }\n"
                  "rule u() { a => b; }\nrule v() {}\nrule w() { + => - }\nrule x() { => }",
                  "E0110@1:7 E0110@2:20 E0110@3:19 E0110@4:18 E0110@5:11 E0110@6:12 E0110@6:19 "
                  "E0110@7:12 E0110@7:15");
    assert_errors("rule (x: f32) { a => b }\nrule r { a => b + }\nrule s(a: f32) -> f32 { a => }\n"
                  "rule t(m: nat, k: f32)[n: nat](x) where n m { a => + }\n"
                  "rule u(m: [n]nat)(x: nat) { let a = b; => a }",
                  "E0110@1:6 E0110@2:8 E0110@2:19 E0110@3:16 E0110@3:30 E0118@4:19 E0110@4:33 "
                  "E0110@4:43 E0110@4:52 E0118@5:11 E0110@5:29");
    assert_errors("fast rule r() { a => b }\ncontract fn f() {}\nreassociate\nrule s() { a => }",
                  "E0111@1:1 E0110@2:10 E0110@4:17");
}

static void test_strategies(void **state)
{
    (void)state;
    assert_errors(
        "strategy s { a }\nstrategy t(a, b: f32, c: [f32], d: [strategy], e: []) { a + }\n"
        "strategy u() -> strategy { a }\nstrategy v() a",
        "E0110@1:12 E0110@2:13 E0118@2:18 E0118@2:26 E0118@2:36 E0110@2:52 E0110@2:61 "
        "E0110@3:14 E0110@4:14");
    assert_errors("strategy s() {\n  a\n  b c;\n  <+ d;\n  e <+;\n  f @ @ g;\n  h();\n  |x| x;\n"
                  "  let i = j;\n  ;\n  k\n}",
                  "E0112@2:3 E0110@3:5 E0110@4:3 E0110@5:7 E0110@6:7 E0110@8:3 E0110@9:3 "
                  "E0110@10:3");
    assert_errors("strategy s() {\n  if a { b <+ } else { @ }\n  if { c };\n  if a > b c;\n"
                  "  if a { b } else c\n  { d +; }\n}",
                  "E0110@2:15 E0110@2:24 E0110@3:11 E0110@4:12 E0110@5:19 E0110@6:8");
    assert_errors("strategy s() { a(b; c); (d; e); f(1, , {); [1, ]; }",
                  "E0110@1:19 E0110@1:27 E0110@1:38 E0106@1:40");
    assert_errors("strategy s() { a < + b; a < b; a.b }", "E0110@1:18 E0110@1:27 E0110@1:33");
}

static void test_schedules(void **state)
{
    (void)state;
    assert_errors("schedule\nschedule f for { a b }\nschedule f for omp(a, b = , c = tune(), "
                  "d = tune(1, )) { a <+ }\nschedule f allow { a + }",
                  "E0110@2:1 E0110@2:16 E0110@2:20 E0110@3:21 E0110@3:27 E0110@3:33 "
                  "E0110@3:63 E0110@4:18 E0110@4:24");
    assert_errors("schedule f(2, 3, a = 1) { + }", "E0110@1:12 E0110@1:27");
    assert_errors(
        "schedule f allow exact { a }\nschedule f for omp allow contract reassociate { + }",
        "E0110@1:18 E0110@2:35 E0110@2:49");
}

static void test_jumps(void **state)
{
    (void)state;
    assert_errors(
        "fn f() {\n  break;\n  continue;\n  return x + 1;\n  return;\n  if c { return -x }\n"
        "  match a { 0 => break, 1 => return x, _ => { break } }\n  x + }",
        "E0120@2:3 E0120@3:3 E0120@4:3 E0120@5:3 E0120@6:10 E0120@7:30 E0110@8:7");
    assert_errors("fn f() {\n  while c { continue }\n  let k = break;\n  k(return, [break])\n}",
                  "");
    assert_errors("fn f() { loop { break\n let x = 1; } }", "E0120@1:17");
}

static void test_statements(void **state)
{
    (void)state;
    // where a `;` is missing the next line is read
    assert_errors("fn f() {\n  x = 1\n  f()\n  x += 1\n  let y = 2\n  while c {}\n  y\n}",
                  "E0112@2:7 E0112@3:5 E0112@4:8 E0112@5:11");
    assert_errors("fn f() { x = 1 }", "E0112@1:14");
    assert_errors("fn f() { x y; a = b = c; f(a = 1); let z = ; }",
                  "E0110@1:12 E0110@1:21 E0110@1:30 E0110@1:44");
    assert_errors("fn f() { ; }", "E0110@1:10");
    assert_errors(
        "fn f() { let mut (a, b) = x; let mut _ = y; let (mut a, mut _) = z; let mut mut a = 1; }",
        "E0110@1:18 E0110@1:38 E0110@1:61 E0110@1:77");
    assert_errors("fn f(mut x: i32, y: i32) { 1 + }\nstruct S { mut x: i32 }",
                  "E0110@1:6 E0110@1:32 E0110@2:12");
    // a fault in the head of a construct does not hide those of its body
    assert_errors(
        "fn f() {\n  if a b { x = ; }\n  while , { y + ; }\n  for in f() { z + }\n"
        "  for i of f() { let = 1; }\n  for x in 0..n { x + }\n  match a b { 0 = 1, 1 => , }\n"
        "  with x, in f() { ( + }\n}",
        "E0110@2:8 E0110@2:16 E0110@3:9 E0110@3:17 E0110@4:7 E0110@4:20 E0110@5:9 "
        "E0110@5:22 E0121@6:12 E0110@6:23 E0110@7:11 E0110@7:17 E0110@7:27 E0110@8:11 "
        "E0106@8:20");
    // and what is wrong in a statement does not hide the one on the next line
    assert_errors("fn f() {\n  x = 1 2\n  while c { y = }\n  g({ 3 4 }, )\n  loop { z + }\n}",
                  "E0110@2:9 E0110@3:17 E0110@4:9 E0110@5:14");
    assert_errors("fn f() { if p == P { x: 1 } { y } else { z } }", "E0110@1:18");
    assert_errors("fn f() { while f(P { x: 1 }) == P { x: } {} }", "E0110@1:33 E0110@1:40");
    assert_errors("fn f() { if x = 1 { y = } }", "E0110@1:15 E0110@1:25");
    assert_errors("fn f() { unchecked a[i] }", "E0110@1:20");
    assert_errors("fn f() { scalar |a, b| { a } }", "E0110@1:19");
}

static void test_with_loops(void **state)
{
    (void)state;
    // without an operator what follows is read
    assert_errors(
        "fn f() {\n  let z = with (a) { 1 + };\n  with (i) { 2 }\n  g(with (i) {})\n  1 + }",
        "E0110@2:26 E0122@2:26 E0122@3:16 E0122@4:15 E0110@5:7");
    assert_errors("const x = with (i) { 1 } array([2])\nconst y = with (i) { 1 } (fold(+, 0), x)",
                  "E0122@1:26 E0122@2:39");
    assert_errors("const x = with (i) { 1 }\nconst y = with (i)\nconst z = with (i) { 1 } (",
                  "E0122@1:24 E0110@3:1 E0106@3:26");
    assert_errors("const x = with (fold(+, 0)) 1", "E0110@1:16");
    assert_errors("const x = with () { 1 } fold(+, 0)\nconst y = with { 1 } fold(+, 0)",
                  "E0110@1:17 E0121@2:16");
    // a fault in a generator does not hide those of the bodies
    assert_errors("const x = with (. + 1 <= i) { 1 + } (i < ) { * } (i < .. n) { 2 / } fold(+, 0)",
                  "E0110@1:19 E0110@1:35 E0110@1:42 E0110@1:48 E0110@1:55 E0110@1:67");
    assert_errors("const x = with (i > 0) { 1 } (0 < (i) < n) { 1 } (0 < mut i) { 1 } "
                  "(0 < 1 < n) { 1 } ([i, 1] < n) { 1 } (1 < [i, (j)]) { 1 } fold(+, 0)",
                  "E0110@1:19 E0110@1:35 E0110@1:55 E0110@1:73 E0110@1:114");
    assert_errors("const x = with (i width 1 step 2) { 1 } (0 < i < n < m) { 1 } (i step) { 1 } "
                  "(i, j) { 1 } fold(+, 0)",
                  "E0110@1:27 E0110@1:52 E0110@1:70 E0110@1:80");
    assert_errors(
        "const x = with (i) { 1 } fold(+)\nconst y = with (i) { 1 } genarray()\n"
        "const z = with (i) { 1 } genarray(a, b, c)\nconst w = with (i) { 1 } modarray(a, b)\n"
        "const v = with (i) { 1 } fold[+, 0]\nconst u = with (i) { 1 } modarray",
        "E0110@1:26 E0110@2:26 E0110@3:26 E0110@4:26 E0110@5:30 E0110@6:34");
    assert_errors("const x = .\nconst y = a[.]\nconst z = with (i < (.)) { . } fold(+, .)",
                  "E0110@1:11 E0110@2:13 E0110@3:22 E0110@3:28 E0110@3:40");
}

static void test_match(void **state)
{
    (void)state;
    assert_errors(
        "fn f() { match a { \"s\" => 1, -x => 2, S.1 => 3, x | y => 4, f(x) => 5, 1 -> 6, 7 } }",
        "E0110@1:20 E0110@1:31 E0110@1:41 E0110@1:51 E0110@1:62 E0110@1:74 E0110@1:82");
    assert_errors(
        "fn f() { match a { 0 => 1 1 => 2, 2 => {} 3 => x = 1, y: i32 => 4, 5 if => 6 } }",
        "E0110@1:27 E0110@1:50 E0110@1:56 E0110@1:73");
}

static void test_items(void **state)
{
    (void)state;
    assert_errors("enum E { A(f32, B }\nenum { A }\nenum F A\nenum G { A: i32, B(x y), 1, C }",
                  "E0106@1:11 E0110@2:6 E0110@3:8 E0110@4:11 E0110@4:22 E0110@4:26");
    assert_errors("extern fn f(x: f32) -> f32 { x }\nextern g()\nextern fn h() f32",
                  "E0110@1:28 E0110@2:8 E0110@3:15");
    assert_errors("fn @() f() {}\nfn @(a b) g() { 1 + }\nfn h(@(1 +) x: i32, @ @ y: i32) {}\n"
                  "pattern p(@ x: f32) -> f32\nextern fn e(@ x: f32)\nstruct S { @ x: f32 }",
                  "E0110@1:6 E0110@2:8 E0110@2:21 E0110@3:11 E0110@3:23 E0110@4:11 E0110@5:13 "
                  "E0110@6:12");
    assert_errors("fn f(x: !) {}\ntype T = fn(!) -> !\ntype U = [n]!\nfn g() -> &mut {}",
                  "E0110@1:9 E0110@2:13 E0110@3:13 E0110@4:16");
    assert_errors("const x = @@a\nconst y = @@f(x).0\nconst z = @f(x)",
                  "E0121@1:13 E0121@2:13 E0110@3:11");
}

static void test_several(void **state)
{
    (void)state;
    assert_errors("fn a(x: f32 -> f32 { x + }\nfn b() -> { 1 }\nfn c() -> f32 { let x = ; let y = "
                  "f(1 2, / 3); x }\n",
                  "E0106@1:5 E0110@2:11 E0110@3:25 E0110@3:39 E0110@3:42");
    assert_errors(
        "const a = 1 2\nconst b = )\nstruct S { x f32, y: , z: f32 }\ntype T = [n\ntest x { 1 }",
        "E0111@1:13 E0107@2:11 E0110@3:14 E0110@3:22 E0106@4:10 E0110@5:6");
    assert_errors(
        "fn f(x: i32, y) -> i32 { [1, , 2] }\nimport\nconst = 3\nfn g(1: i32, a b: i32) -> i32 { }",
        "E0110@1:15 E0110@1:30 E0110@3:1 E0110@3:7 E0110@4:6 E0110@4:16");
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
    assert_errors("fn f() -> i32 { g(1, [2 }\nconst x = / 2", "E0106@1:22 E0110@2:11");
    assert_errors("fn f() -> i32 { 1 } }\nconst x = ]1", "E0107@1:21 E0107@2:11");
    assert_errors("const x = f(a], b)\nconst y = f(a] +", "E0107@1:14 E0107@2:14 E0110@2:17");
    // bad text is silent afterwards
    assert_errors("const x = 1 ~ 2\nconst y = f(?, ~)", "E0101@1:13 E0110@2:14 E0101@2:16");
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
    assert_errors("type T = idx[]\ntype U = [.. ]f32\nconst x = [1, .., 2, ..]",
                  "E0110@1:10 E0110@2:14 E0110@3:17 E0110@3:24");
    assert_errors("const x = f(..s)\nconst y = ..s\nconst z = (..s, 1)\ntype P = Q[..s]",
                  "E0110@1:13 E0110@2:11 E0110@3:12 E0110@4:12");
    assert_errors("type T = fn(f32)", "E0110@1:17");
    assert_errors("const x = P { 1 }", "E0110@1:15");
    assert_errors("const x = { a b }", "E0110@1:15");
    assert_errors("const x = |a, 1| 2", "E0110@1:15");
    assert_errors("const x = (a, b", "E0106@1:11");
    assert_errors("const x = f(++, 1)", "E0110@1:13");
    assert_errors("pattern f() -> f32 = 1", "E0111@1:20");
    assert_errors("entry const x = 1", "E0110@1:7");
    assert_errors("fn (a: f32) -> f32 { 1 + }", "E0110@1:4 E0110@1:26");
    assert_errors("const x = if a < b { 1 } else if { 2 } else { 3 }\nconst y = /",
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
        cmocka_unit_test(test_expression), cmocka_unit_test(test_jumps),
        cmocka_unit_test(test_statements), cmocka_unit_test(test_match),
        cmocka_unit_test(test_items),      cmocka_unit_test(test_with_loops),
        cmocka_unit_test(test_words),      cmocka_unit_test(test_rules),
        cmocka_unit_test(test_strategies), cmocka_unit_test(test_schedules),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
