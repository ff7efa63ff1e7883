// From syntax to Core: names, types, sizes. Bidirectional inference with unknowns (types.h), per
// function; what is left unknown about sizes becomes checks. Pattern signatures are read from
// lib/prelude.adz, so a pattern is typed where it is documented.
#ifndef ADZE_INFER_INFER_H
#define ADZE_INFER_INFER_H

#include "core/ir/core.h"
#include "syntax/tree/ast.h"

/// Finds the source of a module: "std.linalg" -> its file number, added to the session; 0 when
/// there is none (the caller reports it). Given by the driver; `from` is the importing file.
typedef uint32_t FindModule(Session *cx, const char *name, uint32_t from, void *env);

typedef struct {
    FindModule *find;
    void *env;
    const char *
        usual; // the strategy of std.strategies for entries without a schedule (Program.usual); NULL: none
} Modules;

/// Infers a parsed module and all it imports. Errors are reported in cx; the Program holds whatever
/// succeeded. Functions are named uniquely program-wide: an imported one by "std.linalg.dot", those
/// of the main module plainly.
Program *infer_program(Session *cx, const Module *main, const Modules *modules);

/// What `load("path")` stands for inside `adze run`'s expression: gives the data type of the file's
/// contents, NULL when it cannot be loaded (already reported). For images the element type may be a
/// float or u8, and for records it is a struct; `wanted` is the type expected, or NULL.
typedef Node *LoadType(Session *cx, const char *path, Node *wanted, Span span, void *env);

/// Infers `expression` in the scope of an inferred program. Gives a Function without generics named
/// "main" whose parameters are the loads, in order of appearance (their paths in *paths); NULL
/// after an error.
Function *infer_expression(Session *cx, Program *p, const Module *main, Ast *expression,
                           LoadType *load, void *env, const char *const **paths, int *npaths);

#endif
