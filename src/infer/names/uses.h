// What the names in a file mean, and the types of its expressions. Inference records them for
// editors, while it resolves names.
#ifndef ADZE_INFER_NAMES_USES_H
#define ADZE_INFER_NAMES_USES_H

#include "syntax/tree/ast.h"

/// A name in the source. It means `symbol` or, if that is NULL, the local that is bound at
/// `definition`. The definition of a module is the beginning of its file.
typedef struct {
    Span at, definition;
    const struct Symbol *symbol;
} Use;

/// An expression or a pattern, and its type. A type that could not be inferred contains unknowns.
typedef struct {
    Span at;
    AstKind kind;
    Node *type;
} TypeOf;

/// The uses in one file, in no particular order. The same use may be listed several times, and
/// expressions that are inferred for several ranks have several types.
typedef struct Uses {
    Arena *arena;
    uint32_t file;
    VEC(Use) names;
    VEC(TypeOf) types;
} Uses;

#endif
