// Types, entries and buffers as JSON, as adze_compiler.h defines it.
#ifndef ADZE_DRIVER_DESCRIBE_H
#define ADZE_DRIVER_DESCRIBE_H

#include <jansson.h>

#include "driver/pipeline/pipeline.h"

/// The declaration of a function of the main file, or NULL.
const Item *item_of(const Work *w, const char *name);

/// Describes the entries of the program. The caller owns the result, here and below.
json_t *describe_entries(const Work *w);
/// Describes a function as an entry: one of the program, or an instance (instance.h).
json_t *describe_function(const Work *w, const Function *f, const Item *item);

/// A name for Python: a word that Python reserves gets an underscore behind.
const char *stub_name(Arena *arena, const char *name);
/// Writes the types of entries for type checkers and editors, a .pyi file of Python, from what
/// describe_entries returns. `name` is the program's.
void stub_write(Text *out, const char *name, const json_t *entries);

/// Describes the sizes and buffers of a compiled entry.
json_t *describe_code(const LoopEntry *e);
/// The diagnostics of the session, as data and as text.
json_t *describe_report(Session *cx);

#endif
