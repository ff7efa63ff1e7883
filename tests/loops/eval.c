// The interpreter of Loop IR: it agrees with that of Core on every program, before and after the
// passes, and reports what wrong loops would do.
#include "dpia/random_values.h"
#include "loops/ir/passes.h"
#include "loops/stages.h"

#include <stdlib.h>

typedef struct {
    const char *name;
    Function *low;
    LoopEntry *entries[LOOP_STAGES];
} Stages;

// Whether the program had a value for these inputs.
static bool compare(Session *cx, const Stages *p, Random *r)
{
    static const int64_t choices[] = {0, 1, 2, 3, 7};
    Call call;
    Value a = {0}, b = {0};
    if (!random_call(r, p->low, choices, 5, &call)) return false;
    Outcome core = core_eval(cx, cx->arena, NULL, p->low, call.generics, call.nsizes, call.args,
                             r->algebra, MUCH_FUEL, &a);
    for (int k = 0; k < LOOP_STAGES; k++) {
        Outcome loops = loops_eval(cx, cx->arena, p->entries[k], call.sizes, call.args, r->algebra,
                                   MUCH_FUEL, &b);
        if (!same_outcome(core, &a, loops, &b))
            fail_msg("%s with sizes %lld %lld: core %s, %s %s", p->name, (long long)call.sizes[0],
                     (long long)call.sizes[1], outcome_text(cx, core, &a, p->low->result),
                     loop_passes[k].name, outcome_text(cx, loops, &b, p->low->result));
    }
    return core.ok;
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
        Stages p = {.name = names[i], .low = read_low(cx, names[i])};
        p.entries[0] = loops_from_dpia(cx, dpia_from_core(cx, p.low));
        for (int k = 1; k < LOOP_STAGES; k++)
            p.entries[k] = loop_passes[k].run(cx, p.entries[k - 1]);
        int values = 0;
        const int enough = getenv("ALL") ? 20 : 5;
        for (int k = 0; k < 20 && values < enough; k++) {
            Random r = {
                .cx = cx, .seed = (unsigned)k, .algebra = k % 2 ? ALGEBRA_FIELD : ALGEBRA_IEEE};
            values += compare(cx, &p, &r);
        }
        if (values < 3) fail_msg("%s has a value for %d inputs only", names[i], values);
        session_delete(cx);
    }
    arena_delete(arena);
}

// Strides for every array of scalars that has none so far; whether there are some.
static bool make_strided(Session *cx, Function *f)
{
    int n = f->params.len, parts = f->result->kind == TYPE_TUPLE ? (int)f->result->nops : 1;
    bool *strided = ARENA_ARRAY(cx->arena, bool, n + parts), any = false;
    for (int i = 0; i < n + parts; i++) {
        Node *type = i < n                           ? f->params.at[i].type
                     : f->result->kind == TYPE_TUPLE ? f->result->op[i - n]
                                                     : f->result;
        Node *inner = type;
        while (inner->kind == TYPE_ARRAY) inner = inner->op[1];
        strided[i] = inner != type && type_is_atom(inner);
        any |= strided[i];
    }
    f->strided = strided;
    cx->lays_out = true;
    return any;
}

// Whether the entry, after each pass, gives the value of Core wherever the elements lie.
static bool compare_strided(Session *cx, const Stages *p, int64_t step, Random *r)
{
    static const int64_t choices[] = {0, 1, 2, 3, 7, 17};
    Call call;
    Value a = {0}, b = {0};
    if (!random_call(r, p->low, choices, 6, &call)) return false;
    Outcome core = core_eval(cx, cx->arena, NULL, p->low, call.generics, call.nsizes, call.args,
                             r->algebra, MUCH_FUEL, &a);
    for (int k = 0; k < LOOP_STAGES; k++) {
        Outcome loops = loops_eval_strided(cx, cx->arena, p->entries[k], call.sizes, call.args,
                                           step, r->algebra, MUCH_FUEL, &b);
        if (!same_outcome(core, &a, loops, &b))
            fail_msg("%s with sizes %lld %lld, elements %lld apart: core %s, %s %s", p->name,
                     (long long)call.sizes[0], (long long)call.sizes[1], (long long)step,
                     outcome_text(cx, core, &a, p->low->result), loop_passes[k].name,
                     outcome_text(cx, loops, &b, p->low->result));
    }
    return core.ok;
}

