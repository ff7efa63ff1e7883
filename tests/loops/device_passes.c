// What passes make of loops for a device: which loops are parallel, arrays of work-items, and
// kernels.
#include "loops/programs.h"
#include "loops/read.h"

// Whether a program of loops for a device has `some` after a pass, in the entry or a kernel, and
// has not `other` (NULL: whatever).
static void expect_on_device(int last, const char *entries, const char *some, const char *other)
{
    Session *cx = session_new();
    nat_init(cx);
    cx->vector_bytes = 0; // as for every target with a device
    LoopEntry *e = read_loops(cx, entries);
    loops_set_target(e, false, DEVICE_OPENCL);
    for (int k = 1; k <= last; k++)
        if (!loop_passes[k].for_cpus) loops_check(cx, e = loop_passes[k].run(cx, e));
    Text t = text_new(cx->arena);
    loops_print(cx, &t, e);
    const char *text = text_get(&t);
    if (some && !strstr(text, some)) fail_msg("no %s in %s", some, text);
    if (other && strstr(text, other)) fail_msg("%s in %s", other, text);
    session_delete(cx);
}

#define MATRIX(body)                                                                               \
    "(loops t [n, m] (a: [n][m]i32, k: i64) : [n][m]i32 (buffers (in a i32 [n, m]) (in k i64)"     \
    " (out r i32 [n, m])) " body ")"

static void independent_loops_are_parallel(void **state)
{
    (void)state;
    const char *plain = MATRIX("(loop i 0 n (loop j 0 m (store r (i*m + j) (load a (i*m + j)))))");
    expect_on_device(AFTER_parallelise, plain, "(loop_parallel i 0 0 n (loop.par j 0 m", NULL);
    // not if a few iterations are all, and not if one reads what another stores
    expect_on_device(AFTER_parallelise,
                     "(loops t (a: [9]i32) : [9]i32 (buffers (in a i32 [9]) (out r i32 [9]))"
                     " (loop i 0 9 (store r i (load a i))))",
                     NULL, "parallel");
    const char *carried =
        "(loops t [n] (a: [n]i32) : [n + 1]i32 (buffers (in a i32 [n]) (out r i32 [n + 1]))"
        " (block (store r 0 0) (loop i 0 n (store r (i + 1) (+ (load r i) (load a i))))))";
    expect_on_device(AFTER_parallelise, carried, NULL, "parallel");
    // the inner loop stores what the local before it has loaded: it stays in one iteration
    expect_on_device(
        AFTER_parallelise,
        MATRIX("(block (loop x 0 n (loop y 0 m (store r (x*m + y) (load a (x*m + y)))))"
               " (branch (< 0i64 (size m)) (loop i 0 n (block"
               " (decl q i32 (load r (i*m)))"
               " (loop j 0 m (store r (i*m + j) (+ q (load r (i*m + j)))))))"
               " (block)))"),
        NULL, "loop.par j");
}

static void nests_are_one_kernel(void **state)
{
    (void)state;
    expect_on_device(AFTER_outline_kernels,
                     MATRIX("(loop i 0 n (loop j 0 m (store r (i*m + j) (load a (j*n + i)))))"),
                     "(kernel t_kernel", NULL);
    expect_on_device(AFTER_outline_kernels,
                     MATRIX("(loop i 0 n (loop j 0 m (store r (i*m + j) (load a (j*n + i)))))"),
                     "(loop_parallel item1 0 0 m*n", NULL);
    // a kernel takes what it mentions: a scalar, an array to read, an array to write
    expect_on_device(AFTER_outline_kernels,
                     MATRIX("(loop i 0 n (loop j 0 m (store r (i*m + j) (? (< (size j) (size k))"
                            " (load a (i*m + j)) 0))))"),
                     "(in k i64)", NULL);
}

static void arrays_of_items_leave_the_kernel(void **state)
{
    (void)state;
    const char *large =
        MATRIX("(loop_parallel i 0 0 n (block (alloc.global t i32 m)"
               " (loop j 0 m (store t j (load a (i*m + m - j - 1))))"
               " (loop k2 0 m (store r (i*m + k2) (+ (load t k2) (load t (m - k2 - 1)))))))");
    expect_on_device(AFTER_device_memory, large, "(alloc.global t i32 m*min(n", NULL);
    expect_on_device(AFTER_device_memory, large, "(loop_by i items1 item1 n", NULL);
    expect_on_device(AFTER_device_memory, large, "(load t (items1*k2 + item1))", NULL);
    expect_on_device(AFTER_outline_kernels, large, "(both t i32 [m*min(n", NULL);
}

static void groups_run_iterations_with_parallel_loops(void **state)
{
    (void)state;
#define ROWS(inner)                                                                                \
    MATRIX("(loop_parallel i 0 0 n (block (alloc.stack t i32 8)"                                   \
           " (" inner " j 0 8 (store t j (load a (i*m + j))))"                                     \
           " (loop k2 0 m (store r (i*m + k2) (load t (k2 % 8))))))")
    expect_on_device(AFTER_outline_kernels, ROWS("loop.par"), "(loop_parallel j", NULL);
    expect_on_device(AFTER_outline_kernels, ROWS("loop.par"), "(wait_for_tasks)", NULL);
#undef ROWS
    // a loop over lanes is no such loop: it makes no group
    const char *lanes = MATRIX("(loop_parallel i 0 0 n (block (alloc.stack t i32 8)"
                               " (loop_vector j 8 0 8 (store t j (load a (i*m + j))))"
                               " (loop k2 0 m (store r (i*m + k2) (load t (k2 % 8))))))");
    expect_on_device(AFTER_outline_kernels, lanes, "(kernel t_kernel", "wait_for_tasks");
    // an array that is too large for shared memory has one piece for each group
    const char *pieces =
        MATRIX("(loop_parallel i 0 0 n (block (alloc.global t i32 m)"
               " (loop.par j 0 m (store t j (load a (i*m + m - j - 1))))"
               " (loop k2 0 m (store r (i*m + k2) (+ (load t k2) (load t (m - k2 - 1)))))))");
    expect_on_device(AFTER_device_memory, pieces, "(store t (item1*m + j)", NULL);
}

static void some_loops_stay_on_the_host(void **state)
{
    (void)state;
    // a call, and an array whose size an iteration computes
    expect_on_device(AFTER_outline_kernels,
                     "(loops t [n] (a: [n]i64) : [n]i64 (buffers (in a i64 [n]) (out r i64 [n]))"
                     " (loop_parallel i 0 0 n (block (decl x i64 (load a i))"
                     " (call_function f (address x 0)) (store r i x))))"
                     "(loops f [n] (x: &mut i64) : () (buffers (both x i64))"
                     " (store x 0 (- (load x 0) 1i64)))",
                     NULL, "kernel");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(independent_loops_are_parallel),
        cmocka_unit_test(nests_are_one_kernel),
        cmocka_unit_test(arrays_of_items_leave_the_kernel),
        cmocka_unit_test(groups_run_iterations_with_parallel_loops),
        cmocka_unit_test(some_loops_stay_on_the_host),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
