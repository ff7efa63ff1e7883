// Whole programs in the interpreter: the library with its tests, and the example in the doc of
// every pattern.
#include "core/ir/rule.h"
#include "infer/support.h"

static const char *const library[] = {"math",   "linalg", "stencil", "image",   "stats", "loops",
                                      "arrays", "sort",   "random",  "complex", "text"};

static Inferred load(const char *path)
{
    Arena *arena = arena_new();
    size_t len = 0;
    char *text = read_file(arena, path, &len);
    if (!text) fail_msg("%s cannot be read", path);
    Inferred r = infer_text(text, len);
    arena_delete(arena);
    if (r.cx->errors) report(&r);
    assert_int_equal(r.cx->errors, 0);
    return r;
}

static void test_library(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof library / sizeof *library; i++) {
        char path[64];
        snprintf(path, sizeof path, "lib/std/%s.adz", library[i]);
        Inferred r = load(path);
        for (int k = 0; k < r.program->functions.len; k++)
            core_check(r.cx, r.program->functions.at[k], LEVEL_CORE);
        assert_true(r.program->tests.len > 0);
        run_program_tests(&r);
        session_delete(r.cx);
    }
}

static void test_state(void **state)
{
    (void)state;
    static const char *const programs[] = {"tests/infer/state.adz", "tests/infer/control.adz",
                                           "tests/infer/shapes.adz"};
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        Inferred r = load(programs[i]);
        for (int k = 0; k < r.program->functions.len; k++)
            core_check(r.cx, r.program->functions.at[k], LEVEL_CORE);
        run_program_tests(&r);
        session_delete(r.cx);
    }
}

static void test_library_docs(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof library / sizeof *library; i++) {
        char path[64];
        snprintf(path, sizeof path, "lib/std/%s.adz", library[i]);
        Inferred r = load(path);
        for (int k = 0; k < r.module->items.len; k++) {
            const Item *item = r.module->items.at[k];
            bool documented = item->kind == ITEM_IMPORT || item->kind == ITEM_TEST ||
                              item->kind == ITEM_BENCH || item->doc;
            if (!documented) fail_msg("%s: %s has no doc", path, item->name->text);
        }
        session_delete(r.cx);
    }
}

// The last line of the doc of each pattern is a comparison that holds.
static void test_pattern_docs(void **state)
{
    (void)state;
    Inferred p = {.cx = session_new()};
    size_t len = 0;
    char *text = read_file(p.cx->arena, "lib/prelude.adz", &len);
    Module *m = parse_module(p.cx, session_add_source(p.cx, "lib/prelude.adz", text, len));
    for (int i = 0; i < m->items.len; i++) {
        assert_non_null(m->items.at[i]->doc);
        if (m->items.at[i]->kind != ITEM_PATTERN) continue;
        const char *example = strrchr(m->items.at[i]->doc, '\n');
        assert_non_null(example);
        assert_non_null(strstr(example, m->items.at[i]->name->text));
        Inferred r = infer_good(arena_printf(p.cx->arena, "test \"%s\" { %s }",
                                             m->items.at[i]->name->text, example + 1));
        assert_int_equal(r.program->tests.len, 1);
        run_program_tests(&r);
        session_delete(r.cx);
    }
    session_delete(p.cx);
}