static void one_strided_program(Session *cx, const char *name, Function *low)
{
    static const int64_t steps[] = {1, 2, -1, -3};
    Stages p = {.name = name, .low = low};
    if (!make_strided(cx, low)) return;
    p.entries[0] = loops_from_dpia(cx, dpia_from_core(cx, low));
    loops_check(cx, p.entries[0]);
    for (int k = 1; k < LOOP_STAGES; k++) {
        p.entries[k] = loop_passes[k].run(cx, p.entries[k - 1]);
        loops_check(cx, p.entries[k]);
    }
    int values = 0;
    for (int k = 0; k < 32; k++) {
        Random r = {
            .cx = cx, .seed = (unsigned)k, .algebra = k / 4 % 2 ? ALGEBRA_FIELD : ALGEBRA_IEEE};
        values += compare_strided(cx, &p, steps[k % 4], &r);
    }
    if (values < 3) fail_msg("%s has a value for %d inputs only", name, values);
}

static void agrees_with_core_wherever_arrays_lie(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    const char **names;
    int n = program_names(arena, &names);
    for (int i = 0; i < n; i++) {
        Session *cx = session_new();
        nat_init(cx);
        one_strided_program(cx, names[i], read_low(cx, names[i]));
        session_delete(cx);
    }
    arena_delete(arena);
}

// The value of an entry with n = 3 and a = [1, 2, 3], k = 2; or the code of the error and its text.
static void expect(const char *body, const char *outcome)
{
    static const int64_t sizes[] = {3};
    Session *cx = session_new();
    nat_init(cx);
    const char *text =
        arena_printf(cx->arena,
                     "(loops t [n] (a: [n]i32, k: i64) : [n]i32 (buffers (in a i32 [n]) "
                     "(in k i64) (out out i32 [n])) (block %s))",
                     body);
    LoopEntry *e = loops_read(cx, session_add_source(cx, "test", text, strlen(text)));
    if (!e) fail_msg("malformed: %s", text);
    Value items[] = {{.bits = 1}, {.bits = 2}, {.bits = 3}}, v = {0};
    Value args[] = {{.count = 3, .parts = items}, {.bits = 2}};
    Outcome o = loops_eval(cx, cx->arena, e, sizes, args, ALGEBRA_IEEE, 10000, &v);
    const char *got = outcome_text(cx, o, &v, e->result);
    if (strncmp(got, outcome, strlen(outcome)) != 0)
        fail_msg("%s:\n%s, not %s", body, got, outcome);
    session_delete(cx);
}

static void statements(void **state)
{
    (void)state;
    expect("(loop i 0 n (block (store out i (* 2 (load a i)))))", "[2, 4, 6]");
    expect("(loop i 0 k (block (store out i 5))) (loop i k n (block (store out i 6)))",
           "[5, 5, 6]");
    expect("(decl s i32 0) (loop i 0 n (block (set s (+ s (load a i))) (store out i s)))",
           "[1, 3, 6]");
    expect("(loop i 0 n (block (branch (== (load a i) 2) (block (store out i 0)) (block (store out "
           "i 1)))))",
           "[1, 0, 1]");
    expect("(alloc.stack t i32 3) (loop i 0 n (block (store t i (load a (n - 1 - i)))))"
           "(loop i 0 n (block (store out i (? (== 1 1) (load t i) (load t (9))))))",
           "[3, 2, 1]");
}

// Lanes of one statement are computed before any is stored.
static void vectors(void **state)
{
    (void)state;
    expect(
        "(store out 0 (+ (load a 1 : vec[2]i32) (splat (load a 2) : vec[2]i32))) (store out 2 9)",
        "[5, 6, 9]");
    expect("(alloc.stack t i32 4) (store t 0 (cast (+ (iota : vec[4]i64) (splat (size k) : "
           "vec[4]i64)) : vec[4]i32)) (store t 1 (load t 0 : vec[2]i32)) "
           "(loop i 0 n (store out i (load t i)))",
           "[2, 2, 3]");
    expect("(decl v vec[2]i32 (splat 1 : vec[2]i32)) (loop i 0 n (set v (+ v v))) (store out 0 v) "
           "(store out 1 (? (< v (splat 9 : vec[2]i32)) (? (== k k) (load a 1 : vec[2]i32) v) v))",
           "[8, 2, 3]");
    expect("(store out 2 (splat 1 : vec[2]i32))", "E0901: position 3 of 3 elements");
    expect("(store out 0 (load a 2 : vec[2]i32))", "E0901: position 3 of 3 elements");
    expect("(store out 0 (? (splat true : vec[2]bool) (load a 0 : vec[2]i32) (load a 2 : "
           "vec[2]i32)))",
           "E0901: position 3 of 3 elements");
}

