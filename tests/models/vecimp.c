// VecImp: the lattice of lengths, what is well typed and what is not, what programs mean, the corrected misprints of the thesis.
#include "models/models.h"

static Session *cx;

static int setup(void **state)
{
    (void)state;
    cx = session_new();
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    session_delete(cx);
    return 0;
}

// --- lengths ------------------------------------------------------------------------------------

static void lengths_are_a_lattice(void **state)
{
    static const int all[] = {1, 2, 3, 4, 8, 32, NO_LENGTH};
    enum { N = sizeof all / sizeof *all };
    (void)state;
    assert_int_equal(length_join(1, 1), 1);
    assert_int_equal(length_join(1, 4), 4);
    assert_int_equal(length_join(4, 8), NO_LENGTH);
    for (int i = 0; i < N; i++) {
        assert_int_equal(length_join(all[i], all[i]), all[i]);
        assert_int_equal(length_join(1, all[i]), all[i]);
        assert_int_equal(length_join(NO_LENGTH, all[i]), NO_LENGTH);
        for (int k = 0; k < N; k++) {
            assert_int_equal(length_join(all[i], all[k]), length_join(all[k], all[i]));
            for (int l = 0; l < N; l++)
                assert_int_equal(length_join(length_join(all[i], all[k]), all[l]),
                                 length_join(all[i], length_join(all[k], all[l])));
        }
    }
}

