// Shapes: functions of any rank, operators on arrays, vectors as indices, with-loops. Their types, what is refused and how it is
// told, and the Core that they become.
#include "infer/support.h"

typedef struct {
    const char *source, *says;
} Case;

#define CHECK_CASES(check, cases)                                                                  \
    for (size_t i = 0; i < sizeof(cases) / sizeof *(cases); i++) (check)(&(cases)[i])

// --- types -------------------------------------------------------------------------------------

// The type of an expression.
static void check_type(const Case *c)
{
    Inferred r = infer_good(
        "import std.arrays\n"
        "const K: nat = 4\n"
        "struct P { x: f32, y: i32 }\n"
        "fn rank_of[s: shape](a: [..s]f32) -> i64 { rank(s) }\n"
        "fn wider[s: shape](a: [..s]f32) -> [2 * s[0], ..s[1..], rank(s)]f32 where rank(s) > 0\n"
        "{ with (iv) { 0 } genarray([2 * s[0], ..s[1..], rank(s)]) }\n");
    uint32_t file = session_add_source(r.cx, "expression", c->source, strlen(c->source));
    int next, npaths;
    Ast *e = parse_expression(r.cx, file, r.module->ast_count, &next);
    const char *const *paths;
    Function *f = infer_expression(r.cx, r.program, r.module, e, NULL, NULL, &paths, &npaths);
    if (!f) report(&r);
    assert_non_null(f);
    core_check(r.cx, f, LEVEL_CORE);
    const char *type = type_show(r.cx, f->result);
    if (strcmp(type, c->says) != 0) fail_msg("%s: %s, not %s", c->source, type, c->says);
    session_delete(r.cx);
}

static void test_operators(void **state)
{
    (void)state;
    static const Case cases[] = {
        {"[1, 2] + [3, 4]", "[2]i32"},
        {"[1.0, 2.0] * 2", "[2]f32"},
        {"2 - [[1u8, 2], [3, 4]]", "[2][2]u8"},
        {"-[1.0f64]", "[1]f64"},
        {"!([1, 2] < 2) | [true, false]", "[2]bool"},
        {"[1, 2] == [1, 2]", "bool"},
        {"min([1, 2], [2, 1]) % 2 << 1", "[2]i32"},
        {"sqrt([[4.0]]) + pow([[2.0]], 2)", "[1][1]f32"},
        {"f64([1, 2])", "[2]f64"},
        {"(1, 2.0) + (3, 4.0)", "(i32, f32)"},
        {"(1, 2) < (2, 1)", "(bool, bool)"},
        {"(1.0, 2.0) * 2", "(f32, f32)"},
        {"[(1, 2.0)] + [(3, 4.0)]", "[1](i32, f32)"},
        {"reduce(+, repeat[2](0.0), [[1, 2], [3, 4], [5, 6]])", "[2]f32"},
        {"(|x| x + x)([1.0])", "[1]f32"},
        {"(|x, y| x * y - 1)([1.0], 2.0)", "[1]f32"},
        {"map(|x| x * [1, 2], [3, 4, 5])", "[3][2]i32"},
        {"generate(3, |i| i) + [1, 2, 3]", "[3]i64"},
    };
    CHECK_CASES(check_type, cases);
}

static void test_vectors(void **state)
{
    (void)state;
    static const Case cases[] = {
        {"shape([[1, 2, 3]])", "[2]i64"},
        {"rank([[1, 2, 3]])", "i64"},
        {"rank(1)", "i64"},
        {"shape(1)", "[0]i64"},
        {"prod(shape([[1, 2]]))", "i64"},
        {"[[1, 2], [3, 4]][[0, 1]]", "i32"},
        {"[[1, 2], [3, 4]][(0, 1)]", "i32"},
        {"[[1, 2], [3, 4]][[0]]", "[2]i32"},
        {"[[1, 2], [3, 4]][[0], 1]", "i32"},
        {"[1, 2][[]]", "[2]i32"},
        {"{ let v = [2, 3]; let w = [..v, 4] * 2; full(w[1..], 1.0) }", "[6][8]f32"},
        {"[1.0, ..[2, 3], ..(4, 5)]", "[5]f32"},
        {"[..[true]]", "[1]bool"},
        {"[..shape([[1]]), 5]", "[3]i64"},
        {"with (iv) { [..iv, 3] } genarray([2])", "[2][2]i64"},
        {"{ let v = [0, 1]; let w = v + 1; [[1, 2], [3, 4]][w * 1 - v] }", "i32"},
        {"{ let v = [0u8, 1]; [[1, 2], [3, 4]][v] }", "i32"},
        {"{ let a = [[1, 2, 3]]; let v = shape(a) / 2; repeat[v[1]](1.0) }", "[1]f32"},
        {"{ let v = [2, 3]; let w = v * 2; full([..w[1..], 8], 1.0) }", "[6][8]f32"},
        {"{ let v = [2, 3]; full(v[1..] ++ v ++ v[..1], 1.0) }", "[3][2][3][2]f32"},
        {"{ let v = max([2, 3], 3) - min([1, 2], [2, 1]) % 2; full(v, true) }", "[2][2]bool"},
        {"full([prod([2, 3]), 2, K], 0)", "[6][2][4]i32"},
        {"{ let n: nat = 3; full([n, n - 1], 0) }", "[3][2]i32"},
        {"full([], 1.0)", "f32"},
    };
    CHECK_CASES(check_type, cases);
}

