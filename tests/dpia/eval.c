// The interpreter of DPIA: it agrees with that of Core on every program, and reports what a wrong
// translation would do.
#include "dpia/random_values.h"

// Whether the program had a value for these inputs.
static bool compare(Session *cx, const char *name, Function *low, const Phrase *p, Random *r)
{
    static const int64_t choices[] = {0, 1, 2, 3, 7};
    Call call;
    Value a = {0}, b = {0};
    if (!random_call(r, low, choices, 5, &call)) return false;
    Outcome core = core_eval(cx, cx->arena, NULL, low, call.generics, call.nsizes, call.args,
                             r->algebra, MUCH_FUEL, &a);
    Outcome dpia = dpia_eval(cx, cx->arena, p, call.sizes, call.args, r->algebra, MUCH_FUEL, &b);
    if (same_outcome(core, &a, dpia, &b)) return core.ok;
    fail_msg("%s with sizes %lld %lld: core %s, dpia %s", name, (long long)call.sizes[0],
             (long long)call.sizes[1], outcome_text(cx, core, &a, low->result),
             outcome_text(cx, dpia, &b, low->result));
    return false;
}

static void agrees_with_core(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    const char **names;
    int n = program_names(arena, &names);
    for (int i = 0; i < n; i++) {
        Session *cx = session_new();
        nat_init(cx);
        Function *low = read_low(cx, names[i]);
        const Phrase *p = dpia_from_core(cx, low);
        int values = 0;
        for (int k = 0; k < 30; k++) {
            Random r = {
                .cx = cx, .seed = (unsigned)k, .algebra = k % 2 ? ALGEBRA_FIELD : ALGEBRA_IEEE};
            values += compare(cx, names[i], low, p, &r);
        }
        if (values < 3) fail_msg("%s has a value for %d inputs only", names[i], values);
        session_delete(cx);
    }
    arena_delete(arena);
}

// The value of a phrase with n = 3 and a = [1, 2, 3], or the code of the error and its text.
static const char *run(Session *cx, const char *text)
{
    Phrase *p = dpia_read(cx, session_add_source(cx, "test", text, strlen(text)));
    if (!p) {
        Text t = text_new(cx->arena);
        diag_print_all(cx, &t, false);
        fail_msg("%s", text_get(&t));
    }
    static const int64_t sizes[] = {3};
    Value items[] = {{.bits = 1}, {.bits = 2}, {.bits = 3}}, a = {.count = 3, .parts = items},
          v = {0};
    Outcome o = dpia_eval(cx, cx->arena, p, sizes, &a, ALGEBRA_IEEE, 10000, &v);
    return outcome_text(cx, o, &v, p->out.type);
}

static void expect(const char *body, const char *outcome)
{
    Session *cx = session_new();
    nat_init(cx);
    const char *callees = "(phrase f [n] (r: &mut [n]i32, xs: [n]i32) (out: i32)"
                          "  (seq (for i n (:= (acc_at r i) (+ (at r i) (at xs i)))) (:= out 5)))"
                          "(phrase g [n] (k: i32) (out: i32) (invoke g out (+ k 1)))"
                          "(external h (k: i32) (out: i32))";
    const char *got =
        run(cx, arena_printf(cx->arena, "(phrase t [n] (a: [n]i32) (out: [n]i32) %s)%s", body,
                             callees));
    if (strncmp(got, outcome, strlen(outcome)) != 0)
        fail_msg("%s:\n%s, not %s", body, got, outcome);
    session_delete(cx);
}

static void commands(void **state)
{
    (void)state;
    expect("(for i n (:= (acc_at out i) (* 2 (at a i))))", "[2, 4, 6]");
    expect("(for i n (let_in x (at a i) (:= (acc_at out i) (* x x))))", "[1, 4, 9]");
    expect("(for i n (when (== (at a i) 2) (:= (acc_at out i) 0) (:= (acc_at out i) 1)))",
           "[1, 0, 1]");
    expect("(new.stack t i32 (seq (:= t 0) (for i n (seq (:= t (+ t (at a i))) (:= (acc_at out i) "
           "t)))))",
           "[1, 3, 6]");
    expect("(for i n (:= (acc_at out i) (at (pad clamp 1 0 (slice 0 (n - 1) a)) i)))", "[1, 1, 2]");
    expect("(for i n (:= (acc_at out i) (select (== 1 1) 7 (/ 1 0))))", "[7, 7, 7]");
}

#define ALL(value) "(for i n (:= (acc_at out i) " value "))"

