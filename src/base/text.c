// Text: a string builder.
#include "base/text.h"

#include <stdio.h>
#include <string.h>

Text text_new(Arena *arena)
{
    return (Text){.arena = arena};
}

void text_add(Text *t, const char *bytes, size_t len)
{
    if (t->len + len + 1 > t->cap) {
        size_t cap = t->cap ? t->cap * 2 : 64;
        while (cap < t->len + len + 1) cap *= 2;
        char *grown = arena_alloc(t->arena, cap);
        if (t->len) memcpy(grown, t->at, t->len);
        t->at = grown;
        t->cap = cap;
    }
    if (len) memcpy(t->at + t->len, bytes, len);
    t->len += len;
    t->at[t->len] = '\0';
}

void text_char(Text *t, char c)
{
    text_add(t, &c, 1);
}

void text_put(Text *t, const char *s)
{
    text_add(t, s, strlen(s));
}

void text_printf(Text *t, const char *format, ...)
{
    char small[256];
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int len = vsnprintf(small, sizeof small, format, args);
    if (len >= 0 && (size_t)len < sizeof small)
        text_add(t, small, (size_t)len);
    else
        text_put(t, arena_vprintf(t->arena, format, again));
    va_end(again);
    va_end(args);
}

const char *text_get(const Text *t)
{
    return t->at ? t->at : "";
}

char *text_plain(Arena *arena, const char *s)
{
    char *plain = arena_strndup(arena, s, strlen(s));
    for (char *c = plain; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 0x7f || strchr("\"\\?", *c)) *c = '_';
    return plain;
}
