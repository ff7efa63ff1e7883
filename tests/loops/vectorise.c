// Loops over lanes become statements on vectors: random straight bodies, and random fillings of
// arrays, mean the same after, and most become vectors.
#include "loops/agree.h"

enum { COUNT = 500, STEPS = 20000, MOST = 19 };

// --- random bodies ------------------------------------------------------------------------------

typedef struct {
    Maker m;
    VEC(const char *) ints, longs; // locals in scope of types i32 and i64 that may be set
} Body;

static void put_lane_condition(Body *b, int depth);

// An i32: elements of an input and of the array t of the loop, at the same place in each lane or one after the other.
static void put_lane_value(Body *b, int depth)
{
    Maker *m = &b->m;
    static const char *const operators[] = {"+", "-", "*", "max", "&", "<<"};
    static const char *const leaves[] = {"(load a i)",
                                         "(load a (i + 1))",
                                         "(load a 0)",
                                         "(load t i)",
                                         "(cast (size i) : i32)",
                                         "3",
                                         "p",
                                         "(cast (size 2*i) : i32)",
                                         "(load b (i + n))",
                                         "(load b (2*n + 9 - i))"};
    switch (below(m, depth > 0 ? 8 : 5)) {
    case 0:
    case 1:
    case 2: text_put(m->out, ONE_OF(m, leaves)); return;
    case 3: text_put(m->out, b->ints.at[below(m, b->ints.len)]); return;
    case 4: text_printf(m->out, "(cast %s : i32)", b->longs.at[below(m, b->longs.len)]); return;
    case 5:
        text_put(m->out, "(? ");
        put_lane_condition(b, depth - 1);
        break;
    default: text_printf(m->out, "(%s", ONE_OF(m, operators)); break;
    }
    for (int i = 0; i < 2; i++) {
        text_char(m->out, ' ');
        put_lane_value(b, depth - 1);
    }
    text_char(m->out, ')');
}

static void put_lane_condition(Body *b, int depth)
{
    Maker *m = &b->m;
    static const char *const operators[] = {"<", "==", ">="};
    // `far` wraps after some of the lanes
    static const char *const known[] = {"(< p 3)",
                                        "(< (size i) (size (n - 3)))",
                                        "(<= (size (n - i)) (size 4))",
                                        "(== (size i) (size 5))",
                                        "(< far (size n))",
                                        "(>= far (size 3))",
                                        "(<= (size 5) far)",
                                        "(> (size 3) far)"};
    switch (below(m, depth > 0 ? 5 : 3)) {
    case 0: text_put(m->out, ONE_OF(m, known)); return;
    case 3:
        text_put(m->out, "(? ");
        put_lane_condition(b, depth - 1);
        text_char(m->out, ' ');
        put_lane_condition(b, depth - 1);
        text_put(m->out, " false)");
        return;
    case 4:
        text_put(m->out, "(! (| ");
        put_lane_condition(b, depth - 1);
        text_char(m->out, ' ');
        put_lane_condition(b, depth - 1);
        text_put(m->out, "))");
        return;
    default:
        text_printf(m->out, "(%s ", ONE_OF(m, operators));
        put_lane_value(b, 0);
        text_char(m->out, ' ');
        put_lane_value(b, 0);
        text_char(m->out, ')');
    }
}

static void put_lane_statements(Body *b, int n, int depth);

static void put_lane_branch(Body *b, int depth)
{
    text_put(b->m.out, " (branch ");
    put_lane_condition(b, 1);
    for (int side = 0; side < 2; side++) {
        int ints = b->ints.len;
        text_put(b->m.out, " (block");
        put_lane_statements(b, below(&b->m, 3), depth + 1);
        text_char(b->m.out, ')');
        b->ints.len = ints;
    }
    text_char(b->m.out, ')');
}

