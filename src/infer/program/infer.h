// From syntax to Core: names, types, sizes. Bidirectional inference with unknowns (types.h), per
// function; conditions on sizes that are not decided become checks. Pattern signatures are read
// from lib/prelude.adz, so a pattern is typed where it is documented.
#ifndef ADZE_INFER_PROGRAM_INFER_H
#define ADZE_INFER_PROGRAM_INFER_H

#include "infer/names/sources.h"

/// Infers a parsed module and all it imports. Errors are reported in cx; the Program holds whatever
/// succeeded. Functions are named uniquely program-wide: an imported one by "std.linalg.dot", those
/// of the main module plainly.
Program *infer_program(Session *cx, const Module *main, const Modules *modules);

/// Infers `expression` in the scope of an inferred program. Gives a Function without generics named
/// "main" whose parameters are the loads, in order of appearance (their paths in *paths); NULL
/// after an error.
Function *infer_expression(Session *cx, Program *p, const Module *main, Ast *expression,
                           LoadType *load, void *env, const char *const **paths, int *npaths);

#endif
