// What the first entry of a program of loops is after a pass.
#ifndef ADZE_TESTS_LOOPS_AFTER_H
#define ADZE_TESTS_LOOPS_AFTER_H

#include "loops/programs.h"
#include "loops/read.h"

// After the passes up to `last` the text of the first entry has `some` and has not `other` (NULL: whatever).
static inline void expect_of(int last, const char *entries, const char *some, const char *other)
{
    Session *cx = session_new();
    nat_init(cx);
    LoopEntry *e = read_loops(cx, entries);
    for (int k = 1; k <= last; k++) loops_check(cx, e = loop_passes[k].run(cx, e));
    Text t = text_new(cx->arena);
    term_print(cx, &t, e->body, NULL, 0, 0);
    const char *text = text_get(&t);
    if (some && !strstr(text, some)) fail_msg("no %s in %s", some, text);
    if (other && strstr(text, other)) fail_msg("%s in %s", other, text);
    session_delete(cx);
}

// The same of an entry with this body.
static inline void expect(int last, const char *body, const char *some, const char *other)
{
    Arena *arena = arena_new();
    const char *text = arena_printf(
        arena,
        "(loops t [n] (a: [n]i32, k: i64) : (i64, i32) (buffers (in a i32 [n]) (in k i64)"
        " (out r i64) (out s i32)) (block %s))"
        "(loops f [n] (x: &mut i64) : () (buffers (both x i64)) (store x 0 (- (load x 0) 1i64)))",
        body);
    expect_of(last, text, some, other);
    arena_delete(arena);
}

#endif
