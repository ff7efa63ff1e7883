// Sizes that do not fit: for each operation that asks something of sizes, it is an error of the program where the sizes are known, a
// failing call before any work where they are not, and never anything inside: no check is left in the body.
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "programs/pipeline.h"
#include "programs/values.h"

#include <ctype.h>

typedef struct {
    const char *name;
    const char *parameters, *body; // of an entry over the sizes n, m and k
    const char *result;
    int64_t good[3], bad[3];
    const char *says; // in the message
} Operation;

static const Operation operations[] = {
    {"zip",
     "a: [n]i32, b: [m]i32",
     "zip(a, b)",
     "[n](i32, i32)",
     {4, 4, 0},
     {5, 6, 0},
     "argument `b` of zip"},
    {"zip of rows",
     "a: [n][m]i32, b: [k]i32",
     "map(|row| zip(row, b) |> map(*) |> reduce(+, 0), a)",
     "[n]i32",
     {2, 3, 3},
     {2, 3, 4},
     "expected `[m]i32` with m = 3, found `[k]i32` with k = 4"},
    {"a function of one size",
     "a: [n]i32, b: [m]i32",
     "sum2(a, b)",
     "[n]i32",
     {4, 4, 0},
     {5, 6, 0},
     "argument `b` of sum2"},
    {"inside a function",
     "a: [n]i32, b: [m]i32",
     "halves(a, b)",
     "[n / 2]i32",
     {4, 2, 0},
     {5, 3, 0},
     "in `halves`, called at"},
    {"where",
     "a: [n]i32, b: [m]i32",
     "larger(a, b)",
     "i32",
     {4, 3, 0},
     {4, 4, 0},
     "`n > m` does not hold"},
    {"concat", "a: [n]i32, b: [m]i32", "a ++ b", "[k]i32", {2, 3, 5}, {2, 3, 6}, "the sizes"},
    {"split",
     "a: [n]i32",
     "split[3](a)",
     "[n / 3][3]i32",
     {6, 0, 0},
     {7, 0, 0},
     "not a multiple of `3`"},
    {"split by a size",
     "a: [n]i32",
     "split[m](a)",
     "[k][m]i32",
     {6, 3, 2},
     {7, 3, 2},
     "not a multiple of `m`"},
    {"join", "a: [n][m]i32", "join(a)", "[k]i32", {2, 3, 6}, {2, 3, 5}, "the sizes"},
    {"take", "a: [n]i32", "take[m](a)", "[m]i32", {4, 4, 0}, {4, 5, 0}, "take"},
    {"drop", "a: [n]i32", "drop[m](a)", "[n - m]i32", {4, 4, 0}, {4, 5, 0}, "drop"},
    {"slice", "a: [n]i32", "a[2..5]", "[3]i32", {5, 0, 0}, {4, 0, 0}, "does not hold for n = 4"},
    {"slice of sizes",
     "a: [n]i32",
     "a[m..k]",
     "[k - m]i32",
     {5, 1, 3},
     {5, 3, 1},
     "the bounds of a slice"},
    {"slide", "a: [n]i32", "slide[5, 1](a)", "[n - 4][5]i32", {6, 0, 0}, {3, 0, 0}, "slide"},
    {"scatter",
     "a: [n]idx[k], b: [m]i32",
     "scatter(a, b)",
     "[k]i32",
     {0, 0, 2},
     {1, 2, 3},
     "scatter"},
    {"a result",
     "a: [n]i32, b: [m]i32",
     "map(|x| x + 1, a)",
     "[m]i32",
     {3, 3, 0},
     {3, 4, 0},
     "the result of map"},
    {"a literal",
     "a: [n]i32, b: [m]i32",
     "[a, b]",
     "[2][n]i32",
     {3, 3, 0},
     {3, 4, 0},
     "elements of an array"},
    {"branches",
     "a: [n]i32, b: [m]i32",
     "if n > 2 { a } else { b }",
     "[n]i32",
     {3, 3, 0},
     {3, 4, 0},
     "expected `[n]i32` with n = 3, found `[m]i32` with m = 4"},
    {"an assignment",
     "a: [n]i32, b: [m]i32",
     "{ let mut c = a; c = b; c }",
     "[n]i32",
     {3, 3, 0},
     {3, 4, 0},
     "assigned"},
    {"transpose",
     "a: [n][m]i32, b: [n][m]i32",
     "zip(a, transpose(b)) |> map(|(p, q)| zip(p, q) |> map(+))",
     "[n][m]i32",
     {3, 3, 0},
     {3, 4, 0},
     "the result of transpose"},
};

