// A session holds everything that one use of the compiler needs: memory, names, sources,
// diagnostics, nodes. There is no global state; a language server, a tuner or a test may hold any
// number of sessions.
#ifndef ADZE_BASE_SESSION_H
#define ADZE_BASE_SESSION_H

#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/sym.h"
#include "base/text.h"
#include "base/vec.h"

/// A range of source text: bytes [lo, hi) of file number `file` (0 = no position).
typedef struct {
    uint32_t file, lo, hi;
} Span;

#define NO_SPAN ((Span){0, 0, 0})

typedef VEC(Span) Spans;

/// File attributes; see base/attribute.def.
typedef enum {
#define ATTRIBUTE(id, name) id,
#include "base/attribute.def"
#undef ATTRIBUTE
    FILE_ATTRIBUTE_COUNT
} FileAttribute;
extern const char *const file_attribute_name[FILE_ATTRIBUTE_COUNT];

/// A source file. `lines`, filled in by session_add_source, holds the offset of each line's start.
typedef struct {
    const char *path;
    const char *text;
    size_t len;
    VEC(uint32_t) lines;
    Sym file;           // the path with symbolic links resolved, once the driver has found the file
    const char *module; // the name by which the file was imported first, or NULL
    bool says[FILE_ATTRIBUTE_COUNT];
} Source;

typedef enum {
#define DIAG(code, title, explanation) code,
#include "base/diag.def"
#undef DIAG
    DIAG_COUNT
} DiagCode;

typedef struct {
    Span span; // NO_SPAN for a note without a location
    const char *text;
    Span fix;                // the text that `replacement` could replace
    const char *replacement; // or NULL, if the note proposes no edit
    bool help;               // a hint about what to do, rather than a note that explains the reason
} DiagNote;

typedef struct {
    DiagCode code;
    bool warning;
    Span span;
    const char *text;
    VEC(DiagNote) notes;
} Diag;

/// The texts of an editor, which may differ from the files. `text` returns the text that is open
/// for a path, and sets *len, or returns NULL if the file on the disk counts; it is NULL if no
/// texts are open.
typedef struct {
    const char *(*text)(void *env, const char *path, size_t *len);
    void *env;
} Unsaved;

struct NodeTable; // ir/node.h
struct Cpu;       // base/target/cpu.h
struct Stats;     // driver/pipeline/stats.c

typedef struct Session {
    Arena *arena;
    SymTable *syms;
    struct NodeTable *nodes;
    VEC(Source *) sources; // file number k is sources.at[k - 1]
    VEC(Diag *) diags;
    const struct Cpu *cpu; // the target processor
    int vector_bytes;      // the maximum vector width; 0 for no vectors
    bool device;           // whether the target has a device, which runs parallel loops as kernels
    bool exact_math;       // functions such as exp return the same bits for vectors as for scalars
    bool remarks;          // whether to report warnings as well
    int errors;            // how many of diags are errors
    struct Stats *stats;   // the driver's measurements of each pass, or NULL
    int64_t strategies;    // how often schedules have applied a strategy to a term
    const char *pass;      // the pass that is running, for reports of internal errors
    Span subject;          // the entry being compiled; NO_SPAN for the whole program
    bool keeps_prints;     // whether `print` is compiled
    bool drops_asserts;    // whether `assert` is left out
    bool marks;            // whether printed text has marks of its places (base/marks.h)
    bool profiles;         // whether compiled code reports what its device does
    Unsaved unsaved;       // texts that take the place of files
    const char *library;   // the folder of the library's modules, or NULL to search for it
    Text line;             // output of interpreted programs since the last newline
    const char *message;   // the computed message of the assertion about to fail, or NULL
    void (*print)(void *env, const char *line, size_t len); // NULL to print to standard error
    void *print_env;
    Map failures;      // position of an assertion -> its message
    Map c_layouts;     // the set of structs declared with #[c_layout], keyed by full name
    bool lays_out;     // whether C callers pass arrays of these structs in C layout
    Span given;        // the IR text, read from a file, that is being checked, or NO_SPAN;
                       // an error in it is the user's, not an internal error
    bool exhausted;    // memory is exhausted, so only reporting this is still possible
    jmp_buf *boundary; // where a fatal report jumps to; if NULL, such a report ends the process
} Session;

