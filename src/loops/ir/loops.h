// Loop IR: statements over flat memory, one buffer per scalar leaf of a value. Passes on it simplify positions, hoist what does
// not change, and place memory; the emitter spells the rest.
#ifndef ADZE_LOOPS_IR_LOOPS_H
#define ADZE_LOOPS_IR_LOOPS_H

#include "dpia/ir/dpia.h"
#include "memory_policy/memory_policy.h"
#include "views/views.h"

/// What a caller in C has as a struct, or as an array of structs: a value by itself, or behind a
/// pointer.
typedef struct {
    Sym name;    // of the parameter in C
    Node *type;  // the struct
    bool value;  // whether it comes by value
    Node *count; // how many records are behind the pointer
} LoopRecord;

/// One scalar leaf of a parameter or of the result: `count` elements (product of dims), or, with rank 0, a scalar, passed by value
/// when an input. The name is the parameter's, with _0, _1 or _field for components.
typedef struct {
    Sym name;
    Scalar scalar; // idx leaves are i64
    Node *idx;     // the bound when the leaf is an idx (checked at the entry), else NULL
    int rank;
    Node **dims;
    Node *count;
    bool output;
    bool both; // behind a reference &mut: read and written, also when a scalar
    // Of an array with strides of the caller: their names, one for each dimension. They are the
    // parameters that follow it. NULL: the elements are side by side, row by row.
    Sym *strides;
    // What it lies in, then `count` elements of its type, with others between; NULL: in memory of
    // its own.
    const LoopRecord *record;
    const char
        *path; // of a record: the member that it is or begins in, ".x"; "": the record itself
} LoopParam;

/// What lies in the workspace of a function: a temporary array, or the workspace of a function that it calls. It is needed from one
/// statement to another, as they stand in the text, both included; over all rounds of a loop that brings it from one to the next.
typedef struct {
    Sym name;           // of the array, or of the function
    Node *type, *count; // of an array; NULL for a call
    Node *bytes;        // how much it needs
    Node *at;           // where it begins, in lines; NULL: in an output
    Sym output;         // that
    int from, to;       // numbers of statements
    Span first, last;   // these statements, where they have a place in the source
    bool shared;        // whether others lie there too, at other times
    bool each;          // there is one for each thread; `at` is where that of the first one is
} LoopPlace;

/// What is told of a loop over lanes: how the value of this name differs by lane where the source stands, what is done with memory of this
/// name, or, without one, what becomes of the statement.
typedef struct {
    Span loop, span, value; // of the loop, of the statement, of the value that it takes
    Sym name;
    const char *text;
} LaneNote;

/// What a loop over lanes lost: all its vectors, some lanes of each, or the vectors of a part of
/// its body.
typedef enum { LOST_VECTORS, LOST_LANES, LOST_PART } LostExtent;

/// Lanes that the program asks for and that did not become vectors, or not as many at a time.
typedef struct {
    Span loop, at; // of the loop over lanes, of what is not a vector (NO_SPAN: the body as a whole)
    LostExtent extent;
    int64_t asked, lanes;   // how many the program asks for, how many are done at a time; 0: one
    const char *why, *help; // help: what to do about it, or NULL; `$` stands for the name
    const char *name;       // or NULL
    bool strided; // in the version of an entry for strides that are not 1 (loops_versions)
} LaneLoss;

typedef struct LoopEntry LoopEntry;
struct LoopEntry {
    Sym name;
    Span span;
    const char *doc;
    VEC(Sym) sizes;
    Sym helpers; // a size that the entry finds out itself, once: how many threads may help the one it runs on, 0 without OpenMP; NULL: nothing asks
    Sym thread; // of an entry: the number of the thread that an iteration of a parallel loop runs on, from 0 to helpers; NULL: nothing asks
    VEC(LoopParam) params; // inputs in order, then outputs
    Param *source; // the parameters as the language types them, for callers that pass whole values
    int nsource;
    Node *result; // the result's type
    const bool
        *strided; // of these, those with strides of the caller, as Function.strided; NULL: none
    SizeChecks checks;
    bool undefined;  // it has `undefined` arrays, which the program promises to write before it
                     // reads them: elements of its result may stay without a value
    bool external;   // a function of C: no body
    bool serial;     // of an entry: its target has one thread
    bool folded;     // positions may be over locals that change
    bool planned;    // temporary arrays have their places
    Node *workspace; // how much memory these need, in lines, or a LOOP_SELECT of such; NULL: none
    VEC(LoopPlace) places; // what lies there, in order of the first use
    VEC(Sym) naturals;     // of the locals of type i64 that change, some that are never negative
    Choices choices;       // of passes, for `adze explain`
    VEC(LaneNote) lane_notes;
    VEC(LaneLoss) lane_losses;
    Spans chosen,  // loops of these places are what the program or its schedule says
        scheduled; // those of them of which it is the schedule
    Node *body;
    VEC(LoopEntry *)
    callees; // of an entry: the functions LOOP_CALL names, with its size parameters
};

/// The function of this name that the entry or one of its functions calls, NULL when there is none.
const LoopEntry *loops_callee(const LoopEntry *entry, Sym name);

/// The branch of an entry with strided arrays between its two versions: the first one is for
/// strides of 1 in the last dimension of each, the other one for any. NULL: there is none.
Node *loops_versions(const LoopEntry *e);

/// Whether one of the entries, or a function that it calls, has a parallel loop or starts a task.
bool loops_any_parallel(LoopEntry *const *entries, int n);

