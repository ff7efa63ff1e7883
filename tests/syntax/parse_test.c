// The trees of well-formed programs.
#include "util.h"

#include <stdio.h>

// A tree as text that shows its structure: kind and name of each node, then its parts.
static void show(Text *out, const Ast *e)
{
    if (!e) {
        text_char(out, '-');
        return;
    }
    if (e->kids.len + e->generics.len > 0) text_char(out, '(');
    const char *kind = ast_kind_text[e->kind];
    bool leaf_name = e->kind == AST_NAME || e->kind == AST_TYPE_NAME || e->kind == AST_BIND;
    bool sign = e->kind == AST_BINARY || e->kind == AST_UNARY || e->kind == AST_OPERATOR;
    text_put(out, (leaf_name || sign) && e->name ? e->name->text : kind);
    if (e->kind == AST_BIND_OPTION) text_printf(out, ":%s", e->value.string);
    if (!leaf_name && !sign && e->name && e->name->text[0]) text_printf(out, ":%s", e->name->text);
    if ((e->kind == AST_LET || e->kind == AST_REF || e->kind == AST_TYPE_REF) && e->value.integer)
        text_put(out, ":mut");
    if ((e->kind == AST_GENERATOR || e->kind == AST_MODARRAY) && e->value.integer)
        text_printf(out, ":%d", (int)e->value.integer);
    if (e->kind == AST_INT || e->kind == AST_PROJ || e->kind == AST_BOOL)
        text_printf(out, ":%llu", (unsigned long long)e->value.integer);
    for (int i = 0; i < e->generics.len; i++) {
        text_put(out, i ? ", " : "[");
        show(out, e->generics.at[i]);
        if (i + 1 == e->generics.len) text_char(out, ']');
    }
    for (int i = 0; i < e->kids.len; i++) {
        text_char(out, ' ');
        show(out, e->kids.at[i]);
    }
    if (e->kids.len + e->generics.len > 0) text_char(out, ')');
}

static Ast *parse_whole(Session *cx, const char *text)
{
    int next;
    Ast *e = parse_expression(cx, session_add_source(cx, "t", text, strlen(text)), 0, &next);
    assert_string_equal(errors_of(cx), "");
    return e;
}

// The tree has this structure, and printing gives the text back up to blanks.
static void assert_tree(const char *text, const char *expected)
{
    Session *cx = session_new();
    Ast *e = parse_whole(cx, text);
    Text out = text_new(cx->arena), printed = text_new(cx->arena);
    show(&out, e);
    assert_string_equal(text_get(&out), expected);
    ast_print(&printed, e);
    assert_true(ast_equal(e, parse_whole(cx, text_get(&printed))));
    session_delete(cx);
}

static void assert_printed(const char *text)
{
    Session *cx = session_new();
    Text out = text_new(cx->arena);
    ast_print(&out, parse_whole(cx, text));
    assert_string_equal(text_get(&out), text);
    session_delete(cx);
}

static void test_precedence(void **state)
{
    (void)state;
    assert_tree("1 + 2 * 3", "(+ integer:1 (* integer:2 integer:3))");
    assert_tree("a - b - c", "(- (- a b) c)");
    assert_tree("a |> f |> g", "(pipe (pipe a f) g)");
    assert_tree("a |> f >> g", "(pipe a (compose f g))");
    assert_tree("f >> g || h", "(compose f (|| g h))");
    assert_tree("a || b && c", "(|| a (&& b c))");
    assert_tree("a && b == c", "(&& a (== b c))");
    assert_tree("a == b | c", "(== a (| b c))");
    assert_tree("a | b ^ c & d", "(| a (^ b (& c d)))");
    assert_tree("a & b ++ c", "(& a (++ b c))");
    assert_tree("a ++ b << c", "(++ a (<< b c))");
    assert_tree("a >>> b + c", "(>>> a (+ b c))");
    assert_tree("a % -b as f32", "(% a (cast (- b) f32))");
    assert_tree("!a.b", "(! (field:b a))");
    assert_tree("- -1", "(- (- integer:1))");
    assert_tree("(a < b) == c", "(== (parentheses (< a b)) c)");
}

static void test_postfix(void **state)
{
    (void)state;
    assert_tree("f(a, b,)(c)", "(call (call f a b) c)");
    assert_tree("a[i][j, k]", "(index (index a i) j k)");
    assert_tree("a[1..n]", "(slice a integer:1 n)");
    assert_tree("a[..n]", "(slice a - n)");
    assert_tree("a[n..]", "(slice a n -)");
    assert_tree("t.0.1.x", "(field:x (component:1 (component:0 t)))");
    assert_tree("x as f32 as i32", "(cast (cast x f32) i32)");
    assert_tree("f32(x)", "(call f32 x)");
}

static void test_generics(void **state)
{
    (void)state;
    assert_tree("split[32](xs)", "(call (split[integer:32]) xs)");
    assert_tree("split[32]", "(index split integer:32)");
    assert_tree("a |> split[n / 4] |> f", "(pipe (pipe a (index split (/ n integer:4))) f)");
    assert_tree("map.vec[8](f)", "(call (field:vec[integer:8] map) f)");
    assert_tree("f[t, n](x)", "(call (f[t, n]) x)");
    assert_tree("f[[n]f32, (a, b), idx[n], P[t], fn(a) -> b](x)",
                "(call (f[(array type n f32), (tuple type a b), (index type n), (P[t]), "
                "(function type a b)]) x)");
    assert_tree("f[(n + 1) / 2, (n)](x)",
                "(call (f[(/ (parentheses (+ n integer:1)) integer:2), (parentheses n)]) x)");
    assert_tree("f[[4]f32]", "(index f (array type integer:4 f32))");
    assert_tree("a[idx[i]]", "(index a (index idx i))");
    assert_tree("a[[1, 2]]", "(index a (array integer:1 integer:2))");
}

