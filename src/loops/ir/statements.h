// Functions shared by the passes on Loop IR, to build, transform and compare statements.
#ifndef ADZE_LOOPS_IR_STATEMENTS_H
#define ADZE_LOOPS_IR_STATEMENTS_H

#include "loops/ir/loops.h"
#include "ir/walk.h"
#include "loops/ir/passes.h"
#include "sets/sets.h"

// --- make.c: nodes -------------------------------------------------------------------------------

Node *loops_stmt(Session *cx, Kind kind, Sym name, int n, Node *const *ops, Span origin);
/// A block with these statements. Nested blocks without declarations are flattened. A single
/// statement other than a declaration is returned as it is.
Node *loops_block(Session *cx, int n, Node *const *stmts);
Node *loops_if(Session *cx, Node *condition, Node *then, Node *otherwise, Span origin);
/// A comparison of two sizes.
Node *loops_compare(Session *cx, Prim op, Node *a, Node *b);
/// condition ? a : b
Node *loops_select(Session *cx, Node *condition, Node *a, Node *b);
Node *loops_local(Session *cx, Sym name, Node *type);
Node *loops_load(Session *cx, Sym name, Node *type, Node *position);
Node *loops_address(Session *cx, Sym name, Node *position);
/// A vector of zeros.
Node *loops_zeros(Session *cx, Node *type);
Node *loops_store(Session *cx, Sym name, Node *position, Node *value, Span origin);
Node *loops_set(Session *cx, Sym name, Node *value, Span origin);
Node *loops_decl(Session *cx, Sym name, Node *type, Node *value, Span origin);
/// An array on the stack.
Node *loops_stack(Session *cx, Sym name, Node *type, Node *count, Span origin);
/// Sets *decl to a declaration of a new local with this value, and returns the local.
Node *loops_name(Session *cx, const char *name, Node *value, Node **decl, Span origin);
/// Sets *decl to a declaration of a new integer local with this value, and returns the local as a
/// size.
Node *loops_integer(Session *cx, const char *name, Node *size, Node **decl);
/// A read of a local that never changes, as a size if its type is i64.
Node *loops_unchanging(Session *cx, Sym name, Node *type);
/// A LOOP_FOR.
Node *loops_counted(Session *cx, Sym index, Node *from, Node *to, Node *body, Span origin);
/// A counted loop of another kind; `by` is its step, lane count or thread count.
Node *loops_loop(Session *cx, Kind kind, Sym index, Node *by, Node *from, Node *to, Node *body,
                 Span origin);
/// A copy of the loop `like` with another range and body.
Node *loops_for(Session *cx, Node *like, Node *from, Node *to, Node *body);
/// The counted loop, turned into a LOOP_FOR.
Node *loops_sequential(Session *cx, Node *loop);

// --- stmt.c: statements --------------------------------------------------------------------------

/// Whether the statement is a parallel loop or, inside of one, a loop that may become one
/// (loop.par). A test for loops_any.
bool loops_is_parallel(Node *stmt, void *unused);

/// Whether the loop is parallel and must be a kernel for a target with a device (CORE_ON_DEVICE).
bool loops_must_be_kernel(Node *loop);

typedef Node *LoopsVisit(void *env, Node *stmt);
/// Returns the statement with `visit` applied to the statements directly in it.
Node *loops_map(Session *cx, Node *stmt, LoopsVisit *visit, void *env);
/// Adds to `names` every name that the statement, or a statement in it, brings into scope.
void loops_bound(Node *stmt, Map *names);
bool loops_has_loop(Node *stmt);
/// Whether a jump or an endless loop may keep control from reaching the end of the statement.
bool loops_may_jump(Node *stmt);
bool loops_jumps_to(Node *stmt, Sym label);
/// Whether the statement is a loop whose iterations may run in any order.
bool loops_is_in_any_order(Node *stmt);
/// Removes stores of elements to themselves, and loops and branches that are empty as a result.
Node *loops_without_self_copies(Session *cx, Node *stmt);
/// Whether the node or a node in it accesses the buffer.
bool loops_mentions(Node *n, Sym buffer);
/// The body of a label without its final jumps to the label's end.
Node *loops_without_final_jumps(Session *cx, Node *body, Sym label);

// --- condition.c ---------------------------------------------------------------------------------

