// The parts of the language server. server.c has the table of methods.
//
// A document is analysed when it has changed: first up to the types of all bodies, which answers
// every question (analysis.c), and then, while no message waits, entry by entry up to memory, where
// the last errors are found. Programs that the client runs are processes of their own (tasks.c).
#ifndef ADZE_DRIVER_LSP_INTERNAL_H
#define ADZE_DRIVER_LSP_INTERNAL_H

#include <setjmp.h>

#include "driver/lsp/lsp.h"
#include "driver/lsp/protocol/protocol.h"
#include "driver/pipeline/pipeline.h"
#include "infer/names/names.h"

typedef struct Server Server;
typedef struct Analysis Analysis;
typedef struct Task Task;

struct Server {
    Driver driver;
    Wire *wire;
    int in;
    bool utf8, snippets, initialized, shut, exits;
    int status;
    Document *documents;
    int64_t serial; // of the last change
    Task *tasks;    // that run
    bool shows_choices, refreshes_hints;
    int requests;     // that the server has sent
    jmp_buf boundary; // where internal errors in sessions lead
    int64_t parent;   // the process of the client, or 0
};

// --- analysis.c ----------------------------------------------------------------------------------

typedef enum {
    DECL_FUNCTION,
    DECL_CONST,
    DECL_TYPE,
    DECL_STRUCT,
    DECL_ENUM,
    DECL_RULE,
    DECL_STRATEGY,
    DECL_GENERIC,
    DECL_PARAM,
    DECL_FIELD,
    DECL_OPTION,
    DECL_LOCAL,
    DECL_COUNT
} DeclKind;

/// A name that the file declares.
typedef struct {
    DeclKind kind;
    Sym name;
    Span at;            // the name
    Span whole;         // what the definition of a use begins with
    Span scope;         // where the name can be used
    const Item *item;   // the item that declares it, or to which it belongs
    const Ast *binding; // of a local
    const Ast *type;    // as written, or NULL
    bool is_mutable;
    const char *doc; // or NULL
} Decl;
typedef VEC(Decl) Decls;

/// What is known of a text. Everything in it lives in its session.
struct Analysis {
    Server *server;
    Driver driver;
    Session *cx;
    Work work;
    Uses uses;
    Map symbol_at, type_at; // a span in the file -> the symbol of its name, the type
    Decls decls;
    Spans shorts; // field patterns that are only a name, which is a field and a local
    bool has_syntax_errors;
    int next_entry, nentries; // entries before next_entry have been staged
    const Function **entries;
    uint64_t *keys;  // of the entries: equal if staging them finds the same
    uint64_t *clean; // keys of entries in which staging has found nothing, of earlier texts, too
    int nclean;
    json_t *explained; // the entries of the report of `adze explain`, or NULL
};

/// Analyses a text up to the types of its bodies. `path` is the name of its file.
Analysis *analysis_new(Server *s, const char *path, const char *text, size_t len);
/// Stages the next entry. Returns false if there is none, or errors make it pointless.
bool analysis_continue(Analysis *a);
/// The text that is open for a path (Unsaved.text); `server` is a Server.
const char *analysis_unsaved(void *server, const char *path, size_t *len);
void analysis_delete(Analysis *a);
/// The analysis of a document as it is now.
Analysis *analysis_of(Server *s, Document *d);
/// The text of a file of the analysis.
TextView analysis_view(const Analysis *a, uint32_t file);
json_t *analysis_range(const Analysis *a, Span span); // {start, end}, in the file of the span
/// {uri, range}, or NULL if the file is not on the disk.
json_t *analysis_location(const Analysis *a, Span span);

// --- unchanged.c ---------------------------------------------------------------------------------

/// Determines the keys of the entries.
void unchanged_find(Analysis *a);
/// Whether an entry with the same key was clean.
bool unchanged_is_clean(const Analysis *a, int entry);
void unchanged_add_clean(Analysis *a, int entry);
/// Forgets the keys that no entry has any more.
void unchanged_forget(Analysis *a);

// --- decls.c -------------------------------------------------------------------------------------

/// Lists what the module declares, in the order of the text.
void decls_list(Analysis *a);

// --- names.c -------------------------------------------------------------------------------------

/// What the name at an offset means. `at` is the name; `definition` is where it is declared, or
/// NO_SPAN for a name of the language. `decl` is NULL unless the file declares it.
typedef struct {
    Span at, definition;
    const Symbol *symbol;
    const Decl *decl;
} Meant;

