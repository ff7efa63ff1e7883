// What becomes of loops over lanes: the statements on vectors, and what stays a loop.
#include "base/target/cpu.h"
#include "loops/agree.h"

#define HEADER                                                                                     \
    "(loops f [n] (a: [n]f32, s: f32, h: [n]i64) : [n]f32\n"                                       \
    "  (buffers (in a f32 [n]) (in s f32) (in h i64 [n]) (out y f32 [n]))\n  "
#define LANES(count, to, body) HEADER "(loop_vector i " count " 0 " to " (block " body ")))"

static void assert_becomes_of(int bytes, const char *text, const char *expected)
{
    Session *cx = session_new();
    nat_init(cx);
    cx->vector_bytes = bytes;
    assert_string_equal(show(cx, loops_vectorise(cx, read_loops(cx, text))), expected);
    session_delete(cx);
}

static void assert_becomes(const char *text, const char *expected)
{
    assert_becomes_of(64, text, expected);
}

static void assert_stays(const char *text)
{
    Session *cx = session_new();
    nat_init(cx);
    const char *done = show(cx, loops_vectorise(cx, read_loops(cx, text)));
    if (strstr(done, "vec[") || !strstr(done, "loop_vector")) fail_msg("%s becomes %s", text, done);
    session_delete(cx);
}

static void lanes_become_vectors(void **state)
{
    (void)state;
    assert_becomes(LANES("4", "4", "(store y i (* s (load a i)))"),
                   HEADER "(store y 0 (* (splat s : vec[4]f32) (load a 0 : vec[4]f32))))\n");
    assert_becomes(LANES("4", "n", "(store y i (load a i))"),
                   HEADER "(block\n"
                          "    (loop_by i 4 0 4*(n/4) (store y i (load a i : vec[4]f32)))\n"
                          "    (loop i1 4*(n/4) n (store y i1 (load a i1)))))\n");
    // what all lanes do alike stays scalar; a branch that they do not take together is a selection
    assert_becomes(
        LANES("2", "16",
              "(decl t f32 (* s s)) (decl v f32 0.0) (branch (< (load a i) t) (set v s) (block))"
              " (store y i v)"),
        HEADER "(loop_by i 2 0 16\n"
               "    (block\n"
               "      (decl t f32 (* s s))\n"
               "      (decl v vec[2]f32 (splat 0.0 : vec[2]f32))\n"
               "      (decl mask1 vec[2]bool (< (load a i : vec[2]f32) (splat t : vec[2]f32)))\n"
               "      (set v (? mask1 (splat s : vec[2]f32) v))\n"
               "      (store y i v))))\n");
}

// Gathers around one place have one vector of positions; what may wrap to a place has its own.
#define AROUND(value)                                                                              \
    "(loops f [n] (a: [n]i32, s: i32) : [n]i32\n"                                                  \
    "  (checks (n <= 1000))\n"                                                                     \
    "  (buffers (in a i32 [n]) (in s i32) (out y i32 [n]))\n"                                      \
    "  (block (decl m i32 (cast (size n) : i32)) (loop_vector i 4 0 4"                             \
    " (block (decl p i32 (* (load a i) (load a i))) (decl q i32 (+ p m))"                          \
    " (decl k i64 (cast " value " : i64)) (store y i (- (* (load a k) p) (* p (+ p q))))))))"
static void assert_reads(const char *value, const char *part)
{
    Session *cx = session_new();
    nat_init(cx);
    const char *text = flat(cx->arena, show(cx, loops_vectorise(cx, read_loops(cx, value))));
    if (!strstr(text, part)) fail_msg("%s is not in %s", part, text);
    session_delete(cx);
}

// After the vectors of numbers that follow from the lane are computed where they are read.
static void assert_computes(const char *value, const char *part)
{
    Session *cx = session_new();
    nat_init(cx);
    LoopEntry *e = loops_rematerialise(cx, read_loops(cx, value));
    loops_check(cx, e);
    const char *text = flat(cx->arena, show(cx, loops_vectorise(cx, e)));
    if (!strstr(text, part)) fail_msg("%s is not in %s", part, text);
    session_delete(cx);
}

#define NEAR "(cast p : vec[4]i64)"
static void gathers_share_positions(void **state)
{
    (void)state;
    assert_reads(AROUND("p"), "(gather_where a " NEAR);
    assert_reads(AROUND("(+ p 3)"), "(gather_where a (+ " NEAR " (splat (size 3) : vec[4]i64))");
    assert_reads(AROUND("q"), "(gather_where a (+ " NEAR " (splat (size n) : vec[4]i64))");
    assert_reads(AROUND("(+ 1 (+ q (* m m)))"),
                 "(gather_where a (+ " NEAR " (splat (size (n*n + n + 1)) : vec[4]i64))");
    assert_reads(AROUND("(+ p -1)"), "(decl k1 vec[4]i32 (+ p (splat -1 : vec[4]i32)))");
    assert_reads(AROUND("(+ p s)"), "(decl k1 vec[4]i32 (+ p (splat s : vec[4]i32)))");
    assert_reads(AROUND("(+ q (* m (* m (* m m))))"), "(decl k1 vec[4]i32 (+ q (splat");
}

// Where the rows that a loop goes over have elements for all lanes they are loaded whole, also when
// some lanes have left.
#define LEAVING(rows)                                                                              \
    "(loops f [n, m] (a: [n + " rows "]i32, s: i32) : [n]i32\n"                                    \
    "  (buffers (in a i32 [n + " rows "]) (in s i32) (out y i32 [n]))\n"                           \
    "  (loop_vector i 4 0 n (block (decl x i32 0) (target left (loop j 0 m"                        \
    " (block (branch (< (load a (i + j)) s) (goto left) (block)) (set x (+ x 1))))) (store y i "   \
    "x))))"
