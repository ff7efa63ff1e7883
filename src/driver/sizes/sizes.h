// Sizes given by the user (fix.c, substitute.c), and the sizes for which `adze run` compiles an
// expression (specialise_expression.c).
#ifndef ADZE_DRIVER_SIZES_H
#define ADZE_DRIVER_SIZES_H

#include "driver/values/values.h"

// specialise_expression.c
/// The expression of `adze run`, lowered for any sizes of the files it loads. `sizes` are those of
/// this run, in the order of loop->sizes.
typedef struct {
    LoopEntry *loop;
    const int64_t *sizes;
} General;

/// Lowers the expression for any sizes. Returns false if the loaded files have no sizes that could
/// be left open, or if the expression depends on their values. `special` is the function inferred
/// for the sizes of this run.
bool general_make(const Work *w, Ast *e, Loads *loads, const Function *special, General *out);

/// Whether to compile the general function instead of the special one. This pays if the sizes are
/// not small and the expression is run with them for the first time. Records sizes that are not
/// small in the cache.
bool general_pays(Session *cx, const General *g, const char *name, const HostOptions *host);

/// A size given by the user, as in --size NAME=N.
typedef struct {
    Sym name;
    int64_t value;
} GivenSize;
typedef VEC(GivenSize) GivenSizes;
/// Parses the value of an option, such as "n=10". Reports E0715 and returns false if it is
/// malformed.
bool size_given(Session *cx, const char *option, const char *text, GivenSize *size);
/// Parses the values of --size NAME=N. Reports E0715 and returns false if one is malformed.
bool sizes_given(Session *cx, const Strings *texts, GivenSizes *sizes);

/// Parses the values of --fix NAME=N,... Reports E0715 if one is malformed, or if a size has two
/// values.
bool sizes_fixed(Session *cx, const Strings *texts, GivenSizes *sizes);
/// Returns the function with its size parameters fixed to the given sizes, or `f` itself if it has
/// none of them.
const Function *sizes_fix(Session *cx, const Function *f, const GivenSizes *sizes);
/// Whether each of the sizes that the option gives is a parameter of some function in `among`. If
/// not, reports E0715.
bool sizes_fit(Session *cx, const char *option, const GivenSizes *sizes,
               const Function *const *among, int n);

/// Replaces a name in the expression with a number. Returns whether the expression mentions it.
bool expression_put_size(Ast *e, const GivenSize *size);
/// Replaces names in the expression with the numbers given by --size NAME=N. Reports E0715 if an
/// option is malformed or its name does not occur.
bool expression_set_sizes(Session *cx, Ast *e, const Strings *sizes);

#endif
