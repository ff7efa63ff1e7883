// Loop IR: statements over flat memory, one buffer per scalar leaf of a value. The passes simplify
// positions, transform loops, and plan memory; the emitter only prints the result as C.
#ifndef ADZE_LOOPS_IR_LOOPS_H
#define ADZE_LOOPS_IR_LOOPS_H

#include "base/target/device.h"
#include "dpia/ir/dpia.h"
#include "ir/walk.h"
#include "memory_policy/memory_policy.h"
#include "views/views.h"

/// A struct or an array of structs that a C caller passes by value or by pointer.
typedef struct {
    Sym name;    // the C parameter
    Node *type;  // the struct
    bool value;  // passed by value
    Node *count; // number of records that a pointer refers to
} LoopRecord;

/// One scalar leaf of a parameter or of the result. It has `count` elements (the product of dims).
/// With rank 0 it is a scalar; an input of rank 0 is passed by value. Its name is the parameter's
/// name, with a suffix such as _0, _1 or _field for each component on the path to the leaf.
typedef struct {
    Sym name;
    Scalar scalar; // i64 for an idx leaf
    Node *idx;     // the bound of an idx leaf, checked on entry; NULL for other leaves
    int rank;
    Node **dims;
    Node *count;
    bool output;
    bool both;     // passed by &mut reference, so both read and written, even if it is a scalar
    bool overlaps; // memory of a kernel that begins where that of another parameter may begin
    // The names of the caller's strides, one for each dimension. The strides themselves are the
    // parameters that follow this one. NULL if the array is dense (row-major).
    Sym *strides;
    // The record that contains the elements of the leaf, interleaved with other members. NULL if
    // the leaf has memory of its own.
    const LoopRecord *record;
    const char *path; // the member where the leaf begins, such as ".x"; "" for the record itself
} LoopParam;

/// A temporary array in the workspace of a function, or the workspace of a function that it calls.
/// It is live from statement number `from` to statement number `to`, inclusive, in textual order.
/// An array that a loop carries from one iteration to the next is live in all iterations.
typedef struct {
    Sym name;           // the array or the called function
    Node *type, *count; // the element type and length of the array; NULL for a call
    Node *bytes;        // its size
    Node *at;           // the workspace line where it begins; NULL if it is in an output
    Sym output;         // the output that holds it, or NULL
    int from, to;       // the numbers of the first and last statement that use it
    Span first, last;   // the source locations of these statements
    bool shared;        // its memory holds other arrays at other times
    bool each;          // each thread has a copy, and `at` is where the first one begins
} LoopPlacement;

/// A note for `adze explain` about the shape of a value in a loop over lanes, or about how a
/// statement in such a loop is compiled.
typedef struct {
    Span loop, span, value; // the loop, the statement, and the value that the statement reads
    Sym name;               // the value or memory; NULL if the note is about the statement
    const char *text;
} LaneNote;

/// How much of a loop over lanes is not vectorised: all of it, some lanes, or a part of its body.
typedef enum { LOST_VECTORS, LOST_LANES, LOST_PART } LostExtent;

/// An unmet request for lanes: the code is scalar, or processes fewer lanes at a time than
/// requested.
typedef struct {
    Span loop, at; // the loop over lanes, and its scalar part (NO_SPAN for the whole body)
    LostExtent extent;
    int64_t asked, lanes;   // lanes requested, and lanes processed at a time (0 means one)
    const char *why, *help; // help says what the user can do, or is NULL; both as in losses.def
    const char *name;       // the name that replaces `$` or `#` in `why` and `help`, or NULL
    bool strided;           // the loop is in the version for any strides (loops_versions)
    bool few;               // the loop has fewer iterations than lanes
} LaneLoss;

