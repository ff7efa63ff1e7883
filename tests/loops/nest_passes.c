// What single passes do with nests of loops: they are fused, divided, reordered, and put on threads where
// there is work for them.
#include "loops/after.h"

#define TWO_LOOPS(first, from, second)                                                             \
    "(alloc.global t i32 n) (decl p i32 0) (loop i 0 n (block (store t i (* 3 (load a i))) " first \
    ")) (decl q i32 0) (loop j " from " n " second                                                 \
    ") (store r 0 1i64) (store s 0 (+ (+ p q) (load t 0)))"

static void loops_become_one(void **state)
{
    (void)state;
    const char *second = "(loop j";
    expect(AFTER_fuse, TWO_LOOPS("(set p (+ p (load a i)))", "0", "(set q (max q (load a j)))"),
           "(set p (+ p (load a i))) (set q (max q (load a i)))", second);
    // the element that was stored in the same round, and another one
    expect(AFTER_fuse, TWO_LOOPS("", "0", "(set q (+ (load t j) (load a j)))"),
           "(set q (+ (load t i) (load a i)))", second);
    expect(AFTER_fuse, TWO_LOOPS("", "0", "(set q (+ (load t (n - j - 1)) (load a j)))"), second,
           NULL);
    // another range; a sum that is needed first; nothing that both read
    expect(AFTER_fuse, TWO_LOOPS("(set p (+ p (load a i)))", "1", "(set q (max q (load a j)))"),
           second, NULL);
    expect(AFTER_fuse, TWO_LOOPS("(set p (+ p (load a i)))", "0", "(set q (+ p (load a j)))"),
           second, NULL);
    expect(AFTER_fuse, TWO_LOOPS("", "0", "(set q (+ q (load t j)))"), second, NULL);
    // what the first only stores, the second changes; also where it stores it again before, or
    // reads it twice, but not another element
#define CONTINUED(value, second)                                                                   \
    "(alloc.global t i32 n) (loop i 0 n (store t i " value ")) (loop j 0 n " second                \
    ") (store r 0 1i64) (store s 0 (load t 0))"
    expect(AFTER_fuse, CONTINUED("(load a i)", "(store t j (* (load t j) (load t j)))"),
           "(store t i (* (load a i) (load a i)))", "(store t i (load a i))");
    expect(AFTER_fuse, CONTINUED("(* 3 (load a i))", "(store t j (+ (load t j) 1))"),
           "(store t i (+ (* 3 (load a i)) 1))", second);
    expect(AFTER_fuse, CONTINUED("(* 3 (load a i))", "(store t j (* (load t j) (load t j)))"),
           "(store t i (* 3 (load a i))) (store t i (* (load t i) (load t i)))", second);
    expect(AFTER_fuse,
           CONTINUED("(load a i)",
                     "(block (branch (> (load a j) 3) (store t j 1) (block)) (store t j (+ (load t "
                     "j) 1)))"),
           "(store t i (load a i)) (branch", second);
    expect(AFTER_fuse, CONTINUED("(load a i)", "(store t j (load t (n - j - 1)))"), second, NULL);
    expect(AFTER_fuse, CONTINUED("(load a i)", "(store t (n - j - 1) (load a j))"), second, NULL);
#undef CONTINUED
    // a running sum and a short loop over it, but not a long one, or one of another element; each of
    // two arrays that have the sum
#define SCANNED(second)                                                                            \
    "(alloc.global t i32 n) (alloc.global u i32 n) (decl p i32 0) (loop i 0 n (block (set p (+ p " \
    "(load a i))) (store t i p) (store u i p))) (loop j 0 n " second                               \
    ") (store r 0 1i64) (store s 0 (+ (load t 0) (load u 0)))"
    expect(AFTER_fuse, SCANNED("(store t j (* (load t j) (load u j)))"),
           "(store u i p) (store t i (* p p))", second);
    expect(AFTER_fuse, SCANNED("(store u j (/ (load t j) 3))"), "(store u i (/ p 3))", second);
    expect(AFTER_fuse, SCANNED("(store t j (/ 3 (load t j)))"), second, NULL);
    expect(AFTER_fuse, SCANNED("(store t j (load u (n - j - 1)))"), second, NULL);
#undef SCANNED
    // stores to elements that are still to be read
    expect(
        AFTER_fuse,
        "(alloc.global t i32 n) (loop i 0 n (store t i (load a i))) (decl p i32 0) (loop i1 0 n "
        "(set p (+ p (+ (load t (n - i1 - 1)) (load a i1))))) (loop j 0 n (store t j (load a j)))"
        "(store r 0 1i64) (store s 0 (+ p (load t 0)))",
        second, NULL);
}

// Loops with statements between them.
static void loops_move_together(void **state)
{
    (void)state;
    const char *second = "(loop j", *one = "(set p (+ p (load a i))) (set q (max q (load a i)))";
#define WITH_BETWEEN(between, k)                                                                   \
    "(decl p i32 0) (decl x i32 5) (loop i 0 n (set p (+ p (load a i)))) " between                 \
    " (decl q i32 0) (loop j 0 n (set q (max q " k                                                 \
    "))) (store r 0 1i64) (store s 0 (+ (+ p q) x))"
    expect(AFTER_fuse, WITH_BETWEEN("(set x p) (store r 0 2i64)", "(load a j)"), one, second);
    // the second loop needs the statement, which does not need the first one
    expect(AFTER_fuse, WITH_BETWEEN("(set x 7)", "(+ x (load a j))"),
           "(set x 7) (decl q i32 0) (loop i 0 n (block (set p", second);
    // the statement needs the first loop
    expect(AFTER_fuse, WITH_BETWEEN("(set x p)", "(+ x (load a j))"), second, NULL);
    expect(AFTER_fuse, WITH_BETWEEN("(decl y i32 p) (set x (* 2 y))", "(+ x (load a j))"), second,
           NULL);
    // a check may be what makes the second loop valid
    expect(AFTER_fuse, WITH_BETWEEN("(require E0601 (< (load a 0) 7))", "(load a j)"), second,
           NULL);
    // another loop
    expect(AFTER_fuse, WITH_BETWEEN("(loop l 1 n (set x (+ x (load a l))))", "(load a j)"), one,
           second);
#undef WITH_BETWEEN
    // an array that would need memory while the first loop runs
    expect(
        AFTER_fuse,
        "(decl p i32 0) (alloc.global t i32 n) (loop i 0 n (set p (+ p (load a i)))) "
        "(store r 0 2i64) (loop j 0 n (store t j (* 3 (load a j)))) (store s 0 (+ p (load t 0)))",
        second, NULL);
#define BRANCHES(between, condition)                                                               \
    "(decl p i32 0) (decl q i32 0) (decl x i32 (load a 1)) (branch (< x 9) (loop i 0 n (set p (+ " \
    "p (load "                                                                                     \
    "a i)))) (set p 7)) " between " (branch " condition                                            \
    " (loop j 0 n (set q (max q (load a j)))) (set q 8)) (store r 0 1i64) (store s 0 (+ p q))"
    expect(AFTER_fuse, BRANCHES("(store r 0 2i64)", "(< x 9)"), one, second);
    expect(AFTER_fuse, BRANCHES("(store r 0 2i64)", "(< x 9)"), "(block (set p 7) (set q 8))",
           NULL);
    expect(AFTER_fuse, BRANCHES("(store r 0 2i64)", "(< x 8)"), second, NULL);
    expect(AFTER_fuse, BRANCHES("(set x p)", "(< x 9)"), second, NULL);
#undef BRANCHES
}

