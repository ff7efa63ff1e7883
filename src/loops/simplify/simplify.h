// Simplifies statements and expressions under facts, and manages the scopes of these facts.
#ifndef ADZE_LOOPS_SIMPLIFY_SIMPLIFY_H
#define ADZE_LOOPS_SIMPLIFY_SIMPLIFY_H

#include "loops/ir/statements.h"

/// The current value of an i64 local that changes. `name` is a local that never changes and holds a
/// copy of the value (a snapshot), or NULL if there is none. `size` is the value as a size, or NULL
/// if that is unknown.
typedef struct Version Version;
struct Version {
    Sym local, name;
    Node *size;
    const Version *outer;
};

/// A bound on an otherwise arbitrary i64, known from a comparison with a length.
typedef struct Bound Bound;
struct Bound {
    Sym name;
    bool above;  // whether the limit is an upper bound (inclusive) rather than a lower one
    Node *limit; // a length
    const Bound *outer;
};

/// A condition whose value is known and cannot change.
typedef struct Decided Decided;
struct Decided {
    Node *condition;
    bool holds;
    const Decided *outer;
};

/// Hypotheses about all values of an i64 local that changes. An assignment that may violate a
/// hypothesis refutes it.
typedef struct {
    bool natural, capped; // no value is negative; no value is above the first one
    bool broken;          // whether a hypothesis was refuted in this walk
    Node *first;          // the first value as a size, or NULL
} Invariant;

/// The state of one walk over an entry's body.
typedef struct {
    Session *cx;
    Facts *facts;    // the facts that hold at the current statement
    Map values;      // Sym of an immutable local -> the expression that replaces it
    Map mutated;     // set of locals assigned after their declaration
    Map memo;        // expression -> its simplified form under the current facts
    Map integers;    // set of names of type i64 that may have any value
    Map words;       // set of those of them whose values have at most 32 bits
    Map naturals;    // set of float locals that are never negative
    Map sizes;       // Sym of a size parameter -> its size
    Lengths lengths; // the lengths of the parameters, the results and allocated arrays
    Map beliefs;     // Sym of a local that changes -> Invariant
    const Version *versions;
    const Bound *bounds;
    const Decided *known;
    Stmts *before; // where snapshots of locals can be declared, or NULL
} Simplifier;

/// Creates a simplifier for the body of `e`, with the entry's checks as facts.
Simplifier simplifier_new(Session *cx, const LoopEntry *e);

/// Simplifies the statement under s->facts. A statement without effect becomes an empty block.
Node *simplify_stmt(Simplifier *s, Node *stmt);
Node *simplify_expr(Simplifier *s, Node *e);
Node *simplify_size(Simplifier *s, Node *n);

/// The operand that equals the result of an operation, such as x for x * 1, or NULL if there is
/// none.
Node *loops_identity(Node *e);

// --- compare.c: comparisons with literals --------------------------------------------------------

/// Finds the inclusive bounds of an integer value from its type and operators. Returns false if
/// they do not fit an int64_t.
bool loops_value_bounds(Node *e, int64_t *lo, int64_t *hi);
/// Whether a comparison of integers holds for all values (YES) or for none (NO). This is decided
/// only if one operand is a literal, or if both are the same expression up to commutativity.
Truth loops_comparison(Node *e);
/// With `both`, returns TRUTH_NO if `a && b` is always false; without it, returns TRUTH_YES if
/// `a || b` is always true. This is decided only if `a` and the first condition of `b` compare the
/// same integer with literals.
Truth loops_connective(Node *a, Node *b, bool both);

// --- facts.c: facts and their scopes ---------------------------------------------------

/// Whether arithmetic on the size stays within 64 bits, so that it does not wrap.
bool simplifier_is_length(Simplifier *s, Node *size);
/// Like simplifier_is_length, without the assumption that products of sizes stay within 64 bits.
bool simplifier_fits(Simplifier *s, Node *size);
/// Whether the size is bounded by lengths of arrays, from above if `above` and from below
/// otherwise.
bool simplifier_is_limited(Simplifier *s, Node *size, bool above);

/// max(min(size, hi), lo), omitting the bounds that are known to hold. The result is a length if
/// `lo` and `hi` are.
Node *simplifier_clamped(Simplifier *s, Node *size, Node *lo, Node *hi);

/// Whether the bounds of the loop are lengths.
bool simplifier_has_lengths(Simplifier *s, Node *loop);

