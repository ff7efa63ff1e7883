// The sizes that a user gives (fix.c, substitute.c), and for which sizes `adze run` compiles an
// expression (specialise_expression.c).
#ifndef ADZE_DRIVER_SIZES_H
#define ADZE_DRIVER_SIZES_H

#include "driver/values/values.h"

// specialise_expression.c
/// The expression of `adze run` for any sizes of what it loads; the sizes that it has now, as
/// loop->sizes.
typedef struct {
    LoopEntry *loop;
    const int64_t *sizes;
} General;

/// False when there is nothing to keep open, or the expression must know its sizes. `special` is
/// what was inferred for these.
bool general_make(const Work *w, Ast *e, Loads *loads, const Function *special, General *out);

/// Whether to compile this, and not for its sizes: these are not small, and it is met with them for
/// the first time.
bool general_pays(Session *cx, const General *g, const char *name, const HostOptions *host);

/// The sizes of --size NAME=N; reports E0715.
typedef struct {
    Sym name;
    int64_t value;
} GivenSize;
typedef VEC(GivenSize) GivenSizes;
/// "n=10", given to an option; reports E0715.
bool size_given(Session *cx, const char *option, const char *text, GivenSize *size);
bool sizes_given(Session *cx, const Strings *texts, GivenSizes *sizes);

/// The sizes of --fix NAME=N,...; E0715 also when a size has two values.
bool sizes_fixed(Session *cx, const Strings *texts, GivenSizes *sizes);
/// The function with those of these sizes fixed that it has: itself when it has none.
const Function *sizes_fix(Session *cx, const Function *f, const GivenSizes *sizes);
/// Whether each of the sizes is one of some function of `among`; else reports E0715.
bool sizes_fit(Session *cx, const GivenSizes *sizes, const Function *const *among, int n);

/// Replaces the names of --size NAME=N in the expression by their numbers; reports E0715.
bool expression_set_sizes(Session *cx, Ast *e, const Strings *sizes);

#endif
