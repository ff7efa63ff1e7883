// The sizes that a user gives (fix.c, substitute.c), and the sizes for which `adze run` compiles an
// expression (specialise_expression.c).
#ifndef ADZE_DRIVER_SIZES_H
#define ADZE_DRIVER_SIZES_H

#include "driver/values/values.h"

// specialise_expression.c
/// The expression of `adze run` for any sizes of the files it loads, and the sizes of this run, in
/// the order of loop->sizes.
typedef struct {
    LoopEntry *loop;
    const int64_t *sizes;
} General;

/// False if the expression has no such sizes, or needs their values. `special` is the function that
/// was inferred for these values.
bool general_make(const Work *w, Ast *e, Loads *loads, const Function *special, General *out);

/// Whether to compile this function instead of `special`: if the sizes are not small, and the
/// expression has not run with them before.
bool general_pays(Session *cx, const General *g, const char *name, const HostOptions *host);

/// The sizes of --size NAME=N; reports E0715.
typedef struct {
    Sym name;
    int64_t value;
} GivenSize;
typedef VEC(GivenSize) GivenSizes;
/// Parses "n=10", the value of an option; reports E0715.
bool size_given(Session *cx, const char *option, const char *text, GivenSize *size);
bool sizes_given(Session *cx, const Strings *texts, GivenSizes *sizes);

/// Parses the sizes of --fix NAME=N,...; reports E0715, also if a size has two values.
bool sizes_fixed(Session *cx, const Strings *texts, GivenSizes *sizes);
/// The function with its size parameters fixed to the given sizes; the same function if it has none
/// of them.
const Function *sizes_fix(Session *cx, const Function *f, const GivenSizes *sizes);
/// Whether some function of `among` has each of the sizes; reports E0715.
bool sizes_fit(Session *cx, const GivenSizes *sizes, const Function *const *among, int n);

/// Replaces names in the expression by the numbers of --size NAME=N; reports E0715.
bool expression_set_sizes(Session *cx, Ast *e, const Strings *sizes);

#endif