typedef struct LoopEntry LoopEntry;
struct LoopEntry {
    Sym name;
    Span span;
    const char *doc;
    VEC(Sym) sizes;
    // The size that stands for the number of worker threads, which the entry determines once; 0
    // without OpenMP. NULL if it is not needed.
    Sym helpers;
    // In an entry, the name for the index of the thread that runs an iteration of a parallel loop,
    // from 0 to `helpers`. NULL if it is not needed.
    Sym thread;
    VEC(LoopParam) params; // inputs in order, then outputs
    Param *source;         // the source-level parameters, for callers that pass whole values
    int nsource;
    Node *result;        // the type of the result
    const bool *strided; // which parameters have strides, like Function.strided; may be NULL
    SizeChecks checks;
    // Whether it has `undefined` arrays, which the program promises to write before it reads them.
    // Elements of the result may then have no value.
    bool undefined;
    bool external;   // a C function, which has no body
    bool serial;     // in an entry, whether its target has only one thread
    Device device;   // runs the kernels of its target
    bool kernel;     // a callee that is a kernel: its body is one parallel loop
    int group;       // the work-items of a kernel's groups, each of which runs an iteration, or 0
    bool folded;     // positions may contain locals that change
    bool planned;    // temporary arrays have placements
    Node *workspace; // the workspace size in lines or a LOOP_SELECT of sizes; or NULL
    VEC(LoopPlacement) placements; // the contents of the workspace, in order of first use
    VEC(Sym) naturals;             // locals of type i64 that change and are never negative
    Choices choices;               // what the passes chose, for `adze explain`
    VEC(LaneNote) lane_notes;
    VEC(LaneLoss) lane_losses;
    // The loops that no pass may reorder. `chosen` holds those that the program or a schedule
    // fixes, `scheduled` those that a schedule fixes, `defaulted` those that the default one fixes.
    Spans chosen, scheduled, defaulted;
    Spans spread; // the loops that may run on threads if their iterations are independent
    Node *body;
    // In an entry, the functions that its LOOP_CALLs name. They share the entry's sizes.
    VEC(LoopEntry *) callees;
};

/// Sets the target of a new entry and of the functions that it calls: one thread, or a device.
void loops_set_target(LoopEntry *e, bool serial, Device device);

/// Whether the default schedule chose the loop at this place of the source.
bool loops_is_by_default(const LoopEntry *e, Span at);

/// Whether the loop at this place of the source may run on threads if its iterations are
/// independent.
bool loops_may_spread(const LoopEntry *e, Span at);

/// Whether a schedule, the default one included, chose the loop at this place of the source.
bool loops_is_scheduled(const LoopEntry *e, Span at);

/// The function of this name that the entry or one of its callees calls, or NULL.
const LoopEntry *loops_callee(const LoopEntry *entry, Sym name);

/// How messages call this function: as the program does, not by the name of its C.
const char *loops_shown_callee(Session *cx, const LoopEntry *entry, Sym name);
/// Whether the parameter is a leaf of an array of records, whose memory it views as an array of its
/// scalar type.
bool loops_is_record_array(const LoopParam *p);

/// The branch that selects one of the two versions of an entry with strided arrays: one for strides
/// of 1 in the last dimensions, and one for any strides. NULL if there is none.
Node *loops_versions(const LoopEntry *e);

/// Whether one of the entries, or a function that it calls, has a parallel loop or starts a task.
bool loops_any_parallel(LoopEntry *const *entries, int n);

/// Whether the entry, after all passes, has kernels.
bool loops_has_kernels(const LoopEntry *e);

// --- kinds (loop.def) ----------------------------------------------------------------------------

