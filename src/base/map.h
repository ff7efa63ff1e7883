// A hash map from pointers or integers to pointers that remembers insertion order: walking
// `entries[0..len)` is deterministic, but walking buckets would not be.
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
    uint32_t *slots; // 1 + index into entries, 0 if free; their number is a power of two
    uint32_t nslots;
} Map;

/// An empty map whose storage comes from `arena`.
Map map_new(Arena *arena);

/// The value stored under `key`, or NULL.
void *map_get(const Map *m, uint64_t key);

/// Stores `value` under `key`, in place of any previous value.
void map_put(Map *m, uint64_t key, void *value);

/// A pointer (a Sym, a Node) as a key.
#define MAP_KEY(p) ((uint64_t)(uintptr_t)(p))

/// A well mixed 64-bit hash of two words; the building block of every hash in the compiler.
static inline uint64_t hash_mix(uint64_t a, uint64_t b)
{
    uint64_t h = (a ^ 0x9e3779b97f4a7c15u) * 0xbf58476d1ce4e5b9u;
    h ^= h >> 29;
    h = (h + b) * 0x94d049bb133111ebu;
    return h ^ (h >> 32);
}

#endif
