// Internals of the translation from DPIA to Loop IR: its state, and the flat memory of names.
//
// A name in DPIA is either memory (parameters, the result, COM_NEW) or a scalar that never changes
// (loop indices, COM_LET, scalar parameters). Memory consists of one buffer or local for each
// scalar leaf of its type. In sizes, a scalar is a NAT_VAR of the same name; the facts say which
// scalars may be negative.
#ifndef ADZE_LOOPS_LOWER_FROM_DPIA_H
#define ADZE_LOOPS_LOWER_FROM_DPIA_H

#include "loops/ir/statements.h"

/// The position of each scalar of a leaf in a buffer that the leaf may share with others: the
/// offset plus the sum of indices times strides. In dimension `blocked`, the index is split into
/// the number of a block, which is multiplied by the stride, and the index within that block, which
/// is added.
typedef struct {
    Node **strides;
    Node *offset;
    int blocked; // -1 if there is no such dimension
    Node *block; // the number of elements in a block
} Layout;

/// One scalar leaf of a value in memory.
typedef struct {
    Sym name;
    Node *type; // the type in DPIA, a scalar or idx[n]
    bool lanes; // the last dimension counts the lanes of a vector
    int rank;
    Node **dims;
    Node *count;              // the number of elements in the buffer
    const Layout *layout;     // NULL if row-major, in a buffer of its own
    bool later;               // the buffer belongs to an earlier leaf
    Sym *strides;             // names of the caller's strides, one for each dimension, or NULL
    const LoopRecord *record; // the caller's record that contains it, or NULL
    const char *path;         // the member of the record where the leaf begins
} Leaf;

/// The storage class of a name.
typedef enum {
    STORE_INPUT, // never written; a value if the rank is 0
    STORE_OUTPUT,
    STORE_LOCAL // a local variable if the rank is 0
} StoreClass;

typedef struct {
    StoreClass class;
    Node *type;
    VEC(Leaf) leaves;
} Memory;

typedef struct Block Block;
struct Block {
    Block *outer;
    Facts *facts;
    Map shared; // id of a size or of a load from an input -> NAT_VAR of the local that holds it
    VEC(Node *) statements;
};

typedef struct {
    Session *cx;
    Arena *arena;
    const Phrase *entry; // the entry, whose callees are all functions that may be called
    Block *block;
    Map memory;       // Sym -> Memory
    Map integers;     // set of names of i64 values that may be any integer
    Map sizes;        // Sym of a size parameter, or of an i64 that is a size -> the size
    Lengths lengths;  // the lengths of the parameters and the result
    Map inputs;       // set of names of buffers that are only read
    Map table_of;     // array literal that is a constant table -> Memory
    Stmts tables;     // the declarations of constant tables
    Map taken;        // set of names in use
    int lockstep;     // number of enclosing loops whose iterations run in any order
    int lanes;        // number of enclosing loops over lanes
    bool undefined;   // some arrays are undefined at first (LoopEntry.undefined)
    const Map *given; // the parameters of functions that are records of the C caller (given.c)
    bool outside;     // this is the entry, whose parameters and result belong to a C caller
    Span origin;
} Flat;

// --- from_dpia.c --------------------------------------------------------------------------------

Node *flat_expr(Flat *f, Node *e);

// --- from_lanes.c: vectors, lane by lane --------------------------------------------------------

/// Returns the lane at `path` of a vector expression, computed from lanes of its operands.
Node *flat_lane(Flat *f, Node *e, Path *path);
/// Emits `d := e` for vectors, as a loop over the lanes.
void flat_assign_lanes(Flat *f, Node *d, Node *e);
/// Translates CORE_EXTRACT, which reads one lane of a vector.
Node *flat_extract(Flat *f, Node *e);
/// Translates any, all and count, which compute a scalar from all lanes of a mask.
Node *flat_across(Flat *f, Node *e);

// --- from_dpia.c --------------------------------------------------------------------------------

