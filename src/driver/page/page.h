// The page of `adze explain --html`: one HTML file with a program, its entries at every stage and
// what the compiler decided. page.html, page.css and page.js are its fixed part; they are embedded
// in the compiler, and read the data: a JSON object, compressed by zlib, in base64.
#ifndef ADZE_DRIVER_PAGE_H
#define ADZE_DRIVER_PAGE_H

#include "base/marks.h"
#include "driver/pipeline/pipeline.h"

/// The most bytes of a page. Texts beyond it are left out, the least important ones first.
enum { PAGE_MOST = 150000 };

/// What a text of the page shows, the most important first.
typedef enum {
    SHOWS_SOURCE,
    SHOWS_C,
    SHOWS_LOOP,
    SHOWS_OTHER_STAGE,
    SHOWS_STEP,
    SHOWS_PASS,
    SHOWS_COUNT
} PageShows;

typedef struct Page Page;

/// A new page with the data `root`, which the caller owns.
Page *page_new(Session *cx, json_t *root);

/// Adds a text, which may have marks. The page sets `key` of `to`, a part of its data, to the text
/// as pieces of the data's `lines`: [first, count, first, count, ..]; or to null if it is left out.
/// `what` names the text in the list of those that were left out.
void page_add(Page *p, json_t *to, const char *key, PageShows shows, const char *what,
              const char *text, MarkWanted *wanted, void *env);

/// Writes the page.
void page_write(Page *p, const char *title, Text *out);

/// Returns the types that the compiler inferred in a file, in the order of their places: a list of
/// [line, column, text], for ends of lines and the parameters of lambdas.
json_t *page_inlays(const Work *w);

/// Returns a size as a tree, for evaluation by the page: a number, a name, or a list of an operator
/// and operands, such as ["*", 4, "n"]; null if it is beyond 64 bits.
json_t *page_size(Node *size);

/// Returns the memory plan of a lowered entry: for it and each of its functions the arrays that it
/// uses, with their sizes and lifetimes.
json_t *page_plan(const Work *w);

#endif
