// The textual form: tokens, sizes, types, literals, names, layout; what is printed reads back to
// the very same node.
#include "term/term.h"

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>

static Session *cx;

static int setup(void **state)
{
    (void)state;
    cx = session_new();
    nat_init(cx);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    session_delete(cx);
    return 0;
}

static Sym sym(const char *text)
{
    return session_sym(cx, text);
}

static TermReader reader(const char *text, int level)
{
    return term_reader(cx, session_add_source(cx, "text", text, strlen(text)), level);
}

// A rule that is enough for these tests: operators and assignments take the type of their operands.
static Node *rule(Session *session, const NodeSpec *s, const char **why)
{
    const KindInfo *info = &kind_info[s->kind];
    if ((s->kind == CORE_PRIM || s->kind == CORE_APP) && s->nops == 0) *why = "no operands";
    for (int i = 0; i < s->nops; i++)
        if (kind_sort(s->kind, i) != SORT_SIZE && kind_sort(s->kind, i) != SORT_TYPE &&
            !s->ops[i]->type && info->levels & LEVEL_CORE)
            *why = "an operand without a type";
    if (*why) return NULL;
    switch (s->kind) {
    case CORE_PRIM:
        return prim_info[s->attr.i].result == GIVES_BOOL ? type_scalar(session, SCALAR_BOOL)
                                                         : s->ops[0]->type;
    case CORE_NAT: return type_scalar(session, SCALAR_I64);
    case CORE_INDEX:
    case ACC_AT: return s->ops[0]->type->op[1];
    case CORE_APP: return type_result(s->ops[0]->type);
    case CORE_LET: return s->ops[1]->type;
    case CORE_MAP: return type_array(session, s->ops[1]->type->op[0], type_result(s->ops[0]->type));
    case LOOP_SELECT: return s->ops[1]->type;
    case CORE_TUPLE:
        if (s->nops) *why = "tuples are given a type here";
        return s->nops ? NULL : type_tuple(session, 0, NULL);
    case CORE_CAST:
    case CORE_VAR:
    case CORE_GLOBAL: *why = "a type must be given"; return s->type;
    default: return NULL;
    }
}

static Node *type(const char *text)
{
    TermReader r = reader(text, LEVEL_CORE);
    Node *t = term_read_type(&r);
    assert_non_null(t);
    assert_true(term_read_end(&r));
    return t;
}

static void sizes_read_back(void **state)
{
    (void)state;
    const char *texts[] = {"n",
                           "n*m + 2",
                           "-n - 1",
                           "-3",
                           "(n - 1)/k",
                           "n*m/k",
                           "(n + m) % 4",
                           "2*n*n - m",
                           "min(n, m + 1)*2",
                           "max(0, n - 2)",
                           "pow(2, n)",
                           "?3 + n",
                           "n/(m/k)",
                           "n % (k*2)*m",
                           "i1/4*4",
                           "(-n)/3"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        TermReader r = reader(texts[i], LEVEL_CORE);
        Node *e = term_read_size(&r);
        assert_non_null(e);
        assert_true(term_read_end(&r));
        Text out = text_new(cx->arena);
        nat_print(&out, e, 0);
        TermReader again = reader(text_get(&out), LEVEL_CORE);
        assert_ptr_equal(term_read_size(&again), e);
        assert_true(term_read_end(&again));
    }
    assert_int_equal(cx->errors, 0);
}

static void types_read_back(void **state)
{
    (void)state;
    const char *texts[] = {"f32",
                           "[n][m + 1]i64",
                           "idx[m*n]",
                           "()",
                           "(f32,)",
                           "(f32, bool)",
                           "fn() -> f32",
                           "fn(f32, idx[n]) -> (u8, t)",
                           "Complex{re: f32, im: f32}",
                           "[n]std.P{x: [m]t}",
                           "E{}",
                           "mode[f16]",
                           "?3",
                           "[?1]?2",
                           "?error",
                           "fn(fn(f32) -> f32) -> fn(i8) -> t",
                           "&f32",
                           "&mut [n]f32",
                           "&global [n]f32",
                           "&mut shared (f32, &private t)",
                           "!",
                           "fn(f32) -> !",
                           "&mut fn() -> !",
                           "`a b`{`c d`: f32}",
                           "fnord",
                           "idxs"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        Text out = text_new(cx->arena);
        type_print_full(&out, type(texts[i]));
        assert_string_equal(text_get(&out), texts[i]);
    }
}

