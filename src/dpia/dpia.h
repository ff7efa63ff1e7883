// DPIA: the imperative language of acceptors, expressions and commands (DESIGN 4.2; RISE & Shine's listings 8 and 9, Lin's 5.4-5.57).
// from_core.c translates low Core by the two mutually recursive functions acc and con. It makes no choice: where low Core has one left,
// that is a fault of the compiler. Nothing below this level has functions.
#ifndef ADZE_DPIA_DPIA_H
#define ADZE_DPIA_DPIA_H

#include "core/core.h"

/// An entry as a command. Inputs are PH_VAR of the parameters' names, the result is written to ACC_VAR "out".
typedef struct {
    Sym name;
    Span span;
    const char *doc;
    VEC(Sym) sizes;     // size parameters, in order
    VEC(Param) params;
    Param out;
    SizeChecks checks;  // hold before the body runs; COM_CHECK_SIZE is not used in the body
    Node *body;
} Phrase;

Phrase *dpia_from_core(Session *cx, const Function *low);

/// Types of phrases, variables in scope, every element of every destination written exactly once (as far as the shape of the command
/// shows it), reads of memory only after it was written. Breaks are E0901.
void dpia_check(Session *cx, const Phrase *p);

void dpia_print(Session *cx, Text *out, const Phrase *p);
Phrase *dpia_read(Session *cx, uint32_t file);

/// Runs the command. `sizes` in the order of p->sizes.
Outcome dpia_eval(Session *cx, Arena *arena, const Phrase *p, const int64_t *sizes, const Value *args, Algebra algebra, int64_t fuel,
                  Value *result);

#endif