static void what_may_be_put_where(void **state)
{
    static const struct {
        int mode, to, from;
        bool may;
    } rows[] = {
        {1, 1, 1, true},  {1, 4, 1, true},  {1, 4, 4, true},  {1, 1, 4, false}, {1, 2, 4, false},
        {4, 1, 1, true},  {4, 4, 1, true},  {4, 4, 4, true},  {4, 1, 4, false}, {4, 2, 2, false},
        {4, 8, 1, false}, {4, 8, 8, false}, {4, 2, 1, false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (length_assignable(rows[i].mode, rows[i].to, rows[i].from) != rows[i].may)
            fail_msg("%d |- %d <- %d", rows[i].mode, rows[i].to, rows[i].from);
}

// --- types --------------------------------------------------------------------------------------

#define MAIN(result, params, body) "simd(1) int varying(" result ") main(" params ") {" body "}"
#define V4                         "int varying(4) v"
#define U                          "int varying(1) u"

// Programs, and why they are ill typed; NULL: they are not.
static const struct {
    const char *text, *why;
} typed[] = {
    {MAIN("4", V4, "return v + {2, 4, 8, 10};"), NULL},
    {MAIN("4", V4 ", " U, "return v + u;"), NULL},
    {MAIN("4", V4, "return v + {0, 1};"), "operands of two lengths"},
    {MAIN("4", V4, "return v + true;"), "an operator that is not for these types"},
    {MAIN("4", V4, "return v + 1.0;"), "an operator that is not for these types"},
    {MAIN("1", V4, "return v;"), "another result than the function says"},
    {MAIN("4", U, "return u;"), "another result than the function says"},
    {"simd(4) int varying(4) main(" U ") { return u; }", NULL}, // what is returned is for all lanes
    {"simd(4) int varying(4) main(int varying(2) v) { return 1; }",
     "a length that is not the current one"},
    {"simd(4) int varying(4) main() { int varying(8) x; return 1; }",
     "a length that is not the current one"},
    {MAIN("1", "", "int varying(4) x; int varying(8) y; x = 1; y = 2; return 0;"), NULL},
    {MAIN("1", V4, "int varying(1) x = v; return x;"), "a value of another length"},
    {MAIN("4", V4, "float varying(4) x = v; return v;"), "a value of another type"},
    {MAIN("1", "", "x = 1; return 0;"), "no such variable"},
    {MAIN("1", "", "return {{1, 2}, {3, 4}};"), "a vector of vectors"},
    {MAIN("2", "", "return {1, 2.0};"), "a vector of two types"},
    // conditions of lanes make the current length theirs
    {MAIN("4", V4, "if (v < 3) { v = v + 2; } else { v = v - 3; } return v;"), NULL},
    {MAIN("4", V4, "if (v < 3) { int varying(8) x; x = 1; } return v;"),
     "a length that is not the current one"},
    {MAIN("4", V4, "int varying(8) x; if (v < 3) { x = 1; } return v;"),
     "a value of another length"},
    {MAIN("4", V4, "if (v) { v = 1; } return v;"), "a condition that is none"},
    {MAIN("4", V4, "while (v < 3) { v = v + 1; } return v;"), NULL},
    {MAIN("4", V4, "while (v < 3) { if (v < {1, 2}) { v = 1; } } return v;"),
     "a length that is not the current one"},
    {MAIN("4", V4 ", " U, "if (u < 3) { v = v + 1; } return v;"), NULL},
    {MAIN("4", V4, "if (v < 3) { return v; } return v;"), "a return in a branch"},
    {MAIN("4", V4, "while (v < 3) { break; } return v;"), "no statement of the calculus"},
    // functions are called for as many lanes as there are, or in scalar mode
    {"simd(4) int varying(4) f(" V4 ") { return v; }" MAIN("4", U, "return f(u);"), NULL},
    {"simd(4) int varying(4) f(" V4
     ") { return v; }" MAIN("4", "int varying(4) x", "if (x < 3) { x = f(x); } return x;"),
     NULL},
    {"simd(1) int varying(4) f(" V4
     ") { return v; }" MAIN("4", "int varying(4) x", "if (x < 3) { x = f(x); } return x;"),
     "a function for another number of lanes"},
    {"simd(8) int varying(8) f(" U
     ") { return u; }" MAIN("4", "int varying(4) x", "if (x < 3) { f(1); } return x;"),
     "a function for another number of lanes"},
    {"simd(1) int varying(1) f(" U ") { return u; }" MAIN("1", "int varying(4) x", "return f(x);"),
     "an argument of another length"},
    {MAIN("1", "", "return f(1);"), "no function of so many parameters"},
    // the condition of a loop is one of the lanes that are still there, too
    {"simd(4) int varying(4) f(" V4
     ") { return v; }" MAIN("4", V4, "while (f(v) < 3) { v = v + 1; } return v;"),
     NULL},
    {"simd(1) int varying(4) f(" V4
     ") { return v; }" MAIN("4", V4, "while (f(v) < 3) { v = v + 1; } return v;"),
     "a function for another number of lanes"},
    // what all lanes share is not assigned by some
    {MAIN("4", V4 ", " U, "while (u < 3) { u = u + 1; v = v + u; } return v;"), NULL},
    {MAIN("4", V4, "if (v < 3) { int varying(1) x = 1; x = x + 1; v = v + x; } return v;"), NULL},
};

static void types(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof typed / sizeof *typed; i++) {
        const char *why = vec_ill_typed(cx, read_model(cx, typed[i].text), false);
        if ((why == NULL) != (typed[i].why == NULL) || (why && strcmp(why, typed[i].why) != 0))
            fail_msg("%s: %s, not %s", typed[i].text, why ? why : "well typed",
                     typed[i].why ? typed[i].why : "well typed");
    }
}

static void malformed_texts_are_refused(void **state)
{
    static const char *const texts[] = {"int",
                                        "int f() {",
                                        "int f() { return 1; x = 2; }",
                                        "int f() { x = ; }",
                                        "int f(x) { return 1; }",
                                        "int varying() f() { return 1; }",
                                        "int f() { 3 + ; }"};
    const char *wrong;
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (imp_read(cx, texts[i], &wrong)) fail_msg("%s is read", texts[i]);
}

// --- meaning ------------------------------------------------------------------------------------

#define LANES(...)                                                                                 \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }

// main of one vector of four, and what it gives; in steps too unless lanes leave.
static const struct {
    const char *text;
    int v[4], result[4];
    bool leaves;
} golden[] = {
    {MAIN("4", V4, "return v + {2, 4, 8, 10};"), LANES(0, 1, 2, 3), LANES(2, 5, 10, 13), false},
    {MAIN("4", V4, "if (v < 3) { v = v + 2; } else { v = v - 3; } return v;"), LANES(0, 8, 7, 1),
     LANES(2, 5, 4, 3), false},
    // listing 5.1: lanes return one by one
    {"simd(4) int varying(4) main(" V4 ") { if ((v == 0) | (v == 3)) { return 42; } return 23; }",
     LANES(0, 1, 2, 3), LANES(42, 23, 23, 42), true},
    // example 5.3: the loop has the lanes {0, 0, 1, 1}, its branches {0, 0, 0, 1} and {0, 0, 1, 0}
    {MAIN("4", V4,
          "int varying(4) loop = 0; int varying(4) odd = 0; int varying(4) even = 0;"
          "while (2 <= v) { loop = loop + 1; if (v % 2 == 1) { odd = odd + 1; } else"
          " { even = even + 1; } v = v - 2; } return loop * 100 + odd * 10 + even;"),
     LANES(0, 1, 2, 3), LANES(0, 0, 101, 110), false},
    // each lane has as many rounds as it has
    {MAIN("4", V4,
          "int varying(4) n = 0; while (1 < v) { if (v % 2 == 0) { int varying(4) h = 0;"
          " while (h * 2 != v) { h = h + 1; } v = h; } else { v = v * 3 + 1; } n = n + 1; } return "
          "n;"),
     LANES(1, 6, 7, 3), LANES(0, 8, 16, 7), false},
    // what comes behind a loop comes for those that left it early too, but not for those that returned
    {"simd(4) int varying(4) main(" V4
     ") { int varying(4) n = 0; while (n < 5) { n = n + 1; if (n == v) { break; }"
     " if (v == 0) { return 0 - 1; } } return n * 10; }",
     LANES(0, 2, 9, 5), LANES(-1, 20, 50, 50), true},
    {"simd(4) int varying(4) main(" V4
     ") { int varying(4) sum = 0; for (int varying(4) k = 0; k < v; k = k + 1) {"
     " if (k % 2 == 0) { continue; } sum = sum + k; } return sum; }",
     LANES(0, 2, 5, 6), LANES(0, 1, 4, 9), true},
};

static void programs_mean(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof golden / sizeof *golden; i++) {
        const ImpProgram *p = read_model(cx, golden[i].text);
        ImpValue v = int_lanes(4, golden[i].v), steps;
        MaskEnd failed;
        const char *why = golden[i].leaves ? NULL : vec_ill_typed(cx, p, false);
        if (why) fail_msg("%s: %s", golden[i].text, why);
        ImpValue masks = mask_run(p, "main", 1, &v, 100000, &failed);
        assert_int_equal(failed, MASKS_FINE);
        assert_value(&masks, 4, golden[i].result);
        for (int k = 0; k < 4; k++) {
            ImpNumber lane = {BASE_INT, golden[i].v[k]};
            ImpWay way;
            ImpNumber one = imp_run(imp_lane(cx, p, k), "main", 1, &lane, 100000, &way);
            assert_int_equal(way, IMP_ON);
            assert_int_equal((int)one.number, golden[i].result[k]);
        }
        if (golden[i].leaves) continue;
        assert_int_equal(run_steps(cx, p, true, true, 1, &v, 20000, &steps, &why), STEPS_END);
        assert_value(&steps, 4, golden[i].result);
    }
}