static void test_families(void **state)
{
    (void)state;
    static const Case cases[] = {
        {"wider([1.0])", "[2][1]f32"},
        {"wider([[[1.0, 2.0, 3.0]]])", "[2][1][3][3]f32"},
        {"wider[[1, 2]]([[1.0, 2.0]])", "[2][2][2]f32"},
        {"map(wider, [[1.0], [2.0]])", "[2][2][1]f32"},
        {"[[1.0], [2.0]] |> wider |> sum", "f32"},
        {"map(take([2]), [[1, 2, 3]])", "[1][2]i32"},
        {"[[1, 2, 3]] |> drop([0, 1])", "[1][2]i32"},
        {"reshape([3, 2], [1, 2, 3, 4, 5, 6])", "[3][2]i32"},
        {"flatten([[[1, 2]], [[3, 4]]])", "[4]i32"},
        {"cat(1, [[1], [2]], [[3, 4], [5, 6]])", "[2][3]i32"},
        {"cat(0, [[1], [2]], [[3]])", "[3][1]i32"},
        {"shift(1, 1, 0, [[[1, 2], [3, 4]]])", "[1][2][2]i32"},
        {"each(|x| x > 1, [[1, 2]])", "[1][2]bool"},
        {"each(|x| [x, x], 1.0)", "[2]f32"},
        {"update([0, 1], 3, [[1, 2]])", "[1][2]i32"},
        {"update((0, 1), 3, [[1, 2]])", "[1][2]i32"},
        {"update([0], [3, 4], [[1, 2]])", "[1][2]i32"},
        {"choose([true], [[1, 2]], [[3, 4]])", "[1][2]i32"},
        {"{ let b: [1][2]i32 = each(|x| [x, x], [1]); b }", "[1][2]i32"},
        {"maxval([[1.0, 2.0]]) + minval([1])", "f32"},
        {"rank_of(1.0)", "i64"},
    };
    CHECK_CASES(check_type, cases);
}

static void test_with_loops(void **state)
{
    (void)state;
    static const Case cases[] = {
        {"with (iv) { 1.0 } genarray([2, 3])", "[2][3]f32"},
        {"with (i) { i } genarray(3)", "[3]idx[3]"},
        {"with (iv) { iv } genarray([2, 3])", "[2][3](idx[2], idx[3])"},
        {"with (iv) { iv } genarray([2])", "[2](idx[2],)"},
        {"with ([i, j]) { i + j } genarray([2, 3])", "[2][3]i64"},
        {"with (iv) { [true] } genarray([2, 3])", "[2][3][1]bool"},
        {"with (iv) { 1u8 } genarray([])", "u8"},
        {"with (iv < [2, 3]) { 1.0f64 } fold(+, 0)", "f64"},
        {"with (i < 3) { (i + 0, 1) } fold(|a, b| b, (0, 2.0))", "(i64, f32)"},
        {"with (i < 3) { P { x: 1, y: 2 } } genarray(4, P { x: 0, y: 0 })", "[4]P"},
        {"with ([1] <= iv) { [1, 2] } modarray [[1, 2], [3, 4]]", "[2][2]i32"},
        {"with ([1, 0] <= iv) { 1 } modarray [[1, 2], [3, 4]]", "[2][2]i32"},
        {"with (1 <= iv) { 1 } modarray [[1, 2], [3, 4]]", "[2][2]i32"},
        {"with (iv) { (1, 2.0) } (genarray([2]), fold(+, 0))", "([2]i32, f32)"},
        {"with (iv) { (1, 2.0, true) } (genarray([2]), modarray [1.0, 2.0], fold(&, true))",
         "([2]i32, [2]f32, bool)"},
        {"with (i < 3) { (1, 2.0) } (fold(+, 0u8), fold(*, 1))", "(u8, f32)"},
        {"with (iv < [2] step [2]) { iv } fold(|a, b| a, (0,))", "(i64,)"},
    };
    CHECK_CASES(check_type, cases);
}

