// From flat Core to low Core: every choice of DESIGN 4.1 made by the default policy. See lower.c for the policy in words.
#ifndef ADZE_REWRITE_REWRITE_H
#define ADZE_REWRITE_REWRITE_H

#include "core/core.h"

/// One choice of the policy, for `adze explain`.
typedef struct {
    Span span;
    const char *what; // "to_mem", "map.src", "concat.dst"
    const char *why;
} Choice;
typedef VEC(Choice) Choices;

/// Low Core of a flat function: each map/reduce/fold/scan/iterate has a variant (seq = eager, or src = read lazily),
/// each view a side, each eager array that is read a to_mem around it.
Function *rewrite_lower(Session *cx, const Function *flat, Choices *choices);

/// Access types of low Core (DESIGN 4.1): reports a break as E0901.
void rewrite_check_low(Session *cx, const Function *low);

#endif
