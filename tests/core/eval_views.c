// Views of the interpreter, each at the sizes 0, 1, 2 and 7.
#include "eval_util.h"

static void zip(void **state)
{
    (void)state;
    const char *term = "(zip " IOTA " (reverse " IOTA "))";
    expect(0, term, "[]");
    expect(1, term, "[(0, 0)]");
    expect(2, term, "[(0, 1), (1, 0)]");
    expect(7, term, "[(0, 6), (1, 5), (2, 4), (3, 3), (4, 2), (5, 1), (6, 0)]");
    expect(2, "(zip " IOTA " " IOTA " " IOTA ")", "[(0, 0, 0), (1, 1, 1)]");
    expect(1, "(zip " IOTA " (array 1 2))", "E0604");
}

static void unzip(void **state)
{
    (void)state;
    const char *term = "(unzip (zip " IOTA " (reverse " IOTA ")))";
    expect(0, term, "([], [])");
    expect(1, term, "([0], [0])");
    expect(2, term, "([0, 1], [1, 0])");
    expect(7, term, "([0, 1, 2, 3, 4, 5, 6], [6, 5, 4, 3, 2, 1, 0])");
}

static void split_and_join(void **state)
{
    (void)state;
    expect(0, ROWS, "[]");
    expect(2, ROWS, "[[0, 1, 2], [3, 4, 5]]");
    expect(7, "(split 7 " IOTA ")", "[[0, 1, 2, 3, 4, 5, 6]]");
    expect(7, "(split 2 " IOTA ")", "E0604");
    expect(0, "(split n " IOTA ")", "E0607");
    expect(0, "(join " ROWS ")", "[]");
    expect(1, "(join " ROWS ")", "[0, 1, 2]");
    expect(2, "(join " ROWS ")", "[0, 1, 2, 3, 4, 5]");
    expect(2, "(join (repeat 3 (repeat (n - 2) 1)))", "[]");
}

static void transpose(void **state)
{
    (void)state;
    expect(0, "(transpose " ROWS ")", "[[], [], []]");
    expect(1, "(transpose " ROWS ")", "[[0], [1], [2]]");
    expect(2, "(transpose " ROWS ")", "[[0, 3], [1, 4], [2, 5]]");
    expect(0, "(transpose (repeat 2 " IOTA "))", "[]");
    expect(7, "(at (transpose " ROWS ") (to_idx 2i64 : idx[3]))", "[2, 5, 8, 11, 14, 17, 20]");
}

static void slide(void **state)
{
    (void)state;
    expect(7, "(slide 3 1 " IOTA ")", "[[0, 1, 2], [1, 2, 3], [2, 3, 4], [3, 4, 5], [4, 5, 6]]");
    expect(7, "(slide 3 2 " IOTA ")", "[[0, 1, 2], [2, 3, 4], [4, 5, 6]]");
    expect(7, "(slide 2 3 " IOTA ")", "[[0, 1], [3, 4]]");
    expect(2, "(slide 3 1 " IOTA ")", "[]");
    expect(1, "(slide 3 1 " IOTA ")", "E0604");
    expect(4, "(slide 3 1 (circular 3 " IOTA "))", "[[0, 1, 2], [1, 2, 3]]");
    expect(1, "(slide 1 1 " IOTA ")", "[[0]]");
    expect(0, "(slide 1 1 " IOTA ")", "[]");
    expect(0, "(slide 1 n " IOTA ")", "E0604");
}

static void pad(void **state)
{
    (void)state;
    expect(2, "(pad clamp 2 3 " IOTA ")", "[0, 0, 0, 1, 1, 1, 1]");
    expect(1, "(pad clamp 1 1 " IOTA ")", "[0, 0, 0]");
    expect(2, "(pad mirror 3 4 " IOTA ")", "[1, 1, 0, 0, 1, 1, 0, 0, 1]");
    expect(7, "(pad mirror 2 2 " IOTA ")", "[1, 0, 0, 1, 2, 3, 4, 5, 6, 6, 5]");
    expect(1, "(pad mirror 3 3 " IOTA ")", "[0, 0, 0, 0, 0, 0, 0]");
    expect(2, "(pad wrap 3 2 " IOTA ")", "[1, 0, 1, 0, 1, 0, 1]");
    expect(7, "(pad wrap 1 1 " IOTA ")", "[6, 0, 1, 2, 3, 4, 5, 6, 0]");
    expect(2, "(pad const 1 2 9i64 " IOTA ")", "[9, 0, 1, 9, 9]");
    expect(0, "(pad const 1 2 9i64 " IOTA ")", "[9, 9, 9]");
    expect(0, "(pad clamp 0 0 " IOTA ")", "[]");
    expect(0, "(pad clamp 1 0 " IOTA ")", "E0604");
    expect(0, "(pad mirror 0 1 " IOTA ")", "E0604");
    expect(0, "(pad wrap 0 1 " IOTA ")", "E0604");
    expect(1, "(pad clamp (n - 2) 1 " IOTA ")", "E0604");
}

static void concat_repeat_slice(void **state)
{
    (void)state;
    expect(0, "(concat " IOTA " (array 5i64))", "[5]");
    expect(2, "(concat " IOTA " " IOTA ")", "[0, 1, 0, 1]");
    expect(0, "(repeat n 1)", "[]");
    expect(2, "(repeat n (repeat 1 true))", "[[true], [true]]");
    expect(1, "(repeat (n - 2) true)", "E0604");
    expect(7, "(slice 2 3 " IOTA ")", "[2, 3, 4]");
    expect(7, "(slice n 0 " IOTA ")", "[]");
    expect(0, "(slice 0 n " IOTA ")", "[]");
    expect(7, "(slice 5 3 " IOTA ")", "E0604");
    expect(1, "(slice 1 1 " IOTA ")", "E0604");
    expect(1, "(slice (n - 2) 1 " IOTA ")", "E0604");
}

