// The plan of memory: how long arrays are needed, which share a place, what the workspace is; and that nothing is read after its
// memory was another's, in these programs and in all plans of them.
#include "dpia/random_values.h"
#include "loops/ir/passes.h"
#include "loops/ir/loops.h"

static const char *const functions =
    "(loops sums [n, m] (x: i64) : i32 (buffers (in x i64) (out r i32)) (block (alloc.global w i32 "
    "m) (loop wi 0 m (store w wi 2)) (alloc.global w2 i64 m) (loop wj 0 m (store w2 wj (size x))) "
    "(decl s i32 0) (loop wk 0 m (set s (+ s (load w wk)))) (store r 0 s)))"
    "(loops again [n, m] (x: i64) : i32 (buffers (in x i64) (out r i32)) (block (alloc.global v "
    "i32 "
    "m) (loop vi 0 m (store v vi 1)) (branch (> (size x) 0i64) (call_function again (size (x - 1)) "
    "(address r 0)) (store r 0 5)) (loop vj 0 m (store r 0 (+ (load r 0) (load v vj))))))";

static LoopEntry *read(Session *cx, const char *header, const char *body)
{
    const char *text = arena_printf(
        cx->arena,
        "(loops t [n, m] (a: [n]i32, k: i64) : i32 (buffers (in a i32 [n]) (in k i64) (out r i32)) "
        "%s (block %s))%s",
        header, body, functions);
    LoopEntry *e = loops_read(cx, session_add_source(cx, "test", text, strlen(text)));
    if (!e) fail_msg("%s\n%s", cx->diags.at[0]->text, text);
    return e;
}

static const char *outcome_of(Session *cx, const LoopEntry *e, int64_t n, int64_t m)
{
    int64_t sizes[] = {n, m};
    Value items[] = {{.bits = 1}, {.bits = 2}, {.bits = 3}}, v = {0};
    Value args[] = {{.count = n, .parts = items}, {.bits = 2}};
    Outcome o = loops_eval(cx, cx->arena, e, sizes, args, ALGEBRA_IEEE, 100000, &v);
    return outcome_text(cx, o, &v, e->result);
}

static const char *size_of(Session *cx, Node *size)
{
    Text t = text_new(cx->arena);
    if (size) nat_print(&t, size, 0);
    return text_get(&t);
}

// "n where (< (size m) 7i64), else 0"
static const char *workspace_of(Session *cx, Node *workspace)
{
    if (!workspace || loops_workspace_lines(workspace))
        return size_of(cx, workspace ? loops_workspace_lines(workspace) : NULL);
    Text t = text_new(cx->arena);
    text_printf(&t, "%s where ", workspace_of(cx, workspace->op[1]));
    term_print(cx, &t, workspace->op[0], NULL, 0, 100);
    text_printf(&t, ", else %s", workspace_of(cx, workspace->op[2]));
    return text_get(&t);
}

static void put_places(Session *cx, Text *out, const LoopEntry *e)
{
    for (int i = 0; i < e->placements.len; i++) {
        const LoopPlacement *p = &e->placements.at[i];
        text_printf(out, "%s%s=%s", i ? " " : "", p->name->text,
                    p->output ? p->output->text : size_of(cx, p->at));
    }
}

// The workspace of an entry after planning, and where it puts its arrays: "t=0 u=16*m".
static void expect(const char *body, const char *workspace, const char *places)
{
    Session *cx = session_new();
    nat_init(cx);
    LoopEntry *e = read(cx, "", body);
    loops_check(cx, e);
    LoopEntry *planned = loops_plan_memory(cx, e);
    loops_check(cx, planned);
    Text at = text_new(cx->arena), printed = text_new(cx->arena);
    put_places(cx, &at, planned);
    const char *got = workspace_of(cx, planned->workspace);
    if (strcmp(got, workspace) != 0 || strcmp(text_get(&at), places) != 0)
        fail_msg("%s\nworkspace %s, not %s; %s, not %s", body, got, workspace, text_get(&at),
                 places);
    for (int64_t n = 0; n <= 3; n++) // the same value, or the same error
        for (int64_t m = 0; m < 40; m += 13)
            assert_string_equal(outcome_of(cx, e, n, m), outcome_of(cx, planned, n, m));
    // what is printed reads back, and does the same
    loops_print(cx, &printed, planned);
    const char *text = text_get(&printed);
    LoopEntry *back = loops_read(cx, session_add_source(cx, "printed", text, strlen(text)));
    if (!back) fail_msg("%s\n%s", cx->diags.at[0]->text, text);
    loops_check(cx, back);
    assert_string_equal(outcome_of(cx, e, 3, 5), outcome_of(cx, back, 3, 5));
    session_delete(cx);
}

