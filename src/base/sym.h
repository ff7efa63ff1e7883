// Names are interned: equal spellings yield the same pointer, so names compare with ==. Each name
// has a creation number (`id`), which gives a deterministic order for sorting.
#ifndef ADZE_BASE_SYM_H
#define ADZE_BASE_SYM_H

#include <stdint.h>

#include "base/arena.h"

typedef const struct SymData *Sym;
struct SymData {
    uint32_t id;
    uint32_t hash;
    uint32_t len;
    Sym written; // the name to which sym_fresh appended a number, or this name itself
    char text[];
};

typedef struct SymTable SymTable;

SymTable *sym_table_new(Arena *arena);

/// Returns the unique Sym with this spelling, creating it on first use.
Sym sym_intern(SymTable *t, const char *text, size_t len);

/// A new name that consists of `base` and a number (`i` yields i1, i2, ...). The emitter drops the
/// number again if no other name with that base is in scope. Its `written` is that of the base.
Sym sym_fresh(SymTable *t, const char *base);

#endif
