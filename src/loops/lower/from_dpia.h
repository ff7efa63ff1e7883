// Internals of the translation from DPIA to Loop IR: its state, and the flat memory of names.
//
// A name of DPIA is either memory (parameters, the result, COM_NEW), stored as one buffer or local
// for each scalar leaf of its type, or a scalar that never changes (loop indices, COM_LET, scalar
// parameters). In sizes such a scalar is a NAT_VAR of its own name; the facts say which of them may
// be negative.
#ifndef ADZE_LOOPS_LOWER_FROM_DPIA_H
#define ADZE_LOOPS_LOWER_FROM_DPIA_H

#include "loops/ir/statements.h"

/// The positions of the scalars of a leaf in a buffer that it shares with others: the sum of
/// indices times strides, and the offset. In dimension `blocked`, the number of the block is
/// multiplied by the stride, and the number within the block by 1.
typedef struct {
    Node **strides;
    Node *offset;
    int blocked;
    Node *block; // elements in a block
} Layout;

/// One scalar leaf of a value in memory.
typedef struct {
    Sym name;
    Node *type; // as DPIA has it: a scalar or idx[n]
    bool lanes; // the last dimension is that of a vector
    int rank;
    Node **dims;
    Node *count;              // of the buffer
    const Layout *layout;     // NULL if row-major, in a buffer of its own
    bool later;               // the buffer is that of an earlier leaf
    Sym *strides;             // names of the caller's strides, one for each dimension; or NULL
    const LoopRecord *record; // the record of the caller that contains it, or NULL
    const char *path;         // the member of the record
} Leaf;

/// The storage class of a name.
typedef enum {
    STORE_INPUT, // never written; a value if of rank 0
    STORE_OUTPUT,
    STORE_LOCAL // a local variable if of rank 0
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
    Map shared; // id of a size or an element of an input -> NAT_VAR of the local that holds it
    VEC(Node *) statements;
};

typedef struct {
    Session *cx;
    Arena *arena;
    const Phrase *entry; // contains the functions that are called
    Block *block;
    Map memory;      // Sym -> Memory
    Map integers;    // Sym of an i64 that may have any value -> not NULL
    Map sizes;       // Sym of a size parameter, or of an i64 that is a size -> the size
    Lengths lengths; // of the parameters and the result
    Map inputs;      // Sym of a buffer that is only read
    Map table_of;    // array literal that is a constant table -> Memory
    Stmts tables;    // their declarations
    Map taken;       // Sym -> not NULL for names in use
    int lockstep;    // enclosing loops whose iterations run in any order
    bool undefined;  // it has arrays that begin without values (LoopEntry.undefined)
    bool outside;    // whether this is the entry, whose parameters and result are a caller's
    Span origin;
} Flat;

// --- from_dpia.c --------------------------------------------------------------------------------

Node *flat_expr(Flat *f, Node *e);

// --- from_lanes.c: vectors, lane by lane --------------------------------------------------------

/// The lane at `path` of an expression that computes each lane from the same lane of its operands.
Node *flat_lane(Flat *f, Node *e, Path *path);
/// Emits `d := e` for vectors: a loop over the lanes.
void flat_assign_lanes(Flat *f, Node *d, Node *e);
/// Scalars from vectors: one lane; any, all, count.
Node *flat_extract(Flat *f, Node *e);
Node *flat_across(Flat *f, Node *e);

// --- from_dpia.c --------------------------------------------------------------------------------

/// Adds the statements of a command to the current block (`last` if none follow), or as a block of
/// their own, in which the condition (or NULL) holds or does not.
void flat_command(Flat *f, Node *c, bool last);
Node *flat_block(Flat *f, Node *c, Node *condition, bool holds);

/// Allocates memory, up to the end of the current block.
void flat_alloc(Flat *f, Variant space, Sym name, Node *type, Node *count);

// --- from_control.c -----------------------------------------------------------------------------

void flat_label(Flat *f, Node *c);
void flat_forever(Flat *f, Node *c);
void flat_range(Flat *f, Node *c);
void flat_spawn(Flat *f, Node *c);
void flat_call(Flat *f, Node *c);

// --- from_paths.c: views become positions --------------------------------------------------------

/// The scalar at `path` in the value of a DPIA expression.
Node *flat_read(Flat *f, Node *e, Path *path);

/// Writes the value of `e` to `path` in an acceptor.
void flat_write(Flat *f, Node *acceptor, Path *path, Node *e);

/// An integer expression of DPIA as a size, through a local if necessary.
Node *flat_size(Flat *f, Node *e);

// --- from_memory.c: leaves ----------------------------------------------------------------------

/// The memory of a name, NULL for a value that never changes.
const Memory *memory_find(Flat *f, Sym name);
/// Reserves the name, so that no leaf gets it.
void memory_reserve(Flat *f, Sym name);
/// Makes the leaves of a name of this type; their names are `name`, or with components `name_0`,
/// `name_field`.
Memory *memory_add(Flat *f, Sym name, Node *type, StoreClass class);
/// The same for a parameter or the result of an entry, in the caller's layout. `value`: whether
/// structs are passed by value. `strided`: whether the caller passes strides, one flag for the
/// value or, if it is a tuple, for each component; NULL if it passes none.
Memory *memory_add_outside(Flat *f, Sym name, Node *type, StoreClass class, bool value,
                           const bool *strided);
