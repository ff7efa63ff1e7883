// Loop IR: statements over flat memory, one buffer per scalar leaf of a value. The passes simplify
// positions, transform loops, and plan memory; the emitter only spells the result in C.
#ifndef ADZE_LOOPS_IR_LOOPS_H
#define ADZE_LOOPS_IR_LOOPS_H

#include "dpia/ir/dpia.h"
#include "ir/walk.h"
#include "memory_policy/memory_policy.h"
#include "views/views.h"

/// A struct, or an array of structs, of a caller in C: passed by value, or by pointer.
typedef struct {
    Sym name;    // of the parameter in C
    Node *type;  // the struct
    bool value;  // passed by value
    Node *count; // number of records at the pointer
} LoopRecord;

/// One scalar leaf of a parameter or of the result: `count` elements (the product of dims), or,
/// with rank 0, a scalar, which is an input by value. The name is the parameter's, with _0, _1 or
/// _field for components.
typedef struct {
    Sym name;
    Scalar scalar; // idx leaves are i64
    Node *idx;     // the bound when the leaf is an idx (checked at the entry), else NULL
    int rank;
    Node **dims;
    Node *count;
    bool output;
    bool both; // behind a &mut reference: read and written, even if a scalar
    // The names of the caller's strides, one for each dimension; they are the parameters that
    // follow. NULL if the array is dense (row-major).
    Sym *strides;
    // The record that contains the leaf: `count` elements of its type, with others between them.
    // NULL if the leaf has memory of its own.
    const LoopRecord *record;
    const char *path; // the member of the record in which it begins, like ".x"; "" for the record
} LoopParam;

/// A temporary array in the workspace of a function, or the workspace of a function that it calls.
/// It is live from one statement to another, as numbered in the text, both included. An array that
/// a loop carries from one iteration to the next is live in all iterations.
typedef struct {
    Sym name;           // of the array, or of the function
    Node *type, *count; // of an array; NULL for a call
    Node *bytes;        // its size
    Node *at;           // the line where it begins; NULL if it is in an output
    Sym output;         // the output that holds it
    int from, to;       // the numbers of the statements
    Span first, last;   // the places of these statements in the source
    bool shared;        // its memory holds other arrays at other times
    bool each;          // each thread has one; `at`: where the one of the first thread begins
} LoopPlacement;

/// For `adze explain`: the shape of a value in a loop over lanes, or the treatment of a statement.
typedef struct {
    Span loop, span, value; // of the loop, of the statement, of the value that it reads
    Sym name;               // of the value or of the accessed memory; NULL for the statement
    const char *text;
} LaneNote;

/// The part of a loop over lanes that is not vectorised: all of it, some lanes, or a part of its
/// body.
typedef enum { LOST_VECTORS, LOST_LANES, LOST_PART } LostExtent;

/// Requested lanes that are not vectorised, or only with fewer lanes at a time.
typedef struct {
    Span loop, at; // the loop over lanes; its scalar part (NO_SPAN: the whole body)
    LostExtent extent;
    int64_t asked, lanes;   // requested lanes; lanes at a time (0 for one)
    const char *why, *help; // help: what the user can do, or NULL; `$` and `#`: as in losses.def
    const char *name;       // or NULL
    bool strided;           // in the version of an entry for strides other than 1 (loops_versions)
    bool few;               // the loop has fewer iterations than lanes
} LaneLoss;

typedef struct LoopEntry LoopEntry;
struct LoopEntry {
    Sym name;
    Span span;
    const char *doc;
    VEC(Sym) sizes;
    // The number of worker threads that may help, a size that the entry determines once; 0 without
    // OpenMP. NULL if not needed.
    Sym helpers;
    // Of an entry: the number of the thread that runs an iteration of a parallel loop, from 0 to
    // `helpers`. NULL if not needed.
    Sym thread;
    VEC(LoopParam) params; // inputs in order, then outputs
    Param *source; // the parameters as the language types them, for callers that pass whole values
    int nsource;
    Node *result;        // the result's type
    const bool *strided; // the parameters with strides of the caller, as Function.strided, or NULL
    SizeChecks checks;
    // Whether it has `undefined` arrays, which the program promises to write before it reads them,
    // so that elements of its result may have no value.
    bool undefined;
    bool external;                 // a function of C: no body
    bool serial;                   // of an entry: whether its target has one thread
    bool folded;                   // positions may contain locals that change
    bool planned;                  // temporary arrays have placements
    Node *workspace;               // its size in lines, or a LOOP_SELECT between sizes; or NULL
    VEC(LoopPlacement) placements; // the contents of the workspace, in order of first use
    VEC(Sym) naturals;             // locals of type i64 that change and are never negative
    Choices choices;               // of passes, for `adze explain`
    VEC(LaneNote) lane_notes;
    VEC(LaneLoss) lane_losses;
    Spans chosen, scheduled; // loops that the program or its schedule fixes; those of the schedule
    Node *body;
    // Of an entry: the functions that LOOP_CALL names, with its size parameters.
    VEC(LoopEntry *) callees;
};