// What becomes of a loop that computes the rows of t, and a statement after it.
static void expect_stages(const char *first, const char *rest, const char *some, const char *other)
{
    Arena *arena = arena_new();
    const char *text =
        "(loops f [n, m] (a: [n + 2][m]i32) : [n][m]i32 (buffers (in a i32 [n + 2, m])"
        " (out r i32 [n, m])) (block (alloc.global t i32 (n*m + 2*m)) %s %s))";
    expect_of(AFTER_fuse_stages, arena_printf(arena, text, first, rest), some, other);
    arena_delete(arena);
}

static void stages_become_one(void **state)
{
    (void)state;
    const char *first = "(loop i 0 (n + 2) (loop j 0 m (store t (i*m + j) (load a (i*m + j)))))";
    const char *second = "(loop x 0 n";
#define ROWS(kind, value) "(" kind " n (loop y 0 m (store r (x*m + y) " value ")))"
#define WINDOW            "(- (load t (x*m + y)) (load t (x*m + y + 2*m)))"
    expect_stages(first, ROWS("loop x 0", WINDOW), "(alloc.global t i32 m*min(n + 2, 3))", second);
    expect_stages(first, ROWS("loop x 0", WINDOW),
                  "(branch (<= (size 0) (size (i1 - 2))) (loop y 0 m (store r (i1*m + y - 2*m) (- "
                  "(load t (m*((i1 + 1) % 3) + y)) (load t (m*(i1 % 3) + y)))))",
                  second);
    // clamped rows, the first of them two behind; in any order, in strips of 32 rows
    expect_stages(first, ROWS("loop x 0", "(load t (m*max(x - 2, 0) + y))"),
                  "(alloc.global t i32 m*min(n + 2, 3))", second);
    expect_stages(first, ROWS("loop_parallel x 0 0", "(load t (x*m + y + m))"),
                  "(loop_parallel strip1 0 0 (n + 31)/32 (block (alloc.global t i32 2*m) (loop i1 "
                  "32*strip1 (min(n, 32*strip1 + 32) + 1)",
                  first);
    // from the last row to the first; every second row; the rows at the other end; not whole rows
    expect_stages(first, ROWS("loop x 0", "(load t (n*m - x*m + y))"), second, NULL);
    expect_stages(first, ROWS("loop x 0", "(load t (m*min(2*x, n) + y))"), second, NULL);
    expect_stages(first, ROWS("loop x 0", "(load t (m*((x + 1) % n) + y))"), second, NULL);
    expect_stages(first, ROWS("loop x 0", "(load t (x*m + y + 1))"), second, NULL);
    // the rows depend on each other; others read them, or write them again
#define PLAIN ROWS("loop x 0", "(load t (x*m + y + m))")
    expect_stages("(loop i 1 (n + 2) (loop j 0 m (store t (i*m + j) (load t (i*m + j - m)))))",
                  PLAIN, second, NULL);
    expect_stages(first, "(loop h 0 n (store r h (load t h)))" PLAIN, second, NULL);
    expect_stages(first, "(loop h 0 m (store t h 4))" PLAIN, second, NULL);
    // the first loop reads what is not written afterwards, what is, and what the second one writes
#define READING                                                                                    \
    "(alloc.global s i32 m) (loop h 0 m (store s h (load a h)))"                                   \
    "(loop i 0 (n + 2) (loop j 0 m (store t (i*m + j) (load s j))))"
    expect_stages(READING, PLAIN, "(alloc.global t i32 2*m)", second);
    expect_stages(READING, "(store s 0 7)" PLAIN, second, NULL);
    expect_stages("(loop i 0 n (loop j 0 m (store t (i*m + j) (load r (n*m - i*m + j - m)))))",
                  ROWS("loop x 0", "(load t (x*m + y))"), second, NULL);
#undef READING
#undef PLAIN
#undef WINDOW
#undef ROWS
}

static void tables_are_unrolled(void **state)
{
    (void)state;
    const char *table = "(alloc.stack w i32 3) (store w 0 1) (store w 1 5) (store w 2 9)";
    Arena *arena = arena_new();
    expect(AFTER_unroll,
           arena_printf(arena,
                        "%s (decl p i32 0) (loop j 0 3 (set p (+ p (* p (load w j))))) "
                        "(store r 0 0i64) (store s 0 p)",
                        table),
           "(set p (+ p (* p 9)))", "loop");
    // another one is written to
    expect(AFTER_unroll,
           "(alloc.stack w i32 4) (store w 0 1) (store w 1 5) (store w 2 9) (store w 3 4)"
           " (decl p i32 0) (loop j 0 4 (block (set p (+ p (load w j))) (store w 1 p)))"
           " (store r 0 0i64) (store s 0 p)",
           "loop", NULL);
    expect(AFTER_unroll,
           "(decl p i32 0) (loop.unroll j 0 3 (set p (+ (* p 2) (cast (size j) : i32)))) "
           "(store r 0 0i64) (store s 0 p)",
           "(set p (+ (* p 2) 2))", "loop");
    arena_delete(arena);
}

// What is asked of an index splits the loop, also under a name; a part with one iteration is a branch.
static void borders_leave_loops(void **state)
{
    (void)state;
    static const char border[] =
        "(decl p i32 0) (loop j 0 n (block (decl inside bool (>= (size j) 1i64))"
        " (set p (* (+ p (? inside (load a (j - 1)) 7)) (? (< (size (j + 2)) (size (n + 1)))"
        " (load a (j + 1)) 5))))) (store r 0 0i64) (store s 0 p)";
    expect(AFTER_index_set_split, border, "(loop j2 1 (n - 1)", NULL);
    expect(AFTER_index_set_split, border, "(branch (< (size 1) (size n))", "inside");
    // the first and the last index
    expect(AFTER_index_set_split,
           "(decl p i32 0) (loop j 0 n (set p (? (== (size j) 0i64) 3 (? (!= (size j) (size (n - "
           "1))) (+ p (load a j)) 5)))) (store r 0 0i64) (store s 0 p)",
           "(loop j2 1 (n - 1) (set p (+ p (load a j2))))", "==");
    expect(AFTER_simplify,
           "(decl p i32 0) (loop j 0 n (branch (< (size (j + n + 2)) (size (2*n + 1)))"
           " (set p (+ p 1)) (block))) (store r 0 0i64) (store s 0 p)",
           "(branch (< (size (j + 1)) (size n))", NULL);
    // of loops in any order as well, which stay that
    static const char left[] = "(alloc.global t i32 n) (%s (store t j (? (< (size j) (size 3)) 7"
                               " (load a (j - 3))))) (store r 0 0i64) (store s 0 (load t 0))";
    Arena *arena = arena_new();
    expect(AFTER_index_set_split, arena_printf(arena, left, "loop_parallel j 0 0 n"),
           "(loop_parallel j2 0 3 n (store t j2 (load a (j2 - 3))))", "size 3");
    expect(AFTER_index_set_split, arena_printf(arena, left, "loop_parallel j 0 0 n"),
           "(loop j1 0 min(n, 3) (store t j1 7))", NULL); // too few for threads
    expect(AFTER_index_set_split, arena_printf(arena, left, "loop_vector j 4 0 n"),
           "(loop_vector j2 4 3 n (store t j2 (load a (j2 - 3))))", "size 3");
    arena_delete(arena);
}

