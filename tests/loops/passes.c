// What single passes do with control flow: loops are counted, checks are decided, memory stays where
// it must, snapshots give way.
#include "loops/programs.h"
#include "loops/read.h"

// After the passes up to `last` the text of the first entry has `some` and has not `other` (NULL: whatever).
static void expect_of(int last, const char *entries, const char *some, const char *other)
{
    Session *cx = session_new();
    nat_init(cx);
    LoopEntry *e = read_loops(cx, entries);
    for (int k = 1; k <= last; k++) loops_check(cx, e = loop_passes[k].run(cx, e));
    Text t = text_new(cx->arena);
    term_print(cx, &t, e->body, NULL, 0, 0);
    const char *text = text_get(&t);
    if (some && !strstr(text, some)) fail_msg("no %s in %s", some, text);
    if (other && strstr(text, other)) fail_msg("%s in %s", other, text);
    session_delete(cx);
}

// The same of an entry with this body.
static void expect(int last, const char *body, const char *some, const char *other)
{
    Arena *arena = arena_new();
    const char *text = arena_printf(
        arena,
        "(loops t [n] (a: [n]i32, k: i64) : (i64, i32) (buffers (in a i32 [n]) (in k i64)"
        " (out r i64) (out s i32)) (block %s))"
        "(loops f [n] (x: &mut i64) : () (buffers (both x i64)) (store x 0 (- (load x 0) 1i64)))",
        body);
    expect_of(last, text, some, other);
    arena_delete(arena);
}

#define ENDS "(store r 0 i) (store s 0 0)"
#define ACCESS                                                                                     \
    "(decl j i64 i) (require E0601 (& (<= 0i64 (size j)) (< (size j) (size n))))"                  \
    " (set p (+ p (load a j)))"
#define WHILE(condition, body)                                                                     \
    "(decl p i32 0) (decl i i64 0i64) (target b (loop_forever (branch " condition " (block " body  \
    ") (block (goto b))))) " ENDS

static void guards_decide_checks(void **state)
{
    (void)state;
    expect(AFTER_simplify, WHILE("(< i (size n))", ACCESS "(set i (+ i 1i64))"), NULL, "require");
    expect(AFTER_simplify, WHILE("(< i (size n))", ACCESS "(set i (+ i 2i64))"), NULL, "require");
    expect(AFTER_simplify, WHILE("(? (< i (size n)) (< p 3) false)", ACCESS "(set i (+ i 1i64))"),
           NULL, "require");
    expect(AFTER_simplify, WHILE("(< i (size k))", ACCESS "(set i (+ i 1i64))"), "require", NULL);
    expect(AFTER_simplify, WHILE("(< i (size n))", ACCESS "(set i (- i 1i64))"), "require", NULL);
    expect(AFTER_simplify, WHILE("(< i (size n))", "(set i (+ i 1i64))" ACCESS), "require", NULL);
    // what a function may have changed is not known
    expect(AFTER_simplify, WHILE("(< i (size n))", "(call_function f (address i 0))" ACCESS),
           "require", NULL);
}

#define BOTH "(store r 0 k) (store s 0 0) "

static void decided_conditions_are_known(void **state)
{
    (void)state;
    const char *again = BOTH "(decl p i32 (load a 0)) (branch (!= p 0) (block (require E0601 (!= p "
                             "0)) (store s 0 p)) (store s 0 1))";
    expect(AFTER_simplify, again, "(store s 0 p)", "require");
    // negated, in the other branch, as a part of a conjunction, behind a guard
    expect(AFTER_simplify,
           BOTH "(decl p i32 (load a 0)) (branch (== p 0) (store s 0 1) (block (require E0601 (!= "
                "p 0)) (store s 0 p)))",
           "(store s 0 p)", "require");
    expect(AFTER_simplify,
           BOTH "(decl p i32 (load a 0)) (branch (? (< 0i64 k) (!= p 0) false) (branch (== p 0) "
                "(store s 0 1) (store s 0 p)) (block))",
           "(store s 0 p)", "(store s 0 1)");
    expect(AFTER_simplify,
           BOTH "(decl p i32 (load a 0)) (target b (block (branch (== p 0) (goto b) (block)) "
                "(require E0601 (!= p 0)) (store s 0 p)))",
           "(store s 0 p)", "require");
    // behind the branch it may be either, and a local or an element that changes may be something else
    expect(
        AFTER_simplify,
        BOTH
        "(decl p i32 (load a 0)) (branch (!= p 0) (store s 0 p) (block)) (require E0601 (!= p 0))",
        "require", NULL);
    expect(AFTER_simplify,
           BOTH "(decl p i32 (load a 0)) (branch (!= p 0) (block (set p (- p 1)) (require E0601 "
                "(!= p 0)) (store s 0 p)) (block))",
           "require", NULL);
    expect(AFTER_simplify,
           BOTH "(branch (!= (load s 0) 0) (block (store s 0 (load a 0)) (require E0601 (!= (load "
                "s 0) 0))) (block))",
           "require", NULL);
}

