// A session is everything one use of the compiler needs: memory, names, sources, diagnostics,
// nodes. There is no global state; a language server, a tuner or a test holds as many sessions as
// it likes.
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

/// A piece of source text: bytes [lo, hi) of file number `file` (0 = no position).
typedef struct {
    uint32_t file, lo, hi;
} Span;

#define NO_SPAN ((Span){0, 0, 0})

typedef VEC(Span) Spans;

/// Attributes of a file, see base/attribute.def.
typedef enum {
#define ATTRIBUTE(id, name) id,
#include "base/attribute.def"
#undef ATTRIBUTE
    FILE_ATTRIBUTE_COUNT
} FileAttribute;
extern const char *const file_attribute_name[FILE_ATTRIBUTE_COUNT];

/// One source text. `lines` are the offsets of line starts, filled by session_add_source.
typedef struct {
    const char *path;
    const char *text;
    size_t len;
    VEC(uint32_t) lines;
    Sym file; // the path of its file without links, once the driver has found that
    bool says[FILE_ATTRIBUTE_COUNT];
} Source;

typedef enum {
#define DIAG(code, title, explanation) code,
#include "base/diag.def"
#undef DIAG
    DIAG_COUNT
} DiagCode;

typedef struct {
    Span span; // NO_SPAN: a remark without a place
    const char *text;
    bool help; // a hint on what to do rather than a note on why
} DiagNote;

typedef struct {
    DiagCode code;
    bool warning;
    Span span;
    const char *text;
    VEC(DiagNote) notes;
} Diag;

struct NodeTable; // ir/node.h
struct Cpu;       // base/target/cpu.h
struct Stats;     // driver/internal.h

typedef struct Session {
    Arena *arena;
    SymTable *syms;
    struct NodeTable *nodes;
    VEC(Source *) sources; // file number k is sources.at[k - 1]
    VEC(Diag *) diags;
    const struct Cpu *cpu; // what C is made for
    int vector_bytes;      // how wide vectors are at most; 0: none are made
    bool exact_math;     // functions such as exp have on vectors the bits that they have on numbers
    bool remarks;        // report also what may be wrong, as warnings
    int errors;          // how many of diags are not warnings
    struct Stats *stats; // what the driver measures of each pass; NULL: it does not
    const char *pass;    // the pass that runs, for reports of the compiler's own faults
    Span subject;        // the entry that it compiles; NO_SPAN: all there is
    bool keeps_prints;   // `print` is part of what is compiled
    bool drops_asserts;  // `assert` is not
    Text line;           // what interpreted programs have printed since the last line
    const char *message; // of the assertion that fails next; NULL: it has none that is computed
    void (*print)(void *env, const char *line, size_t len); // where lines go; NULL: standard error
    void *print_env;
    Map failures;  // place of an assertion -> its message
    Map c_layouts; // full name of a struct that is declared with #[c_layout] -> not NULL
    bool lays_out; // whether callers in C have arrays of these as C does; else as of all structs
    Span given; // text of a level that a file gives, while it is checked: it may break the rules of
                // the level, which is no fault of the compiler; NO_SPAN: nothing of the kind
    bool exhausted;    // memory ran out: all that is left to do is to report it
    jmp_buf *boundary; // where such a report returns to; NULL: it ends the process
} Session;

/// A new session, for the most able processor of x86-64; session_delete frees all that was made in
/// it.
Session *session_new(void);
void session_delete(Session *cx);

/// Adds a source text (copied) under `path`; gives its file number.
uint32_t session_add_source(Session *cx, const char *path, const char *text, size_t len);

/// The path of a source as generated files name it, the same on every machine: a relative path as
/// it is; of an absolute one what follows the last /lib/ (a module of the library), or the file's
/// name.
const char *source_short_path(const Source *s);

/// Ends cx->line and writes it; or makes it cx->message.
void session_print_line(Session *cx);
void session_keep_message(Session *cx);

/// What is said when the assertion at `at` fails: what it is given here, else the title of E0614.
void session_set_failure(Session *cx, Span at, const char *text);
const char *session_failure(const Session *cx, Span at);
/// The same, or cx->message, which is taken.
const char *session_take_failure(Session *cx, Span at);

/// The name with this spelling.
Sym session_sym(Session *cx, const char *text);

/// Line and column, both from 1, of byte `offset` of a file; columns count UTF-8 characters.
void session_position(const Session *cx, uint32_t file, uint32_t offset, int *line, int *column);

/// A piece of a source, as it is written.
const char *source_text(Session *cx, Span span);

/// Reports an error at `span`; the result takes notes. After 100 errors further ones are dropped,
/// and of several errors with the same code at the same place only the first is kept; so are
/// warnings, also beside an error.
Diag *diag_error(Session *cx, DiagCode code, Span span, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/// An error whose first line is the message, the others notes.
Diag *diag_lines(Session *cx, DiagCode code, Span span, const char *lines);
Diag *diag_warning(Session *cx, DiagCode code, Span span, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/// What was reported and then withdrawn, to be looked at or reported after all.
typedef VEC(Diag *) Diags;
/// How many there are, and how many errors.
typedef struct {
    int diags, errors;
} DiagMark;
DiagMark diag_mark(const Session *cx);
/// Withdraws what was reported since the mark.
Diags diag_withdraw(Session *cx, DiagMark since);
/// Reports withdrawn diagnostics; those that are reported already are dropped.
void diag_report(Session *cx, const Diags *diags);

/// Adds a remark: why (with a second underlined place, or NO_SPAN), or what to do about it.
void diag_note(Session *cx, Diag *d, Span span, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void diag_help(Session *cx, Diag *d, const char *format, ...) __attribute__((format(printf, 3, 4)));

/// "E0301", its title, and its explanation.
const char *diag_name(DiagCode code);
const char *diag_title(DiagCode code);
/// Whether it is the code of a run-time error: E06..
bool diag_is_of_run(DiagCode code);
const char *diag_explanation(DiagCode code);

/// All diagnostics as text with the lines underlined, ordered by place; with terminal colours when
/// `colour`.
void diag_print_all(const Session *cx, Text *out, bool colour);

/// Reports a fault of the compiler itself (E0901), or of cx->given (E0726), and returns to
/// cx->boundary.
_Noreturn void session_ice(Session *cx, const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/// From now on the session's arena and those beside it may take so many bytes. When that is not
/// enough E0725 is reported, and cx->boundary is where it goes on; the session is good for nothing
/// but its report then.
void session_limit_memory(Session *cx, size_t bytes);

/// An invariant the compiler relies on; checked in every build.
#define CHECK(cx, condition, ...)                                                                  \
    ((condition) ? (void)0 : session_ice((cx), __FILE__, __LINE__, __VA_ARGS__))

#endif
