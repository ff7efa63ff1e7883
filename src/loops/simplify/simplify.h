// Simplification of statements and expressions under facts, and the scopes of facts.
#ifndef ADZE_LOOPS_SIMPLIFY_SIMPLIFY_H
#define ADZE_LOOPS_SIMPLIFY_SIMPLIFY_H

#include "loops/ir/statements.h"

/// The current value of an i64 local that changes: the value of its snapshot `name` (NULL if there
/// is none), and of `size` (NULL if unknown).
typedef struct Version Version;
struct Version {
    Sym local, name;
    Node *size;
    const Version *outer;
};

/// An i64 that may have any value of its type was compared with a length: it is not above (or not
/// below) that length.
typedef struct Bound Bound;
struct Bound {
    Sym name;
    bool above;
    Node *limit; // the length
    const Bound *outer;
};

/// A condition whose value cannot change and is known here: whether it holds.
typedef struct Decided Decided;
struct Decided {
    Node *condition;
    bool holds;
    const Decided *outer;
};

/// Hypotheses about all values of an i64 local that changes: no value is negative, no value is
/// above the first one. An assignment that may violate a hypothesis refutes it.
typedef struct {
    bool natural, capped;
    bool broken; // whether a hypothesis was refuted in this walk
    Node *first;
} Invariant;

/// One walk over an entry's body.
typedef struct {
    Session *cx;
    Facts *facts;    // the facts that hold at the current statement
    Map values;      // Sym of an immutable local -> the expression that replaces it
    Map mutated;     // Sym -> not NULL for locals that are set after their declaration
    Map memo;        // expression -> its simplified form under the current facts
    Map integers;    // Sym of a name of type i64 that may have any value -> not NULL
    Map sizes;       // Sym of a size parameter -> its size
    Lengths lengths; // of the parameters, the results and the arrays that are allocated
    Map beliefs;     // Sym of a local that changes -> Invariant
    const Version *versions;
    const Bound *bounds;
    const Decided *known;
    Stmts *before; // where a snapshot of a local can be declared, or NULL
} Simplifier;

/// A simplifier for the body of `e`, with the entry's checks as facts.
Simplifier simplifier_new(Session *cx, const LoopEntry *e);

/// The statement simplified under s->facts; the same for the body of another statement. A statement
/// without effect is an empty block.
Node *simplify_stmt(Simplifier *s, Node *stmt);
Node *simplify_expr(Simplifier *s, Node *e);
Node *simplify_size(Simplifier *s, Node *n);

/// The operand that is the result of an operator (x + 0 of integers, x * 1), or NULL.
Node *loops_identity(Node *e);

// --- compare.c: comparisons with literals --------------------------------------------------------

/// Bounds of an integer value, both included, that its type and its operators give; false when they
/// do not fit an int64_t.
bool loops_value_bounds(Node *e, int64_t *lo, int64_t *hi);
/// Whether a comparison of an integer with a literal, or with an integer that is computed in the
/// same way, holds for all values.
Truth loops_comparison(Node *e);
/// Whether `a && b` (`both`) is always false, or `a || b` always true, because the first condition
/// of each compares the same integer.
Truth loops_connective(Node *a, Node *b, bool both);

// --- facts.c: facts and their scopes ---------------------------------------------------

/// Whether arithmetic on the size stays within 64 bits, so that it does not wrap.
bool simplifier_is_length(Simplifier *s, Node *size);
/// The same without the assumption that products of sizes stay within 64 bits.
bool simplifier_fits(Simplifier *s, Node *size);
/// Whether the size is not above (not below) the length of some array.
bool simplifier_is_limited(Simplifier *s, Node *size, bool above);

/// min(max(size, lo), hi), without bounds that are known to hold. The result is a length if lo and
/// hi are.
Node *simplifier_clamped(Simplifier *s, Node *size, Node *lo, Node *hi);

/// Whether the bounds of the loop are lengths.
bool simplifier_has_lengths(Simplifier *s, Node *loop);

/// The loop with bounds that are lengths. Its end is clamped in *decl, a declaration before the
/// loop (NULL if not needed). NULL if the start of the loop may be any integer.
Node *simplifier_bounded(Simplifier *s, Node *loop, Node **decl);

/// Opens a scope: the matching `leave` forgets all that was assumed since.
typedef struct {
    Facts *facts;
    Map memo;
    const Version *versions;
    const Bound *bounds;
    const Decided *known;
} Scope;
Scope simplifier_enter(Simplifier *s);
/// `ran`: the statement of the scope, whose assignments are executed (NULL for an expression).
void simplifier_leave(Simplifier *s, Scope outer, Node *ran);
/// Forgets the values of the locals that a statement changes.
void simplifier_forget(Simplifier *s, Node *stmt);

/// Adds the facts about sizes that follow from a condition that holds (or does not), and remembers
/// other conditions.
void simplifier_assume(Simplifier *s, Node *condition, bool holds);
/// Whether a condition, or its negation, was assumed.
Truth simplifier_known(Simplifier *s, Node *condition);
void simplifier_assume_ge0(Simplifier *s, Node *size);
/// Assumes that the index of a loop is in its range, which is not empty.
void simplifier_assume_index(Simplifier *s, Sym index, Node *from, Node *to);

/// Adds the facts about a local that is never set again; about all such locals of a statement.
void simplifier_learn(Simplifier *s, Node *decl);
void simplifier_learn_all(Simplifier *s, Node *stmt);

/// loops_map with the facts that hold at each statement: `f` is called for the statements in `stmt`
/// under the facts that hold there.
Node *simplifier_map(Simplifier *s, Node *stmt, Node *(*f)(void *env, Node *stmt), void *env);

/// A copy of the statement with new names (loops_copy), with the same facts; the body of a copy of
/// a loop, at this index.
Node *simplifier_copy(Simplifier *s, Node *stmt);
Node *simplifier_iteration(Simplifier *s, Node *loop, Node *index);

/// The current value of a local i64 that changes, as a size; or NULL.
Node *simplifier_read(Simplifier *s, Node *local);
/// Declares a snapshot of such a local; returns the size that replaces the snapshot, or NULL.
Node *simplifier_snapshot(Simplifier *s, Node *decl);
/// Notes the value that the local has from now on.
void simplifier_set(Simplifier *s, Sym local, Node *value);
/// Notes the first value of a local that was declared, for the hypotheses about it.
void simplifier_believe(Simplifier *s, Node *decl);

// --- monotone.c: preconditions of loops ----------------------------------------------------------

/// If all guards hold, all conditions must hold; each is evaluated only if those before it hold.
typedef struct {
    Stmts guards, conditions;
    bool wraps; // whether arithmetic in them may wrap
} Precondition;

/// The precondition of all iterations of a counted loop, over names from before the loop; false if
/// it has no such form.
bool precondition_of_loop(Simplifier *s, const Precondition *d, Node *loop, Precondition *out);
/// The precondition with the value of a local that never changes in place of the local; false if it
/// cannot be substituted.
bool precondition_without(Session *cx, const Precondition *d, Node *decl, Precondition *out);

// --- name_checks.c -------------------------------------------------------------------------------

/// The body with locals for common subexpressions of adjacent checks.
Node *loops_name_checks(Session *cx, Node *body);

// --- dce.c

/// Dead code elimination: removes locals and temporary buffers that are not read (dce.c).
Node *loops_dce(Session *cx, Node *body);

#endif
