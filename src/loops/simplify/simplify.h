// Simplification of statements and expressions under facts, and what facts hold where.
#ifndef ADZE_LOOPS_SIMPLIFY_SIMPLIFY_H
#define ADZE_LOOPS_SIMPLIFY_SIMPLIFY_H

#include "loops/ir/statements.h"

/// What is known of the present value of an i64 local that changes: it is `name`, a snapshot of it (NULL: none was taken), or
/// equals `size` (NULL: unknown).
typedef struct Version Version;
struct Version {
    Sym local, name;
    Node *size;
    const Version *outer;
};

/// An i64 that may have any value by its type was compared with a length: it is not above (or not below) one.
typedef struct Bound Bound;
struct Bound {
    Sym name;
    bool above;
    Node *limit; // that length
    const Bound *outer;
};

/// A condition that was decided on the way here and that nothing can change: whether it holds.
typedef struct Decided Decided;
struct Decided {
    Node *condition;
    bool holds;
    const Decided *outer;
};

/// What every value of an i64 local that changes is believed to obey: it is not negative, not above its first value. An
/// assignment that cannot be shown to keep it breaks the belief.
typedef struct {
    bool natural, capped;
    bool broken; // in this round
    Node *first;
} Invariant;

/// One walk over an entry's body.
typedef struct {
    Session *cx;
    Facts *facts;    // what holds at the current place
    Map values;      // Sym of an immutable local -> the expression that replaces it
    Map mutated;     // Sym -> not NULL for locals that are set after their declaration
    Map memo;        // expression -> its simplified form under the current facts
    Map integers;    // Sym of a name of type i64 that may have any value -> not NULL
    Map sizes;       // Sym of a size parameter -> that
    Lengths lengths; // of the parameters, the results and the arrays that are allocated
    Map beliefs;     // Sym of a local that changes -> Invariant
    const Version *versions;
    const Bound *bounds;
    const Decided *known;
    Stmts *before; // where a snapshot of a local can be taken; NULL where it may not be read
} Simplifier;

/// A simplifier for the body of `e`, with the entry's checks as facts.
Simplifier simplifier_new(Session *cx, const LoopEntry *e);

/// The statement in simplest form under s->facts, as one that may be the body of another. One that does nothing is an
/// empty block.
Node *simplify_stmt(Simplifier *s, Node *stmt);
Node *simplify_expr(Simplifier *s, Node *e);
Node *simplify_size(Simplifier *s, Node *n);

/// The operand that an operator gives unchanged (x + 0 of integers, x * 1), or NULL.
Node *loops_identity(Node *e);

// --- compare.c: comparisons with literals --------------------------------------------------------

/// Bounds of an integer value, both included, that its type and its operators give; false when they
/// do not fit an int64_t.
bool loops_value_bounds(Node *e, int64_t *lo, int64_t *hi);
/// Whether a comparison of an integer with a literal, or with an integer that is computed alike,
/// holds whatever they are.
Truth loops_comparison(Node *e);
/// Whether `a && b` (`both`), else `a || b`, is false (true) because the first condition of each is
/// about one integer.
Truth loops_connective(Node *a, Node *b, bool both);

// --- facts.c: what is known where ------------------------------------------------------

/// Whether arithmetic on the size stays within 64 bits, so that it does not wrap.
bool simplifier_is_length(Simplifier *s, Node *size);
/// The same, for certain: where `simplifier_is_length` takes for granted that products of sizes do.
bool simplifier_fits(Simplifier *s, Node *size);
/// Whether the size is not above (not below) the length of some array.
bool simplifier_is_limited(Simplifier *s, Node *size, bool above);

/// min(max(size, lo), hi), without the bound on a side where the size is limited anyway: a size
/// that passes can do arithmetic on if lo and hi are.
Node *simplifier_clamped(Simplifier *s, Node *size, Node *lo, Node *hi);

/// Whether passes can do arithmetic on the bounds of the loop.
bool simplifier_has_lengths(Simplifier *s, Node *loop);

/// The loop with bounds that passes can do arithmetic on: whatever the program counts to is
/// clamped, in *decl, which then stands before the loop (NULL: it need not be). NULL for a loop
/// from a number that may be anything.
Node *simplifier_bounded(Simplifier *s, Node *loop, Node **decl);

/// Runs `inner` facts: everything assumed until the matching leave is forgotten then.
typedef struct {
    Facts *facts;
    Map memo;
    const Version *versions;
    const Bound *bounds;
    const Decided *known;
} Scope;
Scope simplifier_enter(Simplifier *s);
/// `ran`: the statement that was run since, whose assignments are not forgotten (NULL: an expression).
void simplifier_leave(Simplifier *s, Scope outer, Node *ran);
/// The locals that a statement changes have any value from here on.
void simplifier_forget(Simplifier *s, Node *stmt);

/// Adds what a condition that holds (or, negated, does not hold) says about sizes; another condition is remembered as it is.
void simplifier_assume(Simplifier *s, Node *condition, bool holds);
/// Whether a condition, or its negation, was assumed.
Truth simplifier_known(Simplifier *s, Node *condition);
void simplifier_assume_ge0(Simplifier *s, Node *size);
/// The index of a loop is in its range, which is not empty.
void simplifier_assume_index(Simplifier *s, Sym index, Node *from, Node *to);

/// What is known of a local that is never set again; of all those of a statement, wherever they are declared.
void simplifier_learn(Simplifier *s, Node *decl);
void simplifier_learn_all(Simplifier *s, Node *stmt);

/// loops_map for a pass that asks what holds where a statement stands: `f` is called for the statements in `stmt` with
/// what is known there.
Node *simplifier_map(Simplifier *s, Node *stmt, Node *(*f)(void *env, Node *stmt), void *env);

/// A copy of the statement with new names (loops_copy), of which the same is known; the body of a
/// copy of a loop, at this index.
Node *simplifier_copy(Simplifier *s, Node *stmt);
Node *simplifier_iteration(Simplifier *s, Node *loop, Node *index);

/// The present value of a local i64 that changes, as a size; or NULL.
Node *simplifier_read(Simplifier *s, Node *local);
/// A snapshot of such a local was declared: gives what replaces it when there was one already.
Node *simplifier_snapshot(Simplifier *s, Node *decl);
/// The local has this value from now on.
void simplifier_set(Simplifier *s, Sym local, Node *value);
void simplifier_believe(Simplifier *s, Node *decl);

// --- monotone.c: what a loop demands -----------------------------------------------------------------

/// Where all guards hold, all conditions must, each looked at when those before it hold.
typedef struct {
    Stmts guards, conditions;
    bool wraps; // they are about arithmetic that may wrap
} Demand;

/// What the rounds of a counted loop demand together, over what stands before the loop; false when it cannot be said.
bool demand_of_rounds(Simplifier *s, const Demand *d, Node *loop, Demand *out);
/// The demand before the declaration of a local that never changes; false when its value cannot take its place.
bool demand_without(Session *cx, const Demand *d, Node *decl, Demand *out);

// --- name_checks.c

/// The body in which what checks in a row compute several times has a name (name_checks.c).
Node *loops_name_checks(Session *cx, Node *body);

#endif