// Sizes that are not numbers: the declared result is the type.
static void test_sizes(void **state)
{
    (void)state;
    static const char *const sources[] = {
        "fn f[n, m: nat](a: [n][m]f32) -> [n / 2][m / 2]f32\n"
        "{ let v = shape(a) / 2; with (iv) { a[iv * 2] } genarray(v) }",
        "fn f[n, m: nat](a: [n][m]f32) -> [n * m]f32 { repeat[prod(shape(a))](0.0) }",
        "fn f[n, m: nat](a: [n][m]f32) -> [m]f32 { let v = shape(a); repeat[v[1]](0.0) }",
        "fn g[s: shape](a: [..s]f32) -> [..s, 2]f32 { with (iv) { 0 } genarray([..s, 2]) }\n"
        "fn f[n: nat](a: [n][3]f32) -> [n][3][2][2]f32 { g(g(a)) }",
        "fn g[s: shape](i: idx[..s], a: [..s]f32) -> f32 { a[i] }\n"
        "fn f[n, m: nat](a: [n][m]f32) -> [n][m]f32 { with (iv) { g(iv, a) } genarray(shape(a)) }",
        "fn g[s: shape](s0: i64, a: [..s]f32) -> i64 { s0 + s[0] }\n"
        "fn f[n: nat](a: [n]f32) -> i64 { let s1 = 1i64; g(s1, a) }",
        // a shape of rank 11 and one called s1
        "fn g[s, s1: shape](a: [..s]f32, b: [..s1]f32) -> [s[10], s1[0]]f32\n"
        "{ with (iv) { 0 } genarray([s[10], s1[0]]) }\n"
        "fn f[n: nat](a: [1][1][1][1][1][1][1][1][1][1][7]f32, b: [n]f32) -> [7][n]f32 { g(a, b) }",
        // the name of a shape stands for something else
        "fn g[s: shape](a: [..s]f32) -> i32 { let s = 3; s }\n"
        "fn f(a: [2]f32) -> i32 { g(a) }",
        "fn g[s: shape](a: [..s]f32) -> [3]f32 { let s = [3]; with (iv) { 0 } genarray(s) }\n"
        "fn f[n, m: nat](a: [n][m]f32) -> [3]f32 { g(a) }",
        "fn rank(x: f32) -> f32 { x }\n"
        "fn f(shape: f32) -> f32 { let prod = shape; rank(prod) }",
        // border modes
        "fn g[s: shape, n: nat](m: mode[[..s]f32], a: [n][..s]f32) -> [n + 2][..s]f32 where n > 0\n"
        "{ pad[1, 1](m, a) }\n"
        "fn f(a: [2]f32, b: [3][4]f32) -> ([4]f32, [5][4]f32)\n"
        "{ (g(const(1.0), a), g(clamp, b)) }",
        // where conditions tell ranks
        "fn g[p, q: shape](k: nat, a: [..p][..q]f32) -> [..q][..p]f32 where rank(p) == k\n"
        "{ with (iv) { 0 } genarray(q ++ p) }\n"
        "fn f[n, m, l: nat](a: [n][m][l]f32) -> [m][l][n]f32 { g(1, a) }",
        "fn g[s: shape]() -> [..s]f32 { with (iv) { 0 } genarray(s) }\n"
        "fn f[n: nat](a: [n]f32) -> [n][n]f32 { g() }",
    };
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++)
        session_delete(infer_good(sources[i]).cx);
}

// --- errors ------------------------------------------------------------------------------------

static void check_report(const Case *c)
{
    Inferred r = infer_text(c->source, strlen(c->source));
    Text out = text_new(r.cx->arena);
    diag_print_all(r.cx, &out, false);
    if (!strstr(text_get(&out), c->says)) fail_msg("no \"%s\" in\n%s", c->says, text_get(&out));
    session_delete(r.cx);
}

