// What the tests of driver/ share: a folder of their own, sessions, programs from text.
#ifndef ADZE_TESTS_DRIVER_SUPPORT_H
#define ADZE_TESTS_DRIVER_SUPPORT_H

// cmocka.h needs these before it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "driver/commands/test_case.h"
#include "driver/pipeline/pipeline.h"
#include "driver/options/options.h"
#include "driver/system/system.h"

static char test_dir[128];

static inline int make_test_dir(void **state)
{
    (void)state;
    const char *base = getenv("TMPDIR");
    snprintf(test_dir, sizeof test_dir, "%.80s/adze-test-XXXXXX", base ? base : "/tmp");
    return mkdtemp(test_dir) ? 0 : -1;
}

static inline int remove_test_dir(void **state)
{
    (void)state;
    remove_path(test_dir);
    return 0;
}

static inline const char *in_dir(Session *cx, const char *name)
{
    return arena_printf(cx->arena, "%s/%s", test_dir, name);
}

static inline Session *new_session(void)
{
    Session *cx = session_new();
    nat_init(cx);
    return cx;
}

static inline const char *diagnostics(Session *cx)
{
    Text out = text_new(cx->arena);
    diag_print_all(cx, &out, false);
    return text_get(&out);
}

/// The code of the only error of the session; fails when there is not exactly one.
static inline const char *only_error(Session *cx)
{
    if (cx->diags.len != 1) fail_msg("%d diagnostics:\n%s", cx->diags.len, diagnostics(cx));
    return diag_name(cx->diags.at[0]->code);
}

/// A program from text, inferred.
static inline Work program_of(Session *cx, const char *text)
{
    Options usual = {0};
    Work w = {.cx = cx, .path = "test.adz", .check = true, .target = target_wanted(&usual)};
    w.file = session_add_source(cx, w.path, text, strlen(text));
    if (!pipeline_run(&w, PASS_parse, PASS_infer)) fail_msg("%s", diagnostics(cx));
    return w;
}

/// One of its entries down to loops.
static inline LoopEntry *entry_of(const Work *w, const char *name)
{
    const Function *f = map_get(&w->program->by_name, MAP_KEY(session_sym(w->cx, name)));
    assert_non_null(f);
    LoopEntry *e = pipeline_lower(w, f).loop;
    if (!e) fail_msg("%s", diagnostics(w->cx));
    return e;
}

/// Values by hand.
static inline Value number(uint64_t bits)
{
    return (Value){.bits = bits};
}

static inline Value list(Arena *arena, int n, const Value *parts)
{
    Value v = {.count = n, .parts = ARENA_ARRAY(arena, Value, n + 1)};
    for (int i = 0; i < n; i++) v.parts[i] = parts[i];
    return v;
}

static inline Value floats(Arena *arena, int n, const double *x)
{
    Value v = {.count = n, .parts = ARENA_ARRAY(arena, Value, n + 1)};
    for (int i = 0; i < n; i++) v.parts[i] = number(float_bits(x[i]));
    return v;
}

#endif