static void put_lane_statement(Body *b, int depth)
{
    Maker *m = &b->m;
    switch (below(m, depth < 2 ? 6 : 4)) {
    case 0: {
        const char *name = fresh(m, "d");
        text_printf(m->out, " (decl %s i32 ", name);
        put_lane_value(b, 2);
        vec_push(m->arena, &b->ints, name);
        break;
    }
    case 1:
        text_printf(m->out, " (set %s (cast ", b->longs.at[below(m, b->longs.len)]);
        put_lane_value(b, 1);
        text_put(m->out, " : i64)");
        break;
    case 2:
    case 3:
        text_printf(m->out, " (set %s ", b->ints.at[below(m, 2)]); // those declared below
        put_lane_value(b, 2);
        break;
    case 4: put_lane_branch(b, depth); return;
    default:
        text_printf(m->out, " (store %s ", below(m, 4) ? "t i" : "u (i + 1)");
        put_lane_value(b, 2);
    }
    text_char(m->out, ')');
}

static void put_lane_statements(Body *b, int n, int depth)
{
    for (int i = 0; i < n; i++) put_lane_statement(b, depth);
}

// t[i] and u[i + 1] for i in vectorize(lanes, from, to).
static const char *random_body(Arena *arena, unsigned seed)
{
    static const char *const bounds[] = {"8", "n", "n", "(n - 1)", "4"};
    Text out = text_new(arena);
    Body b = {.m = {.out = &out, .seed = seed, .arena = arena}};
    vec_push(arena, &b.ints, "x");
    vec_push(arena, &b.ints, "y");
    vec_push(arena, &b.longs, "l");
    text_put(
        &out,
        "(loops lanes [n] (a: [n + 20]i32, b: [2*n + 20]i32, k: i64) : ([n + 20]i32, [n + 20]i32)"
        " (buffers (in a i32 [n + 20]) (in b i32 [2*n + 20]) (in k i64) (out t i32 [n + 20]) (out "
        "u i32 [n + 20]))"
        " (block (decl p i32 (cast (size k) : i32))"
        " (decl base i64 (? (< k 3i64) k (+ k 9223372036854775795i64)))"
        " (loop z 0 (n + 20) (block (store t z (load b z)) (store u z 1)))");
    text_printf(&out, " (loop_vector i %d %d %s (block", 2 << below(&b.m, 3), below(&b.m, 2),
                ONE_OF(&b.m, bounds));
    text_put(&out, " (decl x i32 (tuple)) (decl y i32 p) (decl l i64 3i64) (set x 7)"
                   " (decl far i64 (+ (size i) base))");
    put_lane_statements(&b, 5, 0);
    text_put(&out, " (store t i (+ (+ (load t i) (cast l : i32)) (+ x (* 3 y))))))))");
    return text_get(&out);
}

// --- the test -----------------------------------------------------------------------------------

static void agree(Session *cx, LoopEntry *const *stages, int count, unsigned seed)
{
    for (int64_t n = 0; n <= MOST; n += 1 + n % 3) {
        Value args[] = {some_items(cx->arena, n + 20, 3),
                        some_items(cx->arena, 2 * n + 20, 5),
                        {.bits = seed % 6}};
        assert_true(agree_at(cx, stages, count, seed, n, args, STEPS));
    }
}

static void vectors_keep_the_meaning(void **state)
{
    (void)state;
    int vectors = 0, programs = getenv("PROGRAMS") ? atoi(getenv("PROGRAMS")) : COUNT;
    for (unsigned seed = 0; seed < (unsigned)programs; seed++) {
        Session *cx = session_new();
        nat_init(cx);
        LoopEntry *stages[LOOP_STAGES + 1] = {read_loops(cx, random_body(cx->arena, seed))};
        stages[1] = loops_vectorise(cx, stages[0]);
        loops_check(cx, stages[1]);
        vectors += strstr(show(cx, stages[1]), "vec[") != NULL;
        agree(cx, stages, 2, seed);
        run_all_passes(cx, stages);
        agree(cx, stages, LOOP_STAGES, seed);
        session_delete(cx);
    }
    if (vectors < programs / 3) fail_msg("%d of %d programs are on vectors", vectors, programs);
}