static void test_messages(void **state)
{
    (void)state;
    static const Case cases[] = {
        {"fn f(a: [2]f32, b: [3]f32) -> [2]f32 { a + b }",
         "1:40: error E0401: the sizes `2` and `3` differ"},
        {"fn f(a: [2]f32, b: [2][2]f32) -> [2]f32 { a + b }",
         "1:43: error E0304: `+` works element by element, and `[2]f32` does not fit `[2][2]f32`"},
        {"fn f(a: (f32, f32)) -> (f32, f32) { a + (1.0, 2.0, 3.0) }",
         "`+` works element by element, and `(f32, f32)` does not fit `(_, _, _)`"},
        {"struct P { x: f32 }\nfn f(a: [2]P) -> [2]P { a + a }",
         "error E0304: `+` takes numbers, not `P`"},
        {"fn f(a: [2]f32, v: [1]f32) -> f32 { a[v] }",
         "1:39: error E0306: an index is an integer, not `f32`"},
        {"fn f[n: nat](a: [2]f32, v: [n]i32) -> f32 { a[v] }",
         "an index must have a known number of components, but this is `[n]i32`"},
        {"fn f(a: [2]f32) -> f32 { a[[0, 1]] }", "`f32` is not an array and has no elements"},
        {"fn f[n: nat](a: [n]f32) -> [n]f32 { [..a] }",
         "1:38: error E0306: `..` must be followed by a vector of a known length, but this is "
         "`[n]f32`"},
        {"fn f(a: f32) -> f32 { [..a][0] }",
         "`..` must be followed by a vector of a known length, but this is `f32`"},
        {"fn f(a: [2]bool) -> [3]f32 { [1, ..a] }", "E0301"},
        {"fn f(n: i64) -> f32 { let a = with (iv) { 1.0 } genarray([n]); 1.0 }",
         "1:59: error E0403: `n` is a value, known only when the program runs, not a size"},
        {"fn f(a: [3]f32) -> f32 { let v = shape(a); repeat[v[1]](1.0)[0] }",
         "1:53: error E0421: this is out of bounds of a vector of 1 element"},
        {"fn f(a: [3]f32) -> f32 { let v = [1, 2] + shape(a); 1.0 }",
         "1:34: error E0401: the sizes `2` and `1` differ"},
        {"fn f(a: [3]f32) -> f32 { let b = with (iv) { 1.0 } genarray(shape(a + 1)); 1.0 }",
         "give the array a name: let a = ...; shape(a)"},
        {"struct S[s: shape] { a: f32 }", "E0421: only functions have shape parameters"},
        // ranks
        {"fn g[s: shape](a: [..s][..s]f32) -> f32 { 1 }\nfn f(a: [2][2][2]f32) -> f32 { g(a) }",
         "2:34: error E0422: `[2][2][2]f32` does not fit `[..s][..s]f32` here"},
        {"fn g[s, t: shape](a: [..s][..t]f32) -> f32 { 1 }\nfn f(a: [2]f32) -> f32 { g(a) }",
         "2:26: error E0422: the rank of `s` of g is not known"},
        {"fn g[s: shape](a: [..s]f32) -> f32 where rank(s) == 1 { 1 }\n"
         "fn f(a: [2][2]f32) -> f32 { g(a) }",
         "2:29: error E0422: the ranks do not satisfy `rank(s) == 1`"},
        {"fn g[s: shape](a: [..s]f32) -> f32 { g([a]) }\nfn f(a: [2]f32) -> f32 { g(a) }",
         "1:38: error E0422: the rank of `s` of g is too great"},
        {"fn g[s: shape](v: shape, a: [..s]f32) -> f32 where v <= s { 1 }\n"
         "fn f(a: [2][3]f32) -> f32 { g([2], a) }",
         "1:52: error E0421: vectors of 1 and 2 elements cannot be compared"},
        {"fn g[s: shape](v: shape, a: [..s]f32) -> f32 where v <= s { 1 }\n"
         "fn f(a: [2][3]f32) -> f32 { g([2], a) }",
         "2:29: g is called here, with `s` of rank 2, `v` of rank 1"},
        {"fn g[s: shape](v: shape, a: [..s]f32) -> f32 where v <= s { 1 }\n"
         "fn f(a: [2][3]f32) -> f32 { g([2, 4], a) }",
         "2:29: error E0404: `v <= s` does not hold for s1 = 3, v1 = 4"},
        {"fn g[s: shape](a: [..s]f32) -> [..s]f32 { sqrtt(a) }\n"
         "fn f(a: [2][3]f32) -> [2][3]f32 { g(a) }",
         "2:35: g is called here, with `s` of rank 2"},
        {"fn g[s: shape](a: [..s]f32) -> f32 { 1 }\nfn f() -> f32 { (g >> sqrt)([1]) }",
         "2:18: error E0422: the rank of `s` of g is not known"},
        {"fn f() -> f32 { let g = |a| shape(a); 1.0 }",
         "1:29: error E0422: the rank of this array is not known"},
        {"entry fn f[n, k: nat](a: [n]f32) -> [n]f32 { map(|x| x * pow(2, k), a) }",
         "1:54: error E0304"},
        {"fn g[n: nat](a: [2 * n]f32) -> [n]f32 { take[n](a) }\n"
         "entry fn f[n: nat](a: [n]f32) -> [n]f32 { iterate(g, a) }",
         "2:43: error E0406: the number of steps is not known"},
        {"fn g[n: nat](a: [2 * n]f32) -> [n]f32 { take[n](a) }\n"
         "entry fn f(a: [6]f32) -> [1]f32 { iterate[2](g, a) }",
         "2:49: error E0401: the size `6` is not a multiple of `4`"},
        {"fn g[s: shape](k: nat, a: [..s]f32) -> [s[k]]f32 { repeat[s[k]](a) }\n"
         "entry fn f(a: [2][3]f32) -> [3]f32 { g(1, a) }",
         "2:38: g is called here, with `s` of rank 2, k = 1"},
        {"fn g[s: shape](v: shape, a: [..s]f32) -> [s[v[0]]]f32 where rank(v) == 2 { a }\n"
         "entry fn f(a: [2][3]f32) -> [3]f32 { g([1, 0], a) }",
         "2:38: g is called here, with `s` of rank 2, `v` of rank 2, v = [1, 0]"},
        {"fn g[s: shape](k: nat, a: [..s]f32) -> [s[k]]f32 { repeat[s[k]](1) }\n"
         "entry fn f(a: [2][3]f32) -> [3]f32 { g(2, a) }",
         "1:43: error E0421: this is out of bounds of a vector of 2 elements"},
        {"fn g[s: shape](k: nat, a: [..s]f32) -> [s[k]]f32 { repeat[s[k]](1) }\n"
         "entry fn f[n: nat](a: [n][3]f32) -> [3]f32 { g(n, a) }",
         "pass constants for `k`, because the types of g depend on them"},
        {"extern fn f[s: shape](a: [..s]f32) -> f32",
         "1:13: error E0423: a C function takes arrays of known ranks"},
    };
    CHECK_CASES(check_report, cases);
}

