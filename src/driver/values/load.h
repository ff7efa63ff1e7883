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
