// Callbacks with which the driver finds modules and files to load.
#ifndef ADZE_INFER_NAMES_SOURCES_H
#define ADZE_INFER_NAMES_SOURCES_H

#include "core/ir/core.h"
#include "infer/names/uses.h"

/// Finds the source of a module such as "std.linalg". Adds it to the session and returns its file
/// number, or returns 0 if there is none, which the caller reports. The driver provides this
/// function. `from` is the importing file.
typedef uint32_t FindModule(Session *cx, const char *name, uint32_t from, void *env);

typedef struct {
    FindModule *find;
    void *env;
    // The strategy for entries without a schedule (Program.usual), and its module. `usual` is NULL
    // if they stay as they are.
    const char *usual, *usual_module;
    // Whether a file is one of the library, of whose rules and strategies only those are inferred
    // that the program uses. NULL if all are inferred.
    bool (*in_library)(Session *cx, uint32_t main, uint32_t file);
    bool unused; // warn about imported names that the main module does not use
    Uses *uses;  // receives the names and types of a file; NULL if nothing is recorded
} Modules;

/// Returns the type of `load("path")` in the expression of `adze run`: the data type of the
/// contents of the file. Returns NULL if the file cannot be loaded, after reporting the error. For
/// images, the element type may be a float type or u8; for records, it is a struct. `wanted` is the
/// expected type, or NULL. `open` is the element type of records until `wanted` determines the
/// struct, or NULL.
typedef Node *LoadType(Session *cx, const char *path, Node *wanted, Node *open, Span span,
                       void *env);

#endif