// --- arrays that are filled ----------------------------------------------------------------------

// Lanes l of the round q that store to the next place of y.
static void put_kept(Maker *m, const char *l, const char *v)
{
    static const char *const conditions[] = {"(< %s 4)", "(< %s p)", "(== (& %s 1) 1)",
                                             "(< p (+ %s 9))"},
                             *const values[] = {"%s", "(* %s p)", "(load b (q + %2$s))"};
    text_printf(m->out, " (loop %s 0 8 (block (decl %s i32 (load a (8*q + %s))) (branch ", l, v, l);
    text_printf(m->out, ONE_OF(m, conditions), v);
    text_printf(m->out, " (block (decl at%s i64 c) (store y at%s ", l, l);
    text_printf(m->out, ONE_OF(m, values), v, l);
    text_printf(m->out, ") (set c (size (at%s + 1)))) (block))))", l);
}

// By one loop in each round, or two; what is read of y then is all that was stored.
static const char *random_filling(Arena *arena, unsigned seed)
{
    static const char *const lengths[] = {"n", "n", "(n + 3)", "8*(n/8)"};
    Text out = text_new(arena);
    Maker m = {.out = &out, .seed = seed, .arena = arena};
    bool before = below(&m, 4) == 0, twice = below(&m, 4) == 0, behind = below(&m, 4) == 0;
    const char *length = twice ? "(2*n + 20)" : ONE_OF(&m, lengths);
    text_printf(&out,
                "(loops fill [n] (a: [n + 20]i32, b: [2*n + 20]i32, k: i64) : ([2*n + 20]i32, i64)"
                " (buffers (in a i32 [n + 20]) (in b i32 [2*n + 20]) (in k i64)"
                " (out t i32 [2*n + 20]) (out m i64))"
                " (block (decl p i32 (cast (size k) : i32)) (alloc.global y i32 %s)",
                length);
    if (before) text_printf(&out, " (loop z 0 %s (store y z 5))", length);
    text_put(&out, " (decl c i64 (size 0)) (loop q 0 n/8 (block");
    if (behind) text_put(&out, " (store y (8*(n/8) - 1) 9)");
    put_kept(&m, "l", "v");
    if (twice) put_kept(&m, "r", "w");
    text_printf(&out,
                ")) (decl e i64 c) (loop i 0 (2*n + 20)"
                " (branch (? (< (size i) (size %s)) (| (< (size i) (size e)) %s) false)"
                " (store t i (load y i)) (store t i 0))) (store m 0 (size e))))",
                length,
                before   ? "true"
                : behind ? "(== (size i) (size (8*(n/8) - 1)))"
                         : "false");
    return text_get(&out);
}

// The interpreter has nothing behind the lanes of a store that may spoil what is there.
static void filled_arrays_keep_the_meaning(void **state)
{
    enum { FILLINGS = 60 };
    (void)state;
    int whole = 0;
    for (unsigned seed = 0; seed < FILLINGS; seed++) {
        Session *cx = session_new();
        nat_init(cx);
        LoopEntry *stages[LOOP_STAGES] = {read_loops(cx, random_filling(cx->arena, seed))};
        run_all_passes(cx, stages);
        whole += strstr(show(cx, stages[LOOP_STAGES - 2]), "store_packed.unchecked") != NULL;
        for (int64_t n = 0; n <= 33; n += 11) {
            Value args[] = {some_items(cx->arena, n + 20, 3 + seed % 4),
                            some_items(cx->arena, 2 * n + 20, 5),
                            {.bits = seed % 6}};
            assert_true(agree_at(cx, stages, LOOP_STAGES, seed, n, args, STEPS));
        }
        session_delete(cx);
    }
    if (whole < FILLINGS / 4 || whole > 3 * FILLINGS / 4)
        fail_msg("%d of %d programs have whole stores", whole, (int)FILLINGS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vectors_keep_the_meaning),
        cmocka_unit_test(filled_arrays_keep_the_meaning),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