/// The same with a layout (from_layout.c) in blocks of `block` elements; without one if NULL.
Memory *memory_add_local(Flat *f, Sym name, Node *type, Node *block);
/// The number of leaves of a value of the type.
int leaf_count(Node *type);
/// A new name for leaves, like `text`.
Sym leaf_name(Flat *f, const char *text);
/// The leaf at `path`, and in *indices the indices of the path, as many as its rank.
const Leaf *memory_leaf(Flat *f, const Memory *m, Path *path, Node ***indices);
/// The position of an element.
Node *leaf_position(Flat *f, const Leaf *leaf, Node *const *indices);
/// Reading and writing an element.
Node *leaf_load(Flat *f, const Memory *m, const Leaf *leaf, Node *const *indices);
void leaf_store(Flat *f, const Memory *m, const Leaf *leaf, Node *const *indices, Node *value);

// --- from_table.c --------------------------------------------------------------------------------

/// The memory of an array literal that is a constant table; NULL if it is not one.
const Memory *memory_of_table(Flat *f, Node *array);
/// The body of a function, after the declarations of the tables that it reads.
Node *flat_with_tables(Flat *f, Node *body);

// --- from_layout.c -------------------------------------------------------------------------------

/// Whether the elements of the array, or of an array in it, are tuples or structs.
bool layout_has_records(Node *array);
/// Lays out the leaves of an array of records, from number `first` on; a buffer that all of them
/// share gets the name `name`.
void layout_leaves(Flat *f, Memory *m, int first, Node *array, Sym name, Node *block);
/// Lays out the leaves from number `first` on of arrays of records of the caller, as C does. The
/// names of their buffers begin with `name`.
void layout_records(Flat *f, Memory *m, int first, Node *array, const char *name);
/// Lays out a leaf by strides that are parameters.
void layout_strided(Flat *f, Leaf *leaf);
/// The body of an entry with strided arrays in two versions, selected by a test: one where the last
/// stride of each is 1, in which positions do not contain it, and one for any strides.
Node *layout_versions(Flat *f, const LoopEntry *e, Node *body);
/// The position of an element of a leaf that has a layout.
Node *layout_position(Flat *f, const Layout *y, Node *const *indices, int rank);

// --- from_blocks.c: statements, facts, sizes ----------------------------------------------------

void flat_open(Flat *f, Block *b);
/// Leaves a block; returns its statements as one LOOP_BLOCK.
Node *flat_close(Flat *f, Block *b);
void flat_emit(Flat *f, Node *statement);
/// Makes a node with the current origin; makes one of this kind, name (or NULL) and operands; adds
/// such a statement to the current block.
Node *flat_make(Flat *f, const NodeSpec *spec);
Node *flat_node(Flat *f, Kind kind, Sym name, int n, Node *const *ops);
void flat_add(Flat *f, Kind kind, Sym name, int n, Node *const *ops);
void flat_add_if(Flat *f, Node *condition, Node *then, Node *otherwise);
/// name := value, for a local.
void flat_set(Flat *f, Sym name, Node *value);

/// The type of a value in memory: i64 for idx.
Node *flat_type(Flat *f, Node *type);
/// A new name like `base`.
Sym flat_fresh(Flat *f, const char *base);
/// Declares a local, with a value or (`value` NULL) without.
void flat_declare(Flat *f, Sym name, Node *type, Node *value);
/// The current value of a local.
Node *flat_local(Flat *f, Sym name, Node *type);

/// The class of a name in sizes.
NameClass flat_class(void *flat, Sym name);

/// A scalar expression of DPIA as a size; NULL if it is not a size or may wrap.
Node *flat_size_of(Flat *f, Node *e);

/// Adds the facts about a name of this DPIA type and (or NULL) value.
void flat_learn(Flat *f, Sym name, Node *type, Node *size);
/// Adds the facts that follow from a condition of Loop IR that holds (or does not).
void flat_learn_condition(Flat *f, Node *condition, bool holds);

/// The size simplified by the facts; as an i64.
Node *flat_simplify(Flat *f, Node *size);
Node *flat_size_value(Flat *f, Node *size);
/// The local of an enclosing block that holds this size, or NULL.
Node *flat_find_shared(Flat *f, Node *e);
/// The size as an expression of type idx[n].
Node *flat_index(Flat *f, Node *size, Node *n);
/// An equal size that is cheap to repeat: itself, or a local.
Node *flat_share(void *flat, Node *size);

/// condition ? a : b for scalars whose statements are in two blocks that are still open: a select
/// if both blocks are empty, else a local that both set.
Node *flat_join(Flat *f, Node *condition, Block *a, Node *va, Block *b, Node *vb);

/// The body of a function in which blocks wait for the tasks that use their memory (join_tasks.c).
Node *loops_join_tasks(Session *cx, Node *body);

#endif
