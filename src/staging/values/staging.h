// Staging: online partial evaluation of an entry into flat Core. Calls of functions that are not
// recursive are inlined; for the others the filters of their parameters decide. The result has no
// function values, references to places or continuations (control-flow form), only literal lambdas
// as operands of patterns, first-order functions, places that are variables, and jumps to enclosing
// labels. Data that is not an atom, and is used more than once, is bound by a let.
#ifndef ADZE_STAGING_STAGING_H
#define ADZE_STAGING_STAGING_H

#include "core/ir/core.h"

/// The flat form of `entry` (a function of `p`, or one from infer_expression; `p` may be NULL for
/// one that uses no other): no CORE_GLOBAL, CORE_APP; lambdas only as function operands of patterns
/// (without `if`s between functions); let-bound values are data or places. `callees`
/// are the functions that remain. Both `where`, which is the entry's own, and `checks` must be
/// tested when it starts. `checks` has the conditions of the entry and of all inlined functions,
/// over the sizes of the entry, without duplicates and without conditions that follow from `where`;
/// one that never holds is reported (E0401, E0404). NULL after an error (a size beyond 64 bits
/// E0402, a type too large E0316, recursion E0501, a function value left E0502, too large or
/// without end E0503, variables assigned or functions left where that cannot be E0504, E0505, lanes
/// E0506).
Function *staging_run(Session *cx, const Program *p, const Function *entry);

/// A call that was not unfolded: what it became, and for each residual argument the reason.
typedef struct {
    Sym function;
    Span call;
    enum { RESIDUE_LOOP, RESIDUE_CALL } as;
    Sym name;        // of the residual function (RESIDUE_CALL)
    VEC(Param) kept; // parameters that are passed when the program runs
    VEC(const char *) why;
} Residue;
typedef VEC(Residue) Residues;

/// The same with a budget of evaluation steps (0 for the default). *residues (may be NULL) gets the
/// calls that were not unfolded.
Function *staging_explain(Session *cx, const Program *p, const Function *entry, int64_t budget,
                          Residues *residues);

#endif
