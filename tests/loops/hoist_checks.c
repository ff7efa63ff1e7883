// Checks at the door: how far checks move, what they become, and that the same calls fail as before.
#include "dpia/random_values.h"
#include "loops/read.h"
#include "loops/stages.h"

static LoopEntry *read(Session *cx, const char *body)
{
    const char *text =
        arena_printf(cx->arena,
                     "(loops t [n, m] (a: [m]i32, k: i64, l: i64) : i32 (buffers (in a i32 [m]) "
                     "(in k i64) (in l "
                     "i64) (out r i32)) (block (decl s i32 0) %s (store r 0 s)))"
                     "(loops f [n, m] (x: &mut i32) : () (buffers (both x i32)) (store x 0 7))",
                     body);
    return read_loops(cx, text);
}

static const char *outcome_of(Session *cx, const LoopEntry *e, const int64_t *sizes, int64_t k,
                              int64_t l)
{
    static Value items[8];
    for (int i = 0; i < 8; i++) items[i].bits = (uint64_t)i * 3 % 5;
    Value v = {0};
    Value args[] = {
        {.count = sizes[1], .parts = items}, {.bits = (uint64_t)k}, {.bits = (uint64_t)l}};
    Outcome o = loops_eval(cx, cx->arena, e, sizes, args, ALGEBRA_IEEE, 100000, &v);
    return outcome_text(cx, o, &v, e->result);
}

// Both do the same wherever the indices come close to the ends of the array, and of 64 bits.
static void same_outcomes(Session *cx, const LoopEntry *before, const LoopEntry *after)
{
    static const int64_t shifts[] = {-3,        -1,           0, 1, 2, 5, INT64_MAX, INT64_MAX - 3,
                                     INT64_MIN, INT64_MIN + 2};
    enum { SHIFTS = sizeof shifts / sizeof *shifts };
    for (int64_t n = 0; n < 4; n++)
        for (int64_t m = 0; m < 8; m += n + 1)
            for (int i = 0; i < SHIFTS * SHIFTS; i++) {
                int64_t sizes[] = {n, m}, k = shifts[i / SHIFTS], l = shifts[i % SHIFTS];
                const char *want = outcome_of(cx, before, sizes, k, l);
                const char *got = outcome_of(cx, after, sizes, k, l);
                if (strcmp(want, got) != 0)
                    fail_msg("n = %d, m = %d, k = %lld, l = %lld: %s, not %s", (int)n, (int)m,
                             (long long)k, (long long)l, got, want);
            }
}

static int checks_in(Node *s, bool loop)
{
    int n = s->kind == LOOP_CHECK && loop;
    loop = loop || loops_is_counted(s) || s->kind == LOOP_FOREVER;
    for (uint32_t k = 0; k < s->nops; k++)
        if (loops_is_stmt(s->op[k])) n += checks_in(s->op[k], loop);
    return n;
}

static const char *without_space(Session *cx, const char *text)
{
    Text t = text_new(cx->arena);
    for (; *text; text++)
        if (*text != ' ' && *text != '\n') text_char(&t, *text);
    return text_get(&t);
}

// After the pass so many checks are in loops, and `first` stands at the beginning (NULL: whatever).
static void expect(const char *body, int in_loops, const char *first)
{
    Session *cx = session_new();
    nat_init(cx);
    LoopEntry *e = read(cx, body), *before = loops_simplify(cx, e),
              *after = loops_hoist_checks(cx, before);
    loops_check(cx, after);
    Text t = text_new(cx->arena);
    term_print(cx, &t, after->body, NULL, 0, 0);
    const char *text = text_get(&t);
    const char *begin = first ? without_space(cx, first) : "";
    if (strncmp(without_space(cx, text) + strlen("(block"), begin, strlen(begin)) != 0)
        fail_msg("%s\ndoes not begin with %s", text, first);
    if (checks_in(after->body, false) != in_loops)
        fail_msg("%d checks in loops, not %d:\n%s", checks_in(after->body, false), in_loops, text);
    same_outcomes(cx, e, after);
    session_delete(cx);
}

#define IN(e)         "(& (<= 0i64 " e ") (< " e " (size m)))"
#define REQUIRE(e)    "(require E0601 " IN(e) ") "
#define ACCESS(e)     REQUIRE("(size (" e "))") "(set s (+ s (load a (" e "))))"
#define WRAPS(x, e)   "(decl " x " i64 " e ") " REQUIRE(x) "(set s (+ s (load a " x "))) "
#define LOOP(i, body) "(loop " i " 0 n (block " body "))"

static void sizes_leave_loops(void **state)
{
    (void)state;
    expect(LOOP("i", ACCESS("i + 2")), 0,
           "(require E0601 (? (>= (size 0) (size n)) true (< (size (n + 1)) (size m))))");
    expect(LOOP("i", ACCESS("3*i - 1")), 0, NULL);
    expect(LOOP("i", ACCESS("n - i")), 0, NULL);
    expect(LOOP("i", LOOP("j", ACCESS("2*i + j - n"))), 0, NULL);
    expect(LOOP("i", "(loop j i n (block " ACCESS("j - i + 1") "))"), 0, NULL);
    expect("(loop_parallel i 0 0 n (block (decl x i32 0) " REQUIRE("(size (i + 1))") "))", 0, NULL);
    // no polynomial, but it only grows
    expect(LOOP("i", ACCESS("i*i - i")), 0, NULL);
    expect(LOOP("i", ACCESS("(i*i + 3)/2")), 0, NULL);
    expect(LOOP("i", ACCESS("min(2*i, n + 1)")), 0, NULL);
    // a minimum inside, a remainder
    expect(LOOP("i", ACCESS("4*i - i*i")), 1, NULL);
    expect(LOOP("i", ACCESS("i%3 + n")), 1, NULL);
    expect(LOOP("i", "(require E0601 (!= (size i) 2i64))"), 1, NULL);
    expect(LOOP("i", "(require E0601 (== (size (i + 1)) (size m)))"), 0, NULL);
}