// --- workspaces (workspace.c) -----------------------------------------------------------------------------

/// Workspaces are measured in lines of so many bytes: every part begins with one.
enum { LOOPS_LINE = 64 };

/// Whether the sizes of the entry give this one, so that memory of this size can be planned.
bool loops_is_static(Session *cx, const LoopEntry *entry, Node *size);

/// Whether the sizes of the entry tell what a scalar expression is, and it cannot fail.
bool loops_sizes_tell(Session *cx, const LoopEntry *entry, Node *expr);

/// The lines of a workspace where conditions do not choose between several: NULL where they do.
Node *loops_lines(Node *workspace);

/// Whether it is of no lines, where one of several is taken.
bool loops_may_be_nothing(Node *workspace);

/// The lines of a workspace at most; 0 of none.
Node *loops_most_lines(Session *cx, Node *workspace);

/// Memory that is allocated where the statement stands; that lies in the workspace.
bool loops_is_heap(Node *stmt);
bool loops_is_placed(Node *stmt);

/// Whether the function may call itself, by itself or by others.
bool loops_is_recursive(Session *cx, const LoopEntry *entry, Sym function);

/// Whether the function has a workspace that nothing of its callers was in: the entry, and those that allocate theirs.
bool loops_owns_workspace(Session *cx, const LoopEntry *entry, const LoopEntry *f);

/// Whether the call gives its function memory.
bool loops_gives_memory(const LoopEntry *callee, Node *call);

// --- statements (stmt.c) ---------------------------------------------------------------------------

bool loops_is_stmt(Node *n);
/// Whether the node loads from, or stores to, the buffer of its attribute: one element, or those of a vector.
bool loops_is_gather(Node *n);
bool loops_is_load(Node *n);
bool loops_is_store(Node *n);
bool loops_is_empty(Node *stmt);
bool loops_is_declaration(Node *stmt); // to the end of its block
bool loops_is_nothing(Node *value);    // of a declaration: no value
bool loops_declares(Node *block);

/// A stack array that is only given literals, at once, by the statements after its allocation: how many, 0 when it is no such table.
uint32_t loops_table(Node *block, uint32_t at);

/// Loops over a range: for, parallel, vectorize. The latter two are lockstep: their iterations come in any order.
bool loops_is_counted(Node *stmt);
bool loops_is_lockstep(Node *stmt);
Node *loops_from(Node *stmt);
Node *loops_to(Node *stmt);
Node *loops_body(Node *stmt); // of a loop for ever, too

/// Whether iterations can go through the statement side by side: nothing fails, calls or goes on by itself. Whether it also has no loops.
bool loops_is_regular(Node *stmt);
bool loops_is_straight(Node *stmt);

/// Whether the statement starts tasks.
bool loops_has_task(Node *stmt);

/// Whether control never comes to the end of the statement.
bool loops_leaves(Node *stmt);

/// Notes the locals that the statement sets, or gives to a call by address, and the buffers it gives to calls.
void loops_changed(Node *stmt, Map *changed);

/// The names a statement or expression reads: locals, indices and buffers, in expressions and
/// positions.
typedef void LoopsFound(Sym name, void *env);
void loops_reads(Session *cx, Node *n, Map *seen, LoopsFound *found, void *env);

/// Whether the divisor is a literal that integers can be divided by without failing.
bool loops_is_safe_divisor(Node *divisor);

/// The condition that holds where `c` does not. Without `!` where that is as short.
Node *loops_negated(Session *cx, Node *c);

// --- the level --------------------------------------------------------------------------------------

/// The positions of a gather without what all lanes add to them, which is `offset`.
Node *gather_positions_without_offset(Session *cx, Node *positions, Node **offset);

/// Whether the statement reads the local, or gives it to a call.
bool loops_uses(Session *cx, Node *stmt, Sym local);

/// How many lanes vectors have at most.
enum { LOOPS_MAX_LANES = 1024 };

/// The type of an expression, sizes that agree taken for granted; statements have none. The rule of the textual form.
Node *loops_type_rule(Session *cx, const NodeSpec *spec, const char **why);

/// The names in scope in the body, for the textual form; a buffer stands for its elements.
TermScope loops_scope(Session *cx, const LoopEntry *e);

/// Kinds of this level at their places (statements in blocks, expressions in statements), scalar types by rule, names in scope and bound
/// once, positions over integers that never change; inputs are never stored to, each output is. Breaks are E0901.
void loops_check(Session *cx, const LoopEntry *e);

/// The textual form of an entry; reads back to the same.
void loops_print(Session *cx, Text *out, const LoopEntry *e);
LoopEntry *loops_read(Session *cx, uint32_t file);

/// Runs the entry; `args` as the language types them. To leave a buffer, to read what was not written, and to leave an element of the
/// result out are faults of the compiler, reported as an outcome with E0901.
Outcome loops_eval(Session *cx, Arena *arena, const LoopEntry *e, const int64_t *sizes,
                   const Value *args, Algebra algebra, int64_t fuel, Value *result);

/// The same with strides: elements of the last dimension of strided arrays are `step` apart, which
/// is not 0, and rows a little further than they have to be; with loops_eval it is 1. To write
/// between the elements of a result is a fault, too.
Outcome loops_eval_strided(Session *cx, Arena *arena, const LoopEntry *e, const int64_t *sizes,
                           const Value *args, int64_t step, Algebra algebra, int64_t fuel,
                           Value *result);

#endif