static void rows_are_loaded_whole(void **state)
{
    (void)state;
    assert_reads(LEAVING("m"), "(load a (i + j) : vec[4]i32)");
    assert_reads(LEAVING("1"), "(load_where a (i + j) live1 : vec[4]i32)");
}

// A counter that is read behind its loop is one for all lanes in the loop, where it says which
// places of memory are read, or when the loop ends: rows and single elements then, and one test.
// Behind the loop it is what it was when the lane left.
#define COUNTING(place)                                                                            \
    "(loops f [n, m] (a: [n + m]i32, b: [m]i32) : [n]i64\n"                                        \
    "  (buffers (in a i32 [n + m]) (in b i32 [m]) (out y i64 [n]))\n"                              \
    "  (loop_vector i 4 0 n (block (decl x i64 (size 0)) (target end (loop_forever (block"         \
    " (decl k i64 x) (branch (>= k (size m)) (goto end) (block))"                                  \
    " (branch (!= (load a (" place ")) (load b k)) (goto end) (block))"                            \
    " (set x (size (k + 1)))))) (store y i x))))"
static void counters_of_loops_are_the_same_in_all_lanes(void **state)
{
    (void)state;
    assert_reads(COUNTING("i + k"), "(load_where a (i + k)");
    assert_reads(COUNTING("i + k"), "(load b k)");
    assert_reads(COUNTING("i + k"), "(branch (>= k (size m)) (goto end) (block))");
    assert_reads(
        COUNTING("i + k"),
        "(set x2 (? live1 (+ x2 (splat (size 1) : vec[4]i64)) x2)) (set x (size (k + 1)))");
    assert_reads(COUNTING("i + k"), "(store y i x2)");
}

// `while c && x`: where c is the same in all lanes it is a way out of its own.
#define BOTH(first, more)                                                                          \
    "(loops f [n, m] (a: [n + m]i32) : [n]i64\n"                                                   \
    "  (buffers (in a i32 [n + m]) (out y i64 [n]))\n"                                             \
    "  (loop_vector i 4 0 n (block (decl x i64 (size 0)) (target end (loop_forever (block"         \
    " (decl k i64 x) (decl e bool (tuple)) (branch " first                                         \
    " (block (decl b i32 (load a (i + k))) (set e (< b 9))) (set e false))"                        \
    " (branch (! e) (goto end) (block)) (set x (size (k + 1)))" more "))) (store y i x))))"
static void first_parts_of_all_lanes_are_ways_out(void **state)
{
    (void)state;
    assert_reads(
        BOTH("(< k (size m))", ""),
        "(branch (< k (size m)) (block) (goto end)) (decl b vec[4]i32 (load_where a (i + k) "
        "live1 : vec[4]i32)) (decl mask1 vec[4]bool (< b (splat 9 : vec[4]i32)))");
    assert_reads(BOTH("(< (load a i) 7)", ""), "(set e (& mask1 (< b (splat 9 : vec[4]i32))))");
    assert_reads(
        BOTH("(< k (size m))", "(decl z bool e)"),
        "(decl e vec[4]bool (splat false : vec[4]bool)) (branch (< k (size m)) (block (decl b");
}

static void counters_that_are_no_place_stay(void **state)
{
    (void)state;
    assert_reads(
        "(loops f [n] (a: [n]i64) : [n]i64\n"
        "  (buffers (in a i64 [n]) (out y i64 [n]))\n"
        "  (loop_vector i 4 0 n (block (decl x i64 (size 0)) (target end (loop_forever (block"
        " (branch (>= x (load a i)) (goto end) (block)) (set x (+ x 1i64)))))"
        " (store y i x))))",
        "(set x (? live");
}