static void test_spreads(void **state)
{
    (void)state;
    assert_tree("x as [..s]f32", "(cast x (array type (spread s) f32))");
    assert_tree("x as [n][.. s]f32", "(cast x (array type n (array type (spread s) f32)))");
    assert_tree("x as [n, ..s, ..t,]f32", "(cast x (array type n (spread s) (spread t) f32))");
    assert_tree("x as idx[..s]", "(cast x (index type (spread s)))");
    assert_tree("x as varying[n + 1] f32", "(cast x (vector type (+ n integer:1) f32))");
    assert_tree("f[varying[4] f32, varying[4]](x)",
                "(call (f[(vector type integer:4 f32), (varying[integer:4])]) x)");
    assert_printed("x as [n]varying[4] (f32, bool)");
    assert_tree("x as idx[n, m]", "(cast x (index type n m))");
    assert_tree("x as idx[..s, m]", "(cast x (index type (spread s) m))");
    assert_tree("f[[..s]f32, idx[n, ..s]](x)",
                "(call (f[(array type (spread s) f32), (index type n (spread s))]) x)");
    assert_tree("[..v, 3]", "(array (spread v) integer:3)");
    assert_tree("[..v, ..w + 1]", "(array (spread v) (spread (+ w integer:1)))");
    assert_tree("[..1]", "(array (spread integer:1))");
    assert_tree("a[..n]", "(slice a - n)");
    assert_tree("a[[..n]]", "(index a (array (spread n)))");
    assert_tree("f([..[..v]])", "(call f (array (spread (array (spread v)))))");
    assert_printed("f[[n, ..s]f32]([..v, 3, ..w], a[1..n], a[..n])");
    assert_printed("x as [n][..s, 2]idx[..s, m]");
}

static void test_operators(void **state)
{
    (void)state;
    assert_tree("reduce(+, 0, xs)", "(call reduce + integer:0 xs)");
    assert_tree("f(-, *, /, %, ==, !=, <, <=, >, >=)", "(call f - * / % == != < <= > >=)");
    assert_tree("f(&, |, ^, <<, >>>, &&, ||)", "(call f & | ^ << >>> && ||)");
    assert_tree("f(-1, -)", "(call f (- integer:1) -)");
    assert_tree("(+) >> f", "(compose (parentheses +) f)");
    assert_tree("f(+ >> g)", "(call f (compose + g))");
    assert_tree("f(|x| x)", "(call f (lambda x x))");
}

static void test_lambdas(void **state)
{
    (void)state;
    assert_tree("|x| x + 1 |> f", "(lambda x (pipe (+ x integer:1) f))");
    assert_tree("|| 3", "(lambda integer:3)");
    assert_tree("| | 3", "(lambda integer:3)");
    assert_tree("|x, (a, _), y: [n]f32| a",
                "(lambda x (tuple pattern a _) (y (array type n f32)) a)");
    assert_tree("|(a: f32, ()),| a", "(lambda (tuple pattern (a f32) tuple pattern) a)");
    assert_tree("a |> |x| x | y", "(pipe a (lambda x (| x y)))");
    assert_tree("|x| { x }", "(lambda x (block x))");
    assert_tree("|x| |y| x", "(lambda x (lambda y x))");
}

static void test_constructs(void **state)
{
    (void)state;
    assert_tree("()", "tuple");
    assert_tree("(a,)", "(tuple a)");
    assert_tree("(a, b,)", "(tuple a b)");
    assert_tree("|x: (f32)| a", "(lambda (x f32) a)");
    assert_tree("|x: (f32,)| a", "(lambda (x (tuple type f32)) a)");
    assert_tree("|x: ((f32, t))| a", "(lambda (x (tuple type f32 t)) a)");
    assert_tree("(a)", "(parentheses a)");
    assert_tree("[]", "array");
    assert_tree("[a, [b]]", "(array a (array b))");
    assert_tree("P { x: 1, y: a }", "(struct:P (initialiser:x integer:1) (initialiser:y a))");
    assert_tree("P {}", "struct:P");
    assert_tree("P[f32] { x: 1 }", "(struct:P[f32] (initialiser:x integer:1))");
    assert_tree("pad[1, 1](const(0), a)", "(call (pad[integer:1, integer:1]) (mode integer:0) a)");
    assert_tree("{ let x = 1; let (a, b): (f32, t) = y; x }",
                "(block (let x - integer:1) (let (tuple pattern a b) (tuple type f32 t) y) x)");
    assert_tree("true && false", "(&& bool:1 bool:0)");
}

static void test_if(void **state)
{
    (void)state;
    assert_tree("if a { b } else { c } + 1", "(+ (if a (block b) (block c)) integer:1)");
    assert_tree("if a { b } else if c { d } else { e }",
                "(if a (block b) (if c (block d) (block e)))");
    assert_tree("if a < n { b } else { c }", "(if (< a n) (block b) (block c))");
    assert_tree("if (P { x: 1 }) == p { b } else { P { x: 2 } }",
                "(if (== (parentheses (struct:P (initialiser:x integer:1))) p) (block b) (block "
                "(struct:P (initialiser:x integer:2))))");
    assert_tree("if f(P {}) { b } else { c }", "(if (call f struct:P) (block b) (block c))");
    assert_tree("if a[i] { b } else { c }", "(if (index a i) (block b) (block c))");
}

