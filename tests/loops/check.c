// The checker of Loop IR: accepts what the translation and the passes give, refuses one broken
// entry for each thing it promises.
#include "dpia/programs.h"
#include "loops/ir/passes.h"
#include "loops/stages.h"

static void each_program_is_accepted(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    const char **names;
    int n = program_names(arena, &names);
    for (int i = 0; i < n; i++) {
        Session *cx = session_new();
        nat_init(cx);
        LoopEntry *e = loops_from_dpia(cx, dpia_from_core(cx, read_low(cx, names[i])));
        loops_check(cx, e);
        for (int k = 1; k < LOOP_STAGES; k++) loops_check(cx, e = loop_passes[k].run(cx, e));
        assert_int_equal(cx->errors, 0);
        session_delete(cx);
    }
    arena_delete(arena);
}

// The fault's message contains `why`; NULL: there is none.
static void check(const char *body, const char *why)
{
    Session *cx = session_new();
    nat_init(cx);
    const char *text =
        arena_printf(cx->arena,
                     "(loops t [n] (a: [n]i32, k: i64, b: i32) : [n]i32 (buffers (in a i32 [n]) "
                     "(in k i64) (in b i32) (out out i32 [n])) %s)"
                     "(loops f [n] (x: i64, p: &mut i32) : i32 (buffers (in x i64) (both p i32)"
                     " (out r i32)) (block (store p 0 1) (store r 0 2)))"
                     "(external g (xs: [4]i32) : () (buffers (in xs i32 [4])))",
                     body);
    LoopEntry *e = loops_read(cx, session_add_source(cx, "test", text, strlen(text)));
    if (!e) fail_msg("malformed: %s", text);
    jmp_buf boundary;
    cx->boundary = &boundary;
    if (setjmp(boundary) == 0) loops_check(cx, e);
    if (!why) {
        if (cx->errors) fail_msg("%s: %s", body, cx->diags.at[0]->text);
    } else {
        if (!cx->errors) fail_msg("accepted: %s", body);
        assert_int_equal(cx->diags.at[0]->code, E0901);
        if (!strstr(cx->diags.at[0]->text, why)) fail_msg("%s, not %s", cx->diags.at[0]->text, why);
    }
    session_delete(cx);
}

static void scopes(void **state)
{
    (void)state;
    check("(block (loop i 0 n (block (store out i (load a i)))))", NULL);
    check("(block (loop i 0 k (block (store out (i + k) b))))", NULL);
    check("(block (loop i 0 n (block)) (store out i 1))", "no integer in scope");
    check("(block (store out b 1))", "no integer in scope");
    check("(block (loop i 0 n (block (loop i 0 n (block)))))", "bound twice");
    check("(block (loop i 0 n (block)) (loop i 0 n (block)) (store out 0 1))", NULL);
    check("(block (block (decl x i32 1)) (store out 0 (local x : i32)))", "no local in scope");
    check("(block (decl j i64 1i64) (set j 2i64) (store out j 1))", "a local that changes");
    check("(block (decl j i64 1i64) (store out j 1))", NULL);
    check("(block (store out 0 (load q 0 : i32)))", "no buffer in scope");
    check("(block (set out 1))", "no local in scope");
    check("(block (set b 1))", "the input b is set");
}

static void types(void **state)
{
    (void)state;
    check("(block (store out 0 1.0))", "another type than its destination");
    check("(block (decl x f32 1))", "another type than its destination");
    check("(block (decl x i32 0) (set x 1.0))", "another type than its destination");
    check("(block (branch 1 (block) (block)))", "another type than its destination");
    check("(block (store out 0 (load a 0 : f32)))", "not of the type of the buffer");
    check("(block (store out 0 (local b : f32)))", "not of the type it was declared with");
    check("(block (require E0401 true))", "run-time error");
    check("(block (store out 0 (proj 0 (tuple 1))))", "not an expression");
    check("(block (decl x [2]i32 (tuple)))", "not a scalar");
}

static void statements(void **state)
{
    (void)state;
    check("(block)", "out is not stored to");
    check("(block (store a 0 1))", "a store to an input");
    check("(block (alloc.stack t i32 n))", "without a fixed length");
    check("(block (alloc t i32 n))", "without a space");
    check("(block 1)", "not a statement");
    check("(block (loop i 0 n (store out i 1)))", NULL);
    check("(block (loop i 0 n (decl x i32 1)))", "a declaration outside of a block");
    check("(decl x i32 1)", "a declaration outside of a block");
}

