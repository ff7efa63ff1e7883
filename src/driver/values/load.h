// Shared by the files that load files: what their names say, and the loaders of each kind.
#ifndef ADZE_DRIVER_VALUES_LOAD_H
#define ADZE_DRIVER_VALUES_LOAD_H

#include "driver/pipeline/session.h"
#include "driver/values/values.h"

/// What a file holds: arrays of fixed types, an image, a table of text, text that is a table only
/// if its type says so, records without a header, or bytes.
typedef enum {
    HOLDS_ARRAY,
    HOLDS_IMAGE,
    HOLDS_TABLE,
    HOLDS_TEXT,
    HOLDS_RECORDS,
    HOLDS_BYTES
} LoadContents;

/// What the file holds, by its extension.
LoadContents load_contents(const char *path);
/// Whether the type is that of the bytes of a file, [n]u8.
bool load_is_bytes(Node *type);
/// Shows the reading of a large file, until progress_stop.
Progress *load_progress(const char *path);

/// The array type with these extents.
Node *load_array_type(Session *cx, Node *element, int rank, const int64_t *shape);

// --- load_text.c ---------------------------------------------------------------------------------

struct AdzeText;
/// Returns the type of the numbers in a text, which has an element type if `wanted` has one, or
/// NULL after an error.
Node *load_text_type(Session *cx, const char *path, const struct AdzeText *text, Node *wanted,
                     Span span);
/// Parses a text as a value of the type. Returns its leaves, which are freed with `l`, or NULL
/// after an error.
const AdzeArray *load_text(Session *cx, Loads *l, const struct AdzeText *text, Node *type);

// --- load_parts.c --------------------------------------------------------------------------------

/// Whether an archive is loaded as a value of several parts if `wanted` is the type that is needed:
/// a struct or a tuple, unless the archive is a single array with the name of none of its members.
bool load_is_parts(Session *cx, const char *path, Node *wanted);
/// Returns the type of such a value, or NULL after an error.
Node *load_parts_type(Session *cx, Loads *l, const char *path, Node *wanted, Span span);
/// Returns its leaves, or NULL after an error.
const AdzeArray *load_parts(Session *cx, Loads *l, const char *path, Node *type);

// --- load_records.c ------------------------------------------------------------------------------

/// Whether a file is loaded as records without a header if `wanted` is the type that is needed:
/// structs, or numbers where the extension is .bin.
bool load_is_records(const char *path, Node *wanted);
/// Returns the type of such a file, which has the number of records as its first size, or NULL
/// after an error.
Node *load_records_type(Session *cx, const char *path, Node *wanted, Span span);
/// Returns the leaves of the records, or NULL after an error. They are freed with `l`.
const AdzeArray *load_records(Session *cx, Loads *l, const char *path, Node *type);

#endif