static void test_statements(void **state)
{
    (void)state;
    assert_tree("{}", "(block -)");
    assert_tree("{ f(); }", "(block (call f) -)");
    assert_tree("{ f(); x }", "(block (call f) x)");
    assert_tree("{ let mut x: i32 = 1; x = 2; }",
                "(block (let:mut x i32 integer:1) (assignment x integer:2) -)");
    assert_tree("{ fn f[n: nat](@ x: t) -> t where n > 0 { fn g() { } x } f(1) }",
                "(block function (call f integer:1))");
    assert_tree("{ fn f() { } }", "(block function -)");
    assert_tree(
        "{ let [a, (_, mut b)] = v; let P { x: [c], y, .. } = p; |[d, e]| d }",
        "(block (let (array pattern a (tuple pattern _ mutable binding:b)) - v) "
        "(let (struct pattern:P (field pattern:x (array pattern c)) (field pattern:y y)) - p) "
        "(lambda (array pattern d e) d))");
    assert_tree(
        "{ for P { x, .. }, [a] in f(1) { a } with P { x } in g() { } match v { [0, P {}] => 1 } }",
        "(block (for (struct pattern:P (field pattern:x x)) (array pattern a) (call f "
        "integer:1) (block a)) (with (struct pattern:P (field pattern:x x)) (call g) (block "
        "-)) (match v (arm (array pattern (value pattern integer:0) struct pattern:P) - "
        "integer:1)))");
    assert_tree("{ let (mut a, _) = x; let f = |mut b: i32| b; a }",
                "(block (let (tuple pattern mutable binding:a _) - x) "
                "(let f - (lambda (mutable binding:b i32) b)) a)");
    assert_tree("{ (x, (a[1], y)) = f(x); }",
                "(block (block (let (tuple pattern new1 (tuple pattern new2 new3)) - (call f x)) "
                "(assignment x new1) (assignment (index a integer:1) new2) (assignment y new3) -) "
                "-)");
    assert_tree("{ x += 1; x -= 1; x *= 1; x /= 1; x %= 1; }",
                "(block (assignment:+ x integer:1) (assignment:- x integer:1) (assignment:* x "
                "integer:1) (assignment:/ x integer:1) (assignment:% x integer:1) -)");
    assert_tree("{ x &= a; x |= a; x ^= a; x <<= a; x >>>= a; x ++= a; }",
                "(block (assignment:& x a) (assignment:| x a) (assignment:^ x a) (assignment:<< x "
                "a) (assignment:>>> x a) (assignment:++ x a) -)");
    assert_tree("{ *p = 1; a[i, j].0.x = b; }",
                "(block (assignment (dereference p) integer:1) (assignment (field:x (component:0 "
                "(index a i j))) b) -)");
}

// A construct with a block ends a statement, unless what follows can only go on with it.
static void test_block_like(void **state)
{
    (void)state;
    assert_tree("{ while c {} -x }", "(block (while c (block -)) (- x))");
    assert_tree("{ if c {} *p = 1; }",
                "(block (if c (block -) -) (assignment (dereference p) integer:1) -)");
    assert_tree("{ loop {} &x }", "(block (loop (block -)) (reference x))");
    assert_tree("{ if c {} (a, b) }", "(block (if c (block -) -) (tuple a b))");
    assert_tree("{ {} [a] }", "(block (block -) (array a))");
    assert_tree("{ if c {} |x| x }", "(block (if c (block -) -) (lambda x x))");
    assert_tree("{ if c {} || x }", "(block (if c (block -) -) (lambda x))");
    assert_tree("{ if c {} + |> f }", "(block (if c (block -) -) (pipe + f))");
    assert_tree("{ if c { a } else { b } |> f }", "(block (pipe (if c (block a) (block b)) f))");
    assert_tree("{ if c { a } else { b } + 1 - 2 }",
                "(block (- (+ (if c (block a) (block b)) integer:1) integer:2))");
    assert_tree("{ match a {}.0 }", "(block (component:0 (match a)))");
    assert_tree("{ a\n- b }", "(block (- a b))");
    assert_tree("{ while c {}; x }", "(block (while c (block -)) x)");
    assert_tree("{ while c {} }", "(block (while c (block -)))");
    assert_tree("{ while c {}; }", "(block (while c (block -)) -)");
    assert_tree("{ let x = if c { a } else { b } - 1; x }",
                "(block (let x - (- (if c (block a) (block b)) integer:1)) x)");
}

