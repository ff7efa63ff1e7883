// Memory by lifetime. An arena hands out zeroed objects that all die together. Apart from the
// driver, nothing else in the compiler calls malloc or free. There are three lifetimes: the
// session's arena (names, nodes, diagnostics, syntax trees), a pass's arena (side tables), and a
// function's scratch arena.
#ifndef ADZE_BASE_ARENA_H
#define ADZE_BASE_ARENA_H

#include <stdarg.h>
#include <stddef.h>

typedef struct Arena Arena;

/// A new empty arena with its own memory account. When memory is exhausted, an allocation calls the
/// function passed to arena_limit; if there is none, it prints a message and exits with status 1.
Arena *arena_new(void);

/// A new empty arena that shares the account of `a`. A single limit applies to all arenas of an
/// account together, and deleting the arena that owns the account frees the others. Walks that only
/// annotate existing nodes use independent arenas, as their memory is proportional to memory
/// already counted.
Arena *arena_new_beside(Arena *a);

/// Frees the arena and everything allocated from it. NULL is allowed.
void arena_delete(Arena *a);

/// Limits the number of bytes that the arenas sharing the account of `a` may together take from the
/// system; 0 means no limit. An allocation that would exceed the limit calls `full` with the limit;
/// an allocation that the system refuses calls `full` with the number of bytes taken so far. `full`
/// must not return. The limit is lifted before the call, so that the failure can be reported.
typedef void ArenaFull(void *env, size_t bytes);
void arena_limit(Arena *a, size_t bytes, ArenaFull *full, void *env);

/// Returns `size` zeroed bytes, aligned for any type and valid until the arena is deleted. In debug
/// builds every object is a separate malloc, so that AddressSanitizer detects overruns.
void *arena_alloc(Arena *a, size_t size);

/// The contents of an arena at a moment, to which the arena can return any number of times.
typedef struct ArenaMark ArenaMark;

/// Copies the contents of an arena that has its own memory account, and no arenas beside it. The
/// copy has memory of its own, which arena_mark_delete frees, before or after the arena is deleted.
ArenaMark *arena_mark(const Arena *a);
/// Brings the arena back to the mark: everything allocated since is freed, arenas beside it, too,
/// and objects that were changed since are as they were, at the same addresses.
void arena_return(Arena *a, const ArenaMark *mark);
void arena_mark_delete(ArenaMark *mark); // may be NULL

/// The number of bytes allocated from the arena.
size_t arena_bytes(const Arena *a);

/// A copy of `len` bytes of `text` with a terminating NUL.
char *arena_strndup(Arena *a, const char *text, size_t len);

/// The formatted text, NUL-terminated.
char *arena_printf(Arena *a, const char *format, ...) __attribute__((format(printf, 2, 3)));
char *arena_vprintf(Arena *a, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));

#define ARENA_NEW(arena, T)      ((T *)arena_alloc((arena), sizeof(T)))
#define ARENA_ARRAY(arena, T, n) ((T *)arena_alloc((arena), sizeof(T) * (size_t)(n)))

#endif