// Sums down columns go over rows; sums along rows, and those of which something is stored and read, stay.
static void columns_are_read_by_rows(void **state)
{
    (void)state;
#define SUM(position, behind)                                                                      \
    "(alloc.global t i32 n) (loop j 0 n (block (decl p i32 0) (loop i 0 n (set p (+ p (load "      \
    "a " position "))))" behind ")) (store r 0 0i64) (store s 0 (load t 0))"
    expect(AFTER_interchange, SUM("(i*n + j)%n", "(store t j p)"), NULL, "alloc.stack");
    expect(AFTER_interchange, SUM("(i*n + j)", "(store t j p)"), "(alloc.stack p1 i32 2048)", NULL);
    expect(AFTER_interchange, SUM("(i*n + j)", "(store t j (+ p (load t j)))"), "alloc.stack",
           NULL);
    expect(AFTER_interchange, SUM("(j*n + i)", "(store t j p)"), NULL, "alloc.stack");
    expect(AFTER_interchange, SUM("(i*n + 2*j)", "(store t j p)"), NULL, "alloc.stack");
    // the last part of the body keeps its order
    expect(AFTER_interchange, SUM("(i*n + j)", "(store t j (+ p (load t (n - j))))"), "alloc.stack",
           NULL);
#undef SUM
    // an element of the column that has a name is loaded for each row
#define NAMED(value, between)                                                                      \
    "(alloc.global t i32 n) (loop j 0 n (block (decl m i32 " value ") (decl p i32 0) (loop i 0 n"  \
    " (block (set p (+ p (* m (load a (i*n + j)))))" between "))"                                  \
    " (store t j (+ m p)))) (store r 0 0i64) (store s 0 (load t 0))"
    expect(AFTER_interchange, NAMED("(load a j)", ""),
           "(set p4 (+ p4 (* (load a (2048*block1 + j31)) (load a (i*n + 2048*block1 + j31)))))",
           NULL);
    expect(AFTER_interchange, NAMED("(* 2 (load a j))", ""), "(alloc.stack m1 i32 2048)", NULL);
    expect(AFTER_interchange, NAMED("(load a j)", " (set m (+ m p))"), "(alloc.stack m1 i32 2048)",
           NULL);
    expect(AFTER_interchange, NAMED("(load t j)", ""), "(decl m2 i32 (load t ", NULL);
    expect(AFTER_interchange, NAMED("(load t (n - j))", ""), NULL, "alloc.stack");
#undef NAMED
    // two loops with such sums stay apart, also if they read the same array
#define TWICE(index)                                                                               \
    "(alloc.global t i32 n) (alloc.global u i32 n) (loop j 0 n (block (decl p i32 0) (loop i 0 n"  \
    " (set p (+ p (load a (" index "))))) (store t j p))) (loop y 0 n (block (decl q i32 1)"       \
    " (loop i1 0 n (set q (* q (load a (i1*n + y))))) (store u y q))) (store r 0 0i64)"            \
    " (store s 0 (+ (load t 0) (load u 0)))"
    expect(AFTER_fuse, TWICE("i*n + j"), "(loop y 0 n", NULL);
#undef TWICE
    // a sum that begins with another one
    expect(AFTER_interchange,
           "(alloc.global t i32 n) (loop j 0 n (block (decl p i32 (load a j)) (decl q i32 (* 3 p))"
           " (loop i 0 n (block (set p (+ p (load a (i*n + j)))) (set q (- q p))))"
           " (store t j (+ p q)))) (store r 0 0i64) (store s 0 (load t 0))",
           "(decl q2 i32 (* 3 p2))", NULL);
}

// Scans and recurrences down columns go over rows, where each column has its own elements.
static void columns_are_written_by_rows(void **state)
{
    (void)state;
#define SCAN(inits, loop, step, behind)                                                            \
    "(alloc.global t i32 n*n) (loop j 0 n (block " inits "(" loop " i 0 n (block " step            \
    "))" behind ")) (store r 0 0i64) (store s 0 (load t 0))"
#define SUM           "(set p (+ p (load a (i*n + j))))"
#define STORED(value) "(store t (i*n + j) " value ")"
    // the row before has the sums
    static const char before[] = "(load t (i2*n + j21 - n))";
    expect(AFTER_interchange, SCAN("(decl p i32 7)", "loop", SUM STORED("p"), ""), before,
           "alloc.stack");
    expect(AFTER_interchange, SCAN("(decl p i32 7)", "loop", SUM STORED("p"), ""),
           "(branch (< (size 0) (size n))", NULL);
    // from the last row to the first
    expect(AFTER_interchange,
           SCAN("(decl p i32 7)", "loop",
                "(set p (+ p (load a (n*n - n - i*n + j)))) (store t (n*n - n - i*n + j) p)", ""),
           "(decl p111 i32 (load t (n*n + j21 - i2*n)))", "alloc.stack");
    // it has not: another value is stored, or one before the last; the sum is needed later
    static const char array[] = "(alloc.stack p1 i32 2048)";
    expect(AFTER_interchange, SCAN("(decl p i32 7)", "loop", SUM STORED("(* 2 p)"), ""), array,
           NULL);
    expect(AFTER_interchange, SCAN("(decl p i32 7)", "loop", STORED("p") SUM, ""), array, NULL);
    expect(AFTER_interchange,
           SCAN("(decl p i32 7)", "loop", SUM STORED("p"), "(store t j (+ p 1))"), array, NULL);
    // a recurrence in memory
    expect(AFTER_interchange,
           SCAN("", "loop", STORED("(+ (load t (i*n + j - n)) (load a (i*n + j)))"), ""),
           "(loop i 0 n (loop j11 0 n (store t (i*n + j11) (+ (load t (i*n + j11 - n))", NULL);
    // of other columns, to one place, to places that are not known
    static const char kept[] = "(loop j 0 n";
    expect(AFTER_interchange,
           SCAN("", "loop", STORED("(+ (load t (i*n + j - n + 1)) (load a (i*n + j)))"), ""), kept,
           NULL);
    expect(AFTER_interchange, SCAN("(decl p i32 7)", "loop", SUM "(store t i p)", ""), kept, NULL);
    expect(AFTER_interchange, SCAN("(decl p i32 7)", "loop", SUM "(store t (i*i + j) p)", ""), kept,
           NULL);
    expect(AFTER_interchange, SCAN("(decl p i32 7)", "loop", SUM "(store t (i*n + 2*j) p)", ""),
           kept, NULL);
    // several loops, of which one is over lanes
    static const char lanes[] =
        "(alloc.global t i32 n*n) (%s (block (decl p i32 7) (loop y 0 n (set p (max p (load a (y*n"
        " + j))))) (loop_vector i 4 0 n (store t (i*n + j) (- p (load a (i*n + j)))))))"
        " (store r 0 0i64) (store s 0 (load t 0))";
    Arena *arena = arena_new();
    expect(AFTER_interchange, arena_printf(arena, lanes, "loop j 0 n"),
           "(loop_vector j41 4 0 count1", NULL);
    // on threads
    expect(AFTER_interchange, arena_printf(arena, lanes, "loop_parallel j 0 0 n"),
           "(decl width1 i64 (size min(max((n - 1)/(helpers1 + 1) + 1, 128), 2048)))", NULL);
    arena_delete(arena);
    // sums in blocks, of which each has a loop of its own
    expect(
        AFTER_interchange,
        "(alloc.global t i32 n) (loop j 0 n (block (decl p i32 7) (loop x 0 3 (block (decl q i32 0)"
        " (loop y 0 n (set q (+ q (load a (3*n*y + n*x + j))))) (set p (* p q)))) (store t j p)))"
        " (store r 0 0i64) (store s 0 (load t 0))",
        "(loop x 0 3 (block (loop j21 0 count1 (block (decl q2 i32 0) (store q1 j21 q2)))", NULL);
    // as many rows as columns have
    expect(
        AFTER_interchange,
        "(alloc.global t i32 n*n) (loop j 0 n (block (decl p i32 7) (loop x 0 n (block (loop y 0 x"
        " (set p (+ p (load a (n*y + j))))) (store t (n*x + j) p)))))"
        " (store r 0 0i64) (store s 0 (load t 0))",
        "(loop x 0 n (block (loop y1 0 x/4", NULL);
#undef STORED
#undef SUM
#undef SCAN
}