static void test_loops(void **state)
{
    (void)state;
    assert_tree("while a < b { f(); }", "(while (< a b) (block (call f) -))");
    assert_tree("loop { break(1) }", "(loop (block (call break integer:1)))");
    assert_tree("for i in range(0, n) { f(i); }",
                "(for i (call range integer:0 n) (block (call f i) -))");
    assert_tree("for x: i32, (a, _), mut y in each[3](xs) { x }",
                "(for (x i32) (tuple pattern a _) mutable binding:y (call (each[integer:3]) xs) "
                "(block x))");
    assert_tree("with f(a) { x }", "(with (call f a) (block x))");
    assert_tree("with m.f(a) { x }", "(with (call (field:f m) a) (block x))");
    assert_tree("with x in f(a) { x }", "(with x (call f a) (block x))");
    assert_tree("with _, y: f32 in f(a) { y }", "(with _ (y f32) (call f a) (block y))");
    assert_tree("unchecked { a[i] }", "(unchecked (block (index a i)))");
    assert_tree("scalar { x }", "(scalar (block x))");
    assert_tree("scalar |m| { any(m) }", "(scalar m (block (call any m)))");
    assert_tree("a + scalar |_| { x }", "(+ a (scalar _ (block x)))");
    assert_tree("scalar |> f", "(pipe scalar f)");
    assert_tree("scalar | m", "(| scalar m)");
    assert_tree("if scalar { x } else { y }", "(if scalar (block x) (block y))");
    assert_tree("if a { b }", "(if a (block b) -)");
    assert_tree("if a { b } else if c { d }", "(if a (block b) (if c (block d) -))");
    assert_tree("f(break, (continue, return))", "(call f break (tuple continue return))");
    assert_tree("{ let k = return; k(1); return(x) }",
                "(block (let k - return) (call k integer:1) (call return x))");
    // heads are followed by a block, whatever name they end in
    assert_tree("while a { x }", "(while a (block x))");
    assert_tree("match a { x => y }", "(match a (arm x - y))");
    assert_tree("with f(a).b(c) { x }", "(with (call (field:b (call f a)) c) (block x))");
    assert_tree("for i in f(P { x: 1 }) { i }",
                "(for i (call f (struct:P (initialiser:x integer:1))) (block i))");
    assert_tree("match a { _ => P { x: 1 } }",
                "(match a (arm _ - (struct:P (initialiser:x integer:1))))");
}

// A generator is its lower bound, index, upper bound, step, width and body; 1 and 2: the bounds are strict.
static void test_generators(void **state)
{
    (void)state;
    assert_tree("with (iv) { x } fold(+, 0)",
                "(with-loop (generator - iv - - - (block x)) (fold + integer:0))");
    assert_tree("with (a <= iv < b) { x } fold(+, 0)",
                "(with-loop (generator:2 a iv b - - (block x)) (fold + integer:0))");
    assert_tree("with (. < [i, _] <= . step [2, 4] width w) { x } modarray a",
                "(with-loop (generator:1 . (array pattern i _) . (array integer:2 integer:4) w "
                "(block x)) (modarray:1 a))");
    assert_tree("with (. < _ < .) { let y = x; y } modarray a",
                "(with-loop (generator:3 . _ . - - (block (let y - x) y)) (modarray:1 a))");
    assert_tree(
        "with (iv < s) {} ([n, 0] <= iv width 2) { x } genarray(s)",
        "(with-loop (generator:2 - iv s - - (block -)) (generator (array n integer:0) iv - - "
        "integer:2 (block x)) (genarray s))");
}

// The index is the name on the left where that can be, unless a second relation makes it a bound.
static void test_index_of_generator(void **state)
{
    (void)state;
    assert_tree("with (a < b) { x } modarray a",
                "(with-loop (generator:2 - a b - - (block x)) (modarray:1 a))");
    assert_tree("with (a < b < c) { x } modarray a",
                "(with-loop (generator:3 a b c - - (block x)) (modarray:1 a))");
    assert_tree("with ([i, j] <= b) { x } modarray a",
                "(with-loop (generator - (array pattern i j) b - - (block x)) (modarray:1 a))");
    assert_tree("with ([1, j] <= b) { x } modarray a",
                "(with-loop (generator (array integer:1 j) b - - - (block x)) (modarray:1 a))");
    assert_tree("with ([]) { x } modarray a",
                "(with-loop (generator - array pattern - - - (block x)) (modarray:1 a))");
    assert_tree("with (a[0] <= b) { x } modarray a",
                "(with-loop (generator (index a integer:0) b - - - (block x)) (modarray:1 a))");
    assert_tree("with (a + 1 <= b) { x } modarray a",
                "(with-loop (generator (+ a integer:1) b - - - (block x)) (modarray:1 a))");
    assert_tree("with (a < f(b < c)) { x } modarray a",
                "(with-loop (generator:2 - a (call f (< b c)) - - (block x)) (modarray:1 a))");
    assert_tree("with (step step step) { x } modarray a",
                "(with-loop (generator - step - step - (block x)) (modarray:1 a))");
    assert_tree("with (0 < i < n | 1) { x } modarray a",
                "(with-loop (generator:3 integer:0 i (| n integer:1) - - (block x)) (modarray:1 "
                "a))");
}

static void test_with_operators(void **state)
{
    (void)state;
    assert_tree("with (i) { x } genarray([n], 0.0)",
                "(with-loop (generator - i - - - (block x)) (genarray (array n) float))");
    assert_tree("with (i) { x } (genarray(s,), modarray a, modarray(b), fold(f, y),)",
                "(with-loop (generator - i - - - (block x)) (tuple (genarray s) (modarray:1 a) "
                "(modarray b) (fold f y)))");
    assert_tree("with (i) { x } (fold(+, 0))",
                "(with-loop (generator - i - - - (block x)) (parentheses (fold + integer:0)))");
    // the operator ends like a name, and what follows goes on with the whole
    assert_tree("with (i) { x } modarray a[0].b + c",
                "(+ (with-loop (generator - i - - - (block x)) (modarray:1 (field:b (index a "
                "integer:0)))) c)");
    assert_tree("with (i) { x } modarray(a)[0]",
                "(index (with-loop (generator - i - - - (block x)) (modarray a)) integer:0)");
    assert_tree("-with (i) { x } fold(+, 0) |> f",
                "(pipe (- (with-loop (generator - i - - - (block x)) (fold + integer:0))) f)");
    // words that are none anywhere else
    assert_tree("with (fold <= i) { fold } (genarray) { step } modarray modarray",
                "(with-loop (generator - fold i - - (block fold)) (generator - genarray - - - "
                "(block step)) (modarray:1 modarray))");
    assert_tree("fold(genarray(step), width, modarray)",
                "(call fold (call genarray step) width modarray)");
    // as a statement it is an expression, which a `with` over a call is not
    assert_tree("{ with (i) { x } fold(+, 0) - y }",
                "(block (- (with-loop (generator - i - - - (block x)) (fold + integer:0)) y))");
    assert_tree("with (x, y), z in f(a) { x }",
                "(with (tuple pattern x y) z (call f a) (block x))");
    assert_printed("with (. < [i, _] <= b step 2 width [1, w]) { x } modarray a[0]");
    assert_printed("with (i < n) { i } (j) { 2 } (n <= i <= .) {} (modarray(a), fold(|x| x, 1))");
    assert_printed("if with (i < [n]) { a[i] } fold(&&, true) { x }");
}

