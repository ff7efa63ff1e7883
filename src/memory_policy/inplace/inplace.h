// Inside the question whether an array can be updated in place: inplace.c follows what is written,
// inplace_terms.c says what conditions and indices mean for loop indices, inplace_places.c where
// parts are and what views make of them, inplace_order.c whether an element is read after it was
// changed.
#ifndef ADZE_MEMORY_POLICY_INPLACE_H
#define ADZE_MEMORY_POLICY_INPLACE_H

#include "memory_policy/internal.h"
#include "sets/sets.h"

// A path into the array, innermost step first. A step is an index or the component of a tuple. What
// stands under a view of a part is a step that waits for its indices: place_element takes it away
// again, so that elements are at indices only, however one came there.
typedef enum {
    STEP_AT,
    STEP_COMPONENT,
    // the part as `view` shows it, at the indices `path`, which are not enough yet for an element
    STEP_GET,
    // where what is written to the part is put that operand k of `view` is, at such indices
    STEP_PUT,
    STEP_READ,    // [i] is what `body`, of views, is where its parameter is [i]
    STEP_WRITTEN, // [i] is where the parameter of `body` is written when that is written to [i]
} PlaceStep;

typedef struct Place Place;
struct Place {
    PlaceStep step;
    int k;      // COMPONENT; PUT
    Node *at;   // a size, over the indices of loops and sizes; NULL: unknown
    Node *view; // over holes
    Path *path;
    Node *body;
    const Place *up;
};

// What is known where a term is evaluated: the loops around it and the conditions that hold,
// innermost first.
typedef struct Around Around;
struct Around {
    Sym loop; // its index; NULL: a condition
    Node *count;
    bool read; // a loop of a term that is read: it ends before something is written
    bool any;  // a loop whose iterations come in any order
    SetCondition condition;
    Facts *facts; // all of it
    const Around *up;
};

// What a variable or readable term is: nothing of the array, a part of it, a tuple of such, or an
// index of a loop. OTHER may be the value of `term`. A part is that of a time: when it has been
// written over, nothing may read it.
typedef enum { OTHER, PART, PARTS, INDEX } PartKind;
typedef struct Part Part;
typedef struct Env Env;
struct Part {
    PartKind kind;
    const Place *place; // PART
    int time;
    Node *index;        // INDEX
    const Part **parts; // PARTS
    Node *term; // OTHER: a let, of which the variable is the value under `env`; NULL: unknown
    const Env *env;
};
struct Env {
    Link link;
    Part part;
};

// An element, or all that is below a place, that is written or read.
typedef struct {
    const Place *place;
    const Around *around;
} Access;
typedef VEC(Access) Accesses;

typedef struct {
    Session *cx;
    Arena *arena;
    Map *free; // of policy_free_vars
    int loops;
    int time, times; // now; so far
    int fuel;        // terms that may still be looked at
    Accesses changed, read;
} InPlace;

// --- inplace_terms.c ----------------------------------------------------------------------------

/// What a variable stands for; OTHER beyond the terms that are looked at.
Part inplace_at(const Env *env, int64_t index);

/// An integer term over indices of loops, sizes and literals; NULL when it is none, or arithmetic
/// on it may wrap.
Node *inplace_size(InPlace *c, Node *e, const Env *env, const Around *around);

/// What is known inside of a loop; where a condition holds, or does not hold.
const Around *inplace_in_loop(InPlace *c, const Around *around, Sym loop, Node *count, bool read);
/// The same of the loop of a pattern that writes.
const Around *inplace_in_pattern(InPlace *c, const Around *around, Sym loop, Node *count,
                                 Node *pattern);
const Around *inplace_where(InPlace *c, const Around *around, Node *condition, const Env *env,
                            bool holds);

/// One of two things that are done one after the other: round k of a loop.
const Around *inplace_in_turn(InPlace *c, const Around *around, Sym loop, int k);

// --- inplace_places.c ---------------------------------------------------------------------------

const Place *place_component(InPlace *c, const Place *up, int k);
const Place *place_element(InPlace *c, const Place *up, Node *at);

/// Whether `place` waits for indices: it is a part as views show it.
bool place_waits(const Place *place);
/// The smallest part that is known to have all of it in it.
const Place *place_around(const Place *place);

bool place_is_same(const Place *a, const Place *b);
/// Whether `a` is `b` or inside of it.
bool place_is_within(const Place *a, const Place *b);

/// Whether a term is a view that writes its operands to other places.
bool place_writes(InPlace *c, Node *e);
/// Where such a view, which is written to `up`, writes its operand k.
const Place *place_of_operand(InPlace *c, Node *view, int k, const Place *up);

/// The environment with one more variable.
const Env *inplace_push(InPlace *c, const Env *up, Part part);

/// The part of the accumulator that a readable term is; OTHER also for terms that compute
/// something.
Part inplace_part(InPlace *c, Node *e, const Env *env, const Around *around);

// --- inplace_order.c ----------------------------------------------------------------------------

/// Whether no element that is read (c->read) was changed (c->changed) in an earlier round of the
/// loops.
bool inplace_is_ordered(InPlace *c);

#endif
