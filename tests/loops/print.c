// The textual form of entries: read back to the very same, and the errors of malformed texts.
#include "dpia/programs.h"
#include "loops/ir/passes.h"
#include "loops/ir/loops.h"

static LoopEntry *read(Session *cx, const char *text)
{
    return loops_read(cx, session_add_source(cx, "test", text, strlen(text)));
}

static const char *show(Session *cx, const LoopEntry *e)
{
    Text t = text_new(cx->arena);
    loops_print(cx, &t, e);
    return text_get(&t);
}

static void assert_same_params(const LoopEntry *a, const LoopEntry *b)
{
    assert_int_equal(a->params.len, b->params.len);
    for (int i = 0; i < a->params.len; i++) {
        const LoopParam *p = &a->params.at[i], *q = &b->params.at[i];
        assert_ptr_equal(p->name, q->name);
        assert_int_equal(p->scalar, q->scalar);
        assert_ptr_equal(p->idx, q->idx);
        assert_int_equal(p->rank, q->rank);
        assert_ptr_equal(p->count, q->count);
        assert_int_equal(p->output, q->output);
    }
}

static void assert_reads_back(Session *cx, const LoopEntry *e)
{
    LoopEntry *again = read(cx, show(cx, e));
    if (!again) fail_msg("%s", show(cx, e));
    assert_ptr_equal(e->body, again->body);
    assert_ptr_equal(e->result, again->result);
    assert_same_params(e, again);
    assert_string_equal(show(cx, e), show(cx, again));
}

static void each_program_reads_back(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    const char **names;
    int n = program_names(arena, &names);
    for (int i = 0; i < n; i++) {
        Session *cx = session_new();
        nat_init(cx);
        LoopEntry *e = loops_from_dpia(cx, dpia_from_core(cx, read_low(cx, names[i])));
        assert_reads_back(cx, e);
        assert_reads_back(cx, loops_index_set_split(cx, loops_licm(cx, loops_simplify(cx, e))));
        session_delete(cx);
    }
    arena_delete(arena);
}

static void the_form_is_stable(void **state)
{
    (void)state;
    Session *cx = session_new();
    nat_init(cx);
    const char *text = "(loops f [n, m] (a: [n][m + 1]f32, i: idx[n], k: u8) : (f32, [n]idx[m])\n"
                       "  (doc \"says \\\"so\\\"\")\n"
                       "  (checks (1 <= m \"not empty\"))\n"
                       "  (buffers (in a f32 [n, m + 1]) (in i i64 < n) (in k u8) (out out_0 f32) "
                       "(out out_1 i64 [n] < m))\n"
                       "  (block (store out_0 0 (load a (i*m + i))) (loop j 0 n (block (store "
                       "out_1 j (size 0))))))\n";
    assert_string_equal(show(cx, read(cx, text)), text);
    session_delete(cx);
}

#define WITH_MASK(stmt)                                                                            \
    "(loops f [n] (a: [n]i32, k: i64) : [n]i32\n"                                                  \
    "  (buffers (in a i32 [n]) (in k i64) (out y i32 [n]))\n"                                      \
    "  (block\n"                                                                                   \
    "    (decl v vec[4]i32 (load a k : vec[4]i32))\n"                                              \
    "    (decl m vec[4]bool (< v (splat 3 : vec[4]i32)))\n"                                        \
    "    (decl p vec[4]i64 (cast v : vec[4]i64))\n"                                                \
    "    " stmt "))\n"