/// A new session that targets the most capable x86-64 processor. session_delete frees everything
/// that was allocated in it.
Session *session_new(void);
void session_delete(Session *cx);

/// Adds a copy of a source text under `path` and returns its file number.
uint32_t session_add_source(Session *cx, const char *path, const char *text, size_t len);

/// A source's path as shown in generated files, which is the same on every machine. A relative path
/// is unchanged; an absolute path becomes what follows its last /lib/ (a library module) or,
/// without /lib/, the name of the file.
const char *source_short_path(const Source *s);

/// Ends cx->line with a newline, prints it, and empties it.
void session_print_line(Session *cx);
/// Moves the text of cx->line to cx->message.
void session_keep_message(Session *cx);

/// Sets the message for a failure of the assertion at `at`.
void session_set_failure(Session *cx, Span at, const char *text);
/// The message set for the assertion at `at`; by default, the title of E0614.
const char *session_failure(const Session *cx, Span at);
/// Returns cx->message and clears it; if it is NULL, returns session_failure(cx, at).
const char *session_take_failure(Session *cx, Span at);

/// The name with this spelling.
Sym session_sym(Session *cx, const char *text);

/// Computes the line and column of byte `offset` of a file. Both count from 1, and columns count
/// UTF-8 characters. They are 0 if there is no such file.
void session_position(const Session *cx, uint32_t file, uint32_t offset, int *line, int *column);

/// The text of a span, as written in the source.
const char *source_text(Session *cx, Span span);

/// Reports an error at `span`; notes can be added to the result. After 100 errors, further ones are
/// dropped. Of several errors with the same code at the same position, only the first is kept; the
/// same holds for warnings, and for a warning after an error.
Diag *diag_error(Session *cx, DiagCode code, Span span, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/// Reports an error whose message is the first of `lines`; the other lines become notes.
Diag *diag_lines(Session *cx, DiagCode code, Span span, const char *lines);
Diag *diag_warning(Session *cx, DiagCode code, Span span, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/// Diagnostics that were withdrawn after being reported. They can be inspected or reported again.
typedef VEC(Diag *) Diags;
/// A mark to pass to diag_withdraw: how many diagnostics and errors have been reported so far.
typedef struct {
    int diags, errors;
} DiagMark;
DiagMark diag_mark(const Session *cx);
/// Withdraws the diagnostics reported since the mark.
Diags diag_withdraw(Session *cx, DiagMark since);
/// Reports withdrawn diagnostics, except those that duplicate a diagnostic already reported.
void diag_report(Session *cx, const Diags *diags);

/// Adds a note that explains the reason. `span` is a second location, or NO_SPAN.
void diag_note(Session *cx, Diag *d, Span span, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/// Adds a hint about what to do.
void diag_help(Session *cx, Diag *d, const char *format, ...) __attribute__((format(printf, 3, 4)));

/// Adds a hint that proposes to replace the text at `fix`.
void diag_fix(Session *cx, Diag *d, Span fix, const char *replacement, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/// The code as text, such as "E0301".
const char *diag_name(DiagCode code);
const char *diag_title(DiagCode code);
/// Whether the code is that of a run-time error, E06xx.
bool diag_is_of_run(DiagCode code);
const char *diag_explanation(DiagCode code);

/// Prints all diagnostics, ordered by position, with the source lines underlined. Uses terminal
/// colours if `colour` is set.
void diag_print_all(const Session *cx, Text *out, bool colour);

/// Reports an internal error (E0901), or E0726 if cx->given is set, and jumps to cx->boundary.
_Noreturn void session_ice(Session *cx, const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/// Limits the memory of the session's arena and of the arenas created beside it. Beyond the limit,
/// E0725 is reported and control continues at cx->boundary; the session is then good only for
/// printing its diagnostics.
void session_limit_memory(Session *cx, size_t bytes);

/// An invariant that the compiler relies on; checked in every build.
#define CHECK(cx, condition, ...)                                                                  \
    ((condition) ? (void)0 : session_ice((cx), __FILE__, __LINE__, __VA_ARGS__))

#endif