static void test_messages_of_with_loops(void **state)
{
    (void)state;
    static const Case cases[] = {
        {"fn f() -> [3]f32 { with ([0, 0] <= iv < [3]) { 1 } genarray([3]) }",
         "1:26: error E0424: this has 2 components, but the index has 1\n"},
        {"fn f() -> [3]f32 { with (iv < [3] step [1, 2]) { 1 } genarray([3]) }",
         "1:40: error E0424: this has 2 components, but the index has 1\n"},
        {"fn f() -> [3]f32 { with ([i, j]) { 1 } genarray([3]) }",
         "1:26: error E0424: this has 2 components, but the index has 1\n"},
        {"fn f(a: [3]f32) -> [3]f32 { with (iv < [1, 2]) { 1 } modarray a }",
         "error E0424: the index has 2 components, but `[3]f32` has 1 dimension\n"},
        {"fn f(a: &[3]f32) -> [3]f32 { with (iv < [1]) { 1 } modarray a }",
         "this is a reference; *e is the value that it refers to"},
        {"fn f() -> f32 { with (iv) { 1 } fold(+, 0) }",
         "error E0424: a generator of fold needs an upper bound"},
        {"fn f() -> [3]f32 { with (iv width [1]) { 1 } genarray([3]) }",
         "E0424: a width needs a step"},
        {"fn f() -> [3]f32 { with (iv step [0]) { 1 } genarray([3]) }",
         "1:34: error E0404: `1 <= 0` does not hold"},
        {"fn f() -> [3]f32 { with (iv < [4]) { 1 } genarray([3]) }",
         "1:31: error E0404: `4 <= 3` does not hold"},
        {"fn f() -> f32 { with ([-1] <= iv < [4]) { 1 } fold(+, 0) }",
         "error E0404: `0 <= -1` does not hold"},
        {"fn f(x: f32, a: [3]f32) -> [3]f32 { with ([x] <= iv <= .) { 1 } modarray a }",
         "error E0306: an index is an integer, not `f32`"},
        {"fn f(v: [2]i64, a: [3]f32) -> [3]f32 { with (v <= iv <= .) { 1 } modarray a }",
         "error E0424: the index has 2 components, but `[3]f32` has 1 dimension"},
        {"struct P { x: f32 }\nfn f() -> [3]P { with (iv < [1]) { P { x: 1 } } genarray([3]) }",
         "error E0424: genarray of `P` needs a default"},
        {"fn f(a: [3]f32, b: [3][4]f32) -> f32 { let c = with (iv) { (1, 2) } (modarray a, "
         "modarray b); 1.0 }",
         "the operators of a with-loop share one index space"},
        {"fn f(a: [3]f32, b: [4]f32) -> f32 { let c = with (iv) { (1, 2) } (modarray a, modarray "
         "b); 1.0 }",
         "the sizes `3` and `4` differ"},
        {"fn f(a: [3]f32) -> [3]f32 { with (iv) { true } modarray a }",
         "error E0301: expected `f32`, found `bool`"},
        {"fn f[n: nat]() -> i64 { with (i < n) { i } fold(+, 0.0) }", "convert it: f32(i)"},
        {"fn f() -> f32 { with (iv < [3]) { 1.0 } fold(|a| a, 0.0) }",
         "this function takes 1 argument, but one of 2 is expected"},
        {"fn f() -> f32 { let g = with (iv) { |x: f32| x } genarray([3]); 1.0 }",
         "`fn(f32) -> f32` is not data"},
    };
    CHECK_CASES(check_report, cases);
}

