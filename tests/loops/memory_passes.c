// What single passes do with memory: arrays are made in place, updated and moved rather than copied.
#include "loops/after.h"

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
#define NESTED(first, then)                                                                        \
    "(loops t [n] (a: [n]i32, q: bool, p: bool) : [n]i32 (buffers (in a i32 [n]) (in q bool)"      \
    " (in p bool) (out r i32 [n])) (branch q " ARM("t", "i") "(block " first                       \
                                                             " (branch p " ARM("u", "k")           \
                                                                 ARM("v", "l") ")" then ")))"
    expect_of(AFTER_copy_elision, NESTED("", ""), "(store r l (load a l))", "alloc");
    expect_of(AFTER_copy_elision, NESTED("(loop f 0 n (store r f 0))", ""),
              "(store r i (load a i))", "(store r k (load a k))");
    expect_of(AFTER_copy_elision, NESTED("", "(loop f 0 n (store r f 0))"),
              "(store r i (load a i))", "(store r l (load a l))");
#undef NESTED
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

// What is overwritten before it is read gets no first values.
static void first_values_are_left_out(void **state)
{
    (void)state;
#define FIRST(value, between, later)                                                               \
    "(loops t [n] (a: [n]i32, k: [n]i64) : [n]i32 (buffers (in a i32 [n]) (in k i64 [n])"          \
    " (out r i32 [n])) (block (loop i 0 n (store r i " value ")) " between later "))"
#define RANGE(from, to, value) "(loop j " from " " to " (store r j " value "))"
#define FROM_1(value)          RANGE("1", "n", value)
    const char *all = "(loop i 0 n (store r i (load a i)))";
    const char *one = "(branch (< (size 0) (size n)) (store r 0 (load a 0)) (block))";
    expect_of(AFTER_trim_fills, FIRST("(load a i)", "", FROM_1("(load r (j - 1))")), one, all);
    expect_of(AFTER_trim_fills, FIRST("7", "", RANGE("2", "(n - 2)", "(+ 1 (load r (j - 2)))")),
              "(loop i1 0 min(n, 2) (store r i1 7))", "(loop i 0 n");
    expect_of(AFTER_trim_fills, FIRST("7", "", RANGE("2", "(n - 2)", "(+ 1 (load r (j - 2)))")),
              "(loop i2 max(n - 2, 0) n (store r i2 7))", NULL);
    expect_of(AFTER_trim_fills, FIRST("7", "", RANGE("5", "n", "(load r (j - 1))")),
              "(loop i 0 n (store r i 7))", NULL); // not much would be saved
    // one row ahead of the loop's index, and back from the end
    expect_of(AFTER_trim_fills,
              FIRST("7", "", "(loop j 0 (n - 1) (store r (j + 1) (+ 1 (load r j))))"),
              "(branch (< (size 0) (size n)) (store r 0 7) (block))", "(loop i 0 n");
    expect_of(AFTER_trim_fills,
              FIRST("7", "", "(loop j 2 n (store r (n - j) (+ 1 (load r (n - j + 1)))))"),
              "(branch (< (size 0) (size n)) (store r 0 7) (block))", "(loop i 0 n");
    expect_of(AFTER_trim_fills,
              FIRST("7", "", "(loop j 2 n (store r (n - j) (+ 1 (load r (n - j + 1)))))"),
              "(store r (n - 1) 7)", NULL);
    // its own element is loaded first: it is computed, if that is only a load
    expect_of(AFTER_trim_fills, FIRST("(load a i)", "", FROM_1("(* (load r j) (load r (j - 1)))")),
              "(store r j (* (load a j) (load r (j - 1))))", all);
    expect_of(AFTER_trim_fills,
              FIRST("(* 3 (load a i))", "", FROM_1("(* (load r j) (load r (j - 1)))")),
              "(loop i 0 n (store r i (* 3 (load a i))))", NULL);
    // the next element is loaded first
    expect_of(AFTER_trim_fills, FIRST("(load a i)", "", RANGE("0", "(n - 1)", "(load r (j + 1))")),
              all, NULL);
    // an element that the data decide
    expect_of(AFTER_trim_fills,
              FIRST("(load a i)", "",
                    "(loop j 1 n (block (decl x i64 (load k j)) (store r j (load r x))))"),
              all, NULL);
    // not in each iteration; not whole rows
    expect_of(
        AFTER_trim_fills,
        FIRST("(load a i)", "",
              "(loop j 1 n (branch (< (load k j) 0i64) (store r j (load r (j - 1))) (block)))"),
        all, NULL);
    // something accesses it before
    expect_of(AFTER_trim_fills,
              FIRST("(load a i)", "(decl x i32 (load r 3)) ", FROM_1("(+ (load r (j - 1)) x)")),
              all, NULL);
    // a jump between the two, and out of the second one
    expect_of(AFTER_trim_fills,
              FIRST("(load a i)",
                    "(target end (block (loop i3 0 n (store r i3 5)) (branch (< (load k 0) 0i64) "
                    "(goto end) (block)) ",
                    FROM_1("(load r (j - 1))") "))"),
              "(loop i3 0 n (store r i3 5))", NULL);
    expect_of(AFTER_trim_fills,
              FIRST("(load a i)", "",
                    "(target end (loop j 1 n (block (branch (< (load k j) 0i64) (goto end) (block))"
                    " (store r j (load r (j - 1))))))"),
              all, NULL);
#undef FROM_1
#undef RANGE
#undef FIRST
    // the values come from an array that changes in between, or does not
#define COPIED(between)                                                                            \
    "(loops t [n] (a: [n]i32) : ([n]i32, [n]i32) (buffers (in a i32 [n]) (out r i32 [n])"          \
    " (out s i32 [n])) (block (loop h 0 n (store s h (+ 1 (load a h)))) (loop i 0 n (store r i"    \
    " (load s i))) " between " (loop j 1 n (store r j (+ (load r j) (load r (j - 1)))))))"
    const char *copy = "(loop i 0 n (store r i (load s i)))";
    expect_of(AFTER_trim_fills, COPIED(""), "(store r j (+ (load s j) (load r (j - 1))))", copy);
    expect_of(AFTER_trim_fills, COPIED("(store s 1 4)"), copy, NULL);
#undef COPIED
    // nests of loops: by rows, and not by columns
#define NEST(later)                                                                                \
    "(loops t [n, m] (a: [n][m]i32) : [n][m]i32 (buffers (in a i32 [n, m]) (out r i32 [n, m]))"    \
    " (block (loop i 0 n (loop k 0 m (store r (i*m + k) (load a (i*m + k))))) " later "))"
    expect_of(AFTER_trim_fills,
              NEST("(loop x 1 n (loop y 0 m (store r (x*m + y) (load r (x*m + y - m)))))"),
              "(branch (< (size 0) (size n)) (loop k1 0 m (store r k1 (load a k1))) (block))",
              "loop i");
    expect_of(AFTER_trim_fills,
              NEST("(loop x 0 n (loop y 1 m (store r (x*m + y) (load r (x*m + y - 1)))))"),
              "(loop i 0 n (loop k 0 m", NULL);
    expect_of(AFTER_trim_fills,
              NEST("(loop y 0 m (loop x 1 n (store r (x*m + y) (load r (x*m + y - m)))))"),
              "(loop i 0 n (loop k 0 m", NULL);
#undef NEST
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrays_are_made_in_place),  cmocka_unit_test(arrays_are_updated),
        cmocka_unit_test(arrays_are_moved),          cmocka_unit_test(nothing_is_copied_to_itself),
        cmocka_unit_test(first_values_are_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
