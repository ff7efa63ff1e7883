// adze repl: reads definitions, expressions and commands, and evaluates each in a child process, so
// that a failure or an interrupt ends only that evaluation, and all its memory is freed. What lasts
// is in this process: the texts of definitions and the arrays of named values.
#ifndef ADZE_DRIVER_REPL_H
#define ADZE_DRIVER_REPL_H

#include "driver/commands/commands.h"
#include "driver/evaluate/evaluate.h"

/// A definition of the session, which may have several items. `names` are those of its items.
typedef struct {
    Addition addition;
    Strings names;
    bool unnamed;  // whether some items have no name: imports, tests
    Strings shown; // its items, as :list shows them
} Definition;
typedef VEC(Definition) Definitions;

/// The memory of one or several kept values.
typedef struct {
    void *at;
    size_t bytes;
    int users;
} Mapping;

/// A named value: its arrays, and its type as programs write it.
typedef struct {
    char *name, *type, *full_type;
    AdzeArray *leaves;
    int nleaves;
    Mapping *memory;
} Held;

/// The session.
typedef struct {
    Driver *d;
    const char *path; // the file of the program, or ""
    Stage level;      // that of --interpret
    Arena *arena;     // of the definitions and names; replaced when they change
    Definitions definitions;
    Strings names; // of the program, for completion
    Held *values;
    int nvalues;
    int inputs;       // how many inputs were read
    bool interactive; // standard input is a terminal
    bool failed;      // an input had an error
    bool done;        // :quit
} Repl;

// --- store.c -------------------------------------------------------------------------------------

/// The changes of the program by all definitions and `more`, which may be NULL, in `arena`.
Additions store_additions(const Repl *r, Arena *arena, const Addition *more);
/// The values, in `arena`.
KeptValues store_kept(const Repl *r, Arena *arena);
/// Adds a definition, and forgets those of which it replaces all items.
void store_define(Repl *r, const Definition *more);
/// Keeps the names of the program.
void store_names(Repl *r, const Strings *names);
/// Whether the program defines or imports the name.
bool store_has_name(const Repl *r, const char *name);
/// The value with this name, or NULL.
Held *store_find(const Repl *r, const char *name);
/// Keeps a value, and frees the one that had its name. Takes ownership.
void store_keep(Repl *r, const Held *value);
/// Frees the value with this name. Returns whether there was one.
bool store_drop(Repl *r, const char *name);
void store_free(Repl *r);

// --- input.c: in the child process ---------------------------------------------------------------

/// How a child process reports to its parent: lines of text, and the arrays of values.
typedef struct {
    FILE *lines;
    int data;     // a file
    int64_t used; // the bytes of it that are used
} Reporter;

/// What to do with an expression.
typedef enum { WANT_VALUE, WANT_TYPE, WANT_TIME, WANT_PICTURE, WANT_FILE } Want;

/// An input or a name, `text`, in a program. The text is that of the source with blanks in place of
/// what was read before.
typedef struct {
    const Repl *r;
    Want want;
    const char *text;
    const char *label;   // the name of definitions in messages
    const char *output;  // the file for WANT_FILE, or the stage for input_explain
    Additions additions; // the program
    Reporter *to;
    // of input_evaluate: what it has loaded and computed, and whether it compiles
    Evaluation evaluation;
    bool compiles;
} InputRequest;

/// Runs `body` in a session in which the program is opened without the default schedule, which only
/// compiled code needs: that takes a tenth of the time.
int input_session(Driver *d, int (*body)(Driver *d, void *request), void *request);
/// Evaluates the first part of an input. Reports
///   end OFFSET            where the part ends
///   defines NAME, unnamed, shown TEXT, drop NAME, name NAME   for definitions
///   value ...             for `let`
int input_evaluate(Driver *d, void *request);
/// Reads the program, and reports the names in it and what the last of the additions changes.
int input_open(Driver *d, void *request);
/// Whether the file request->label can be read as a program. If not, reports an error.
int input_readable(Driver *d, void *request);
/// Prints the items of the program as one file, to request->output.
int input_save(Driver *d, void *request);
/// Explains the function request->text.
int input_explain(Driver *d, void *request);

// --- process.c -----------------------------------------------------------------------------------

/// Lines of a report: a word that names the kind of line, then its contents.
typedef struct {
    const char *word, *rest;
} ReportLine;
typedef VEC(ReportLine) Report;

/// Runs `body(d, request)` in a child process, which has request->additions and the kept values.
/// Returns its exit status, or 1 after a message if a signal ended it. The lines of its report are
/// in `arena`. Values that it reports are kept if the status is 0.
int process_run(Repl *r, Arena *arena, int (*body)(Driver *d, void *request), InputRequest *request,
                Report *report);
/// Makes interrupts end only child processes.
void process_keep_alive(void);
/// Adds a line to the report, in the child process.
void process_report(Reporter *to, const char *word, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/// Reports a value. Reports an error in the session and returns false if its arrays cannot be
/// stored.
bool process_report_value(Session *cx, Reporter *to, const char *name, Node *type,
                          const AdzeArray *leaves);

// --- define.c: in the child process --------------------------------------------------------------

/// Reports the names in the program and, if there are additions, reports and prints what the last
/// one changes.
void define_report(const Work *w, const InputRequest *q);
/// An item without its body, on one line.
const char *define_show(Session *cx, const Item *item);

// --- doc.c: in the child process -----------------------------------------------------------------

/// Prints the documentation of the name request->text.
int doc_print(Driver *d, void *request);
/// Returns the item with this name: of the program, its imports, the prelude, or any module of the
/// library. Sets *place, unless NULL, to the name of its file. Returns NULL if there is none.
const Item *item_find(const Work *w, const char *name, const char **place);

// --- picture.c: in the child process -------------------------------------------------------------

/// Whether a value of the type can be shown as a picture. If not, reports an error.
bool picture_check(Driver *d, Node *type);
/// Shows a matrix or an image on the terminal. Reports an error and returns false if that fails.
bool picture_show(Driver *d, const AdzeArray *leaves);

// --- commands.c ----------------------------------------------------------------------------------

/// Runs a command of the session, such as ":type x". Returns whether all was well.
bool command_run(Repl *r, const char *text);
/// Returns the i-th command, such as ":type", or NULL if there are no more.
const char *command_name(int i);

/// Evaluates an input, part by part. `want` says what to do with expressions, and `output` names
/// the file for WANT_FILE. Returns whether all was well.
bool repl_evaluate(Repl *r, const char *text, Want want, const char *output);
/// Adds the definitions of a file.
bool repl_load(Repl *r, const char *path);
/// Removes the value or definition.
bool repl_forget(Repl *r, const char *name);

// --- line.c --------------------------------------------------------------------------------------

/// Reads lines: with editing, history and completion on a terminal, if libedit is there.
typedef struct Lines Lines;
/// `complete` returns the i-th word that may be meant, or NULL after the last one.
typedef const char *Complete(void *env, int i);
Lines *lines_open(bool interactive, Complete *complete, void *env);
/// Returns the next line without its end, to be freed, or NULL at the end of the input. Sets
/// *interrupted, and returns NULL, if the user interrupts it.
char *lines_read(Lines *l, const char *prompt, bool *interrupted);
void lines_close(Lines *l);

#endif
