// Inside the translation from DPIA to Loop IR: the state, and the flat memory behind names.
//
// A name of DPIA is either memory (parameters, the result, COM_NEW), stored as one buffer or local
// for each scalar leaf of its type, or an integer or scalar that never changes (loop indices,
// COM_LET, scalar parameters). The latter occur in sizes as NAT_VAR of their own name: i64 ones may
// be negative, which the facts say.
#ifndef ADZE_LOOPS_LOWER_FROM_DPIA_H
#define ADZE_LOOPS_LOWER_FROM_DPIA_H

#include "loops/ir/statements.h"

/// Where the scalars of a leaf lie in a buffer that it shares with others: at the sum of indices times strides, and the offset. Of the
/// index of the dimension `blocked` block and number in the block count by themselves: block times stride, number times one.
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
    const Layout *layout;     // NULL: row-major, in a buffer of its own
    bool later;               // the buffer is that of a leaf before
    Sym *strides;             // of the caller: their names, one for each dimension; NULL: none
    const LoopRecord *record; // of the caller, in which it lies; NULL: in none
    const char *path;         // the member of it
} Leaf;

/// Where the memory of a name is.
typedef enum {
    STORE_INPUT, // never written: rank 0 is a value
    STORE_OUTPUT,
    STORE_LOCAL // rank 0 is a local variable
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
    const Phrase *entry; // what has the functions that are called
    Block *block;
    Map memory;      // Sym -> Memory
    Map integers;    // Sym of an i64 that may have any value
    Map sizes;       // Sym of a size parameter -> that; of an i64 that is a size -> that
    Lengths lengths; // of the parameters and the result
    Map inputs;      // Sym of a buffer that is only read
    Map table_of;    // array literal that is a constant table -> Memory
    Stmts tables;    // their declarations
    Map taken;       // Sym -> not NULL: names in use
    int lockstep;    // loops around whose iterations come in any order
    bool undefined;  // it has arrays that begin without values (LoopEntry.undefined)
    bool outside; // whether this is the entry: its parameters and its result are those of a caller
    Span origin;
} Flat;

// --- from_dpia.c --------------------------------------------------------------------------------

Node *flat_expr(Flat *f, Node *e);

// --- from_lanes.c: vectors, lane by lane --------------------------------------------------------

/// The lane that `path` leads to, of an expression that is made of vectors lane by lane.
Node *flat_lane(Flat *f, Node *e, Path *path);
/// `d := e` for vectors: a loop over the lanes.
void flat_assign_lanes(Flat *f, Node *d, Node *e);
/// The expressions over whole vectors that give a scalar.
Node *flat_extract(Flat *f, Node *e);
Node *flat_across(Flat *f, Node *e); // any, all, count

// --- from_dpia.c --------------------------------------------------------------------------------

/// The statements of a command into the current block, `last` when nothing follows them there; as a
/// block of their own, in which the condition (or NULL) holds or does not.
void flat_command(Flat *f, Node *c, bool last);
Node *flat_block(Flat *f, Node *c, Node *condition, bool holds);

/// Memory to the end of the current block.
void flat_alloc(Flat *f, Variant space, Sym name, Node *type, Node *count);

// --- from_control.c -----------------------------------------------------------------------------

void flat_label(Flat *f, Node *c);
void flat_forever(Flat *f, Node *c);
void flat_range(Flat *f, Node *c);
void flat_spawn(Flat *f, Node *c);
void flat_call(Flat *f, Node *c);

// --- from_paths.c: views vanish -----------------------------------------------------------------

/// The scalar at `path` in the value of a DPIA expression.
Node *flat_read(Flat *f, Node *e, Path *path);

/// Writes the value of `e` to the place `path` of an acceptor.
void flat_write(Flat *f, Node *acceptor, Path *path, Node *e);

/// An integer expression of DPIA as a size: what is none becomes a local.
Node *flat_size(Flat *f, Node *e);

// --- from_memory.c: leaves ----------------------------------------------------------------------

/// The memory of a name, NULL for a value that never changes.
const Memory *memory_find(Flat *f, Sym name);
/// No leaf gets this name from now on.
void memory_reserve(Flat *f, Sym name);
/// Makes the leaves of a name of this type; their names are `name`, or with components `name_0`,
/// `name_field`.
Memory *memory_add(Flat *f, Sym name, Node *type, StoreClass class);
/// The same of a parameter or the result of an entry, as the caller has it; `value`: structs come
/// by value; `strided`: whether the caller gives strides, of the value or, when that is a tuple, of
/// each component; NULL: of none.
Memory *memory_add_outside(Flat *f, Sym name, Node *type, StoreClass class, bool value,
                           const bool *strided);