static void integers_leave_loops(void **state)
{
    (void)state;
    expect(LOOP("i", WRAPS("x", "(+ (size i) (size k))")), 0, NULL);
    expect(LOOP("i", WRAPS("x", "(- (size k) (size i))")), 0, NULL);
    expect(LOOP("i", WRAPS("x", "(+ (* (size i) (size k)) (size l))")), 0, NULL);
    expect(LOOP("i", LOOP("j", WRAPS("x", "(+ (+ (size i) (size j)) (size k))"))), 0, NULL);
    // one by one, each told by what is known of the one before
    expect(
        LOOP("i", WRAPS("x", "(+ (size i) (size k))") WRAPS("y", "(+ (+ (size i) (size k)) 1i64)")),
        0, NULL);
    expect("(loop i k l (block " ACCESS("i") "))", 0,
           "(require E0601 (? (>= (size k) (size l)) true");
    // sums of lengths and an integer of 32 bits do not wrap, but its products with itself may
#define WORD "(decl w i64 (cast (cast (size k) : i32) : i64)) (loop i 0 (m - w) (block "
    expect(WORD ACCESS("i + w") "))", 0, NULL);
    expect(WORD WRAPS("x", "(- (- (size m) (size i)) (size w))") "))", 0, NULL);
    expect(WORD WRAPS("x", "(* (* (size i) (size w)) (size w))") "))", 0, NULL);
#undef WORD
    // the steps may go round
    expect(LOOP("i", WRAPS("x", "(* (* (size i) (size i)) (size k))")), 1, NULL);
    expect("(loop i k l (block " WRAPS("x", "(+ (size i) 1i64)") "))", 1, NULL);
}

static void branches_bound_the_range(void **state)
{
    (void)state;
    const char *sides[] = {"(< (size i) 3i64)",
                           "(>= (size i) 2i64)",
                           "(== (size i) 1i64)",
                           "(< (size k) 2i64)",
                           "(& (<= 1i64 (size i)) (< (size i) (size (n - 1))))",
                           "(? (<= (size k) (size i)) (< (size i) 3i64) false)"};
    Arena *arena = arena_new();
    for (int k = 0; k < 6; k++) {
        const char *branch = LOOP("i", "(branch %s (block " ACCESS("i + 1") ") (block))");
        expect(arena_printf(arena, branch, sides[k]), 0, NULL);
        const char *other = LOOP("i", "(branch %s (block) (block " ACCESS("i + 1") "))");
        expect(arena_printf(arena, other, sides[k]), k < 2 || k == 3 ? 0 : 1, NULL);
    }
    arena_delete(arena);
    expect(LOOP("i", "(branch (== s 3) (block " ACCESS("i + 1") ") (block))"), 1, NULL);
    expect(LOOP("i", "(branch (!= (size i) 2i64) (block " ACCESS("i + 1") ") (block))"), 1, NULL);
}

static void what_stands_in_the_way(void **state)
{
    (void)state;
    // data, jumps, calls, loops for ever
    expect(LOOP("i", "(set s (+ s 1)) (decl x i64 (cast s : i64)) " REQUIRE("x")), 1, NULL);
    expect("(target b " LOOP("i", "(branch (== s 3) (goto b) (block)) " ACCESS("i + 1")) ")", 1,
           NULL);
    expect("(target b " LOOP("i", ACCESS("i + 1") "(branch (== s 3) (goto b) (block))") ")", 1,
           NULL);
    expect(LOOP("i", "(call_function f (address s 0)) " ACCESS("i + 1")), 1, NULL);
    expect(LOOP("i", "(target b (loop_forever (goto b))) " ACCESS("i + 1")), 0, NULL);
    expect(
        "(target b (loop_forever (block " ACCESS("n + 1") "(branch (== s 0) (block) (goto b)))))",
        1, NULL);
    // jumps inside a round
    expect(
        LOOP("i", "(target c (block (branch (== s 3) (goto c) (block)) (set s (+ s 1)))) " ACCESS(
                      "i + 1")),
        0, NULL);
    expect(LOOP("i", "(target c (block (branch (== s 3) (goto c) (block)) " ACCESS("i + 1") "))"),
           1, NULL);
    // before a loop, behind what may leave
    expect("(target b (block (branch (> (size k) 1i64) (goto b) (block)) " LOOP(
               "i", ACCESS("i + 1")) "))",
           0, NULL);
}

static void they_stand_first_and_once(void **state)
{
    (void)state;
    const char *two = LOOP("i", "(set s (+ s 1))") REQUIRE("(size k)") "(set s (+ s (load a k)))";
    expect(two, 0, "(require E0601 (? (<= 0i64 (size k)) (< (size k) (size m)) false))");
    // the larger one is enough; equal ones are one
    expect(
        LOOP("i", ACCESS("i + 1") ACCESS("i + 3") ACCESS("i + 2")) LOOP("j", ACCESS("j + 3")), 0,
        "(require E0601 (? (>= (size 0) (size n)) true (< (size (n + 2)) (size m)))) (block (decl");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_leave_loops),         cmocka_unit_test(integers_leave_loops),
        cmocka_unit_test(branches_bound_the_range),  cmocka_unit_test(what_stands_in_the_way),
        cmocka_unit_test(they_stand_first_and_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
