// Expressions, statements, memory and functions of C.
#ifndef ADZE_EMIT_CODE_H
#define ADZE_EMIT_CODE_H

#include "emit/vector/vec.h"

// expr.c, stmt.c: what spells each kind of expression and statement, called through the emitter.
void emit_expr_by_kind(Emitter *e, Node *x, int min);
void emit_stmt_by_kind(Emitter *e, Node *s, const Place *place);

// atomic.c: the body of the function for an atomic update, in the place of that in the Loop IR.
void emit_atomic_body(Emitter *e, const LoopEntry *f, Atomic a);

// prim.c: operators and casts by scalar type.
void emit_prim(Emitter *e, Node *x, int min);
void emit_cast(Emitter *e, Node *x, int min);

// stmt.c, fault.c
int emit_fault(Emitter *e, DiagCode code, Span span, const char *text); // the status of a new place
const char *emit_number(Emitter *e, int status);
/// Leaves the frame with a status, on lines of its own; if a condition holds.
void emit_fail(Emitter *e, const char *status);
void emit_fail_if(Emitter *e, const char *condition, const char *status);
void emit_leave(Emitter *e); // ends an iteration or a task
/// A statement before the end of the function: whether it was the result and is returned.
bool emit_result(Emitter *e, Node *s);

// control.c: labels, jumps and loops.
void emit_label(Emitter *e, Node *s, const Place *place);
void emit_jump(Emitter *e, Node *s, const Place *here);
const char *jump_text(Emitter *e, Node *s, const Place *here); // NULL when it needs several lines
void emit_for(Emitter *e, Node *s, const Place *behind);
void emit_forever(Emitter *e, Node *s, const Place *behind);
void emit_parallel(Emitter *e, Node *s, const Place *behind);
void emit_vectorize(Emitter *e, Node *s, const Place *behind);
bool emit_may_fail(Emitter *e, Node *s); // whether a statement may fail

// memory.c: temporary arrays and workspaces.
/// So many lines of 64 bytes; in the field, whose numbers are wider than floats, more.
Node *memory_lines(const Emitter *e, Node *lines);
void emit_allocation(Emitter *e, Node *s);
bool memory_is_of_frame(const Emitter *e, Node *alloc); // and freed with it, not with its block
void memory_find_slots(Emitter *e, Node *body);
void memory_find_pointers(Emitter *e, Node *body); // of a function, once its slots are found
const char *memory_type(Emitter *e, Scalar s);     // in C, of what a pointer leads to
bool memory_is_arm(const Emitter *e, Node *s);     // whether it is planned by itself
/// The names of arrays that lie where the number of the thread tells are not seen any more.
void memory_forget_slots(Emitter *e, Node *thread);
const char *address_text(Emitter *e, Node *address);
const char *memory_of_call(Emitter *e, Node *at); // what a call is given
/// The functions around the one that is given a workspace, which was written: how large it is; the
/// one that allocates it. `measure` (of entries) and `head` get the signatures.
void emit_around_workspace(Emitter *e, Text *source, Text *measure, Text *head, CFunction *f);

// task.c: tasks.
void emit_spawn(Emitter *e, Node *s);
void emit_sync(Emitter *e);
void emit_wait(Emitter *e);         // for the tasks of the frame
const char *frame_exit(Emitter *e); // `goto` the end of the frame
bool frame_has_end(
    const Frame *f); // whether something is done at its end: memory freed, tasks waited for
void frame_find_tasks(Emitter *e, Frame *f, Node *body);

bool has_frame(Node *stmt); // whether its body is an iteration in any order or a task
void frame_open(Emitter *e, Frame *f, Node *body); // finds its memory, declares it
void frame_close(Emitter *e, Frame *f);            // of an iteration: frees it
bool places_end(const Place *place); // whether control goes to the end of the function
bool jump_ends(Emitter *e, Node *jump);
void emit_free(Emitter *e, Node *alloc); // before the end of its frame

// call.c: the functions of an entry, and calls of them.
CFunction *functions_find(Emitter *e, const LoopEntry *entry); // and the entry's own
CFunction *function_of(Emitter *e, Sym name);
Node *result_operand(Emitter *e, Node *call); // the last argument
void emit_call(Emitter *e, Node *s, const char *declared);
/// The local that the call gives its result to, NULL when it gives none.
Sym call_result(Emitter *e, Node *call);
bool call_fails(Emitter *e, Node *call);
/// Finds the locals that are only there for results that nobody wants.
void find_ignored(Emitter *e, Node *body);
bool is_ignored(const Emitter *e, Sym local);

// What an entry finds out once: the number of helpers, the end of the stack, if the text so far
// uses it.
void emit_found_out(Emitter *e, const CFunction *f);
/// Where members of records are, those that the text so far uses.
void emit_members(Emitter *e, const CFunction *f);
const char *emit_arguments(Emitter *e, const CFunction *f); // its parameters, passed on

/// The documentation of an entry as comments, each on a line of its own.
void emit_doc_comment(Text *out, const char *doc);

// function.c: functions. `before` is what stands before the type of the result: "static ", "extern
// ".
typedef struct {
    Text call, given, measure; // signatures; the latter two of what has a workspace
} Heads;
void emit_function(Emitter *e, Text *source, Heads *heads, CFunction *f);
void emit_signature(Emitter *e, Text *out, const CFunction *f, const char *before);
void emit_parameters(Emitter *e, const CFunction *f); // brings them into scope
void emit_size_checks(Emitter *e, const LoopEntry *entry);
void emit_door(Emitter *e, CFunction *f); // before memory is allocated for it
void emit_require(Emitter *e, Node *check);
void emit_declaration(Emitter *e, Text *out, CFunction *f); // of one that is not an entry

#endif