static const char common[] =
    "fn sum2[n: nat](a: [n]i32, b: [n]i32) -> [n]i32 { zip(a, b) |> map(+) }\n"
    "fn halves[n, m: nat](a: [n]i32, b: [m]i32) -> [n / 2]i32 { sum2(take[n / 2](a), b) }\n"
    "fn larger[n, m: nat](a: [n]i32, b: [m]i32) -> i32 where n > m { a[0] }\n";

// The text with the sizes in the place of their names.
static const char *with_sizes(Arena *arena, const char *text, const int64_t *sizes)
{
    Text out = text_new(arena);
    for (const char *c = text; *c; c++) {
        const char *at = strchr("nmk", *c);
        bool word = (c > text && isalnum((unsigned char)c[-1])) || isalnum((unsigned char)c[1]);
        if (at && !word)
            text_printf(&out, "%d", (int)sizes[*c == 'n' ? 0 : *c == 'm' ? 1 : 2]);
        else
            text_char(&out, *c);
    }
    return text_get(&out);
}

static const char *generic_program(Arena *arena, const Operation *op)
{
    return arena_printf(arena, "%sentry fn f[n, m, k: nat](%s) -> %s { %s }\n", common,
                        op->parameters, op->result, op->body);
}

// The same with known sizes; whether the compiler takes it, what it says in the end.
static bool is_taken(const Operation *op, const int64_t *sizes)
{
    Arena *arena = arena_new();
    const char *text = arena_printf(
        arena, "%sentry fn f(%s) -> %s { %s }\n", common, with_sizes(arena, op->parameters, sizes),
        with_sizes(arena, op->result, sizes), with_sizes(arena, op->body, sizes));
    Session *cx = session_new();
    nat_init(cx);
    File f = {.cx = cx, .path = "known"};
    Reading r = {&f, text, strlen(text), false};
    bool taken = guarded(cx, read_body, &r);
    if (taken) {
        Stages s = {.cx = cx, .program = f.program, .core = find_entry(&f, "f")};
        taken = guarded(cx, stages_body, &s) && s.done;
    }
    for (int i = 0; i < cx->diags.len; i++)
        if (cx->diags.at[i]->code >= E0501) fail_msg("%s: %s", op->name, cx->diags.at[i]->text);
    session_delete(cx);
    arena_delete(arena);
    return taken;
}

static bool has_check(Node *s)
{
    if (s->kind == LOOP_CHECK && s->attr.i != E0603) return true;
    for (uint32_t k = 0; k < s->nops; k++)
        if (loops_is_stmt(s->op[k]) && has_check(s->op[k])) return true;
    return false;
}

static Outcome run(const Stages *s, const int64_t *sizes)
{
    Session *cx = s->cx;
    NodeBinding with[3];
    for (int i = 0; i < 3; i++)
        with[i] = (NodeBinding){s->core->generics.at[i].name, nat_const(cx, sizes[i])};
    Value args[4], result;
    Random seed = {7};
    int64_t room = 1000;
    for (int i = 0; i < s->core->params.len; i++) {
        Node *type = node_replace_names(cx, s->core->params.at[i].type, with, 3);
        assert_true(
            random_value(cx->arena, &seed, type, STYLE_SMALL, ALGEBRA_IEEE, &room, &args[i]));
    }
    return loops_eval(cx, cx->arena, s->loops[LOOPS_DONE], sizes, args, ALGEBRA_IEEE, 100000,
                      &result);
}

static void each_is_told_before_any_work(void **state)
{
    (void)state;
    int failed = 0;
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) {
        const Operation *op = &operations[i];
        Arena *arena = arena_new();
        File f = read_program(op->name, generic_program(arena, op));
        if (!f.program) fail_msg("%s", op->name);
        Stages s = run_stages(&f, find_entry(&f, "f"));
        if (!s.done) fail_msg("%s", op->name);
        Outcome good = run(&s, op->good), bad = run(&s, op->bad);
        if (!good.ok) fail_msg("%s: %s", op->name, good.text);
        if (bad.ok || bad.code != E0604) fail_msg("%s: nothing is said", op->name);
        if (!strstr(bad.text, op->says)) {
            fprintf(stderr, "FAIL %s: %s\n", op->name, bad.text);
            failed++;
        }
        if (!bad.span.file) fail_msg("%s: no place", op->name);
        if (has_check(s.loops[LOOPS_DONE]->body)) fail_msg("%s: a check inside", op->name);
        session_delete(f.cx);
        arena_delete(arena);
    }
    assert_int_equal(failed, 0);
}

static void each_is_refused_when_known(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) {
        const Operation *op = &operations[i];
        if (!is_taken(op, op->good)) fail_msg("%s is refused", op->name);
        if (is_taken(op, op->bad)) fail_msg("%s is not refused", op->name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_is_told_before_any_work),
        cmocka_unit_test(each_is_refused_when_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
