// What the passes on Loop IR share: simplification of a statement under facts, and small makers.
#ifndef ADZE_LOOPS_PASSES_H
#define ADZE_LOOPS_PASSES_H

#include "loops/loops.h"

/// One walk over an entry's body.
typedef struct {
    Session *cx;
    Facts *facts; // what holds at the current place
    Map values;   // Sym of an immutable local -> the expression that replaces it
    Map mutated;  // Sym -> not NULL for locals that are set after their declaration
    Map memo;     // expression -> its simplified form under the current facts
    Map integers; // Sym of a name of type i64 that may have any value -> not NULL
} Simplifier;

/// A simplifier for the body of `e`, with the entry's checks as facts.
Simplifier simplifier_new(Session *cx, const LoopEntry *e);

/// The statement or expression in simplest form under s->facts. A statement that does nothing is an
/// empty block.
Node *simplify_stmt(Simplifier *s, Node *stmt);
Node *simplify_expr(Simplifier *s, Node *e);
Node *simplify_size(Simplifier *s, Node *n);

/// Whether arithmetic on the size stays within 64 bits, so that it does not wrap.
bool simplifier_is_length(Simplifier *s, Node *size);

/// Runs `inner` facts: everything assumed until the matching leave is forgotten then.
typedef struct {
    Facts *facts;
    Map memo;
} Scope;
Scope simplifier_enter(Simplifier *s);
void simplifier_leave(Simplifier *s, Scope outer);

/// Adds what a condition that holds (or, negated, does not hold) says about sizes.
void simplifier_assume(Simplifier *s, Node *condition, bool holds);
void simplifier_assume_ge0(Simplifier *s, Node *size);

/// Removes locals and temporary buffers that nobody reads.
Node *loops_sweep(Session *cx, Node *body);

Node *loops_block(Session *cx, int n,
                  Node *const *stmts); // nested blocks without declarations are flattened
bool loops_is_empty(Node *stmt);
Node *loops_for(Session *cx, Node *like, Node *from, Node *to, Node *body);
bool loops_is_stmt(Node *n);

/// A copy of the entry with another body.
LoopEntry *loops_with_body(Session *cx, const LoopEntry *e, Node *body);

/// The names a statement or expression reads: locals, indices and buffers, in expressions and
/// positions.
typedef void LoopsFound(Sym name, void *env);
void loops_reads(Session *cx, Node *n, Map *seen, LoopsFound *found, void *env);

#endif
