// Hints for what is written in other languages: each row of foreign.def that a program can meet,
// and that what they say to write can be written.
#include "infer/support.h"

#include <stdio.h>

typedef struct {
    const char *source, *hint;
} Case;

// The first error of a program has a hint with this text.
static void check_hint(const Case *c)
{
    Inferred r = infer_text(c->source, strlen(c->source));
    if (r.cx->diags.len == 0) fail_msg("no error in\n%s", c->source);
    const Diag *first = r.cx->diags.at[0];
    bool found = false;
    for (int k = 0; k < first->notes.len; k++)
        found |= first->notes.at[k].help && strstr(first->notes.at[k].text, c->hint);
    if (!found) {
        report(&r);
        fail_msg("%s\n: no hint `%s`", c->source, c->hint);
    }
    session_delete(r.cx);
}

#define CHECK_HINTS(cases)                                                                         \
    for (size_t i = 0; i < sizeof(cases) / sizeof *(cases); i++) check_hint(&(cases)[i])

static void test_grammar(void **state)
{
    (void)state;
    static const Case cases[] = {
        {"fn f(x: [4]f32) -> [4]f32 { x[::-1] }", "to reverse an array write reverse(xs)"},
        {"fn f(x: f32) -> f32 { .5 * x }", "a number has digits on both sides of its point: 0.5"},
        {"fn g(a: f32, k: i32) -> f32 { a }\nfn f(x: f32) -> f32 { g(x, k=3) }",
         "there are no named arguments: write f(a, b),"},
        {"fn g(a: f32, k: i32 = 3) -> f32 { a }", "parameters have no defaults; declare a second"},
        {"struct P { x: f32, y: f32 }\nfn f() -> P { P { x = 1.0, y = 2.0 } }",
         "write each field with its value: x: ..."},
        {"struct P { x: f32 = 0.0 }", "fields have no defaults; declare a function"},
        {"struct P { x: f32; y: f32 }", "separate fields by commas: struct P { x: f32, y: f32 }"},
        {"struct P { x, y }", "each parameter or field has a type: x: f32"},
        {"enum E { A = 1, B = 2 }", "options have no numbers; declare constants,"},
        {"fn f(n: i64) { for i = 1:n { } }", "range counts: for i in range(0, n) { ..."},
        {"fn f(n: i64) { let mut i = 0; do { i += 1; } while (i < n); }",
         "for a loop with its condition at the end write"},
        {"fn f(n: i64) -> i64 { switch (n) { case 0: 1; default: 2; } }",
         "use match to distinguish cases: match k { 0 =>"},
        {"fn f(n: i64) { repeat 10 { } }", "the loops are for i in range(0, n) { ... }, while"},
        {"fn f(x: [4]f32) -> [2][2]f32 { split::<2>(x) }",
         "write generic arguments in brackets: f[4](x), Pair[f32]"},
        {"fn f(x: [4]f32) -> [2][2]f32 { split<2>(x) }",
         "write generic arguments in brackets: f[4](x), Pair[f32]"},
        {"fn f(x: f32) -> f32 { std::min(x, 1.0) }",
         "name a module only in its import: `import std.stats"},
        {"fn f(x: f32) -> f32 { 2x }", "write a product as 2 * x"},
        {"fn f(x: f32) -> f32 { 2.0f * x }", "2.0 takes the type that is needed; to choose"},
        {"fn f(x: f32) -> f32 { 2.0i + x }", "complex numbers are in std.complex: import"},
        {"fn f[n: nat](x: [2n]f64) -> i32 { 1 }", "write a product as 2 * n"},
        {"#define N 3\nfn f() { }",
         "write const N: nat = 3 for a constant, and a function for a macro"},
        {"fn f(x: [4]f64) -> [4]f64 { x |> map |y| y * 2.0 }", "write map(|y| ...)"},
        {"type V3 = [f64; 3]", "the type of an array of n elements is [n]f32"},
        {"fn f[n: nat](xs: [n]f32) -> f32 { let mut s = 0.0; for x in xs { s += x; } s }",
         "to loop over the elements of an array write"},
        {"fn f[n: nat](xs: [n]f32) -> f32 { let mut s = 0.0; for i in 0..n { s += xs[i]; } s }",
         "range counts: for i in range(0, n) { ..."},
        {"fn f[n: nat](xs: [n]f32) -> f32 { let mut s = 0.0; for (int i = 0; i < n; i++) { s += "
         "xs[i]; } s }",
         "write the loop without parentheses: for i in"},
        {"fn f[n: nat](xs: [n]f32) -> f32 { let mut s = 0.0; for (i in range(0, n)) { s += xs[i]; "
         "} s }",
         "write the loop without parentheses: for i in"},
        {"fn f[n: nat](xs: [n]f32) -> f32 { let mut s = 0.0; for i in (0..n).step_by(2) { s += "
         "xs[i]; } s }",
         "range counts: for i in range(0, n) { ..."},
        {"fn f(n: i64) { for i in range(0, n) { for j in range(0, n) { if i * j > 5 { break outer; "
         "} } } }",
         "to use the break of an outer loop, name it"},
        {"fn f(n: i64) { 'outer: for i in range(0, n) { } }",
         "loops have no labels; to leave an outer loop,"},
        {"fn f(x: [2][2]f32) -> [2][2]f32 { x' }", "write transpose(x) to transpose a matrix"},
        {"fn f(x: [2][2]f32) -> [2][2]f32 { x .* x }",
         "operators work on arrays element by element:"},
        {"fn f(x: [2][2]f32) -> [2]f32 { x[0, ..] }",
         "leave out trailing dimensions, y[0] is row 0;"},
        {"fn f(x: [4][4]f32) -> [2][2]f32 { x[1..3, 1..3] }",
         "a slice applies to the first dimension; to slice"},
        {"fn f() -> f32 { mut s = 0.0; s }", "`let x = e;` names a value, `let mut x"},
        {"fn f() -> f32 { s := 0.0; s }", "`let x = e;` names a value, `let mut x"},
        {"fn f() -> f32 { let mut a = 1.0, b = 2.0; a }",
         "write one `let` for each name: let a = 1; let b = 2;"},
        {"fn f() -> f32 { let mut p = 1.0; let mut q = 2.0; p, q = q, p; p }",
         "to swap two variables write (p, q) = (q, p);"},
        {"fn f() -> (f32, f32) { let mut p = 1.0; let mut q = 2.0; p, q }",
         "write several values as a tuple: (a, b)"},
        {"struct P { x: f32 }\nfn f(x: f32) -> P { P { x } }",
         "write each field with its value: x: x"},
        {"struct P { x: f32 }\nfn f(x: f32) -> P { new P(x) }",
         "write a struct with its name and its fields:"},
        {"struct P { x: f32 }\nimpl P { fn f(self) -> f32 { 1 } }",
         "there are no methods: declare a function fn area(p:"},
        {"enum Op { Add(f32), Mul(f32) }\nfn f(o: Op) -> f32 { match o { Add(k) => k, Mul(k) => k "
         "} }",
         "write an option with its enum: Shape.Circle(r)"},
        {"fn f(k: i32) -> i32 { match k { 0: 1, _: 2 } }", "write an arm as 0 => value,"},
        {"fn f(k: i32) -> i32 { match k { 1..5 => 1, _ => 2 } }",
         "to match a range of values write x if 1 <= x && x < 5 => ..."},
        {"pub fn f() { }", "`entry fn` declares a function that can be called from outside; other"},
        {"export fn f() { }", "`entry fn` declares a function that can be called from outside"},
        {"float f(float x) { x }", "declare a function as fn name(x: i32) -> i32 { ... }"},
        {"typedef float V3[3];", "to declare a name for a type write type V3 = [3]f32"},
        {"#[test]\nfn f() { }", "write a test as an item of its own: test \"sum\""},
        {"fn f[T](x: T) -> T { x }", "each generic parameter has a kind: fn f[n:"},
        {"fn f<T>(x: T) -> T { x }", "each generic parameter has a kind: fn f[n:"},
        {"struct P[T] { x: T }", "each generic parameter has a kind: fn f[n:"},
        {"fn f((x, y): (f32, f32)) -> f32 { x }",
         "a parameter is a single name: fn f(p: (f32, f32))"},
        {"fn f(x) -> f32 { x }", "each parameter or field has a type: x: f32"},
        {"import std.stats {sum}", "`import std.linalg` imports a module,"},
        {"fn f(x: f32) -> f32 { print(f\"x = {x}\"); x }",
         "pass texts and values to print as its arguments:"},
        {"fn f(x: f32) -> f32 { let v = vec![1.0, 2.0]; x }",
         "write an array as [1.0, 2.0], or as repeat[n](0.0)"},
        {"fn f(x: f32) -> f32 { if x < 0 { panic!(\"no\") } x }",
         "there are no exceptions: assert(c, \"message\")"},
        {"fn f(x: f32) -> f32 { if x < 0 { raise \"no\" } x }",
         "there are no exceptions: assert(c, \"message\")"},
        {"fn f(x: i32) -> bool { x is 3 }", "to test equality write a == b"},
        {"fn f(x: i32) -> bool { if x in [1, 2] { true } else { false } }",
         "to test whether an array contains x use any(|y|"},
        {"fn f(x: f32) -> f32 { 1.0 if x > 0.0 else 0.0 }",
         "if is an expression: if c { a } else { b }"},
        {"fn f(x: f32) -> f32 { abs x }", "a call needs parentheses around its arguments: sin(x)"},
        {"fn f(x: f32) -> f32 { let d = {\"a\": 1}; x }",
         "there are no dictionaries; for values with named"},
        {"fn f(x: f32) -> f32 { x − 1.0 }", "use the ASCII minus sign: -"},
        {"fn f(x: f32) -> f32 { print(“abc”); x }",
         "use straight quotes: \"text\", and 'a' for a byte"},
        {"fn f(x: f32) -> f32 { if x = 0 { 1 } else { 2 } }",
         "an assignment is a statement, { x = e; }; a"},
        {"fn f(x: [3]f32) -> f32 { let mut s = 0.0; map(|v| s += v, x); s }",
         "an assignment is a statement, { x = e; }; a"},
        {"fn f(x: f32) -> f32 { let y: i32; x }", "initialise each variable: let mut x = 0;"},
        {"fn f(x: f32) -> f32 { if x > 0 and x < 1 { 1 } else { 2 } }",
         "write the logical and as a && b"},
        {"fn f(x: f32) -> f32 { (x > 0, x = 2) }", "an assignment is a statement, { x = e; }; a"},
        {"fn f() { switch x { } }", "use match to distinguish cases: match k { 0 =>"},
    };
    CHECK_HINTS(cases);
}