// An array of columns that is then transposed into a result is built in the result.
static void columns_are_turned(void **state)
{
    (void)state;
#define TURNED(rows, between, copied)                                                              \
    "(loops t [n, m] (a: [n][m]i32) : [n][m]i32 (buffers (in a i32 [n, m]) (out out i32 [n, m]))"  \
    " (block (alloc.global t i32 m*n) " rows between                                               \
    " (loop x 0 n (loop y 0 m (store out (x*m + y) (load t " copied "))))))"
#define ROWS(range, store)                                                                         \
    "(loop j 0 m (block (store t (j*n) (load a j)) (loop i " range " (store t " store              \
    " (+ (load t (j*n + i - 1)) (load a (i*m + j)))))))"
    static const char turned[] = "(store out (i*m + j21) (+ (load out (i*m + j21 - m))";
    expect_of(AFTER_interchange, TURNED(ROWS("1 n", "(j*n + i)"), "", "(y*n + x)"), turned,
              "load t");
    // positions that may be in another row; another use
    expect_of(AFTER_interchange, TURNED(ROWS("1 n", "(j*n + i + 1)"), "", "(y*n + x)"), "load t",
              turned);
    expect_of(AFTER_interchange, TURNED(ROWS("0 n", "(j*n + i)"), "", "(y*n + x)"), "load t",
              turned);
    expect_of(AFTER_interchange,
              TURNED(ROWS("1 n", "(j*n + i)"), "(loop z 0 m*n (store t z 1))", "(y*n + x)"),
              "load t", turned);
    expect_of(AFTER_interchange,
              TURNED(ROWS("1 n", "(j*n + i)"), "(loop z 0 m*n (store out z 1))", "(y*n + x)"),
              "load t", turned);
    // one that does not go down columns of another array stays
    expect_of(
        AFTER_interchange,
        TURNED("(loop j 0 m (loop i 0 n (store t (j*n + i) (load a (j*n + i)))))", "", "(y*n + x)"),
        "load t", NULL);
#undef ROWS
#undef TURNED
}

// Columns are read, or written, for some lines at a time, where that changes nothing.
static void columns_are_done_in_blocks(void **state)
{
    (void)state;
#define NEST(more, between, stored, value)                                                         \
    "(alloc.global t i32 n*n) " more "(loop i 0 n " between "(loop j 0 n (store t " stored         \
    " " value "))" STORED
#define STORED ") (store r 0 0i64) (store s 0 (load t 0))"
    static const char blocks[] = "(loop block1 0 (n + 127)/128", some[] = "(loop i1 0 n/4";
    expect(AFTER_tile, NEST("", "", "(i*n + j)", "(load a (j*n + i))"), blocks, NULL);
    expect(AFTER_tile, NEST("", "", "(i*n + j)", "(load a (j*n + i))"), some, NULL);
    expect(AFTER_tile, NEST("", "", "(j*n + i)", "(load a (i*n + j))"), blocks, NULL);
    expect(AFTER_tile, NEST("", "", "(i*n + j)", "(+ (load t (i*n + j)) (load a (j*n + i)))"),
           blocks, NULL);
    // locals on the way are one for each of the rounds that are done together
    expect(AFTER_tile,
           NEST("", "(block (decl p i32 (load a i))", "(i*n + j)", "(+ p (load a (j*n + i))))"),
           "(decl p4 i32 (load a (4*i1 + 3)))", NULL);
    // on threads
    expect(AFTER_tile,
           "(alloc.global t i32 n*n) (loop_parallel i 0 0 n (loop j 0 n (store t (i*n + j)"
           " (load a (j*n + i))))" STORED,
           "(loop_parallel block1 0 0 ((n - 1)/strip1 + 1)", NULL);
    // along the rows; by steps within a line; at any place
    expect(AFTER_tile, NEST("", "", "(i*n + j)", "(load a (i*n + j))"), NULL, "block1");
    expect(AFTER_tile, NEST("", "", "(i*n + j)", "(load a (3*j + i))"), NULL, "block1");
    expect(AFTER_tile, NEST("", "", "(i*n + j)", "(load a (j*j + i))"), NULL, "block1");
    // all of it down columns: the loops change places
    expect(AFTER_tile, NEST("", "", "(j*n + i)", "(load a (j*n + i))"),
           "(loop j 0 n (loop i 0 n (store", "block1");
    // what is stored is read elsewhere; stored to one place more than once; sums
    expect(AFTER_tile, NEST("", "", "(i*n + j)", "(load t (j*n + i))"), NULL, "block1");
    expect(AFTER_tile, NEST("", "", "(i + j)", "(load a (j*n + i))"), NULL, "block1");
    expect(AFTER_tile, NEST("", "", "i", "(load a (j*n + i))"), NULL, "block1");
    expect(AFTER_tile,
           NEST("", "(block (decl p i32 (load t i))", "(i*n + j)", "(+ p (load a (j*n + i))))"),
           NULL, "block1");
#undef NEST
    // a triangle; few steps; few elements
#define NEST(from, to, width)                                                                      \
    "(alloc.global t i32 999999) (loop i 0 " width " (loop j " from " " to                         \
    " (store t (i*999 + j) (load a (j*100 + i))))" STORED
    expect(AFTER_tile, NEST("0", "999", "n"), "(loop block1 0 8 ", NULL);
    expect(AFTER_tile, NEST("0", "999", "100"), "(loop block1 0 8 ", NULL);
    expect(AFTER_tile, NEST("0", "100", "100"), "(loop i1 0 25 ", "block1");
    expect(AFTER_tile, NEST("0", "i", "100"), NULL, "(loop i1 ");
    expect(AFTER_tile, NEST("0", "16", "100"), NULL, "(loop i1 ");
    expect(AFTER_tile, NEST("0", "32", "32"), NULL, "(loop i1 ");
#undef NEST
#undef STORED
}

