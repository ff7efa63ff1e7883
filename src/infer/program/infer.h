// From syntax to Core: resolves names, and infers types and sizes. Inference is bidirectional, with
// unknowns (types.h), and handles one function at a time. Conditions on sizes that cannot be
// decided become checks. Pattern signatures are read from lib/prelude.adz, so a pattern is typed
// where it is documented.
#ifndef ADZE_INFER_PROGRAM_INFER_H
#define ADZE_INFER_PROGRAM_INFER_H

#include "infer/names/sources.h"

/// Infers a parsed module and all its imports. Errors are reported in cx; the Program contains
/// whatever succeeded. Function names are unique in the program: imported functions have names such
/// as "std.linalg.dot", and those of the main module keep their plain names.
Program *infer_program(Session *cx, const Module *main, const Modules *modules);

/// The first part of infer_program, for the library's modules with these names and all that they
/// import: what is the same for all programs that use them. Errors are reported in cx.
struct Infer *infer_library(Session *cx, const Modules *modules, const char *const *names, int n);
/// The rest of infer_program, for a program that imports at least these modules. It changes the
/// state: for another program, return the session to a mark set before (arena_mark).
Program *infer_program_with(struct Infer *library, const Module *main, const Modules *modules);

/// The state of inference: the modules and their names.
const struct Infer *infer_state(const Program *p);

/// Infers `expression` in the scope of an inferred program. Returns a Function without generics
/// named "main", or NULL after an error. Its parameters are the loads in order of appearance;
/// *paths receives their paths.
Function *infer_expression(Session *cx, Program *p, const Module *main, Ast *expression,
                           LoadType *load, void *env, const char *const **paths, int *npaths);

#endif