static void test_programs(void **state)
{
    (void)state;
    static const char *const programs[] = {
        "import std.linalg (dot)\n"
        "entry fn gemv[n, m: nat](a: [n][m]f32, x: [m]f32) -> [n]f32 { a |> map(|row| dot(row, x)) "
        "}\n"
        "test \"identity\" { gemv([[1.0, 0.0], [0.0, 1.0]], [3.0, 4.0]) == [3.0, 4.0] }\n",

        "struct Point { x: f32, y: f32 }\n"
        "fn distance(p: Point, q: Point) -> f32 {\n"
        "    let dx = p.x - q.x;\n"
        "    let dy = p.y - q.y;\n"
        "    dx * dx + dy * dy\n"
        "}\n"
        "fn nearest[k: nat](p: Point, centres: [k]Point) -> i64 {\n"
        "    let closer = |(d, i), (e, j)| if e < d { (e, j) } else { (d, i) };\n"
        "    let distances = map(|c| distance(p, c), centres);\n"
        "    let (_, best) = fold(closer, (1.0e30, -1), zip(distances, generate(k, |i| i64(i))));\n"
        "    best\n"
        "}\n"
        "entry fn step[n k: nat](points: [n]Point, centres: [k]Point) -> [k]Point {\n"
        "    let owners = map(|p| nearest(p, centres), points);\n"
        "    generate(k, |c| {\n"
        "        let weigh = |(owner, p)| if owner == c { (p.x, p.y, 1.0) } else { (0.0, 0.0, 0.0) "
        "};\n"
        "        let add = |(a, b, c), (d, e, f)| (a + d, b + e, c + f);\n"
        "        let (x, y, count) = zip(owners, points) |> map(weigh) |> reduce(add, (0.0, 0.0, "
        "0.0));\n"
        "        Point { x: x / max(count, 1), y: y / max(count, 1) }\n"
        "    })\n"
        "}\n"
        "test \"two clusters\" {\n"
        "    let points = [Point { x: 0, y: 0 }, Point { x: 0, y: 2 }, Point { x: 9, y: 9 }];\n"
        "    step(points, [Point { x: 1, y: 1 }, Point { x: 8, y: 8 }]) == [Point { x: 0, y: 1 }, "
        "Point { x: 9, y: 9 }]\n"
        "}\n",

        "const N: nat = 3\n"
        "const WEIGHTS = [1.0, 2.0, 1.0]\n"
        "entry fn blur[n m: nat](a: [n][m]f32) -> [n][m]f32 {\n"
        "    let pass = |rows| map(|row| row |> pad[1, 1](clamp) |> slide[N, 1] |> map(weigh), "
        "rows);\n"
        "    a |> pass |> transpose |> pass2 |> transpose\n"
        "}\n"
        "fn pass2[n m: nat](a: [n][m]f32) -> [n][m]f32 { map(|row| row |> pad[1, 1](clamp) |> "
        "slide[N, 1] |> map(weigh), a) }\n"
        "fn weigh(w: [N]f32) -> f32 { (zip(w, WEIGHTS) |> map(|(x, k)| x * k) |> reduce(+, 0.0)) / "
        "4.0 }\n"
        "test \"flat\" { blur([[8.0, 8.0], [8.0, 8.0]]) == [[8.0, 8.0], [8.0, 8.0]] }\n"
        "test \"step\" { blur([[0.0, 8.0]]) == [[2.0, 6.0]] }\n",

        "fn apply_all[n: nat, t: data](f: fn(t) -> t, g: fn(t) -> t, xs: [n]t) -> [n]t { xs |> "
        "map(f >> g) }\n"
        "fn pow2(k: nat) -> i64 { iterate[k](|x| 2 * x, 1) }\n"
        "fn choose(up: bool) -> i32 { let step = if up { |x| x + 1 } else { |x| x - 1 }; "
        "step(step(5)) }\n"
        "fn equal[t: num](a: t, b: t) -> bool { a == b }\n"
        "fn average[n: nat, t: float](xs: [n]t) -> t where n > 0 { reduce(+, 0, xs) / (n as t) }\n"
        "test \"functions\" { apply_all(|x| x + 1, |x| x * 2, [1, 2]) == [4, 6] && pow2(5) == 32 "
        "}\n"
        "test \"choice\" { choose(true) == 7 && choose(false) == 3 }\n"
        "test \"generic\" { equal(1, 1) && !equal(1.5f64, 2) && average([1.0f64, 2]) == 1.5 }\n"
        "test \"lazy\" { true || [1][5] == 0 }\n"
        "test \"nested\" { [(1, [2.0])] == [(1, [2.0])] && ((1, 2), 3) != ((1, 2), 4) && () == () "
        "}\n"
        "test \"empty\" { reduce(+, 0, generate(0, |i| 1)) == 0 && [1, 2][1..1] == generate(0, |i| "
        "0) }\n"
        "test \"shadow\" { let x = 1; let x = x + 1; (|x| x * 10)(x) == 20 && x == 2 }\n",
    };
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        Inferred r = infer_good(programs[i]);
        run_program_tests(&r);
        session_delete(r.cx);
    }
}