static void test_names(void **state)
{
    (void)state;
    static const Case cases[] = {
        {"fn f(x: f32) -> f32 { clamp(x, 0.0, 1.0) }",
         "use clamped(lo, hi, x) of std.math: import std.math (clamped)"},
        {"fn f(x: f32) -> f32 { clip(x, 0.0, 1.0) }",
         "use clamped(lo, hi, x) of std.math: import std.math (clamped)"},
        {"fn f(x: f32) -> f32 { swap(x, x) }", "to swap two variables write (p, q) = (q, p);"},
        {"fn f(x: f32) -> f32 { rand() }", "a random number is a function of a seed and an"},
        {"fn f(x: f32) -> f32 { random() }", "a random number is a function of a seed and an"},
        {"import std.random (random)\nfn f(x: f32) -> f32 { random() }",
         "a random number is a function of a seed and an"},
        {"import std.stats (average)", "import it: import std.stats (mean)"},
        {"import std.random (unifrom)", "did you mean `uniform`?"},
        {"fn f() -> [4]i64 { arange(4) }", "import it: import std.arrays (arange)"},
        {"fn f() -> [4]f32 { logspace(0.0, 1.0, 4) }",
         "for equally spaced numbers use arange(n, from, step) or linspace(n, lo, hi)"},
        {"fn f() -> [4][4]f32 { eye(4) }",
         "use identity[n]() of std.linalg: import std.linalg (identity)"},
        {"fn f() -> [4][4]f32 { zeros((4, 4)) }", "repeat[n](0.0) is an array of n"},
        {"fn f() -> [4]f32 { np.zeros(4) }", "repeat[n](0.0) is an array of n"},
        {"fn f(x: [4]f32) -> f32 { np.sum(x) }", "import it: import std.stats (sum)"},
        {"fn f(x: f32) -> f32 { np.sqrt(x) }", "write the name without that of a module: sqrt"},
        {"fn f(x: f32) -> f32 { Math.max(x, 1.0) }",
         "write the name without that of a module: max"},
        {"import std.stats\nfn f(x: [4]f32) -> f32 { stats.sum(x) }",
         "write the name without that of a module: sum"},
        {"fn f(x: [4]f32) -> f32 { stats.sum(x) }", "import it: import std.stats (sum)"},
        {"fn f(x: f32) -> f32 { math.sqrt(x) }", "write the name without that of a module: sqrt"},
        {"fn f(x: [4]f32) -> [4]f32 { zeros_like(x) }", "repeat[n](0.0) is an array of n"},
        {"fn f(x: [4]f32) -> [4]f32 { cumsum(x) }",
         "for cumulative sums write scan(+, 0.0, xs); scan_ex"},
        {"fn f(x: [4]f32) -> [4]f32 { where(x > 0, x, 0) }",
         "to select elements of two arrays use choose(c,"},
        {"fn f(x: [4]f32) -> [8]f32 { concatenate([x, x]) }",
         "a ++ b concatenates arrays; [a, b] is an array"},
        {"fn f(x: [4]f32) -> [2][4]f32 { stack(x, x) }",
         "a ++ b concatenates arrays; [a, b] is an array"},
        {"fn f(x: [4]f32) -> [4]f32 { let y = x.clone(); y }",
         "arrays are values: after let b = a; changes of"},
        {"fn f(x: [4]f32) -> [4]f32 { let y = x.copy(); y }",
         "arrays are values: after let b = a; changes of"},
        {"fn f(x: [4][4]f32) -> [4][4]f32 { inv(x) }", "use inverse(a) of std.linalg"},
        {"fn f(x: [4][4]f32) -> [4][4]f32 { x.T }", "transpose(a) exchanges rows and columns"},
        {"fn f(x: f32) -> f32 { x.sqrt() }", "functions are not methods: sqrt(x)"},
        {"fn f(x: [4]f32) -> f32 { x.sum() }", "import it: import std.stats (sum)"},
        {"fn f(x: [4]f32) -> [4]f32 { x.map(|v| v * 2.0) }",
         "functions are not methods: x |> map(...)"},
        {"const COUNT: i64 = 0\nfn f() { COUNT += 1; }",
         "a constant is immutable; pass a variable by"},
        {"fn f[n: nat](x: [n]f32) -> i64 { n -= 1; n }", "a size is immutable; declare a variable"},
        {"fn f(n: i64) { for i in range(0, n) { i += 1; } }",
         "the loop sets it in each iteration: count"},
        {"fn f(x: f32) -> f32 { s = 0.0; s += x; s }", "declare the variable: let mut s = ...;"},
        {"fn f(x: [2][2]f32) -> f32 { x(0, 0) }",
         "write an index in brackets: a[i], of a matrix a[i, j]"},
        {"fn f(n: i64) { for i in range(0, n) { if i > 3 { break(i) } } }",
         "carries no value here: assign the value to a variable"},
        {"fn f(n: i64) -> (i64, i64) { return (n, n); }",
         "pass several values as a tuple: return((a, b))"},
        {"fn f(x: [4]f32) -> [3]f32 { x[0..-1] }", "bounds count from the beginning: xs[..n - 1]"},
        {"import std.complex\ntype C = Complex[f64]\nfn f(x: f64) -> f64 { let c = C { re: x, im: "
         "x }; c.re }",
         "name the struct itself: Complex { ... }"},
        {"import std.stats.sum", "write names of a module in parentheses:"},
        {"import std.linear", "an import names a file: std.linalg is"},
        {"import std.fft", "an import names a file: std.linalg is"},
        {"import std.io", "an import names a file: std.linalg is"},
        {"fn f(n: i64) { if n < 0 { error(\"neg\") } }",
         "there are no exceptions: assert(c, \"message\")"},
        {"fn f(n: i64) { cout << n; }", "print(a, \", \", b) prints values; `adze run FILE"},
        {"fn f() -> f32 { time() }",
         "to measure the time of a call use adze run --time=9 FILE EXPR"},
        {"fn f(t: [9]u8) -> i32 { lines(t) }", "to split a text into lines use find_byte(text,"},
        {"struct P { at: idx }", "an index type has a bound, idx[n]; for an integer"},
        {"fn f(x: complex64) -> i32 { 1 }", "complex numbers are in std.complex: import"},
        {"fn f(x: list) -> i32 { 1 }", "the type of an array of n elements is [n]f32"},
        {"fn f(x: f32) -> f32 { sqrrt(x) }", "did you mean `sqrt`?"},
        {"fn f(lenght: f32) -> f32 { length }", "the length of an array is part of its type:"},
        {"fn f(ab: f32) -> f32 { ba }", "did you mean `ab`?"},
        {"fn f(x: T) -> T { x }", "declare a generic type with"},
        {"fn f(x: f32) -> f32 { fabs(x) }", "use abs(x), which works for all numeric types"},
        {"fn f(xs: [4]f32) -> f32 { reduec(+, 0.0, xs) }", "did you mean `reduce`?"},
        {"fn f(xs: [4]f32) -> f32 { cuont(xs) }", "did you mean `count`?"},
        {"import std.stats (nothing_at_all)", "it has sum, product, mean, variance,"},
    };
    CHECK_HINTS(cases);
}