/// The same with a layout (from_layout.c) of blocks of so many elements; NULL: without.
Memory *memory_add_local(Flat *f, Sym name, Node *type, Node *block);
/// How many leaves a value of the type has.
int leaf_count(Node *type);
/// A name for leaves like `text`.
Sym leaf_name(Flat *f, const char *text);
/// The leaf at `path`, and the indices of the path (rank many) in *indices.
const Leaf *memory_leaf(Flat *f, const Memory *m, Path *path, Node ***indices);
/// Position of an element.
Node *leaf_position(Flat *f, const Leaf *leaf, Node *const *indices);
/// Reading and writing an element.
Node *leaf_load(Flat *f, const Memory *m, const Leaf *leaf, Node *const *indices);
void leaf_store(Flat *f, const Memory *m, const Leaf *leaf, Node *const *indices, Node *value);

// --- from_table.c ---------------------------------------------------------------------------------

/// The memory of an array literal that is a constant table; NULL when it is none.
const Memory *memory_of_table(Flat *f, Node *array);
/// The body of a function, with the tables that it reads declared before.
Node *flat_with_tables(Flat *f, Node *body);

// --- from_layout.c --------------------------------------------------------------------------------

/// Whether the elements of the array, or of arrays in it, are tuples or structs.
bool layout_has_records(Node *array);
/// Lays the leaves of such an array out, those from number `first` on: `name` is for a buffer that all of them share.
void layout_leaves(Flat *f, Memory *m, int first, Node *array, Sym name, Node *block);
/// Lays out the leaves from number `first` on of arrays of records of the caller, as C does. Their
/// buffers are called after `name`.
void layout_records(Flat *f, Memory *m, int first, Node *array, const char *name);
/// Lays out a leaf as its strides say, which are parameters.
void layout_strided(Flat *f, Leaf *leaf);
/// The body of an entry, whose positions are over its strides, in two versions: where elements of
/// the last dimension of all its strided arrays are side by side, which is tested, positions know
/// it.
Node *layout_versions(Flat *f, const LoopEntry *e, Node *body);
/// Position of an element of a leaf that has a layout.
Node *layout_position(Flat *f, const Layout *y, Node *const *indices, int rank);

// --- from_blocks.c: statements, facts, sizes ----------------------------------------------------

void flat_open(Flat *f, Block *b);
/// Leaves a block; its statements as one LOOP_BLOCK.
Node *flat_close(Flat *f, Block *b);
void flat_emit(Flat *f, Node *statement);
/// A node with the current origin; one of this kind, name (or NULL) and operands; such a statement
/// into the current block.
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
/// A declaration: of a local with a value, or (value NULL) without.
void flat_declare(Flat *f, Sym name, Node *type, Node *value);
/// The current value of a local.
Node *flat_local(Flat *f, Sym name, Node *type);

/// What a name stands for in a size.
NameClass flat_class(void *flat, Sym name);

/// A scalar expression of DPIA as a size, when it is one that does not wrap; else NULL.
Node *flat_size_of(Flat *f, Node *e);

/// What is known of a name of this DPIA type and (or NULL) value.
void flat_learn(Flat *f, Sym name, Node *type, Node *size);
/// What is known where a condition of Loop IR holds (or does not).
void flat_learn_condition(Flat *f, Node *condition, bool holds);

/// The size simplified by what is known here; as an i64.
Node *flat_simplify(Flat *f, Node *size);
Node *flat_size_value(Flat *f, Node *size);
/// The local of an enclosing block that holds this size, or NULL.
Node *flat_find_shared(Flat *f, Node *e);
/// The size as an expression of type idx[n].
Node *flat_index(Flat *f, Node *size, Node *n);
/// A size that is cheap to repeat.
Node *flat_share(void *flat, Node *size);

/// condition ? a : b for scalars computed in the open-ended blocks: a select when they have no
/// statements, else a local.
Node *flat_join(Flat *f, Node *condition, Block *a, Node *va, Block *b, Node *vb);

/// The body of a function; blocks wait for the tasks that use their memory.
Node *loops_join_tasks(Session *cx, Node *body);

#endif
