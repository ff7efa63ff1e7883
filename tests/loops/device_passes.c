// What passes make of loops for a device: which loops are parallel, arrays of work-items, and
// kernels.
#include "loops/device/device.h"
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

// A work-item runs an iteration by itself: it loops as often as it needs, jumps and fails.
static void iterations_loop_jump_and_fail(void **state)
{
    (void)state;
#define COUNTED(leaves, fails)                                                                     \
    MATRIX("(target far (loop i 0 n (block (decl x i32 0)"                                         \
           " (target near (loop_forever (block (set x (+ x (load a (i*m))))"                       \
           " (branch (> x 99) (goto near) (branch (> x 50) (goto " leaves ") (block))))))" fails   \
           " (loop j 0 m (store r (i*m + j) x)))))")
    const char *parallel = "(loop_parallel i 0 0 n";
    expect_on_device(AFTER_parallelise, COUNTED("near", ""), parallel, NULL);
    expect_on_device(AFTER_parallelise, COUNTED("near", " (require E0614 (> x 0))"), parallel,
                     NULL);
    expect_on_device(AFTER_parallelise, COUNTED("far", ""), NULL, "(loop_parallel i");
    // what computes the message of an assertion is left out, other prints are not
#define PRINTS                                                                                     \
    " (external `print start x` () : () (buffers)) (external `print message` () : ()"              \
    " (buffers)) (external `print line` () : () (buffers))"
#define PRINTED(last)                                                                              \
    COUNTED("near", " (branch (> x 0) (block) (block (call_function `print start x`)"              \
                    " (call_function `print " last "`) (require E0614 false)))")                   \
    PRINTS
    expect_on_device(AFTER_parallelise, PRINTED("message"), parallel, "(call_function");
    expect_on_device(AFTER_parallelise, PRINTED("line"), "(call_function", "(loop_parallel i");
#undef COUNTED
#undef PRINTED
#undef PRINTS
}

static void small_arrays_are_private(void **state)
{
    (void)state;
#define ARRAYS(first, second)                                                                      \
    MATRIX("(loop_parallel i 0 0 n (block (alloc.global t i64 " first                              \
           ") (alloc.global u i64 " second                                                         \
           ") (loop j 0 m (block (store t (j % 5) (size j)) (store u (j % 5) (size j))))"          \
           " (store r (i*m) (cast (+ (load t 3) (load u 4)) : i32))))")
    expect_on_device(AFTER_device_memory, ARRAYS("500", "12"), "(alloc.stack t i64 500)",
                     "(alloc.global");
    // 4 KiB of them
    expect_on_device(AFTER_device_memory, ARRAYS("500", "13"), "(alloc.stack t i64 500)", NULL);
    expect_on_device(AFTER_device_memory, ARRAYS("500", "13"), "(alloc.global u i64 13*min(n",
                     NULL);
    expect_on_device(AFTER_device_memory, ARRAYS("513", "13"), "(alloc.stack u i64 13)",
                     "(alloc.stack t");
    expect_on_device(AFTER_device_memory, ARRAYS("(m + 5)", "13"), "(alloc.stack u i64 13)",
                     "(alloc.stack t");
#undef ARRAYS
}

