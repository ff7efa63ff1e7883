// Lanes go inside loops: random bodies of `vectorize` mean the same after, and uniform loops have left them.
#include "base/target/cpu.h"
#include "loops/agree.h"

enum { COUNT = SANITIZED ? 200 : 600, STEPS = 20000 };

// --- random bodies ------------------------------------------------------------------------------

typedef struct {
    Maker m;
    const char *lane;
    VEC(const char *) ints; // names of type i32 in scope
    int depth;
} LaneMaker;

static void put_value(LaneMaker *b, int depth)
{
    Maker *m = &b->m;
    static const char *const operators[] = {"+", "-", "*", "max"};
    switch (below(m, depth > 0 ? 7 : 4)) {
    case 0: text_printf(m->out, "%d", below(m, 9) - 4); return;
    case 1: text_printf(m->out, "(load t %s)", b->lane); return;
    case 2:
        text_printf(m->out, "(cast (size %s) : i32)", m->longs.at[below(m, m->longs.len)]);
        return;
    case 3: text_put(m->out, b->ints.at[below(m, b->ints.len)]); return;
    default:
        text_printf(m->out, "(%s ", ONE_OF(m, operators));
        put_value(b, depth - 1);
        text_char(m->out, ' ');
        put_value(b, depth - 1);
        text_char(m->out, ')');
    }
}

// What is the same in all lanes, mostly.
static void put_uniform(LaneMaker *b)
{
    static const char *const values[] = {"p", "u", "(+ u 1)", "(- q u)", "(cast (size n) : i32)",
                                         "s"};
    text_put(b->m.out, ONE_OF(&b->m, values));
}

static void put_lane_statements(LaneMaker *b, int n);

static void put_lane_block(LaneMaker *b, int n)
{
    int longs = b->m.longs.len, ints = b->ints.len;
    text_put(b->m.out, " (block");
    b->depth++;
    put_lane_statements(b, n);
    b->depth--;
    b->m.longs.len = longs;
    b->ints.len = ints;
    text_char(b->m.out, ')');
}

static void put_lane_loop(LaneMaker *b)
{
    static const char *const bounds[] = {"3", "n", "2"};
    Maker *m = &b->m;
    const char *j = fresh(m, "j");
    text_printf(m->out, " (loop %s 0 %s", j, below(m, 6) ? ONE_OF(m, bounds) : b->lane);
    vec_push(m->arena, &m->longs, j);
    put_lane_block(b, 3);
    m->longs.len--;
    text_char(m->out, ')');
}

static void put_lane_branch(LaneMaker *b)
{
    text_put(b->m.out, " (branch (< ");
    if (below(&b->m, 2))
        put_uniform(b);
    else
        put_value(b, 1);
    text_put(b->m.out, " 2)");
    put_lane_block(b, 2);
    put_lane_block(b, below(&b->m, 3));
    text_char(b->m.out, ')');
}

// A local that does not change, and an element of an input or of an array of the lane at it.
static void put_constant(LaneMaker *b)
{
    Maker *m = &b->m;
    const char *k = fresh(m, "k"), *d = fresh(m, "d");
    text_printf(m->out, " (decl %s i64 (size (%s + %s)))", k, b->lane,
                m->longs.at[below(m, m->longs.len)]);
    vec_push(m->arena, &m->longs, k);
    text_printf(m->out, " (decl %s i32 ", d);
    put_value(b, 1);
    text_char(m->out, ')');
    vec_push(m->arena, &b->ints, d);
}

static void put_element(LaneMaker *b)
{
    Maker *m = &b->m;
    const char *k = m->longs.at[below(m, m->longs.len)];
    if (below(m, 2)) {
        text_printf(m->out,
                    " (branch (< (size %s) (size n)) (block (set s (- (load a %s) s))) (block))", k,
                    k);
        return;
    }
    text_printf(m->out, " (store w (%s %% 3) ", k);
    put_value(b, 1);
    text_printf(m->out, ") (set r (+ r (load w %d)))", below(m, 3));
}

static void put_lane_statement(LaneMaker *b)
{
    Maker *m = &b->m;
    int choice = below(m, b->depth > 3 ? 6 : 10);
    if (choice < 2) {
        text_printf(m->out, " (set %s ", choice ? "s" : "r");
        put_value(b, 2);
        text_char(m->out, ')');
    } else if (choice == 2) {
        text_put(m->out, " (set u ");
        put_uniform(b);
        text_char(m->out, ')');
    } else if (choice == 3) {
        text_printf(m->out, " (store t %s ", b->lane);
        put_value(b, 2);
        text_char(m->out, ')');
    } else if (choice == 4) {
        put_constant(b);
    } else if (choice == 5) {
        put_element(b);
    } else if (choice < 8) {
        put_lane_loop(b);
    } else {
        put_lane_branch(b);
    }
}

static void put_lane_statements(LaneMaker *b, int n)
{
    for (int i = 0; i < n; i++) put_lane_statement(b);
}

// t[i] for i in vectorize(lanes, from, to); everything else belongs to the lane.
static const char *random_lanes(Arena *arena, unsigned seed)
{
    static const char *const bounds[] = {"8", "n", "n", "7"};
    static const char *const names[] = {"s", "r", "u", "p", "q"};
    Text out = text_new(arena);
    LaneMaker b = {.m = {.out = &out, .seed = seed, .arena = arena}, .lane = "i"};
    for (int i = 0; i < 5; i++) vec_push(arena, &b.ints, names[i]);
    vec_push(arena, &b.m.longs, "i");
    vec_push(arena, &b.m.longs, "n");
    text_put(&out, "(loops lanes [n] (a: [n]i32, k: i64) : [8]i32"
                   " (buffers (in a i32 [n]) (in k i64) (out t i32 [8]))"
                   " (block (decl p i32 1) (decl q i32 (cast (size k) : i32))"
                   " (loop z 0 8 (block (store t z (cast (size (3*z)) : i32))))");
    text_printf(&out, " (loop_vector i %d %d %s (block", 2 + below(&b.m, 3), below(&b.m, 2),
                ONE_OF(&b.m, bounds));
    text_put(&out, " (decl s i32 1) (decl r i32 p) (decl u i32 0) (alloc.stack w i32 3)"
                   " (store w 0 5) (store w 1 (cast (size i) : i32)) (store w 2 q)");
    put_lane_statements(&b, 5);
    text_put(&out, " (store t i (+ (load t i) (+ s (* 3 r))))))))");
    return text_get(&out);
}

