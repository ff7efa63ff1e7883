// Calls compiled code on values: loads libraries into this process (library.c), converts values to
// and from flat buffers (marshal.c), and reads and writes array files (loads.c, outputs.c,
// records.c).
#ifndef ADZE_DRIVER_VALUES_H
#define ADZE_DRIVER_VALUES_H

#include "adze_array.h"
#include "driver/pipeline/pipeline.h"

/// Compiled entries loaded into this process: a dlopen handle.
typedef struct Library Library;

/// Emits `entries` as C with wrappers, compiles the C (or takes the library from the cache), and
/// loads the library. `name` names the C file in messages. Reports errors and returns NULL after
/// one.
Library *library_build(Session *cx, const char *name, LoopEntry *const *entries, int n,
                       const HostOptions *host);
void library_close(Library *lib);

/// Calls an entry with these sizes on values of the types in e->source. *result lives in `arena`.
Outcome library_call(Session *cx, Arena *arena, Library *lib, const LoopEntry *e,
                     const int64_t *sizes, const Value *args, Value *result);

/// The number of steps after which the interpreter stops with an error. It executes that many in
/// less than a minute, and without running out of memory.
enum { INTERPRETER_STEPS = 400000000 };

/// The functions of an entry in a library. They live as long as the library, and threads may call
/// them at the same time. `call` takes the sizes in the order of e->sizes, and a buffer for each
/// element of e->params (of the leaves of a record, only the first buffer is used).
typedef struct {
    int (*call)(const int64_t *sizes, void *const *buffers); // returns a status: 0, or an error
    const char *(*message)(int status);
    char **(*kept)(void); // the text of the last assertion that failed; NULL if there are none
} EntryCode;
EntryCode library_entry(Session *cx, Library *lib, const LoopEntry *e);
/// Returns the message of a failed call, which the caller frees, or NULL if memory runs out. Needs
/// no session.
char *entry_code_message(const EntryCode *code, int status);

/// Calls an entry on flat buffers, one per element of e->params. Returns its status, and sets
/// *message to the error message if the status is not 0.
int library_invoke(Session *cx, Library *lib, const LoopEntry *e, const int64_t *sizes,
                   void *const *buffers, const char **message);

/// Parses a run-time failure in the form that generated code writes ("a.adz:3:5: error E0601:
/// ...").
Outcome outcome_of_message(Session *cx, const char *message);

/// Reports a failed outcome as an error, with the sizes and argument types of `e` unless it is
/// NULL.
void outcome_report(Session *cx, const Outcome *o, const LoopEntry *e, const int64_t *sizes);

// --- marshal.c: values, arrays and flat buffers -------------------------------------------------

/// Allocates buffers for the elements of e->params that are outputs or, without `outputs`, for
/// those that are inputs. Returns false with E0606 in *o if memory runs out, or with E0607 if a
/// size overflows.
bool leaves_alloc(Session *cx, const LoopEntry *e, const int64_t *sizes, bool outputs,
                  AdzeArray *leaves, Outcome *o);
void leaves_free(AdzeArray *leaves, int n);

/// Allocates buffers for the leaves of a type without size variables. Reports E0606 and returns
/// false if memory runs out.
bool type_alloc_leaves(Session *cx, Node *type, AdzeArray *leaves);

/// Returns the type of an array as text, such as "[480][640][3]u8".
const char *array_text(Session *cx, const AdzeArray *a);

/// Returns the number of scalar leaves of a type.
int type_leaves(Node *type);
/// Fills the leaves from a value.
void leaves_pack(const Value *v, Node *type, AdzeArray *leaves);
/// Builds a value from its leaves, with at most `limit` elements of each array, or all if `limit`
/// is negative.
Value leaves_unpack(Arena *arena, Node *type, const AdzeArray *leaves, int64_t limit);
/// Shortens the arrays of a value of type [?n]t, or of a tuple of such values, to the elements that
/// exist. Keeps their memory.
void leaves_trim(Node *type, AdzeArray *leaves);

Node *array_type(Session *cx, const AdzeArray *a);
Scalar array_scalar(const AdzeArray *a); // the type of its elements

// --- loads.c, outputs.c: the files of `adze run` ------------------------------------------------

/// A file that an expression loads. `path` may also name an array in an archive, FILE.npz:NAME.
/// Text has a table of its bytes, parsed cells, or both, depending on the types that are needed.
typedef struct {
    const char *path;
    AdzeTable table;       // as stored in the file
    struct AdzeText *text; // the cells of a text, or NULL
    bool noted;            // whether a warning was reported
} LoadedFile;

/// A value that an expression of `adze repl` may name. `type` is in the form of type_print_full.
typedef struct {
    const char *name, *type;
    const AdzeArray *leaves;
    int nleaves;
} KeptValue;
typedef struct KeptValues {
    KeptValue *at;
    int len;
} KeptValues;

/// The path by which `load` finds a kept value begins with this character.
enum { KEPT_MARK = '\n' };

/// The files that an expression loads; freed with loads_free.
typedef struct {
    Arena *arena;
    const KeptValues *kept; // may be NULL
    VEC(LoadedFile *) files;
    VEC(AdzeArray) converted; // images with another element type, and parsed numbers
    double seconds;           // the time spent on reading
} Loads;
/// A LoadType: returns the type of a file, or NULL after an error. `env` is a Loads.
Node *loads_type(Session *cx, const char *path, Node *wanted, Node *open, Span span, void *env);
/// Returns the leaves of a file loaded with the type `type`, in the order of leaves_pack, or NULL
/// after an error.
const AdzeArray *loads_get(Session *cx, Loads *l, const char *path, Node *type);
void loads_free(Loads *l);

// records.c
/// Returns the type of a file's elements if they fit the type `wanted`, which may contain unknowns.
/// Otherwise returns NULL and sets *why to a description of the difference.
Node *record_type(Session *cx, const AdzeDtype *d, Node *wanted, const char **why);
/// Copies the columns of a file with such elements to `out`, in the order of the leaves of `type`.
void record_columns(const AdzeDtype *d, Node *type, const AdzeArray *columns, AdzeArray *out);
/// Sets *out to the .npy element type for `type`, which is not an array type. *out lives as long as
/// the session. If there is no such element type, returns false and sets *why to the reason.
bool record_dtype(Session *cx, Node *type, AdzeDtype *out, const char **why);

// outputs.c

/// Whether a value of `type` can be printed as text. If not, reports an error.
bool outputs_check_text(Session *cx, Node *type);
/// The files named with -o, and how pictures and plots show arrays.
typedef struct {
    const Strings *paths;
    const char *colours; // the colour map of --colours, or NULL
    AdzePlot plot;       // as --plot says
} Outputs;

/// Sets *o to what the options say. Reports a colour map or plot that does not exist, and returns
/// false.
bool outputs_choose(const Options *options, Outputs *o);
/// Whether a value of `type` can be written to the files. If not, reports an error.
bool outputs_check(Session *cx, const Outputs *o, Node *type);
bool outputs_write(Session *cx, const Outputs *o, Node *type, const AdzeArray *leaves);

#endif
