// Compiled code called on values: libraries in this process (library.c), values in and out of flat
// buffers (marshal.c), and files of arrays (loads.c, outputs.c, records.c).
#ifndef ADZE_DRIVER_VALUES_H
#define ADZE_DRIVER_VALUES_H

#include "adze_array.h"
#include "driver/pipeline/pipeline.h"

/// Compiled entries in this process: a handle of dlopen.
typedef struct Library Library;

/// Emits `entries` as C with wrappers, compiles it (or takes it from the cache) and loads it.
/// `name` names the C file in messages. NULL after an error, which is reported.
Library *library_build(Session *cx, const char *name, LoopEntry *const *entries, int n,
                       const HostOptions *host);
void library_close(Library *lib);

/// Calls an entry on values of the types e->source with these sizes. *result lives in `arena`.
Outcome library_call(Session *cx, Arena *arena, Library *lib, const LoopEntry *e,
                     const int64_t *sizes, const Value *args, Value *result);

/// The number of steps after which the interpreter stops: less than a minute, within memory.
enum { INTERPRETER_STEPS = 400000000 };

/// Calls an entry on flat buffers, one per row of e->params. Gives its status, and a message if the
/// status is not 0.
int library_invoke(Session *cx, Library *lib, const LoopEntry *e, const int64_t *sizes,
                   void *const *buffers, const char **message);

/// Parses a run-time failure as the generated code writes it ("a.adz:3:5: error E0601: ...").
Outcome outcome_of_message(Session *cx, const char *message);

/// Reports a failed outcome as an error, with the sizes and arguments involved.
void outcome_report(Session *cx, const Outcome *o, const LoopEntry *e, const int64_t *sizes);

// --- marshal.c: values, arrays and flat buffers -------------------------------------------------

/// Allocates buffers of these sizes for the rows of e->params that are inputs or outputs; false if
/// out of memory (E0606 in *o).
bool leaves_alloc(Session *cx, const LoopEntry *e, const int64_t *sizes, bool outputs,
                  AdzeArray *leaves, Outcome *o);
void leaves_free(AdzeArray *leaves, int n);

/// Allocates buffers for the leaves of a type without size variables; reports E0606.
bool type_alloc_leaves(Session *cx, Node *type, AdzeArray *leaves);

/// The type of an array as text: "[480][640][3]u8".
const char *array_text(Session *cx, const AdzeArray *a);

/// The number of scalar leaves of a type. Fills the leaves from a value, and back (at most `limit`
/// elements of each array; all if limit < 0).
int type_leaves(Node *type);
void leaves_pack(const Value *v, Node *type, AdzeArray *leaves);
Value leaves_unpack(Arena *arena, Node *type, const AdzeArray *leaves, int64_t limit);

/// The type of an array, and of its elements.
Node *array_type(Session *cx, const AdzeArray *a);
Scalar array_scalar(const AdzeArray *a);

// --- loads.c, outputs.c: the files of `adze run` ------------------------------------------------

/// The arrays that an expression loads, by path; freed with loads_free.
typedef struct {
    Arena *arena;
    Strings paths;
    VEC(AdzeTable) tables; // as the files hold them
    VEC(AdzeArray) converted;
} Loads;
/// The type of a file, a LoadType; `env` is a Loads.
Node *loads_type(Session *cx, const char *path, Node *wanted, Node *open, Span span, void *env);
/// The leaves of a file that was loaded as an array of `type`, in the order of type_leaves; NULL
/// after an error.
const AdzeArray *loads_get(Session *cx, Loads *l, const char *path, Node *type);
void loads_free(Loads *l);

// records.c
/// The type of an element of a file where `wanted`, which may contain unknowns, is needed. NULL if
/// it does not fit; *why then describes the difference.
Node *record_type(Session *cx, const AdzeDtype *d, Node *wanted, const char **why);
/// Puts the columns of such elements in the order of the leaves of the type.
void record_columns(const AdzeDtype *d, Node *type, const AdzeArray *columns, AdzeArray *out);
/// The .npy element type of a type that is not an array, in memory of the session. False if there
/// is none; *why is then the reason.
bool record_dtype(Session *cx, Node *type, AdzeDtype *out, const char **why);

// outputs.c

/// Whether a value of `type` can be printed as text; reports it if not.
bool outputs_check_text(Session *cx, Node *type);
/// Whether a value of `type` can be written to the files named with -o; reports it if not.
bool outputs_check(Session *cx, const Strings *paths, Node *type);
bool outputs_write(Session *cx, const Strings *paths, Node *type, const AdzeArray *leaves);

#endif
