// The table of entries that `adze build --python` writes.
#ifndef ADZE_PYTHON_BUILT_H
#define ADZE_PYTHON_BUILT_H

#include "native.h"

typedef struct {
    const char *name;
    EntryCode code;
} BuiltEntry;

extern const BuiltEntry built_entries[]; // up to one without a name
extern const char built_description[];   // what the entries take and return, as JSON

#endif