// A loop that asks for a remainder goes in steps: one residue, several, several around a loop; by a size, in blocks.
static void remainders_become_steps(void **state)
{
    (void)state;
    const char *one = "(store r 0 0i64) (decl p i32 0)"
                      "(loop j 0 n (loop i 1 n (branch (== (size (i + j) % 3) 1i64)"
                      " (set p (+ p (load a i))) (block)))) (store s 0 p)";
    expect(AFTER_modulo_split, one, "(loop_by i 3 (2*j % 3 + 1) n (set p (+ p (load a i))))",
           "branch");
    const char *two = "(store r 0 0i64) (decl p i32 0)"
                      "(loop i 0 n (branch (== (size i % 2) 0i64)"
                      " (set p (+ p (load a i))) (set p (* p 3)))) (store s 0 p)";
    expect(AFTER_modulo_split, two, "(loop_by i1 2 0 (n - 1)", "i % 2");
    expect(AFTER_modulo_split, two,
           "(branch (== (size n % 2) (size 1)) (set p (+ p (load a (n - 1))))", NULL);
    const char *outside = "(store r 0 0i64) (decl p i32 0)"
                          "(loop i 0 n (loop j 0 n (branch (== (size i % 2) 0i64)"
                          " (set p (+ p (load a j))) (set p (* p 3))))) (store s 0 p)";
    expect(AFTER_modulo_split, outside,
           "(loop i 0 n (branch (== (size i % 2) (size 0)) (loop j1 0 n", NULL);
    const char *blocks = "(store r 0 0i64) (decl p i32 0)"
                         "(loop i 0 n (branch (< (size i % 20) 4i64)"
                         " (set p (+ p (load a i))) (block))) (store s 0 p)";
    expect(AFTER_modulo_split, blocks, "(loop_by block1 20 0 n", "%");
    // in front of the first index with residues, where the remainder might be negative
    const char *border =
        "(store r 0 0i64) (decl p i32 0)"
        "(loop i 0 n (branch (& (<= 1i64 (size i)) (== (% (size (i - 1)) 2i64) 0i64))"
        " (set p (+ p (load a i)))"
        " (branch (& (<= 2i64 (size i)) (== (% (size (i - 2)) 2i64) 0i64))"
        " (set p (* p 3)) (block)))) (store s 0 p)";
    expect(AFTER_modulo_split, border, "(loop_by i21 2 2 (n - 1)", "(% ");
    expect(AFTER_modulo_split, border, "(branch (< (size 1) (size n)) (set p (+ p (load a 1)))",
           "(<= 1i64");
    // nothing is gained: the loop leaves, or the remainder changes inside
    const char *leaves = "(decl p i32 0) (target b (loop i 0 n (branch (== (size i % 2) 1i64)"
                         " (branch (< p 3) (goto b) (set p (load a i))) (block))))"
                         "(store r 0 0i64) (store s 0 p)";
    expect(AFTER_modulo_split, leaves, NULL, "loop_by");
    // what is left in positions is computed outside of the inner loop, once for all of them
    expect(
        AFTER_modulo_split,
        "(alloc.global t i32 3*n) (loop i 0 n (block (loop j 0 n (store t (n*(i % 3) + j) 1)) "
        "(loop h 0 n (store t (n*(i % 3) + h) (load t (n*((i + 1) % 3) + h)))))) (store r 0 0i64)"
        " (store s 0 (load t 0))",
        "(block (decl r1 i64 (size i % 3)) (loop j 0 n (store t (n*r1 + j) 1)) (decl r2 i64 "
        "(size (i + 1) % 3)) (loop h 0 n (store t (n*r1 + h) (load t (n*r2 + h)))))",
        NULL);
}

// The quotient of the index by a small constant is a counter, also of a parallel loop.
static void quotients_become_counters(void **state)
{
    (void)state;
#define EACH(loop, value)                                                                          \
    "(alloc.global t i32 999999) (" loop " (store t i " value "))"                                 \
    "(store r 0 0i64) (store s 0 (load t 0))"
    expect(AFTER_modulo_split, EACH("loop i 0 2*n", "(load a i/2)"),
           "(loop i1 0 n (block (store t 2*i1 (load a i1)) (store t (2*i1 + 1) (load a i1))))",
           "/2");
    expect(AFTER_modulo_split, EACH("loop i 0 n", "(load a i/3)"),
           "(loop i1 0 n/3 (block (store t 3*i1 (load a i1))", NULL);
    expect(AFTER_modulo_split, EACH("loop_parallel i 0 0 2*n", "(load a i/2)"),
           "(loop_parallel i1 0 0 n (block (store t 2*i1 (load a i1))", "/2");
    expect(
        AFTER_modulo_split, EACH("loop_parallel i 0 0 4*n", "(load a i % 4)"),
        "(loop_parallel i1 0 0 n (block (store t 4*i1 (load a 0)) (store t (4*i1 + 1) (load a 1))",
        "%");
    // one residue would be no parallel loop; for 9 there is a loop
    expect(AFTER_modulo_split,
           "(alloc.global t i32 999999) (loop_parallel i 0 0 n (branch (== (size i % 2) 0i64)"
           " (store t i 7) (block))) (store r 0 0i64) (store s 0 (load t 0))",
           "(loop_parallel i 0 0 n (branch", NULL);
    expect(AFTER_modulo_split, EACH("loop i 0 9*n", "(load a i/9)"), "(loop j1 0 9 ", NULL);
#undef EACH
}