// What fills no vector is done at once with a mask where that is cheaper: not for few elements or
// little work, nor where masked memory is done lane by lane; for a known number of elements by that
// number.
#define RATE(x) "(+ (* (load a i) s) (* " x " (+ " x " s)))"
static void rest_has_a_mask_where_it_pays(void **state)
{
    (void)state;
    static const char *const heavy = "(decl x f32 (load a i)) (store y i " RATE(RATE("x")) ")";
    static const struct {
        const char *lanes, *to, *body, *cpu;
        bool masked;
    } cases[] = {
        {"16", "n", heavy, "v4", true},           {"8", "n", heavy, "v3", true},
        {"8", "n", heavy, "v2", false},           {"2", "n", heavy, "v4", false},
        {"8", "15", heavy, "v4", true},           {"8", "9", heavy, "v4", false},
        {"4", "n", "(store y i s)", "v4", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Session *cx = session_new();
        nat_init(cx);
        cx->cpu = cpu_named(cases[i].cpu);
        cx->vector_bytes = cx->cpu->level->vector_bytes;
        const char *text = arena_printf(cx->arena, HEADER "(loop_vector i %s 0 %s (block %s)))",
                                        cases[i].lanes, cases[i].to, cases[i].body);
        const char *done = show(cx, loops_vectorise(cx, read_loops(cx, text)));
        if ((strstr(done, "store_where") != NULL) != cases[i].masked)
            fail_msg("%s lanes to %s, %s: %s", cases[i].lanes, cases[i].to, cases[i].cpu, done);
        session_delete(cx);
    }
}

// A loop over the first elements of a local array updates them at constant positions, so that the
// array stays in registers.
static void a_local_array_is_updated_in_registers(void **state)
{
    (void)state;
    static const struct {
        const char *cpu, *wanted;
    } cases[] = {
        {"v4", "(splat (size n % 8) : vec[8]i64)"}, // one vector of 8
        {"v3", "(< (size 4) (size n % 8))"},        // two of 4
        {"v2", "(loop i1 2*((n/2) % 4) n % 8"},     // without masks
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Session *cx = session_new();
        nat_init(cx);
        cx->cpu = cpu_named(cases[i].cpu);
        cx->vector_bytes = cx->cpu->level->vector_bytes;
        const char *text =
            "(loops f [n] (a: [n]f64) : f64\n"
            "  (buffers (in a f64 [n]) (out y f64))\n"
            "  (block (alloc.stack t f64 8) (loop i 0 8 (store t i 0.0f64))"
            " (loop_vector i 8 0 n % 8 (block (store t i (+ (load t i) (load a i)))))"
            " (store y 0 (load t 0))))";
        const char *done = show(cx, loops_vectorise(cx, read_loops(cx, text)));
        if (!strstr(done, cases[i].wanted)) fail_msg("%s: %s", cases[i].cpu, done);
        session_delete(cx);
    }
}

// Whether any lane, or each, has a condition.
static void conditions_of_all_lanes_are_one(void **state)
{
    (void)state;
#define ACROSS(first, op, count)                                                                   \
    "(loops f [n] (a: [n]f32, s: f32) : bool\n"                                                    \
    "  (buffers (in a f32 [n]) (in s f32) (out y bool))\n"                                         \
    "  (block (decl c bool " first ") (loop l 0 " count " (set c (" op " c (< (load a l) s))))"    \
    " (store y 0 c)))"
    assert_reads(ACROSS("false", "|", "8"),
                 "(set c (| c (any_lane (< (load a 0 : vec[8]f32) (splat s : vec[8]f32)))))");
    assert_reads(
        ACROSS("true", "&", "4"),
        "(set c (& c (! (any_lane (! (< (load a 0 : vec[4]f32) (splat s : vec[4]f32)))))))");
    assert_reads(ACROSS("false", "|", "32"), "(< (load a 16 : vec[16]f32)");
    assert_reads(ACROSS("false", "|", "6"), "(loop l 0 6");
    assert_reads(ACROSS("false", "|", "n"), "(loop l 0 n");
    assert_reads(ACROSS("false", "^", "8"), "(loop l 0 8");
}

// The lanes of a mask as the bits of a number: one vector, two, and forms that stay loops.
static void lanes_are_bits(void **state)
{
    (void)state;
#define BITS(count, bit)                                                                           \
    "(loops f [n] (a: [n]f32, s: f32) : u64\n"                                                     \
    "  (buffers (in a f32 [n]) (in s f32) (out y u64))\n"                                          \
    "  (block (decl b u64 0u64) (loop l 0 " count " (set b (| b " bit "))) (store y 0 b)))"
#define BIT "(<< (cast (< (load a l) s) : u64) (cast (size l) : u64))"
    assert_reads(BITS("8", BIT),
                 "(set b (| b (bits_of_lanes (< (load a 0 : vec[8]f32) (splat s : vec[8]f32)))))");
    assert_reads(BITS("32", BIT), "(< (load a 16 : vec[16]f32)");
    assert_reads(BITS("32", BIT), "(cast (size 16) : u64)");
    assert_reads(BITS("6", BIT), "(loop l 0 6");
    assert_reads(BITS("8", "(<< (cast (< (load a l) s) : u64) (cast (size (l + 1)) : u64))"),
                 "(loop l 0 8");
    assert_reads(BITS("8", "(<< (cast (< (cast b : f32) s) : u64) (cast (size l) : u64))"),
                 "(loop l 0 8");
}

// Lanes that are counted, one after the other, and what goes to the next place, or comes from
// there. Other forms stay loops.
#define IN_LABEL(before, body, after)                                                              \
    "(loops f [n] (a: [n]f32, b: [n]f32, x: f32) : ([n]f32, [n]f32, i64)\n"                        \
    "  (buffers (in a f32 [n]) (in b f32 [n]) (in x f32) (out y f32 [n]) (out z f32 [n])"          \
    " (out m i64))\n"                                                                              \
    "  (block (loop q 0 n (block (store y q 0.0) (store z q 0.0))) (decl s f32 0.0)"               \
    " (decl k i64 (size 0)) " before "(loop l 0 8 (block " body "))" after " (decl e i64 k)"       \
    " (store m 0 (size e))))"
#define COUNTED(body) IN_LABEL("", body, "")
#define NEXT          "(decl at i64 k) "
#define SET           " (set k (size (at + 1)))"
#define HAS           "(decl v f32 (load a l)) (branch (< v x) "
static void lanes_are_counted(void **state)
{
    (void)state;
    assert_reads(COUNTED(HAS "(block " NEXT SET ") (block))"), "(set k (count_lanes mask");
    assert_reads(COUNTED(HAS "(block " NEXT "(store y at v)" SET ") (block))"),
                 "(store_packed y 0 v mask");
    assert_reads(COUNTED(HAS "(block) (block " NEXT "(store y (at + 2) (load b l))" SET "))"),
                 "(store_packed y 2 (load_where b 0 ");
    // two arrays; the place of the lane itself
    assert_reads(
        COUNTED(HAS "(block " NEXT "(store y at (* v 2.0)) (store z at v)" SET ") (block))"),
        "(store_packed z 0 v mask");
    assert_reads(COUNTED(HAS "(block " NEXT "(store y l (load b at))" SET ") (block))"),
                 "(store_where y 0 (unpacked (load_where b 0 ");
    assert_reads(COUNTED(HAS "(block " NEXT "(store y l (load b at))" SET ") (store y l 0.0))"),
                 "(store y 0 (unpacked (load_where b 0 ");
    // zeros behind them
    assert_reads(COUNTED("(store y l 0.0) " HAS "(block " NEXT "(store y at v)" SET ") (block))"),
                 "(store y 0 (packed v mask");
    // a condition that all lanes share
    assert_reads(
        COUNTED("(branch (< x 0.0) (block " NEXT "(store y at (load a l))" SET ") (block))"),
        "(store y 0 (load a 0 : vec[8]f32))");
#define STAYS(body) assert_reads(COUNTED(body), "(loop l 0 8")
    // an array that is read, or stored twice, also as zero where the counter does not begin there
    STAYS("(decl v f32 (load a l)) (branch (< (load y l) x) (block " NEXT "(store y at v)" SET
          ") (block))");
    STAYS(HAS "(block " NEXT "(store y at v) (store y (at + 1) v)" SET ") (block))");
    STAYS("(store y l 0.0) " HAS "(block " NEXT "(store y (at + 1) v)" SET ") (block))");
    // places that are not next to each other, another step, a counter that is a value
    STAYS(HAS "(block " NEXT "(store y (2*at) v)" SET ") (block))");
    STAYS(HAS "(block " NEXT "(store y at v) (set k (size (at + 2)))) (block))");
    STAYS(HAS "(block " NEXT "(store y at (cast (size at) : f32))" SET ") (block))");
    STAYS(HAS "(block " NEXT "(store y at v)" SET ") (block (store y l 1.0)))");
    // a loop that is left, a local of all rounds
    assert_reads(IN_LABEL("(target out ",
                          "(decl v f32 (load a l)) (branch (== v x) (goto out) (block))"
                          " (branch (< v x) (block " NEXT "(store y at v)" SET ") (block))",
                          ")"),
                 "(loop l 0 8");
    STAYS("(decl v f32 (load a l)) (set s (+ s v)) (branch (< s x) (block " NEXT
          "(store y at v)" SET ") (block))");
    STAYS("(decl i i64 k) " HAS "(block " NEXT "(store y i v)" SET ") (block))");
#undef STAYS
    // in lanes of another loop each counts for itself
    assert_reads("(loops f [n] (a: [n]f32, x: f32) : [n]i64\n"
                 "  (buffers (in a f32 [n]) (in x f32) (out y i64 [n]))\n"
                 "  (block (loop_vector i 4 0 n (block (decl k i64 (size 0)) (loop l 0 8 (branch"
                 " (< (load a i) x) (block " NEXT SET ") (block))) (decl e i64 k)"
                 " (store y i (size e))))))",
                 "(decl k vec[4]i64");
}

// A packed store may spoil what lies behind its lanes where nothing is there yet.
#define FILLING(length, before, body)                                                              \
    "(loops f [n] (a: [n]f32, x: f32) : ([" length "]f32, [n]f32, i64)\n"                          \
    "  (buffers (in a f32 [n]) (in x f32) (out y f32 [" length "]) (out z f32 [n]) (out m i64))\n" \
    "  (block " before " (decl k i64 (size 0)) (loop q 0 n/8 (block " body "))"                    \
    " (loop i 0 n (store z i 0.0)) (decl e i64 k) (store m 0 (size e))))"
#define KEPT(place, rest)                                                                          \
    "(loop l 0 8 (block (decl v f32 (load a (8*q + l))) (branch (< v x) (block " NEXT              \
    "(store y " place " v)" SET ") (block)))) " rest
#define WHOLE_STORE "(store_packed.unchecked y "
static void packed_stores_fill_arrays(void **state)
{
    (void)state;
    assert_reads(FILLING("n", "", KEPT("at", "")), WHOLE_STORE);
    assert_reads(FILLING("n", "(store z 0 1.0)", KEPT("at", "")), WHOLE_STORE);
#define NOT_WHOLE(text) assert_reads(text, "(store_packed y ")
    // no room; another place; something is there
    NOT_WHOLE(FILLING("n - 1", "", KEPT("at", "")));
    NOT_WHOLE(FILLING("n", "", KEPT("(at + 1)", "")));
    NOT_WHOLE(FILLING("n", "(loop i 0 n (store y i 0.0))", KEPT("at", "")));
    // other stores in the loop, a counter that grows by more
    NOT_WHOLE(FILLING("n", "", KEPT("at", "(store y (n - 1) 0.0)")));
    NOT_WHOLE(FILLING("n", "", KEPT("at", "(set k (+ k 1i64))")));
    NOT_WHOLE(FILLING("n", "", KEPT("at", "(set k (* k 2i64))")));
    // an iteration of an outer loop loads what another one has stored
    NOT_WHOLE(
        "(loops f [n, m] (a: [n]f32, x: f32) : [n]f32\n"
        "  (buffers (in a f32 [n]) (in x f32) (out y f32 [n]))\n"
        "  (loop r 0 m (block (decl k i64 (size 0)) (loop q 0 n/8 (block " KEPT("at", "") ")))))");
    // an array of the round itself
    assert_reads("(loops f [n, m] (a: [n]f32, x: f32) : [m]f32\n"
                 "  (buffers (in a f32 [n]) (in x f32) (out z f32 [m]))\n"
                 "  (loop r 0 m (block (alloc.global y f32 n) (decl k i64 (size 0)) (loop q 0 n/8 "
                 "(block " KEPT("at", "") ")) (store z r (load y 0)))))",
                 WHOLE_STORE);
#undef NOT_WHOLE
}

// What lanes take from a vector by numbers that are known are shuffles of it.
#define TAKEN(lanes, body)                                                                         \
    "(loops f [n] (a: [n]f32, k: i64) : [n]f32\n"                                                  \
    "  (buffers (in a f32 [n]) (in k i64) (out y f32 [n]))\n"                                      \
    "  (block (alloc.stack t f32 " lanes ") (loop_vector i " lanes " 0 " lanes                     \
    " (store t i (load a i))) (loop_vector l " lanes " 0 " lanes " (block " body "))))"
static void numbers_of_lanes_are_shuffles(void **state)
{
    (void)state;
#define T "(load t 0 : vec[4]f32)"
    assert_reads(TAKEN("4", "(decl u i64 (^ (size l) 1i64)) (store y l (load t u))"),
                 "(store y 0 (shuffled " T " " T " 1 0 3 2))");
    assert_reads(TAKEN("4", "(store y l (load t (3 - l)))"),
                 "(store y 0 (shuffled " T " " T " 3 2 1 0))");
    // in all lanes, the same lane; no other at all
    assert_reads(TAKEN("4", "(decl u i64 (& (size l) 3i64)) (store y l (load t u))"),
                 "(store y 0 " T ")");
    // what others have is not taken
    assert_reads(TAKEN("4", "(decl u i64 (& (- (size l) 1i64) 3i64))"
                            " (store y l (? (< (size l) 1i64) 0.0 (load t u)))"),
                 "(shuffled (splat 0.0 : vec[4]f32) " T " 0 4 5 6))");
    assert_reads(
        TAKEN("4", "(store y l (? (== (& (size l) 1i64) 0i64) (load a l) (load a (l + 4))))"),
        " : vec[4]f32) 0 5 2 7)");
    assert_reads(TAKEN("4", "(store y l (? (< (size l) 1i64) 0.0 (load t (l - 1))))"),
                 "(shuffled (splat 0.0 : vec[4]f32) " T " 0 4 5 6))");
    // in both sides of a choice by numbers, inside of what is computed
    assert_reads(TAKEN("4", "(decl u i64 (^ (size l) 1i64)) (store y l (? (< (size l) 2i64)"
                            " (min (load a l) (load t u)) (max (load a l) (load t u))))"),
                 "(shuffled " T " " T " 1 0 3 2)) (max");
    // one lane for all
    assert_reads(TAKEN("4", "(store y l (load t 2))"),
                 "(store y 0 (shuffled " T " " T " 2 2 2 2))");
    assert_reads(TAKEN("4", "(store y l (? (< (size l) 1i64) (load t 3) (load a l)))"),
                 "(store y 0 (shuffled " T " (load_where a 0 (! chosen1) : vec[4]f32) 3 5 6 7))");
    // several vectors of the machine, which has 16 floats
    assert_reads(TAKEN("32", "(decl u i64 (^ (size l) 17i64)) (store y l (load t u))"),
                 "(store y 16 (shuffled (load t 0 : vec[16]f32) (load t 0 : vec[16]f32) 1 0 3 2");
    assert_reads(TAKEN("32", "(decl u i64 (& (+ (size l) 1i64) 31i64)) (store y l (load t u))"),
                 "14 15 16))");
    // numbers that are not known, or outside
    assert_reads(TAKEN("4", "(decl u i64 (& (+ (size l) (size k)) 3i64)) (store y l (load t u))"),
                 "(gather_where t u");
    assert_reads(TAKEN("4", "(decl u i64 (* (size l) (size l))) (store y l (load t u))"),
                 "gather_where t u");
#undef T
}

// An array with what follows from the number of the lane is that: lanes are not fewer for its type,
// and choices by it are shuffles.
static void arrays_of_numbers_of_lanes_are_these(void **state)
{
    (void)state;
#define NUMBERS(stores)                                                                            \
    "(alloc.stack z i64 16) (loop_vector j 16 0 16 (store z j (size j)))" stores                   \
    "(loop_vector m 16 0 16 (store y m (? (< (load z m) 2i64) (load a m) (load t m))))"
    assert_computes(TAKEN("16", NUMBERS("")), "(load t 0 : vec[16]f32) 0 1 18 19");
    assert_computes(TAKEN("16", NUMBERS("(store z 3 7i64)")), "load z");
#undef NUMBERS
}
#undef TAKEN

// A vector of indices that are consecutive is an access to a whole vector, whatever the first index
// is; backwards the vector is reversed.
static void consecutive_indices_are_vectors(void **state)
{
    (void)state;
#define AT(value, use)                                                                             \
    HEADER "(block (decl b i64 (load h 0)) (alloc.stack z i64 4)"                                  \
           " (loop_vector l 4 0 4 (store z l " value "))"                                          \
           " (loop_vector m 4 0 4 (block (decl k i64 (load z m))"                                  \
           " (require E0601 (& (<= (size 0) (size k)) (< (size k) (size n)))) " use "))))"
    assert_computes(AT("(+ (size l) b)", "(store y m (load a k))"),
                    "(store y 0 (load a z1 : vec[4]f32))");
    assert_computes(AT("(+ (size l) b)", "(store y k (load a m))"),
                    "(store y z1 (load a 0 : vec[4]f32))");
    assert_computes(AT("(- b (size l))", "(store y m (load a k))"),
                    "(store y 0 (shuffled (load a (z1 - 3) : vec[4]f32)");
    assert_computes(AT("(- b (size l))", "(store y k (load a m))"),
                    "(store y (z1 - 3) (shuffled (load a 0 : vec[4]f32)");
    assert_computes(AT("(+ (size l) b)", "(branch (< (load a m) s) (store y k s) (block))"),
                    "(store_where y z1 (splat s : vec[4]f32) mask1)");
    assert_computes(AT("(- b (size l))", "(branch (< (load a m) s) (store y k s) (block))"),
                    "(store_where y (z1 - 3) (shuffled (splat s");
    // an index that is not consecutive, or that is stored elsewhere too
    assert_computes(AT("(* (size l) b)", "(store y m (load a k))"), "gather_where a");
    assert_computes(AT("(+ (size l) b)", "(store z m b) (store y m (load a k))"), "gather_where a");
    // a base that is assigned has another value at the load
    assert_computes(HEADER "(block (decl b i64 (load h 0)) (alloc.stack z i64 4)"
                           " (loop_vector l 4 0 4 (store z l (+ (size l) b))) (set b 3i64)"
                           " (loop_vector m 4 0 4 (store y m (cast (load z m) : f32)))))",
                    "(load z 0 : vec[4]i64)");
#undef AT
}

// Lanes before or after some index are compared in numbers as narrow as the elements.
static void comparisons_of_lanes_are_narrow(void **state)
{
    (void)state;
#define WHERE(condition)                                                                           \
    "(loops f [n] (a: [n]i8, b: i64) : [n]i8 (buffers (in a i8 [n]) (in b i64) (out y i8 [n]))"    \
    " (loop_vector i 64 0 64 (block (decl k i64 (+ (size i) (size b)))"                            \
    " (store y i (? " condition " (load a i) 1i8)))))"
    assert_reads(WHERE("(< (size i) (size n))"),
                 "(< (cast (iota : vec[64]i64) : vec[64]i8) (splat (cast (size min(n, 64)) : i8)");
    assert_reads(WHERE("(<= (size n) (size i))"),
                 "(>= (cast (iota : vec[64]i64) : vec[64]i8) (splat (cast (size min(n, 64)) : i8)");
    assert_reads(WHERE("(> (size (n - i)) (size 3))"),
                 "(< (cast (iota : vec[64]i64) : vec[64]i8) (splat (cast (size");
    assert_reads(WHERE("(< k (size n))"), "(? chosen1 (load_where a 0 chosen1 : vec[64]i8)");
    // a bound that may be negative, so that lanes in which the sum wraps are not known to be below
    assert_reads(WHERE("(< k (size b))"), "(load_where a i chosen1 : vec[8]i8)");
#undef WHERE
}

// Integers of at most 32 bits are compared with sizes, and select elements, as i32.
static void narrow_indices_are_i32(void **state)
{
    (void)state;
#define OF(type, condition, at)                                                                    \
    "(loops f [n, m] (a: [n]f32, k: [16]" type ", b: i64) : [16]f32 (checks (0 <= n) (0 <= m))"    \
    " (buffers (in a f32 [n]) (in k " type " [16]) (in b i64) (out y f32 [16]))"                   \
    " (loop_vector i 16 0 16 (block (decl j i64 (cast (load k i) : i64))"                          \
    " (require E0601 " condition ") (store y i (load a " at ")))))"
    assert_reads(OF("i32", "(< (size j) (size n))", "j"),
                 "(any_lane (> j1 (splat (cast (size (min(n, 2147483648) - 1)) : i32)");
    assert_reads(OF("i32", "(<= (size j) (size n))", "j"),
                 "(any_lane (> j1 (splat (cast (size min(n, 2147483647)) : i32)");
    assert_reads(OF("i32", "(<= (size 0) (size j))", "j"),
                 "(any_lane (< j1 (splat 0 : vec[16]i32)");
    assert_reads(OF("u8", "(> (size n) (size (j + 3)))", "j"),
                 "(> (cast j1 : vec[16]i32) (splat (cast (size (min(n - 3, 2147483648) - 1))");
    assert_reads(OF("i16", "(< (size (j - 2)) (size n))", "j"),
                 "(splat (cast (size (min(min(n, 2147483648) + 2, 2147483648) - 1)) : i32)");
    // 64 bits: u32, any number, and a bound that no i32 represents
    assert_reads(OF("u32", "(< (size j) (size n))", "j"), "vec[8]i64");
    assert_reads(OF("i32", "(< (size j) (size b))", "j"), "vec[8]i64");
    assert_reads(OF("i32", "(< (size j) -2147483649i64)", "j"), "vec[8]i64");
    // positions
    assert_reads(OF("i32", "true", "(j + n)"),
                 "(+ (cast j1 : vec[16]i64) (splat (size n) : vec[16]i64))");
    assert_reads(OF("u16", "true", "(3*j + 1)"),
                 "(+ (* (cast (cast j1 : vec[16]i32) : vec[16]i64) (splat (size 3) : vec[16]i64))");
    assert_reads(OF("i32", "true", "(m*j + 1)"), "(splat (size m) : vec[16]i64)");
#undef OF
}

// The widest element counts. Both sides of a branch store to the same places, also in another
// order; not so where one has to do with what the other stores.
#define BESIDE(body)                                                                               \
    HEADER "(block (alloc.stack z f32 16) (loop_vector i 2 0 16 " body                             \
           ") (loop k 0 16 (store y k (load z k)))))"
static void stores_of_both_sides_are_one(void **state)
{
    (void)state;
    assert_becomes(
        BESIDE("(branch (< (load a i) s) (block (store y i 1.0) (store z i 2.0))"
               " (block (store z i 3.0) (store y i s)))"),
        HEADER "(block\n"
               "    (alloc.stack z f32 16)\n"
               "    (loop_by i 2 0 16\n"
               "      (block\n"
               "        (decl mask1 vec[2]bool (< (load a i : vec[2]f32) (splat s : vec[2]f32)))\n"
               "        (store z i (? (! mask1) (splat 3.0 : vec[2]f32) (splat 2.0 : vec[2]f32)))\n"
               "        (store y i (? (! mask1) (splat s : vec[2]f32) (splat 1.0 : vec[2]f32)))))\n"
               "    (loop k 0 16 (store y k (load z k)))))\n");
    assert_becomes(
        BESIDE("(branch (< (load a i) s) (block (store y i (load z i)) (store z i 2.0))"
               " (store y i s))"),
        HEADER "(block\n"
               "    (alloc.stack z f32 16)\n"
               "    (loop_by i 2 0 16\n"
               "      (block\n"
               "        (decl mask1 vec[2]bool (< (load a i : vec[2]f32) (splat s : vec[2]f32)))\n"
               "        (store_where y i (load z i : vec[2]f32) mask1)\n"
               "        (store_where z i (splat 2.0 : vec[2]f32) mask1)\n"
               "        (store_where y i (splat s : vec[2]f32) (! mask1))))\n"
               "    (loop k 0 16 (store y k (load z k)))))\n");
}

// A whole vector of a stack array is loaded where it lies in the array, whatever lanes are active.
static void stack_arrays_need_no_mask(void **state)
{
    (void)state;
    assert_becomes(
        BESIDE("(branch (< (load a i) s) (store y i (load z i)) (block))"),
        HEADER "(block\n"
               "    (alloc.stack z f32 16)\n"
               "    (loop_by i 2 0 16\n"
               "      (block\n"
               "        (decl mask1 vec[2]bool (< (load a i : vec[2]f32) (splat s : vec[2]f32)))\n"
               "        (store_where y i (load z i : vec[2]f32) mask1)))\n"
               "    (loop k 0 16 (store y k (load z k)))))\n");
    assert_becomes(
        BESIDE("(branch (< (load a i) s) (store y i (load z (i + 1))) (block))"),
        HEADER "(block\n"
               "    (alloc.stack z f32 16)\n"
               "    (loop_by i 2 0 16\n"
               "      (block\n"
               "        (decl mask1 vec[2]bool (< (load a i : vec[2]f32) (splat s : vec[2]f32)))\n"
               "        (store_where y i (load_where z (i + 1) mask1 : vec[2]f32) mask1)))\n"
               "    (loop k 0 16 (store y k (load z k)))))\n");
}

// What becomes of a loop over n lanes of four bytes has `some`, and has not `other`.
static void assert_has(const char *body, const char *some, const char *other)
{
    Session *cx = session_new();
    nat_init(cx);
    cx->vector_bytes = 32;
    const char *text = arena_printf(cx->arena, HEADER "(loop_vector i 8 0 n (block %s)))", body);
    LoopEntry *e = read_loops(cx, text);
    loops_check(cx, e);
    e = loops_vectorise(cx, e);
    loops_check(cx, e);
    Text out = text_new(cx->arena);
    loops_print(cx, &out, e);
    const char *done = flat(cx->arena, text_get(&out));
    if (!strstr(done, some)) fail_msg("no %s in %s", some, done);
    if (other && strstr(done, other)) fail_msg("%s in %s", other, done);
    session_delete(cx);
}

// The lanes behind the last element may store to arrays of their own; not those that a branch
// leaves out.
static void own_arrays_need_no_mask(void **state)
{
    (void)state;
    const char *fill = "(alloc.stack t f32 3) (loop k 0 3 (store t k (* s (load a i)))) ";
    Arena *arena = arena_new();
    assert_has(arena_printf(arena, "%s (store y i (load t 2))", fill), "(store_where y",
               "_where t");
    assert_has(arena_printf(arena, "%s (store y i (load t 2))", fill),
               "(store_where y 8*(n/8) (load t1 16 : vec[8]f32) there11)", NULL);
    assert_has(arena_printf(arena,
                            "%s (branch (< (load a i) s) (store t 1 s) (block))"
                            " (store y i (load t 2))",
                            fill),
               "(store_where t", NULL);
    assert_has(arena_printf(
                   arena, "%s (decl p i64 (load h i)) (store t p s) (store y i (load t 2))", fill),
               "(scatter_where t", NULL);
    arena_delete(arena);
}

// An index that lanes count on from stays a scalar, and so it halves no vectors.
static void linear_locals_have_no_width(void **state)
{
    (void)state;
    assert_has("(decl k i64 (size (i + 3))) (store y i (load y k))",
               "(store y i (load y k : vec[8]f32))", NULL);
    assert_has("(decl k i64 (size (i + 3))) (store y i (cast (* (size k) (size k)) : f32))",
               "vec[4]i64", "vec[8]");
}

static void vectors_are_those_of_the_machine(void **state)
{
    (void)state;
    assert_becomes_of(
        16, LANES("8", "8", "(store y i (load a i))"),
        HEADER "(block (store y 0 (load a 0 : vec[4]f32)) (store y 4 (load a 4 : vec[4]f32))))\n");
    assert_becomes_of(
        16, LANES("8", "n", "(store y i (cast (load h i) : f32))"),
        HEADER "(block\n"
               "    (loop_by i 2 0 2*(n/2) (store y i (cast (load h i : vec[2]i64) : vec[2]f32)))\n"
               "    (loop i1 2*(n/2) n (store y i1 (cast (load h i1) : f32)))))\n");
    assert_becomes_of(
        64, LANES("16", "n", "(store y i (* s (cast (size i) : f32)))"),
        HEADER
        "(block\n"
        "    (loop_by i 16 0 16*(n/16)\n"
        "      (store y i\n"
        "        (*\n"
        "          (splat s : vec[16]f32)\n"
        "          (cast (+ (splat (size i) : vec[16]i64) (iota : vec[16]i64)) : vec[16]f32))))\n"
        "    (branch\n"
        "      (< (size 16*(n/16)) (size n))\n"
        "      (block\n"
        "        (decl there11 vec[16]bool\n"
        "          (<\n"
        "            (cast (iota : vec[16]i64) : vec[16]i32)\n"
        "            (splat (cast (size (n - 16*(n/16))) : i32) : vec[16]i32)))\n"
        "        (store_where y 16*(n/16)\n"
        "          (*\n"
        "            (splat s : vec[16]f32)\n"
        "            (cast (+ (splat (size 16*(n/16)) : vec[16]i64) (iota : vec[16]i64)) : "
        "vec[16]f32))\n"
        "          there11))\n"
        "      (block))))\n");
    assert_becomes_of(0, LANES("4", "4", "(store y i s)"),
                      HEADER "(loop_vector i 4 0 4 (store y i s)))\n");
}

// Functions of C's library are those of a library of vectors, or done lane by lane: but not in
// lanes that do not come there, where they get 1.
static void functions_are_on_vectors(void **state)
{
    (void)state;
    static const char *const some =
        LANES("4", "4",
              "(decl x f32 (load a i)) (decl v f32 0.0) (branch (< x s) (set v (pow x s)) (block))"
              " (store y i v)");
    assert_becomes(LANES("4", "4", "(store y i (exp (floor (load a i))))"),
                   HEADER "(store y 0 (exp (floor (load a 0 : vec[4]f32)))))\n");
    Session *cx = session_new();
    nat_init(cx);
    assert_non_null(strstr(show(cx, loops_vectorise(cx, read_loops(cx, some))),
                           "(pow (? mask1 x (splat 1.0 : vec[4]f32)) (splat s : vec[4]f32))"));
    assert_null(strstr(show(cx, loops_vectorise(cx, read_loops(cx, some))), "loop_vector"));
    cx->exact_math = true;
    assert_non_null(strstr(show(cx, loops_vectorise(cx, read_loops(cx, some))), "loop_vector"));
    cx->exact_math = false;
    cx->cpu = cpu_named("aarch64");
    assert_non_null(strstr(show(cx, loops_vectorise(cx, read_loops(cx, some))), "loop_vector"));
    session_delete(cx);
}

static void what_cannot_be_vectors_stays(void **state)
{
    (void)state;
    assert_stays(LANES("3", "n", "(store y i s)"));   // no such vectors
    assert_stays(LANES("8", "7", "(store y i s)"));   // fewer than a vector
    assert_stays(LANES("4", "n", "(store y 0 s)"));   // all to one element
    assert_stays(LANES("4", "8", "(store y 2*i s)")); // steps of two
    assert_stays(LANES("4", "n", "(store y i (load a 2*i))"));
    assert_stays(LANES("4", "n", "(store y i (load a (i*i)))"));
    assert_stays(LANES("4", "n", "(decl j i64 (load h i)) (store y i (load a j))")); // by index
    // the element of another lane
    assert_stays(LANES("4", "n", "(store y i (load y (i + 1)))"));
    assert_stays(LANES("4", "n", "(store y i (load y 0))"));
    // one element, of other values
    assert_stays(LANES("4", "n", "(store y 0 (* s (load a i)))"));
    // what vectors do not do, what may fail
    assert_stays(LANES("4", "n", "(store y i (% (load a i) s))"));
    assert_stays(LANES("4", "n", "(store y i (cast (/ (load h i) (max 1i64 (load h i))) : f32))"));
    // an array that is stored to element by element
    assert_stays(
        HEADER
        "(block (alloc.stack t f32 4) (store t 0 s) (store t 1 s) (store t 2 s) (store t 3 s)"
        " (loop_vector i 4 0 4 (store y i (load t i)))))");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lanes_become_vectors),
        cmocka_unit_test(gathers_share_positions),
        cmocka_unit_test(rows_are_loaded_whole),
        cmocka_unit_test(counters_of_loops_are_the_same_in_all_lanes),
        cmocka_unit_test(first_parts_of_all_lanes_are_ways_out),
        cmocka_unit_test(counters_that_are_no_place_stay),
        cmocka_unit_test(rest_has_a_mask_where_it_pays),
        cmocka_unit_test(a_local_array_is_updated_in_registers),
        cmocka_unit_test(conditions_of_all_lanes_are_one),
        cmocka_unit_test(lanes_are_bits),
        cmocka_unit_test(lanes_are_counted),
        cmocka_unit_test(packed_stores_fill_arrays),
        cmocka_unit_test(numbers_of_lanes_are_shuffles),
        cmocka_unit_test(arrays_of_numbers_of_lanes_are_these),
        cmocka_unit_test(consecutive_indices_are_vectors),
        cmocka_unit_test(comparisons_of_lanes_are_narrow),
        cmocka_unit_test(narrow_indices_are_i32),
        cmocka_unit_test(stores_of_both_sides_are_one),
        cmocka_unit_test(stack_arrays_need_no_mask),
        cmocka_unit_test(own_arrays_need_no_mask),
        cmocka_unit_test(linear_locals_have_no_width),
        cmocka_unit_test(vectors_are_those_of_the_machine),
        cmocka_unit_test(functions_are_on_vectors),
        cmocka_unit_test(what_cannot_be_vectors_stays)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
