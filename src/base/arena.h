// Memory by lifetime. An arena hands out zeroed objects that all die together; nothing else in the
// compiler calls malloc or free. Three lifetimes exist: the session's arena (names, nodes,
// diagnostics, syntax trees), a pass's arena (side tables), and scratch
// (`arena_mark`/`arena_release` in a function).
#ifndef ADZE_BASE_ARENA_H
#define ADZE_BASE_ARENA_H

#include <stdarg.h>
#include <stddef.h>

typedef struct Arena Arena;

/// A new empty arena with an account of its own. When memory is exhausted an allocation calls the
/// function given to arena_limit, or else ends the process with a message and status 1.
Arena *arena_new(void);

/// A new empty arena that shares the account of `a`: the memory of all of them together is limited,
/// and those that are left are freed with the first of them. Walks that only take notes of nodes
/// that exist have arenas by themselves: what they need is in proportion to what is counted.
Arena *arena_new_beside(Arena *a);

/// Frees the arena and everything allocated from it. NULL is allowed.
void arena_delete(Arena *a);

/// The most bytes that the arenas of the account of `a` may have from the system together, 0: any
/// number. An allocation beyond, or for which the system has no memory, calls `full` with the bytes
/// that are not enough. It must not return; from then on there is no limit, so that it can be
/// reported.
typedef void ArenaFull(void *env, size_t bytes);
void arena_limit(Arena *a, size_t bytes, ArenaFull *full, void *env);

/// `size` zeroed bytes, aligned for any type, alive as long as the arena. In debug builds every
/// object is a malloc of its own, so that AddressSanitizer sees overruns.
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