/// Adds the uses of fields and options, which follow from types.
void names_add_members(Analysis *a);
/// Finds the name at an offset of the file. Returns false if there is none that is known.
bool names_find(const Analysis *a, size_t offset, Meant *out);
/// The type of the expression or pattern at exactly this span, or NULL.
Node *names_type_at(const Analysis *a, Span span);
/// Whether the type was inferred as a whole.
bool names_is_known(Node *type);
/// The smallest expression around an offset whose type is known, or NULL.
const TypeOf *names_expression(const Analysis *a, size_t offset);
/// The type of a local, a parameter or a field, as text, or NULL.
const char *names_type_of(const Analysis *a, const Decl *decl);
/// Whether the name is a field pattern, such as `x` in P { x }, that names a field and a local.
bool names_is_short(const Analysis *a, Span at);
/// The declaration with this definition, or NULL.
const Decl *names_decl(const Analysis *a, Span definition);

// --- the methods ---------------------------------------------------------------------------------

/// Why a request fails. `code` is 0 if it does not.
typedef struct {
    int code;
    const char *message; // lives as long as the session of an analysis, or for ever
} Failure;

/// Answers a request. Returns the result, or NULL for null, or after a failure.
typedef json_t *Method(Server *s, const json_t *params, Failure *failure);
#define METHOD(name, function) Method function;
#include "driver/lsp/methods.def"
#undef METHOD

/// The document of the parameters of a request. Returns NULL after a failure.
Document *server_document(Server *s, const json_t *params, Failure *failure);
Document *server_find(Server *s, const char *uri);
/// The analysis of that document, and the offset of `position`. Returns NULL after a failure.
Analysis *server_place(Server *s, const json_t *params, size_t *offset, Failure *failure);
json_t *server_fail(Failure *failure, int code, const char *message); // NULL

// --- diagnostics.c -------------------------------------------------------------------------------

void diagnostics_publish(Server *s, const Document *d, const Analysis *a);
/// The diagnostics of the file as the protocol has them; number k is that of Session.diags.at[k], or
/// null if it is not shown.
json_t *diagnostics_json(const Analysis *a);
json_t *diagnostics_one(const Analysis *a, const Diag *d);

// --- tasks.c: command lines that run in processes of their own ------------------------------------

/// workspace/executeCommand. The request is answered when the process ends.
void task_start(Server *s, json_t *id, const json_t *params);
/// Ends the task of this request, which is answered as cancelled.
void task_cancel(Server *s, const json_t *id);
/// Reads what tasks have written, and answers the requests of those that have ended.
void task_read(Server *s);
void task_end_all(Server *s);
/// Starts `adze explain` for a document. compiled_take gets its report.
void task_explain(Server *s, const Document *d);
/// Ends such tasks for a document.
void task_stop_explaining(Server *s, const Document *d);
bool task_is_explaining(const Server *s);
/// Waits until a message arrives or a task has written something.
void task_wait(Server *s);
/// The commands, as a list of names.
json_t *task_commands(void);

// --- completion.c, signature.c -------------------------------------------------------------------

/// Analyses the document with a name at `position`, unless there is one. The caller deletes the
/// result, which is NULL after a failure.
Analysis *completion_analysis(Server *s, Document *d, const json_t *params, size_t *offset,
                              Failure *failure);

// --- compiled.c ----------------------------------------------------------------------------------

int64_t compiled_clock(void); // milliseconds
/// In how many milliseconds an explanation is due, or -1 if none is.
int compiled_due(const Server *s);
void compiled_start(Server *s); // those that are due
/// Takes the report on a document as it was at the change `serial`.
void compiled_take(Server *s, const char *uri, int64_t serial, const char *text);
/// Adds the compiler's choices as inlay hints at the ends of the lines between two offsets.
void compiled_hints(const Analysis *a, size_t lo, size_t hi, json_t *list);
/// Adds remarks on slow loops as diagnostics.
void compiled_remarks(const Analysis *a, json_t *list);

// --- show.c: declarations as text ----------------------------------------------------------------

/// The declaration of a symbol, as Adze code.
const char *show_symbol(const Analysis *a, const Symbol *y);
const char *show_decl(const Analysis *a, const Decl *d);
const char *show_doc(const Symbol *y); // or NULL
/// The kind of a symbol or a declaration for lists, in the numbers of CompletionItemKind.
int show_kind_of_symbol(const Symbol *y);
int show_kind_of_decl(const Decl *d);

#endif
