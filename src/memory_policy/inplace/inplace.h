// Analyses whether an array can be updated in place. inplace.c follows the writes, inplace_terms.c
// turns conditions and indices into sizes in terms of loop indices, inplace_places.c computes the
// locations of parts seen through views, and inplace_order.c decides whether an element is read
// after it has changed.
#ifndef ADZE_MEMORY_POLICY_INPLACE_H
#define ADZE_MEMORY_POLICY_INPLACE_H

#include "memory_policy/internal.h"
#include "sets/sets.h"

// A path into the array, innermost step first. A step is an index, a component of a tuple, or a
// view of a part that still lacks indices. place_element adds the missing indices to such a view,
// and then replaces it with indices into the part. So the path of an element has only indices and
// components, whatever views it was reached through.
typedef enum {
    STEP_AT,
    STEP_COMPONENT,
    STEP_GET,     // the part seen through `view`; `path` has the indices so far
    STEP_PUT,     // operand k of `view` if the part is written through it; `path` as for STEP_GET
    STEP_READ,    // element i is `body`, made of views, applied to element i of the part
    STEP_WRITTEN, // element i is the location to which `body` moves its parameter when it is
                  // written to element i of the part
} PlaceStep;

typedef struct Place Place;
struct Place {
    PlaceStep step;
    int k;      // for STEP_COMPONENT and STEP_PUT
    Node *at;   // the index, as a size in terms of loop indices and sizes; NULL if unknown
    Node *view; // for STEP_GET and STEP_PUT; its array operands are holes
    Path *path;
    Node *body;
    const Place *up;
};

// The loops that enclose a term and the conditions that hold for it, innermost first.
typedef struct Scope Scope;
struct Scope {
    Sym loop; // the index of a loop; NULL for a condition
    Node *count;
    bool read; // a loop in a term that is read; it ends before the next write
    bool any;  // a loop whose iterations may run in any order
    SetCondition condition;
    Facts *facts; // from this loop or condition and all enclosing ones
    const Scope *up;
};

// The value of a variable or readable term: a part of the array, a tuple of parts, the index of a
// loop, or anything else (OTHER), perhaps the value of `term`. A part belongs to a version of the
// array. After this version is overwritten, nothing may read the part.
typedef enum { OTHER, PART, PARTS, INDEX } PartKind;
typedef struct Part Part;
typedef struct Env Env;
struct Part {
    PartKind kind;
    const Place *place; // for PART
    int version;
    Node *index;        // for INDEX
    const Part **parts; // for PARTS
    Node *term;         // for OTHER: the value of the variable, under `env`; NULL if unknown
    const Env *env;
};
struct Env {
    Link link;
    Part part;
};

// A read or write of an element, or of all elements below a location.
typedef struct {
    const Place *place;
    const Scope *scope;
} Access;
typedef VEC(Access) Accesses;

typedef struct {
    Session *cx;
    Arena *arena;
    Map *free_vars; // the memo of policy_free_vars
    int loops;
    int version, versions; // the current version, and the number of versions so far
    int fuel;              // how many more terms may be visited
    Accesses changed, read;
} InPlace;

// --- inplace_terms.c ----------------------------------------------------------------------------

/// The value of a variable, which is OTHER for a variable bound outside the analysed term.
Part inplace_at(const Env *env, int64_t index);

/// Returns an integer term in loop indices, sizes and literals as a size. Returns NULL for any
/// other term, or if the arithmetic may wrap.
Node *inplace_size(InPlace *c, Node *e, const Env *env, const Scope *scope);

/// The scope inside a loop.
const Scope *inplace_in_loop(InPlace *c, const Scope *scope, Sym loop, Node *count, bool read);
/// The scope inside the loop of a pattern that writes.
const Scope *inplace_in_pattern(InPlace *c, const Scope *scope, Sym loop, Node *count,
                                Node *pattern);
/// The scope in which `condition` is true (if `holds` is set) or false.
const Scope *inplace_where(InPlace *c, const Scope *scope, Node *condition, const Env *env,
                           bool holds);

/// The scope of step k of two consecutive steps, which counts as iteration k of a loop.
const Scope *inplace_in_phase(InPlace *c, const Scope *scope, Sym loop, int k);

// --- inplace_places.c ---------------------------------------------------------------------------

const Place *place_component(InPlace *c, const Place *up, int k);
const Place *place_element(InPlace *c, const Place *up, Node *at);

/// Whether `place` is a view that still lacks indices.
bool place_is_partial(const Place *place);
/// The smallest part without views that contains the location.
const Place *place_enclosing(const Place *place);

bool place_is_same(const Place *a, const Place *b);
/// Whether `a` is `b` or inside `b`.
bool place_is_within(const Place *a, const Place *b);

/// Whether the term is a view on its destination side that only moves elements.
bool place_writes(InPlace *c, Node *e);
/// The location to which operand k of a view is written when the view is written to `up`. The view
/// must satisfy place_writes.
const Place *place_of_operand(InPlace *c, Node *view, int k, const Place *up);

/// Returns `up` extended by a variable whose value is `part`.
const Env *inplace_push(InPlace *c, const Env *up, Part part);

/// The part of the accumulator that a readable term denotes, or OTHER if the term computes
/// something.
Part inplace_part(InPlace *c, Node *e, const Env *env, const Scope *scope);

// --- inplace_order.c ----------------------------------------------------------------------------

/// Whether no iteration reads an element (c->read) that an earlier one changed (c->changed).
bool inplace_is_ordered(InPlace *c);

#endif
