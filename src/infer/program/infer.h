// From syntax to Core: names, types, sizes. Bidirectional inference with unknowns (types.h), per
// function; conditions on sizes that are not decided become checks. Pattern signatures are read
// from lib/prelude.adz, so a pattern is typed where it is documented.
#ifndef ADZE_INFER_PROGRAM_INFER_H
#define ADZE_INFER_PROGRAM_INFER_H

#include "infer/names/sources.h"

/// Infers a parsed module and all its imports. Errors are reported in cx; the Program contains
/// whatever succeeded. Names of functions are unique in the program: "std.linalg.dot" for an
/// imported function, the plain name in the main module.
Program *infer_program(Session *cx, const Module *main, const Modules *modules);

/// Infers `expression` in the scope of an inferred program. Gives a Function without generics named
/// "main" whose parameters are the loads, in order of appearance (their paths in *paths); NULL
/// after an error.
Function *infer_expression(Session *cx, Program *p, const Module *main, Ast *expression,
                           LoadType *load, void *env, const char *const **paths, int *npaths);

#endif