#define FILL(t, n, i)     "(loop " i " 0 " n " (store " t " " i " 1))"
#define SUM(t, n, i)      "(loop " i " 0 " n " (set s (+ s (load " t " " i "))))"
#define COPY(t, u, i)     "(loop " i " 0 m (store " u " " i " (+ 1 (load " t " " i "))))"
#define REVERSED(t, u, i) "(loop " i " 0 m (store " u " " i " (load " t " (m - 1 - " i "))))"
#define ALLOC(t, n)       "(alloc.global " t " i32 " n ")"
#define WITH_SUM(body)    "(decl s i32 0) " body " (store r 0 s)"

static void one_after_the_other(void **state)
{
    (void)state;
    expect(WITH_SUM(ALLOC("t", "m") FILL("t", "m", "i") SUM("t", "m", "j") ALLOC("u", "m")
                        FILL("u", "m", "k1") SUM("u", "m", "l")),
           "m/16 + 1", "t=0 u=0");
    expect(WITH_SUM(ALLOC("t", "m") ALLOC("u", "m") FILL("t", "m", "i") FILL("u", "m", "k1")
                        SUM("t", "m", "j") SUM("u", "m", "l")),
           "2*(m/16) + 2", "t=0 u=m/16 + 1");
    // three in a row need two places
    expect(WITH_SUM(ALLOC("t", "m") ALLOC("u", "m") ALLOC("v", "m") FILL("t", "m", "i")
                        REVERSED("t", "u", "j") REVERSED("u", "v", "l") SUM("v", "m", "q")),
           "2*(m/16) + 2", "t=0 u=m/16 + 1 v=0");
}

#define OVER(loop, after)                                                                          \
    WITH_SUM(ALLOC("t", "m") ALLOC("u", "m") FILL("t", "m", "i") loop SUM("u", "m", "q") after)

static void one_over_another(void **state)
{
    (void)state;
    const char *one = "m/16 + 1", *both = "2*(m/16) + 2";
    const char *same = "t=0 u=0", *apart = "t=0 u=m/16 + 1";
    // what an element is computed from is read before the element is stored, and never again
    expect(OVER(COPY("t", "u", "j"), ""), one, same);
    expect(OVER("(loop_parallel j 0 0 m (store u j (+ 1 (load t j))))", ""), one, same);
    expect(OVER("(loop j 0 m (block (decl x i32 (load t j)) (set s (+ s x)) (store u j s)))", ""),
           one, same);
    expect(OVER("(loop j 0 m (block (loop l 0 3 (set s (+ s (load t j)))) (store u j s)))", ""),
           one, same);
    expect(OVER(REVERSED("t", "u", "j"), ""), both, apart);
    expect(OVER(COPY("t", "u", "j"), SUM("t", "m", "l")), both, apart);
    expect(OVER("(loop j 0 m (block (store u j 4) (set s (+ s (load t j)))))", ""), both, apart);
    expect(OVER("(loop j 0 m (block (store u j (load t j)) (set s (+ s (load t 0)))))", ""), both,
           apart);
    expect(OVER("(loop l 0 2 (loop j 0 m (store u j (+ 1 (load t j)))))", ""), both, apart);
    // rows
    expect(WITH_SUM(ALLOC("t", "(m*n)") ALLOC("u", "(m*n)") FILL(
               "t", "(m*n)",
               "i") "(loop j 0 m (loop l 0 n (store u (j*n + l) (load t (j*n + l)))))" SUM("u",
                                                                                           "(m*n)",
                                                                                           "q")),
           "m*n/16 + 1", same);
    // rows that overlap: an element is stored to twice
    expect(WITH_SUM(ALLOC("t", "(m*n + 1)") ALLOC("u", "(m*n + 1)") FILL(
               "t", "(m*n + 1)",
               "i") "(loop j 0 m (loop l 0 (n + 1) (store u (j*n + l) (load t (j*n + l)))))"),
           "2*(m*n/16) + 2", "t=0 u=m*n/16 + 1");
}

