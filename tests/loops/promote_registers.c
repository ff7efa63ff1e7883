// Vectors that loops go over in each round are locals: random tiles mean the same after, and most lose their memory.
#include "loops/agree.h"

enum { COUNT = 300, STEPS = 200000, MOST = 4 };

// --- random tiles -------------------------------------------------------------------------------

static void put_position(Maker *m, const char *j)
{
    static const char *const places[] = {"0", "8", "16", "(n + 24)", "(n + 32)", "(n + 28)", "4"};
    text_printf(m->out, "(%s + %s)", one_of(m, places, below(m, 4) ? 5 : 7), j);
}

static void put_source(Maker *m, const char *j)
{
    static const char *const scalars[] = {"(load a p)", "3", "(load a 0)", "(cast (size p) : i32)"};
    switch (below(m, 4)) {
    case 0: text_printf(m->out, "(load b (4*p + %s))", j); return;
    case 1: text_put(m->out, ONE_OF(m, scalars)); return;
    default: text_printf(m->out, "(* %s (load b %s))", ONE_OF(m, scalars), j); return;
    }
}

// A statement over lanes: t[..] becomes something of itself and of what is read.
static void put_lanes(Maker *m)
{
    const char *j = fresh(m, "j");
    int lanes = below(m, 12) ? 4 : 2, to = below(m, 3) ? 4 : 8;
    Text at = text_new(m->arena), *out = m->out;
    m->out = &at;
    put_position(m, j);
    m->out = out;
    text_printf(out, " (loop_vector %s %d 0 %d (store t %s (+ ", j, lanes, to, text_get(&at));
    if (below(m, 5))
        text_printf(out, "(load t %s) ", text_get(&at));
    else
        text_put(out, "1 ");
    put_source(m, j);
    text_put(out, ")))");
}

static void put_fill(Maker *m, const char *value)
{
    const char *i = fresh(m, "f"), *j = fresh(m, "f"), *g = fresh(m, "g");
    text_printf(m->out, " (loop %s 0 5 (loop %s 0 8 (store t (8*%s + %s) %s)))", i, j, i, j, value);
    text_printf(m->out, " (loop %s 40 (n + 40) (store t %s %s))", g, g, value);
}

// A loop over p whose body goes over places of t in lanes, an array or the result; before it t is filled, and copied behind.
static const char *random_tile(Arena *arena, unsigned seed)
{
    static const char *const bounds[] = {"n", "n", "3", "(n - 1)"};
    Text out = text_new(arena);
    Maker m = {.out = &out, .seed = seed, .arena = arena};
    bool array = below(&m, 2), nested = below(&m, 3) == 0;
    text_printf(&out,
                "(loops f [n] (a: [n + 3]i32, b: [4*n + 20]i32) : [n + 40]i32"
                " (buffers (in a i32 [n + 3]) (in b i32 [4*n + 20]) (out %s i32 [n + 40])) (block",
                array ? "r" : "t");
    if (array) text_put(&out, " (alloc.global t i32 (n + 40))");
    put_fill(&m, below(&m, 2) ? "0" : "7");
    if (nested) text_put(&out, " (loop q 0 3 (block");
    text_printf(&out, " (loop p %d %s (block", below(&m, 2), ONE_OF(&m, bounds));
    for (int i = 1 + below(&m, 4); i > 0; i--) put_lanes(&m);
    text_put(&out, "))");
    if (nested) {
        if (below(&m, 2)) text_put(&out, " (loop_vector h 4 0 8 (store t h (* 2 (load t h))))");
        text_put(&out, "))");
    }
    if (array)
        text_put(&out, " (loop i 0 5 (loop j 0 8 (store r (8*i + j) (load t (8*i + j)))))"
                       " (loop e 40 (n + 40) (store r e (load t e)))");
    text_put(&out, "))");
    return text_get(&out);
}

// --- the test -----------------------------------------------------------------------------------

