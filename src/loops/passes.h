// What the passes on Loop IR share: simplification of a statement under facts, and small makers.
#ifndef ADZE_LOOPS_PASSES_H
#define ADZE_LOOPS_PASSES_H

#include "loops/loops.h"

typedef VEC(Node *) Stmts;

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
/// The operand that an operator gives as it is (x + 0 of integers, x * 1), or NULL.
Node *loops_identity(Node *e);
Node *simplify_size(Simplifier *s, Node *n);

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

// --- simplify_facts.c: what is known where ------------------------------------------------------

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

/// The present value of a local i64 that changes, as a size; or NULL.
Node *simplifier_read(Simplifier *s, Node *local);
/// A snapshot of such a local was declared: gives what replaces it when there was one already.
Node *simplifier_snapshot(Simplifier *s, Node *decl);
/// The local has this value from now on.
void simplifier_set(Simplifier *s, Sym local, Node *value);
void simplifier_believe(Simplifier *s, Node *decl);

// --- rounds.c: what a loop demands -----------------------------------------------------------------

/// Where all guards hold, all conditions must, each looked at when those before it hold.
typedef struct {
    Stmts guards, conditions;
    bool wraps; // they are about arithmetic that may wrap
} Demand;

/// What the rounds of a counted loop demand together, over what stands before the loop; false when it cannot be said.
bool demand_of_rounds(Simplifier *s, const Demand *d, Node *loop, Demand *out);
/// The demand before the declaration of a local that never changes; false when its value cannot take its place.
bool demand_without(Session *cx, const Demand *d, Node *decl, Demand *out);

// --- stmt.c: what passes do with statements -------------------------------------------------------

Node *loops_block(Session *cx, int n,
                  Node *const *stmts); // nested blocks without declarations are flattened
/// The statement with `visit` applied to the statements it is made of.
typedef Node *LoopsVisit(void *env, Node *stmt);
Node *loops_map(Session *cx, Node *stmt, LoopsVisit *visit, void *env);
/// The statement with selections in place of branches that only choose what locals hold (choices.c).
Node *loops_choices(Session *cx, Node *stmt);
/// A loop over a range like `like`.
Node *loops_for(Session *cx, Node *like, Node *from, Node *to, Node *body);
/// A parallel loop as a plain one.
Node *loops_in_order(Session *cx, Node *parallel);
/// Whether the statement brings a name of its attribute into scope.
bool loops_binds(Node *stmt);
/// Notes the names that the statement brings into scope.
void loops_bound(Node *stmt, Map *names);
/// Whether the statement has a loop.
bool loops_has_loop(Node *stmt);
/// Whether control may do anything else than come to the end of the statement.
bool loops_may_jump(Node *stmt);
bool loops_jumps_to(Node *stmt, Sym label);
/// Whether the statement is a loop whose iterations come in any order.
bool loops_is_in_any_order(Node *stmt);
/// Whether the statement has this label.
bool loops_has_label(Node *stmt, Sym label);
/// The statement without stores of elements to where they are, and what is left empty by that.
Node *loops_without_self_copies(Session *cx, Node *stmt);
/// Whether the node reads or writes a buffer, or gives it to a call; whether it or what it is made of names this one.
bool loops_names_buffer(Node *n);
bool loops_mentions(Node *n, Sym buffer);
/// The body of a label without the jumps that go where control comes anyway.
Node *loops_without_tail(Session *cx, Node *body, Sym label);

/// Whether the loop stores to an array `to` over what it loads from `from`: each element of that is loaded only in the round that
/// stores the element of its position, before it does.
bool loops_is_elementwise(Session *cx, const LoopEntry *entry, const Facts *facts, Node *loop,
                          Sym from, Sym to);

// --- strides.c, blocks.c --------------------------------------------------------------------------

/// How far the position moves when the index goes up by one; NULL when that depends on the index.
Node *loops_stride(Session *cx, Node *position, Sym index);

/// Whether rounds of the nest of these loops have positions of their own: in some order of the loops a step of one goes on by at least as
/// much as all rounds of those before it.
bool loops_are_apart(Session *cx, const Facts *facts, Node *position, Node *const *loops, int n);