/// The roles of node kinds, as a bit mask, from the last column of loop.def. The name that a node
/// refers to is its attribute.
typedef enum {
    IS_STMT = 1 << 0,     // a statement: every LOOP_STMT
    IS_LOCAL = 1 << 1,    // reads the local that it names
    IS_LOAD = 1 << 2,     // loads from the buffer that it names
    IS_GATHER = 1 << 3,   // a load with a separate position for each lane
    IS_STORE = 1 << 4,    // stores to the buffer that it names
    IS_ADDRESS = 1 << 5,  // passes the memory that it names to a call or a pointer
    IS_SET = 1 << 6,      // assigns to the local that it names
    IS_DECL = 1 << 7,     // brings its name into scope until the end of the block
    IS_COUNTED = 1 << 8,  // a loop over a range that binds its index; operands .., from, to, body
    IS_LOCKSTEP = 1 << 9, // a counted loop whose iterations may run in any order
    IS_ENDLESS = 1 << 10, // an endless loop, which only a jump can leave
    IS_LABEL = 1 << 11,   // control may jump to its end
    IS_JUMP = 1 << 12,    // jumps to the label that it names
    IS_TASK = 1 << 13,    // starts a task
    IS_CALL = 1 << 14,    // calls the function that it names
    IS_SERIAL = 1 << 15,  // iterations cannot execute it in lockstep
    // combinations
    IS_LOOP = IS_COUNTED | IS_ENDLESS,
    IS_BINDER = IS_COUNTED | IS_DECL,
    IS_ACCESS = IS_LOAD | IS_STORE | IS_ADDRESS,
    IS_READ = IS_LOCAL | IS_LOAD | IS_ADDRESS
} LoopRole;

/// The roles of each kind; 0 for kinds of Core and other levels.
extern const uint16_t loop_roles[KIND_COUNT];

/// Whether the node has one of the roles.
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
/// Whether the node loads from, stores to, or takes the address of the buffer that it names.
#define loops_names_buffer(n) loops_is(n, IS_ACCESS)

// --- walks (walk.c) ------------------------------------------------------------------------------

/// Like node_any, but tests only the statement and the statements in it.
bool loops_any(Node *stmt, NodeTest *test, void *env);

/// Whether the statement or a statement in it has one of the roles.
bool loops_has(Node *stmt, int roles);

typedef VEC(Node *) Stmts;
/// The statements in `stmt`, itself included, that have one of the roles, in order.
Stmts loops_all(Session *cx, Node *stmt, int roles);

/// Whether the statement, a statement in it, or an address that one of them takes has the name and
/// one of the roles.
bool loops_has_named(Node *stmt, int roles, Sym name);
/// Adds to `names` the name of every node that has one of the roles. Searches the same nodes as
/// loops_has_named.
void loops_names(Node *stmt, int roles, Map *names);

typedef void AccessVisitor(Node *access, void *env);
/// Calls `visit` once for each distinct access to a buffer (load, store or address) in a statement
/// or expression, after the accesses in its operands. Nodes in `seen`, which may come from earlier
/// walks, are skipped; visited nodes are added to it.
void loops_accesses(Node *n, Map *seen, AccessVisitor *visit, void *env);

typedef void LoopsFound(Sym name, void *env);
/// Calls `found` for each name that a statement or expression reads: locals, indices and buffers,
/// in expressions and positions. `seen` is used as in loops_accesses.
void loops_reads(Session *cx, Node *n, Map *seen, LoopsFound *found, void *env);

/// Whether the statement reads the local or passes its address to a call.
bool loops_uses(Session *cx, Node *stmt, Sym local);

/// Adds to `changed` the locals that the statement sets, and the locals and buffers whose address
/// it takes.
void loops_changed(Node *stmt, Map *changed);

// --- workspaces (workspace.c) --------------------------------------------------------------------

/// Workspaces are measured in lines of this many bytes. Every array begins on a new line.
enum { LOOPS_LINE = 64 };

/// Whether a size depends only on the entry's sizes, so that memory of this size can be planned.
bool loops_is_static(Session *cx, const LoopEntry *entry, Node *size);

/// Whether a scalar expression depends only on the entry's sizes, and cannot fail.
bool loops_is_known_at_entry(Session *cx, const LoopEntry *entry, Node *expr);

/// The number of lines of a workspace, or NULL if a condition selects between several sizes.
Node *loops_workspace_lines(Node *workspace);
/// The largest number of lines that a workspace may need; 0 if `workspace` is NULL.
Node *loops_max_workspace_lines(Session *cx, Node *workspace);
/// Whether the workspace may need no memory.
bool loops_workspace_may_be_empty(Node *workspace);

/// Whether the statement allocates memory on the heap.
bool loops_is_heap(Node *stmt);
/// Whether the statement allocates an array in the workspace.
bool loops_is_placed(Node *stmt);