static void agree(Session *cx, LoopEntry *const *stages, int count, unsigned seed)
{
    for (int64_t n = 0; n <= MOST; n++) {
        Value args[] = {some_items(cx->arena, n + 3, 3), some_items(cx->arena, 4 * n + 20, 5)};
        assert_true(agree_at(cx, stages, count, seed, n, args, STEPS));
    }
}

static void tiles_keep_the_meaning(void **state)
{
    (void)state;
    int locals = 0, programs = getenv("PROGRAMS") ? atoi(getenv("PROGRAMS")) : COUNT;
    for (unsigned seed = 0; seed < (unsigned)programs; seed++) {
        Session *cx = session_new();
        nat_init(cx);
        LoopEntry *stages[LOOP_STAGES + 1] = {read_loops(cx, random_tile(cx->arena, seed))};
        stages[1] = loops_vectorise(cx, stages[0]);
        stages[2] = loops_promote_registers(cx, stages[1]);
        loops_check(cx, stages[2]);
        locals += strstr(show(cx, stages[2]), "(decl t") != NULL;
        agree(cx, stages, 3, seed);
        run_all_passes(cx, stages);
        agree(cx, stages, LOOP_STAGES, seed);
        session_delete(cx);
    }
    if (locals < programs / 3) fail_msg("%d of %d programs have locals", locals, programs);
}

// --- what becomes of a loop ---------------------------------------------------------------------

#define HEADER                                                                                     \
    "(loops f [n] (a: [n]f32, b: [n][8]f32) : [8]f32\n"                                            \
    "  (buffers (in a f32 [n]) (in b f32 [n, 8]) (out y f32 [8]))\n  "
#define SUM(t, at)                                                                                 \
    "(store " t " " at " (+ (load " t " " at " : vec[4]f32) (load b (8*p + " at ") : vec[4]f32)))"

static void assert_becomes(const char *body, const char *expected)
{
    Session *cx = session_new();
    nat_init(cx);
    const char *text = arena_printf(cx->arena, HEADER "%s)", body);
    const char *wanted = arena_printf(cx->arena, HEADER "%s)\n", expected);
    assert_string_equal(show(cx, loops_promote_registers(cx, read_loops(cx, text))), wanted);
    session_delete(cx);
}

static void assert_stays(const char *body)
{
    Session *cx = session_new();
    nat_init(cx);
    const char *text =
        arena_printf(cx->arena, HEADER "(block (loop z 0 8 (store y z 1.0)) %s))", body);
    const char *done = show(cx, loops_promote_registers(cx, read_loops(cx, text)));
    if (strstr(done, "(decl y")) fail_msg("%s becomes %s", text, done);
    session_delete(cx);
}

// An array that is filled before and copied behind goes; loops over its vectors are written out.
static void tiles_become_locals(void **state)
{
    (void)state;
    assert_becomes("(block (alloc.stack t f32 8) (loop i 0 8 (store t i 0.0))"
                   " (loop p 0 n (loop_by j 4 0 8 (store t j (+ (load t j : vec[4]f32)"
                   " (load b (8*p + j) : vec[4]f32)))))"
                   " (loop k 0 8 (store y k (load t k))))",
                   "(block\n"
                   "    (decl t1 vec[4]f32 (splat 0.0 : vec[4]f32))\n"
                   "    (decl t2 vec[4]f32 (splat 0.0 : vec[4]f32))\n"
                   "    (loop p 0 n\n"
                   "      (block\n"
                   "        (set t1 (+ t1 (load b 8*p : vec[4]f32)))\n"
                   "        (set t2 (+ t2 (load b (8*p + 4) : vec[4]f32)))))\n"
                   "    (store y 0 t1)\n"
                   "    (store y 4 t2))");
}

