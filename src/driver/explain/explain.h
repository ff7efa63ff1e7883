// The reports of `adze explain` on an entry: memory, vectors, lanes, and causes of slow loops.
#ifndef ADZE_DRIVER_EXPLAIN_H
#define ADZE_DRIVER_EXPLAIN_H

#include "driver/sizes/sizes.h"

/// Reports the vectors of an entry: their width, the processor, and the library for functions such
/// as exp.
void explain_vectors(const Work *w, Text *out);
void explain_vectors_json(const Work *w, json_t *to);

/// Prints the source lines of loops over lanes, each with remarks on how its values differ between
/// lanes.
void explain_lanes(const Work *w, Text *out);

/// Returns `name`, without suffixes that the compiler added, as it occurs in the source line of
/// `span` or else in that of `loop`. Returns NULL if neither line contains it.
const char *explain_name(Session *cx, Span span, Span loop, const char *name);

/// Returns the set of functions that make up the entry, by name.
Map explain_used(const Work *w);
/// Whether `span` is in one of the `used` functions. Functions share equal nodes, so the span of a
/// node may be in a function of another entry.
bool explain_is_used(const Work *w, const Map *used, Span span);

// losses.c
/// Warns about loops over lanes that are not vectorised (E0510), or only in part (E0511).
void losses_warn(const Work *w);
/// Lists the same losses for `adze explain`.
void explain_losses(const Work *w, Text *out);
void explain_losses_json(const Work *w, json_t *to);

// hot.c
/// Reports why innermost loops of an entry are slow.
void explain_hot(const Work *w, Text *out);
void explain_hot_json(const Work *w, json_t *to);

/// Replaces `$` in the text with the name and `#` with the size, unless these are NULL.
const char *explain_filled(Session *cx, const char *text, const char *name, const char *size);

/// Reports the memory that an entry uses, with numbers if the sizes are given.
void explain_memory(const Work *w, const GivenSizes *sizes, Text *out);
void explain_memory_json(const Work *w, const GivenSizes *sizes, json_t *to);

/// Formats a size in Adze's notation.
const char *explain_size(Session *cx, Node *size);
/// A source position: "12:5" in the main file, "linalg.adz:5:5" in another.
const char *explain_place(const Work *w, Span span);

#endif
