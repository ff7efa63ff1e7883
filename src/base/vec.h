// Growable arrays in an arena. `VEC(T) v` declares a struct {len, cap, at}. Growing copies the
// elements; the old storage stays in the arena.
#ifndef ADZE_BASE_VEC_H
#define ADZE_BASE_VEC_H

#include <string.h>

#include "base/arena.h"

#define VEC(T)                                                                                     \
    struct {                                                                                       \
        int len, cap;                                                                              \
        T *at;                                                                                     \
    }

/// Appends `item`; the vector's storage comes from `arena`.
#define vec_push(arena, v, item)                                                                   \
    do {                                                                                           \
        if ((v)->len == (v)->cap)                                                                  \
            (v)->at = vec_grow((arena), (v)->at, (v)->len, &(v)->cap, sizeof *(v)->at);            \
        (v)->at[(v)->len++] = (item);                                                              \
    } while (0)

#define vec_last(v) ((v)->at[(v)->len - 1])

/// Returns a copy of `at` with room for twice as many items of `size` bytes (8 if *cap is 0), and
/// updates *cap. Used by vec_push.
void *vec_grow(Arena *arena, const void *at, int len, int *cap, size_t size);

#endif