static void test_match(void **state)
{
    (void)state;
    assert_tree("match a {}", "(match a)");
    assert_tree("match a { 0 => b, -1.5 => c, true => d, _ => e, }",
                "(match a (arm (value pattern integer:0) - b) (arm (value pattern (- float)) - c) "
                "(arm (value pattern bool:1) - d) (arm _ - e))");
    assert_tree(
        "match s { Shape.Circle(r) => r, Shape.Rect(_, (0, b)) => b, Shape.Empty => 0 }",
        "(match s (arm (option pattern:Shape:Circle r) - r) (arm (option pattern:Shape:Rect "
        "_ (tuple pattern (value pattern integer:0) b)) - b) (arm option "
        "pattern:Shape:Empty - integer:0))");
    assert_tree("match a { (x, mut y) if x > 0 => y, z if |q| q => z }",
                "(match a (arm (tuple pattern x mutable binding:y) (> x integer:0) y) "
                "(arm z (lambda q q) z))");
    assert_tree("match a { 0 => {} -1 => if c { d } (x, _) => { x } y => y }",
                "(match a (arm (value pattern integer:0) - (block -)) (arm (value pattern (- "
                "integer:1)) - (if c (block d) -)) (arm (tuple pattern x _) - (block x)) (arm y - "
                "y))");
    assert_tree("match a { 0 => { b } + 1, _ => c }",
                "(match a (arm (value pattern integer:0) - (+ (block b) integer:1)) (arm _ - c))");
}

static void test_references(void **state)
{
    (void)state;
    assert_tree("&x", "(reference x)");
    assert_tree("&mut a[lo..hi]", "(reference:mut (slice a lo hi))");
    assert_tree("& &x", "(reference (reference x))");
    assert_tree("**p * *q", "(* (dereference (dereference p)) (dereference q))");
    assert_tree("a & &b", "(& a (reference b))");
    assert_tree("f(&, *, &x, *x)", "(call f & * (reference x) (dereference x))");
    assert_tree("-*p as f32", "(cast (- (dereference p)) f32)");
    assert_tree("?a && !$b", "(&& (? a) (! ($ b)))");
    assert_tree("?a + b", "(+ (? a) b)");
    assert_tree("x |> @@f(a)(b)", "(pipe x (@@ (call (call f a) b)))");
    assert_tree("x as &mut shared [n]f32",
                "(cast x (reference type:shared:mut (array type n f32)))");
    assert_tree("x as &shared[n]f32", "(cast x (reference type:shared (array type n f32)))");
    assert_tree("x as & &f32", "(cast x (reference type (reference type f32)))");
    assert_tree("x as fn(&i32, fn() -> !) -> !",
                "(cast x (function type (reference type i32) (function type !) !))");
    assert_tree("f(! ==)", "(call f (! ==))");
}

static void test_print(void **state)
{
    (void)state;
    assert_printed("0.1 + 1.0 + 1e+20 + 1e-07f32 + 3u8 + 18446744073709551615");
    assert_printed("f(\"a\\n\\\"\\\\\\t\\u{1}\xc3\xa9\")");
    assert_printed("x as [n, m]fn(f32, (a,)) -> Pair[f32, [n]t]");
    assert_printed("if a { 1 } else if b { 2 } else { let x: idx[n] = 3; x }");
    assert_printed("{ let mut x = a; x.y *= 2; while c {} if d { e } f(); loop {}; }");
    assert_printed("for i, (a, _) in range(0, n) { with f() { break } }");
    assert_printed("match x { -1 => {}, S.A(mut y) if y => unchecked { &mut y }, _ => *z }");
    assert_printed("x as fn(&mut global f32, & &i32) -> !");
}

static void test_items(void **state)
{
    (void)state;
    Session *cx = session_new();
    const char *text =
        "import a.b (c, d)\npub import e\n/// doc\n///  two\nentry fn f[n m: nat, s, t: data](x: "
        "[n]s, k: nat) "
        "-> t"
        " where n > 0, m % 2 == 0 { x }\n/// S\nstruct P {\n/// ex\nx: f32 }; const c = 1;\n"
        "pattern g() -> f32\ntest \"title\" { true }\ntype T[n: nat] = [n]f32";
    Module *m = parse_text(cx, text, strlen(text));
    assert_string_equal(errors_of(cx), "");
    assert_int_equal(m->items.len, 8);
    const Item *import = m->items.at[0], *f = m->items.at[2], *p = m->items.at[3];
    assert_true(!import->passed_on && m->items.at[1]->passed_on);
    assert_string_equal(import->name->text, "a.b");
    assert_int_equal(import->imported.len, 2);
    assert_string_equal(f->doc, "doc\n two");
    assert_true(f->entry && f->generics.len == 4 && f->params.len == 2 && f->where.len == 2);
    assert_string_equal(f->generics.at[1].kind->text, "nat");
    assert_string_equal(f->generics.at[2].kind->text, "data");
    assert_int_equal(f->body->kind, AST_BLOCK);
    assert_string_equal(p->doc, "S");
    assert_string_equal(p->params.at[0].doc, "ex");
    assert_null(m->items.at[4]->type);
    assert_int_equal(m->items.at[5]->kind, ITEM_PATTERN);
    assert_string_equal(m->items.at[6]->string, "title");
    assert_int_equal(m->comments.len, 0);
    session_delete(cx);
}