/// The function of this name that the entry or one of its functions calls, or NULL.
const LoopEntry *loops_callee(const LoopEntry *entry, Sym name);

/// The branch of an entry with strided arrays that selects one of its two versions: for strides of
/// 1 in the last dimensions, and for any strides. NULL if there is none.
Node *loops_versions(const LoopEntry *e);

/// Whether one of the entries, or a function that it calls, has a parallel loop or starts a task.
bool loops_any_parallel(LoopEntry *const *entries, int n);

// --- kinds (loop.def) ----------------------------------------------------------------------------

/// Roles of the kinds, a mask: the last column of loop.def.
typedef enum {
    IS_STMT = 1 << 0,     // all that are LOOP_STMT
    IS_LOCAL = 1 << 1,    // reads the local of its name
    IS_LOAD = 1 << 2,     // loads from the buffer of its name
    IS_GATHER = 1 << 3,   // a load whose lanes have positions of their own
    IS_STORE = 1 << 4,    // stores to the buffer of its name
    IS_ADDRESS = 1 << 5,  // gives the memory of its name to a call or a pointer
    IS_SET = 1 << 6,      // assigns the local of its name
    IS_DECL = 1 << 7,     // brings its name into scope, to the end of the block
    IS_COUNTED = 1 << 8,  // a loop over a range, with its index: .., from, to, body
    IS_LOCKSTEP = 1 << 9, // a counted loop whose iterations run in any order
    IS_ENDLESS = 1 << 10, // a loop without an end
    IS_LABEL = 1 << 11,   // control may jump to its end
    IS_JUMP = 1 << 12,    // control goes to the label of its name
    IS_TASK = 1 << 13,    // starts a task
    IS_CALL = 1 << 14,    // calls the function of its name
    IS_SERIAL = 1 << 15,  // iterations cannot execute it side by side
    // sums of these
    IS_LOOP = IS_COUNTED | IS_ENDLESS,
    IS_BINDER = IS_COUNTED | IS_DECL,
    IS_ACCESS = IS_LOAD | IS_STORE | IS_ADDRESS,
    IS_READ = IS_LOCAL | IS_LOAD | IS_ADDRESS
} LoopRole;

/// The roles of a kind; 0 for kinds of other levels.
extern const uint16_t loop_roles[KIND_COUNT];

/// Whether the node has a role of the mask.
static inline bool loops_is(Node *n, int roles)
{
    return (loop_roles[n->kind] & roles) != 0;
}

#define loops_is_stmt(n)        loops_is(n, IS_STMT)
#define loops_is_gather(n)      loops_is(n, IS_GATHER)
#define loops_is_load(n)        loops_is(n, IS_LOAD)
#define loops_is_store(n)       loops_is(n, IS_STORE)
#define loops_is_declaration(n) loops_is(n, IS_DECL)
#define loops_is_counted(n)     loops_is(n, IS_COUNTED)
#define loops_is_lockstep(n)    loops_is(n, IS_LOCKSTEP)
/// Whether it loads from, stores to, or gives a call the buffer of its name.
#define loops_names_buffer(n) loops_is(n, IS_ACCESS)

// --- walks (walk.c) ------------------------------------------------------------------------------

/// Like node_any, over the statement and the statements in it.
bool loops_any(Node *stmt, NodeTest *test, void *env);

/// Whether the statement or a statement in it has one of the roles.
bool loops_has(Node *stmt, int roles);

/// The statements in `stmt`, itself included, that have one of the roles, in order.
typedef VEC(Node *) Stmts;
Stmts loops_all(Session *cx, Node *stmt, int roles);

/// Whether the statement, a statement in it, or an address that they take has one of the roles and
/// the name; the names of all nodes that have one of the roles.
bool loops_has_named(Node *stmt, int roles, Sym name);
void loops_names(Node *stmt, int roles, Map *names);

/// Calls `visit` for each access to a buffer in a statement or expression (loads, stores and
/// addresses), after the accesses in its operands; once for each distinct node. `seen` may have
/// nodes of earlier walks, which are skipped.
typedef void AccessVisitor(Node *access, void *env);
void loops_accesses(Node *n, Map *seen, AccessVisitor *visit, void *env);

/// Calls `found` for each name that a statement or expression reads: locals, indices and buffers,
/// in expressions and positions. `seen` as above.
typedef void LoopsFound(Sym name, void *env);
void loops_reads(Session *cx, Node *n, Map *seen, LoopsFound *found, void *env);

/// Whether the statement reads the local, or gives it to a call.
bool loops_uses(Session *cx, Node *stmt, Sym local);