static void control(void **state)
{
    (void)state;
    check("(block (target l (block (store out 0 1) (goto l))))", NULL);
    check("(block (goto l))", "a jump to no label around it");
    check("(block (target l (block)) (goto l) (store out 0 1))", "a jump to no label around it");
    check("(block (target l (target l (block))))", "a label in a label of its name");
    check("(block (target l (loop_parallel i 0 0 n (block (goto l)))))",
          "a jump out of iterations in any order");
    check("(block (loop_vector i 4 0 n (target l (block (store out i 1) (goto l)))))", NULL);
    check("(block (decl s i32 0) (loop_parallel i 0 0 n (set s 1)))",
          "iterations in any order set one local");
    check("(block (loop_parallel i 2 0 n (block (decl s i32 0) (set s 1) (store out i s))))", NULL);
    check("(block (loop_parallel i 2i64 0 n (block)))", "another type than its destination");
    check("(block (loop_vector i 0 0 n (block)))", "not a number of lanes");
    // no store is left where each would come behind a failure, or there is nothing to store
    check("(block (loop i 0 n (require E0602 false)))", NULL);
    check("(block (require E0601 (<= (size n) 0i64)))", NULL);
    check("(block (require E0601 (? (<= (size n) 0i64) true false)))", NULL);
    check("(block (require E0601 (? (<= (size n) 0i64) true (< (load a 0) 1))))", "stored");
    check("(block (require E0601 (<= (size n) 1i64)))", "stored");
    check("(block (loop i 1 n (require E0602 false)))", "stored");
    check("(block (loop_by i 0 0 n (block)))", "not a step");
    check("(block (loop_forever (block)))", NULL); // the result is never asked for
}

static void calls(void **state)
{
    (void)state;
    const char *good = "(block (decl x i32 0) (call_function f k (address x 0) (address out 0)))";
    check("(block (call_function h))", "a call of no function of the entry");
    check("(block (call_function f k))", "not as many arguments as parameters");
    check(good, NULL);
    check("(block (call_function f k k (address out 0)))", "a value for memory");
    check("(block (call_function f (address out 0) (address out 0) (address out 0)))",
          "memory for a value");
    check("(block (call_function f b (address out 0) (address out 0)))",
          "another type than its destination");
    check("(block (call_function f k (address a 0) (address out 0)))", "an input to be written");
    check("(block (decl x f32 0.0) (call_function f k (address x 0) (address out 0)))",
          "memory of another type");
    check("(block (store out 0 1) (call_function g (address a 0)))", NULL);
    check("(block (decl x i32 0) (store out 0 1) (call_function g (address x 0)))",
          "a local for an array");
    check("(block (decl x i32 0) (loop_parallel i 0 0 n (call_function f k (address x 0) "
          "(address out i))))",
          "iterations in any order set one local");
}

// a and out are i32, b is one.
static void vectors(void **state)
{
    (void)state;
    check("(block (decl v vec[4]i32 (load a 0 : vec[4]i32)) (store out 4 (+ v v)))", NULL);
    check("(block (decl v vec[4]i32 (tuple)) (set v (splat b : vec[4]i32)) (store out 0 v))", NULL);
    check("(block (store out 0 (? (< (load a 0 : vec[4]i32) (splat 3 : vec[4]i32)) (splat 1 : "
          "vec[4]i32) (splat 0 : vec[4]i32))))",
          NULL);
    check("(block (store out 0 (cast (iota : vec[2]i64) : vec[2]i32)))", NULL);
    check("(block (store out 0 (load a 0 : vec[4]f32)))", "not of the type of the buffer");
    check("(block (store out 0 (splat 1.0 : vec[4]f32)))", "another type than its destination");
    check("(block (decl v vec[4]i32 (load a 0 : vec[2]i32)))", "another type than its destination");
    check("(block (decl v vec[3]i32 (tuple)))", "not a scalar");
    check("(block (decl v vec[1]i32 (tuple)))", "not a scalar");
    check("(block (decl v vec[4][2]i32 (tuple)))", "not a scalar");
    check("(block (decl v vec[4]bool (splat true : vec[4]bool)) (branch v (block) (block)))",
          "another type than its destination");
}

// What is done with a mask: some lanes of memory, and one lane of a vector. v is a vector of 4 numbers, m and p are a mask and positions
// for it, w a vector of 2.
#define WITH_MASK(stmt)                                                                            \
    "(block (decl v vec[4]i32 (splat b : vec[4]i32)) (decl m vec[4]bool (< v (splat 3 :"           \
    " vec[4]i32))) (decl p vec[4]i64 (cast v : vec[4]i64)) (decl w vec[2]i32 (splat b :"           \
    " vec[2]i32)) (store out 0 v) " stmt ")"