static void test_imperative_items(void **state)
{
    (void)state;
    Session *cx = session_new();
    const char *text =
        "fn @(?n) pow(x: f32, n: i32) -> f32 { x }\nentry fn @ f(@(?a) a: i32, @ b: i32, c: i32) { "
        "}\n"
        "enum Shape[t: data] {\n/// round\nCircle(t), Rect(f32, [2]f32), Empty }\n"
        "extern fn g(xs: &[n]f32, n: nat) -> f32;\nextern fn h(x: &mut i32)\nfn never() -> ! { }\n"
        "fn none() where 1 > 0 { }";
    Module *m = parse_text(cx, text, strlen(text));
    assert_string_equal(errors_of(cx), "");
    assert_int_equal(m->items.len, 7);
    const Item *pow = m->items.at[0], *f = m->items.at[1], *shape = m->items.at[2];
    assert_int_equal(pow->filter->kind, AST_PAREN);
    assert_int_equal(pow->filter->kids.at[0]->kind, AST_KNOWN);
    assert_null(pow->params.at[0].filter);
    assert_true(f->filter->kind == AST_BOOL && f->filter->value.integer == 1 && f->entry);
    assert_int_equal(f->params.at[0].filter->kind, AST_PAREN);
    assert_int_equal(f->params.at[1].filter->kind, AST_BOOL);
    assert_null(f->params.at[2].filter);
    assert_true(f->type->kind == AST_TYPE_TUPLE && f->type->kids.len == 0);
    assert_true(shape->kind == ITEM_ENUM && shape->generics.len == 1 && shape->options.len == 3);
    assert_string_equal(shape->options.at[0].doc, "round");
    assert_string_equal(shape->options.at[1].name->text, "Rect");
    assert_int_equal(shape->options.at[1].types.len, 2);
    assert_int_equal(shape->options.at[2].types.len, 0);
    const Item *g = m->items.at[3];
    assert_true(g->kind == ITEM_EXTERN && g->params.len == 2 && !g->body && !g->filter);
    assert_int_equal(g->params.at[0].type->kind, AST_TYPE_REF);
    assert_int_equal(m->items.at[4]->kind, ITEM_EXTERN);
    assert_int_equal(m->items.at[5]->type->kind, AST_TYPE_NEVER);
    assert_int_equal(m->items.at[6]->where.len, 1);
    session_delete(cx);
}

// The first item of a program.
static const Item *parse_one(Session *cx, const char *text)
{
    const Module *m = parse_text(cx, text, strlen(text));
    assert_string_equal(errors_of(cx), "");
    return m->items.at[0];
}

// The body of a strategy has this structure, and printing gives the text back up to blanks.
static void assert_strategy(const char *body, const char *expected)
{
    Session *cx = session_new();
    const Item *item = parse_one(cx, arena_printf(cx->arena, "strategy s() %s", body));
    Text out = text_new(cx->arena), printed = text_new(cx->arena);
    show(&out, item->body);
    assert_string_equal(text_get(&out), expected);
    text_put(&printed, "strategy s() ");
    ast_print(&printed, item->body);
    assert_true(ast_equal(item->body, parse_one(cx, text_get(&printed))->body));
    session_delete(cx);
}

static void test_strategies(void **state)
{
    (void)state;
    assert_strategy("{}", "sequence");
    assert_strategy("{ a; b; c }", "(sequence a b c)");
    assert_strategy("{ a; b; c; }", "(sequence a b c)");
    assert_strategy("{ a <+ b <+ c; d @ e @ f }", "(sequence (<+ (<+ a b) c) (@ (@ d e) f))");
    assert_strategy("{ a @ b <+ c @ d }", "(sequence (<+ (@ a b) (@ c d)))");
    assert_strategy("{ a<+b;c@d }", "(sequence (<+ a b) (@ c d))");
    assert_strategy("{ { a; b } <+ { c } @ d; }",
                    "(sequence (<+ (sequence a b) (@ (sequence c) d)))");
    assert_strategy("{ { a } b; { c }; if d {} e }",
                    "(sequence (sequence a) b (sequence c) (if d sequence -) e)");
    assert_strategy("{ { a } @ b <+ c; if n > 1 { d } else { e } <+ g }",
                    "(sequence (<+ (@ (sequence a) b) c) "
                    "(<+ (if (> n integer:1) (sequence d) (sequence e)) g))");
    assert_strategy("{ if a { b } else if c { d; e } else {} }",
                    "(sequence (if a (sequence b) (if c (sequence d e) sequence)))");
    assert_strategy("{ (a <+ b) @ c; (a) }",
                    "(sequence (@ (parentheses (<+ a b)) c) (parentheses a))");
    assert_strategy("{ f(a, 1 + 2 * -n - m % 2 / k, a <+ b @ c, { d; e }, if n == 1 { g },) }",
                    "(sequence (call f a (- (+ integer:1 (* integer:2 (- n))) (/ (% m integer:2) "
                    "k)) (<+ a (@ b c)) (sequence d e) (if (== n integer:1) (sequence g) -)))");
    assert_strategy(
        "{ f([1, n / 2, ..order], order[0], order[1..], order[..len(order) - 1])(\"x\") }",
        "(sequence (call (call f (array integer:1 (/ n integer:2) (spread order)) "
        "(index order integer:0) (slice order integer:1 -) "
        "(slice order - (- (call len order) integer:1))) string))");
}

