// The types of expressions: every pattern, operators, literals, calls in all their forms.
#include "infer/support.h"

typedef struct {
    const char *expression, *type;
} Case;

static const char prelude_of_tests[] =
    "const K: nat = 4\n"
    "const EPS = 0.5\n"
    "struct Point { x: f32, y: f32 }\n"
    "struct Pair[t: data] { a: t, b: t }\n"
    "type Matrix[n m: nat] = [n][m]f32\n"
    "fn square[t: num](x: t) -> t { x * x }\n"
    "fn first[n: nat, t: data](xs: [n]t) -> t where n > 0 { xs[0] }\n"
    "fn zeros[n: nat]() -> [n]f32 { repeat[n](0.0) }\n"
    "fn ramp(n: nat) -> [n]i64 { generate(n, |i| i64(i)) }\n"
    "fn apply[s t: data](f: fn(s) -> t, x: s) -> t { f(x) }\n"
    "fn rows[n: nat](a: Matrix[n, K]) -> [n]f32 { map(reduce(+, 0.0), a) }\n"
    "fn half[t: float](x: t) -> t { x / 2 }\n"
    "fn pick[n: nat](a: [n]f32, i: idx[n]) -> f32 { a[i] }\n";

static void check_cases(const Case *cases, int n)
{
    for (int i = 0; i < n; i++) {
        Inferred r = infer_good(prelude_of_tests);
        const char *text = cases[i].expression;
        uint32_t file = session_add_source(r.cx, "expression", text, strlen(text));
        int next;
        Ast *e = parse_expression(r.cx, file, r.module->ast_count, &next);
        const char *const *paths;
        int npaths;
        Function *f = infer_expression(r.cx, r.program, r.module, e, NULL, NULL, &paths, &npaths);
        if (!f) report(&r);
        assert_non_null(f);
        core_check(r.cx, f, LEVEL_CORE);
        const char *type = type_show(r.cx, f->result);
        if (strcmp(type, cases[i].type) != 0) fail_msg("%s: %s, not %s", text, type, cases[i].type);
        session_delete(r.cx);
    }
}

#define CHECK_CASES(cases) check_cases((cases), (int)(sizeof(cases) / sizeof *(cases)))

