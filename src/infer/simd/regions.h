// The rules of SIMD mode: a walk over a body with the regions where lanes diverge (simd_regions.c),
// and the rules for names and places in these regions (simd_names.c).
#ifndef ADZE_INFER_SIMD_REGIONS_H
#define ADZE_INFER_SIMD_REGIONS_H

#include "infer/simd/simd.h"

/// A part of the body in which some lanes may be inactive; `lanes` is NULL in scalar mode.
typedef struct Region Region;
struct Region {
    Node *lanes;
    const Region *scalar; // of the innermost enclosing scalar { } in SIMD mode, or NULL
};

/// The walk over a body.
typedef struct {
    Body *b;
    Session *cx;
    Map regions;     // Local -> the region that declares it; continuation -> its target's region
    Map divergent;   // continuation -> the number of lanes, which call it at different times
    Map plain;       // Local -> itself, if it is a function independent of lanes
    bool grown;      // something was added to `divergent`
    bool report;     // the last iteration: reports errors
    bool settled;    // the last iteration of infer_masks
    bool masks;      // masks are kept here (masks.c)
    const Ast *part; // with masks: the enclosing part that each lane executes for itself; or NULL
    const Region *program; // the region of the part
    bool reported;         // an error in this statement was reported
} SimdWalk;

// --- simd_names.c -------------------------------------------------------------------------------

/// In the last iteration, reports the first error in a statement, with `help`, which may be NULL.
void simd_refuse(SimdWalk *m, DiagCode code, Span span, const char *help, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
const char *simd_show_size(SimdWalk *m, Node *n);

/// The type of an expression, or NULL if it has none. A vector in a type whose length is not
/// `lanes` (any vector if NULL), or NULL if there is none.
Node *simd_type_of(SimdWalk *m, const Ast *e);
Node *simd_vector_in(SimdWalk *m, Node *t, Node *lanes);
/// Reports a uniform value that lanes choose, or leave with; reports vectors whose length is not
/// the region's.
void simd_check_chosen(SimdWalk *m, Node *t, Span span, const char *what);
void simd_check_length(SimdWalk *m, const Ast *e, const Region *r);

/// Declare names in a region: a local, the names of a pattern, a function of a `let`.
void simd_declare(SimdWalk *m, const Local *l, const Region *r);
void simd_bind(SimdWalk *m, const Ast *pattern, const Region *r);
void simd_declare_function(SimdWalk *m, const Ast *let);
/// Check a name that is used in the region. `generics`: of a call, else NULL; `masked`: the call
/// has a mask; `base`: the name is the base of a path to a part.
void simd_mention_symbol(SimdWalk *m, Span span, const Symbol *y, Node *const *generics,
                         const Region *r, bool masked);
void simd_mention(SimdWalk *m, const Ast *e, const Region *r, bool base);
/// Checks a reference passed to a function that each lane calls: the function gets a reference to
/// the lane's values.
void simd_lend(SimdWalk *m, const Ast *e, const Region *r);
/// Checks a place that is written in the region, or passed on as a reference. The variable may
/// become a vector (lane_inference.c).
void simd_check_write(SimdWalk *m, const Ast *place, const Region *r);

/// Report operations across lanes; uniform places or values in a part that each lane executes.
void simd_refuse_across(SimdWalk *m, Span span, const char *name);
void simd_refuse_once(SimdWalk *m, const Ast *place, Node *t);

/// Hint: where `scalar` is allowed.
extern const char simd_where_scalar[];

#endif
