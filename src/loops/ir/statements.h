// Making, walking and comparing statements: what all passes on Loop IR share.
#ifndef ADZE_LOOPS_IR_STATEMENTS_H
#define ADZE_LOOPS_IR_STATEMENTS_H

#include "loops/ir/loops.h"
#include "ir/walk.h"
#include "loops/ir/passes.h"

typedef VEC(Node *) Stmts;

// --- stmt.c: what passes do with statements -------------------------------------------------------

Node *loops_block(Session *cx, int n,
                  Node *const *stmts); // nested blocks without declarations are flattened
/// The statement with `visit` applied to the statements it is made of.
typedef Node *LoopsVisit(void *env, Node *stmt);
Node *loops_map(Session *cx, Node *stmt, LoopsVisit *visit, void *env);
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

// --- strides.c --------------------------------------------------------------------------

/// How far the position moves when the index goes up by one; NULL when that depends on the index.
Node *loops_stride(Session *cx, Node *position, Sym index);

/// Whether rounds of the nest of these loops have positions of their own: in some order of the loops a step of one goes on by at least as
/// much as all rounds of those before it.
bool loops_are_apart(Session *cx, const Facts *facts, Node *position, Node *const *loops, int n);

/// A declaration of an integer local with this value, by its name.
Node *loops_integer(Session *cx, const char *name, Node *size, Node **decl);

/// The operand that an operator gives as it is (x + 0 of integers, x * 1), or NULL.
Node *loops_identity(Node *e);
/// An i64 value as a size over names that never change, NULL when it is none, or a literal beyond all lengths.
Node *loops_size(Session *cx, Node *value);

/// Removes locals and temporary buffers that nobody reads.
Node *loops_sweep(Session *cx, Node *body);

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

// --- iteration.c --------------------------------------------------------------------------------

/// The number of iterations of a LOOP_FOR or LOOP_STRIDED; -1: it is not a constant.
int64_t loops_trip_count(Session *cx, Node *loop);
/// The body of a copy of the loop, at this index.
Node *loops_iteration(Session *cx, Node *loop, Node *index);
/// Whether a size is `*factor * index + *rest`, and the rest is independent of the index.
bool loops_is_linear(Session *cx, Node *e, Sym index, int64_t *factor, Node **rest);
/// Whether a statement, an expression or a size reads one of the names.
bool loops_reads_any(Session *cx, Node *n, const Map *names);
/// Whether the statement sets the local, or passes its address to a call.
bool loops_sets(Node *stmt, Sym local);
/// The locals of a body that are never set -> their declarations.
Map loops_constants(Session *cx, Node *body);
/// The statement with locals replaced by these values; in sizes a local can only be replaced by
/// another one.
Node *loops_replace_locals(Session *cx, Node *n, const Map *values);

// --- entries ------------------------------------------------------------------------------------

/// A copy of the entry with another body.
LoopEntry *loops_with_body(Session *cx, const LoopEntry *e, Node *body);

/// A pass over the entry and over the functions it calls.
typedef LoopEntry *LoopsPass(Session *cx, const LoopEntry *e);
LoopEntry *loops_each(Session *cx, const LoopEntry *e, LoopsPass *pass);

#endif