// An entry whose result is an array.
static void made_in_result(const char *body, const char *places)
{
    Session *cx = session_new();
    nat_init(cx);
    const char *text = arena_printf(
        cx->arena,
        "(loops t [n, m] (a: [n]i32, k: i64) : [m]i32 (buffers (in a i32 [n]) (in k i64) (out r "
        "i32 [m])) (block %s))",
        body);
    LoopEntry *e = loops_read(cx, session_add_source(cx, "test", text, strlen(text)));
    if (!e) fail_msg("%s\n%s", cx->diags.at[0]->text, text);
    LoopEntry *planned = loops_plan_memory(cx, e);
    loops_check(cx, planned);
    Text at = text_new(cx->arena);
    put_places(cx, &at, planned);
    if (strcmp(text_get(&at), places) != 0) fail_msg("%s\n%s, not %s", body, text_get(&at), places);
    for (int64_t m = 0; m < 40; m += 13)
        assert_string_equal(outcome_of(cx, e, 3, m), outcome_of(cx, planned, 3, m));
    session_delete(cx);
}

static void results_are_memory(void **state)
{
    (void)state;
    made_in_result(ALLOC("t", "m") FILL("t", "m", "i") COPY("t", "r", "j"), "t=r");
    made_in_result(ALLOC("t", "m") FILL("t", "m", "i") REVERSED("t", "r", "j"), "t=0");
    // one after the other, before it is written
    made_in_result(ALLOC("t", "m") ALLOC("u", "m") ALLOC("v", "m") FILL("t", "m", "i")
                       REVERSED("t", "u", "j") REVERSED("u", "v", "l") COPY("v", "r", "q"),
                   "t=r u=0 v=r");
    made_in_result(FILL("r", "m", "f") ALLOC("t", "m") FILL("t", "m", "i") COPY("t", "r", "j"),
                   "t=0");
    // what is no smaller, or of another type
    made_in_result(ALLOC("t", "(m + n)") FILL("t", "(m + n)", "i") COPY("t", "r", "j"), "t=0");
    made_in_result("(alloc.global t i64 m) (loop i 0 m (store t i 1i64)) (loop j 0 m (store r j "
                   "(cast (load t j) : i32)))",
                   "t=0");
}

static void sizes_and_types(void **state)
{
    (void)state;
    // the larger one gives the place its size; of two that cannot be compared the maximum
    expect(WITH_SUM(ALLOC("t", "m") FILL("t", "m", "i") SUM("t", "m", "j") ALLOC("u", "(2*m)")
                        FILL("u", "m", "k1") SUM("u", "m", "l")),
           "m/8 + 1", "t=0 u=0");
    expect(WITH_SUM(ALLOC("t", "n") FILL("t", "n", "i") SUM("t", "n", "j") ALLOC("u", "m")
                        FILL("u", "m", "k1") SUM("u", "m", "l")),
           "max(4*m, 4*n)/64 + 1", "t=0 u=0");
    expect(WITH_SUM(ALLOC("t", "m") FILL("t", "m", "i")
                        SUM("t", "m", "j") "(alloc.global u i64 m) (loop k1 0 m (store u k1 1i64)) "
                                           "(loop l 0 m (set s (+ s (cast (load u l) : i32))))"),
           "m/8 + 1", "t=0 u=0");
    // a constant, and nothing at all
    expect(WITH_SUM(ALLOC("t", "100") FILL("t", "100", "i") SUM("t", "100", "j")), "7", "t=0");
    expect(WITH_SUM("(alloc.stack t i32 8)" FILL("t", "8", "i") SUM("t", "8", "j")), "", "");
    // of places in which it fits the smaller one is taken
    expect(WITH_SUM(ALLOC("t", "(4*m)") ALLOC("u", "m") FILL("t", "m", "i") FILL("u", "m", "j")
                        SUM("t", "m", "q") SUM("u", "m", "l") ALLOC("v", "m") FILL("v", "m", "x")
                            SUM("v", "m", "y")),
           "m/4 + m/16 + 2", "t=0 u=m/4 + 1 v=m/4 + 1");
}

