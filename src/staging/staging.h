// Staging: partial evaluation of an entry into flat Core. In this plain form every call of a user
// function is specialised to its generic arguments and inlined; function values are removed by
// substitution; data arguments that are not atoms, and are used more than once, become lets.
#ifndef ADZE_STAGING_STAGING_H
#define ADZE_STAGING_STAGING_H

#include "core/core.h"

/// The flat form of `entry` (a function of `p`, or one from infer_expression; `p` may be NULL for
/// one that uses no other): no CORE_GLOBAL, CORE_APP; lambdas only as function operands of patterns
/// (there also `if`s between functions are gone); let-bound values are data. Both `where`, which is
/// the entry's own, and `checks` must be tested when it starts. `checks` has the entry's and those
/// of everything that was inlined, with sizes in terms of the entry's own; what follows from
/// `where` is left out, what never holds is reported (E0401, E0404), equal ones are there once.
/// NULL after an error (a size beyond 64 bits E0402, a type too large E0316, recursion E0501, a function value left E0502,
/// too large E0503).
Function *staging_run(Session *cx, const Program *p, const Function *entry);

#endif