static void test_types(void **state)
{
    (void)state;
    static const Case cases[] = {
        {"import std.complex\nfn f(a: Complex[f64]) -> Complex[f64] { a * a }",
         "use the function of std.complex: cmul(x, y)"},
        {"struct P { x: f32 }\nfn f(a: P) -> P { a + a }",
         "operators are for numbers; declare a function"},
        {"import std.complex\nfn f(z: [3]Complex) -> i32 { 1 }", "as in Complex[f64]"},
        {"fn f(x: f32) -> f32 { x |> map { |v| v } }",
         "pass a function as an argument in parentheses:"},
        {"entry f(x: f32) -> f32 { x }",
         "`entry` precedes a function: entry fn f(x: f32) -> f32 { ... }"},
        {"fn f(x: f32): f32 { x }", "write the result type after `->`: fn f(x: i32) -> f32"},
        {"fn f(x: f32) -> f32 = x * 2.0", "write the body of a function in braces: fn f(x:"},
        {"fn f(a: [4]f32) -> f32 { a[i] for i in range(0, 4) }",
         "to make an array from another write map(|x| x + 1, xs)"},
        {"fn f(a: float32) -> f32 { a }", "it is called f32"},
        {"fn f(a: int32) -> i32 { a }", "it is called i32"},
        {"fn f(a: uint8_t) -> i32 { 1 }", "it is called u8"},
        {"fn f(a: Array[f32]) -> i32 { 1 }", "the type of an array of n elements is [n]f32"},
        {"fn f(xs: f32[]) -> f32 { 1 }", "the type of an array of n elements is [n]f32"},
        {"fn f(xs: Vec<f32>) -> f32 { 1 }", "the type of an array of n elements is [n]f32"},
        {"import std.linalg.*", "to import all names of the module write import std.linalg"},
        {"import std::linalg", "`import std.linalg` imports a module,"},
    };
    CHECK_HINTS(cases);
}