static void masks(void **state)
{
    (void)state;
    check(WITH_MASK("(store out 4 (load_where a 4 m : vec[4]i32))"), NULL);
    check(WITH_MASK("(store out 4 (gather_where a p m : vec[4]i32))"), NULL);
    check(WITH_MASK("(store_where out 4 v m)"), NULL);
    check(WITH_MASK("(scatter_where out p v m)"), NULL);
    check(WITH_MASK("(branch (any_lane m) (store out 0 (lane v 3)) (block))"), NULL);
    check(WITH_MASK("(store out 0 (lane v k))"), NULL);
    check(WITH_MASK("(store out 0 (lane (shuffled v (+ v v) 3 4 4 0) 1))"), NULL);
    check(WITH_MASK("(store out 4 (packed v m))"), NULL);
    check(WITH_MASK("(store out 4 (unpacked v m))"), NULL);
    check(WITH_MASK("(store out 4 (cast (count_lanes m) : i32))"), NULL);
    check(WITH_MASK("(store out 4 (cast (bits_of_lanes m) : i32))"), NULL);
    check(WITH_MASK("(store_packed out 4 v m)"), NULL);
    // of the buffer
    check(WITH_MASK("(store_packed a 4 v m)"), "a store to an input");
    check(WITH_MASK("(store_packed out 4 p m)"), "another type than its destination");
    check(WITH_MASK("(store out 4 (load_where a 4 m : vec[4]f32))"),
          "not of the type of the buffer");
    check(WITH_MASK("(store out 4 (gather_where a p m : vec[4]i64))"),
          "not of the type of the buffer");
    check(WITH_MASK("(store out 4 (load_where q 4 m : vec[4]i32))"), "no buffer in scope");
    check(WITH_MASK("(store out 4 (gather_where b p m : vec[4]i32))"), "no buffer in scope");
    check(WITH_MASK("(store_where a 4 v m)"), "a store to an input");
    check(WITH_MASK("(scatter_where a p v m)"), "a store to an input");
    check(WITH_MASK("(store_where k 4 v m)"), "no buffer in scope");
    check(WITH_MASK("(scatter_where w p v m)"), "no buffer in scope");
    check(WITH_MASK("(store_where out 4 p m)"), "another type than its destination");
    check(WITH_MASK("(scatter_where out p p m)"), "another type than its destination");
    // of as many lanes
    check(WITH_MASK("(store out 4 (load_where a 4 m : i32))"), "a masked load needs a type");
    check(WITH_MASK("(store out 4 (gather_where a p m : i32))"), "a masked load needs a type");
    check(WITH_MASK("(store out 4 (load_where a 4 m : vec[2]i32))"),
          "a masked load has a mask of as many lanes");
    check(WITH_MASK("(store out 4 (load_where a 4 v : vec[4]i32))"),
          "a masked load has a mask of as many lanes");
    check(WITH_MASK("(store out 4 (load_where a 4 true : vec[4]i32))"),
          "a masked load has a mask of as many lanes");
    check(WITH_MASK("(store out 4 (gather_where a p v : vec[4]i32))"),
          "a masked load has a mask of as many lanes");
    check(WITH_MASK("(store out 4 (gather_where a v m : vec[4]i32))"),
          "positions are a vector of i64 of as many lanes");
    check(WITH_MASK("(store out 4 (gather_where a (size k) m : vec[4]i32))"),
          "positions are a vector of i64 of as many lanes");
    check(WITH_MASK("(branch (any_lane v : bool) (block) (block))"), "any_lane takes a mask");
    check(WITH_MASK("(branch (any_lane true : bool) (block) (block))"), "any_lane takes a mask");
    check(WITH_MASK("(branch (any_lane m : i32) (block) (block))"),
          "not of the scalar type of its rule");
    check(WITH_MASK("(store out 0 (lane b 0 : i32))"), "a lane is one of a vector");
    check(WITH_MASK("(store out 0 (lane v 0 : i64))"), "not of the scalar type of its rule");
    check(WITH_MASK("(store_where out 4 b m)"), "a mask on a scalar");
    check(WITH_MASK("(scatter_where out p b m)"), "a mask on a scalar");
    check(WITH_MASK("(store_where out 4 w m)"), "another type than its destination");
    check(WITH_MASK("(store_where out 4 v v)"), "another type than its destination");
    check(WITH_MASK("(store_where out 4 v true)"), "another type than its destination");
    check(WITH_MASK("(scatter_where out p w m)"), "another type than its destination");
    check(WITH_MASK("(scatter_where out v v m)"), "another type than its destination");
    check(WITH_MASK("(scatter_where out (size k) v m)"), "another type than its destination");
    check(WITH_MASK("(scatter_where out p v (! (< p p)))"), NULL);
    check(WITH_MASK("(store out 0 (lane v j))"), "a size over no integer in scope");
    check(WITH_MASK("(store out (k + j) v)"), "a size over no integer in scope");
    check(WITH_MASK("(store_where out j v m)"), "a size over no integer in scope");
    check(WITH_MASK("(store out 4 (load_where a j m : vec[4]i32))"),
          "a size over no integer in scope");
    // a mask is no condition, a lane no vector
    check(WITH_MASK("(branch m (block) (block))"), "another type than its destination");
    check(WITH_MASK("(decl x vec[4]i32 (lane v 0))"), "another type than its destination");
    check(WITH_MASK("(decl x vec[4]bool (any_lane m))"), "another type than its destination");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_program_is_accepted),
        cmocka_unit_test(scopes),
        cmocka_unit_test(types),
        cmocka_unit_test(vectors),
        cmocka_unit_test(masks),
        cmocka_unit_test(statements),
        cmocka_unit_test(control),
        cmocka_unit_test(calls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
