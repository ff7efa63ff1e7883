// Views vanish: the loops of each program, and their growth with nested views.
#include "dpia/programs.h"
#include "loops/ir/passes.h"
#include "loops/ir/loops.h"

static void each_program_has_its_loops(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    const char **names;
    int n = program_names(arena, &names);
    for (int i = 0; i < n; i++) {
        Session *cx = session_new();
        nat_init(cx);
        LoopEntry *e = loops_from_dpia(cx, dpia_from_core(cx, read_low(cx, names[i])));
        assert_golden(cx, arena_printf(arena, "tests/loops/from_dpia/%s.loop", names[i]),
                      command_text(cx, e->body));
        session_delete(cx);
    }
    arena_delete(arena);
}

// The length of the loops for `depth` nested views `before xs after` of the array a.
static size_t length_of_nest(const char *before, const char *after, int depth)
{
    Session *cx = session_new();
    nat_init(cx);
    Text t = text_new(cx->arena);
    text_put(&t, "(entry nest [n: nat] (a: [5040*n]f32) : f32"
                 " (reduce.seq (lam (a: f32, b: f32) (+ a b)) 0.0 ");
    for (int i = 0; i < depth; i++) text_put(&t, before);
    text_put(&t, "a");
    for (int i = 0; i < depth; i++) text_put(&t, after);
    text_put(&t, "))");
    Function *f = read_low_text(cx, "nest", text_get(&t));
    LoopEntry *e = loops_from_dpia(cx, dpia_from_core(cx, f));
    Text out = text_new(cx->arena);
    term_print(cx, &out, e->body, NULL, 0, 0);
    size_t length = out.len;
    session_delete(cx);
    return length;
}

static void assert_linear(const char *before, const char *after, int depth)
{
    size_t once = length_of_nest(before, after, depth);
    size_t twice = length_of_nest(before, after, 2 * depth);
    if (twice > 4 * once)
        fail_msg("%s: %zu at depth %d, %zu at twice that", before, once, depth, twice);
}

static void loops_grow_with_the_views(void **state)
{
    (void)state;
    assert_linear("(join.src (slide.src 3 1 (pad.src mirror 2 2 ", ")))", 2);
    assert_linear("(join.src (slide.src 3 1 (pad.src clamp 2 2 ", ")))", 3);
    assert_linear("(pad.src mirror 9 9 ", ")", 6);
    assert_linear("(pad.src wrap 3 3 ", ")", 6);
    assert_linear("(join.src (transpose.src (split.src 7 (reverse.src ", "))))", 3);
    assert_linear("(map.src (lam (x: f32) (+ x x)) ", ")", 20);
}

// Row-major positions of split and join collapse to the index itself.
static void positions_are_simplified(void **state)
{
    (void)state;
    Session *cx = session_new();
    nat_init(cx);
    Function *f = read_low_text(
        cx, "position",
        "(entry f [n: nat, m: nat] (a: [n][m]f32) : [m*n]f32 (join.dst (map.seq (lam (r: [m]f32)"
        " (map.seq (lam (x: f32) (+ x 1.0)) r)) (split.src m (join.src a)))))");
    LoopEntry *e = loops_from_dpia(cx, dpia_from_core(cx, f));
    assert_non_null(
        strstr(command_text(cx, e->body), "(store out (i1*m + j1) (+ (load a (i1*m + j1)) 1.0))"));
    session_delete(cx);
}

// One buffer for each scalar leaf, named by components; names never clash.
static void leaves_have_names_of_their_own(void **state)
{
    (void)state;
    Session *cx = session_new();
    nat_init(cx);
    Function *f = read_low_text(cx, "leaves",
                                "(entry f [n: nat] (a: [n](f32, [3]i32), a_0: f32) : (f32, f32)"
                                " (tuple a_0 (proj 0 (tuple a_0 a_0))))");
    LoopEntry *e = loops_from_dpia(cx, dpia_from_core(cx, f));
    assert_int_equal(e->params.len, 5);
    assert_string_equal(e->params.at[1].name->text, "a_1");
    assert_int_equal(e->params.at[1].rank, 2);
    assert_string_equal(e->params.at[2].name->text, "a_0");
    assert_int_equal(e->params.at[2].rank, 0);
    assert_true(e->params.at[0].name != e->params.at[2].name);
    assert_true(e->params.at[3].output && e->params.at[4].output);
    assert_string_equal(e->params.at[4].name->text, "out_1");
    session_delete(cx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_program_has_its_loops),
        cmocka_unit_test(loops_grow_with_the_views),
        cmocka_unit_test(positions_are_simplified),
        cmocka_unit_test(leaves_have_names_of_their_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
