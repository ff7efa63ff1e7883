// Staging: partial evaluation of an entry into flat Core. In this plain form every call of a user
// function is specialised to its generic arguments and inlined; function values are removed by
// substitution; data arguments that are not atoms, and are used more than once, become lets.
#ifndef ADZE_STAGING_STAGING_H
#define ADZE_STAGING_STAGING_H

#include "core/core.h"

/// The flat form of `entry` (a function of `p`, or one from infer_expression): no CORE_GLOBAL,
/// CORE_APP; lambdas only as function operands of patterns (there also `if`s between functions are
/// gone); let-bound values are data. `checks` has all that must be tested when the entry starts:
/// its own `where`, its checks, and those of everything that was inlined, with sizes in terms of
/// the entry's own, proved ones left out, refuted ones reported (E0401), equal ones once. NULL
/// after an error (recursion E0501, a function value left E0502, too large E0503).
Function *staging_run(Session *cx, const Program *p, const Function *entry);

#endif
