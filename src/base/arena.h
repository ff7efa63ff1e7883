// Memory by lifetime. An arena hands out zeroed objects that all die together; nothing else in the
// compiler calls malloc or free. Three lifetimes exist: the session's arena (names, nodes, diagnostics,
// syntax trees), a pass's arena (side tables), and scratch (`arena_mark`/`arena_release` in a function).
#ifndef ADZE_BASE_ARENA_H
#define ADZE_BASE_ARENA_H

#include <stdarg.h>
#include <stddef.h>

typedef struct Arena Arena;

/// A new empty arena. Ends the process with a message and status 1 when memory is exhausted, as does
/// every allocation from it.
Arena *arena_new(void);

/// Frees the arena and everything allocated from it. NULL is allowed.
void arena_delete(Arena *a);

/// `size` zeroed bytes, aligned for any type, alive as long as the arena. In debug builds every object
/// is a malloc of its own, so that AddressSanitizer sees overruns.
void *arena_alloc(Arena *a, size_t size);

/// How many bytes have been allocated from it.
size_t arena_bytes(const Arena *a);

/// A copy of `len` bytes of `text` with a terminating NUL.
char *arena_strndup(Arena *a, const char *text, size_t len);

/// The formatted text, NUL terminated.
char *arena_printf(Arena *a, const char *format, ...) __attribute__((format(printf, 2, 3)));
char *arena_vprintf(Arena *a, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));

#define ARENA_NEW(arena, T)      ((T *)arena_alloc((arena), sizeof(T)))
#define ARENA_ARRAY(arena, T, n) ((T *)arena_alloc((arena), sizeof(T) * (size_t)(n)))

#endif