// "z.npy" has records: of the element type that is wanted, else open.
static Node *load_type(Session *cx, const char *path, Node *wanted, Node *open, Span span,
                       void *env)
{
    (void)span;
    int *calls = env;
    ++*calls;
    if (strcmp(path, "none") == 0) return NULL;
    if (strcmp(path, "z.npy") == 0) {
        bool known = wanted && wanted->kind == TYPE_ARRAY && wanted->op[1]->kind != TYPE_META;
        return known || open ? type_array(cx, nat_const(cx, 7), known ? wanted->op[1] : open)
                             : NULL;
    }
    bool doubles = wanted && strstr(type_show(cx, wanted), "f64");
    return type_array(cx, nat_const(cx, 7), type_scalar(cx, doubles ? SCALAR_F64 : SCALAR_F32));
}

static void test_expressions(void **state)
{
    (void)state;
    Inferred r = infer_good(
        "fn mix[n: nat](a: [n]f32, b: [n]f64) -> [n]f64 { map(|(x, y)| f64(x) + y, zip(a, b)) }");
    const char *text = "mix(load(\"a.npy\"), load(\"b.npy\"))";
    uint32_t file = session_add_source(r.cx, "expression", text, strlen(text));
    int next, npaths, calls = 0;
    const char *const *paths;
    Ast *e = parse_expression(r.cx, file, r.module->ast_count, &next);
    Function *f =
        infer_expression(r.cx, r.program, r.module, e, load_type, &calls, &paths, &npaths);
    if (!f) report(&r);
    assert_non_null(f);
    core_check(r.cx, f, LEVEL_CORE);
    assert_int_equal(npaths, 2);
    assert_int_equal(calls, 2);
    assert_string_equal(paths[0], "a.npy");
    assert_string_equal(paths[1], "b.npy");
    assert_string_equal(type_show(r.cx, f->params.at[1].type), "[7]f64");
    assert_string_equal(type_show(r.cx, f->result), "[7]f64");

    text = "map(|x: f64| x, load(\"b.npy\"))"; // the type that the lambda says
    file = session_add_source(r.cx, "expression", text, strlen(text));
    e = parse_expression(r.cx, file, r.module->ast_count, &next);
    f = infer_expression(r.cx, r.program, r.module, e, load_type, &calls, &paths, &npaths);
    if (!f) report(&r);
    assert_non_null(f);
    assert_string_equal(type_show(r.cx, f->result), "[7]f64");

    text = "map(|x| x + 1.0, load(\"z.npy\") |> reverse |> map(|x: f64| x))"; // known in the end
    file = session_add_source(r.cx, "expression", text, strlen(text));
    e = parse_expression(r.cx, file, r.module->ast_count, &next);
    calls = 0;
    f = infer_expression(r.cx, r.program, r.module, e, load_type, &calls, &paths, &npaths);
    if (!f) report(&r);
    assert_non_null(f);
    assert_int_equal(calls, 2);
    assert_string_equal(type_show(r.cx, f->params.at[0].type), "[7]f64");

    text = "mix(load(\"none\"), load(\"b.npy\"))"; // the loader reports
    file = session_add_source(r.cx, "expression", text, strlen(text));
    e = parse_expression(r.cx, file, r.module->ast_count, &next);
    assert_null(infer_expression(r.cx, r.program, r.module, e, load_type, &calls, &paths, &npaths));
    assert_int_equal(r.cx->errors, 0);
    session_delete(r.cx);
}

