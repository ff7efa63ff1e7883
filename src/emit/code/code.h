// C expressions, statements, memory and functions.
#ifndef ADZE_EMIT_CODE_H
#define ADZE_EMIT_CODE_H

#include "emit/vector/vec.h"

// expr.c, stmt.c: expressions and statements of all kinds, called through pointers in Emitter.
void emit_expr_by_kind(Emitter *e, Node *x, int min);
void emit_stmt_by_kind(Emitter *e, Node *s, const Place *place);

// atomic.c: the body of an atomic update function, which replaces its Loop IR.
void emit_atomic_body(Emitter *e, const LoopEntry *f, Atomic a);

// prim.c: operators and casts by scalar type.
void emit_prim(Emitter *e, Node *x, int min);
void emit_cast(Emitter *e, Node *x, int min);

// fault.c: checks and failures.
/// Returns the status number that stands for a cause of failure, as a string. `condition` is the
/// violated condition on sizes, or NULL.
const char *emit_fault(Emitter *e, DiagCode code, Span span, const char *text,
                       const SizeCheck *condition);
/// Returns the place as in messages, FILE:LINE:COLUMN.
const char *fault_place(Emitter *e, Span span);
/// Emits code that leaves the frame with a status if a condition holds.
void emit_fail_if(Emitter *e, const char *condition, const char *status);
/// Emits the statement that ends the current iteration or task.
void emit_leave(Emitter *e);
void emit_require(Emitter *e, Node *check);
/// Emits code that waits for the tasks of the frame, if it has any.
void emit_wait(Emitter *e);
/// Returns the `goto` statement that jumps to the end of the frame.
const char *frame_exit(Emitter *e);
/// Whether the end of the frame frees memory or waits for tasks.
bool frame_has_end(const Frame *f);

// control.c: labels, jumps and loops.
void emit_label(Emitter *e, Node *s, const Place *place);
void emit_jump(Emitter *e, Node *s, const Place *here);
const char *jump_text(Emitter *e, Node *s, const Place *here); // NULL if it needs several lines
void emit_for(Emitter *e, Node *s, const Place *behind);
void emit_forever(Emitter *e, Node *s, const Place *behind);
void emit_parallel(Emitter *e, Node *s, const Place *behind);
void emit_vectorize(Emitter *e, Node *s, const Place *behind);
/// Whether a statement may fail.
bool emit_may_fail(Emitter *e, Node *s);
/// Whether control at the place continues to the end of the function.
bool places_end(const Place *place);
/// Whether the jump leads to the end of the function.
bool jump_ends(Emitter *e, Node *jump);
void emit_free(Emitter *e, Node *alloc); // frees memory before the end of its frame
/// Whether the test holds for some statement of the frame with this body. Statements of nested
/// frames do not count.
bool frame_any(Node *body, NodeTest *test, void *env);
/// Finds and declares the memory of a frame, and makes the frame the current one.
void frame_open(Emitter *e, Frame *f, Node *body);
/// Emits a whole iteration or task, indented one level deeper.
void emit_frame(Emitter *e, Frame *f, Node *body, const Place *end);

// memory.c: temporary arrays and workspaces.
/// Returns the number of 64-byte lines that memory of `lines` lines takes in C. It is larger in
/// field mode, where elements are wider than floats.
Node *memory_lines(const Emitter *e, Node *lines);
void emit_allocation(Emitter *e, Node *s);
/// Whether memory is freed at the end of its frame rather than at the end of its block.
bool memory_is_of_frame(const Emitter *e, Node *alloc);
void memory_find_slots(Emitter *e, Node *body);
void memory_find_pointers(Emitter *e, Node *body); // after memory_find_slots
const char *memory_type(Emitter *e, Scalar s);     // the C element type of pointers
bool memory_is_arm(const Emitter *e, Node *s);     // whether this arm has its own slots
/// Ends the scope of arrays whose slots depend on the thread.
void memory_forget_slots(Emitter *e, Node *thread);
const char *address_text(Emitter *e, Node *address);
/// Returns the workspace that a call passes to its callee, at line `at` of the caller's workspace.
const char *memory_of_call(Emitter *e, Node *at);