// A name is no slip of just any other one.
static void test_no_guess(void **state)
{
    (void)state;
    static const char *const names[] = {"a", "eps", "read_it", "mirro", "rim", "yes", "xs2ys"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char source[80];
        snprintf(source, sizeof source, "fn f(x: f32) -> f32 { %s }", names[i]);
        Inferred r = infer_text(source, strlen(source));
        bool guessed = r.cx->diags.at[0]->notes.len > 0;
        if (guessed != (strcmp(names[i], "mirro") == 0)) fail_msg("%s", names[i]);
        session_delete(r.cx);
    }
}

// One error for a variable that is not declared, wherever it is used.
static void test_undeclared(void **state)
{
    (void)state;
    static const char source[] = "fn f(x: f32) -> f32 { s = 0.0; s += x; s }";
    Inferred r = infer_text(source, strlen(source));
    assert_int_equal(r.cx->errors, 1);
    session_delete(r.cx);
}

// Types are shown as programs write them; in full where another module has one of the same name.
static void test_types_shown(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"import std.complex\nfn f(z: [3]Complex[f64]) -> f64 { z }", "found `[3]Complex[f64]`"},
        {"import std.complex\nstruct P[t: data] { a: t }\nfn f(z: P[Complex[f64]]) -> f64 { z }",
         "found `P[Complex[f64]]`"},
        {"import std.complex (polar)\nstruct Complex { r: f64 }\n"
         "fn f() -> Complex { polar(1.0f64, 2.0) }",
         "expected `Complex`, found `std.complex.Complex[f64]`"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Inferred r = infer_text(cases[i][0], strlen(cases[i][0]));
        assert_true(r.cx->diags.len > 0);
        if (!strstr(r.cx->diags.at[0]->text, cases[i][1])) fail_msg("%s", r.cx->diags.at[0]->text);
        session_delete(r.cx);
    }
}