// --- the test -----------------------------------------------------------------------------------

// For sizes on which the first takes not too many steps.
static void agree(Session *cx, LoopEntry *const *stages, int count, unsigned seed)
{
    for (int64_t n = 0; n < 8; n++) {
        Value items[8];
        for (int i = 0; i < 8; i++) items[i] = (Value){.bits = (uint64_t)(3 * i % 5)};
        Value args[] = {{.count = n, .parts = items}, {.bits = seed % 4}};
        if (!agree_at(cx, stages, count, seed, n, args, STEPS)) return;
    }
}

static void distribution_keeps_the_meaning(void **state)
{
    (void)state;
    int cut = 0, programs = getenv("PROGRAMS") ? atoi(getenv("PROGRAMS")) : COUNT;
    for (unsigned seed = 0; seed < (unsigned)programs; seed++) {
        Session *cx = session_new();
        nat_init(cx);
        LoopEntry *stages[LOOP_STAGES + 1] = {read_loops(cx, random_lanes(cx->arena, seed))};
        stages[1] = loops_distribute(cx, stages[0]);
        loops_check(cx, stages[1]);
        cut += stages[1]->body != stages[0]->body;
        agree(cx, stages, 2, seed);
        run_all_passes(cx, stages);
        agree(cx, stages, LOOP_STAGES, seed);
        session_delete(cx);
    }
    if (cut < programs / 2) fail_msg("%d of %d programs were changed", cut, programs);
}

// --- what becomes of a loop ---------------------------------------------------------------------

#define HEADER                                                                                     \
    "(loops f [m, n] (a: [m][n]f32) : [m]f32\n"                                                    \
    "  (buffers (in a f32 [m, n]) (out y f32 [m]))\n  "
#define LANES_OF(to, body) HEADER "(loop_vector i 4 0 " to " (block " body ")))"
#define SUM_TO(bound)                                                                              \
    " (decl x f32 0.0f32) (loop j 0 " bound " (set x (+ x (load a (n*i + j))))) (store y i x)"

static void assert_becomes(const char *text, const char *expected)
{
    Session *cx = session_new();
    nat_init(cx);
    assert_string_equal(show(cx, loops_distribute(cx, read_loops(cx, text))), expected);
    session_delete(cx);
}

static void assert_stays(const char *text)
{
    Session *cx = session_new();
    nat_init(cx);
    const LoopEntry *e = read_loops(cx, text);
    assert_ptr_equal(loops_distribute(cx, e)->body, e->body);
    session_delete(cx);
}

static void loops_stay_around_their_lanes(void **state)
{
    (void)state;
    assert_becomes(LANES_OF("4", SUM_TO("n")),
                   HEADER "(block\n"
                          "    (alloc.stack x1 f32 4)\n"
                          "    (loop_vector i1 4 0 4 (store x1 i1 0.0))\n"
                          "    (loop j 0 n (loop_vector i2 4 0 4"
                          " (store x1 i2 (+ (load x1 i2) (load a (i2*n + j))))))\n"
                          "    (loop_vector i3 4 0 4 (store y i3 (load x1 i3)))))\n");
}

// What is left is done at once with a mask, where the machine has masked memory.
static void rest_has_a_mask_where_it_pays(void **state)
{
    (void)state;
    static const struct {
        const char *cpu;
        bool masked;
    } cases[] = {{"v4", true}, {"v3", true}, {"v2", false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Session *cx = session_new();
        nat_init(cx);
        cx->cpu = cpu_named(cases[i].cpu);
        cx->vector_bytes = cx->cpu->level->vector_bytes;
        const char *text = HEADER "(loop_vector i 8 0 m (block (decl x f32 0.0f32)"
                                  " (loop j 0 n (set x (+ x (load a (m*j + i))))) (store y i x))))";
        const char *done = show(cx, loops_distribute(cx, read_loops(cx, text)));
        bool masked = strstr(done, "store_where y") != NULL;
        if (masked != cases[i].masked || (strstr(done, "(store y i") != NULL) == masked)
            fail_msg("%s: %s", cases[i].cpu, done);
        session_delete(cx);
    }
}

static void what_cannot_be_distributed_stays(void **state)
{
    (void)state;
    // a bound of its own in each lane, straight-line code, a lane that may fail
    assert_stays(LANES_OF("m", SUM_TO("i")));
    assert_stays(LANES_OF("m", "(decl x f32 1.0f32) (store y i x)"));
    assert_stays(LANES_OF("m", "(decl x i64 (size i)) (loop j 0 n (block"
                               " (require E0601 (< (size (x + j)) (size n)))"
                               " (store y i (load a (x + j)))))"));
    assert_stays(LANES_OF("3", SUM_TO("n"))); // fewer than a block
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(distribution_keeps_the_meaning),
                                       cmocka_unit_test(loops_stay_around_their_lanes),
                                       cmocka_unit_test(rest_has_a_mask_where_it_pays),
                                       cmocka_unit_test(what_cannot_be_distributed_stays)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