static void control(void **state)
{
    (void)state;
    expect("(new.stack t i32 (seq (:= t 0) (labelled k (again (seq (when (== t 6) (leave k) (skip))"
           " (:= t (+ t 2))))) " ALL("t") "))",
           "[6, 6, 6]");
    expect("(labelled k (labelled l (seq (for i n (:= (acc_at out i) 1)) (leave k))))",
           "[1, 1, 1]");
    expect("(new.stack t i64 (seq (:= t 0i64) (labelled k (for_range i (-2) n (seq (:= t (+ t "
           "(size i)))"
           " (when (== (size i) 1i64) (leave k) (skip))))) (for j n (:= (acc_at out j) (cast t : "
           "i32)))))",
           "[-2, -2, -2]");
    expect("(new.stack t [n]i32 (seq (for_parallel i 2 0 n (:= (acc_at t (size i : idx[n])) 4))"
           " (for_vector j 8 1 n (:= (acc_at t (size j : idx[n])) 5)) " ALL("(at t i)") "))",
           "[4, 5, 5]");
    expect("(again (skip))", "E0605");
}

static void calls(void **state)
{
    (void)state;
    expect("(new.stack t [n]i32 (new.stack s i32 (seq (for i n (:= (acc_at t i) 10))"
           " (invoke f s (acc t : [n]i32) a) (for j n (:= (acc_at out j) (+ s (at t j)))))))",
           "[16, 17, 18]");
    expect("(new.stack t [2*n]i32 (new.stack s i32 (seq (for i 2*n (:= (acc_at t i) 10))"
           " (invoke f s (acc_part 1 n t) (slice 0 n t))"
           " (for j n (:= (acc_at out j) (at t (size j : idx[2*n])))))))",
           "[10, 20, 30]");
    expect("(new.stack s i32 (invoke g s 1))", "E0605");
    expect("(new.stack s i32 (invoke h s 1))", "E0608");
}

// Those that the programs do not read from memory.
static void views(void **state)
{
    (void)state;
    expect(
        "(for i n (:= (acc_at out i) (at (at (slide 1 2 a) (size 1 : idx[2])) (size 0 : idx[1]))))",
        "[3, 3, 3]");
    expect("(for i n (:= (acc_at out i) (at (join (slide 2 1 a)) (size (i + 1) : idx[4]))))",
           "[2, 2, 3]");
    expect("(for i n (:= (acc_at out i) (at (pad wrap 1 0 a) i)))", "[3, 1, 2]");
    expect("(for i n (:= (acc_at out i) (at (pad wrap 0 n a) (size (i + 2) : idx[2*n]))))",
           "[3, 1, 2]");
}

static void run_time_errors(void **state)
{
    (void)state;
    expect("(seq (check E0601 (== 1 2)) (skip))", "E0601");
    expect("(for i n (seq (check E0602 (!= (- (at a i) 2) 0)) (:= (acc_at out i) 1)))", "E0602");
    expect("(for i 100000*n (skip))", "E0605");
}

// What no right translation does.
static void faults(void **state)
{
    (void)state;
    expect("(for i (n - 1) (:= (acc_at out (size i : idx[n])) 1))",
           "E0901: an element of the result was not written");
    expect("(for i n (:= (acc_at out (size 0 : idx[n])) 1))", "E0901: written twice");
    expect("(new.stack t i32 (for i n (:= (acc_at out i) (+ 1 t))))",
           "E0901: an element of the result was not written");
    expect("(new.stack t i32 (when (== 1 t) (skip) (skip)))", "E0901: read before it was written");
    expect("(new.stack t [n]i32 (seq (for i n (:= (acc_at t i) 1)) (for j n (:= (acc_at out j) (at "
           "t (size (j + 1) : idx[n]))))))",
           "E0901: an index out of its range");
    expect("(for i n (:= (acc_at out i) (/ 1 0)))", "E0901: a division by zero");
    expect("(for i n (:= (acc_at (acc_part 1 n out) i) 1))",
           "E0901: written outside of the memory");
    expect("(for i n (:= (acc_at out i) (at (slice 1 n a) i)))",
           "E0901: read outside of the input");
    expect("(new.stack s i32 (invoke f s (acc out : [n]i32) a))",
           "E0901: an element of the result was not written");
    expect("(new.stack s i32 (invoke no s))", "E0901: not a function");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_core),
        cmocka_unit_test(commands),
        cmocka_unit_test(views),
        cmocka_unit_test(control),
        cmocka_unit_test(calls),
        cmocka_unit_test(run_time_errors),
        cmocka_unit_test(faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
