// Analyses of the texts that an editor holds: what is declared, what names mean, types,
// diagnostics.
//
// A document is analysed when it has changed: first up to the types of all bodies, which answers
// every question (analysis.c), and then, while no message waits, entry by entry up to memory, where
// the last errors are found.
#ifndef ADZE_DRIVER_LSP_ANALYSIS_H
#define ADZE_DRIVER_LSP_ANALYSIS_H

#include <setjmp.h>

#include "driver/lsp/protocol/protocol.h"
#include "driver/pipeline/pipeline.h"
#include "infer/names/names.h"

typedef struct Server Server;
typedef struct Analysis Analysis;

/// The state of the server.
struct Server {
    Driver driver;
    Wire *wire;
    int in;
    bool utf8, snippets, initialized, shut, exits;
    int status;
    Document *documents;
    int64_t serial;     // of the last change
    struct Task *tasks; // that run
    bool shows_choices, refreshes_hints;
    int requests;     // that the server has sent
    jmp_buf boundary; // where internal errors in sessions lead
    int64_t parent;   // the process of the client, or 0
    char **folders;   // of the workspace: absolute paths
    int nfolders;
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

typedef struct Library Library;

/// What is known of a text. Everything in it lives in its session.
struct Analysis {
    Server *server;
    Driver driver;
    Session *cx;
    Library *library;        // whose session it is, or NULL: then it is the analysis's own
    uint64_t wanted, before; // library_wanted of this analysis, and of the one before
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
/// Opens a session for analyses: d->cx.
void analysis_open_session(Server *s, Driver *d);
/// The open document with this URI, or NULL.
Document *server_find(Server *s, const char *uri);
/// The analysis of a document as it is now.
Analysis *analysis_of(Server *s, Document *d);
/// The text of a file of the analysis.
TextView analysis_view(const Analysis *a, uint32_t file);
json_t *analysis_range(const Analysis *a, Span span); // {start, end}, in the file of the span
/// {uri, range}, or NULL if the file is not on the disk.
json_t *analysis_location(const Analysis *a, Span span);

// --- workspace.c ---------------------------------------------------------------------------------

/// Sets the folders of the workspace from the parameters of `initialize`.
void workspace_open(Server *s, const json_t *params);
/// Adds and removes folders, which are arrays of {uri}, or NULL.
void workspace_change(Server *s, const json_t *added, const json_t *removed);
void workspace_close(Server *s);
/// Whether a file with this absolute path is in a folder of the workspace.
bool workspace_has(const Server *s, const char *path);
/// Calls `visit` for each program of the workspace that is not open and whose text contains the
/// word. The document and its analysis end with the visit. Returns false if the folders have more
/// files than it looks at.
typedef void VisitDocument(Document *d, Analysis *a, void *env);
bool workspace_each(Server *s, const char *word, VisitDocument *visit, void *env);

// --- library.c -----------------------------------------------------------------------------------

/// A number for the set of modules of the library that the text imports, directly or through
/// others.
uint64_t library_wanted(const Analysis *a);
/// Infers these modules in a session of their own. Returns NULL if there are none, or if other
/// analyses cannot share them: a module has errors, is open in the editor, or imports the text.
Library *library_new(const Analysis *a);
void library_delete(Library *l); // may be NULL
/// Which modules they are, as library_wanted says it.
uint64_t library_modules(const Library *l);
/// Whether the files are on the disk as they were when they were read, and not open.
bool library_is_current(const Library *l, const Server *s);
/// Brings the session back to where the modules had been inferred. What was made in it since, such
/// as the analysis before, is gone. Returns a driver with this session, and sets *state for
/// Work.library.
Driver library_begin(Library *l, struct Infer **state);
/// Whether the text of an analysis that began so imports all of the modules. If not, they might
/// have changed its results.
bool library_is_reached(const Library *l, const Analysis *a);

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

// --- show.c: declarations as text ----------------------------------------------------------------

/// The declaration of a symbol, as Adze code.
const char *show_symbol(const Analysis *a, const Symbol *y);
const char *show_decl(const Analysis *a, const Decl *d);
const char *show_doc(const Symbol *y); // or NULL
/// The kind of a symbol or a declaration for lists, in the numbers of CompletionItemKind.
int show_kind_of_symbol(const Symbol *y);
int show_kind_of_decl(const Decl *d);

#endif