// --- terms -------------------------------------------------------------------------------------

static Node *read_at(int level, const char *text, const Sym *names, Node *const *types, int n)
{
    TermReader r = reader(text, level);
    Node *e = term_read_in(&r, &(TermScope){.names = names, .types = types, .n = n, .rule = rule});
    if (e) assert_true(term_read_end(&r));
    return e;
}

// The text is printed as it was read, also when broken into narrow lines and read again.
static Node *reads_back(int level, const char *text, const Sym *names, Node *const *types, int n)
{
    Node *e = read_at(level, text, names, types, n);
    if (!e) {
        Text out = text_new(cx->arena);
        diag_print_all(cx, &out, false);
        fail_msg("%s", text_get(&out));
    }
    TermScope scope = {.level = level, .names = names, .types = types, .n = n, .rule = rule};
    for (int width = 0; width < 40; width += 8) {
        Text out = text_new(cx->arena);
        term_print_in(cx, &out, e, &scope, 0, width);
        if (width == 0) assert_string_equal(text_get(&out), text);
        assert_ptr_equal(read_at(level, text_get(&out), names, types, n), e);
    }
    return e;
}

static void literals_read_back(void **state)
{
    (void)state;
    const char *texts[] = {"true",
                           "false",
                           "1",
                           "-2147483648",
                           "3i64",
                           "-9223372036854775808i64",
                           "18446744073709551615u64",
                           "255u8",
                           "-1i8",
                           "0.1",
                           "-0.0",
                           "1e+10",
                           "3.4028235e+38",
                           "1e-45",
                           "0.1f64",
                           "5e-324f64",
                           "0.333f16",
                           "65504.0f16",
                           "(lit 3 : idx[n])",
                           "(lit inf : f32)",
                           "(lit -inf : f64)",
                           "(lit nan : f16)",
                           "(lit 0x8000000000000001 : f32)",
                           "(lit 256 : u8)",
                           "(lit 7 : bool)",
                           "(lit -1 : t)"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        reads_back(LEVEL_CORE, texts[i], NULL, NULL, 0);
    Node *e = read_at(LEVEL_CORE, "0.1", NULL, NULL, 0);
    double x;
    memcpy(&x, &e->attr.bits, sizeof x);
    assert_true(x == (double)0.1f);
}

static void random_literals_read_back(void **state)
{
    (void)state;
    unsigned seed = 3;
    for (int i = 0; i < 4000; i++) {
        Scalar s = (Scalar)(i % SCALAR_COUNT);
        uint64_t bits = 0;
        for (int k = 0; k < 3; k++) bits = bits << 31 ^ (uint64_t)rand_r(&seed);
        if (rand_r(&seed) % 2) bits = scalar_wrap(s, bits);
        if (scalar_info[s].class == CLASS_FLOAT && rand_r(&seed) % 4) {
            double x = scalar_round(s, (double)(int64_t)bits * pow(2, rand_r(&seed) % 120 - 100));
            memcpy(&bits, &x, sizeof x);
        }
        Node *e = node_make(
            cx, &(NodeSpec){.kind = CORE_LIT, .attr.bits = bits, .type = type_scalar(cx, s)});
        assert_ptr_equal(read_at(LEVEL_CORE, term_show(cx, e, NULL, 0), NULL, NULL, 0), e);
    }
}

static void core_reads_back(void **state)
{
    (void)state;
    Sym names[] = {sym("xs"), sym("y")};
    Node *types[] = {type("[n]f32"), type("f32")};
    const char *texts[] = {
        "y",
        "(+ y 1.0)",
        "(map (lam (x: f32) (* x y)) xs)",
        "(map.seq (lam (x: f32) (let t (* x x) (+ t t))) xs)",
        "(app (lam () y))",
        "(app (lam (a: f32, b: i32) (neg a)) y 3)",
        "(cast (prim.seq < y y) : i64)",
        "(cast (size (n - 1)) : idx[n])",
        "(app (global std.f 4 m*n (type [n]f32) : fn(f32) -> f32) y)",
        "(var 7 : f32)",
        "(tuple y y : P{a: f32, b: f32})",
        "(tuple)",
        "(+ y (var 1 : f32))",
        "(app (lam (x: f32) x : fn(f32) -> i32) y)",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        reads_back(LEVEL_CORE, texts[i], names, types, 2);
}

static void dpia_reads_back(void **state)
{
    (void)state;
    Sym names[] = {sym("a"), sym("out")};
    Node *types[] = {type("[n]f32"), type("[n]f32")};
    const char *texts[] = {
        "(for i n (:= (acc_at out i) (* (at a i) 2.0)))",
        "(new.stack t f32 (seq (:= t 0.0) (for i n (:= t (+ t (at a i)))) skip))",
        "(let_in x (at a (lit 0 : idx[n])) (check E0901 (< x 1.0)))",
        "(:= (id strange : f32) (acc other : f32))",
        "(check_size 3 true)",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (i == 1) {
            reads_back(LEVEL_DPIA,
                       "(new.stack t f32 (seq (:= t 0.0) (for i n (:= t (+ t (at a i)))) (skip)))",
                       names, types, 2);
            continue;
        }
        reads_back(LEVEL_DPIA, texts[i], names, types, 2);
    }
    Node *e = read_at(LEVEL_DPIA, texts[0], names, types, 2);
    assert_int_equal(e->op[1]->op[0]->op[0]->kind, ACC_VAR);
    assert_int_equal(e->op[1]->op[1]->op[0]->op[0]->kind, PH_VAR);
    assert_ptr_equal(e->op[1]->op[0]->op[1]->type, type("idx[n]"));
}

static void loops_read_back(void **state)
{
    (void)state;
    Sym names[] = {sym("a"), sym("out")};
    Node *types[] = {type("f32"), type("f32")};
    const char *texts[] = {
        "(loop i 0 m*n (store out 2*i (+ (load a (i + 1)) 1.0)))",
        "(block (decl x f32 1.0) (set x (* x x)) (store out 0 x))",
        "(block (alloc.stack b f32 4) (loop i 0 4 (store b i 0.0)) (require E0901 (== i4 i4)))",
        "(branch (< (load a 0) 0.0) (block) (block (decl x f32 (tuple))))",
        "(store out 0 (? (== 1 2) (load a 0) (load b 0 : f32)))",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (i == 2) continue; // i4 is not in scope
        reads_back(LEVEL_LOOP, texts[i], names, types, 2);
    }
    assert_null(read_at(LEVEL_LOOP, texts[2], names, types, 2));
}

// |x| |x'| x + x' with both hints x, and |x| |x'| x' where hiding does no harm.
static void names_stay_apart(void **state)
{
    (void)state;
    Node *f32 = type("f32");
    Sym x = sym("x"), *hint = ARENA_NEW(cx->arena, Sym);
    *hint = x;
    for (int uses_both = 0; uses_both < 2; uses_both++) {
        Node *outer =
            node_make(cx, &(NodeSpec){.kind = CORE_VAR, .attr.i = uses_both, .type = f32});
        Node *inner = node_make(cx, &(NodeSpec){.kind = CORE_VAR, .type = f32});
        Node *e = node_make(cx, &(NodeSpec){.kind = CORE_PRIM,
                                            .attr.i = PRIM_ADD,
                                            .type = f32,
                                            .nops = 2,
                                            .ops = (Node *[]){outer, inner}});
        for (int k = 0; k < 2; k++)
            e = node_make(cx, &(NodeSpec){.kind = CORE_LAM,
                                          .attr.i = 1,
                                          .nops = 1,
                                          .ops = &e,
                                          .names = hint,
                                          .type = type_fun(cx, 1, &f32, e->type)});
        const char *text = term_show(cx, e, NULL, 0);
        assert_string_equal(text, uses_both ? "(lam (x: f32) (lam (x1: f32) (+ x x1)))"
                                            : "(lam (x: f32) (lam (x: f32) (+ x x)))");
        assert_ptr_equal(read_at(LEVEL_CORE, text, NULL, NULL, 0), e);
    }
}

static void lines_are_broken(void **state)
{
    (void)state;
    Sym names[] = {sym("xs"), sym("y")};
    Node *types[] = {type("[n]f32"), type("f32")};
    Node *e = reads_back(LEVEL_CORE,
                         "(let total (+ y 1.0) (map (lam (x: f32) (* (+ x total) (- x 1.0))) xs))",
                         names, types, 2);
    Text out = text_new(cx->arena);
    term_print(cx, &out, e, names, 2, 30);
    assert_string_equal(text_get(&out), "(let total (+ y 1.0)\n"
                                        " (map\n"
                                        "   (lam (x: f32)\n"
                                        "     (*\n"
                                        "       (+ x total)\n"
                                        "       (- x 1.0)))\n"
                                        "   xs))");
}

static void malformed_text_is_refused(void **state)
{
    (void)state;
    const char *texts[] = {"",
                           ")",
                           "(",
                           "()",
                           "(map",
                           "(frob 1)",
                           "(+ 1",
                           "(+ 1 2))",
                           "nobody",
                           "(lam (x) x)",
                           "(lam (x: ) x)",
                           "(cast 1)",
                           "1x",
                           "3f",
                           "0x10",
                           "300u8",
                           "(lit : f32)",
                           "(lit 1)",
                           "(size)",
                           "(size +)",
                           "(size 9999999999999999999)",
                           "(var -1 : f32)",
                           "(var 99999999 : f32)",
                           "(pad sideways 1 1 2)",
                           "(proj x 1)",
                           "(let x 1)",
                           "(check E9999 true)",
                           "(app (lam (x: [n]) x) 1)",
                           "(skip : )",
                           "`",
                           "(tuple 1 2)",
                           "(type f32)",
                           "(prim frob 1 2)",
                           "(size min(1))"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        int before = cx->errors;
        TermReader r = reader(texts[i], LEVEL_CORE);
        Node *e = term_read(&r, NULL, NULL, 0, rule);
        assert_true(!e || !term_read_end(&r));
        if (!e) assert_int_equal(cx->errors, before + 1);
    }
}

static void depth_has_a_limit(void **state)
{
    (void)state;
    Text deep = text_new(cx->arena);
    for (int i = 0; i < 100000; i++) text_put(&deep, "(neg ");
    TermReader r = reader(text_get(&deep), LEVEL_CORE);
    assert_null(term_read(&r, NULL, NULL, 0, rule));
    const char *opening[] = {"(", "[", "fn(", "a{b:"};
    for (int k = 0; k < 4; k++) {
        Text t = text_new(cx->arena);
        for (int i = 0; i < 100000; i++) text_put(&t, opening[k]);
        TermReader types = reader(text_get(&t), LEVEL_CORE);
        assert_null(term_read_type(&types));
        TermReader sizes = reader(text_get(&t), LEVEL_CORE);
        term_read_size(&sizes);
    }
}

// Every prefix, and every text with one character replaced, is read or refused, never more.
static void damage_is_survived(void **state)
{
    (void)state;
    const char *text = "(let t (+ y 1.0) (app (lam (x: P{a: f32}, i: [n*2 - 1]u8) (cast (* y t) : "
                       "idx[min(n, 4)])) \"; `q`";
    size_t len = strlen(text);
    Sym names[] = {sym("y")};
    Node *types[] = {type("f32")};
    for (size_t cut = 0; cut <= len; cut++) {
        uint32_t file = session_add_source(cx, "prefix", text, cut);
        TermReader r = term_reader(cx, file, LEVEL_CORE);
        term_read(&r, names, types, 1, rule);
    }
    unsigned seed = 11;
    for (int i = 0; i < 3000; i++) {
        char *copy = arena_strndup(cx->arena, text, len);
        copy[(size_t)rand_r(&seed) % len] = "()[]{}:,.-?0n\"` \n"[rand_r(&seed) % 17];
        TermReader r = reader(copy, LEVEL_CORE);
        term_read(&r, names, types, 1, rule);
    }
}

static void pieces_are_read(void **state)
{
    (void)state;
    TermReader r = reader("; first\n fn gemv->x \"a\\n\\\"b\\\\\" end", LEVEL_CORE);
    assert_false(term_read_punctuation(&r, "f"));
    assert_true(term_read_punctuation(&r, "fn"));
    assert_ptr_equal(term_read_name(&r), sym("gemv"));
    assert_true(term_read_expected(&r, "->"));
    assert_ptr_equal(term_read_name(&r), sym("x"));
    const char *s = term_read_string(&r);
    assert_string_equal(s, "a\n\"b\\");
    Text out = text_new(cx->arena);
    term_print_string(&out, s);
    assert_string_equal(text_get(&out), "\"a\\n\\\"b\\\\\"");
    assert_false(term_read_end(&r));
    assert_true(term_read_punctuation(&r, "end"));
    assert_true(term_read_end(&r));
}

// Heads are found by their text, so no two kinds of terms and operators may share one.
static void heads_are_unique(void **state)
{
    (void)state;
    int terms = ~(LEVEL_NAT | LEVEL_TYPE);
    for (int a = 1; a < KIND_COUNT; a++) {
        if (!(kind_info[a].levels & terms)) continue;
        for (int b = 1; b < a; b++)
            if (kind_info[b].levels & terms)
                assert_string_not_equal(kind_info[a].text, kind_info[b].text);
        for (int p = 0; p < PRIM_COUNT; p++)
            assert_string_not_equal(kind_info[a].text, prim_info[p].text);
    }
}

// A tower of 2^40 additions shares all its parts: printing one line of it in a budget is not asked
// for, but names must be found without walking it once per path.
static void sharing_is_not_unfolded_for_names(void **state)
{
    (void)state;
    Node *f32 = type("f32");
    Node *e = node_make(cx, &(NodeSpec){.kind = CORE_VAR, .attr.i = 5, .type = f32});
    for (int i = 0; i < 40; i++)
        e = node_make(cx, &(NodeSpec){.kind = CORE_PRIM,
                                      .attr.i = PRIM_ADD,
                                      .type = f32,
                                      .nops = 2,
                                      .ops = (Node *[]){e, e}});
    assert_false(node_uses(e, 3));
    assert_int_equal(node_count_uses(e, 5), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(sizes_read_back, setup, teardown),
        cmocka_unit_test_setup_teardown(types_read_back, setup, teardown),
        cmocka_unit_test_setup_teardown(literals_read_back, setup, teardown),
        cmocka_unit_test_setup_teardown(random_literals_read_back, setup, teardown),
        cmocka_unit_test_setup_teardown(core_reads_back, setup, teardown),
        cmocka_unit_test_setup_teardown(dpia_reads_back, setup, teardown),
        cmocka_unit_test_setup_teardown(loops_read_back, setup, teardown),
        cmocka_unit_test_setup_teardown(names_stay_apart, setup, teardown),
        cmocka_unit_test_setup_teardown(lines_are_broken, setup, teardown),
        cmocka_unit_test_setup_teardown(malformed_text_is_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(depth_has_a_limit, setup, teardown),
        cmocka_unit_test_setup_teardown(damage_is_survived, setup, teardown),
        cmocka_unit_test_setup_teardown(pieces_are_read, setup, teardown),
        cmocka_unit_test_setup_teardown(heads_are_unique, setup, teardown),
        cmocka_unit_test_setup_teardown(sharing_is_not_unfolded_for_names, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
