// The levels of one small program as text: golden/dot.LEVEL, the running example of ARCHITECTURE.md; and what the schedules of
// examples/schedules/gemm.adz leave of a product of matrices: golden/gemm/SCHEDULE.core, and SCHEDULE.loops, the loops of it in C; likewise
// golden/vectors for schedules_vectors.adz.
// BLESS=1 writes the files instead of comparing them.
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "programs/shape.h"

#define GOLDEN "tests/programs/golden"

typedef struct {
    File file;
    Stages stages;
} Example;

static int read_example(void **state)
{
    static Example e;
    e.file = read_program(GOLDEN "/dot.adz", NULL);
    if (!e.file.program) return 1;
    e.stages = run_stages(&e.file, find_entry(&e.file, "dot"));
    *state = &e;
    return e.stages.done ? 0 : 1;
}

static int delete_example(void **state)
{
    session_delete(((Example *)*state)->file.cx);
    return 0;
}

static void compare_with(Session *cx, const char *path, const char *text)
{
    if (getenv("BLESS")) {
        write_text(path, text);
        return;
    }
    size_t len;
    const char *want = read_file(cx->arena, path, &len);
    if (!want) fail_msg("no file %s; BLESS=1 writes it", path);
    assert_string_equal(text, want);
}

static void compare(Session *cx, const char *level, const char *text)
{
    compare_with(cx, arena_printf(cx->arena, GOLDEN "/dot.%s", level), text);
}

static void core_is_golden(void **state)
{
    Example *e = *state;
    Text out = text_new(e->file.cx->arena);
    core_print(e->file.cx, &out, e->stages.core);
    compare(e->file.cx, "core", text_get(&out));
}

static void flat_is_golden(void **state)
{
    Example *e = *state;
    Text out = text_new(e->file.cx->arena);
    core_print(e->file.cx, &out, e->stages.flat);
    compare(e->file.cx, "flat", text_get(&out));
}

static void low_is_golden(void **state)
{
    Example *e = *state;
    Text out = text_new(e->file.cx->arena);
    core_print(e->file.cx, &out, e->stages.low);
    compare(e->file.cx, "low", text_get(&out));
}

static void dpia_is_golden(void **state)
{
    Example *e = *state;
    Text out = text_new(e->file.cx->arena);
    dpia_print(e->file.cx, &out, e->stages.phrase);
    compare(e->file.cx, "dpia", text_get(&out));
}

static void loops_are_golden(void **state)
{
    Example *e = *state;
    Text out = text_new(e->file.cx->arena);
    loops_print(e->file.cx, &out, e->stages.loops[LOOPS_DONE]);
    compare(e->file.cx, "loop", text_get(&out));
}

static void c_is_golden(void **state)
{
    Example *e = *state;
    Text source = text_new(e->file.cx->arena), header = text_new(e->file.cx->arena);
    EmitOptions options = {.prefix = "adze_"};
    emit_c(e->file.cx, &source, &header, "dot.h", &e->stages.loops[LOOPS_DONE], 1, &options);
    compare(e->file.cx, "c", text_get(&source));
    compare(e->file.cx, "h", text_get(&header));
}

// What the schedules of these entries leave, in the folder.
static void compare_schedules(const char *source, const char *folder, const char *const *entries,
                              size_t n)
{
    Arena *arena = arena_new();
    size_t len;
    const char *program = read_file(arena, source, &len);
    for (size_t i = 0; i < n; i++) {
        Shape s = shape_of(entries[i], program);
        Session *cx = s.file.cx;
        Text out = text_new(cx->arena);
        core_print(cx, &out, s.stages.flat);
        const char *path = arena_printf(cx->arena, GOLDEN "/%s/%s", folder, entries[i]);
        compare_with(cx, arena_printf(cx->arena, "%s.core", path), text_get(&out));
        compare_with(cx, arena_printf(cx->arena, "%s.loops", path), s.body);
        shape_delete(&s);
    }
    arena_delete(arena);
}

static void schedules_are_golden(void **state)
{
    (void)state;
    static const char *const products[] = {"baseline", "blocking", "vectorised", "permuted",
                                           "packed",   "cached",   "parallel",   "any"};
    static const char *const vectors[] = {"saxpy", "lengths", "clipped", "sum", "aligned"};
    compare_schedules("examples/schedules/gemm.adz", "gemm", products,
                      sizeof products / sizeof *products);
    compare_schedules("tests/programs/schedules_vectors.adz", "vectors", vectors,
                      sizeof vectors / sizeof *vectors);
}

// The loops of entries in which nothing is copied that need not be: in the folder `moves`.
static void moves_are_golden(void **state)
{
    (void)state;
    static const char *const entries[] = {
        "modified",       "generated", "eliminated",         "eliminated_all",
        "neighbours",     "filled",    "kept_before",        "swapped",
        "three",          "wave",      "converged",          "converged_late",
        "while_changing", "history",   "rows_by_themselves", "transposed_rows"};
    Arena *arena = arena_new();
    size_t len;
    const char *program = read_file(arena, "tests/programs/moves.adz", &len);
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
        Shape s = shape_of(entries[i], program);
        Session *cx = s.file.cx;
        compare_with(cx, arena_printf(cx->arena, GOLDEN "/moves/%s.loops", entries[i]), s.body);
        shape_delete(&s);
    }
    arena_delete(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(core_is_golden),       cmocka_unit_test(flat_is_golden),
        cmocka_unit_test(low_is_golden),        cmocka_unit_test(dpia_is_golden),
        cmocka_unit_test(loops_are_golden),     cmocka_unit_test(c_is_golden),
        cmocka_unit_test(schedules_are_golden), cmocka_unit_test(moves_are_golden),
    };
    return cmocka_run_group_tests(tests, read_example, delete_example);
}
