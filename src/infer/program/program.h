// Inference of whole programs.
#ifndef ADZE_INFER_PROGRAM_PROGRAM_H
#define ADZE_INFER_PROGRAM_PROGRAM_H

#include "infer/elaborate/elaborate.h"
#include "infer/program/infer.h"

// --- modules.c -----------------------------------------------------------------------------------

/// Loads the prelude.
Unit *infer_load_prelude(Infer *in);
/// Loads a parsed module and its imports. In in->units, the imports precede the module, unless they
/// also import it.
Unit *infer_load_unit(Infer *in, Sym name, const Module *m);
/// Returns the module with this name, imported by file `from`, and loads it if necessary. Returns
/// NULL after an error.
Unit *infer_find_unit(Infer *in, Sym name, Span at, uint32_t from);
/// Computes the exports of every module, both its own and those that it re-exports.
void infer_find_exports(Infer *in);
/// Brings the imports of a module into its scope.
void infer_link_imports(Infer *in, Unit *u);

// --- unused.c ------------------------------------------------------------------------------------

/// Warns about names in the import lists of a module that it does not use.
void infer_warn_unused(Infer *in, const Unit *u);

// --- body.c --------------------------------------------------------------------------------------

/// Infers the bodies of all family members (instances of rank-polymorphic functions) and nested
/// functions that are in use.
void infer_members(Infer *in);
/// The arena for bodies whose Core is built right away. It is emptied once every few bodies.
Arena *infer_scratch(Infer *in);
void infer_function_body(Infer *in, Symbol *y);
Node *infer_const_type(Infer *in, Symbol *y);
Test *infer_test(Infer *in, Unit *unit, const Item *item);
/// Infers the body of a bench, to report its errors.
void infer_bench(Infer *in, Unit *unit, const Item *item);

// --- rule.c --------------------------------------------------------------------------------------

/// Infers a rule of which this has not been requested before. Reports its errors.
void infer_rule(Infer *in, Symbol *y);

// --- strategy.c ----------------------------------------------------------------------------------

/// The key under which scopes store a rule or a strategy. It keeps their names apart from those of
/// functions and types.
Sym infer_strategy_key(Session *cx, Sym name);
/// Declares the parameters of a strategy.
void infer_declare_strategy(Infer *in, Symbol *y);
/// Requests the inference of the body of a strategy of which this has not been requested before.
/// All strategies must have been declared.
void infer_need_strategy(Infer *in, Symbol *y);
/// Infers the bodies of the requested strategies, and of the rules and strategies that they use.
void infer_needed_strategies(Infer *in);
void infer_schedule(Infer *in, Unit *unit, const Item *item);

#endif