// A loop that several threads may share asks for one where there is little to do.
static void little_work_stays_on_one_thread(void **state)
{
    (void)state;
#define PAR(bounds, body)                                                                          \
    "(alloc.global t i32 999999) (loop_parallel i 0 " bounds " (block " body "))"                  \
    "(store r 0 0i64) (store s 0 (load t 0))"
    expect(AFTER_parallel_threshold, PAR("0 n", "(store t i (load a i))"),
           "(branch (<= (size 131072) (size n)) (loop_parallel i 0 0 n (store t i (load a i))) "
           "(loop i1 0 n (store t i1 (load a i1))))",
           NULL);
    // one is enough of a long body
#define STORES   "(store t i (load a i)) (store t i (+ 1 (load a i)))"
#define STORES8  STORES STORES STORES STORES STORES STORES STORES STORES
#define STORES32 STORES8 STORES8 STORES8 STORES8
    expect(AFTER_parallel_threshold, PAR("0 n", STORES32 STORES32 STORES32),
           "(loop_parallel i (? (<= (size 32768) (size 60*n)) 0 1) 0 n", NULL);
#undef STORES
    expect(AFTER_parallel_threshold, PAR("0 n", "(loop j 0 n (store t i (* 3 (load a j))))"),
           "(<= (size 32768) (size 3*n*n))", NULL);
    expect(AFTER_parallel_threshold, PAR("0 100", "(store t i 1)"), "(loop i 0 100", NULL);
    expect(AFTER_parallel_threshold, PAR("0 min(n, 3)", "(store t i 1)"), "(loop i 0 min(n, 3)",
           NULL);
    expect(AFTER_parallel_threshold, PAR("0 999999", "(store t i 1)"),
           "(loop_parallel i 0 0 999999", NULL);
    // of vectors there are fewer operations than of scalars: not around other loops, where positions
    // are computed from data or far apart, of sums of floats, or of divisions of integers
    expect(AFTER_parallel_threshold,
           PAR("0 n", "(loop j 0 n (store t (i*n + j) (* 3 (load a j)))) (store t i 7)"),
           "(<= (size 262144) (size (3*n*n + 8*n)))", NULL);
    expect(AFTER_parallel_threshold, PAR("0 n", "(store t i (load a 5*i))"),
           "(<= (size 32768) (size 2*n))", NULL);
    expect(AFTER_parallel_threshold, PAR("0 n", "(store t i (load a 3*i))"),
           "(<= (size 65536) (size n))", NULL);
    expect(AFTER_parallel_threshold, PAR("0 n", "(store t i (load a 2*i))"),
           "(<= (size 131072) (size n))", NULL);
    expect(AFTER_parallel_threshold,
           PAR("0 n", "(store t i (cast (* (cast (load a i) : f64) 0.5f64) : i32))"),
           "(<= (size 131072) (size 3*n))", NULL);
    expect(AFTER_parallel_threshold,
           PAR("0 n", "(decl p i64 (cast (load a i) : i64)) (store t i (load a (p + i)))"),
           "(<= (size 32768) (size 3*n))", NULL);
    expect(AFTER_parallel_threshold, PAR("0 n", "(store t i (/ (load a i) 7))"),
           "(<= (size 32768) (size 3*n))", NULL);
    expect(AFTER_parallel_threshold, PAR("0 n", "(store t i (+ (load t (i + 1)) (load a i)))"),
           "(<= (size 32768) (size 4*n))", NULL);
    expect(AFTER_parallel_threshold, PAR("0 n", "(store t i (+ (load t (i + n)) (load a i)))"),
           "(<= (size 65536) (size n))", NULL); // of another row
    // one block, of however many columns
    expect(AFTER_parallel_threshold, PAR("0 n/64", "(loop j 0 9*n (store t i (* 3 (load a j))))"),
           "(branch (? (< (size 1) (size n/64)) (<= (size 32768) (size 27*n*(n/64))) false)", NULL);
    // as many as the program says
    expect(AFTER_parallel_threshold,
           "(alloc.global t i32 n) (loop_parallel i 4 0 n (store t i 1))"
           "(store r 0 0i64) (store s 0 (load t 0))",
           "(loop_parallel i 4 0 n", NULL);
    // the larger end of a triangle; a local of the iteration that is a size
    expect(AFTER_parallel_threshold, PAR("0 n", "(loop j 0 i (store t j 1))"), "(size (n*n - n))",
           NULL);
    expect(AFTER_parallel_threshold, PAR("0 n", "(loop j i n (store t j 1))"), "(size n*n)", NULL);
    expect(AFTER_parallel_threshold,
           PAR("0 n", "(decl m i64 (size (n - i))) (loop j 0 m (store t j 1))"), "(size n*n)",
           NULL);
    // a formula of more than 60 nodes: its main terms; around a border: one iteration
#define HALF(k)          "(loop j" #k " 0 n/" #k " (store t j" #k " " #k "))"
#define HALVES3(a, b, c) HALF(a) HALF(b) HALF(c)
    expect(AFTER_parallel_threshold,
           PAR("0 n", "(loop j 0 n (store t j 1))" HALVES3(2, 3, 4) HALVES3(5, 6, 7)
                          HALVES3(8, 9, 10) HALVES3(11, 12, 13) HALVES3(14, 15, 16)),
           "(<= (size 262144) (size (n*n + ", NULL);
#undef HALVES3
#undef HALF
    expect(AFTER_parallel_threshold, PAR("0 n", "(loop_by j n (1 - n) 3 (store t i (load a i)))"),
           "(<= (size 32768) (size ", NULL);
    // nobody knows
    expect(AFTER_parallel_threshold,
           PAR("0 n", "(decl m i64 (cast (load a i) : i64)) (loop j 0 m (store t j 1))"),
           "(loop_parallel i 0 0 n", NULL);
    expect(AFTER_parallel_threshold,
           PAR("0 n", "(target b (loop_forever (branch (< (load a i) 3) (goto b)"
                      " (store t i (load a i)))))"),
           "(loop_parallel i 0 0 n", NULL);
#undef PAR
}

// Parallel loops that are all there is in one another.
static void nests_become_one(void **state)
{
    (void)state;
#define NEST(body)                                                                                 \
    "(alloc.global t i32 n*n*n) (loop_parallel i 0 0 n (block " body "))"                          \
    "(store r 0 0i64) (store s 0 (load t 0))"
    expect(AFTER_collapse, NEST("(loop.par j 0 n (store t (i*n + j) (load a j)))"),
           "(loop_parallel part1 0 0 (helpers1 + 1) (block "
           "(decl first1 i64 (size n*n*part1/(helpers1 + 1))) "
           "(decl end1 i64 (size (n*n*part1 + n*n)/(helpers1 + 1))) "
           "(branch (< (size first1) (size end1)) "
           "(loop i first1/n ((end1 - 1)/n + 1) "
           "(loop j max(first1 - i*n, 0) min(n, end1 - i*n) (store t (i*n + j) (load a j)))) "
           "(block))))",
           NULL);
    // what is said of a row is said again for each part of it
    expect(AFTER_collapse,
           NEST("(decl x i32 (load a i)) (loop.par j 0 n (store t (i*n + j) (+ x (load a j))))"),
           "(block (decl x i32 (load a i)) (loop j max(", NULL);
    // of three loops the outer two are counted together
    expect(AFTER_collapse,
           NEST("(loop.par j 0 n (loop.par l 0 n (store t (i*n*n + j*n + l) (load a j))))"),
           "(block (decl j i64 (size row1 % n)) (decl i i64 (size row1/n)) (loop l max(", NULL);
    // nothing says that the rounds inside come in any order; something else is done; rows differ
    expect(AFTER_collapse, NEST("(loop j 0 n (store t (i*n + j) (load a j)))"),
           "(loop_parallel i 0 0 n", "part");
    expect(AFTER_collapse,
           NEST("(store t (i*n*n) 0) (loop.par j 1 n (store t (i*n*n + j) (load a j)))"),
           "(loop j 1 n", "loop.par");
    expect(AFTER_collapse, NEST("(loop.par j 0 i (store t (i*n + j) (load a j)))"), "(loop j 0 i",
           "part");
    // short rows stay whole, unless they are known to be few
    expect(AFTER_collapse, NEST("(loop.par j 0 40 (store t (i*40 + j) (load a i)))"),
           "(loop j 0 40", "part");
    expect(AFTER_collapse,
           "(alloc.global t i32 120) (loop_parallel i 0 0 3 (loop.par j 0 40 (store t (i*40 + j) "
           "(load a j)))) (store r 0 0i64) (store s 0 (load t 0))",
           "(loop i first1/40", NULL);
#undef NEST
}

// For a target with one thread.
typedef LoopEntry *Pass(Session *cx, const LoopEntry *e);

// The body of the entry after a pass, where all loops may run in any order if their iterations are independent.
static const char *spread(Session *cx, Pass *pass, const char *text)
{
    nat_init(cx);
    LoopEntry *e = read_loops(cx, text);
    vec_push(cx->arena, &e->spread, NO_SPAN);
    loops_check(cx, e = pass(cx, e));
    Text t = text_new(cx->arena);
    term_print(cx, &t, e->body, NULL, 0, 0);
    return text_get(&t);
}

static const char *parallelised(Session *cx, const char *text)
{
    return spread(cx, loops_parallelise, text);
}

