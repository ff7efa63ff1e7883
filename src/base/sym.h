// Names are interned: two equal spellings are one pointer, so names compare with ==. A name has a
// creation number (`id`), which gives a deterministic order for sorting.
#ifndef ADZE_BASE_SYM_H
#define ADZE_BASE_SYM_H

#include <stdint.h>

#include "base/arena.h"

typedef const struct SymData *Sym;
struct SymData {
    uint32_t id;
    uint32_t hash;
    uint32_t len;
    char text[];
};

typedef struct SymTable SymTable;

SymTable *sym_table_new(Arena *arena);

/// The unique Sym with these bytes.
Sym sym_intern(SymTable *t, const char *text, size_t len);

/// A new name: `base` followed by a number (`i` gives i1, i2, ...). The emitter removes the number
/// again if no other name with that base is in scope.
Sym sym_fresh(SymTable *t, const char *base);

#endif