static void test_patterns(void **state)
{
    (void)state;
    static const Case cases[] = {
        {"map(|x| x * 2.0, [1.0, 2.0])", "[2]f32"},
        {"reduce(+, 0, [1, 2, 3])", "i32"},
        {"fold(|a, x| a + f64(x), 0.0, [1u8])", "f64"},
        {"scan(+, 0.0, [1.0, 2.0])", "[2]f32"},
        {"scan_ex(max, 0, [1, 2])", "[2]i32"},
        {"iterate[3](|x| x + 1, 0)", "i32"},
        {"generate(5, |i| i)", "[5]idx[5]"},
        {"generate(K, |i| f32(i))", "[4]f32"},
        {"zip([1], [2.0])", "[1](i32, f32)"},
        {"zip([1], [2.0], [true])", "[1](i32, f32, bool)"},
        {"unzip(zip([1], [2.0]))", "([1]i32, [1]f32)"},
        {"unzip(zip([1], [2.0], [true]))", "([1]i32, [1]f32, [1]bool)"},
        {"map(unzip, [zip([1], [2.0], [true])])", "[1]([1]i32, [1]f32, [1]bool)"},
        {"zip([1], [2.0], [true]) |> unzip", "([1]i32, [1]f32, [1]bool)"},
        {"split[2]([1, 2, 3, 4])", "[2][2]i32"},
        {"join([[1, 2, 3], [4, 5, 6]])", "[6]i32"},
        {"as_vector[2]([1, 2, 3, 4])", "[2]varying[2] i32"},
        {"as_scalar(as_vector[2]([1, 2, 3, 4]))", "[4]i32"},
        {"lanes[4]()", "varying[4] i64"},
        {"lanes[4]() < 2", "varying[4] bool"},
        {"lanes[4]() == lanes[4]()", "varying[4] bool"},
        {"[lanes[4]()] == [lanes[4]()]", "bool"},
        {"f32(lanes[4]()) * 0.5 + 1", "varying[4] f32"},
        {"sqrt(f64(lanes[4]()))", "varying[4] f64"},
        {"lanes[4]() as varying[4] u8", "varying[4] u8"},
        {"1.5 as varying[4] f32", "varying[4] f32"},
        {"select(lanes[4]() < 2, 1, lanes[4]())", "varying[4] i64"},
        {"select(true, lanes[4](), 0)", "varying[4] i64"},
        {"extract(lanes[4](), 2)", "i64"},
        {"insert(lanes[K](), 2, 7)", "varying[4] i64"},
        {"any(lanes[4]() == 2) && all(lanes[4]() < 9)", "bool"},
        {"(lanes[4](), 1) + (1, 2)", "(varying[4] i64, i32)"},
        {"[lanes[4]()] + 1", "[1]varying[4] i64"},
        {"transpose([[1, 2, 3], [4, 5, 6]])", "[3][2]i32"},
        {"slide[3, 1](ramp(10))", "[8][3]i64"},
        {"slide[3, 2](ramp(10))", "[4][3]i64"},
        {"slide[3, 2](ramp(2))", "[0][3]i64"},
        {"pad[1, 2](clamp, [1.0])", "[4]f32"},
        {"pad[1, 0](const(0), [1.0])", "[2]f32"},
        {"concat([1], [2, 3])", "[3]i32"},
        {"[1] ++ [2, 3] ++ [4]", "[4]i32"},
        {"repeat[3](true)", "[3]bool"},
        {"take[2](ramp(5))", "[2]i64"},
        {"drop[2](ramp(5))", "[3]i64"},
        {"ramp(9)[2..7]", "[5]i64"},
        {"ramp(9)[..K]", "[4]i64"},
        {"ramp(9)[K..]", "[5]i64"},
        {"reverse([1.0])", "[1]f32"},
        {"rotate(1, 2, [[1, 2, 3]])", "[1][3]i32"},
        {"gather(generate(2, |i| 0 as idx[3]), [true, false, true])", "[2]bool"},
        {"permute(|i| i, |i| i, [1, 2])", "[2]i32"},
        {"scatter(generate(2, |i| i64(i) as idx[5]), [1, 2])", "[5]i32"},
        {"scatter_with(+, 0, generate(2, |i| 0 as idx[3]), [1, 2])", "[3]i32"},
    };
    CHECK_CASES(cases);
}

static void test_scalars(void **state)
{
    (void)state;
    static const Case cases[] = {
        {"1", "i32"},
        {"1.5", "f32"},
        {"1f64", "f64"},
        {"-128i8", "i8"},
        {"1 + 2u8", "u8"},
        {"1 + 2.0", "f32"},
        {"-3 * 2i64", "i64"},
        {"f64(1) + 2", "f64"},
        {"1 < 2", "bool"},
        {"true && !false || 1 == 2", "bool"},
        {"(1.0, 2) == (1.0, 2)", "bool"},
        {"[1, 2] != [1, 2]", "bool"},
        {"sqrt(2)", "f32"},
        {"fma(2, 3, 4)", "f32"},
        {"fma(2, 3, 4.0f64)", "f64"},
        {"fma([1.0f16], 2, [3])", "[1]f16"},
        {"fma(2, (1.0, 2.0f64), 3)", "(f64, f64)"},
        {"fma(1, 2, f64(lanes[4]()))", "varying[4] f64"},
        {"3.0f64 |> fma(1, 2)", "f64"},
        {"max(1, 2i16)", "i16"},
        {"atan2(1.0f64, 2)", "f64"},
        {"1 << 3 & 7u32", "u32"},
        {"u8(300)", "u8"},
        {"3.7 as i32", "i32"},
        {"bool(1) == true", "bool"},
        {"if 1 < 2 { 1 } else { 2u8 }", "u8"},
        {"{ let x = 2; x * 3i64 }", "i64"},
        {"{ let (a, (b, _)) = (1, (2.0, 3)); (b, a) }", "(f32, i32)"},
        {"{ let x: f64 = 1; x }", "f64"},
        {"{ let n: nat = K * 2; ramp(n) }", "[8]i64"},
        {"K - 1", "i64"},
        {"EPS", "f32"},
        {"()", "()"},
        {"(1,)", "(i32,)"},
    };
    CHECK_CASES(cases);
}

