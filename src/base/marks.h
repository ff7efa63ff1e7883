// Marks in printed text that say which place of the source each part comes from. The printers of
// terms and of C write them if Session.marks is set. They are part of the text while it is put
// together, so they stay right however its parts are copied; marks_take removes them.
#ifndef ADZE_BASE_MARKS_H
#define ADZE_BASE_MARKS_H

#include "base/session.h"

/// Begins a part that comes from `span`. Writes nothing unless cx->marks is set.
void mark_open(const Session *cx, Text *out, Span span);
/// Ends the part that was begun last.
void mark_close(const Session *cx, Text *out);

/// A line of a text, without its newline, and the source lines that it comes from, in ascending
/// order.
typedef struct {
    const char *text;
    VEC(int) from;
} MarkedLine;
typedef VEC(MarkedLine) MarkedLines;

/// Whether a place is to be reported.
typedef bool MarkWanted(Span span, void *env);

/// Splits a text at its newlines and removes the marks. A line comes from the wanted places of the
/// parts that begin in it; if there are none, from that of the innermost part around it that has a
/// wanted place. Without `wanted` the text has no marks.
MarkedLines marks_take(Session *cx, const char *text, MarkWanted *wanted, void *env);

#endif