// One cause, one report.
static void test_silence(void **state)
{
    (void)state;
    static const Case cases[] = {
        {"fn f() -> [3]f32 { with ([0, 0] <= iv < [3]) { 1 } genarray([3]) }", "E0424 1:26"},
        {"fn f() -> f32 { with ([0, 0] <= iv < [3] step [1]) { 1 } fold(+, 0) }", "E0424 1:38"},
        {"fn f(a: [2]f32) -> [2]f32 { unknown(a) + a * 2 - 1 }", "E0201 1:29"},
        {"fn g[s: shape](a: [..s]f32) -> f32 { 1 }\nfn f() -> f32 { g(unknown) }", "E0201 2:19"},
        {"fn f(a: [3]f32) -> [3]f32 { with (iv) { unknown } modarray a }", "E0201 1:41"},
        {"fn f(a: [3]f32) -> [3]f32 { with (iv < unknown) { 1 } modarray a }", "E0201 1:40"},
        {"fn f(a: [3]f32) -> [3]f32 { with (iv) { 1 } modarray unknown }", "E0201 1:54"},
        {"fn g[s: shape](a: [..s]f32) -> f32 { unknown }\n"
         "fn f(a: [2]f32) -> f32 { g(a) + g(a) }",
         "E0201 1:38"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Inferred r = infer_text(cases[i].source, strlen(cases[i].source));
        const char *errors = show_errors(&r);
        if (strcmp(errors, cases[i].says) != 0) report(&r);
        if (strcmp(errors, cases[i].says) != 0)
            fail_msg("%s\n: %s, not %s", cases[i].source, errors, cases[i].says);
        session_delete(r.cx);
    }
}

// --- conditions --------------------------------------------------------------------------------

static void check_conditions(const Case *c)
{
    Inferred r = infer_good(c->source);
    const char *checks = show_checks(&r, &find_function(&r, "f")->checks);
    if (strcmp(checks, c->says) != 0) fail_msg("%s\n: %s, not %s", c->source, checks, c->says);
    session_delete(r.cx);
}

// What is not known when compiling is compared at the entry, once.
static void test_conditions(void **state)
{
    (void)state;
    static const Case cases[] = {
        {"fn f[n, m: nat](a: [n]f32, b: [m]f32) -> [n]f32 { a + b }", "n == m"},
        {"fn f[n: nat](a: [n]f32) -> [n]f32 { a + a * 2 }", ""},
        {"fn f[n, m: nat](a: [n]f32, b: [m]f32) -> ([n]f32, [m]f32)\n"
         "{ with (iv) { (1, 2) } (modarray a, modarray b) }",
         "n == m"},
        {"fn f[n: nat](a: [n]f32) -> [n]f32 { with (iv < [3]) { 1 } modarray a }", "3 <= n"},
        {"fn f[n: nat](a: [n]f32) -> [n]f32 { with ([1] <= iv < [n - 1]) { 1 } modarray a }", ""},
        {"fn f[n: nat](a: [n]f32) -> f32 { with ([n - 2] <= iv < [n]) { a[iv] } fold(+, 0) }",
         "2 <= n"},
        {"fn f[n: nat](a: [n]f32) -> [n]f32 { with (iv step [n]) { 1 } modarray a }", "1 <= n"},
        {"fn f[n: nat]() -> [n - 1]f32 { with (iv) { 1 } genarray([n - 1]) }", "1 <= n"},
        {"fn g[s: shape](v: shape, a: [..s]f32) -> f32 where v <= s { 1 }\n"
         "fn f[n, m: nat](a: [n][m]f32) -> f32 { g([2, 3], a) }",
         "2 <= n; 3 <= m"},
        {"fn g[s: shape](i: idx[..s], a: [..s]f32) -> f32 { a[i] }\n"
         "fn f[n, m: nat](a: [n][m]f32) -> f32 { with (iv < [m, n]) { g(iv, a) } fold(+, 0) }",
         "m == n"},
    };
    CHECK_CASES(check_conditions, cases);
}

// --- Core --------------------------------------------------------------------------------------

static void check_core(const Case *c)
{
    Inferred r = infer_good(c->source);
    Text t = text_new(r.cx->arena);
    core_print(r.cx, &t, find_function(&r, "f"));
    if (strcmp(text_get(&t), c->says) != 0)
        fail_msg("%s\ngives\n%s\nnot\n%s", c->source, text_get(&t), c->says);
    session_delete(r.cx);
}

static void test_core(void **state)
{
    (void)state;
    static const Case cases[] = {
        {"fn f[n: nat](a: [n]f32) -> [n]f32 { a * 2 }", "(fn f [n: nat] (a: [n]f32) : [n]f32\n"
                                                        "  (map (lam (x: f32) (* x 2.0)) a))\n"},
        {"fn f[n: nat](a: [n]f32, b: [n]f32) -> [n]f32 { a + b }",
         "(fn f [n: nat] (a: [n]f32, b: [n]f32) : [n]f32\n"
         "  (map (lam (p: (f32, f32)) (+ (proj 0 p) (proj 1 p))) (zip a b)))\n"},
        {"fn f(a: (f32, f32)) -> (f32, f32) { a - (1, 2) }",
         "(fn f (a: (f32, f32)) : (f32, f32)\n"
         "  (tuple (- (proj 0 a) 1.0) (- (proj 1 a) 2.0)))\n"},
        {"fn f[n, m: nat](a: [n][m]f32, v: [2]i32) -> f32 { a[v + 1] }",
         "(fn f [n: nat, m: nat] (a: [n][m]f32, v: [2]i32) : f32\n"
         "  (let x (map (lam (x: i32) (+ x 1)) v)\n"
         "   (at\n"
         "     (at a (to_idx (cast (at x (to_idx 0i64 : idx[2])) : i64) : idx[n]))\n"
         "     (to_idx (cast (at x (to_idx 1i64 : idx[2])) : i64) : idx[m]))))\n"},
        {"fn f[n, m: nat](a: [n][m]f32) -> [n][m]f32\n"
         "{ with (. < iv < .) { a[iv] * 2 } modarray a }",
         "(fn f [n: nat, m: nat] (a: [n][m]f32) : [n][m]f32\n"
         "  (generate n\n"
         "    (lam (i: idx[n])\n"
         "      (generate m\n"
         "        (lam (j: idx[m])\n"
         "          (if\n"
         "            (&\n"
         "              (& (<= (size 1) (cast i : i64)) (< (cast i : i64) (size (n - 1))))\n"
         "              (& (<= (size 1) (cast j : i64)) (< (cast j : i64) (size (m - 1)))))\n"
         "            (let iv (tuple i j) (* (at (at a (proj 0 iv)) (proj 1 iv)) 2.0))\n"
         "            (at (at a i) j)))))))\n"},
        {"fn f[n: nat]() -> [n]f32 { with (. <= i <= . step 3 width 2) { 1 } genarray(n) }",
         "(fn f [n: nat] () : [n]f32\n"
         "  (generate n (lam (i: idx[n]) (if (< (% (cast i : i64) (size 3)) (size 2)) (let i i "
         "1.0) 0.0))))\n"},
        {"fn f[n: nat]() -> [2 * n]f32\n"
         "{ with (iv < [n]) { 1 } ([n] <= iv < [2 * n]) { 2 } genarray([2 * n]) }",
         "(fn f [n: nat] () : [2*n]f32\n"
         "  (generate 2*n\n"
         "    (lam (i: idx[2*n])\n"
         "      (if\n"
         "        (< (cast i : i64) (size n))\n"
         "        (let iv (tuple i) 1.0)\n"
         "        (if (<= (size n) (cast i : i64)) (let iv (tuple i) 2.0) 0.0)))))\n"},
        {"fn f[n: nat](k: i64) -> [n]f32 { with ([k] <= iv <= .) { 1 } genarray([n]) }",
         "(fn f [n: nat] (k: i64) : [n]f32\n"
         "  (let x (tuple (to_idx k : idx[n + 1]))\n"
         "   (generate n\n"
         "     (lam (i: idx[n]) (if (<= (cast (proj 0 x) : i64) (cast i : i64)) (let iv (tuple i) "
         "1.0) 0.0)))))\n"},
        {"fn f[n, m: nat](a: [n][m]f32) -> f32 { with (iv < shape(a)) { a[iv] } fold(+, 0) }",
         "(fn f [n: nat, m: nat] (a: [n][m]f32) : f32\n"
         "  (reduce\n"
         "    (lam (a: f32, b: f32) (+ a b))\n"
         "    0.0\n"
         "    (generate n\n"
         "      (lam (i: idx[n])\n"
         "        (reduce\n"
         "          (lam (a: f32, b: f32) (+ a b))\n"
         "          0.0\n"
         "          (generate m\n"
         "            (lam (j: idx[m]) (let iv (tuple i j) (at (at a (proj 0 iv)) (proj 1 "
         "iv))))))))))\n"},
        {"fn f[n: nat](a: [n]f32) -> f32 { with (i < n step 2) { a[i] } fold(+, 0) }",
         "(fn f [n: nat] (a: [n]f32) : f32\n"
         "  (reduce\n"
         "    (lam (a: f32, b: f32) (+ a b))\n"
         "    0.0\n"
         "    (generate (n + 1)/2\n"
         "      (lam (i: idx[(n + 1)/2])\n"
         "        (let i (+ (size 0) (* (size 2) (cast i : i64))) (at a (to_idx i : "
         "idx[n])))))))\n"},
        {"fn f[n: nat](a: [n]f32) -> ([n]f32, f32)\n"
         "{ with (iv) { (a[iv] * 2, a[iv]) } (modarray a, fold(max, 0)) }",
         "(fn f [n: nat] (a: [n]f32) : ([n]f32, f32)\n"
         "  (tuple\n"
         "    (generate n\n"
         "      (lam (i: idx[n])\n"
         "        (let iv (tuple i) (proj 0 (tuple (* (at a (proj 0 iv)) 2.0) (at a (proj 0 "
         "iv)))))))\n"
         "    (reduce\n"
         "      (lam (a: f32, b: f32) (max a b))\n"
         "      0.0\n"
         "      (generate n\n"
         "        (lam (i: idx[n])\n"
         "          (let iv (tuple i) (proj 1 (tuple (* (at a (proj 0 iv)) 2.0) (at a (proj 0 "
         "iv))))))))))\n"},
        {"fn g[s: shape](a: [..s]f32) -> i64 { if rank(a) == 0 { 0 } else { s[0] } }\n"
         "fn f[n: nat](a: [n][3]f32) -> i64 { g(a) + g(a[0]) + g(1.0) }",
         "(fn f [n: nat] (a: [n][3]f32) : i64\n"
         "  (+\n"
         "    (+\n"
         "      (app (global `g@2` n 3 : fn([n][3]f32) -> i64) a)\n"
         "      (app (global `g@1` 3 : fn([3]f32) -> i64) (at a (to_idx 0i64 : idx[n]))))\n"
         "    (app (global `g@0` : fn(f32) -> i64) 1.0)))\n"},
    };
    CHECK_CASES(check_core, cases);
}

// Every function reads back from its text.
static void test_text(void **state)
{
    (void)state;
    Inferred r = infer_good(
        "import std.arrays\n"
        "fn g[s, t: shape](a: [..s]f32, b: [..t]f32) -> f32 { sum(a) * sum(b) }\n"
        "fn f[n, m: nat](a: [n][m]f32) -> [n][m]f32\n"
        "{ let x = g(a, a[0]); cat(1, drop([0, 1], a), take([n, 1], a)) + x }\n"
        "fn h[n: nat](a: [n]f32) -> [n]f32 { shift(0, 1, 0, choose(a > 1, a, full([n], 2.0))) }\n");
    for (int i = 0; i < r.program->functions.len; i++) {
        Text first = text_new(r.cx->arena), second = text_new(r.cx->arena);
        core_print(r.cx, &first, r.program->functions.at[i]);
        const char *text = text_get(&first);
        Function *f = core_read(r.cx, session_add_source(r.cx, "text", text, strlen(text)));
        if (!f) report(&r);
        if (!f) fail_msg("does not read back:\n%s", text);
        core_print(r.cx, &second, f);
        assert_string_equal(text, text_get(&second));
    }
    session_delete(r.cx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_operators),  cmocka_unit_test(test_vectors),
        cmocka_unit_test(test_families),   cmocka_unit_test(test_with_loops),
        cmocka_unit_test(test_sizes),      cmocka_unit_test(test_messages),
        cmocka_unit_test(test_silence),    cmocka_unit_test(test_messages_of_with_loops),
        cmocka_unit_test(test_conditions), cmocka_unit_test(test_core),
        cmocka_unit_test(test_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