// Memory that has its values from elsewhere is read when there is a round.
static void memory_is_read_before(void **state)
{
    (void)state;
    assert_becomes("(block (loop z 0 (n - n + 7) (store y z 1.0)) (store y 7 1.0) (loop p 0 n " SUM(
                       "y", "0") "))",
                   "(block\n"
                   "    (loop z 0 7 (store y z 1.0))\n"
                   "    (store y 7 1.0)\n"
                   "    (branch\n"
                   "      (< (size 0) (size n))\n"
                   "      (block\n"
                   "        (decl y1 vec[4]f32 (load y 0 : vec[4]f32))\n"
                   "        (loop p 0 n (set y1 (+ y1 (load b 8*p : vec[4]f32))))\n"
                   "        (store y 0 y1))\n"
                   "      (block)))");
}

// What is read behind the loop in any case has a value. The loop around then goes over locals as well.
static void tiles_of_loops_around(void **state)
{
    (void)state;
    const char *inside = " (loop p 0 q " SUM("y", "0") ")";
    Arena *arena = arena_new();
    assert_becomes(arena_printf(arena,
                                "(block (loop z 4 8 (store y z 2.0)) (loop z 0 4 (store y z 1.0))"
                                " (loop q 0 n (block%s (store y 0 (* (load y 0 : vec[4]f32) (splat "
                                "0.5 : vec[4]f32))))))",
                                inside),
                   "(block\n"
                   "    (loop z 4 8 (store y z 2.0))\n"
                   "    (decl y2 vec[4]f32 (splat 1.0 : vec[4]f32))\n"
                   "    (loop q 0 n\n"
                   "      (block\n"
                   "        (decl y1 vec[4]f32 y2)\n"
                   "        (loop p 0 q (set y1 (+ y1 (load b 8*p : vec[4]f32))))\n"
                   "        (set y2 y1)\n"
                   "        (set y2 (* y2 (splat 0.5 : vec[4]f32)))))\n"
                   "    (store y 0 y2))");
    // stored behind it, but not read: there may be no value before
    assert_becomes(arena_printf(arena,
                                "(block (loop z 0 8 (store y z 1.0)) (loop q 0 n (block%s (store y "
                                "0 (splat 0.5 : vec[4]f32)))))",
                                inside),
                   "(block\n"
                   "    (loop z 0 8 (store y z 1.0))\n"
                   "    (loop q 0 n\n"
                   "      (block\n"
                   "        (branch\n"
                   "          (< (size 0) (size q))\n"
                   "          (block\n"
                   "            (decl y1 vec[4]f32 (load y 0 : vec[4]f32))\n"
                   "            (loop p 0 q (set y1 (+ y1 (load b 8*p : vec[4]f32))))\n"
                   "            (store y 0 y1))\n"
                   "          (block))\n"
                   "        (store y 0 (splat 0.5 : vec[4]f32)))))");
    arena_delete(arena);
}

static void other_memory_stays(void **state)
{
    (void)state;
    // places that overlap, that change, of other lengths, single elements
    assert_stays("(loop p 0 n (block " SUM("y", "0") SUM("y", "2") "))");
    assert_stays("(loop p 0 2 (store y 4*p (load b 0 : vec[4]f32)))");
    assert_stays("(loop p 0 n (block " SUM("y", "0") "(store y 4 (load b 0 : vec[2]f32))))");
    assert_stays("(loop p 0 n (block " SUM("y", "0") "(store y 7 (load y 0))))");
    // more than there are registers for
    assert_stays(
        "(loop p 0 n (store y 0 (+ (load y 0 : vec[1024]f32) (load b 8*p : vec[1024]f32))))");
    // not in every round, or with what may end before
    assert_stays("(loop p 0 n (branch (< (load a p) 1.0) " SUM("y", "0") "(block)))");
    assert_stays("(loop p 0 n (block " SUM("y", "0") "(require E0601 (< (load a p) 1.0))))");
    assert_stays("(loop_parallel p 0 0 n " SUM("y", "0") ")");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tiles_keep_the_meaning), cmocka_unit_test(tiles_become_locals),
        cmocka_unit_test(memory_is_read_before), cmocka_unit_test(tiles_of_loops_around),
        cmocka_unit_test(other_memory_stays)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