static void stride(void **state)
{
    (void)state;
    expect(0, "(stride 2 " IOTA ")", "[]");
    expect(2, "(stride 2 " IOTA ")", "[0]");
    expect(6, "(stride 2 " IOTA ")", "[0, 2, 4]");
    expect(7, "(stride 1 " IOTA ")", "[0, 1, 2, 3, 4, 5, 6]");
    expect(7, "(stride 2 " IOTA ")", "E0604");
    expect(2, "(stride 2 " ROWS ")", "[[0, 1, 2]]");
}

static void reverse_and_rotate(void **state)
{
    (void)state;
    expect(0, "(reverse " IOTA ")", "[]");
    expect(1, "(reverse " IOTA ")", "[0]");
    expect(7, "(reverse " IOTA ")", "[6, 5, 4, 3, 2, 1, 0]");
    expect(0, "(rotate 3i64 " IOTA ")", "[]");
    expect(1, "(rotate 3i64 " IOTA ")", "[0]");
    expect(7, "(rotate 2i64 " IOTA ")", "[5, 6, 0, 1, 2, 3, 4]");
    expect(7, "(rotate -9i64 " IOTA ")", "[2, 3, 4, 5, 6, 0, 1]");
    expect(2, "(rotate 9223372036854775807i64 " IOTA ")", "[1, 0]");
    expect(2, "(rotate -9223372036854775808i64 " IOTA ")", "[0, 1]");
}

static void gather_and_permute(void **state)
{
    (void)state;
    const char *odd = "(gather (generate 2 (lam (i: idx[2]) (to_idx (+ 1i64 (* 2i64 (cast i : "
                      "i64))) : idx[n]))) " IOTA ")";
    expect(7, odd, "[1, 3]");
    expect(2, odd, "E0601");
    expect(0, "(gather (array : [0]idx[n]) " IOTA ")", "[]");
    const char *p = "(lam (i: idx[n]) (to_idx (% (+ 1i64 (cast i : i64)) (size n)) : idx[n]))";
    const char *q = "(lam (i: idx[n]) (to_idx (% (+ (- (size n) 1i64) (cast i : i64)) (size n)) : "
                    "idx[n]))";
    Session *cx = new_session();
    const char *term = arena_printf(cx->arena, "(permute %s %s " IOTA ")", p, q);
    expect(0, term, "[]");
    expect(1, term, "[0]");
    expect(2, term, "[1, 0]");
    expect(7, term, "[1, 2, 3, 4, 5, 6, 0]");
    expect(7, arena_printf(cx->arena, "(permute %s %s " IOTA ")", p, p), "E0611");
    session_delete(cx);
}

// Lin's MatMul0 transposes its first argument, which gives the transpose of the product the other way
// round.
#define DOT_ROWS(outer, inner)                                                                     \
    "(map (lam (r: [2]i64) (map (lam (c: [2]i64) (reduce (lam (x: i64, y: i64) (+ x y)) 0i64 "     \
    "(map (lam (p: (i64, i64)) (* (proj 0 p) (proj 1 p))) (zip r c)))) " inner ")) " outer ")"
#define A "(array (array 1i64 2i64) (array 3i64 4i64))"
#define B "(array (array 0i64 1i64) (array 2i64 1i64))"
static void lin_matmul0_is_another_product(void **state)
{
    (void)state;
    expect(1, DOT_ROWS(A, "(transpose " B ")"), "[[4, 3], [8, 7]]");
    expect(1, DOT_ROWS(B, "(transpose " A ")"), "[[3, 4], [5, 8]]");
    expect(1, DOT_ROWS("(transpose " A ")", B), "[[3, 5], [4, 8]]");
}

// A border around the argument of a stencil is not a border around its result (Lin's two versions of
// Jacobi2D).
static void lin_borders_of_arguments_and_results(void **state)
{
    (void)state;
    const char *of_argument =
        "(map (lam (w: [3]i64) (reduce (lam (x: i64, y: i64) (+ x y)) 0i64 w)) "
        "(slide 3 1 (pad clamp 1 1 (array 0i64 1i64 2i64 3i64))))";
    const char *of_result =
        "(pad clamp 1 1 (map (lam (w: [3]i64) (reduce (lam (x: i64, y: i64) (+ x y)) 0i64 w)) "
        "(slide 3 1 (array 0i64 1i64 2i64 3i64))))";
    expect(1, of_argument, "[1, 3, 6, 8]");
    expect(1, of_result, "[3, 3, 6, 6]");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(zip),
        cmocka_unit_test(unzip),
        cmocka_unit_test(split_and_join),
        cmocka_unit_test(transpose),
        cmocka_unit_test(slide),
        cmocka_unit_test(lin_matmul0_is_another_product),
        cmocka_unit_test(lin_borders_of_arguments_and_results),
        cmocka_unit_test(pad),
        cmocka_unit_test(concat_repeat_slice),
        cmocka_unit_test(stride),
        cmocka_unit_test(reverse_and_rotate),
        cmocka_unit_test(gather_and_permute),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
