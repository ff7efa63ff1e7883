// Shared by the passes on Loop IR: making, transforming and comparing statements.
#ifndef ADZE_LOOPS_IR_STATEMENTS_H
#define ADZE_LOOPS_IR_STATEMENTS_H

#include "loops/ir/loops.h"
#include "ir/walk.h"
#include "loops/ir/passes.h"
#include "sets/sets.h"

// --- make.c: nodes -------------------------------------------------------------------------------

Node *loops_stmt(Session *cx, Kind kind, Sym name, int n, Node *const *ops, Span origin);
/// A block. Nested blocks without declarations are flattened; a single statement stays as it is.
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
/// A declaration of a new local with this value, and the local.
Node *loops_name(Session *cx, const char *name, Node *value, Node **decl, Span origin);
/// A declaration of a new integer local with this value, and the local as a size.
Node *loops_integer(Session *cx, const char *name, Node *size, Node **decl);
/// The value of a new local, as a size if it is an i64, since it never changes.
Node *loops_unchanging(Session *cx, Sym name, Node *type);
/// A LOOP_FOR; a counted loop of another kind, `by` its step, lanes or threads.
Node *loops_counted(Session *cx, Sym index, Node *from, Node *to, Node *body, Span origin);
Node *loops_loop(Session *cx, Kind kind, Sym index, Node *by, Node *from, Node *to, Node *body,
                 Span origin);
/// A loop like `like` over another range, with another body.
Node *loops_for(Session *cx, Node *like, Node *from, Node *to, Node *body);
/// A counted loop as a LOOP_FOR.
Node *loops_sequential(Session *cx, Node *loop);

// --- stmt.c: statements --------------------------------------------------------------------------

/// The statement with `visit` applied to the statements directly in it.
typedef Node *LoopsVisit(void *env, Node *stmt);
Node *loops_map(Session *cx, Node *stmt, LoopsVisit *visit, void *env);
/// Notes the names that the statement brings into scope.
void loops_bound(Node *stmt, Map *names);
/// Whether the statement has a loop; whether control may not reach its end.
bool loops_has_loop(Node *stmt);
bool loops_may_jump(Node *stmt);
bool loops_jumps_to(Node *stmt, Sym label);
/// Whether the statement is a loop whose iterations run in any order.
bool loops_is_in_any_order(Node *stmt);
/// The statement without stores of elements to themselves, and without loops and branches that this
/// leaves empty.
Node *loops_without_self_copies(Session *cx, Node *stmt);
/// Whether the node or a part of it accesses the buffer.
bool loops_mentions(Node *n, Sym buffer);
/// The body of a label without its final jumps to the label's end.
Node *loops_without_final_jumps(Session *cx, Node *body, Sym label);

// --- condition.c ---------------------------------------------------------------------------------

/// Calls `visit` for each comparison or other value that must hold (or not hold) if the condition
/// holds (or does not hold).
typedef void ConjunctVisitor(Node *condition, bool holds, void *env);
void loops_conjuncts(Node *condition, bool holds, ConjunctVisitor *visit, void *env);
/// Writes a comparison of sizes that holds (or does not) as `*size` >= 0, == 0 or != 0. False if it
/// is not a comparison of sizes.
bool loops_compared(Session *cx, Node *comparison, bool holds, SetRelation *relation, Node **size);

// --- strides.c --------------------------------------------------------------------------

/// The stride of the position in the index; NULL if the stride depends on the index.
Node *loops_stride(Session *cx, Node *position, Sym index);

/// Whether the iterations of the nest of these loops have distinct positions: in some order of the
/// loops, a step of each loop moves at least as far as all iterations of the loops before it.
bool loops_are_apart(Session *cx, const Facts *facts, Node *position, Node *const *loops, int n);

/// An i64 value as a size over names that never change; NULL if it is not such a size, or a literal
/// beyond all lengths.
Node *loops_size(Session *cx, Node *value);

/// The number of nodes of the tree, up to a limit.
int loops_weight(Node *n, int limit);

/// The statement with new names for all that it binds (names stay unique); `renamed` is called with
/// each old and new name.
typedef void LoopsRenamed(Sym old, Sym fresh, void *env);
Node *loops_copy(Session *cx, Node *stmt, LoopsRenamed *renamed, void *env);

/// "the program" or "the schedule" if it fixes the loop, so that no pass changes the order of its
/// iterations; else NULL.
const char *loops_chosen_by(Session *cx, const LoopEntry *e, Node *loop);

/// Adds a choice of a pass about the loop, and the reason, for `adze explain`.
void loops_note_choice(Session *cx, LoopEntry *e, Node *loop, const char *what, const char *why);

// --- iteration.c --------------------------------------------------------------------------------

/// The number of iterations of a LOOP_FOR or LOOP_STRIDED; -1 if it is not a constant.
int64_t loops_trip_count(Session *cx, Node *loop);
/// The body of a copy of the loop, at this index; in iteration number k.
Node *loops_iteration(Session *cx, Node *loop, Node *index);
Node *loops_iteration_number(Session *cx, Node *loop, int64_t k);
/// Substitutes the value for the index or size `name` in a statement, expression or size.
Node *loops_at(Session *cx, Node *n, Sym name, Node *value);
/// Whether a size is `*factor * index + *rest`, and the rest is independent of the index.
bool loops_is_linear(Session *cx, Node *e, Sym index, int64_t *factor, Node **rest);
/// Whether a statement, an expression or a size reads one of the names.
bool loops_reads_any(Session *cx, Node *n, const Map *names);
/// Whether the statement sets the local, or passes its address to a call.
bool loops_sets(Node *stmt, Sym local);
/// Maps the locals of a body that are never set to their declarations.
Map loops_constants(Session *cx, Node *body);
/// The statement with locals replaced by these values; in sizes a local can only be replaced by
/// another one.
Node *loops_replace_locals(Session *cx, Node *n, const Map *values);

// --- entries ------------------------------------------------------------------------------------

/// A copy of the entry with another body.
LoopEntry *loops_with_body(Session *cx, const LoopEntry *e, Node *body);

/// Applies a pass to the entry and to the functions that it calls.
typedef LoopEntry *LoopsPass(Session *cx, const LoopEntry *e);
LoopEntry *loops_each(Session *cx, const LoopEntry *e, LoopsPass *pass);

#endif