/// Whether the function may call itself, directly or through others.
bool loops_is_recursive(Session *cx, const LoopEntry *entry, Sym function);

/// Whether the function has a workspace of its own rather than a part of a caller's, because it is
/// the entry or is recursive.
bool loops_owns_workspace(Session *cx, const LoopEntry *entry, const LoopEntry *f);

/// Whether the call passes a workspace to the function.
bool loops_passes_workspace(const LoopEntry *callee, Node *call);

// --- statements (stmt.c) -------------------------------------------------------------------------

bool loops_is_empty(Node *stmt);
/// Whether `value` is the placeholder in a declaration that has no initial value.
bool loops_is_nothing(Node *value);
bool loops_declares(Node *block);

/// The number of statements after the stack allocation at index `at` that store literals to the
/// array, or 0 if the array may also change later and so is not a constant table.
uint32_t loops_table(Node *block, uint32_t at);

/// The bounds of a counted loop: the first index, and the exclusive upper bound.
Node *loops_from(Node *stmt);
Node *loops_to(Node *stmt);
/// The body of a counted or endless loop.
Node *loops_body(Node *stmt);

/// Whether iterations can execute the statement in lockstep: it has no check, call, jump, task,
/// endless loop or parallel loop, and allocates memory only on the stack.
bool loops_is_regular(Node *stmt);
/// Whether the statement is regular and has no loops.
bool loops_is_straight(Node *stmt);

/// Whether control never reaches the end of the statement.
bool loops_leaves(Node *stmt);

/// Whether the divisor is a literal other than 0 and -1, so that dividing integers by it cannot
/// fail.
bool loops_is_safe_divisor(Node *divisor);

/// The negation of the condition, without an added `!` where possible.
Node *loops_negated(Session *cx, Node *c);

// --- the level -----------------------------------------------------------------------------------

/// Returns the positions of a gather without the offset that all lanes have in common. Sets *offset
/// to that offset.
Node *gather_positions_without_offset(Session *cx, Node *positions, Node **offset);

/// The maximum number of lanes of a vector.
enum { LOOPS_MAX_LANES = 1024 };

/// The type of an expression, assuming that sizes agree. Returns NULL for statements, which have no
/// type, and for a violation, with the reason in *why. The reader of the textual form infers types
/// with this rule.
Node *loops_type_rule(Session *cx, const NodeSpec *spec, const char **why);

/// The names in scope in the body, for the textual form. A buffer has the type of its elements.
TermScope loops_scope(Session *cx, const LoopEntry *e);

/// Checks that statements and expressions are used only where they are allowed, scalar types follow
/// the rules, names are in scope and bound once, positions use only integers that never change, no
/// input is stored to, and every output is stored to. Reports violations as E0901.
void loops_check(Session *cx, const LoopEntry *e);

/// Prints the textual form of an entry, which reads back as the same entry.
void loops_print(Session *cx, Text *out, const LoopEntry *e);
LoopEntry *loops_read(Session *cx, uint32_t file);

/// Sets `folded` to whether some position uses a local that changes; the pass copy_propagate
/// creates such positions. Needed for an entry read from text, which does not contain `folded`.
void loops_find_folded(Session *cx, LoopEntry *e);

/// Runs the entry on `args`, one value for each parameter of `source`. An access outside a buffer,
/// a use of an element before it is stored, and a result element that is never stored are internal
/// compiler errors; the outcome is then E0901. Iterations of parallel loops run in a random order,
/// the same in each run; races between them are E0613.
Outcome loops_eval(Session *cx, Arena *arena, const LoopEntry *e, const int64_t *sizes,
                   const Value *args, Algebra algebra, int64_t fuel, Value *result);

/// Like loops_eval, but elements of the last dimension of strided arrays are `step` (not 0) apart,
/// with gaps between rows; loops_eval has step 1. A store between the elements of a result is also
/// an internal compiler error.
Outcome loops_eval_strided(Session *cx, Arena *arena, const LoopEntry *e, const int64_t *sizes,
                           const Value *args, int64_t step, Algebra algebra, int64_t fuel,
                           Value *result);

#endif
