// From Loop IR to C text. The emitter decides nothing, it spells.
#ifndef ADZE_EMIT_EMIT_H
#define ADZE_EMIT_EMIT_H

#include "loops/loops.h"

typedef struct {
    const char *prefix; // of function names, "adze_"
    bool field;         // compute floats in GF(2^61 - 1): for tests
    bool wrappers;      // also emit `int adze_call_NAME(const int64_t *sizes, void *const *buffers,
                        // AdzeFault *fault)`, for callers that load the library
    bool source_comments; // name the source lines
} EmitOptions;

/// The C file and its header. Self-contained: needs only a C compiler and libm.
void emit_c(Session *cx, Text *source, Text *header, const char *header_name,
            LoopEntry *const *entries, int n, const EmitOptions *options);

#endif