/// Adds the statements of a command to the current block. `last` is true if no other command
/// follows in that block.
void flat_command(Flat *f, Node *c, bool last);
/// Returns the statements of a command as a separate block. The condition, unless it is NULL, is
/// assumed to have the value `holds` in that block.
Node *flat_block(Flat *f, Node *c, Node *condition, bool holds);

/// Allocates memory that lives until the end of the current block.
void flat_alloc(Flat *f, Variant space, Sym name, Node *type, Node *count);

// --- from_control.c -----------------------------------------------------------------------------

void flat_label(Flat *f, Node *c);
void flat_forever(Flat *f, Node *c);
void flat_range(Flat *f, Node *c);
void flat_spawn(Flat *f, Node *c);
void flat_call(Flat *f, Node *c);
void flat_prefetch(Flat *f, Node *c);

// --- given.c ------------------------------------------------------------------------------------

/// The function of this name, which the entry or a function called by it calls.
const Phrase *flat_callee(Session *cx, const Phrase *entry, Sym name);
/// Returns the set of the parameters (Param) of the functions of an entry that are arrays of
/// structs in the C caller's memory. It is empty unless the entry is for C callers
/// (Session.lays_out).
Map given_records(Session *cx, const Phrase *entry);

// --- from_paths.c: views become positions --------------------------------------------------------

/// Returns the scalar at `path` in the value of a DPIA expression, as a Loop IR expression.
Node *flat_read(Flat *f, Node *e, Path *path);

/// Emits a write of the value of `e` to the scalar at `path` in an acceptor.
void flat_write(Flat *f, Node *acceptor, Path *path, Node *e);

/// Translates a DPIA integer expression to a size, with a local if necessary.
Node *flat_size(Flat *f, Node *e);

/// The context in which the current block evaluates views.
ViewContext flat_view_context(Flat *f);

// --- from_memory.c: leaves ----------------------------------------------------------------------

/// The memory of a name, or NULL for a value that never changes.
const Memory *memory_find(Flat *f, Sym name);
/// Reserves the name, so that it is not given to a leaf.
void memory_reserve(Flat *f, Sym name);
/// Creates the memory for a name of this type. If there is only one leaf, it is called `name`; the
/// leaves of components are called `name_0` or `name_field`.
Memory *memory_add(Flat *f, Sym name, Node *type, StoreClass class);
/// Like memory_add, for a parameter of a function that is an array of the C caller's structs.
Memory *memory_add_records(Flat *f, Sym name, Node *type, StoreClass class);
/// Like memory_add, for a parameter or the result of an entry, in the caller's layout. `value` is
/// true if structs are passed by value. `strided` says whether the caller passes strides: it holds
/// one flag for the value or, if that is a tuple, one for each component. NULL if it passes none.
Memory *memory_add_outside(Flat *f, Sym name, Node *type, StoreClass class, bool value,
                           const bool *strided);
/// Like memory_add, for local memory with a layout in blocks of `block` elements (from_layout.c).
/// If `block` is NULL, it has no layout.
Memory *memory_add_local(Flat *f, Sym name, Node *type, Node *block);
/// The number of leaves of a value of this type.
int leaf_count(Node *type);
/// Reserves and returns an unused name for a leaf: `text`, or one that begins with it.
Sym leaf_name(Flat *f, const char *text);
/// Returns the leaf at `path`, and sets *indices to the indices in the path, as many as the leaf's
/// rank.
const Leaf *memory_leaf(Flat *f, const Memory *m, Path *path, Node ***indices);
/// The position in the buffer of the leaf's element at these indices.
Node *leaf_position(Flat *f, const Leaf *leaf, Node *const *indices);
/// The value of the leaf's element at these indices.
Node *leaf_load(Flat *f, const Memory *m, const Leaf *leaf, Node *const *indices);
/// Emits a store to the leaf's element at these indices.
void leaf_store(Flat *f, const Memory *m, const Leaf *leaf, Node *const *indices, Node *value);

// --- from_table.c --------------------------------------------------------------------------------