/// Notes the locals that the statement sets, or gives to a call by address, and the buffers that it
/// gives to calls.
void loops_changed(Node *stmt, Map *changed);

// --- workspaces (workspace.c) --------------------------------------------------------------------

/// Workspaces are measured in lines of this many bytes; every slot begins at a new line.
enum { LOOPS_LINE = 64 };

/// Whether a size depends only on the entry's sizes, so that memory of this size can be planned.
bool loops_is_static(Session *cx, const LoopEntry *entry, Node *size);

/// Whether a scalar expression depends only on the entry's sizes, and cannot fail.
bool loops_is_known_at_entry(Session *cx, const LoopEntry *entry, Node *expr);

/// The lines of a workspace, NULL if a condition selects between several sizes; the most lines it
/// may need (0 without a workspace); whether it may need no memory.
Node *loops_workspace_lines(Node *workspace);
Node *loops_max_workspace_lines(Session *cx, Node *workspace);
bool loops_workspace_may_be_empty(Node *workspace);

/// Whether the statement allocates memory on the heap; whether it has a slot in the workspace.
bool loops_is_heap(Node *stmt);
bool loops_is_placed(Node *stmt);

/// Whether the function may call itself, directly or through others.
bool loops_is_recursive(Session *cx, const LoopEntry *entry, Sym function);

/// Whether no caller has used the function's workspace before, since it is the entry or allocates
/// its own workspace.
bool loops_owns_workspace(Session *cx, const LoopEntry *entry, const LoopEntry *f);

/// Whether the call passes its function a workspace.
bool loops_passes_workspace(const LoopEntry *callee, Node *call);

// --- statements (stmt.c) -------------------------------------------------------------------------

bool loops_is_empty(Node *stmt);
/// Whether a declaration has no value.
bool loops_is_nothing(Node *value);
bool loops_declares(Node *block);

/// The number of statements after the allocation of a stack array that store literals to all its
/// elements; 0 if the array is not such a constant table.
uint32_t loops_table(Node *block, uint32_t at);

/// The range and the body of a counted loop; the body also of an endless loop.
Node *loops_from(Node *stmt);
Node *loops_to(Node *stmt);
Node *loops_body(Node *stmt);

/// Whether iterations can execute the statement side by side, as it has no check, call, jump or
/// unbounded loop; whether it also has no loops.
bool loops_is_regular(Node *stmt);
bool loops_is_straight(Node *stmt);

/// Whether control never reaches the end of the statement.
bool loops_leaves(Node *stmt);

/// Whether the divisor is a literal that integers can be divided by without failing.
bool loops_is_safe_divisor(Node *divisor);

/// The negated condition, without `!` if that is no longer.
Node *loops_negated(Session *cx, Node *c);

// --- the level -----------------------------------------------------------------------------------

/// The positions of a gather without the offset that all lanes add to them: `offset`.
Node *gather_positions_without_offset(Session *cx, Node *positions, Node **offset);

/// The maximum number of lanes of a vector.
enum { LOOPS_MAX_LANES = 1024 };

/// The type of an expression, assuming that sizes agree; statements have none. The rule of the
/// textual form.
Node *loops_type_rule(Session *cx, const NodeSpec *spec, const char **why);

/// The names in scope in the body, for the textual form; a buffer stands for its elements.
TermScope loops_scope(Session *cx, const LoopEntry *e);

/// Checks that statements and expressions are where they may be, scalar types follow the rules,
/// names are in scope and bound once, positions are over integers that never change, no input is
/// stored to, and each output is. Reports violations as E0901.
void loops_check(Session *cx, const LoopEntry *e);

/// Prints the textual form of an entry, which reads back as the same entry.
void loops_print(Session *cx, Text *out, const LoopEntry *e);
LoopEntry *loops_read(Session *cx, uint32_t file);

/// Sets `folded` in an entry that was read, since the text does not contain it, if there are
/// positions over locals that change: copy_propagate makes them.
void loops_find_folded(Session *cx, LoopEntry *e);

/// Runs the entry; `args` as the language types them. An access outside of a buffer, a load of what
/// was not stored, and an element of the result that is not stored are faults of the compiler: an
/// outcome with E0901.
Outcome loops_eval(Session *cx, Arena *arena, const LoopEntry *e, const int64_t *sizes,
                   const Value *args, Algebra algebra, int64_t fuel, Value *result);

/// The same with strides: elements of the last dimension of strided arrays are `step` (not 0)
/// apart, and there are gaps between rows; loops_eval has step 1. A store between the elements of a
/// result is also a fault.
Outcome loops_eval_strided(Session *cx, Arena *arena, const LoopEntry *e, const int64_t *sizes,
                           const Value *args, int64_t step, Algebra algebra, int64_t fuel,
                           Value *result);

#endif