static void jumps_end_what_is_known(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    // in the block behind a guard, but not behind its label
    const char *guard = "(decl p i32 0) (decl i i64 k) (target b (block (branch (>= i (size n)) "
                        "(goto b) (block)) (branch (< i 0i64) (goto b) (block)) " ACCESS "))";
    expect(AFTER_simplify, arena_printf(arena, "%s%s", guard, ENDS), NULL, "require");
    expect(
        AFTER_simplify,
        "(decl p i32 0) (decl i i64 k) (target b (branch (>= i (size n)) (goto b) (block)))" ACCESS
            ENDS,
        "require", NULL);
    // dead code
    expect(AFTER_simplify,
           "(target b (block (goto b) (store r 0 1i64))) (store r 0 2i64) (store s 0 0)",
           "(store r 0 2i64)", "1i64");
    expect(AFTER_simplify, "(loop_forever (block)) (store r 0 1i64) (store s 0 0)", "loop_forever",
           "store");
    // a label that nobody needs, a loop that never comes round
    expect(AFTER_simplify, "(target b (block (store r 0 1i64) (goto b))) (store s 0 0)", NULL,
           "goto");
    expect(AFTER_simplify,
           "(target b (loop_forever (block (store r 0 1i64) (goto b)))) (store s 0 0)", NULL,
           "loop_forever");
    arena_delete(arena);
}

static void loops_are_counted(void **state)
{
    (void)state;
    const char *ends = "(store r 0 7i64) (store s 0 p)";
    Arena *arena = arena_new();
    const char *loop = "(decl p i32 0) (decl i i64 %s) (target b (loop_forever (block (branch "
                       "%s (block) (goto b)) (set p (+ p 1)) %s (set i (+ i %s))))) %s";
#define LOOP(from, condition, more, step)                                                          \
    arena_printf(arena, loop, from, condition, more, step, ends)
    expect(AFTER_canonicalize_loops, LOOP("0i64", "(< i (size n))", "", "1i64"), " 0 n (set p",
           "loop_forever");
    expect(AFTER_canonicalize_loops, LOOP("2i64", "(<= i 9i64)", "", "1i64"), " 2 10 (set p",
           "loop_forever");
    expect(AFTER_canonicalize_loops, LOOP("0i64", "(> (size n) i)", "", "1i64"), " 0 n (set p",
           "loop_forever");
    expect(AFTER_canonicalize_loops, LOOP("0i64", "(< i (size n))", "", "2i64"), "loop_forever",
           NULL);
    expect(AFTER_canonicalize_loops, LOOP("0i64", "(!= i (size n))", "", "1i64"), "loop_forever",
           NULL);
    expect(AFTER_canonicalize_loops, LOOP("0i64", "(< i (size n))", "(set i (+ i 1i64))", "1i64"),
           "loop_forever", NULL);
    // it is read afterwards
    expect(AFTER_canonicalize_loops, WHILE("(< i (size n))", "(set i (+ i 1i64))"), "loop_forever",
           NULL);
    // it does not begin anew in each round of another loop
    expect(AFTER_canonicalize_loops,
           "(decl p i32 0) (decl i i64 0i64) (loop j 0 3 (target b (loop_forever (block (branch (< "
           "i (size n)) (block) (goto b)) (set p (+ p 1)) (set i (+ i 1i64)))))) (store r 0 7i64) "
           "(store s 0 p)",
           "loop_forever", NULL);
    // a jump past the step
    expect(AFTER_canonicalize_loops,
           "(decl p i32 0) (decl i i64 0i64) (target b (loop_forever (target c (block (branch (< i "
           "(size n)) (block) (goto b)) (branch (== p 3) (goto c) (block)) (set p (+ p 1)) (set i "
           "(+ i 1i64)))))) (store r 0 7i64) (store s 0 p)",
           "loop_forever", NULL);
    arena_delete(arena);
}

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
    // stores to elements that are still to be read
    expect(
        AFTER_fuse,
        "(alloc.global t i32 n) (loop i 0 n (store t i (load a i))) (decl p i32 0) (loop i1 0 n "
        "(set p (+ p (+ (load t (n - i1 - 1)) (load a i1))))) (loop j 0 n (store t j (load a j)))"
        "(store r 0 1i64) (store s 0 (+ p (load t 0)))",
        second, NULL);
}

