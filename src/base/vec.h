// Growable arrays in an arena. `VEC(T) v` declares a struct {len, cap, at}; {0} is an empty array.
// An array that grows moves, so pointers to its elements do not survive a vec_push. Its old storage
// is freed with the arena.
#ifndef ADZE_BASE_VEC_H
#define ADZE_BASE_VEC_H

#include <string.h>

#include "base/arena.h"

#define VEC(T)                                                                                     \
    struct {                                                                                       \
        int len, cap;                                                                              \
        T *at;                                                                                     \
    }

/// Appends `item`, which is evaluated first, as it may append to the same array. All calls for one
/// array must pass the same arena.
#define vec_push(arena, v, item)                                                                   \
    do {                                                                                           \
        __typeof__(*(v)->at) vec_item_ = (item);                                                   \
        if ((v)->len == (v)->cap)                                                                  \
            (v)->at = vec_grow((arena), (v)->at, (v)->len, &(v)->cap, sizeof *(v)->at);            \
        (v)->at[(v)->len++] = vec_item_;                                                           \
    } while (0)

#define vec_last(v) ((v)->at[(v)->len - 1])

/// The part of vec_push that reallocates: copies the `len` elements of `size` bytes to storage of
/// twice the capacity (8 at first), and sets *cap to the new capacity.
void *vec_grow(Arena *arena, const void *at, int len, int *cap, size_t size);

#endif
