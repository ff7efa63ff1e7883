// The reports of `adze explain` on an entry: memory, vectors, lanes, and causes of slow loops.
#ifndef ADZE_DRIVER_EXPLAIN_H
#define ADZE_DRIVER_EXPLAIN_H

#include "driver/sizes/sizes.h"

/// Reports the vectors of an entry: their width, the processor, and the library for functions such
/// as exp.
void explain_vectors(const Work *w, Text *out);
void explain_vectors_json(const Work *w, json_t *to);

/// Prints the source lines of loops over lanes. Each line has remarks on how the values that it
/// names differ from lane to lane.
void explain_lanes(const Work *w, Text *out);
/// Adds these lines to a list, with their remarks.
void explain_lanes_json(const Work *w, json_t *to);

/// Strips suffixes that the compiler added to `name` until it occurs in the source line of `span`,
/// or else in that of `loop`, and returns the result. Returns NULL if no form of it occurs.
const char *explain_name(Session *cx, Span span, Span loop, const char *name);

/// Returns the set of the names of all functions that the entry uses, including its own.
Map explain_used(const Work *w);
/// Whether `span` lies in one of the `used` functions. Equal sizes and literals are shared by all
/// functions, so the span of one may lie in a function that only another entry uses.
bool explain_is_used(const Work *w, const Map *used, Span span);

// losses.c
/// Warns about loops over lanes that are not vectorised (E0510), or only in part (E0511).
void losses_warn(const Work *w);
/// Lists the same losses for `adze explain`.
void explain_losses(const Work *w, Text *out);
void explain_losses_json(const Work *w, json_t *to);

// hot.c
/// Reports why the innermost loops of an entry are slow.
void explain_hot(const Work *w, Text *out);
void explain_hot_json(const Work *w, json_t *to);

/// Returns the text with each `$` replaced by the name and each `#` by the size. A NULL name or
/// size leaves its symbol unchanged.
const char *explain_filled(Session *cx, const char *text, const char *name, const char *size);

/// Reports the memory that an entry uses, with numbers if the sizes are given.
void explain_memory(const Work *w, const GivenSizes *sizes, Text *out);
void explain_memory_json(const Work *w, const GivenSizes *sizes, json_t *to);

/// Formats a size in Adze's notation.
const char *explain_size(Session *cx, Node *size);
/// Returns a source position as text: "12:5" in the main file, "linalg.adz:5:5" in any other.
const char *explain_place(const Work *w, Span span);

#endif