static void in_loops(void **state)
{
    (void)state;
    // made in each round: needed in a part of it
    expect(WITH_SUM("(loop o 0 3 (block " ALLOC("t", "m") FILL("t", "m", "i") SUM("t", "m", "j")
                        ALLOC("u", "m") FILL("u", "m", "k1") SUM("u", "m", "l") "))"),
           "m/16 + 1", "t=0 u=0");
    // made before: needed from round to round, whatever the order in the text
    expect(WITH_SUM(ALLOC("t", "m") FILL("t", "m", "i") "(loop o 0 3 (block " SUM("t", "m", "j")
                        ALLOC("u", "m") FILL("u", "m", "k1") SUM("u", "m", "l") "))"),
           "2*(m/16) + 2", "t=0 u=m/16 + 1");
    expect(WITH_SUM(ALLOC("t", "m") "(loop_parallel o 0 0 m (store t o 3))" SUM("t", "m", "j")
                        ALLOC("u", "m") FILL("u", "m", "k1") SUM("u", "m", "l")),
           "m/16 + 1", "t=0 u=0");
    expect(WITH_SUM("(decl o i64 0i64) (target out (loop_forever (block (branch (>= o 2i64) (goto "
                    "out) (block)) " ALLOC("t", "m") FILL("t", "m", "i")
                        SUM("t", "m", "j") "(set o (+ o 1i64))))) " ALLOC("u", "m")
                            FILL("u", "m", "k1") SUM("u", "m", "l")),
           "m/16 + 1", "t=0 u=0");
    // a size that depends on the round is the largest one
    expect(WITH_SUM("(loop o 0 m (block " ALLOC("t", "(o + 1)") FILL("t", "o", "i")
                        SUM("t", "o", "j") "))"),
           "m/16 + 1", "t=0");
    expect(WITH_SUM("(loop o 0 m (block " ALLOC("t", "(m - o)") FILL("t", "1", "i")
                        SUM("t", "1", "j") "))"),
           "m/16 + 1", "t=0");
}

static void branches_and_jumps(void **state)
{
    (void)state;
    expect(WITH_SUM("(branch (> (size k) 1i64) (block " ALLOC("t", "m") FILL("t", "m", "i")
                        SUM("t", "m", "j") ") (block " ALLOC("u", "m") FILL("u", "m", "k1")
                            SUM("u", "m", "l") "))"),
           "m/16 + 1", "t=0 u=0");
    expect(WITH_SUM(ALLOC("t", "m") FILL("t", "m", "i") "(target b (block " ALLOC("u", "m")
                        FILL("u", "m", "k1") "(branch (> (size n) 1i64) (goto b) (block)) " SUM(
                            "u", "m", "l") "))" SUM("t", "m", "j")),
           "2*(m/16) + 2", "t=0 u=m/16 + 1");
    // a failing check leaves everything as it is
    expect(WITH_SUM(ALLOC("t", "m")
                        FILL("t", "m", "i") "(require E0601 (< (size n) 2i64))" SUM("t", "m", "j")),
           "m/16 + 1", "t=0");
}

#define USE(t, n, i, j) "(block " ALLOC(t, n) FILL(t, n, i) SUM(t, n, j) ")"

// Where sizes tell the way, each arm has a plan of its own.
static void arms_of_branches(void **state)
{
    (void)state;
    expect(
        WITH_SUM("(branch (< (size n) 2i64) " USE("t", "m", "i", "j") USE("u", "n", "k1", "l") ")"),
        "m/16 + 1 where (< (size n) 2i64), else n/16 + 1", "t=0 u=0");
    expect(WITH_SUM("(branch (< (size n) 2i64) (block) " USE("u", "n", "k1", "l") ")"),
           "0 where (< (size n) 2i64), else n/16 + 1", "u=0");
    // arms in arms; a branch behind without arrays is none of them
    expect(WITH_SUM("(branch (< (size n) 2i64) (branch (< (size m) 20i64) (block) " USE(
               "t", "m", "i", "j") ") (block " ALLOC("u", "n") FILL("u", "n", "k1")
                        USE("v", "m", "p", "q")
                            SUM("u", "n", "l") ")) (branch (< (size n) 1i64) (block) (block))"),
           "0 where (< (size m) 20i64), else m/16 + 1 where (< (size n) 2i64), else "
           "m/16 + n/16 + 2",
           "t=0 u=0 v=n/16 + 1");
    // not where an input tells the way, in loops, or where an array lives on both sides
    expect(WITH_SUM("(branch (< k 2i64) " USE("t", "m", "i", "j") "(block))"), "m/16 + 1", "t=0");
    expect(WITH_SUM("(loop o 0 2 (branch (< (size n) 2i64) " USE("t", "m", "i", "j") "(block)))"),
           "m/16 + 1", "t=0");
    expect(WITH_SUM(ALLOC("t", "m") FILL("t", "m", "i") "(branch (< (size n) 2i64) " USE(
               "u", "m", "p", "q") "(block))" SUM("t", "m", "j")),
           "2*(m/16) + 2", "t=0 u=m/16 + 1");
    expect(WITH_SUM("(branch (< (size n) 2i64) " USE(
               "t", "m", "i", "j") "(block))"
                                   "(branch (< (size n) 1i64) " USE("u", "m", "p", "q") "(block))"),
           "m/16 + 1", "t=0 u=0");
}