// The value of an expression, as it is printed.
static void prints_as(const Inferred *r, const char *text, const char *value)
{
    uint32_t file = session_add_source(r->cx, "expression", text, strlen(text));
    int next, npaths;
    const char *const *paths;
    Ast *e = parse_expression(r->cx, file, r->module->ast_count, &next);
    Function *f = infer_expression(r->cx, r->program, r->module, e, NULL, NULL, &paths, &npaths);
    if (!f) report(r);
    assert_non_null(f);
    core_check(r->cx, f, LEVEL_CORE);
    Arena *arena = arena_new();
    Value v;
    Outcome o = core_eval(r->cx, arena, r->program, f, NULL, 0, NULL, ALGEBRA_IEEE, 10000, &v);
    assert_true(o.ok);
    Text out = text_new(r->cx->arena);
    value_print(r->cx, &out, &v, f->result, 10);
    assert_string_equal(text_get(&out), value);
    arena_delete(arena);
}

static void test_values(void **state)
{
    (void)state;
    Inferred r = infer_good("enum Shape { Circle(f32), Rect(f32, f32), Empty }\n"
                            "enum Option[t: data] { Some(t), None }\n");
    prints_as(&r, "Shape.Circle(1.0)", "Shape.Circle(1.0)");
    prints_as(&r, "Shape.Rect(1.5, 2)", "Shape.Rect(1.5, 2.0)");
    prints_as(&r, "[Shape.Empty, Shape.Circle(0)]", "[Shape.Empty, Shape.Circle(0.0)]");
    prints_as(&r, "Option.Some((1, [true]))", "Option.Some((1, [true]))");
    prints_as(&r, "(Option[i32].None, 2)", "(Option.None, 2)");
    prints_as(&r, "if lanes[3]() < 2 { Shape.Circle(f32(lanes[3]())) } else { Shape.Empty }",
              "[Shape.Circle(0.0), Shape.Circle(1.0), Shape.Empty]");
    prints_as(&r, "if lanes[2]() == 0 { Option.None } else { Option.Some((1, [lanes[2]()])) }",
              "[Option.None, Option.Some((1, [1]))]");
    prints_as(&r, "extract(Shape.Circle(f32(lanes[4]())), 3)", "Shape.Circle(3.0)");
    prints_as(&r, "{ let mut x = 1; while x < 100 { x *= 3; } x }", "243");
    prints_as(&r, "loop { break(()) }", "()");
    session_delete(r.cx);
}

static bool has_rule(const Program *p, const char *name)
{
    for (int i = 0; i < p->rules.len; i++)
        if (strcmp(p->rules.at[i]->name->text, name) == 0) return true;
    return false;
}

// Of the library only the rules are inferred that the program uses, by its own strategies or those
// of the library. Rules of its own are inferred in any case.
static void test_needed_rules(void **state)
{
    (void)state;
    static const char text[] = "import std.map_rules\n"
                               "rule own[n: nat, t: data](xs: [n]t) { xs |> map(|x| x) => xs }\n"
                               "strategy used() { remove_map }\n"
                               "strategy more() { used }\n";
    Inferred all = infer_text(text, strlen(text));
    Inferred needed =
        infer_with(&(Modules){.find = find_module, .in_library = in_library}, text, strlen(text));
    if (needed.cx->errors) report(&needed);
    assert_int_equal(needed.cx->errors, 0);
    assert_int_equal(needed.program->rules.len, 2);
    assert_true(has_rule(needed.program, "own"));
    assert_true(has_rule(needed.program, "remove_map"));
    assert_true(all.program->rules.len > 10);
    session_delete(all.cx);
    session_delete(needed.cx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_library),      cmocka_unit_test(test_state),
        cmocka_unit_test(test_values),       cmocka_unit_test(test_library_docs),
        cmocka_unit_test(test_pattern_docs), cmocka_unit_test(test_programs),
        cmocka_unit_test(test_expressions),  cmocka_unit_test(test_needed_rules),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
