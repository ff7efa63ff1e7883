// Functions of the driver that find modules and loaded files.
#ifndef ADZE_INFER_NAMES_SOURCES_H
#define ADZE_INFER_NAMES_SOURCES_H

#include "core/ir/core.h"
#include "syntax/tree/ast.h"

/// Finds the source of a module: "std.linalg" -> its file number, added to the session; 0 if there
/// is none (the caller reports it). Given by the driver; `from` is the importing file.
typedef uint32_t FindModule(Session *cx, const char *name, uint32_t from, void *env);

typedef struct {
    FindModule *find;
    void *env;
    const char *
        usual; // strategy of std.strategies for entries without a schedule (Program.usual); or NULL
} Modules;

/// The type of `load("path")` in the expression of `adze run`: the data type of the contents of the
/// file; NULL if it cannot be loaded (already reported). For images the element type may be a float
/// or u8, and for records it is a struct; `wanted` is the expected type, or NULL. `open`, or NULL,
/// is the element type of records until `wanted` determines the struct.
typedef Node *LoadType(Session *cx, const char *path, Node *wanted, Node *open, Span span,
                       void *env);

#endif
