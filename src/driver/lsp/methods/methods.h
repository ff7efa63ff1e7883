// The requests about documents. methods.def lists them.
#ifndef ADZE_DRIVER_LSP_METHODS_H
#define ADZE_DRIVER_LSP_METHODS_H

#include "driver/lsp/analysis/analysis.h"

/// Why a request fails. `code` is 0 if it does not.
typedef struct {
    int code;
    const char *message; // lives as long as the session of an analysis, or for ever
} Failure;

/// Answers a request. Returns the result, or NULL for null, or after a failure.
typedef json_t *Method(Server *s, const json_t *params, Failure *failure);
#define METHOD(name, function) Method function;
#include "driver/lsp/methods/methods.def"
#undef METHOD

// --- request.c ----------------------------------------------------------------------------------

/// The URI of the document in the parameters, or NULL.
const char *server_uri(const json_t *params);
/// The document of the parameters of a request. Returns NULL after a failure.
Document *server_document(Server *s, const json_t *params, Failure *failure);
/// The analysis of that document, and the offset of `position`. Returns NULL after a failure.
Analysis *server_place(Server *s, const json_t *params, size_t *offset, Failure *failure);
json_t *server_fail(Failure *failure, int code, const char *message); // NULL

// --- diagnostics.c -------------------------------------------------------------------------------

void diagnostics_publish(Server *s, const Document *d, const Analysis *a);
/// The diagnostics of the file as the protocol has them; number k is that of Session.diags.at[k],
/// or null if it is not shown.
json_t *diagnostics_json(const Analysis *a);
json_t *diagnostics_one(const Analysis *a, const Diag *d);

// --- completion.c, signature.c -------------------------------------------------------------------

/// Analyses the document with a name at `position`, unless there is one. The caller deletes the
/// result, which is NULL after a failure.
Analysis *completion_analysis(Server *s, Document *d, const json_t *params, size_t *offset,
                              Failure *failure);

// --- choices.c: the report of `adze explain` (Analysis.explained) ---------------------------------

/// Adds the compiler's choices as inlay hints at the ends of the lines between two offsets.
void choices_hints(const Analysis *a, size_t lo, size_t hi, json_t *list);
/// Adds remarks on slow loops as diagnostics.
void choices_remarks(const Analysis *a, json_t *list);

#endif