// Whether the loop runs on threads, if it may.
static void expect_on_threads(bool expected, const char *loop)
{
    Session *cx = session_new();
    const char *text =
        "(loops f [n, m] (a: [n][m]i32, k: i64) : [n][m]i32 (buffers (in a i32 [n, m])"
        " (in k i64) (out r i32 [n, m])) (block (alloc.global t i32 n*m) (decl p i32 0)"
        " (loop h 0 n*m (store r h (load a h))) %s (store r 0 p)))";
    const char *after = parallelised(cx, arena_printf(cx->arena, text, loop));
    bool found = strstr(after, "(loop_parallel i ") != NULL;
    if (found != expected) fail_msg("%s in %s", found ? "threads" : "no threads", after);
    session_delete(cx);
}

static void independent_loops_run_on_threads(void **state)
{
    (void)state;
#define ROWS(from, to, position, value)                                                            \
    "(loop i " from " " to " (loop j 0 m (store r (" position ") " value ")))"
    expect_on_threads(true, ROWS("0", "n", "i*m + j", "(load r (i*m + j))"));
    expect_on_threads(true, ROWS("1", "n", "i*m + j", "(load r j)")); // row 0
    expect_on_threads(false, ROWS("0", "n", "i*m + j", "(load r j)"));
    expect_on_threads(true, ROWS("0", "(n - 1)", "i*m + j", "(load r (n*m - m + j))"));
    expect_on_threads(false, ROWS("1", "n", "i*m + j", "(load r (i*m + j - m))"));
    expect_on_threads(false, ROWS("0", "n", "i*m + j", "(load r (i*m + j + 1))")); // the next row
    expect_on_threads(false, ROWS("0", "n", "n*m - i*m - j - 1", "(load a j)"));
    expect_on_threads(false, ROWS("0", "m", "j*m + i", "(load a j)")); // columns
    expect_on_threads(false, ROWS("0", "n", "m*(i % 2) + j", "(load a j)"));
    expect_on_threads(false, ROWS("k", "n", "i*m + j", "(load a j)")); // k may be negative
    // single elements; two arrays; a local of all iterations, and of each; a check; an array of each
    expect_on_threads(true, "(loop i 0 n (store r i (load a (n - i - 1))))");
    expect_on_threads(true, "(loop i 0 n (block (store t i 1) (store r i (load t i))))");
    expect_on_threads(false, "(loop i 0 n (block (store t i 1) (store r i (load t 0))))");
    expect_on_threads(false, "(loop i 0 n (block (store r i 1) (store r (i + 1) 2)))");
    expect_on_threads(false, "(loop i 0 n (set p (+ p (load a i))))");
    expect_on_threads(true, "(loop i 0 n (block (decl q i32 0) (set q (load a i)) (store r i q)))");
    expect_on_threads(false, "(loop i 0 n (block (require E0601 (< (load a i) 9)) (store r i 1)))");
    expect_on_threads(
        true,
        "(loop i 0 n (block (alloc.stack u i32 2) (store u 0 (load a i)) (store r i (load u 0))))");
    // the row of the only iteration that runs a statement; that of another one
#define FIRST(condition, position)                                                                 \
    "(loop i 0 n (branch " condition " (block (store r " position " 0))"                           \
    " (block (store r i (load a i)))))"
    expect_on_threads(true, FIRST("(== (size i) 0i64)", "0"));
    expect_on_threads(true, FIRST("(<= (size i) 0i64)", "0"));
    expect_on_threads(true, FIRST("(== (size i) 2i64)", "2"));
    expect_on_threads(false, FIRST("(== (size i) 2i64)", "0"));
    expect_on_threads(false, FIRST("(<= (size i) 1i64)", "0"));
    expect_on_threads(false, FIRST("(== (size i) (size k))", "0"));
    expect_on_threads(false, "(loop i 0 n (store r 0 (load a i)))");
#undef FIRST
    // in one loop, if there is a loop inside
    expect_on_threads(true, "(loop x 0 n " ROWS("0", "n", "i*m + j", "(load a x)") ")");
    expect_on_threads(false, "(loop x 0 n (loop i 0 n (store r i (load a x))))");
    // a row that one iteration writes and all read, if there is one; two such rows
    expect_on_threads(true, "(loop x 0 n " ROWS("0", "n", "i*m + j", "(load r (x*m + j))") ")");
    expect_on_threads(true, "(loop x 1 n " ROWS("1", "n", "i*m + j", "(load r (x*m + j))") ")");
    expect_on_threads(false, "(loop x 0 n " ROWS("1", "n", "i*m + j", "(load r (x*m + j))") ")");
    expect_on_threads(false,
                      "(loop x 0 (n + 1) " ROWS("0", "n", "i*m + j", "(load r (x*m + j))") ")");
    expect_on_threads(false,
                      "(loop x 1 n " ROWS("0", "n", "i*m + j",
                                          "(+ (load r (x*m + j)) (load r (x*m + j - m)))") ")");
#undef ROWS
}

// The index set is split around the iteration that writes the row that all read.
static void index_set_is_split(void **state)
{
    (void)state;
    Session *cx = session_new();
    const char *after = parallelised(
        cx, "(loops f [n] (a: [n]i32) : [n]i32 (buffers (in a i32 [n]) (out r i32 [n]))"
            " (block (loop h 0 n (store r h (load a h)))"
            " (loop x 0 n (block (loop i 0 n (block (loop j 0 n (store r i (+ (load r i) (load r x)"
            ")))))))))");
    assert_non_null(strstr(
        after,
        "(block (loop_parallel i 0 0 x (block (loop j 0 n (store r i (+ (load r i) (load r x))))))"
        " (loop j1 0 n (store r x (+ (load r x) (load r x))))"
        " (loop_parallel i1 0 (x + 1) n"
        " (block (loop j2 0 n (store r i1 (+ (load r i1) (load r x)))))))"));
    session_delete(cx);
}

static void one_thread(void **state)
{
    (void)state;
    Session *cx = session_new();
    nat_init(cx);
    LoopEntry *e = read_loops(
        cx, "(loops t [n] with h (a: [n]i32) : [n]i32 (buffers (in a i32 [n]) (out out i32 [n]))"
            " (block (alloc.global b i32 (h + 1)) (task_of (block (store b 0 7)))"
            " (loop_parallel i 0 0 n (block (store out i (+ (load b h) (load a i)))))"
            " (wait_for_tasks)))");
    loops_check(cx, e);
    assert_ptr_equal(loops_serialize(cx, e)->body, e->body);
    e->serial = true;
    e = loops_serialize(cx, e);
    loops_check(cx, e);
    assert_null(e->helpers);
    Text t = text_new(cx->arena);
    term_print(cx, &t, e->body, NULL, 0, 0);
    assert_string_equal(text_get(&t),
                        "(block (alloc.global b i32 1) (store b 0 7) (loop i 0 n (store out "
                        "i (+ (load b 0) (load a i)))))");
    session_delete(cx);
}

static void expect_in_lanes(const char *some, const char *other, const char *body)
{
    Session *cx = session_new();
    cx->vector_bytes = 32;
    const char *text = arena_printf(
        cx->arena,
        "(loops f [n, m] (a: [n][m]f32, d: [n]f64) : [n][m]f32 (buffers (in a f32 [n, m]) (in d f64"
        " [n]) (out r f32 [n, m])) (block %s))",
        body);
    const char *after = spread(cx, loops_function_lanes, text);
    if (some && !strstr(after, some)) fail_msg("no %s in %s", some, after);
    if (other && strstr(after, other)) fail_msg("%s in %s", other, after);
    session_delete(cx);
}

