// Files of expected text in golden/. BLESS=1 writes them instead of comparing.
#ifndef ADZE_TESTS_GOLDEN_H
#define ADZE_TESTS_GOLDEN_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#include "base/session.h"

static inline const char *golden_path(Session *cx, const char *name, const char *extension)
{
    return arena_printf(cx->arena, "tests/staging/golden/%s.%s", name, extension);
}

/// NULL when there is no such file.
static inline char *golden_text(Session *cx, const char *name, const char *extension)
{
    FILE *f = fopen(golden_path(cx, name, extension), "rb");
    if (!f) return NULL;
    enum { MOST = 1 << 16 };
    char *text = arena_alloc(cx->arena, MOST);
    text[fread(text, 1, MOST - 1, f)] = 0;
    fclose(f);
    return text;
}

static inline void golden_compare(Session *cx, const char *name, const char *extension,
                                  const char *text)
{
    const char *path = golden_path(cx, name, extension);
    if (getenv("BLESS")) {
        FILE *f = fopen(path, "wb");
        assert_non_null(f);
        fputs(text, f);
        assert_int_equal(fclose(f), 0);
        return;
    }
    const char *want = golden_text(cx, name, extension);
    if (!want) fail_msg("no file %s; BLESS=1 writes it", path);
    assert_string_equal(text, want);
}

#endif