static void memory_stays_behind_jumps(void **state)
{
    (void)state;
    const char *t = "(alloc.global t i32 n) (store t 0 1) (store s 0 (load t 0))";
    const char *u = "(alloc.global t i32 k) (store t 0 1) (store s 0 (load t 0))";
    Arena *arena = arena_new();
    expect(AFTER_licm, arena_printf(arena, "(loop i 0 n (block %s)) (store r 0 1i64)", u),
           "(block (alloc.global t i32 max(k, 0)) (loop", NULL);
    expect(AFTER_licm,
           arena_printf(arena,
                        "(target b (block (branch (< k 0i64) (goto b) (block)) (loop i 0 n (block "
                        "%s)))) (store r 0 1i64)",
                        u),
           NULL, "(block (alloc.global t i32 max(k, 0)) (target");
    // what will be planned stays where it is needed, but for iterations in any order
    expect(AFTER_licm, arena_printf(arena, "(loop i 0 n (block %s)) (store r 0 1i64)", t),
           "(loop i 0 n (block (alloc.global t i32 n)", NULL);
    expect(
        AFTER_licm,
        arena_printf(arena, "(loop_parallel i 0 0 n (loop j 0 5 (block %s))) (store r 0 1i64)", t),
        "n (block (alloc.global t i32 n) (loop j", NULL);
    arena_delete(arena);
}