// Mathematical functions in loops are computed in lanes, where the iterations are independent.
static void functions_are_in_lanes(void **state)
{
    (void)state;
    expect_in_lanes("(loop_vector i 8 0 m (store r i (exp (load a i))))", NULL,
                    "(loop i 0 m (store r i (exp (load a i))))");
    expect_in_lanes("(loop i 0 n (loop_vector j 8 0 m", NULL,
                    "(loop i 0 n (loop j 0 m (store r (i*m + j) (exp (load a (i*m + j))))))");
    expect_in_lanes("(loop_vector i 4 0 n", NULL,
                    "(loop i 0 n (store r i (cast (exp (load d i)) : f32)))");
    expect_in_lanes("(loop_parallel block1 0 0 m/1024 (loop_vector i 8 1024*block1", NULL,
                    "(loop_parallel i 0 0 m (store r i (exp (load a i))))");
    // other operations, a sum, an element that another iteration needs
    expect_in_lanes(NULL, "vector", "(loop i 0 m (store r i (sqrt (load a i))))");
    expect_in_lanes(
        NULL, "vector",
        "(decl p f32 0.0f32) (loop i 0 m (set p (+ p (exp (load a i))))) (store r 0 p)");
    expect_in_lanes(NULL, "vector", "(loop i 1 m (store r i (exp (load r (i - 1)))))");
    // an element that another iteration may store to, too
    expect_in_lanes(NULL, "vector",
                    "(loop i 0 m (block (decl k i64 (cast (load a i) : i64))"
                    " (store r (i + k) (exp (load r (i + k))))))");
    // a range that may have no element has no blocks
    expect_in_lanes("(loop_parallel block1 0 0 max(m - 31, 0)/1024", NULL,
                    "(loop_parallel i 0 30 (m - 1) (store r i (exp (load a i))))");
}

// Consecutive rows are one loop, unless what is computed depends on the row or the column.
static void rows_are_coalesced(void **state)
{
    (void)state;
#define ROWS(loops)                                                                                \
    "(loops t [n, m, k] (a: [n]i32, b: [n][k]i32) : [n][m][k]i32 (buffers (in a i32 [n])"          \
    " (in b i32 [n, k]) (out r i32 [n, m, k])) (block " loops "))"
    const int done = AFTER_coalesce;
    expect_of(done, ROWS("(loop i 0 n (loop j 0 m (loop x 0 k (store r (i*m*k + j*k + x) 7))))"),
              "(loop x 0 k*m*n (store r ", "(loop i");
    expect_of(done, ROWS("(loop i 0 n (loop x 0 k (store r (i*k + x) (load b (i*k + x)))))"),
              "(loop x 0 k*n (store r x (load b x)))", "(loop i");
    // every second element, from another row on, and one row less
    expect_of(done, ROWS("(loop i 0 n (loop x 0 k (store r (2*i*k + 2*x) (load b (i*k + x)))))"),
              "(loop x 0 k*n (store r 2*x (load b x)))", "(loop i");
    expect_of(done, ROWS("(loop i 1 (n + 1) (loop x 2 (k + 2) (store r (i*k + x) 7)))"),
              "0 k*n (store r (k + ", "(loop i");
    // sums of each row, in order
#define SUMS(term, last)                                                                           \
    ROWS("(decl s i32 0) (loop i 0 n (block (decl t i32 s) (loop x 0 k (set t (+ t " term          \
         "))) " last ")) (store r 0 s)")
    expect_of(done, SUMS("(load b (i*k + x))", "(set s t)"),
              "(loop x 0 k*n (set s (+ s (load b x))))", "(loop i");
    expect_of(done, SUMS("(+ s (load b (i*k + x)))", "(set s t)"), "(loop i 0 n (block (decl t",
              NULL);
    expect_of(done, SUMS("(load b (i*k + x))", "(set s (+ t 1))"), "(loop i 0 n (block (decl t",
              NULL);
#undef SUMS
    // of vectors, on threads; not where an element depends on one before it
    expect_of(done,
              ROWS("(store r 0 5) (loop i 0 n (loop x 0 k (store r (i*k + x + 1)"
                   " (+ (load r (i*k + x)) (load b (i*k + x))))))"),
              "(loop i 0 n (loop x", NULL);
    expect_of(done,
              ROWS("(loop i 0 n (loop_vector x 4 0 k (store r (i*k + x) (load b (i*k + x)))))"),
              "(loop_vector x 4 0 k*n (store r x (load b x)))", "(loop i");
    expect_of(done,
              ROWS("(loop i 0 n (loop_vector x 4 0 k (store r (i*k + k + x)"
                   " (+ (load r (i*k + x)) (load b (i*k + x))))))"),
              "(loop i 0 n (loop_vector x", NULL);
    expect_of(done,
              ROWS("(loop_parallel i 0 0 n (loop x 0 k (store r (i*k + x) (load b (i*k + x)))))"),
              "(loop_parallel x 0 0 k*n (store r x (load b x)))", "(loop_parallel i");
    expect_of(done,
              ROWS("(loop_parallel i 0 0 n (loop_vector x 4 0 k (store r (i*k + x)"
                   " (load b (i*k + x)))))"),
              "(loop_vector x 4 1024*block1 (1024*block1 + 1024) (store r x (load b x)))", "0 n");
    // a gap between the rows, rows that differ, rows that may have a negative number, the row itself
    expect_of(done, ROWS("(loop i 0 n (loop x 0 (k + 1) (store r (i*k + 2*i + x) 7)))"),
              "(loop i 0 n (loop x 0 (k + 1)", NULL);
    expect_of(done, ROWS("(loop i 0 n (loop x 0 i (store r (i*k + x) 7)))"),
              "(loop i 0 n (loop x 0 i", NULL);
    expect_of(done, ROWS("(loop i 0 n (loop x 0 (k - 9) (store r (i*k - 9*i + x) 7)))"),
              "(loop i 0 n (loop x 0 (k - 9)", NULL);
    expect_of(done, ROWS("(loop i 0 n (loop x 0 k (store r (i*k + x) (load a i))))"),
              "(loop i 0 n (loop x 0 k", NULL);
    expect_of(done, ROWS("(loop i 0 n (loop x 0 k (store r (i*k + x) (load a x))))"),
              "(loop i 0 n (loop x 0 k", NULL);
#undef ROWS
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_coalesced),
        cmocka_unit_test(functions_are_in_lanes),
        cmocka_unit_test(loops_become_one),
        cmocka_unit_test(loops_move_together),
        cmocka_unit_test(stages_become_one),
        cmocka_unit_test(tables_are_unrolled),
        cmocka_unit_test(borders_leave_loops),
        cmocka_unit_test(columns_are_read_by_rows),
        cmocka_unit_test(columns_are_written_by_rows),
        cmocka_unit_test(columns_are_turned),
        cmocka_unit_test(columns_are_done_in_blocks),
        cmocka_unit_test(remainders_become_steps),
        cmocka_unit_test(quotients_become_counters),
        cmocka_unit_test(little_work_stays_on_one_thread),
        cmocka_unit_test(nests_become_one),
        cmocka_unit_test(independent_loops_run_on_threads),
        cmocka_unit_test(index_set_is_split),
        cmocka_unit_test(one_thread),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