// What hints say to write.
static void test_what_to_write(void **state)
{
    (void)state;
    static const char *const programs[] = {
        "fn f(n: i64) { for i in range(0, n) { let outer = break; for j in range(0, n) { "
        "outer() } } }",
        "fn f(n: i64) { let mut i = 0; loop { i += 1; if i >= n { break() } } }",
        "struct P { x: f32, y: f32 }\nfn origin() -> P { P { x: 0.0, y: 0.0 } }",
        "fn f(k: i32) -> i32 { match k { x if 1 <= x && x < 5 => 1, _ => 2 } }",
        "fn f(x: [4][4]f32) -> [2][2]f32 { map(|row| row[1..3], x[1..3]) }",
        "fn f(p: (f32, f32)) -> f32 { let (x, y) = p; x + y }",
        "fn f[n: nat](a: [n][n]f32) -> [n]f32 { map(|row| row[0], a) }",
        "fn f(p: f32, q: f32) -> f32 { let mut p = p; let mut q = q; (p, q) = (q, p); "
        "p - q }",
        "import std.random (uniform)\nfn f(i: i64) -> f64 { uniform(1, i) }",
        "import std.math (clamped)\nfn f(x: f32) -> f32 { clamped(0.0, 1.0, x) }",
        "import std.linalg (identity)\nfn f[n: nat]() -> [n][n]f32 { identity[n]() }",
        "import std.arrays (full)\nfn f[n, m: nat]() -> [n][m]f32 { full([n, m], 0.0) }",
        "fn f(n: nat) -> [n]i64 { generate(n, |i| i64(i)) }",
        "fn f(n: nat, lo: f64, step: f64) -> [n]f64 { generate(n, |i| lo + step * f64(i)) }",
        "fn f[n: nat](xs: [n]f32) -> [n]f32 { scan(+, 0.0, xs) }",
        "fn f(k: &mut i64) { *k += 1; }\nfn g() { let mut k = 0; f(&mut k) }",
        "import std.loops (range_rev)\nfn f(n: i64) { for i in range_rev(n, 0) { } }",
        "import std.stats (any)\nfn f[n: nat](x: i32, xs: [n]i32) -> bool { any(|y| y == x, xs) }",
        "fn f[n: nat](xs: [n + 1]f32) -> [n]f32 { xs[..n] }",
    };
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
        session_delete(infer_good(programs[i]).cx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_grammar),       cmocka_unit_test(test_names),
        cmocka_unit_test(test_types),         cmocka_unit_test(test_no_guess),
        cmocka_unit_test(test_undeclared),    cmocka_unit_test(test_types_shown),
        cmocka_unit_test(test_what_to_write),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
