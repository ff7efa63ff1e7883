// What `adze explain` reports of an entry: memory, vectors, lanes, and what makes loops slow.
#ifndef ADZE_DRIVER_EXPLAIN_H
#define ADZE_DRIVER_EXPLAIN_H

#include "driver/sizes/sizes.h"

/// What explain says about the vectors of an entry: how wide, for which processor, what computes
/// functions such as exp.
void explain_vectors(const Work *w, Text *out);
void explain_vectors_json(const Work *w, json_t *to);

/// The source lines of loops over lanes, each with how its values differ by lane.
void explain_lanes(const Work *w, Text *out);

/// A name as the line of this place has it, without what the compiler has added; NULL: the line has
/// it not.
const char *explain_name(Session *cx, Span span, const char *name);

/// The functions that the entry is made of. What functions have in common is one node, whose place
/// may be in another function: whether the place is in one of these.
Map explain_used(const Work *w);
bool explain_is_used(const Work *w, const Map *used, Span span);

// losses.c
/// Warns of lanes that the program asks for and that are not vectors (E0510), or only in part
/// (E0511).
void losses_warn(const Work *w);
/// The same as a list of `adze explain`.
void explain_losses(const Work *w, Text *out);
void explain_losses_json(const Work *w, json_t *to);

// hot.c
/// What makes the innermost loops of an entry slow.
void explain_hot(const Work *w, Text *out);
void explain_hot_json(const Work *w, json_t *to);

/// The text in which `$` gives way to the name and `#` to the size.
const char *explain_filled(Session *cx, const char *text, const char *name, const char *size);

/// What explain says about the memory of an entry, with numbers where the sizes are given.
void explain_memory(const Work *w, const GivenSizes *sizes, Text *out);
void explain_memory_json(const Work *w, const GivenSizes *sizes, json_t *to);

/// A size as the language writes it; a place: "12:5" in the main file, "linalg.adz:5:5" in another.
const char *explain_size(Session *cx, Node *size);
const char *explain_place(const Work *w, Span span);

#endif
