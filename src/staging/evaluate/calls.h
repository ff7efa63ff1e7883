// Functions for calls that are not unfolded, shared by specialise_calls.c and sized_calls.c.
#ifndef ADZE_STAGING_CALLS_H
#define ADZE_STAGING_CALLS_H

#include "staging/values/stage.h"

typedef struct Call {
    const Known *f;
    const Special *special;
    const Chain *chain;
    int n;
    const Known *const *args;
    const bool *filtered; // per argument, whether the filters make it known
    const bool *known;    // the filtered ones, and arrays that are the same in all recursive calls
    const Taken *taken;   // the split arguments of a kept function, or NULL
    SizeGuard *guard;     // what is known about sizes in the body of a kept function
    int nsizes;           // the number of sizes that the function takes as arguments
    Node **sizes;         // their variables in its body, or their values in a call
    SizeChecks where;     // the conditions on them that hold in its body
    const Env *env;       // for an opened size (open.c): the variables of the body
    Block *around;        // for an opened size: the block that encloses the body
    const Label *last;    // for an opened size: the label whose value is that of the body, or NULL
    Span span;
    Sym key;
    Scope at;
} Call;

// --- specialise_calls.c --------------------------------------------------------------------------

/// Appends a known argument to the key of a specialised function.
void call_write_key(Stage *s, Text *out, const Known *v);
/// The residual function with this key, which may have no body yet.
Residual *call_residual(Stage *s, Sym key);
/// Makes the residual function with the key c->key, by evaluating its body for the call. Returns
/// false if evaluation failed.
bool call_make_function(Stage *s, Call *c);
/// Emits a call to the residual function `f`, and the jump that its status may require.
const Known *call_emit(Stage *s, const Call *c, const Residual *f);

#endif
