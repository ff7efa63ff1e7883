// The Language Server Protocol below its methods: messages, the texts of the editor, positions.
#ifndef ADZE_DRIVER_LSP_PROTOCOL_H
#define ADZE_DRIVER_LSP_PROTOCOL_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The error codes of JSON-RPC and of the protocol.
enum {
    RPC_PARSE_ERROR = -32700,
    RPC_INVALID_REQUEST = -32600,
    RPC_NO_METHOD = -32601,
    RPC_INVALID_PARAMS = -32602,
    RPC_NOT_INITIALIZED = -32002,
    RPC_CANCELLED = -32800,
    RPC_FAILED = -32803
};

// --- memory.c: memory of the server, which ends the process if there is none left ----------------

void *memory_more(void *at, size_t size); // as realloc
char *memory_text(const char *text, size_t len);

// --- wire.c: messages in and out -----------------------------------------------------------------

/// Messages that arrive in one file and are sent to another. A message that is not JSON is answered
/// with an error, and skipped.
typedef struct Wire Wire;
Wire *wire_new(int in, int out);
void wire_delete(Wire *w);
/// Reads what has arrived, without waiting. Requests that a later message cancels are answered and
/// dropped.
void wire_read(Wire *w);
/// Returns the next message, an object that the caller owns, or NULL if none is complete.
json_t *wire_next(Wire *w);
/// Whether there is a further message, or input that has not been read.
bool wire_is_waiting(Wire *w);
/// Whether the input has ended, or output can no longer be written.
bool wire_has_ended(const Wire *w);
/// Sends messages; each function takes ownership of its JSON arguments. `id` may be NULL for null.
void wire_notify(Wire *w, const char *method, json_t *params);
void wire_request(Wire *w, int id, const char *method); // without parameters
void wire_answer(Wire *w, json_t *id, json_t *result);
void wire_refuse(Wire *w, json_t *id, int code, const char *message);

// --- position.c: positions in texts --------------------------------------------------------------

/// A text with the offsets at which its lines begin. `utf8` says whether characters of positions
/// are bytes; otherwise they are units of UTF-16.
typedef struct {
    const char *text;
    size_t len;
    const uint32_t *lines;
    int nlines;
    bool utf8;
} TextView;

/// The offset of a position. One behind the end of a line or of the text becomes that end.
size_t position_offset(const TextView *v, int64_t line, int64_t character);
/// Reads a position, {line, character}. Returns false if `p` is none.
bool position_read(const TextView *v, const json_t *p, size_t *offset);
json_t *position_json(const TextView *v, size_t offset);
json_t *range_json(const TextView *v, size_t lo, size_t hi);
/// The number of units of the text from `lo` to `hi`, which are in one line.
int64_t position_units(const TextView *v, size_t lo, size_t hi);

// --- document.c: texts that are open in the editor -----------------------------------------------

typedef struct Document Document;
struct Document {
    char *uri;
    char *path; // of the file, with symbolic links resolved if it exists; the URI of others
    char *text;
    size_t len;
    uint32_t *lines;
    int nlines;
    int64_t version;
    bool is_dirty;     // changed since it was analysed
    bool is_reported;  // the client has its diagnostics
    bool is_explained; // the choices of the compiler are known, or being computed
    int64_t changed;   // when it changed last, in milliseconds
    int64_t serial;    // a later change has a greater number
    void *analysis;    // of the server
    Document *next;
};

Document *document_new(const char *uri, const char *text, size_t len, int64_t version);
void document_delete(Document *d);
TextView document_view(const Document *d, bool utf8);
/// Makes the changes of textDocument/didChange, in order. Returns false if one is malformed; the
/// changes before it are made.
bool document_change(Document *d, const json_t *changes, bool utf8);

/// Returns the path of a file URI, and a copy of any other URI. The caller frees it.
char *uri_to_path(const char *uri);
/// The URI of a file as JSON.
json_t *path_to_uri(const char *path);

#endif