static void test_indices(void **state)
{
    (void)state;
    static const Case cases[] = {
        {"generate(3, |i| i + 1)", "[3]i64"},
        {"generate(3, |i| 2 * i - i)", "[3]i64"},
        {"generate(3, |i| -i)", "[3]i64"},
        {"generate(3, |i| i < 2)", "[3]bool"},
        {"generate(3, |i| min(i, 1))", "[3]i64"},
        {"generate(3, |i| [1.0, 2.0, 3.0][i])", "[3]f32"},
        {"generate(3, |i| generate(2, |j| i == j))", "[3][2]bool"},
        {"generate(3, |i| pick([1.0, 2.0, 3.0], i))", "[3]f32"},
        {"[[1, 2], [3, 4]][1, 0]", "i32"},
        {"[[1, 2], [3, 4]][1]", "[2]i32"},
        {"[1, 2][1i64]", "i32"},
        {"[1, 2][1u8]", "i32"},
        {"{ let k = 1; [1.0, 2.0][k] }", "f32"},
        {"map(|(k, x)| k + i64(x), zip(generate(2, |i| i), [1, 2]))", "[2]i64"},
    };
    CHECK_CASES(cases);
}

static void test_functions(void **state)
{
    (void)state;
    static const Case cases[] = {
        {"square(2.0f64)", "f64"},
        {"square(2)", "i32"},
        {"map(square, [1u8])", "[1]u8"},
        {"half(1)", "f32"},
        {"first([true])", "bool"},
        {"zeros[3]()", "[3]f32"},
        {"zip(zeros(), [1, 2])", "[2](f32, i32)"},
        {"ramp(3)", "[3]i64"},
        {"apply(|x| (x, x), 1.0)", "(f32, f32)"},
        {"apply(first, [1])", "i32"},
        {"apply[i64](square, 3)", "i64"},
        {"rows([[1, 2, 3, 4]])", "[1]f32"},
        {"[1.0] |> map(sqrt) |> reduce(+, 0)", "f32"},
        {"[1.0] |> map(max(0.5))", "[1]f32"},
        {"[[1.0]] |> map(map(|x| x + 1.0))", "[1][1]f32"},
        {"[[1.0]] |> map(map(sqrt) >> reduce(+, 0.0))", "[1]f32"},
        {"4 |> (square >> f32 >> sqrt)", "f32"},
        {"(|x, y| x + y)(1, 2.0)", "f32"},
        {"{ let f = |x| x * 2.0; map(f, [1]) }", "[1]f32"},
        {"{ let f = map(|x| x + 1); f([1, 2]) }", "[2]i32"},
        {"map(f32, [1, 2])", "[2]f32"},
        {"map(|(a, b)| a * b, zip([1], [2]))", "[1]i32"},
        {"map(unzip, [[(1, 2.0)]])", "[1]([1]i32, [1]f32)"},
        {"map(transpose >> join, [[[1, 2]]])", "[1][2]i32"},
        {"map(split[2] >> map(join >> first), [[[1]]] |> map(|a| a ++ a))", "[1][1]i32"},
        {"[1, 2, 3, 4] |> split[2] |> map(reverse) |> join", "[4]i32"},
        {"reduce(|(a, b), (c, d)| (a + c, max(b, d)), (0, 0.0), [(1, 2.0)])", "(i32, f32)"},
        {"(if true { square } else { |x| x })(3)", "i32"},
    };
    CHECK_CASES(cases);
}

static void test_structs(void **state)
{
    (void)state;
    static const Case cases[] = {
        {"Point { x: 1, y: 2 }", "Point"},
        {"Point { y: 1, x: 2 }.y", "f32"},
        {"map(|p| p.x, [Point { x: 1, y: 2 }])", "[1]f32"},
        {"Pair { a: 1, b: 2 }.b", "i32"},
        {"Pair[f64] { a: 1, b: 2 }.b", "f64"},
        {"map(|p| p.a + 1, [Pair { a: 1u8, b: 2 }])", "[1]u8"},
        {"Pair { a: [1, 2], b: [3, 4] }.a[1]", "i32"},
        {"((1, 2.0), true).0.1", "f32"},
        {"Point { x: 1, y: 2 } == Point { x: 1, y: 3 }", "bool"},
    };
    CHECK_CASES(cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_patterns), cmocka_unit_test(test_scalars),
        cmocka_unit_test(test_indices),  cmocka_unit_test(test_functions),
        cmocka_unit_test(test_structs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