static void test_rules(void **state)
{
    (void)state;
    Session *cx = session_new();
    const Item *r = parse_one(cx, "/// doc\nreassociate rule r(m: nat, k: nat,)[n: nat, s t: data]"
                                  "(f: fn(s) -> t, xs: [n]s) where n % m == 0, k > 0 {\n"
                                  "map(f, xs) => xs |> split[m] |> |x| x }");
    assert_true(r->kind == ITEM_RULE && r->fp == FP_REASSOCIATE && !r->type && !r->entry);
    assert_string_equal(r->doc, "doc");
    assert_true(r->numbers.len == 2 && r->generics.len == 3 && r->params.len == 2);
    assert_string_equal(r->numbers.at[1].name->text, "k");
    assert_int_equal(r->where.len, 2);
    assert_int_equal(r->body->kind, AST_RULE);
    assert_int_equal(r->body->kids.at[0]->kind, AST_CALL);
    assert_int_equal(r->body->kids.at[1]->kind, AST_PIPE);
    Text out = text_new(cx->arena);
    ast_print(&out, r->body);
    assert_string_equal(text_get(&out), "{ map(f, xs) => xs |> split[m] |> |x| x }");
    const Item *plain = parse_one(cx, "rule r(x: f32) { x => x }");
    assert_true(plain->numbers.len == 0 && plain->params.len == 1 && plain->fp == FP_EXACT);
    const Item *none = parse_one(cx, "contract rule r(m: nat)() { x => x }");
    assert_true(none->numbers.len == 1 && none->params.len == 0 && none->fp == FP_CONTRACT);
    session_delete(cx);
}

static void test_schedules(void **state)
{
    (void)state;
    Session *cx = session_new();
    const Item *s = parse_one(cx, "strategy s(a: nat, b: [nat], c: strategy) { a }");
    assert_true(s->kind == ITEM_STRATEGY && s->params.len == 3 && !s->type);
    assert_int_equal(s->params.at[0].type->kind, AST_TYPE_NAME);
    assert_int_equal(s->params.at[1].type->kind, AST_TYPE_LIST);
    assert_string_equal(s->params.at[2].type->name->text, "strategy");
    const Item *f =
        parse_one(cx, "schedule f for omp(a = tune(1, 2 * 3, 4), b = 5) allow contract { g; h }");
    assert_true(f->kind == ITEM_SCHEDULE && f->fp == FP_CONTRACT && f->tuned.len == 2);
    assert_string_equal(f->name->text, "f");
    assert_string_equal(f->target->text, "omp");
    assert_int_equal(f->target_span.lo, 15);
    assert_int_equal(f->tuned.at[0].choices.len, 3);
    assert_int_equal(f->tuned.at[0].choices.at[1]->kind, AST_BINARY);
    assert_string_equal(f->tuned.at[1].name->text, "b");
    assert_int_equal(f->tuned.at[1].choices.len, 1);
    assert_true(f->body->kind == AST_SEQUENCE && f->body->kids.len == 2);
    const Item *bare = parse_one(cx, "schedule f {}");
    assert_true(!bare->target && bare->tuned.len == 0 && bare->fp == FP_EXACT);
    session_delete(cx);
}

// Modules that differ in one piece of a rule, a strategy or a schedule are not equal.
static void test_equal_items(void **state)
{
    (void)state;
    Session *cx = session_new();
    static const char *const different[] = {
        "rule r() { a => b }",
        "rule r() { b => a }",
        "contract rule r() { a => b }",
        "reassociate rule r() { a => b }",
        "rule r()() { a => b }rule q() { a => b }",
        "rule r(m: nat)() { a => b }",
        "rule r(m: nat) { a => b }",
        "rule r(k: nat)() { a => b }",
        "rule r() where a { a => b }",
        "strategy r() { a }",
        "strategy r() { a; a }",
        "strategy r() { { a } }",
        "strategy r() { (a) }",
        "strategy r() { a <+ b }",
        "strategy r() { a @ b }",
        "strategy r(a: nat) { a }",
        "strategy r(a: [nat]) { a }",
        "strategy r(a: strategy) { a }",
        "schedule r { a }",
        "schedule r for c { a }",
        "schedule r for omp { a }",
        "schedule r(a = 1) { a }",
        "schedule r(a = 2) { a }",
        "schedule r(b = 1) { a }",
        "schedule r(a = tune(1, 2)) { a }",
        "schedule r allow contract { a }",
        "schedule r allow reassociate { a }",
    };
    enum { LEN = sizeof different / sizeof *different };
    for (int i = 0; i < LEN; i++)
        for (int j = 0; j < LEN; j++)
            assert_int_equal(module_equal(parse_text(cx, different[i], strlen(different[i])),
                                          parse_text(cx, different[j], strlen(different[j]))),
                             i == j);
    assert_string_equal(errors_of(cx), "");
    session_delete(cx);
}

