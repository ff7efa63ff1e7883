// Types, entries and buffers as JSON, as adze_compiler.h defines it.
#ifndef ADZE_API_DESCRIBE_H
#define ADZE_API_DESCRIBE_H

#include <jansson.h>

#include "driver/pipeline/pipeline.h"

/// Describes the entries of the program. The caller owns the result, here and below.
json_t *describe_entries(const Work *w);
/// Describes a function as an entry: one of the program, or an instance (instance.h).
json_t *describe_function(const Work *w, const Function *f, const Item *item);
/// Describes the sizes and buffers of a compiled entry.
json_t *describe_code(const LoopEntry *e);
/// The diagnostics of the session, as data and as text.
json_t *describe_report(Session *cx);

#endif