static void snapshots_give_way(void **state)
{
    (void)state;
    expect(AFTER_copy_propagate,
           "(decl x i32 1) (loop i 0 n (block (decl t i32 x) (set x (* t (load a i)))))"
           "(store r 0 0i64) (store s 0 x)",
           "(set x (* x (load a i)))", "decl t");
    // not past a change, nor where a loop changes it
    expect(AFTER_copy_propagate,
           "(decl x i32 1) (set x 2) (decl t i32 x) (set x 3) (store r 0 0i64) (store s 0 "
           "(+ t x))",
           "(decl t i32 x)", NULL);
    expect(AFTER_copy_propagate,
           "(decl x i32 1) (set x 2) (decl t i32 x) (loop i 0 n (set x (+ x t))) (store r 0 "
           "0i64) (store s 0 x)",
           "(decl t i32 x)", NULL);
    expect(AFTER_copy_propagate,
           "(alloc.stack b i32 4) (loop i 0 4 (store b i 1)) (decl t i32 (load b 2)) (store "
           "b 2 (+ t 1)) (store r 0 0i64) (store s 0 (load b 2))",
           "(store b 2 (+ (load b 2) 1))", "decl t");
    expect(AFTER_copy_propagate,
           "(alloc.stack b i32 4) (loop i 0 4 (store b i 1)) (decl t i32 (load b 2)) (store "
           "b 1 0) (store r 0 0i64) (store s 0 t)",
           "(decl t i32 (load b 2))", NULL);
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

// Short sums inside of loops are written out, and what is assigned in a row is one expression.
static void sums_are_expressions(void **state)
{
    (void)state;
    static const char sums[] =
        "(decl m i32 0) (loop i 2 n (block (decl p i32 0) (loop j 0 3 (set p (+ p (load a (i + j"
        " - 2))))) (decl q i32 (* p 2)) (set m (max m q)))) (store r 0 0i64) (store s 0 m)";
    expect(AFTER_forward, sums,
           "(set m (max m (* (+ (+ (load a (i - 2)) (load a (i - 1))) (load a i)) 2)))", "decl q");
    // what is read twice, or changes in between, stays
    expect(AFTER_forward,
           "(decl m i32 0) (decl p i32 (load a 0)) (set m (* p p)) (store r 0 0i64) (store s 0 m)",
           "(decl p i32 (load a 0))", NULL);
    expect(AFTER_forward,
           "(decl m i32 (load a 0)) (decl p i32 m) (set m 3) (store r 0 0i64) (store s 0 (+ m p))",
           "(decl p i32 m)", NULL);
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
    expect(AFTER_interchange, SUM("(i*n + j)", "(store t j (+ p (load t (n - j))))"), NULL,
           "alloc.stack");
#undef SUM
    // a sum that begins with another one would have to be told what that begins with
    expect(AFTER_interchange,
           "(alloc.global t i32 n) (loop j 0 n (block (decl p i32 (load a j)) (decl q i32 (* 3 p))"
           " (loop i 0 n (block (set p (+ p (load a (i*n + j)))) (set q (- q p))))"
           " (store t j (+ p q)))) (store r 0 0i64) (store s 0 (load t 0))",
           NULL, "alloc.stack");
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

// In lockstep, branches that only choose what locals hold are selections; not where one value is over another.
static void branches_of_lanes_choose(void **state)
{
    (void)state;
#define CHOOSE(then, otherwise)                                                                    \
    "(alloc.global t i32 8) (loop_vector j 4 0 8 (block (decl p i32 0) (decl q i32 5)"             \
    " (loop i 0 n (branch (< p (load a i)) (block " then ") (block " otherwise ")))"               \
    " (store t j (+ p (+ q (load a j)))))) (store r 0 0i64) (store s 0 (load t 0))"
    expect(AFTER_distribute, CHOOSE("(set p (load a j)) (set q 7)", "(set q 9)"), "(? choice",
           "branch");
    expect(AFTER_distribute, CHOOSE("(set p (load a j)) (set q p)", "(set q 9)"), "branch",
           "(? choice");
    expect(AFTER_distribute, CHOOSE("(set p (load a j)) (store t j 7)", ""), "branch", "(? choice");
#undef CHOOSE
}

// An array that loops copy into place is made there, as are several that one loop copies; not when more is done to one of them there.
static void arrays_are_made_in_place(void **state)
{
    (void)state;
#define PAIRS(copy)                                                                                \
    "(loops t [n] (a: [n]i32) : ([n]i32, [n]i32) (buffers (in a i32 [n]) (out r i32 [n])"          \
    " (out s i32 [n])) (block (alloc.global t i32 n) (alloc.global u i32 n)"                       \
    " (loop i 0 n (block (store t i (load a i)) (store u i (load a (n - i - 1)))))"                \
    " (loop j 0 n (block " copy "))))"
    const char *made = "(store r i (load a i)) (store s i (load a (n - i - 1)))";
    const char *crossed = "(store s i (load a i)) (store r i (load a (n - i - 1)))";
    expect_of(AFTER_copy_elision, PAIRS("(store r j (load t j)) (store s j (load u j))"), made,
              "alloc");
    expect_of(AFTER_copy_elision, PAIRS("(store r j (load t j)) (store s j (load u j))"), NULL,
              "loop j");
    expect_of(AFTER_copy_elision, PAIRS("(store r j (load u j)) (store s j (load t j))"), crossed,
              "alloc");
    expect_of(AFTER_copy_elision, PAIRS("(store r j (load t j)) (store s j (load t j))"),
              "alloc.global t", NULL);
    expect_of(AFTER_copy_elision, PAIRS("(store r j (load t j)) (store s (n - j - 1) (load u j))"),
              "(alloc.global u i32 n)", "alloc.global t");
    expect_of(AFTER_copy_elision, PAIRS("(store r j (load t j)) (store s j (+ 1 (load u j)))"),
              "alloc.global u", NULL);
    // in each arm of a branch, but where something is stored there anyway
#define ARM(t, n)                                                                                  \
    "(block (alloc.global " t " i32 n) (loop " n " 0 n (store " t " " n " (load a " n ")))"        \
    " (loop j" n " 0 n (store r j" n " (load " t " j" n "))))"
#define ARMS(first)                                                                                \
    "(loops t [n] (a: [n]i32, q: bool) : [n]i32 (buffers (in a i32 [n]) (in q bool)"               \
    " (out r i32 [n])) (block " first " (branch q " ARM("t", "i") ARM("u", "k") ")))"
    expect_of(AFTER_copy_elision, ARMS(""), "(store r k (load a k))", "alloc");
    expect_of(AFTER_copy_elision, ARMS("(loop f 0 n (store r f 0))"), "alloc.global t",
              "(store r i");
    expect_of(AFTER_copy_elision, ARMS("(loop f 0 n (store r f 0))"), "alloc.global u",
              "(store r k");
#undef ARMS
#undef ARM
    // a place that is found out behind the allocation
    expect_of(AFTER_copy_elision,
              "(loops t [n] (a: [n]i32, q: i64) : [n]i32 (buffers (in a i32 [n]) (in q i64)"
              " (out r i32 [n])) (block (alloc.global t i32 1) (store t 0 (load a 0))"
              " (decl k i64 (& (size q) 7i64)) (store r k (load t 0))))",
              "alloc.global t", NULL);
#undef PAIRS
}

#define UPDATE(update)                                                                             \
    "(loops t [n, m] (a: [n + 1][m]i32, k: i64) : [n + 1][m]i32"                                   \
    " (buffers (in a i32 [n + 1, m]) (in k i64) (out r i32 [n + 1, m]))"                           \
    " (block (alloc.global u i32 ((n + 1)*m)) (loop i 0 (n + 1) (loop j 0 m"                       \
    " (store u (i*m + j) (load a (i*m + j))))) " update " (loop p 0 (n + 1) (loop q 0 m"           \
    " (store r (p*m + q) (load u (p*m + q)))))))"

// A row of u is made from rows of u, in t, and copied to u: row x from row y, where the condition
// holds.
#define ROW(condition, x, y)                                                                       \
    UPDATE("(loop x 0 n (loop y 0 n (branch " condition " (block (alloc.global t i32 m)"           \
           " (loop e 0 m (store t e (+ (load u ((" x ")*m + e)) (load u ((" y ")*m + e)))))"       \
           " (loop l 0 m (store u ((" x ")*m + l) (load t l)))) (block))))")

// The same of elements, whose positions are these.
#define ELEMENTS(body, copy) UPDATE("(loop x 0 n (block (alloc.global t i32 m) " body " " copy "))")
#define COPY                 "(loop l 0 m (store u (m*x + l) (load t l)))"

// An array that is copied over another is made there, where no element is read after it was
// changed.
static void arrays_are_updated(void **state)
{
    (void)state;
    const char *temporary = "alloc.global t";
    expect_of(AFTER_update_in_place, ROW("(!= (size x) (size y))", "x", "y"), NULL, temporary);
    expect_of(AFTER_update_in_place, ROW("(< (size x) (size y))", "x", "y"), NULL, temporary);
    expect_of(AFTER_update_in_place, ROW("true", "x", "x"), NULL, temporary);
    expect_of(AFTER_update_in_place, ROW("true", "x", "x + 1"), NULL, temporary);
    // the same element is read before it is written
    expect_of(AFTER_update_in_place, ROW("true", "x", "y"), NULL, temporary);
    const char *ahead = "(loop e 0 (m - 1) (store t e (load u (m*x + e + 1))))";
    const char *behind = "(loop e 1 m (store t e (load u (m*x + e - 1))))";
    const char *back = "(loop e 0 m (store t e (load u (m*x + m - 1 - e))))";
    const char *again = "(loop e 0 m (store t e 1)) (loop f 0 m (store t f (load u (m*x + f))))";
    const char *read_first =
        "(loop f 0 m (store r (m*x + f) (load u (m*x + f)))) (loop e 0 m (store t e 1))";
    const char *jump = "(loop e 0 m (store t e 1)) (branch (< (load a 0) 0) (goto out) (block))";
    Arena *arena = arena_new();
#define ONE(body, copy)                                                                            \
    arena_printf(arena, UPDATE("(target out (loop x 0 n (block (alloc.global t i32 m) %s %s)))"),  \
                 body, copy)
    expect_of(AFTER_update_in_place, ONE(ahead, COPY), NULL, temporary);
    expect_of(AFTER_update_in_place, ONE(behind, COPY), temporary, NULL);
    expect_of(AFTER_update_in_place, ONE(back, COPY), temporary, NULL);
    expect_of(AFTER_update_in_place, ONE(again, COPY), temporary, NULL);
    expect_of(AFTER_update_in_place, ONE(read_first, COPY), NULL, temporary);
    expect_of(AFTER_update_in_place, ONE(jump, COPY), temporary, NULL);
    // only some elements are copied, or one again and again
    expect_of(AFTER_update_in_place,
              ONE(ahead, "(loop l 0 (m - 1) (store u (m*x + l) (load t l)))"), temporary, NULL);
    expect_of(AFTER_update_in_place, ONE(ahead, "(loop l 0 m (store u (m*x) (load t 0)))"),
              temporary, NULL);
#undef ONE
    arena_delete(arena);
}

#define CELLS(body)                                                                                \
    "(loops t [n] (a: [n]i32, k: i64) : [n]i32 (buffers (in a i32 [n]) (in k i64)"                 \
    " (out r i32 [n])) (block (alloc.global u i32 n) (loop i 0 n (store u i (load a i)))"          \
    " (alloc.global v i32 n) (loop j 0 n (store v j (load a j))) " body                            \
    " (loop q 0 n (store r q (load u q)))))"
#define MOVE(to, from, index)                                                                      \
    "(loop " index " 0 n (store " to " " index " (load " from " " index ")))"
#define STEP(name) "(loop s 1 n (store " name " s (load u (s - 1))))"

// What is copied from an array that is not needed any more is this, or they exchange their memory.
static void arrays_are_moved(void **state)
{
    (void)state;
    const char *rotate = "rotate_pointers";
    expect_of(AFTER_rotate_buffers, CELLS("(loop x 0 k (block " STEP("v") MOVE("u", "v", "f") "))"),
              NULL,
              rotate); // v keeps an element
    expect_of(AFTER_rotate_buffers,
              CELLS("(loop x 0 k (block (alloc.global w i32 n)" STEP("w") MOVE("u", "w", "f") "))"),
              "(rotate_pointers (address u 0) (address w 0))", "loop f");
    expect_of(AFTER_rotate_buffers,
              CELLS("(loop x 0 k (block (alloc.global w i32 n)" MOVE("w", "u", "f")
                        MOVE("u", "v", "g") MOVE("v", "w", "h") "))"),
              "(rotate_pointers (address u 0) (address v 0))", "pointer w");
    // three levels in time
    expect_of(AFTER_rotate_buffers,
              CELLS("(loop x 0 k (block (alloc.global w i32 n) (loop s 1 n (store w s (+ (load v s)"
                    " (load u (s - 1)))))" MOVE("v", "u", "f") MOVE("u", "w", "g") "))"),
              "(rotate_pointers (address v 0) (address u 0) (address w 0))", "loop f");
    // what is copied is read behind the copy; behind a jump out of the loop
    expect_of(AFTER_rotate_buffers,
              CELLS("(loop x 0 k (block (alloc.global w i32 n)" STEP("w")
                        MOVE("u", "w", "f") "(store r 0 (load w 0))))"),
              NULL, rotate);
    expect_of(
        AFTER_rotate_buffers,
        CELLS("(target out (loop x 0 k (block " MOVE(
            "u", "v",
            "f") "(branch (< (load a 0) 3) (goto out) (block))" MOVE("v", "a",
                                                                     "g") ")))"
                                                                          "(store u 0 (load v 0))"),
        NULL, rotate);
    expect_of(AFTER_rotate_buffers,
              CELLS("(loop x 0 k (block " MOVE("u", "v", "f") MOVE("v", "a", "g") "))"), rotate,
              "loop f");
    // straight code
    expect_of(AFTER_rotate_buffers,
              CELLS("(alloc.global w i32 n)" MOVE("w", "v", "f") STEP("w") MOVE("u", "w", "g")),
              NULL, "alloc.global w");
    expect_of(AFTER_rotate_buffers,
              CELLS("(alloc.global w i32 n)" MOVE("w", "v", "f")
                        STEP("w") "(store u 0 (+ (load w 0) (load v 0)))"),
              "alloc.global w", NULL);
    // the result is one of the buffers
    expect_of(AFTER_copy_elision,
              CELLS("(loop x 0 k (block (alloc.global w i32 n)" STEP("w") MOVE("u", "w", "f") "))"),
              "(pointer u i32 (address r 0))", "alloc.global u");
    expect_of(AFTER_copy_elision,
              CELLS("(loop x 0 k (block (alloc.global w i32 n)" STEP("w") MOVE("u", "w", "f") "))"),
              "(branch (apart (address u 0) (address r 0))", NULL);
}

// An array that is written over another is that, and what it has from there is not copied to
// itself.
static void nothing_is_copied_to_itself(void **state)
{
    (void)state;
    const char *over =
        "(loops t [n] (a: [n]i32) : ([n]i32, [n]i32) (buffers (in a i32 [n]) (out r i32 [n])"
        " (out s i32 [n])) (block (store r 0 0) (store s 0 0) (alloc.global t i32 n)"
        " (loop i 0 n (store t i (* 3 (load a i)))) (alloc.global u i32 n)"
        " (loop j 0 n (block (store r j (+ 1 (load t j))) (store u j (load t j))))"
        " (loop q 0 n (store s q (+ (load u (n - q - 1)) (load u q))))))";
    expect_of(AFTER_copy_elision, over, "(store u j (load t j))", NULL);
    expect_of(AFTER_plan_memory, over, "(load t q)", "alloc.part u");
    expect_of(AFTER_plan_memory, over, NULL, "(store t j");
}

// Elements that are named one by one become locals; arrays that loops go through, that are given to
// a call or read before they are written stay.
static void small_arrays_are_locals(void **state)
{
    (void)state;
    static const char swap[] =
        "(alloc.stack b i32 2) (loop j 0 2 (store b j (load a j))) (decl t i32 (load b 0))"
        " (store b 0 (load b 1)) (store b 1 t) (store r 0 0i64) (store s 0 (load b 0))";
    expect(AFTER_sroa, swap, "(set b", "alloc");
    // a short one, in loops, too; of a longer one, values at the beginning do not count
    expect(AFTER_sroa,
           "(alloc.stack b i32 2) (store b 0 1) (store b 1 2)"
           " (loop i 0 n (loop j 0 2 (store b j (+ (load b j) (load a i)))))"
           " (store r 0 0i64) (store s 0 (load b 1))",
           "(set b", "alloc");
    expect(AFTER_sroa,
           "(alloc.stack b i32 4) (store b 0 1) (store b 1 2) (store b 2 3) (store b 3 4)"
           " (loop i 0 n (loop j 0 4 (store b j (+ (load b j) (load a i)))))"
           " (store r 0 0i64) (store s 0 (load b 1))",
           "alloc", NULL);
    expect(AFTER_sroa,
           "(alloc.stack b i32 4) (loop j 0 4 (store b j 0))"
           " (loop i 0 n (loop j 0 4 (store b j (+ (load b j) (load a i)))))"
           " (store r 0 0i64) (store s 0 (load b 1))",
           "alloc", NULL);
    // a second store to an element, even at first, assigns it again
    expect(AFTER_sroa,
           "(alloc.stack b i64 2) (store b 0 k) (store b 0 2i64) (store b 1 3i64)"
           " (store r 0 (load b 0)) (store s 0 0)",
           "(set b", "alloc");
    // elements that are sizes: one that is never assigned again stays a size
    expect(
        AFTER_sroa,
        "(alloc.stack b i64 2) (store b 0 k) (store b 1 2i64) (store b 1 (+ (load b 1) (load b 0)))"
        " (store r 0 (load b 1)) (store s 0 0)",
        "(set b", "alloc");
    expect(AFTER_sroa,
           "(alloc.stack b i32 2) (store b 0 1) (store b 1 2)"
           " (loop i 0 n (store b i%2 (+ (load b 0) (load b 1))))"
           " (store r 0 0i64) (store s 0 (load b 1))",
           "alloc", NULL);
    expect(AFTER_sroa,
           "(alloc.stack b i32 2) (store b 0 1) (branch (< k 0i64) (block (store b 1 (load b 0)))"
           " (block)) (store r 0 0i64) (store s 0 (load b 0))",
           "alloc", NULL);
    expect(AFTER_sroa,
           "(alloc.stack b i64 2) (store b 0 1i64) (store b 1 2i64) (call_function f (address b 0))"
           " (store r 0 (load b 0)) (store s 0 0)",
           "alloc", NULL);
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
}

// A loop that several threads may share asks for one where there is little to do.
static void little_work_stays_on_one_thread(void **state)
{
    (void)state;
#define PAR(bounds, body)                                                                          \
    "(alloc.global t i32 999999) (loop_parallel i 0 " bounds " (block " body "))"                  \
    "(store r 0 0i64) (store s 0 (load t 0))"
    expect(AFTER_parallel_threshold, PAR("0 n", "(store t i (load a i))"),
           "(branch (<= (size 65536) (size 2*n)) (loop_parallel i 0 0 n (store t i (load a i))) "
           "(loop i1 0 n (store t i1 (load a i1))))",
           NULL);
    // one is enough of a long body
#define STORES  "(store t i (load a i)) (store t i (+ 1 (load a i)))"
#define STORES8 STORES STORES STORES STORES STORES STORES STORES STORES
    expect(AFTER_parallel_threshold, PAR("0 n", STORES8 STORES8 STORES8 STORES8),
           "(loop_parallel i (? (<= (size 65536) (size 160*n)) 0 1) 0 n", NULL);
#undef STORES
    expect(AFTER_parallel_threshold, PAR("0 n", "(loop j 0 n (store t i (* 3 (load a j))))"),
           "(<= (size 65536) (size 3*n*n))", NULL);
    expect(AFTER_parallel_threshold, PAR("0 100", "(store t i 1)"), "(loop i 0 100", NULL);
    expect(AFTER_parallel_threshold, PAR("0 min(n, 3)", "(store t i 1)"), "(loop i 0 min(n, 3)",
           NULL);
    expect(AFTER_parallel_threshold, PAR("0 99999", "(store t i 1)"), "(loop_parallel i 0 0 99999",
           NULL);
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
           "(<= (size 65536) (size (n*n + ", NULL);
#undef HALVES3
#undef HALF
    expect(AFTER_parallel_threshold, PAR("0 n", "(loop_by j n (1 - n) 3 (store t i (load a i)))"),
           "(<= (size 65536) (size ", NULL);
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

// Casts of floats, where n is from 2 to 1000 by the entry's checks: what says nothing of the other side, or may be no number, stays.
static void casts_that_are_in_range_are_plain(void **state)
{
    (void)state;
    static const struct {
        const char *value, *to;
        bool known;
    } cases[] = {
        {"(min (max x 0.0f32) 1000.0f32)", "i32", true},
        {"(min (max x 0.0f32) 255.0f32)", "u8", true},
        {"(min (max x 0.0f32) 255.9f32)", "u8", true},
        {"(min (max x 0.0f32) 257.0f32)", "u8", false},
        {"(min (max x -0.5f32) 255.0f32)", "u8", true},
        {"(min (max x -1.5f32) 255.0f32)", "u8", false},
        {"(min (max x 0.0f32) last)", "i32", true},
        {"(min (max (* x last) 0.0f32) (- last 1.0f32))", "i32", true},
        {"(* last last)", "i32", true},
        {"(* (* last last) (* last last))", "i32", false},
        {"(max 0.0f32 (min x last))", "i32", true},
        {"(max x 0.0f32)", "i32", false},
        {"(min 1000.0f32 (max 0.0f32 x))", "i32", false}, // NaN
        {"(min (max x 0.0f32) y)", "i32", false},
        {"(min (max x -2147483648.0f32) 2147483648.0f32)", "i32", false},
        {"(? (< x 0.0f32) 1.0f32 last)", "i32", true},
        {"(floor (min (max x -3.5f32) 3.5f32))", "i16", true},
        {"(min (max x 0.0f32) 1000.0f32)", "i64", true},
        {"(* (min (max x -1.0f32) 1.0f32) 1e38f32)", "i64", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Session *cx = session_new();
        nat_init(cx);
        const char *text = arena_printf(
            cx->arena,
            "(loops f [n] (x: f32, y: f32) : %s (buffers (in x f32) (in y f32) (out r %s))"
            " (block (decl last f32 (cast (- (cast (size n) : i32) 1) : f32))"
            " (store r 0 (cast %s : %s))))",
            cases[i].to, cases[i].to, cases[i].value, cases[i].to);
        LoopEntry *e = read_loops(cx, text);
        Node *n = nat_var(cx, e->sizes.at[0]);
        SizeCheck least = {.relation = SIZE_LE, .left = nat_const(cx, 2), .right = n},
                  most = {.relation = SIZE_LE, .left = n, .right = nat_const(cx, 1000)};
        vec_push(cx->arena, &e->checks, least);
        vec_push(cx->arena, &e->checks, most);
        Text t = text_new(cx->arena);
        term_print(cx, &t, loops_strengthen_casts(cx, e)->body, NULL, 0, 0);
        bool known = strstr(text_get(&t), "cast.unchecked") != NULL;
        if (known != cases[i].known) fail_msg("%s: %s", cases[i].to, text_get(&t));
        session_delete(cx);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(guards_decide_checks),
        cmocka_unit_test(remainders_become_steps),
        cmocka_unit_test(decided_conditions_are_known),
        cmocka_unit_test(jumps_end_what_is_known),
        cmocka_unit_test(loops_are_counted),
        cmocka_unit_test(memory_stays_behind_jumps),
        cmocka_unit_test(snapshots_give_way),
        cmocka_unit_test(loops_become_one),
        cmocka_unit_test(tables_are_unrolled),
        cmocka_unit_test(small_arrays_are_locals),
        cmocka_unit_test(borders_leave_loops),
        cmocka_unit_test(sums_are_expressions),
        cmocka_unit_test(columns_are_read_by_rows),
        cmocka_unit_test(columns_are_done_in_blocks),
        cmocka_unit_test(arrays_are_made_in_place),
        cmocka_unit_test(arrays_are_updated),
        cmocka_unit_test(arrays_are_moved),
        cmocka_unit_test(nothing_is_copied_to_itself),
        cmocka_unit_test(branches_of_lanes_choose),
        cmocka_unit_test(little_work_stays_on_one_thread),
        cmocka_unit_test(nests_become_one),
        cmocka_unit_test(one_thread),
        cmocka_unit_test(casts_that_are_in_range_are_plain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