/// Calls `visit` for each comparison or other simple condition whose truth value follows from the
/// fact that `condition` holds (or, if `holds` is false, does not hold). The `holds` that `visit`
/// receives is the implied truth value.
typedef void ConjunctVisitor(Node *condition, bool holds, void *env);
void loops_conjuncts(Node *condition, bool holds, ConjunctVisitor *visit, void *env);
/// Expresses the fact that a comparison of sizes holds (or, if `holds` is false, does not hold) as
/// `*size` >= 0, == 0 or != 0. Returns false if `comparison` is not a comparison of sizes.
bool loops_compared(Session *cx, Node *comparison, bool holds, SetRelation *relation, Node **size);

// --- strides.c --------------------------------------------------------------------------

/// How far the position moves from one iteration to the next, or NULL if that depends on the index.
Node *loops_stride(Session *cx, Node *position, Sym index);

/// Whether `position` is different in each iteration of the nest that these loops form. They must
/// have an order in which one step of each loop moves the position at least as far as all
/// iterations of the loops before it.
bool loops_are_apart(Session *cx, const Facts *facts, Node *position, Node *const *loops, int n);

/// Converts an i64 value to a size over names that never change. Returns NULL if it is not such a
/// size, or is a literal larger than any length.
Node *loops_size(Session *cx, Node *value);

/// The number of nodes in the tree, up to a limit.
int loops_weight(Node *n, int limit);

typedef void LoopsRenamed(Sym old, Sym fresh, void *env);
/// Copies the statement with new names for everything that it binds, so that names stay unique.
/// Calls `renamed`, unless it is NULL, with each old and new name.
Node *loops_copy(Session *cx, Node *stmt, LoopsRenamed *renamed, void *env);

/// "the program", "the schedule" or "the default schedule" if one of them fixes the loop, so that
/// no pass may change the order of its iterations. NULL otherwise.
const char *loops_chosen_by(Session *cx, const LoopEntry *e, Node *loop);

/// Records for `adze explain` what a pass chose for the loop, and why.
void loops_note_choice(Session *cx, LoopEntry *e, Node *loop, const char *what, const char *why);

// --- iteration.c --------------------------------------------------------------------------------

/// The number of iterations of a LOOP_FOR or LOOP_STRIDED, or -1 if it is not a constant.
int64_t loops_trip_count(Session *cx, Node *loop);
/// The number of iterations of a counted loop with a step of 1, which is 0 if it ends before it
/// begins. Bounds that come from data may be so far apart that `to - from` overflows.
Node *loops_extent(Session *cx, const Facts *facts, Node *loop);
/// A copy of the loop's body with `index` substituted for the loop index.
Node *loops_iteration(Session *cx, Node *loop, Node *index);
/// A copy of the loop's body for iteration number k, counted from 0.
Node *loops_iteration_number(Session *cx, Node *loop, int64_t k);
/// Substitutes the value for the index or size `name` in a statement, expression or size.
Node *loops_at(Session *cx, Node *n, Sym name, Node *value);
/// Returns whether a size is `factor * index + rest`, with a constant factor and a rest that is
/// independent of the index, and sets *factor and *rest.
bool loops_is_linear(Session *cx, Node *e, Sym index, int64_t *factor, Node **rest);
/// Whether a statement, an expression or a size reads one of the names.
bool loops_reads_any(Session *cx, Node *n, const Map *names);
/// Whether the statement changes what another statement or an expression reads.
bool loops_changes_input(Session *cx, Node *stmt, Node *reader);
/// Whether the statement sets the local, or passes its address to a call.
bool loops_sets(Node *stmt, Sym local);
/// Maps the locals of a body that are never reassigned to their declarations.
Map loops_constants(Session *cx, Node *body);
/// Replaces the locals that are keys of `values` with their values. In sizes, a local can only be
/// replaced with another local.
Node *loops_replace_locals(Session *cx, Node *n, const Map *values);

// --- entries ------------------------------------------------------------------------------------

/// A copy of the entry with another body.
LoopEntry *loops_with_body(Session *cx, const LoopEntry *e, Node *body);

/// Applies a pass to the entry and to the functions that it calls.
typedef LoopEntry *LoopsPass(Session *cx, const LoopEntry *e);
LoopEntry *loops_each(Session *cx, const LoopEntry *e, LoopsPass *pass);

#endif