// Both sides of a choice are computed, and lanes that a mask switches off: what has no value there
// may not matter.
static void lanes_without_value(void **state)
{
    (void)state;
    static const char *const start = "(alloc.stack t i32 2) (store t 0 5) (store out 2 9) "
                                     "(decl stored vec[2]bool (< (iota : vec[2]i64) "
                                     "(splat 1i64 : vec[2]i64))) ";
    static const struct {
        const char *body, *outcome;
    } cases[] = {
        {"(store out 0 (? stored (load t 0 : vec[2]i32) (splat 7 : vec[2]i32)))", "[5, 7, 9]"},
        {"(store out 0 (? stored (/ (splat 10 : vec[2]i32) (load t 0 : vec[2]i32)) "
         "(splat 7 : vec[2]i32)))",
         "[2, 7, 9]"},
        {"(store out 0 (splat 0 : vec[2]i32)) (branch (any_lane (& stored (< (splat 6 : vec[2]i32) "
         "(load t 0 : vec[2]i32)))) (block (store out 0 1)) (block))",
         "[0, 0, 9]"},
        {"(store out 0 (splat 0 : vec[2]i32)) (branch (any_lane (< (splat 6 : vec[2]i32) "
         "(load t 0 : vec[2]i32))) (block (store out 0 1)) (block))",
         "E0901: used before it was stored"},
        {"(store out 0 (load t 0 : vec[2]i32))", "E0901: an element of the result was not written"},
    };
    Arena *arena = arena_new();
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        expect(arena_printf(arena, "%s%s", start, cases[k].body), cases[k].outcome);
    arena_delete(arena);
}

static void run_time_errors(void **state)
{
    (void)state;
    expect("(require E0601 (== (size k) 3i64))", "E0601");
    expect("(require E0602 (!= (load a 0) 1))", "E0602");
    expect("(loop i 0 (100000*n) (block))", "E0605");
}

// What no right translation or pass does.
static void faults(void **state)
{
    (void)state;
    expect("(loop i 1 n (block (store out i 1)))",
           "E0901: an element of the result was not written");
    expect("(store out n 1)", "E0901: position 3 of 3 elements");
    expect("(store out (0 - 1) 1)", "E0901: position -1 of 3 elements");
    expect("(loop i 0 n (block (store out i (load a (i + 1)))))",
           "E0901: position 3 of 3 elements");
    expect("(store a 0 1)", "E0901: a store to an input");
    expect("(alloc.global t i32 n) (require E0601 (== 1 (load t 0)))",
           "E0901: used before it was stored");
    expect("(alloc.global t i32 n) (loop i 0 n (store out i (+ 1 (load t i))))",
           "E0901: an element of the result was not written");
    expect("(decl x i32 (tuple)) (store out 0 x)", "E0901: a local that is not set");
    expect("(store out 0 (/ 1 0))", "E0901: a division by zero");
}

// Iterations of parallel loops that access one element, or one local, of which one writes it.
static void races(void **state)
{
    (void)state;
    expect("(loop_parallel i 0 0 n (block (store out i (load a i))))", "[1, 2, 3]");
    expect("(store out 1 0) (store out 2 0) (loop_parallel i 0 0 n (block (store out 0 1)))",
           "E0613: another iteration of the parallel loop writes the same element");
    expect("(loop i 0 n (store out i 0)) (loop_parallel i 0 0 (n - 1) (block (store out i "
           "(+ 1 (load out (i + 1))))))",
           "E0613: another iteration of the parallel loop ");
    expect("(loop i 0 n (store out i 0)) (decl s i32 0) (loop_parallel i 0 0 n (block (set s "
           "(+ s (load a i)))))",
           "E0613: another iteration of the parallel loop ");
    expect("(loop_parallel i 0 0 n (block (decl s i32 0) (set s (load a i)) (store out i s)))",
           "[1, 2, 3]");
    expect("(loop_parallel i 0 0 n (block (store out i 1))) (loop_parallel j 0 0 n (block (store "
           "out j (+ (load a j) (load out j)))))",
           "[2, 3, 4]");
    expect("(loop i 0 n (store out i 1)) (loop k1 0 n (loop_parallel j 0 0 n (block (store out j "
           "(+ (load a j) (load out j))))))",
           "[4, 7, 10]");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_core),
        cmocka_unit_test(agrees_with_core_wherever_arrays_lie),
        cmocka_unit_test(statements),
        cmocka_unit_test(vectors),
        cmocka_unit_test(lanes_without_value),
        cmocka_unit_test(run_time_errors),
        cmocka_unit_test(faults),
        cmocka_unit_test(races),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