// Numbers are dense, below ast_count, and each is used once.
static void count_ids(const Ast *e, int *seen, int count)
{
    if (!e) return;
    assert_in_range(e->id, 0, count - 1);
    assert_int_equal(seen[e->id]++, 0);
    for (int i = 0; i < e->kids.len; i++) count_ids(e->kids.at[i], seen, count);
    for (int i = 0; i < e->generics.len; i++) count_ids(e->generics.at[i], seen, count);
}

static void count_all(const AstVec *v, int *seen, int count)
{
    for (int i = 0; i < v->len; i++) count_ids(v->at[i], seen, count);
}

static void count_params(const AstParamVec *v, int *seen, int count)
{
    for (int i = 0; i < v->len; i++) {
        count_ids(v->at[i].type, seen, count);
        count_ids(v->at[i].filter, seen, count);
    }
}

static void count_item(const Item *item, int *seen, int count)
{
    count_params(&item->numbers, seen, count);
    count_params(&item->params, seen, count);
    for (int i = 0; i < item->options.len; i++) count_all(&item->options.at[i].types, seen, count);
    for (int i = 0; i < item->imported.len; i++) count_ids(item->imported.at[i], seen, count);
    for (int i = 0; i < item->tuned.len; i++) count_all(&item->tuned.at[i].choices, seen, count);
    count_all(&item->where, seen, count);
    count_ids(item->filter, seen, count);
    count_ids(item->type, seen, count);
    count_ids(item->body, seen, count);
}

static void test_ids(void **state)
{
    (void)state;
    for (int k = 0; k < PROGRAMS; k++) {
        Session *cx = session_new();
        const Module *m = parse_text(cx, programs[k], strlen(programs[k]));
        int *seen = ARENA_ARRAY(cx->arena, int, m->ast_count + 1);
        for (int i = 0; i < m->items.len; i++) count_item(m->items.at[i], seen, m->ast_count);
        for (int i = 0; i < m->ast_count; i++) assert_int_equal(seen[i], 1);
        session_delete(cx);
    }
}

static void test_equal(void **state)
{
    (void)state;
    Session *cx = session_new();
    static const char *const different[] = {"a",
                                            "b",
                                            "1",
                                            "1u8",
                                            "1.0",
                                            "f(a)",
                                            "f[a]",
                                            "f(a)(b)",
                                            "f[a](b)",
                                            "\"a\"",
                                            "a[..1]",
                                            "a[1..]",
                                            "[a]",
                                            "[..a]",
                                            "x as idx[a]",
                                            "x as idx[..a]",
                                            "x as idx[a, a]",
                                            "&a",
                                            "&mut a",
                                            "*a",
                                            "?a",
                                            "$a",
                                            "@@a()",
                                            "break",
                                            "{ a }",
                                            "{ a; }",
                                            "{ let x = a; }",
                                            "{ let mut x = a; }",
                                            "{ x = a; }",
                                            "{ x += a; }",
                                            "if a { b }",
                                            "while a { b }",
                                            "with a() { b }",
                                            "for a in a() { b }",
                                            "with a in a() { b }",
                                            "with (a) { b } modarray a",
                                            "with (a) { b } modarray(a)",
                                            "with (a) { b } genarray(a)",
                                            "with (a) { b } (genarray(a))",
                                            "with (a) { b } genarray(a, b)",
                                            "with (a) { b } fold(a, b)",
                                            "with ([a]) { b } fold(a, b)",
                                            "with (a < b) { b } fold(a, b)",
                                            "with (a < .) { b } fold(a, b)",
                                            "with (a <= b) { b } fold(a, b)",
                                            "with (b <= a <= b) { b } fold(a, b)",
                                            "with (b < a <= b) { b } fold(a, b)",
                                            "with (b <= a < b) { b } fold(a, b)",
                                            "with (a step b) { b } fold(a, b)",
                                            "with (a width b) { b } fold(a, b)",
                                            "with (a) { b } (a) { b } fold(a, b)",
                                            "match a { b => c }",
                                            "match a { b if a => c }",
                                            "match a { 1 => c }",
                                            "match a { A.b => c }",
                                            "match a { B.b => c }",
                                            "match a { A.b(_) => c }",
                                            "match a { _ => c }",
                                            "a as &t",
                                            "a as &mut t",
                                            "a as &shared t"};
    enum { LEN = sizeof different / sizeof *different };
    for (int i = 0; i < LEN; i++)
        for (int j = 0; j < LEN; j++)
            assert_int_equal(
                ast_equal(parse_whole(cx, different[i]), parse_whole(cx, different[j])), i == j);
    session_delete(cx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_precedence),
        cmocka_unit_test(test_postfix),
        cmocka_unit_test(test_generics),
        cmocka_unit_test(test_spreads),
        cmocka_unit_test(test_operators),
        cmocka_unit_test(test_lambdas),
        cmocka_unit_test(test_constructs),
        cmocka_unit_test(test_if),
        cmocka_unit_test(test_print),
        cmocka_unit_test(test_items),
        cmocka_unit_test(test_ids),
        cmocka_unit_test(test_equal),
        cmocka_unit_test(test_statements),
        cmocka_unit_test(test_block_like),
        cmocka_unit_test(test_loops),
        cmocka_unit_test(test_generators),
        cmocka_unit_test(test_index_of_generator),
        cmocka_unit_test(test_with_operators),
        cmocka_unit_test(test_match),
        cmocka_unit_test(test_references),
        cmocka_unit_test(test_imperative_items),
        cmocka_unit_test(test_strategies),
        cmocka_unit_test(test_rules),
        cmocka_unit_test(test_schedules),
        cmocka_unit_test(test_equal_items),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