/// Returns the loop with bounds that are lengths, or NULL if the start of the loop may be any
/// integer. Sets *decl to a declaration of the clamped end, which belongs before the loop, or to
/// NULL if it is not needed.
Node *simplifier_bounded(Simplifier *s, Node *loop, Node **decl);

/// What was known before a scope, which simplifier_leave restores.
typedef struct {
    Facts *facts;
    Map memo;
    const Version *versions;
    const Bound *bounds;
    const Decided *known;
} Scope;
/// Opens a scope. The matching simplifier_leave forgets everything that was assumed since.
Scope simplifier_enter(Simplifier *s);
/// Closes a scope. `ran` is a statement that was executed in the scope and whose assignments remain
/// in effect; NULL if there is none, as for an expression.
void simplifier_leave(Simplifier *s, Scope outer, Node *ran);
/// Forgets the values of the locals that a statement changes.
void simplifier_forget(Simplifier *s, Node *stmt);

/// Assumes that the condition has the value `holds`: adds the facts about sizes that follow, and
/// remembers other conditions.
void simplifier_assume(Simplifier *s, Node *condition, bool holds);
/// Whether a condition or its negation was assumed.
Truth simplifier_known(Simplifier *s, Node *condition);
void simplifier_assume_ge0(Simplifier *s, Node *size);
/// Assumes that the index of a loop is in its range, which is not empty.
void simplifier_assume_index(Simplifier *s, Sym index, Node *from, Node *to);

/// Adds the facts about a local that is never set again.
void simplifier_learn(Simplifier *s, Node *decl);
/// Adds the facts about all locals in a statement that are never set again.
void simplifier_learn_all(Simplifier *s, Node *stmt);

/// Like loops_map, but calls `f` for each statement under the facts that hold there.
Node *simplifier_map(Simplifier *s, Node *stmt, Node *(*f)(void *env, Node *stmt), void *env);
/// Likewise, and the statements of a branch are also under what its condition says.
Node *simplifier_map_branches(Simplifier *s, Node *stmt, Node *(*f)(void *env, Node *stmt),
                              void *env);

/// Copies the statement with new names, like loops_copy. Records that the copies of locals that
/// change also change.
Node *simplifier_copy(Simplifier *s, Node *stmt);
/// A copy of the loop's body, created by simplifier_copy, with `index` substituted for the loop
/// index.
Node *simplifier_iteration(Simplifier *s, Node *loop, Node *index);

/// The current value of an i64 local that changes, as a size, or NULL. May declare a snapshot.
Node *simplifier_read(Simplifier *s, Node *local);
/// Records that `decl` is a snapshot of an i64 local that changes, and returns NULL. If a snapshot
/// of the current value exists already, returns the existing one instead, which is to be used in
/// place of `decl`.
Node *simplifier_snapshot(Simplifier *s, Node *decl);
/// Records the value that the local has from now on.
void simplifier_set(Simplifier *s, Sym local, Node *value);
/// Records the initial value of a declared local, for the hypotheses about it.
void simplifier_believe(Simplifier *s, Node *decl);

// --- limits.c: limits of computed integers -------------------------------------------------------

/// Whether the expression is a float that is not negative, nor -0, or is not a number.
bool simplifier_is_natural(Simplifier *s, Node *e);
/// The inclusive upper (if `above`) or lower limit of an i64 value as a size, or NULL if none is
/// known.
Node *simplifier_limit(Simplifier *s, Node *value, bool above);

// --- monotone.c: preconditions of loops ----------------------------------------------------------

/// If all guards hold, all conditions must hold. Each is evaluated only if those before it hold.
typedef struct {
    Stmts guards, conditions;
    bool wraps; // whether arithmetic in them may wrap
} Precondition;

/// Finds the precondition for all iterations of a counted loop, in terms of names that exist before
/// the loop. Returns false if there is none of this form.
bool precondition_of_loop(Simplifier *s, const Precondition *d, Node *loop, Precondition *out);
/// Substitutes the value of a local that never changes into the precondition. Returns false if that
/// is not possible.
bool precondition_without(Session *cx, const Precondition *d, Node *decl, Precondition *out);

// --- name_checks.c -------------------------------------------------------------------------------

/// Introduces locals for common subexpressions of adjacent checks.
Node *loops_name_checks(Session *cx, Node *body);

// --- dce.c

/// Removes locals and temporary buffers that are not read (dead code elimination).
Node *loops_dce(Session *cx, Node *body);

#endif