/// The memory of an array literal that is a constant table, or NULL if it is not one.
const Memory *memory_of_table(Flat *f, Node *array);
/// The body of a function, preceded by the declarations of the tables that it reads.
Node *flat_with_tables(Flat *f, Node *body);

// --- from_layout.c -------------------------------------------------------------------------------

/// Whether the elements of the array, or of an array in it, are tuples or structs.
bool layout_has_records(Node *array);
/// Lays out the leaves of an array of records, starting at index `first`. A buffer that all of them
/// share is called `name`.
void layout_leaves(Flat *f, Memory *m, int first, Node *array, Sym name, Node *block);
/// Lays out the leaves of a caller's array of records as C does, starting at index `first`. The
/// names of their buffers begin with `name`.
void layout_records(Flat *f, Memory *m, int first, Node *array, const char *name);
/// Gives a leaf a layout whose strides are parameters.
void layout_strided(Flat *f, Leaf *leaf);
/// Returns the body of an entry with strided arrays in two versions, selected by a test: one where
/// the last stride of each array is 1 and does not appear in positions, and one for any strides.
Node *layout_versions(Flat *f, const LoopEntry *e, Node *body);
/// The position of an element of a leaf that has a layout.
Node *layout_position(Flat *f, const Layout *y, Node *const *indices, int rank);

// --- from_blocks.c: statements, facts, sizes ----------------------------------------------------

void flat_open(Flat *f, Block *b);
/// Leaves a block and returns its statements as one LOOP_BLOCK.
Node *flat_close(Flat *f, Block *b);
void flat_emit(Flat *f, Node *statement);
/// Creates a node with the current origin.
Node *flat_make(Flat *f, const NodeSpec *spec);
/// Creates a node of this kind with the current origin. `name` may be NULL.
Node *flat_node(Flat *f, Kind kind, Sym name, int n, Node *const *ops);
/// Adds a statement of this kind to the current block.
void flat_add(Flat *f, Kind kind, Sym name, int n, Node *const *ops);
void flat_add_if(Flat *f, Node *condition, Node *then, Node *otherwise);
/// Emits `name := value` for a local.
void flat_set(Flat *f, Sym name, Node *value);

/// The type of a value in memory, which is i64 for an idx.
Node *flat_type(Flat *f, Node *type);
/// A new name derived from `base`.
Sym flat_fresh(Flat *f, const char *base);
/// Declares a local. `value` is NULL if it has no initial value.
void flat_declare(Flat *f, Sym name, Node *type, Node *value);
/// The current value of a local.
Node *flat_local(Flat *f, Sym name, Node *type);

/// The class of a name that appears in sizes.
NameClass flat_class(void *flat, Sym name);

/// A DPIA scalar expression as a size, or NULL if it is not a size or may wrap.
Node *flat_size_of(Flat *f, Node *e);

/// Adds the facts about a name of this DPIA type. `size` is its value, or NULL if it is not a size.
void flat_learn(Flat *f, Sym name, Node *type, Node *size);
/// Adds the facts that follow if a Loop IR condition has the value `holds`.
void flat_learn_condition(Flat *f, Node *condition, bool holds);

/// The size, simplified under the current facts.
Node *flat_simplify(Flat *f, Node *size);
/// The simplified size as an expression of type i64.
Node *flat_size_value(Flat *f, Node *size);
/// Returns the local that holds this size or load in the current block or an enclosing one, or NULL
/// if there is none.
Node *flat_find_shared(Flat *f, Node *e);
/// The size as an expression of type idx[n].
Node *flat_index(Flat *f, Node *size, Node *n);
/// An equal size that is cheap to repeat: the size itself or a local.
Node *flat_share(void *flat, Node *size);

/// Returns condition ? va : vb, for scalars that the blocks `a` and `b` compute. These blocks are
/// not closed yet. The result is a select if both blocks are empty, otherwise a local that both
/// set.
Node *flat_join(Flat *f, Node *condition, Block *a, Node *va, Block *b, Node *vb);

/// Makes blocks in the body of a function wait for the tasks that use their memory (join_tasks.c).
Node *loops_join_tasks(Session *cx, Node *body);

#endif
