// Inside the question whether an array can be updated in place: inplace.c follows what is written, inplace_terms.c says what conditions and
// indices mean for loop indices, inplace_order.c whether an element is read after it was changed.
#ifndef ADZE_REWRITE_INPLACE_H
#define ADZE_REWRITE_INPLACE_H

#include "rewrite/internal.h"
#include "sets/sets.h"

// A path into the array, innermost step first. A step is an index or the component of a tuple.
typedef struct Place Place;
struct Place {
    bool component;
    int k;    // a component
    Node *at; // an index, over the indices of loops and sizes; NULL: unknown
    const Place *up;
};

// What is known where a term is evaluated: the loops around it and the conditions that hold, innermost first.
typedef struct Around Around;
struct Around {
    Sym loop; // its index; NULL: a condition
    Node *count;
    bool read; // a loop of a term that is read: it ends before something is written
    bool any;  // a loop whose rounds come in any order
    SetCondition condition;
    Facts *facts; // all of it
    const Around *up;
};

// What a variable or readable term is: nothing of the array, a part of it, a tuple of such, or an index of a loop. OTHER may be
// the value of `term`. A part is that of a time: when it has been written over, nothing may read it.
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
    Part part;
    const Env *up;
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
    int loops;
    int time, times; // now; so far
    int fuel;        // terms that may still be looked at
    Accesses changed, read;
} InPlace;

// --- inplace_terms.c ----------------------------------------------------------------------------

/// What a variable stands for; OTHER beyond the terms that are looked at.
Part inplace_variable(Node *var, const Env *env);

/// An integer term over indices of loops, sizes and literals; NULL when it is none, or arithmetic on it may wrap.
Node *inplace_size(InPlace *c, Node *e, const Env *env, const Around *around);

/// What is known inside of a loop; where a condition holds, or does not hold.
const Around *inplace_in_loop(InPlace *c, const Around *around, Sym loop, Node *count, bool read);
/// The same of the loop of a pattern that writes.
const Around *inplace_in_pattern(InPlace *c, const Around *around, Sym loop, Node *count,
                                 Node *pattern);
const Around *inplace_where(InPlace *c, const Around *around, Node *condition, const Env *env,
                            bool holds);

// --- inplace_order.c ----------------------------------------------------------------------------

/// Whether no element that is read (c->read) was changed (c->changed) in an earlier round of the loops.
bool inplace_is_ordered(InPlace *c);

#endif
