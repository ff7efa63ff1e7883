// Staging: online partial evaluation of an entry into flat Core. Calls to non-recursive functions
// are inlined unless that produces too much code; for recursive functions, the filters of the
// parameters decide. The result is in control-flow form: it has no function values, references to
// locations or continuations, only literal lambdas as operands of patterns, first-order functions,
// locations that are variables, and jumps to enclosing labels. Data that is not an atom and is used
// more than once is let-bound.
#ifndef ADZE_STAGING_STAGING_H
#define ADZE_STAGING_STAGING_H

#include "core/ir/core.h"

/// Returns the flat form of `entry`, which is a function of `p` or one from infer_expression; `p`
/// may be NULL if the entry uses no other function. The result has no CORE_GLOBAL or CORE_APP, no
/// `if` that chooses between functions, and lambdas only as function operands of patterns.
/// Let-bound values are data or locations. `callees` holds the functions that remain.
///
/// Both `where`, which is the entry's own, and `checks` must be tested when the entry starts.
/// `checks` holds the conditions of the entry and of all inlined functions, in terms of the entry's
/// sizes, without duplicates and without conditions that follow from `where`.
///
/// Returns NULL after an error: a condition that never holds (E0401, E0404), a size beyond 64 bits
/// (E0402), a type that is too large (E0316), endless recursion (E0501), a function value that
/// remains (E0502), a result that is too large or never complete (E0503), an assignment (E0504) or
/// a jump (E0505) where it is not allowed, an unknown lane count (E0506), or iterations that write
/// the same element (E0507, E0509).
Function *staging_run(Session *cx, const Program *p, const Function *entry);

/// Which calls of patterns that have a body (Function.pattern) remain: none, those in the entry, or
/// also those in residual functions.
typedef enum { KEEP_NONE, KEEP_IN_ENTRY, KEEP_PATTERNS } Keep;

/// Like staging_run, for a schedule: calls of patterns that have a body remain as CORE_APP of
/// CORE_GLOBAL whose function operands are literal lambdas. They are unfolded if these assign to
/// variables around them or jump out, and otherwise when the result of the schedule is staged.
Function *staging_for_schedule(Session *cx, const Program *p, const Function *entry, Keep keep);

/// A call that was not unfolded: what it became, and why each residual argument was kept.
typedef struct {
    Sym function;
    Span call;
    enum { RESIDUE_LOOP, RESIDUE_CALL } as;
    Sym name;        // for RESIDUE_CALL, the residual function
    VEC(Param) kept; // parameters that are still passed at run time
    VEC(const char *) why;
} Residue;
typedef VEC(Residue) Residues;

/// Like staging_run, but with a budget of evaluation steps (0 for the default). Stores the calls
/// that were not unfolded in *residues, unless `residues` is NULL.
Function *staging_explain(Session *cx, const Program *p, const Function *entry, int64_t budget,
                          Residues *residues);

#endif
