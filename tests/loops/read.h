// Entries of Loop IR as text in tests.
#ifndef TESTS_LOOPS_READ_H
#define TESTS_LOOPS_READ_H

#include "loops/ir/loops.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

/// A checked entry from its textual form; the test fails when it is malformed.
static inline LoopEntry *read_loops(Session *cx, const char *text)
{
    LoopEntry *e = loops_read(cx, session_add_source(cx, "test", text, strlen(text)));
    if (!e) fail_msg("%s\n%s", cx->diags.at[0]->text, text);
    loops_check(cx, e);
    return e;
}

/// The text in one line.
static inline const char *flat(Arena *arena, const char *text)
{
    Text out = text_new(arena);
    for (; *text; text++) {
        bool first = *text != ' ' && *text != '\n';
        if (first) text_char(&out, *text);
        if (first && (text[1] == ' ' || text[1] == '\n')) text_char(&out, ' ');
    }
    return text_get(&out);
}

#endif
