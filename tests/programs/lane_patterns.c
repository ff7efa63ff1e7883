// What is left of each pattern of control flow in lanes: golden/lanes/NAME.loop has the loops of the entry NAME of lane_patterns.adz after they
// became vectors, for a machine with vectors of 64 bytes. BLESS=1 writes the files instead of comparing them.
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "programs/pipeline.h"

#define PATTERNS "tests/programs/lane_patterns.adz"
#define GOLDEN   "tests/programs/golden/lanes"

// In a session of its own, so that its names are not those that others left over.
static void is_golden(void **state)
{
    const char *name = *state;
    File file = read_program(PATTERNS, NULL);
    Session *cx = file.cx;
    Stages stages = run_stages(&file, find_entry(&file, name));
    assert_true(stages.done);
    Text out = text_new(cx->arena);
    loops_print(cx, &out, stages.loops[AFTER_vectorise]);
    const char *path = arena_printf(cx->arena, GOLDEN "/%s.loop", name);
    if (!strstr(text_get(&out), "vec[4]")) fail_msg("no vectors: %s", text_get(&out));
    if (getenv("BLESS")) {
        write_text(path, text_get(&out));
    } else {
        size_t len;
        const char *want = read_file(cx->arena, path, &len);
        if (!want) fail_msg("no file %s; BLESS=1 writes it", path);
        assert_string_equal(text_get(&out), want);
    }
    session_delete(cx);
}

int main(void)
{
    File file = read_program(PATTERNS, NULL);
    if (!file.program) return 2;
    int n = 0, all = file.program->functions.len;
    struct CMUnitTest *tests = ARENA_ARRAY(file.cx->arena, struct CMUnitTest, all + 1);
    for (int i = 0; i < all; i++) {
        const Function *f = file.program->functions.at[i];
        char *name = arena_strndup(file.cx->arena, f->name->text, f->name->len);
        if (f->entry)
            tests[n++] =
                (struct CMUnitTest){.name = name, .test_func = is_golden, .initial_state = name};
    }
    int failed = _cmocka_run_group_tests("patterns", tests, (size_t)n, NULL, NULL);
    session_delete(file.cx);
    return failed;
}