static void iterations_in_any_order(void **state)
{
    (void)state;
    // each thread has its own
    expect(WITH_SUM("(loop_parallel o 0 0 3 (block " ALLOC("t", "m") FILL("t", "m", "i") "))"),
           "helpers1*(m/16) + helpers1 + m/16 + 1", "t=0");
    expect(WITH_SUM(ALLOC("s1", "n") FILL("s1", "n", "h") "(loop_parallel o 0 0 3 (block " ALLOC(
               "t", "m") FILL("t", "m", "i") ALLOC("u", "m")
                        FILL("u", "m", "j") "))" SUM("s1", "n", "l")),
           "helpers1*(m/16) + helpers1 + m/16 + n/16 + 2", "s1=0 t=n/16 + 1 u=n/16 + 1");
    // the memory of a team is never that of another array: it is reached by other pointers
    expect(WITH_SUM(ALLOC("s1", "m") FILL("s1", "m", "h") SUM(
               "s1", "m", "l") "(loop q 0 n (loop_parallel o 0 0 3 (block " ALLOC("t", "m")
                        FILL("t", "m", "i") ")))"),
           "helpers1*(m/16) + helpers1 + 2*(m/16) + 2", "s1=0 t=m/16 + 1");
    expect(WITH_SUM("(loop_parallel o 0 0 3 (block " ALLOC("t", "m")
                        FILL("t", "m", "i") "))"
                                            "(loop_parallel q 0 0 3 (block " ALLOC("u", "m")
                                                FILL("u", "m", "j") "))"),
           "2*helpers1*(m/16) + 2*helpers1 + 2*(m/16) + 2",
           "t=0 u=helpers1*(m/16) + helpers1 + m/16 + 1");
    // nobody knows how many threads there are
    expect(WITH_SUM("(loop_parallel o 9 0 3 (block " ALLOC("t", "m") FILL("t", "m", "i") "))"), "",
           "");
    expect(WITH_SUM("(loop_parallel o 0 0 3 (block (loop_parallel p 0 0 3 (block " ALLOC("t", "m")
                        FILL("t", "m", "i") "))))"),
           "", "");
    // a task may run until its block ends
    expect(WITH_SUM(ALLOC("t", "m") "(task_of (block " FILL("t", "m", "i") "))" ALLOC("u", "m")
                        FILL("u", "m", "k1") SUM("u", "m", "l") "(wait_for_tasks)"),
           "2*(m/16) + 2", "t=0 u=m/16 + 1");
    // lanes are rounds in C, if there is more than arithmetic in them
    expect(WITH_SUM("(loop_vector o 4 0 3 (block " ALLOC("t", "m") FILL("t", "m", "i") "))" ALLOC(
               "u", "m") FILL("u", "m", "k1") SUM("u", "m", "l")),
           "m/16 + 1", "t=0 u=0");
}

static void calls(void **state)
{
    (void)state;
    const char *call = "(call_function sums k (address s 0))";
    Arena *arena = arena_new();
    // sums: two arrays, one of which is needed no more when the other is
    expect(arena_printf(arena, WITH_SUM("%s"), call), "m/8 + m/16 + 2", "sums=0");
    expect(arena_printf(
               arena, WITH_SUM(ALLOC("t", "m") FILL("t", "m", "i") "%s" SUM("t", "m", "j")), call),
           "m/8 + 2*(m/16) + 3", "t=0 sums=m/16 + 1");
    expect(arena_printf(arena,
                        WITH_SUM(ALLOC("t", "m") FILL("t", "m", "i") SUM("t", "m", "j") "%s%s"),
                        call, call),
           "m/8 + m/16 + 2", "t=0 sums=0 sums=0");
    // a function that calls itself allocates
    expect(WITH_SUM("(call_function again k (address s 0))"), "", "");
    arena_delete(arena);
}

