// Sweeps that run together: random nests mean the same after the pass, and the text of some.
#include "loops/agree.h"

enum { COUNT = 400, STEPS = 200000, MOST = 13 };

#define HEADER                                                                                     \
    "(loops f [n] (a: [n + 3]i32, b: [4*n + 20]i32) : [n + 200]i32"                                \
    " (buffers (in a i32 [n + 3]) (in b i32 [4*n + 20]) (out t i32 [n + 200]))"                    \
    " (block (loop f 0 (n + 200) (store t f (cast (size 3*f) : i32)))"

// --- random nests -------------------------------------------------------------------------------

static void put_load(Maker *m, int step, int most)
{
    int ahead = below(m, most + 1);
    text_printf(m->out, "(load t (%d*k + %d) : vec[4]i32)", step, ahead * step);
}

// An operand of what an element becomes, which may read the two indices.
static void put_operand(Maker *m, int step, int most)
{
    static const char *const others[] = {"(splat 3 : vec[4]i32)", "(splat (load a 1) : vec[4]i32)",
                                         "(splat (cast (size (2*j + k)) : i32) : vec[4]i32)",
                                         "(load b 0 : vec[4]i32)"};
    if (below(m, 3))
        put_load(m, step, most);
    else
        text_put(m->out, ONE_OF(m, others));
}

// Sweeps whose last element depends on the number of the sweep. Some are not of the form.
static const char *random_nest(Arena *arena, unsigned seed)
{
    static const char *const ends[] = {
        "(n + 2 - j)", "(15 - j)", "(n + 6 - 2*j)", "(n + 1)", "(4 - j)", "(n + 9 - 3*j)", "9"};
    static const char *const counts[] = {"n", "7", "4", "(n - 3)", "9", "(n + 1)"};
    static const char *const firsts[] = {"0", "1", "2", "n"};
    Text out = text_new(arena);
    Maker m = {.out = &out, .seed = seed, .arena = arena};
    int step = below(&m, 5) ? 4 : below(&m, 2) ? 8 : 2, most = below(&m, 4) ? 1 : 2;
    text_printf(&out, HEADER " (loop j %d %s (loop k %s %s (block", below(&m, 2),
                ONE_OF(&m, counts), below(&m, 3) ? "0" : ONE_OF(&m, firsts), ONE_OF(&m, ends));
    bool local = below(&m, 3) == 0;
    if (local) {
        text_put(&out, " (decl x vec[4]i32 (* ");
        put_operand(&m, step, most);
        text_put(&out, " (splat 5 : vec[4]i32)))");
    }
    text_printf(&out, " (store t %d*k (+ ", step);
    put_load(&m, step, most);
    text_put(&out, " (- ");
    put_operand(&m, step, most);
    text_put(&out, local ? " x" : " ");
    if (!local) put_operand(&m, step, most);
    text_put(&out, "))))))))");
    return text_get(&out);
}

static void nests_keep_the_meaning(void **state)
{
    (void)state;
    int together = 0, programs = getenv("PROGRAMS") ? atoi(getenv("PROGRAMS")) : COUNT;
    for (unsigned seed = 0; seed < (unsigned)programs; seed++) {
        Session *cx = session_new();
        nat_init(cx);
        LoopEntry *stages[2] = {read_loops(cx, random_nest(cx->arena, seed))};
        loops_check(cx, stages[0]);
        stages[1] = loops_time_skew(cx, stages[0]);
        loops_check(cx, stages[1]);
        together += stages[1]->body != stages[0]->body;
        for (int64_t n = 0; n <= MOST; n++) {
            Value args[] = {some_items(cx->arena, n + 3, 3), some_items(cx->arena, 4 * n + 20, 5)};
            (void)agree_at(cx, stages, 2, seed, n, args, STEPS);
        }
        session_delete(cx);
    }
    if (together < programs / 3) fail_msg("%d of %d nests run together", together, programs);
}

// --- what becomes of a nest ---------------------------------------------------------------------