// workspace.c: emits the functions that accompany a function with a workspace parameter. One
// returns the size of the workspace and exists only for entries; its signature is added to
// `measure`. The other allocates the workspace; its signature is added to `head`.
void emit_around_workspace(Emitter *e, Text *source, Text *measure, Text *head, CFunction *f);

// kernel.c: kernels.
/// The emitter of an entry's kernels.
Emitter *kernels_new(Emitter *e, Device device);
/// Writes a kernel to e->kernels, and the function that launches it to `source`.
void emit_kernel(Emitter *e, Text *source, CFunction *f);
/// Writes the text of the entry's kernels, if it has any, as a constant of the C file.
void kernels_write(Emitter *e, Text *out, const LoopEntry *entry);

// kernel_loop.c: loops of kernels.
/// Whether the current statement is in the loop of a kernel, so that a parallel loop is one of the
/// work-items of a group.
bool kernel_is_local(const Emitter *e);
/// Whether the current statement of a kernel is executed by all work-items of a group alike.
bool kernel_is_of_group(const Emitter *e);
/// Emits the head of a parallel loop of a kernel.
void kernel_loop_head(Emitter *e, Node *s, const char *index, const char *to);
/// Declares the arrays that the work-items of a group share, before the loop of the kernel, and
/// returns the loop with the private arrays of a work-item.
Node *kernel_in_group(Emitter *e, Node *loop);
/// Emits the instruction for matrices that a loop of a kernel for CUDA is, before the loop. Returns
/// whether it has done so; then the loop is for other processors, and an #endif ends it.
bool kernel_mma(Emitter *e, Node *loop);
/// Whether the C compiler is to unroll a loop of a kernel: one for CUDA with few iterations, all
/// known, around other such loops.
bool kernel_unrolls(Emitter *e, Node *loop);

// device.c: code of the host around kernels.
enum { DEVICE_HELPERS = 255 }; // a device computes in this many parts, and one more
/// Whether a caller may pass an array that is in the memory of a device: not one with strides.
bool device_lends(const LoopParam *p);
/// Notes that the device may have copies of the function's arguments.
void hold_parameters(Emitter *e, const CFunction *f);
/// Notes, and lets the C code note, that the device may have a copy of a declared array.
void hold_array(Emitter *e, Node *decl);
/// Emits code that ends this, before the array's memory is freed.
void drop_array(Emitter *e, const char *name);
/// Emits code that updates the arrays that the statement accesses. Returns whether it covers the
/// statements in it, too.
bool device_update(Emitter *e, Node *s);
/// The same for a call in a block behind the declaration at index `at`, with which it may be
/// written together.
void device_update_call(Emitter *e, Node *block, uint32_t at);
/// Forgets which arrays are up to date, if the statement may launch kernels.
void device_forget(Emitter *e, Node *s);
/// Whether arrays have to be updated before the condition is computed.
bool device_reads(Emitter *e, Node *condition);
/// Whether the function has arrays that a device may have copies of.
bool is_around_kernels(const CFunction *f);
/// Finds the arrays of the function that kernels access (e->passed), those behind pointers and
/// those that begin where one of these begins included.
void find_passed(Emitter *e, const CFunction *f);
/// Emits the update of an argument before the body of an entry, which reads it.
void device_update_argument(Emitter *e, const LoopParam *p);
/// Returns the call that updates an array of the host.
const char *update_text(Emitter *e, Sym name, bool writes);

// device_function.c: functions of the host with arrays that kernels access.
/// Whether the function has arrays that kernels access, so that it is written by the next function.
bool device_is_around(Emitter *e, const CFunction *f);
/// Writes a function as two: the second one calls the first one, and then drops the arrays that
/// this has held. That of an entry also holds the arguments.
void emit_with_device(Emitter *e, Text *source, Text *head, CFunction *f);
/// Writes the function NAME_on of an entry, which takes arrays that are in the memory of a device.
/// Declares it in `header`, and returns its signature. Sets *arguments to its parameters as
/// arguments of a call.
const char *emit_on(Emitter *e, Text *source, Text *header, const CFunction *f,
                    const char **arguments);