// --- what no right plan does --------------------------------------------------------------------

static void outcome(const char *workspace, const char *body, const char *want)
{
    Session *cx = session_new();
    nat_init(cx);
    const char *got = outcome_of(cx, read(cx, workspace, body), 3, 20);
    if (strncmp(got, want, strlen(want)) != 0) fail_msg("%s:\n%s, not %s", body, got, want);
    session_delete(cx);
}

static void overlaps_are_found(void **state)
{
    (void)state;
    outcome("(workspace 1)",
            "(alloc.part t i32 3 0) (alloc.part u i32 3 0) (store t 0 1) (store u 1 2)"
            "(store r 0 (load t 0))",
            "1");
    outcome("(workspace 1)",
            "(alloc.part t i32 3 0) (alloc.part u i32 3 0) (store t 0 1) (store u 0 2)"
            "(store r 0 (load t 0))",
            "E0901: an element of the result was not written");
    outcome("(workspace 1)",
            "(alloc.part t i64 3 0) (alloc.part u i32 3 0) (store t 0 1i64) (store u 1 2)"
            "(store r 0 (cast (load t 0) : i32))",
            "E0901: an element of the result was not written");
    outcome("(workspace_if (< (size n) 2i64) (workspace 1) (workspace 0))",
            "(alloc.part t i32 3 0) (store r 0 1)", "E0901: beyond the workspace");
    outcome("(workspace 1)", "(alloc.part t i32 17 0) (store r 0 1)",
            "E0901: beyond the workspace");
    outcome("(workspace 2)", "(alloc.part t i32 17 1) (store r 0 1)",
            "E0901: beyond the workspace");
    outcome("(workspace 2)", "(alloc.part t i32 17 0) (store t 16 4) (store r 0 (load t 16))", "4");
}

static void rejected(const char *workspace, const char *body, const char *why)
{
    Session *cx = session_new();
    nat_init(cx);
    LoopEntry *e = read(cx, workspace, body);
    jmp_buf boundary;
    cx->boundary = &boundary;
    if (setjmp(boundary) == 0) loops_check(cx, e);
    if (!cx->errors) fail_msg("accepted: %s", body);
    if (!strstr(cx->diags.at[0]->text, why)) fail_msg("%s, not %s", cx->diags.at[0]->text, why);
    session_delete(cx);
}

static void the_checker_knows_plans(void **state)
{
    (void)state;
    rejected("(workspace 1)", "(alloc.global t i32 n) (store r 0 1)", "not planned");
    rejected("(workspace 1)", "(loop i 0 n (block (alloc.global t i32 k) (store r 0 1)))",
             "allocated in a loop");
    rejected("(workspace 1)", "(loop i 0 n (block (alloc.part t i32 3 0) (store r 0 1)))",
             "may be another's");
    rejected("(workspace_if (< k 2i64) (workspace 1) (workspace 0))", "(store r 0 1)",
             "a workspace that does not depend on sizes alone");
    rejected("(workspace_if (< (/ (size n) (size m)) 2i64) (workspace 1) (workspace 0))",
             "(store r 0 1)", "a workspace that does not depend on sizes alone");
    rejected("(workspace k)", "(store r 0 1)", "memory that changes");
    rejected("(workspace 1)", "(alloc.part t i32 3 k) (store r 0 1)", "a slot that moves");
    rejected("", "(alloc.part t i32 3 0) (store r 0 1)", "in no workspace");
    rejected("", "(call_function sums k (address r 0) 0i64)", "memory for a call");
    rejected("", "(alloc.part t i32 3) (store r 0 1)", "a slot in the workspace");
    rejected("(workspace 1)",
             "(loop_parallel i 0 0 n (block (alloc.part t i32 3 0))) (store r 0 1)",
             "a slot that threads share");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_over_another),
        cmocka_unit_test(results_are_memory),
        cmocka_unit_test(one_after_the_other),
        cmocka_unit_test(sizes_and_types),
        cmocka_unit_test(in_loops),
        cmocka_unit_test(branches_and_jumps),
        cmocka_unit_test(arms_of_branches),
        cmocka_unit_test(iterations_in_any_order),
        cmocka_unit_test(calls),
        cmocka_unit_test(overlaps_are_found),
        cmocka_unit_test(the_checker_knows_plans),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
