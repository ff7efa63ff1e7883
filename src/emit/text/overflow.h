// Searches for computed sizes that may exceed 64 bits, or that may divide by 0.
#ifndef ADZE_EMIT_OVERFLOW_H
#define ADZE_EMIT_OVERFLOW_H

#include "emit/text/text.h"
#include "loops/ir/statements.h"

typedef struct {
    Emitter *e;
    const LoopEntry *entry;
    Map bounds;   // Sym of an index -> a size that it does not exceed; of a size -> itself
    Map naturals; // Syms of sizes, and of indices that are at least 0
    Map seen;     // expressions and sizes, each with the `number` it was seen under
    Facts *facts; // what the enclosing conditions say about sizes; NULL outside of them
    uint64_t number, scopes; // identifies `facts` (0 for NULL); the last number assigned so far
    Lengths lengths;         // the lengths of arrays in memory
    void *env;
    void (*found)(void *env, Node *sum); // called for a sum that may exceed 64 bits
    // These may be NULL. `divisor` is called for each quotient and remainder in a size. `enter` and
    // `leave` are called before and after each part of a branch or loop that is executed only if a
    // condition holds, or only if it does not.
    void (*divisor)(void *env, Node *quotient);
    void (*enter)(void *env, Node *condition, bool holds);
    void (*leave)(void *env);
} Overflow;

/// Returns a search that knows the sizes and the arrays of the entry.
Overflow overflow_new(Emitter *e, const LoopEntry *entry);

/// Adds a size parameter.
void overflow_add_name(Overflow *o, Sym name);
/// Adds the lengths of the function's arrays. Strided inputs are left out, because with stride 0
/// they can have more elements than there is memory for.
void overflow_add_lengths(Overflow *o, const LoopEntry *f);

/// Searches a statement or an expression.
void overflow_add_sizes(Overflow *o, Node *n);

/// Whether `sum` has all terms of `part`, with coefficients at least as large.
bool overflow_covers(Session *cx, Node *sum, Node *part);

/// Returns a scope inside o->facts with what a condition says about sizes, or NULL if it says
/// nothing.
Facts *overflow_learn(Overflow *o, Node *condition, bool holds);

typedef struct {
    Facts *facts;
    uint64_t number;
} OverflowScope;

/// Replaces o->facts, unless `facts` is NULL. Returns what overflow_leave restores.
OverflowScope overflow_enter(Overflow *o, Facts *facts);
void overflow_leave(Overflow *o, OverflowScope outer);

#endif