// --- corrected misprints ------------------------------------------------------------------------

// As printed, a branch is done where no lane is, so that no loop ends, and no function that calls itself: well typed at every step.
static void loops_end_by_the_guard(void **state)
{
    static const char *const texts[] = {
        MAIN("4", V4, "while (v < 3) { v = v + 1; } return v;"),
        MAIN("4", V4, "while (false) { v = v + 1; } return v;"),
        "simd(4) int varying(4) f(" V4 ") { int varying(4) r = v; if (v < 3) { r = f(v + 1); }"
        " return r; }" MAIN("4", V4, "v = f(v); return v;"),
    };
    static const int v[] = {0, 5, 2, 3}, results[][4] = {{3, 5, 3, 3}, {0, 5, 2, 3}, {3, 5, 3, 3}};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const ImpProgram *p = read_model(cx, texts[i]);
        ImpValue args = int_lanes(4, v), result;
        const char *why;
        assert_int_equal(run_steps(cx, p, false, true, 1, &args, 600, &result, &why), STEPS_GO_ON);
        assert_int_equal(run_steps(cx, p, true, true, 1, &args, 600, &result, &why), STEPS_END);
        assert_value(&result, 4, results[i]);
    }
}

// As printed, the condition of a loop need only be well typed before the loop. It is computed again where only some lanes are, and may be
// stuck there: with a function for one lane.
static void conditions_of_loops_are_computed_again(void **state)
{
    const ImpProgram *p = read_model(cx, "simd(1) int varying(4) f(" V4 ") { return v; }" MAIN(
                                             "4", V4, "while (f(v) < 3) { v = v + 1; } return v;"));
    static const int some[] = {0, 5, 2, 3}, none[] = {3, 5, 3, 3};
    ImpValue args = int_lanes(4, some), result;
    const char *why;
    (void)state;
    assert_int_equal(run_steps(cx, p, true, false, 1, &args, 600, &result, &why), STEPS_STUCK);
    args = int_lanes(4, none);
    assert_int_equal(run_steps(cx, p, true, false, 1, &args, 600, &result, &why), STEPS_END);
}

// The thesis allows one variable of all lanes to be assigned by some (A-Scalar), and has no meaning for it. Whatever is chosen, lanes do
// not do then what they do alone: so it is ill typed here.
static void lanes_do_not_assign_what_they_share(void **state)
{
    const ImpProgram *p =
        read_model(cx, MAIN("4", V4,
                            "int varying(1) x = 0; if (v < 3) { x = 1; } else { x = 2; }"
                            " v = v * 0 + x; return v;"));
    static const int v[] = {0, 5, 2, 3}, together[] = {2, 2, 2, 2}, alone[] = {1, 2, 1, 2};
    ImpValue args = int_lanes(4, v), result;
    const char *why;
    (void)state;
    assert_null(vec_ill_typed(cx, p, true));
    assert_string_equal(vec_ill_typed(cx, p, false),
                        "one variable of all lanes is assigned by some");
    assert_int_equal(run_steps(cx, p, true, true, 1, &args, 600, &result, &why), STEPS_END);
    assert_value(&result, 4, together);
    for (int k = 0; k < 4; k++) {
        ImpNumber lane = {BASE_INT, v[k]};
        ImpWay way;
        assert_int_equal((int)imp_run(imp_lane(cx, p, k), "main", 1, &lane, 1000, &way).number,
                         alone[k]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(lengths_are_a_lattice, setup, teardown),
        cmocka_unit_test_setup_teardown(what_may_be_put_where, setup, teardown),
        cmocka_unit_test_setup_teardown(types, setup, teardown),
        cmocka_unit_test_setup_teardown(malformed_texts_are_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(programs_mean, setup, teardown),
        cmocka_unit_test_setup_teardown(loops_end_by_the_guard, setup, teardown),
        cmocka_unit_test_setup_teardown(conditions_of_loops_are_computed_again, setup, teardown),
        cmocka_unit_test_setup_teardown(lanes_do_not_assign_what_they_share, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