/// Writes what all of these functions have in common as a comment.
void device_explain_on(Text *header, Device device);

// task.c: tasks.
void emit_spawn(Emitter *e, Node *s);
void emit_sync(Emitter *e);
void frame_find_tasks(Emitter *e, Frame *f, Node *body);

// tail_call.c, tail_loop.c: functions whose tail calls to themselves become iterations of a loop.
/// Finds the function's tail calls to itself that can become iterations.
void tail_calls_find(Emitter *e, CFunction *f);
/// Returns the parameter's KeptParam, or NULL.
const KeptParam *tail_kept(const CFunction *f, const LoopParam *p);
/// Whether the statement at this place is such a tail call in the function being written.
bool is_tail_call(const Emitter *e, Node *s, const Place *place);
void emit_tail_call(Emitter *e, Node *call);
/// Emits the body inside a loop, in which each such tail call starts the next iteration.
void emit_tail_loop(Emitter *e, Node *body, const Place *end);
/// Frees the arrays that were passed to the last iteration.
void tail_loop_free(Emitter *e);

// call.c: the functions that an entry calls, and calls to them.
/// Finds the functions that an entry calls, and returns the function of the entry itself.
CFunction *functions_find(Emitter *e, const LoopEntry *entry);
CFunction *function_of(Emitter *e, Sym name);
Node *result_operand(Emitter *e, Node *call); // the last argument
/// Emits a call. If not NULL, `declared` replaces the target of the result: `float x` declares a
/// variable, `return` returns the result, and "" ignores it.
void emit_call(Emitter *e, Node *s, const char *declared);
void emit_prefetch(Emitter *e, Node *s);
/// Returns the local or memory that receives the result of the call, or NULL if the call returns no
/// result.
Sym call_result(Emitter *e, Node *call);
bool call_fails(Emitter *e, Node *call);
/// Finds the locals that only receive call results and are never read. Then finds the locals and
/// arrays that are read only to compute values for locals already found, and so on.
void find_ignored(Emitter *e, Node *body);
bool is_ignored(const Emitter *e, Sym local);

// function.c: functions. `before` is text that precedes the result type, such as "static ".
typedef struct {
    Text call, given, measure; // signatures; without a workspace, there is only `call`
} Heads;
/// A parameter list being written after `head`, broken at LINE_WIDTH columns.
typedef struct {
    Text *out;
    // `line` is where the current line begins, `margin` the column where parameters start
    size_t line, margin;
    int n;
} ParameterList;
ParameterList parameters_begin(Text *out, const char *head);
void parameters_add(ParameterList *l, const char *parameter);
void parameters_add_sizes(Emitter *e, ParameterList *l, const CFunction *f);
void parameters_end(ParameterList *l);

void emit_function(Emitter *e, Text *source, Heads *heads, CFunction *f);
void emit_signature(Emitter *e, Text *out, const CFunction *f, const char *before);
void emit_declaration(Emitter *e, Text *out, CFunction *f); // for functions that are not entries
/// Whether leaf `i` of a function has its own C parameter. Of the leaves of a record, only the
/// first has one.
bool emit_has_parameter(const LoopEntry *f, int i);
/// The name of the C parameter: that of the record that contains the leaf, or of the leaf itself.
Sym emit_name_in_c(const LoopParam *p);
void emit_parameters(Emitter *e, const CFunction *f);       // brings the parameters into scope
const char *emit_arguments(Emitter *e, const CFunction *f); // the parameters as call arguments
const char *sizes_text(Emitter *e, const CFunction *f);     // size parameters joined by commas
void emit_size_checks(Emitter *e, const LoopEntry *entry);
/// Emits the checks of an entry that precede the allocation of its workspace.
void emit_early_checks(Emitter *e, CFunction *f);
/// Emits the constants that an entry computes once, if its code uses them: the number of worker
/// threads and the end of the stack.
void emit_entry_constants(Emitter *e, const CFunction *f);
/// Declares locals for the record members that the function's code uses.
void emit_members(Emitter *e, const CFunction *f);
/// Writes the documentation of an entry as comment lines.
void emit_doc_comment(Text *out, const char *doc);

#endif
