// A string that grows at its end. Printers, the emitter and diagnostics write into one.
#ifndef ADZE_BASE_TEXT_H
#define ADZE_BASE_TEXT_H

#include <stdarg.h>
#include <stddef.h>

#include "base/arena.h"

typedef struct {
    Arena *arena;
    char *at; // ends in a NUL; NULL while the text is empty (text_get then returns "")
    size_t len, cap;
} Text;

/// An empty text.
Text text_new(Arena *arena);

/// Appends `len` bytes.
void text_add(Text *t, const char *bytes, size_t len);
/// Appends one character.
void text_char(Text *t, char c);
/// Appends a NUL-terminated string.
void text_put(Text *t, const char *s);
/// Appends formatted text.
void text_printf(Text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

/// A copy of `s` in which `_` replaces every byte that has a special meaning in a C comment,
/// #include or string, or in a message: control characters, `"`, `\` and `?` (trigraphs).
char *text_plain(Arena *arena, const char *s);

/// The text so far as a NUL-terminated string; "" if it is empty. Valid until the next append.
const char *text_get(const Text *t);

#endif