// Elements whose positions are the sums of the index and another number are neighbours, too.
static void sums_are_positions_of_neighbours(void **state)
{
    (void)state;
#define SUM(value)                                                                                 \
    MATRIX("(loop_parallel i 0 0 n (block (alloc.stack t i32 4) (decl y i64 (+ 1i64 k))"           \
           " (loop_vector j 4 0 4 (block (decl x i64 " value ") (store t j (load a (i*m + x)))))"  \
           " (store r (i*m) (+ (load t 0) (load t 3)))))")
    expect_on_device(AFTER_outline_kernels, SUM("(+ (size j) (size y))"), "(load a (i*m + y)",
                     "(decl x");
    expect_on_device(AFTER_outline_kernels, SUM("(+ (size (2*j)) (size y))"), "(decl x", NULL);
#undef SUM
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

static void arrays_of_a_group_are_used_in_turn(void **state)
{
    (void)state;
    // the work-items of a group would share t
    const char *inner =
        MATRIX("(loop_parallel i 0 0 n (block"
               " (loop.par j 0 4 (block (alloc.global t i32 m)"
               "  (loop k2 0 m (store t k2 (load a (i*m + m - k2 - 1))))"
               "  (loop k3 0 m (store r (i*m + j) (+ (load t k3) (load t (m - k3 - 1)))))))"
               " (loop.par q 0 70 (store r (i*m + q) (load a (i*m + q))))))");
    expect_on_device(AFTER_device_memory, inner, "(loop j 0 4", "(loop.par j");
    expect_on_device(AFTER_device_memory, inner, "(loop_parallel q", NULL);
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

// A loop over lanes in an iteration of a kernel.
#define LANES(by, from, to, body)                                                                  \
    MATRIX("(loop_parallel i 0 0 n (loop_vector j " #by " " #from " " #to " " body "))")

static void branches_that_store_are_of_one_work_item(void **state)
{
    (void)state;
#define BRANCH(first)                                                                              \
    MATRIX("(loop_parallel i 0 0 n (block (alloc.stack t i32 8)"                                   \
           " (loop.par j 0 8 (store t j (load a (i*m + j))))"                                      \
           " (branch (< 7i64 (size m)) (block " first                                              \
           "  (decl x i32 (load t 3)) (store t 0 (+ x 1)) (store t 1 x)) (block))"                 \
           " (loop.par q 0 8 (store r (i*m + q) (load t q)))))")
    // no barrier between the load and the stores
    expect_on_device(AFTER_outline_kernels, BRANCH(""), "(loop_parallel item1 0 0 1", NULL);
    expect_on_device(AFTER_outline_kernels, BRANCH(""),
                     "(block (decl x i32 (load r (i*m + 3))) (store r i*m (+ x 1))", NULL);
    // not where work-items divide a loop
    expect_on_device(AFTER_outline_kernels, BRANCH("(loop.par l 0 8 (store t l 1))"), NULL,
                     "(loop_parallel item1 0 0 1");
#undef BRANCH
}

static void neighbours_are_accessed_together(void **state)
{
    (void)state;
    const char *copy = LANES(4, 0, 4, "(store r (i*m + j) (+ (load a (i*m + j)) 1))");
    expect_on_device(AFTER_outline_kernels, copy, "(decl a1 vec[4]i32 (load a i*m : vec[4]i32))",
                     "loop_vector");
    expect_on_device(AFTER_outline_kernels, copy, "(store r i*m (vector_of value", NULL);
    // as many as the lanes are a multiple of, and the rest one by one
    const char *rows = LANES(6, 0, m, "(store r (i*m + j) (load a j))");
    expect_on_device(AFTER_outline_kernels, rows, "(load a 2*j1 : vec[2]i32)", NULL);
    expect_on_device(AFTER_outline_kernels, rows, "(loop j4 2*(m/2) m", NULL);
    // rows that follow one another are one loop
    const char *all = LANES(4, 0, m, "(store r (i*m + j) (load a (i*m + j)))");
    expect_on_device(AFTER_outline_kernels, all, "(loop_parallel j1 0 0 (m*n + 3)/4",
                     "loop_vector");
    // none of elements that are apart
    const char *apart = LANES(4, 0, 4, "(store r (j*m + i) (load a (i + 2*j)))");
    expect_on_device(AFTER_outline_kernels, apart, "(loop j 0 4", "vec[");
    // nor of what an iteration may not access
    const char *maybe =
        LANES(4, 0, 4, "(store r (j*m + i) (? (< (size j) (size k)) (load a (i*m + j)) 0))");
    expect_on_device(AFTER_outline_kernels, maybe, "(loop j 0 4", "vec[");
    // nor where the iteration reads another element of the array, or reads what it has stored
    const char *shifted = LANES(4, 0, 4, "(store r (i*m + j) (load r (i*m + j + 1)))");
    expect_on_device(AFTER_outline_kernels, shifted, "(loop j 0 4", "vec[");
    const char *twice = LANES(4, 0, 4, "(block (store r (i*m + j) 1) (store r (i*m + j) 2))");
    expect_on_device(AFTER_outline_kernels, twice, "(loop j 0 4", "vec[");
}

static void elements_are_stored_if_they_change(void **state)
{
    (void)state;
    // another work-item reads the element
    const char *store = MATRIX("(loop_parallel i 0 0 n (store r (2*i) (? (< (size i) (size k))"
                               " (load r (2*i + 1)) (load r (2*i)))))");
    expect_on_device(AFTER_outline_kernels, store,
                     "(branch (< (size i) (size k)) (store r 2*i (load r (2*i + 1))) (block))",
                     "(?");
}

static void loops_over_lanes_are_kernels(void **state)
{
    (void)state;
    expect_on_device(AFTER_parallelise, MATRIX("(loop_vector j 8 0 (n*m) (store r j (load a j)))"),
                     "(loop_parallel j1 0 0 (m*n + 3)/4", NULL);
    // an iteration with loops is one of a work-item
    expect_on_device(
        AFTER_parallelise,
        MATRIX("(loop_vector i 8 0 n (loop j 0 m (store r (i*m + j) (load a (i*m + j)))))"),
        "(loop_parallel i 0 0 n", NULL);
    // a single vector is not worth a kernel
    expect_on_device(AFTER_parallelise, MATRIX("(loop_vector j 128 0 128 (store r j (load a j)))"),
                     NULL, "loop_parallel");
}

static const char *body_text(Session *cx, const LoopEntry *kernel, Node *body)
{
    Text t = text_new(cx->arena);
    loops_print(cx, &t, loops_with_body(cx, kernel, body));
    return text_get(&t);
}

static int occurrences(const char *text, const char *some)
{
    int n = 0;
    for (const char *at = strstr(text, some); at; at = strstr(at + 1, some)) n++;
    return n;
}

// The group of the kernel that is made of the entry, after all passes.
static DeviceGroup group_for(Session *cx, Device device, const char *entry, LoopEntry **kernel)
{
    nat_init(cx);
    cx->vector_bytes = 0;
    LoopEntry *e = read_loops(cx, entry);
    loops_set_target(e, false, device);
    for (int k = 1; k <= AFTER_outline_kernels; k++)
        if (!loop_passes[k].for_cpus) loops_check(cx, e = loop_passes[k].run(cx, e));
    assert_int_equal(e->callees.len, 1);
    *kernel = e->callees.at[0];
    return device_group(cx, loops_body((*kernel)->body));
}

static DeviceGroup group_of(Session *cx, const char *entry, LoopEntry **kernel)
{
    return group_for(cx, DEVICE_CUDA, entry, kernel);
}

// A group for each row: `before` and `after` are around the loop over the columns of blocks, in
// which a tile is filled and added to sums. 256 work-items have 4 sums each.
#define SUMS(first, add)                                                                           \
    MATRIX(                                                                                        \
        "(loop_parallel i 0 0 n (block (alloc.global tile i32 256) (alloc.global sums i32 1024)"   \
        " (loop_parallel t 0 0 256 (loop e 0 4 (store sums " first " 0)))"                         \
        " (loop b 0 m (block"                                                                      \
        " (loop_parallel u 0 0 256 (store tile u (load a (i*m + b))))"                             \
        " (loop_parallel v 0 0 256 (loop f 0 4"                                                    \
        " (store sums (4*v + f) (+ (load sums " add ") (load tile (255 - v))))))))"                \
        " (loop_parallel w 0 0 256 (branch (< (size w) (size m))"                                  \
        " (store r (i*m + w) (load sums (4*w + 1))) (block)))))")

static void arrays_are_shared_or_private(void **state)
{
    (void)state;
    Session *cx = session_new();
    LoopEntry *kernel;
    DeviceGroup g = group_of(cx, SUMS("(4*t + e)", "(4*v + f)"), &kernel);
    assert_int_equal(g.size, 256);
    assert_int_equal(kernel->group, 256);
    assert_int_equal(g.shared.len, 1);
    assert_string_equal(((Node *)g.shared.entries[0].value)->attr.sym->text, "tile");
    assert_int_equal(device_private_count(&g, session_sym(cx, "sums")), 4);
    const char *text = body_text(cx, kernel, device_with_private(cx, &g, loops_body(kernel->body)));
    assert_non_null(strstr(text, "sums i32 4)"));
    assert_non_null(strstr(text, "(load sums f)"));
    session_delete(cx);
}

// Elements of other work-items, and those beyond the own ones, keep an array shared.
static void arrays_of_several_items_are_shared(void **state)
{
    (void)state;
    static const char *const entries[] = {SUMS("(4*t + e)", "(4*v + 4 - f)"),
                                          SUMS("(t + 256*e)", "(4*v + f)"),
                                          SUMS("(4*t + e)", "(4*(255 - v) + f)")};
    for (size_t k = 0; k < sizeof entries / sizeof *entries; k++) {
        Session *cx = session_new();
        LoopEntry *kernel;
        DeviceGroup g = group_of(cx, entries[k], &kernel);
        assert_int_equal(g.shared.len, 2);
        assert_int_equal(device_private_count(&g, session_sym(cx, "sums")), 0);
        session_delete(cx);
    }
}

// One barrier before the tile is filled, which is left out before the loop, and one after it; none
// for the sums that each work-item has.
static void barriers_are_few(void **state)
{
    (void)state;
    Session *cx = session_new();
    LoopEntry *kernel;
    (void)group_of(cx, SUMS("(4*t + e)", "(4*v + f)"), &kernel);
    assert_int_equal(occurrences(body_text(cx, kernel, kernel->body), "(wait_for_tasks)"), 2);
    session_delete(cx);
}

// A group for each row, with a branch that needs a barrier before it and one in it.
#define BRANCH                                                                                     \
    MATRIX("(loop_parallel i 0 0 n (block (alloc.global t i32 64) (alloc.global s i32 64)"         \
           " (loop_parallel u 0 0 64 (store t u (load a (i*m + u))))"                              \
           " (branch (> (size m) 100i64) (block"                                                   \
           " (loop_parallel v 0 0 64 (store s v (load t (63 - v))))"                               \
           " (loop_parallel w 0 0 64 (store r (i*m + w) (load s (63 - w))))) (block))))")

// A barrier that an arm of a branch needs because of what comes before it is before the branch, one
// between two statements of the arm in it.
static void barriers_are_before_branches(void **state)
{
    (void)state;
    Session *cx = session_new();
    LoopEntry *kernel;
    (void)group_of(cx, BRANCH, &kernel);
    const char *text = body_text(cx, kernel, kernel->body), *branch = strstr(text, "(branch");
    const char *first = strstr(text, "(wait_for_tasks)");
    assert_non_null(first);
    assert_true(first < branch);
    assert_int_equal(occurrences(text, "(wait_for_tasks)"), 2);
    assert_int_equal(occurrences(branch, "(wait_for_tasks)"), 1);
    session_delete(cx);
}

// For drivers of OpenCL the arm of a branch that has barriers ends with one.
static void branches_end_with_barriers(void **state)
{
    (void)state;
    Session *cx = session_new();
    LoopEntry *kernel;
    (void)group_for(cx, DEVICE_OPENCL, BRANCH, &kernel);
    const char *text = body_text(cx, kernel, kernel->body);
    assert_int_equal(occurrences(text, "(wait_for_tasks)"), 3);
    assert_int_equal(occurrences(strstr(text, "(branch"), "(wait_for_tasks)"), 2);
    session_delete(cx);
}

// Indices and sizes are narrow, and what is computed from them, but not elements of an i64 array.
// Their bound is at least that of each of them and of each sum on the way.
static void positions_have_bounds(void **state)
{
    (void)state;
    static const char program[] =
        "(loops f [n, m] (a: [n]i64) : [n][m]i64 (buffers (in a i64 [n]) (out r i64 [n*m]))"
        " (loop_parallel i 0 0 n (block (decl x i64 (load a i)) (decl y i64 (size (2*i)))"
        " (loop j 0 m (store r (i*m + j) (+ (size (x + j)) (size y)))))))";
    Session *cx = session_new();
    nat_init(cx);
    LoopEntry *e = read_loops(cx, program);
    DevicePositions *p = device_positions(cx, e, e->sizes.at, e->sizes.len, e->body);
    Node *n = nat_var(cx, session_sym(cx, "n")), *m = nat_var(cx, session_sym(cx, "m"));
    static const char *const narrow[] = {"n", "m", "i", "j", "y"};
    for (size_t k = 0; k < sizeof narrow / sizeof *narrow; k++)
        assert_true(device_is_narrow(p, nat_var(cx, session_sym(cx, narrow[k]))));
    Node *x = nat_var(cx, session_sym(cx, "x"));
    assert_false(device_is_narrow(p, x));
    assert_false(device_is_narrow(p, nat_add(cx, x, n)));
    // (i*m + j) <= n*m + m
    Node *last = nat_add(cx, nat_mul(cx, n, m), m);
    Facts *facts = facts_new(cx, cx->arena, NULL);
    facts_ge0(facts, n);
    facts_ge0(facts, m);
    assert_int_equal(nat_ge0(cx, facts, nat_sub(cx, p->most, last)), TRUTH_YES);
    session_delete(cx);
}

// Fills and copies beside a parallel loop are for the group, also inside of a sequential loop.
static void other_loops_are_for_the_group(void **state)
{
    (void)state;
#define BESIDE(fill)                                                                               \
    MATRIX("(loop_parallel i 0 0 n (block (alloc.global t i32 64) (alloc.global s i32 64)"         \
           " (loop b 0 m (block " fill " (loop_parallel u 0 0 64 (store s u (load t (63 - u))))"   \
           " (store r (i*m + b) (load s 7))))))")
    expect_on_device(AFTER_outline_kernels, BESIDE("(loop x 0 64 (store t x (load a (i*m + b))))"),
                     "(loop_parallel x 0 0 64", NULL);
    // not one whose iterations follow one another
    expect_on_device(AFTER_outline_kernels,
                     BESIDE("(loop x 0 63 (store t (x + 1) (+ 1 (load t x))))"), "(loop x 0 63",
                     NULL);
#undef BESIDE
}

// Explicitly parallel loops are one loop of groups if they are nested perfectly and have lengths.
static void parallel_nests_are_one_loop(void **state)
{
    (void)state;
#define NEST(to)                                                                                   \
    MATRIX("(loop_parallel i 0 0 n (loop_parallel j 0 0 " to " (block (alloc.global t i32 64)"     \
           " (loop_parallel u 0 0 64 (store t u (load a (i*m + (j % m)))))"                        \
           " (store r (i*m + (j % m)) (load t 3)))))")
    expect_on_device(AFTER_collapse, NEST("m"), "(loop_parallel item1 0 0 m*n", NULL);
    expect_on_device(AFTER_collapse, NEST("(m - 3)"), "(loop_parallel i 0 0 n", "m*n");
#undef NEST
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
        cmocka_unit_test(iterations_loop_jump_and_fail),
        cmocka_unit_test(small_arrays_are_private),
        cmocka_unit_test(sums_are_positions_of_neighbours),
        cmocka_unit_test(nests_are_one_kernel),
        cmocka_unit_test(arrays_of_items_leave_the_kernel),
        cmocka_unit_test(arrays_of_a_group_are_used_in_turn),
        cmocka_unit_test(groups_run_iterations_with_parallel_loops),
        cmocka_unit_test(branches_that_store_are_of_one_work_item),
        cmocka_unit_test(neighbours_are_accessed_together),
        cmocka_unit_test(elements_are_stored_if_they_change),
        cmocka_unit_test(loops_over_lanes_are_kernels),
        cmocka_unit_test(arrays_are_shared_or_private),
        cmocka_unit_test(arrays_of_several_items_are_shared),
        cmocka_unit_test(barriers_are_few),
        cmocka_unit_test(barriers_are_before_branches),
        cmocka_unit_test(branches_end_with_barriers),
        cmocka_unit_test(positions_have_bounds),
        cmocka_unit_test(parallel_nests_are_one_loop),
        cmocka_unit_test(other_loops_are_for_the_group),
        cmocka_unit_test(some_loops_stay_on_the_host),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
