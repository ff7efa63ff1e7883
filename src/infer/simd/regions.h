// The rules of SIMD mode. simd_regions.c walks over a body and tracks the regions where lanes
// diverge; simd_names.c has the rules for names and locations in these regions.
#ifndef ADZE_INFER_SIMD_REGIONS_H
#define ADZE_INFER_SIMD_REGIONS_H

#include "infer/simd/simd.h"

/// A part of the body in which some lanes may be inactive. `lanes` is the number of lanes, or NULL
/// in scalar mode.
typedef struct Region Region;
struct Region {
    Node *lanes;
    const Region *scalar; // the innermost enclosing scalar { } in SIMD mode, or NULL
};

/// A reference through which lanes may assign: in the region that declares it, because what it
/// refers to was checked there, or everywhere, because it is the argument of a function that each
/// lane calls.
typedef enum { OWN_OF_REGION = 1, OWN_OF_LANE } OwnReference;

/// The state of a walk over a body.
typedef struct {
    Body *b;
    Session *cx;
    Map regions;     // Local -> the region that declares it; continuation -> its target's region
    Map divergent;   // continuation -> the number of lanes, if they may call it at different times
    Map plain;       // Local -> itself, if it is a function independent of lanes
    Map own;         // Local -> its OwnReference, if it is a reference
    bool grown;      // something was added to `divergent`
    bool report;     // this is the last iteration, which reports errors
    bool settled;    // this is the last iteration of infer_masks
    bool masks;      // this code keeps a mask of the active lanes (masks.c)
    const Ast *part; // with masks, the enclosing code that each lane executes by itself, or NULL
    const Region *program; // the region of `part`
    bool reported;         // an error in this statement has been reported
} SimdWalk;

// --- simd_names.c -------------------------------------------------------------------------------

/// In the last iteration, reports the first error in a statement, with `help`, which may be NULL.
void simd_refuse(SimdWalk *m, DiagCode code, Span span, const char *help, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
const char *simd_show_size(SimdWalk *m, Node *n);

/// The type of an expression, or NULL if it has none.
Node *simd_type_of(SimdWalk *m, const Ast *e);
/// Searches the type `t` for a vector that does not have `lanes` lanes, or for any vector if
/// `lanes` is NULL. Returns NULL if there is none.
Node *simd_vector_in(SimdWalk *m, Node *t, Node *lanes);
/// Reports a uniform value where diverging lanes choose a value or leave a construct with one.
void simd_check_chosen(SimdWalk *m, Node *t, Span span, const char *what);
/// Reports a vector whose length is not the region's number of lanes.
void simd_check_length(SimdWalk *m, const Ast *e, const Region *r);

/// Declares a local in a region.
void simd_declare(SimdWalk *m, const Local *l, const Region *r);
/// Declares the names of a pattern in a region.
void simd_bind(SimdWalk *m, const Ast *pattern, const Region *r);
/// If the pattern is a name of a reference, records what it is.
void simd_own_reference(SimdWalk *m, const Ast *pattern, OwnReference own);
/// Checks a component that is taken from a tuple or a struct: references to what all lanes share.
void simd_check_member(SimdWalk *m, const Ast *e, const Region *r);
/// If the function bound by a `let` is independent of lanes, records that.
void simd_declare_function(SimdWalk *m, const Ast *let);
/// Checks a symbol used in the region. `generics` are those of the call, or NULL if it is not
/// called. `masked` is true if the call passes a mask.
void simd_mention_symbol(SimdWalk *m, Span span, const Symbol *y, Node *const *generics,
                         const Region *r, bool masked);
/// Checks a name used in the region. `base` is true if it is the base of a path.
void simd_mention(SimdWalk *m, const Ast *e, const Region *r, bool base);
/// Checks a reference passed to a function that each lane calls: the function gets a reference to
/// the lane's values.
void simd_lend(SimdWalk *m, const Ast *e, const Region *r);
/// Checks a location written in the region or passed on by reference. The variable may become a
/// vector (lane_inference.c).
void simd_check_write(SimdWalk *m, const Ast *place, const Region *r);

/// Reports an operation across lanes.
void simd_refuse_across(SimdWalk *m, Span span, const char *name);
/// Reports a uniform location or value in code that each lane executes by itself.
void simd_refuse_once(SimdWalk *m, const Ast *place, Node *t);

/// A hint that says where `scalar` is allowed.
extern const char simd_where_scalar[];

#endif
