// Inside the rules of SIMD mode: a walk over a body that knows where lanes go different ways (mode.c), and what holds there of names and places
// (mode_names.c).
#ifndef ADZE_INFER_SIMD_REGIONS_H
#define ADZE_INFER_SIMD_REGIONS_H

#include "infer/simd/simd.h"

/// A part of the body that some lanes may come to while others do not; lanes NULL: scalar mode.
typedef struct Region Region;
struct Region {
    Node *lanes;
    const Region *scalar; // of the innermost scalar { } around it that stands in SIMD mode, or NULL
};

/// One walk over a body.
typedef struct {
    Body *b;
    Session *cx;
    Map regions; // Local -> the region of its declaration; of a continuation, that of what it leaves
    Map divergent; // continuation -> its lanes, which call it at different times
    Map plain;     // Local -> that it is a function that has nothing to do with lanes
    bool grown;    // something was added to `divergent`
    bool report;   // the last round: what is wrong is told
    bool settled;  // the last round of infer_masks
    bool masks;    // masks are kept for what is walked (masks.c)
    const Ast *
        part; // beside masks: what is walked is in this part, which each lane does for itself; or NULL
    const Region *program; // that of the part
    bool told;             // in this statement
} Modes;

// --- mode_names.c -------------------------------------------------------------------------------

/// What is told first in a statement; as text, types and sizes.
Diag *mode_refuse(Modes *m, DiagCode code, Span span, const char *text);
const char *mode_show(Modes *m, Node *t);
const char *mode_show_size(Modes *m, Node *n);

/// The type of an expression, NULL: it has none. A vector in a type that has another number of lanes (NULL: any vector); NULL: there is none.
Node *mode_type_of(Modes *m, const Ast *e);
Node *mode_vector_in(Modes *m, Node *t, Node *lanes);
/// Refuses a value that lanes choose, or leave with, if it is one for all; an expression of vectors with other lanes than the region has.
void mode_check_chosen(Modes *m, Node *t, Span span, const char *what);
void mode_check_length(Modes *m, const Ast *e, const Region *r);

/// Names that are declared in a region: a local, those of a pattern, a function of a `let`.
void mode_declare(Modes *m, const Local *l, const Region *r);
void mode_bind(Modes *m, const Ast *pattern, const Region *r);
void mode_declare_function(Modes *m, const Ast *let);
/// Names that are mentioned there. `generics`: of a call, else NULL; `masked`: of a call that is told which lanes come; `base`: it is only
/// the way to a part.
void mode_mention_symbol(Modes *m, Span span, const Symbol *y, Node *const *generics,
                         const Region *r, bool masked);
void mode_mention(Modes *m, const Ast *e, const Region *r, bool base);
/// Reports an argument that leads to a variable which another argument lends to a function that
/// each lane calls.
void mode_refuse_lent(Modes *m, const Ast *arg, const Local *l);
/// A reference that is an argument of a function which each lane calls: that is given what the lane
/// has there.
void mode_lend(Modes *m, const Ast *e, const Region *r);
/// A place that is written there, or passed on as a reference. A variable may become a vector
/// (lengths.c).
void mode_check_write(Modes *m, const Ast *place, const Region *r);

/// Refuses what looks at all lanes, and what is done once, beside `scalar`, in a part that lanes do one by one.
void mode_looks_across(Modes *m, Span span, const char *name);
void mode_refuse_once(Modes *m, const Ast *place, Node *t);

/// Where `scalar` may stand, for hints.
extern const char mode_where_scalar[];

#endif
