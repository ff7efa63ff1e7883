// What single passes do with control flow: loops are counted, checks are decided, memory stays where
// it must, snapshots give way.
#include "loops/after.h"

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

// A size that the caller computes is limited by the array that has as many elements.
static void sizes_of_callers_are_limited(void **state)
{
    (void)state;
#define BLOCKS(checks)                                                                             \
    "(loops t [n] (k: idx[4611686018427387904], a: [n]f32) : [n]f32 " checks                       \
    "(buffers (in k i64 < 4611686018427387904) (in a f32 [n]) (out r f32 [n]))"                    \
    " (loop i 0 ((k + 1023)/1024) (block (decl f i64 (* 1024i64 (size i)))"                        \
    " (decl c i64 (min 1024i64 (- (size k) (size f)))) (loop j 0 c (block"                         \
    " (require E0601 (< (size (f + j)) (size k))) (store r (f + j) (load a (f + j))))))))"
    expect_of(AFTER_simplify, BLOCKS("(checks (k + 1 <= n + 1))"), "min(k - 1024*i, 1024)",
              "require");
    expect_of(AFTER_simplify, BLOCKS(""), "require", "min(k - 1024*i, 1024)");
#undef BLOCKS
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

// Checks of positions that are computed with floats: below 0 only if a float might be, beyond the end
// unless a minimum says otherwise. Numbers of 32 bits stay numbers of which products may wrap.
static void limits_decide_checks(void **state)
{
    (void)state;
#define AT(value, condition)                                                                       \
    "(decl x f32 (* (cast (size n) : f32) 0.5)) (decl p i64 " value ") (require E0601 " condition  \
    ") (store r 0 (size p)) (store s 0 1)"
    expect(AFTER_simplify, AT("(min (cast x : i64) (size (n + 2)))", "(<= (size 0) (size p))"),
           NULL, "require");
    expect(AFTER_simplify, AT("(min (cast x : i64) (size (n + 2)))", "(< (size p) (size (n + 3)))"),
           NULL, "require");
    expect(AFTER_simplify, AT("(min (cast x : i64) (size (n + 2)))", "(< (size p) (size (n + 2)))"),
           "require", NULL);
    expect(AFTER_simplify,
           AT("(min (cast (sqrt (+ x (abs (- x 3.0)))) : i64) (size n))", "(<= (size 0) (size p))"),
           NULL, "require");
    expect(AFTER_simplify, AT("(cast (- x 3.0) : i64)", "(<= (size 0) (size p))"), "require", NULL);
    expect(AFTER_simplify, AT("(cast (* x -0.0) : i64)", "(<= (size 0) (size p))"), "require",
           NULL);
    expect(AFTER_simplify, AT("(cast (/ x -2.0) : i64)", "(<= (size 0) (size p))"), "require",
           NULL);
    expect(AFTER_simplify, AT("(max (size k) 3i64)", "(<= (size 2) (size p))"), NULL, "require");
    expect(AFTER_simplify, AT("(max (size k) 3i64)", "(<= (size 4) (size p))"), "require", NULL);
    expect(AFTER_simplify, AT("(min (size k) 3i64)", "(<= (size 0) (size p))"), "require", NULL);
    expect(AFTER_simplify,
           AT("(max (min (cast (- x 3.0) : i64) (size n)) 0i64)", "(< (size p) (size (n + 2)))"),
           NULL, "require");
#undef AT
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
    // down, as long as the number of iterations cannot overflow
    expect(
        AFTER_canonicalize_loops,
        LOOP("(size (n - 1))", "(>= i 0i64)", "(decl x i64 i) (set p (+ p (load a x)))", "-1i64"),
        "0 n (block (set p (+ p 1)) (set p (+ p (load a (n - ", "loop_forever");
    expect(AFTER_canonicalize_loops, LOOP("(size n)", "(> i 2i64)", "", "-1i64"),
           "0 (n - 2) (set p", "loop_forever");
    expect(AFTER_canonicalize_loops, LOOP("(size n)", "(< 2i64 i)", "", "-1i64"),
           "0 (n - 2) (set p", "loop_forever");
    expect(AFTER_canonicalize_loops, LOOP("(size n)", "(>= i k)", "", "-1i64"), "loop_forever",
           NULL);
    expect(AFTER_canonicalize_loops, LOOP("k", "(>= i 0i64)", "", "-1i64"), "loop_forever", NULL);
    expect(AFTER_canonicalize_loops, LOOP("(size n)", "(>= i 0i64)", "", "-2i64"), "loop_forever",
           NULL);
    expect(AFTER_canonicalize_loops, LOOP("(size n)", "(< i 9i64)", "", "-1i64"), "loop_forever",
           NULL);
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

// In straight loops both operands of && and || are evaluated, unless the second one may not be, or takes long.
static void operands_are_evaluated_early(void **state)
{
    (void)state;
#define COUNT(condition)                                                                           \
    "(decl p i32 0) (loop i 0 (n - 1) (set p (? " condition                                        \
    " (+ p 1) p))) (store r 0 0i64) (store s 0 p)"
    expect(AFTER_speculate, COUNT("(? (< (load a i) 3) true (< 9 (load a (i + 1))))"),
           "(prim.eager | (< (load a i) 3) (< 9 (load a (i + 1))))", NULL);
    expect(AFTER_speculate, COUNT("(? (< 3 (load a i)) (< (load a (i + 1)) 9) false)"),
           "(prim.eager & (< 3 (load a i)) (< (load a (i + 1)) 9))", NULL);
    expect(AFTER_speculate, COUNT("(& (< 3 (load a i)) (< (load a (i + 1)) 9))"), "(prim.eager &",
           NULL);
    expect(AFTER_speculate,
           COUNT("(? (< 3 (load a i)) (? (< (load a i) 5) true (< 9 (load a i))) false)"),
           "(prim.eager & (< 3 (load a i)) (prim.eager | (< (load a i) 5) (< 9 (load a i))))",
           NULL);
    // what is behind the array is not loaded, and nothing is divided by zero
    expect(AFTER_speculate, COUNT("(? (< (load a i) 3) true (< 9 (load a (i + 2))))"), "true",
           "eager");
    expect(AFTER_speculate, COUNT("(? (< 0i64 k) (< 9 (load a (i + k))) false)"), "false", "eager");
    expect(AFTER_speculate, COUNT("(? (== (load a i) 0) true (< (/ 9 (load a i)) 3))"), "true",
           "eager");
    // not in a branch that depends on the iteration before
    expect(
        AFTER_speculate,
        "(decl p i32 0) (loop i 0 n (branch (? (< p 0) true (< p (load a i))) (set p (load a i)) "
        "(block))) (store r 0 0i64) (store s 0 p)",
        "(branch (? (< p 0) true", "eager");
    // branches that choose a bool
#define CHOICE(then, otherwise)                                                                    \
    "(alloc.global t bool n) (loop i 0 (n - 1) (block (decl c bool (< (load a i) 3)) (branch "     \
    "c " then " " otherwise "))) (store r 0 0i64) (store s 0 (? (load t 0) 1 2))"
    expect(AFTER_speculate,
           CHOICE("(store t i true)", "(block (decl b bool (< 9 (load a (i + 1)))) (store t i b))"),
           "(store t i (prim.eager | c (< 9 (load a (i + 1)))))", "branch");
    expect(AFTER_speculate, CHOICE("(store t i true)", "(store t i false)"), "(store t i c)",
           "branch");
    expect(AFTER_speculate,
           CHOICE("(store t i true)", "(block (decl b bool (< 9 (load a (i + 2)))) (store t i b))"),
           "(? c true (< 9", "eager");
    expect(AFTER_speculate, CHOICE("(store t i true)", "(store t (i + 1) false)"), "branch",
           "eager");
#undef CHOICE
    // a loop around another one is not straight
    expect(AFTER_speculate,
           "(decl p i32 0) (loop i 0 n (block (set p (? (? (< p 3) true (< 9 (load a i))) 1 p))"
           " (target b (loop_forever (branch (< p 7) (set p (+ p (load a i))) (goto b))))))"
           " (store r 0 0i64) (store s 0 p)",
           "true", "eager");
#undef COUNT
}

// Operators with literals are applied to choices between literals, and saturating sums and
// differences with 0 vanish.
static void literals_are_folded(void **state)
{
    (void)state;
#define STORED(value) "(store r 0 k) (store s 0 " value ")"
#define CHOICE        "(? (< (load a 0) 7) 2 -1)"
    expect(AFTER_simplify, STORED("(+ " CHOICE " 3)"), "(? (< (load a 0) 7) 5 2)", "+");
    expect(AFTER_simplify, STORED("(- 3 " CHOICE ")"), "(? (< (load a 0) 7) 1 4)", "-");
    expect(AFTER_simplify, STORED("(add_sat " CHOICE " 2147483647)"),
           "(? (< (load a 0) 7) 2147483647 2147483646)", "add_sat");
    expect(AFTER_simplify, STORED("(sub_sat (load a 0) 0)"), "(store s 0 (load a 0))", "sub_sat");
    expect(AFTER_simplify, STORED("(add_sat 0 (load a 0))"), "(store s 0 (load a 0))", "add_sat");
    // a division that fails in one of the arms stays, and so do other operands
    expect(AFTER_simplify, STORED("(/ 3 (? (< (load a 0) 7) 2 0))"), "(/ 3 (?", NULL);
    expect(AFTER_simplify, STORED("(+ " CHOICE " (load a 1))"), "(+ (?", NULL);
    expect(AFTER_simplify, STORED("(sub_sat 0 (load a 0))"), "(sub_sat 0 (load a 0))", NULL);
#undef STORED
#undef CHOICE
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(guards_decide_checks),
        cmocka_unit_test(sizes_of_callers_are_limited),
        cmocka_unit_test(decided_conditions_are_known),
        cmocka_unit_test(jumps_end_what_is_known),
        cmocka_unit_test(limits_decide_checks),
        cmocka_unit_test(loops_are_counted),
        cmocka_unit_test(memory_stays_behind_jumps),
        cmocka_unit_test(snapshots_give_way),
        cmocka_unit_test(sums_are_expressions),
        cmocka_unit_test(branches_of_lanes_choose),
        cmocka_unit_test(small_arrays_are_locals),
        cmocka_unit_test(casts_that_are_in_range_are_plain),
        cmocka_unit_test(operands_are_evaluated_early),
        cmocka_unit_test(literals_are_folded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
