// acc and con: the commands of each program, growth with the size of the term, and what is refused.
#include "dpia/programs.h"

static void each_program_has_its_commands(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    const char **names;
    int n = program_names(arena, &names);
    for (int i = 0; i < n; i++) {
        Session *cx = session_new();
        nat_init(cx);
        Phrase *p = dpia_from_core(cx, read_low(cx, names[i]));
        assert_golden(cx, arena_printf(arena, PROGRAMS "/%s.dpia", names[i]),
                      command_text(cx, p->body));
        session_delete(cx);
    }
    arena_delete(arena);
}

// The length of the commands for `depth` nested stages `before xs after` around the array a.
static size_t length_of_nest(const char *before, const char *after, int depth)
{
    Session *cx = session_new();
    nat_init(cx);
    Text t = text_new(cx->arena);
    text_put(
        &t,
        "(entry nest [n: nat] (a: [n]f32) : f32 (reduce.seq (lam (a: f32, b: f32) (+ a b)) 0.0 ");
    for (int i = 0; i < depth; i++) text_put(&t, before);
    text_put(&t, "a");
    for (int i = 0; i < depth; i++) text_put(&t, after);
    text_put(&t, "))");
    Phrase *p = dpia_from_core(cx, read_low_text(cx, "nest", text_get(&t)));
    Text out = text_new(cx->arena);
    term_print(cx, &out, p->body, NULL, 0, 0);
    size_t length = out.len;
    session_delete(cx);
    return length;
}

static void assert_linear(const char *before, const char *after, int depth)
{
    size_t once = length_of_nest(before, after, depth);
    size_t twice = length_of_nest(before, after, 2 * depth);
    if (twice > 3 * once)
        fail_msg("%s: %zu at depth %d, %zu at twice that", before, once, depth, twice);
}

static void commands_grow_with_the_term(void **state)
{
    (void)state;
    assert_linear("(map.src (lam (x: f32) (+ x x)) ", ")", 20);
    assert_linear("(map.src (lam (x: f32) (* x x)) (pad.src mirror 1 1 ", "))", 10);
    assert_linear("(join.src (slide.src 3 1 (map.src (lam (x: f32) (* x x)) ", ")))", 6);
    assert_linear("(map.src (lam (x: f32) (* x x)) (pad.src const 1 1 0.5 ", "))", 8);
}

// Stages that mention the array before them twice: elements read twice are computed once.
static size_t length_of_chain(const char *other, int depth)
{
    Session *cx = session_new();
    nat_init(cx);
    Text t = text_new(cx->arena);
    text_put(&t, "(entry chain [n: nat] (x0: [n]f32) : [n]f32 ");
    for (int i = 0; i < depth; i++) {
        text_printf(&t, "(let x%d (map.src (lam (p: (f32, f32)) (+ (proj 0 p) (proj 1 p)))", i + 1);
        text_printf(&t, " (zip.src x%d (%s x%d))) ", i, other, i);
    }
    text_printf(&t, "(copy x%d)", depth);
    for (int i = 0; i <= depth; i++) text_put(&t, ")");
    Phrase *p = dpia_from_core(cx, read_low_text(cx, "chain", text_get(&t)));
    Text out = text_new(cx->arena);
    term_print(cx, &out, p->body, NULL, 0, 0);
    session_delete(cx);
    return out.len;
}

static void elements_read_twice_are_computed_once(void **state)
{
    (void)state;
    assert_in_range(length_of_chain("reverse.src", 20), 0, 3 * length_of_chain("reverse.src", 10));
    assert_in_range(length_of_chain("slice.src 0 n", 20), 0,
                    3 * length_of_chain("slice.src 0 n", 10));
}

// What low Core must not contain is a fault of the compiler.
static void assert_refused(const char *text)
{
    Session *cx = session_new();
    nat_init(cx);
    Function *f = read_low_text(cx, "refused", text);
    jmp_buf boundary;
    cx->boundary = &boundary;
    if (setjmp(boundary) == 0) {
        dpia_from_core(cx, f);
        fail_msg("translated: %s", text);
    }
    assert_int_equal(cx->errors, 1);
    assert_int_equal(cx->diags.at[0]->code, E0901);
    session_delete(cx);
}

static void open_choices_are_refused(void **state)
{
    (void)state;
    assert_refused("(entry f [n: nat] (a: [n]f32) : [n]f32 (map (lam (x: f32) x) a))");
    assert_refused("(entry f [n: nat] (a: [n]f32) : [n]f32 a)");
    assert_refused("(entry f [n: nat] (a: [n]f32) : [n]f32 (reverse a))");
    assert_refused("(entry f [n: nat] (a: [n]f32) : f32 (reduce (lam (x: f32, y: f32) x) 0.0 a))");
    assert_refused("(entry f [n: nat] (a: [n]f32) : f32 "
                   "(reduce.seq (lam (x: f32, y: f32) x) 0.0 (map.seq (lam (x: f32) x) a)))");
    assert_refused("(entry f [n: nat] (a: [n]f32) : [n]f32 (slide.dst 1 1 (copy a)))");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_program_has_its_commands),
        cmocka_unit_test(commands_grow_with_the_term),
        cmocka_unit_test(elements_read_twice_are_computed_once),
        cmocka_unit_test(open_choices_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