static const char *after(Session *cx, const char *nest)
{
    LoopEntry *e = read_loops(cx, arena_printf(cx->arena, HEADER " %s))", nest));
    loops_check(cx, e);
    e = loops_time_skew(cx, e);
    loops_check(cx, e);
    return flat(cx->arena, show(cx, e));
}

static void assert_becomes(const char *nest, const char *expected)
{
    Session *cx = session_new();
    nat_init(cx);
    const char *text = after(cx, nest);
    if (!strstr(text, expected)) fail_msg("%s is not in %s", expected, text);
    session_delete(cx);
}

static void assert_stays(const char *nest)
{
    Session *cx = session_new();
    nat_init(cx);
    const char *text = after(cx, nest);
    if (strstr(text, "(set ")) fail_msg("%s becomes %s", nest, text);
    session_delete(cx);
}

#define AT(p) "(load t " p " : vec[4]i32)"

// Four sweeps have one load and one store in an iteration.
static void sweeps_run_together(void **state)
{
    (void)state;
    assert_becomes("(loop j 0 64 (loop k 0 (64 - j) (store t 4*k (+ " AT("4*k")
                       AT("(4*k + 4)") "))))",
                   "(loop k7 3 (64 - 4*j1) (block (decl t5 vec[4]i32 (load t (4*k7 + 4) : "
                   "vec[4]i32)) (decl t6 vec[4]i32 (+ t1 t5)) (decl t7 vec[4]i32 (+ t2 t6)) "
                   "(decl t8 vec[4]i32 (+ t3 t7)) (decl t9 vec[4]i32 (+ t4 t8)) "
                   "(store t (4*k7 - 12) t9) (set t1 t5) (set t2 t6) (set t3 t7) (set t4 t8))) "
                   "(store t (252 - 16*j1) t2) (store t (248 - 16*j1) t3) "
                   "(store t (244 - 16*j1) t4)");
    // the first of them end too early for sweeps behind them
    assert_becomes("(loop j 0 64 (loop k 0 (64 - j) (store t 4*k (+ " AT("4*k")
                       AT("(4*k + 4)") "))))",
                   "(loop j 60 64 (loop k 0 (64 - j)");
    assert_becomes("(loop j 0 64 (loop k 0 9 (store t 4*k (+ " AT("4*k") AT("(4*k + 4)") "))))",
                   "(loop j1 0 16 ");
}

static void other_nests_stay(void **state)
{
    (void)state;
    // an element that the sweep has stored before
    assert_stays("(loop j 0 64 (loop k 1 9 (store t 4*k (+ " AT("4*k") AT("(4*k - 4)") "))))");
    // the next sweep has the same element, or ends later, or too early, or begins elsewhere
    assert_stays("(loop j 0 64 (loop k 0 9 (store t 4*k (+ " AT("4*k") AT("4*k") "))))");
    assert_stays("(loop j 0 9 (loop k 0 (9 + j) (store t 4*k " AT("(4*k + 4)") ")))");
    assert_stays("(loop j 0 9 (loop k 0 (30 - 2*j) (store t 4*k " AT("(4*k + 4)") ")))");
    assert_stays("(loop j 0 9 (loop k j 20 (store t 4*k " AT("(4*k + 4)") ")))");
    // parts of two vectors, single elements
    assert_stays("(loop j 0 9 (loop k 0 20 (store t 4*k " AT("(4*k + 2)") ")))");
    assert_stays("(loop j 0 9 (loop k 0 20 (store t 2*k " AT("(2*k + 2)") ")))");
    assert_stays("(loop j 0 9 (loop k 0 20 (store t k (load t (k + 1)))))");
    // too few sweeps
    assert_stays("(loop j 0 3 (loop k 0 (9 - j) (store t 4*k " AT("(4*k + 4)") ")))");
    // a branch
    assert_stays("(loop j 0 9 (loop k 0 20 (branch (< (load a 0) 2) (store t 4*k " AT(
        "(4*k + 4)") ") (block))))");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(nests_keep_the_meaning),
                                       cmocka_unit_test(sweeps_run_together),
                                       cmocka_unit_test(other_nests_stay)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