static void masks_read_back(void **state)
{
    (void)state;
    static const char *const texts[] = {
        WITH_MASK("(store y k (load_where a (k + 4) m : vec[4]i32))"),
        WITH_MASK("(store y k (gather_where a p m : vec[4]i32))"),
        WITH_MASK("(store y k (gather_where a (+ p p) (! m) : vec[4]i32))"),
        WITH_MASK("(store_where y (k + 4) v m)"),
        WITH_MASK("(scatter_where y p (? m v (splat 0 : vec[4]i32)) (! m))"),
        WITH_MASK("(branch (any_lane m) (store y 0 (lane v 3)) (block))"),
        WITH_MASK("(store y 0 (lane v k))"),
        WITH_MASK("(store y 0 (shuffled v (+ v v) 3 4 4 0))"),
        WITH_MASK("(store y 0 (packed (+ v v) (! m)))"),
        WITH_MASK("(store y 0 (unpacked v m))"),
        WITH_MASK("(store_packed y (k + 1) v m)"),
        WITH_MASK("(store_packed.unchecked y (k + 1) v m)"),
        WITH_MASK("(store y 0 (cast (count_lanes m) : i32))"),
        WITH_MASK("(store y 0 (cast (bits_of_lanes m) : i32))"),
        WITH_MASK("(store y 0 (splat (lane (+ v v) 2) : vec[4]i32))"),
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        Session *cx = session_new();
        nat_init(cx);
        LoopEntry *e = read(cx, texts[i]);
        if (!e) fail_msg("%s\n%s", cx->diags.at[0]->text, texts[i]);
        assert_string_equal(show(cx, e), texts[i]);
        session_delete(cx);
    }
}

// What has no type by its rule.
static void masks_have_rules(void **state)
{
    (void)state;
    static const char *const texts[][2] = {
        {WITH_MASK("(store y k (load_where a k m))"), "a masked load needs a type"},
        {WITH_MASK("(store y k (gather_where a p m))"), "a masked load needs a type"},
        {WITH_MASK("(branch (any_lane v) (block) (block))"), "any_lane takes a mask"},
        {WITH_MASK("(branch (any_lane true) (block) (block))"), "any_lane takes a mask"},
        {WITH_MASK("(store y 0 (lane 3 0))"), "a lane is one of a vector"},
        {WITH_MASK("(store y 0 (shuffled v m 0 1 2 3))"), "two vectors of a type"},
        {WITH_MASK("(store y 0 (shuffled v v 0 1 2))"), "the number of a lane for each"},
        {WITH_MASK("(store y 0 (shuffled v v 0 1 2 8))"), "the number of a lane for each"},
        {WITH_MASK("(store y 0 (shuffled v v 0 1 2 k))"), "the number of a lane for each"},
        {WITH_MASK("(store y 0 (packed v v))"), "lanes are moved by a mask of as many"},
        {WITH_MASK("(store y 0 (unpacked 3i32 m))"), "lanes are moved by a mask of as many"},
        {WITH_MASK("(store y 0 (cast (count_lanes v) : i32))"), "count_lanes takes a mask"},
        {WITH_MASK("(store y 0 (cast (bits_of_lanes v) : i32))"), "bits_of_lanes takes a mask"},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        Session *cx = session_new();
        nat_init(cx);
        if (read(cx, texts[i][0])) fail_msg("is read: %s", texts[i][0]);
        assert_int_equal(cx->diags.at[0]->code, E0119);
        if (!strstr(cx->diags.at[0]->text, texts[i][1]))
            fail_msg("%s, not %s", cx->diags.at[0]->text, texts[i][1]);
        session_delete(cx);
    }
}

static void malformed_texts_are_refused(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",
        "(loops)",
        "(loops f () : i32 (block))",
        "(loops f () : i32 (buffers (out out i32)) (block (store out 0 1))",
        "(loops f () : i32 (buffers (out out i32)) (block (store out 0 1))) x",
        "(loops f () : i32 (buffers (out out [3]i32)) (block))",
        "(loops f () : i32 (buffers (inout out i32)) (block))",
        "(loops f () : i32 (buffers (out out i32 [n)) (block))",
        "(loops f () : i32 (buffers (out out i32)) (block (store out 0 x)))",
        "(loops f () : i32 (buffers (out out i32)) (block (store out 0 (? true 1 2.0))))",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        Session *cx = session_new();
        nat_init(cx);
        assert_null(read(cx, texts[i]));
        assert_int_equal(cx->errors, 1);
        assert_int_equal(cx->diags.at[0]->code, E0119);
        session_delete(cx);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_program_reads_back),
        cmocka_unit_test(the_form_is_stable),
        cmocka_unit_test(masks_read_back),
        cmocka_unit_test(masks_have_rules),
        cmocka_unit_test(malformed_texts_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
