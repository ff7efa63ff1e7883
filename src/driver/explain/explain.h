// The reports of `adze explain` on an entry: memory, vectors, lanes, and causes of slow loops.
#ifndef ADZE_DRIVER_EXPLAIN_H
#define ADZE_DRIVER_EXPLAIN_H

#include "driver/sizes/sizes.h"

/// The vectors of an entry: their width, the processor, the library of functions such as exp.
void explain_vectors(const Work *w, Text *out);
void explain_vectors_json(const Work *w, json_t *to);

/// The source lines of loops over lanes, each with remarks on how its values differ between lanes.
void explain_lanes(const Work *w, Text *out);

/// A name as it occurs in the source line of the place, or else of the loop, without the compiler's
/// suffixes; NULL if neither line contains it.
const char *explain_name(Session *cx, Span span, Span loop, const char *name);

/// The functions that make up the entry; whether the place is in one of them. Functions share equal
/// nodes, so the place of a node may be in a function of another entry.
Map explain_used(const Work *w);
bool explain_is_used(const Work *w, const Map *used, Span span);

// losses.c
/// Warns about loops over lanes that are not vectorised (E0510), or only in part (E0511).
void losses_warn(const Work *w);
/// Lists the same losses for `adze explain`.
void explain_losses(const Work *w, Text *out);
void explain_losses_json(const Work *w, json_t *to);

// hot.c
/// The causes of slow innermost loops of an entry.
void explain_hot(const Work *w, Text *out);
void explain_hot_json(const Work *w, json_t *to);

/// The text with `$` replaced by the name and `#` by the size.
const char *explain_filled(Session *cx, const char *text, const char *name, const char *size);

/// The memory of an entry, with numbers if the sizes are given.
void explain_memory(const Work *w, const GivenSizes *sizes, Text *out);
void explain_memory_json(const Work *w, const GivenSizes *sizes, json_t *to);

/// A size as the language writes it; a place: "12:5" in the main file, "linalg.adz:5:5" in another.
const char *explain_size(Session *cx, Node *size);
const char *explain_place(const Work *w, Span span);

#endif