/// What is done for `count` indices of a loop, from `first` on.
typedef Node *LoopsBlock(void *env, Node *first, Node *count);
/// A loop of the same kind over blocks of at most `size` indices of the loop; no loop when there are no more of them.
Node *loops_in_blocks(Session *cx, Node *loop, Node *size, LoopsBlock *make, void *env);
/// A declaration of an integer local with this value, by its name.
Node *loops_integer(Session *cx, const char *name, Node *size, Node **decl);

/// The body in which what checks in a row compute several times has a name (name_checks.c).
Node *loops_with_named_checks(Session *cx, Node *body);

/// What is done for `n` indices of a loop, from `first` on.
typedef Node *LoopsStep(void *env, Node *first, int n);
/// All indices of the loop, n at a time, then the rest one at a time.
Node *loops_in_steps(Simplifier *known, Node *loop, int n, LoopsStep *make, void *env);

/// The same, counted from a place that is the same for all rounds.
bool loops_is_injective(Session *cx, const LoopEntry *entry, const Facts *facts, Node *const *loops,
                        int n, Node *position);

/// A remainder (a*i + rest) % divisor that a condition in the body of a loop over i asks for, of which nothing but i changes there.
/// `few`: by a number up to LOOPS_FEW_RESIDUES; else by another size.
enum { LOOPS_FEW_RESIDUES = 8 };
typedef struct {
    int64_t a;
    Node *rest, *divisor;
} Remainder;
bool loops_find_remainder(Session *cx, Node *loop, bool few, Remainder *out);

/// The body with loops that ask for such a remainder by another size in blocks of that length, inside of which nothing asks for it.
Node *loops_in_multiples(Simplifier *s, Node *body);

/// What rounds of a loop, side by side, do in so many of them from its index on, as statements on vectors; NULL when they cannot be.
Node *loops_on_lanes(Session *cx, Node *loop, int64_t lanes);

/// The rounds of a loop over lanes from `done` on, fewer than it has lanes, in the entry: at once, with a mask, where that is cheaper than
/// one after the other.
Node *loops_rest(const Simplifier *known, const LoopEntry *e, Node *loop, Node *done);

/// The body with vectors that have a name in locals, not arrays.
Node *loops_named(Session *cx, Node *body);

/// Whether the body comes to its end only where `count` is 0: otherwise some check fails.
bool loops_ends_empty(Session *cx, const LoopEntry *entry, Node *count);

/// The body of a function; blocks wait for the tasks that use their memory.
Node *loops_join_tasks(Session *cx, Node *body);

/// Removes locals and temporary buffers that nobody reads.
Node *loops_sweep(Session *cx, Node *body);

/// An i64 value as a size over names that never change, NULL when it is none, or a literal beyond all lengths.
Node *loops_size(Session *cx, Node *value);

/// Nodes as written, stopping at a limit.
int loops_weight(Node *n, int limit);

/// The statement with new names for all that it binds (names stay unique); `renamed` is called with each old and new name.
typedef void LoopsRenamed(Sym old, Sym fresh, void *env);
Node *loops_copy(Session *cx, Node *stmt, LoopsRenamed *renamed, void *env);

/// Whether the program or its schedule says that the loop is as it is: no pass changes the order of
/// its iterations.
bool loops_is_chosen(Session *cx, const LoopEntry *e, Node *loop);

/// Who says so: "the program" or "the schedule"; NULL where neither does.
const char *loops_chosen_by(Session *cx, const LoopEntry *e, Node *loop);

/// Adds to what `adze explain` shows of the entry: what a pass does with the loop, or leaves, and
/// why.
void loops_tell(Session *cx, LoopEntry *e, Node *loop, const char *what, const char *why);

// --- entries ------------------------------------------------------------------------------------

/// A copy of the entry with another body.
LoopEntry *loops_with_body(Session *cx, const LoopEntry *e, Node *body);

/// A pass over the entry and over the functions it calls.
typedef LoopEntry *LoopsPass(Session *cx, const LoopEntry *e);
LoopEntry *loops_each(Session *cx, const LoopEntry *e, LoopsPass *pass);

#endif
