// A hash map from pointers or integers to pointers that remembers insertion order. Walking
// `entries[0..len)` is deterministic, whereas walking hash buckets would not be.
#ifndef ADZE_BASE_MAP_H
#define ADZE_BASE_MAP_H

#include <stdint.h>

#include "base/arena.h"

typedef struct {
    uint64_t key;
    void *value;
} MapEntry;

typedef struct {
    Arena *arena;
    int len, cap;
    MapEntry *entries;
    uint32_t *slots; // 1 + index into entries, or 0 if the slot is free
    uint32_t nslots; // a power of two, or 0 for an empty map
} Map;

/// An empty map whose storage comes from `arena`.
Map map_new(Arena *arena);

/// The value stored under `key`, or NULL.
void *map_get(const Map *m, uint64_t key);

/// Stores `value` under `key`, replacing any previous value.
void map_put(Map *m, uint64_t key, void *value);

/// The key for a pointer, such as a Sym or a Node.
#define MAP_KEY(p) ((uint64_t)(uintptr_t)(p))

/// A well-mixed 64-bit hash of two words; the building block of every hash in the compiler.
static inline uint64_t hash_mix(uint64_t a, uint64_t b)
{
    uint64_t h = (a ^ 0x9e3779b97f4a7c15u) * 0xbf58476d1ce4e5b9u;
    h ^= h >> 29;
    h = (h + b) * 0x94d049bb133111ebu;
    return h ^ (h >> 32);
}

#endif
