// Declarations shared by the files of page/.
#ifndef ADZE_DRIVER_PAGE_INTERNAL_H
#define ADZE_DRIVER_PAGE_INTERNAL_H

#include "driver/page/page.h"

/// A text, and for each line the name that equal lines have.
typedef struct {
    MarkedLines lines;
    const Sym *keys;
} PageText;

typedef VEC(int) LinePlaces;

/// The list of lines of which texts consist. `list` is the same as JSON: [text, source lines..].
typedef struct {
    Arena *arena;
    VEC(Sym) keys;
    Map places; // key -> LinePlaces, where the list has it
    json_t *list;
} PageLines;

PageText page_text(Session *cx, MarkedLines lines);
PageLines page_lines_new(Arena *arena);
/// Returns the text as pieces of the list, to which it adds its new lines.
json_t *page_lines_add(PageLines *all, const PageText *text);

#endif
