// Internals of the translation from low Core to DPIA: its state, blocks, and readable values.
//
// The translation is in direct style. Shine writes con(e, k) and acc with continuations. Here a
// Block collects commands instead, and the scope of a binding (COM_LET, COM_NEW) is the rest of its
// block. con() emits the commands that its value depends on and returns the value. acc() opens a
// block, so that memory for one destination lives only until the command that fills the destination
// ends.
//
// Nothing is computed twice. COM_LET binds a scalar that a body uses more than once. It also binds
// the scalars of each element of a delayed array that is used more than once (`shared`), and the
// block that computed the element remembers it. At that point it is not known whether the element
// will be read again, so these locals are tentative and are removed at the end of the block if it
// is not.
#ifndef ADZE_DPIA_FROM_CORE_H
#define ADZE_DPIA_FROM_CORE_H

#include "base/link.h"
#include "dpia/ir/dpia.h"
#include "views/views.h"

/// How a value can be read.
typedef enum {
    READ_PHRASE,   // a DPIA expression: memory with views on top, or a scalar
    READ_TUPLE,    // a tuple or struct of `parts`
    READ_MAP,      // delayed: the function core->op[0] under env, applied to an element of parts[0]
    READ_GENERATE, // delayed: the function core->op[1] under env
    READ_VIEW, // the view `core`, at `path`, of `parts`, some of which are delayed (NULL for sizes
               // and functions)
    READ_CHOICE, // parts[0] at `path` if `phrase` holds, else parts[1] at `other`
    READ_RING,   // a window of the ring in memory `phrase`: element j is at (shift + j) modulo the
                 // ring's length, where shift is less than that; the first elements are also in
                 // `parts`
    READ_PLACE,  // a reference, read as `phrase` and written as `acceptor`
    READ_LABEL   // a continuation: the value of `label` goes to `acceptor` (NULL for ())
} ReadKind;

typedef const struct Readable Readable;
typedef const struct Env Env;

struct Readable {
    ReadKind kind;
    Node *type;
    Node *phrase;
    Node *core;
    Env *env;
    int nparts;
    Readable **parts;
    Node *shift; // offset of a rotate, or of a window in a ring
    Path *path, *other;
    Node *acceptor;
    Sym label;
    uint32_t shared; // for a delayed value used more than once, the number under which blocks
                     // remember its elements; otherwise 0
};

/// The values of the de Bruijn variables, innermost first.
struct Env {
    Link link;
    Readable *value;
};

/// A command of a block, or a binding (COM_LET or COM_NEW) whose scope is the rest of the block.
typedef struct {
    Kind binds; // KIND_NONE for a command
    Node *node; // the command, the expression (COM_LET) or the type (COM_NEW)
    Sym name;
    Variant space;
    Node *block;    // for a COM_NEW with a layout, its elements per block; otherwise NULL
    bool tentative; // a COM_LET that is needed only if the value is read again
    Span origin;
} Item;

typedef struct Block Block;
struct Block {
    Block *outer;
    Facts *facts; // ranges of the block's loop indices and integer locals
    Map elements; // the elements of shared values that the block has computed
    Map indices;  // integers that read no memory -> the locals that size_of made for them
    VEC(Item) items;
};

/// The state of one translation.
typedef struct Tr Tr;
struct Tr {
    Session *cx;
    Arena *arena;
    // Translates a term of any kind to a readable value (from_con.c).
    Readable *(*con)(Tr *t, Node *e, Env *env);
    // Translates a term of any kind into a destination (from_core.c).
    void (*acc)(Tr *t, Node *e, Env *env, Node *d);
    Block *block;
    Map index_types; // Sym of a loop index or an idx local -> its type
    Map memory;      // Sym of memory that can be read and written -> its type
    Map blocks;      // Sym of memory with a layout -> its elements per block
    Map cells;       // memory that may be written after a read: cells and references
    Map references;  // Syms of parameters that are references, two of which may alias
    Map passed;      // Syms of names passed to functions in memory, so they must not be propagated
    Map integers;    // Syms of i64 names that may have any value
    Map sizes;       // Sym of a size parameter, or of an i64 that is a size -> that size
    Lengths lengths; // the element counts of the parameters and the result
    Map block_names; // 1 + id of a command that was a block -> its BlockNames (from_lets.c)
    Map exact;       // a cast of a range's index that preserves its value -> the index
    int loop_depth;
    int lockstep; // the number of enclosing loops whose iterations may run in any order
    Sym helpers;  // the size that holds the number of worker threads besides this one, or NULL
    uint32_t nshared;
    Sym out;     // the name of the result
    Span origin; // position of the low Core term being translated
};

// --- from_core.c: write e into d ----------------------------------------------------------------

Node *acc(Tr *t, Node *e, Env *env, Node *d);
void acc_into(Tr *t, Node *e, Env *env, Node *d);  // emits into the current block
void acc_block(Tr *t, Node *e, Env *env, Node *d); // emits into a block of its own

/// Fills the acceptor with the value, with a loop for each array and an assignment for each scalar.
void copy_into(Tr *t, Readable *from, Node *d);

/// The part [offset, offset + length) of a destination.
Node *acceptor_of_part(Tr *t, Node *d, Node *offset, Node *length);

/// Returns a low Core view with holes in place of its data operands. Evaluates its integer operand.
Node *put_of_view(Tr *t, Node *view, Env *env);
/// The destination of the operand of a CORE_PROJ or CORE_INDEX whose result is written to d.
Node *put_of_part(Tr *t, Node *e, Env *env, Node *d);

// --- from_choice.c: tuples and structs at the leaves of conditionals -----------------------------

/// Translates a chain of CORE_IF whose leaves have many components, as acc does. Components that
/// most leaves share are written before the chain. Returns false for any other term.
bool acc_choice(Tr *t, Node *e, Env *env, Node *d);
/// Like acc_choice, but for con. Returns NULL for any other term.
Readable *con_choice(Tr *t, Node *e, Env *env);

// --- from_put.c: destination views with commands of their own, and map.dst ----------------------

void acc_map_dst(Tr *t, Node *e, Env *env, Node *d);
void acc_pad(Tr *t, Node *e, Env *env, Node *d);
void acc_repeat(Tr *t, Node *e, Env *env, Node *d);

// --- from_stream.c: arrays that a loop traverses once, in order ---------------------------------

/// New memory: its acceptor for writes, and its value for reads.
typedef struct {
    Sym name;
    Node *d;
    Readable *value;
} Memory;

/// A stream over a slide with a window or a ring, an eager map or generate, or any readable array.
typedef struct Stream Stream;
struct Stream {
    Readable *xs; // the array read at each index, or the one under a window or ring
    Node *e;      // the slide, map or generate; NULL if the stream is xs
    Env *env;
    Stream *inner;      // the argument of an eager map
    Memory memory;      // a window or a ring
    Node *kept, *fresh; // how many elements of the last window a step keeps, and how many it loads
};

/// Emits the stream's setup code, which runs before the loop.
void stream_open(Tr *t, Stream *s, Node *e, Env *env);
/// Like stream_open, but the loop also computes the elements of an eager map one by one, as it
/// reaches them.
void stream_open_in_turn(Tr *t, Stream *s, Node *e, Env *env);
/// Like stream_open, but for a loop whose iterations may run in any order. No step can keep an
/// element for the next one, so the whole array takes the place of a ring.
void stream_open_any(Tr *t, Stream *s, Node *e, Env *env);
/// Returns the element at the index. Must be called in the loop, in order, starting at index 0.
Readable *stream_next(Tr *t, Stream *s, Node *index);
/// Whether advancing the stream may read the old value of d.
bool stream_reads(Tr *t, Stream *s, Node *d);

// --- from_control.c: labels, jumps, loops that are not patterns ----------------------------------

Readable *con_label(Tr *t, Node *e, Env *env);
void acc_label(Tr *t, Node *e, Env *env, Node *d);
Readable *con_jump(Tr *t, Node *e, Env *env);
Readable *con_forever(Tr *t, Node *e, Env *env);
Readable *con_range(Tr *t, Node *e, Env *env); // range, parallel, vectorize
Readable *con_spawn(Tr *t, Node *e, Env *env);
Readable *con_sync(Tr *t, Node *e, Env *env);
Readable *con_prefetch(Tr *t, Node *e, Env *env);
Readable *con_assert(Tr *t, Node *e, Env *env);

/// Whether the type is () or !, which have no value to store.
bool is_nothing(Node *type);
Readable *readable_nothing(Tr *t, Node *type);

// --- from_state.c: locations, calls -------------------------------------------------------------

Readable *con_cell(Tr *t, Node *e, Env *env, const char *hint);
Readable *con_reference(Tr *t, Node *e, Env *env); // ref_at, ref_proj, ref_slice, borrow
Readable *con_get(Tr *t, Node *e, Env *env);
Readable *con_put(Tr *t, Node *e, Env *env);
Readable *con_call(Tr *t, Node *e, Env *env);
void acc_call(Tr *t, Node *e, Env *env, Node *d);

/// A location of this type that is read as `phrase` and written as d.
Readable *readable_place(Tr *t, Node *type, Node *phrase, Node *d);

/// Returns an undefined value: 0 for a scalar, uninitialised memory for an array.
Readable *con_undefined(Tr *t, Node *type);

/// Returns a location of type `ref` that refers to all of the memory `name`.
Readable *place_of_memory(Tr *t, Node *ref, Sym name);

// --- from_fold.c: patterns with an accumulator --------------------------------------------------

/// Translates a reduce, fold or iterate without arrays in the accumulator, and returns the local
/// memory that holds the result.
Readable *con_carried(Tr *t, Node *e, Env *env);
/// Like con_carried, but for an accumulator with arrays, whose result goes to d.
void acc_reduction(Tr *t, Node *e, Env *env, Node *d);
void acc_iterate(Tr *t, Node *e, Env *env, Node *d);

/// The parts of a pattern with an accumulator: f, the initial value z, the array xs (NULL for
/// iterate) and the trip count n.
typedef struct {
    Node *f, *z, *xs, *n;
    Node *pattern; // its variant becomes the loop's
} Carried;
Carried carried_of(Node *e);

/// Emits d := f(old, x_i), or f(old) for iterate.
void carried_step(Tr *t, const Carried *c, Env *env, Readable *old, Stream *xs, Node *index,
                  Node *d);

/// Whether a step is short enough to be translated `times` times.
bool is_short_step(const Carried *c, int times);

/// If the initial value is a copy, evaluates the copied term and returns its value without copying
/// it. Otherwise returns NULL.
Readable *read_initial(Tr *t, const Carried *c, Env *env);

/// Whether a step can read the initial value while it writes d, because that value is in memory
/// other than d.
bool is_there(Tr *t, Readable *z, Node *d);

/// Allocates two buffers for values of a type.
Memory new_buffers(Tr *t, Node *type);
/// Returns the buffer that holds the value after `steps` steps, for reading.
Readable *buffer_read(Tr *t, const Memory *b, Node *steps);
/// Returns the same buffer as a destination.
Node *buffer_write(Tr *t, const Memory *b, Node *steps);

/// Writes the initial value to d. `z` is what read_initial returned for it.
void write_initial(Tr *t, const Carried *c, Env *env, Readable *z, Node *d);

/// Whether d can hold the accumulator: no step reads the old value of d, and d can be read back, as
/// *value.
bool can_carry(Tr *t, const Carried *c, Env *env, Stream *xs, Node *d, Readable **value);

// --- fill.c -------------------------------------------------------------------------------------

/// Sets every scalar of d to 0, false or the first index.
void fill_zero(Tr *t, Node *d);
/// Leaves the memory undefined, or sets it to zero if C code must not copy it undefined: a bool
/// must have a value, and C compilers warn about copies of small undefined arrays.
void leave_undefined(Tr *t, Node *d);

// --- from_scan.c --------------------------------------------------------------------------------

void acc_scan(Tr *t, Node *e, Env *env, Node *d);
void acc_scatter(Tr *t, Node *e, Env *env, Node *d);

// --- from_regroup.c -----------------------------------------------------------------------------

/// Whether a reduction or scan is computed in chunks or as a vector. It is never computed in chunks
/// inside a parallel loop, nor as a vector with more lanes than the array has elements.
bool is_regrouped(const Tr *t, Node *e);
Readable *con_regrouped(Tr *t, Node *e, Env *env); // reduce
void acc_regrouped(Tr *t, Node *e, Env *env, Node *d);
void acc_scan_par(Tr *t, Node *e, Env *env, Node *d);
void acc_scan_vec(Tr *t, Node *e, Env *env, Node *d); // for elements without arrays

// --- from_back.c: reading back what was written -------------------------------------------------

/// Returns the value that was written to the destination. Returns NULL if it cannot be read back,
/// because elements are discarded or the destination is not memory.
Readable *read_back(Tr *t, Node *d);

/// Whether the value r may read the old contents of d, which is a cell, memory of a reference, or
/// an accumulator. If so, the read must precede the write.
bool is_read_by(Tr *t, Node *d, Readable *r);
/// Like is_read_by, but for the value of the term e under env.
bool is_read_in(Tr *t, Node *d, Node *e, Env *env);

/// Records that the memory of the destination may be written after a read.
void mark_cells(Tr *t, Node *d);

/// A block that may write the elements of a destination any number of times, and reads them back.
typedef struct {
    Block block;
    Node *d;
} Accumulate;
void accumulate_open(Tr *t, Accumulate *a, Node *d);
void accumulate_close(Tr *t, Accumulate *a);

// --- from_con.c: make e readable ----------------------------------------------------------------

Readable *con_by_kind(Tr *t, Node *e, Env *env); // Tr.con points to this function
Readable *con(Tr *t, Node *e, Env *env);

/// Adds a variable to the environment.
Env *env_push(Tr *t, Env *env, Readable *value);
Env *env_at(Env *env, int64_t index); // NULL if there are fewer variables

/// Returns the environment in the body of a let. The variable has the value `value`; if that is
/// NULL, the bound term is evaluated.
Env *bind_let(Tr *t, Node *let, Env *env, Readable *value);

/// Advances *e to the end of its let chain, and returns the environment there.
Env *bind_lets(Tr *t, Node **e, Env *env);

/// Advances *e, a let, to its body, and returns the environment there.
Env *bind_first_let(Tr *t, Node **e, Env *env);

/// The state of bind_lets_of. The bound term of a let with to_mem.inplace is written to d first, in
/// the block `accumulate`, which stays open; `any` is then set.
typedef struct {
    Node *d;
    bool any;
    Accumulate accumulate;
} Updates;
/// Like bind_lets, for a term that is written to u->d.
Env *bind_lets_of(Tr *t, Node **e, Env *env, Updates *u);

/// The offset of a VIEW_ROTATE as a size.
Node *rotation(Tr *t, Node *e, Env *env);

/// Returns the value of a literal lambda applied to these arguments. A scalar that the body uses
/// more than once becomes a local.
Readable *con_lambda(Tr *t, Node *lam, Env *env, Readable *const *args, int n);

/// The environment of a lambda's body.
Env *bind_args(Tr *t, Node *lam, Env *env, Readable *const *args, int n);

enum { MANY = 2 }; // a scalar with this many uses gets a local

/// Like bind_args, but only binds variable `index` of `body` to r. `hint` names the locals. A
/// scalar with at least `from` uses becomes a local. If `body` is NULL, all scalars count as used
/// MANY times.
Readable *bind_scalars(Tr *t, Readable *r, const char *hint, Node *body, int index, int from);

// --- from_read.c: reading -----------------------------------------------------------------------

Readable *read_at(Tr *t, Readable *array, Node *index);
Readable *read_component(Tr *t, Readable *r, int k);
Readable *read_path(Tr *t, Readable *r, Path *path);

/// Proves, or checks at run time (E0611), that the function `lam` of a permute maps `index` to
/// `back`. Both are below n.
void require_inverse(Tr *t, Node *lam, Env *env, Node *index, Node *back, Node *n);

/// A view of operands, some of which may be delayed.
Readable *read_view(Tr *t, Node *view, Env *env, Readable **parts, Node *shift);

/// Returns the value of `a` at pa if the condition holds, and that of `b` at pb if it does not.
Readable *read_choice(Tr *t, Node *condition, Readable *a, Path *pa, Readable *b, Path *pb);

/// Joins two closed blocks with the values va and vb: emits "if condition { write va } else { write
/// vb }", or returns a select if neither block has commands.
Readable *join_blocks(Tr *t, Node *condition, Block *a, Readable *va, Block *b, Readable *vb);

/// Returns a value equal to r that is meant to be read several times. A block computes each of its
/// elements only once.
Readable *readable_shared(Tr *t, Readable *r);

Readable *readable_new(Tr *t, const struct Readable *r);
Readable *readable_phrase(Tr *t, Node *phrase);
Readable *readable_tuple(Tr *t, Node *type, int n, Readable **parts);

/// condition ? a : b
Node *select_scalar(Tr *t, Node *condition, Node *a, Node *b);

/// The expression of a readable scalar or vector.
Node *scalar_of(Tr *t, Readable *r);

// --- from_build.c: blocks, builders, sizes -------------------------------------------------------

void block_open(Tr *t, Block *b);
void block_leave(Tr *t, Block *b);
Node *block_command(Tr *t, Block *b); // the commands of a block after block_leave
Node *block_close(Tr *t, Block *b);   // block_leave, then block_command

void emit(Tr *t, Node *command);
void emit_block(Tr *t, Block *b);       // closes a block and emits it, as a scope of its own
void emit_items(Tr *t, const Block *b); // merges a block, after block_leave, into the current one
void emit_tentative(Tr *t);             // marks the last local as needed only if it is read again
Node *emit_let(Tr *t, const char *hint, Node *value); // returns the local's PH_VAR
/// Allocates memory. If the space is VARIANT_ANY, the size of the type determines it.
Memory emit_new(Tr *t, const char *hint, Node *type, Variant space);
/// Whether a value of the type has a constant size of at most `most` bytes.
bool fits_bytes(Node *type, int64_t most);
/// con(e, k) = new t. acc(e, t) ; k(t): evaluates e into new memory.
Readable *con_in_memory(Tr *t, Node *e, Env *env, const char *hint, Variant space);
/// Allocates memory in blocks of `block` elements, in which all scalars of one component precede
/// those of the next. A NULL `block` means no layout.
Sym emit_new_in_blocks(Tr *t, const char *hint, Node *type, Variant space, Node *block);
void emit_check(Tr *t, DiagCode code, Node *condition);
void emit_assign(Tr *t, Node *acceptor, Node *value);
void emit_if(Tr *t, Node *condition, Node *then, Node *otherwise);

typedef struct {
    Block block;
    Sym name;
    Node *index; // as a size
    Node *n;
    Variant variant; // the loop's variant: ANY, unroll, par or vec
    Node *lanes;     // the number of lanes of a vec loop
} Loop;
void loop_open(Tr *t, Loop *l, Node *n);
/// Opens a loop over just the first of n elements: one iteration, or none if n = 0.
void loop_open_first(Tr *t, Loop *l, Node *n);
/// Gives the loop the pattern's variant.
void loop_as(Tr *t, Loop *l, Node *pattern);
/// Makes the loop parallel.
void loop_in_any_order(Tr *t, Loop *l);
/// Vectorises the loop.
void loop_in_lanes(Tr *t, Loop *l, Node *lanes);
void loop_close(Tr *t, Loop *l);
/// Opens a loop over the i64 values from `from` to `to` - 1.
void range_open(Tr *t, Loop *l, Node *from, Node *to);
/// Closes such a loop and returns its body.
Node *range_close(Tr *t, Loop *l);

Node *phrase_var(Tr *t, Sym name, Node *type);
Node *zero_of(Tr *t, Node *type); // the zero of a scalar or vector type
Node *acceptor_var(Tr *t, Sym name, Node *type);
Node *acceptor(Tr *t, Kind kind, int64_t attr, Node *type, int nops, Node *const *ops);
Node *acceptor_none(Tr *t, Node *type);
/// The destination of operand k of a view (from put_of_view) that is written to d. If the operand
/// is a slice of the result, its destination is a slice of d.
Node *acceptor_put(Tr *t, Node *view, int k, Node *d);
/// The destination of a value of this type whose component k goes to d. All other components are
/// discarded.
Node *acceptor_only(Tr *t, Node *type, int k, Node *d);
Node *acceptor_at(Tr *t, Node *d, Node *index);
Node *acceptor_part(Tr *t, Node *d, int k);

/// Records facts about a name that never changes: the range that its type implies, and its value
/// `size` unless that is NULL.
void learn_name(Tr *t, Sym name, Node *type, Node *size);

/// The size as an index into an array of n elements.
Node *index_phrase(Tr *t, Node *size, Node *n);
/// The size as an i64.
Node *size_phrase(Tr *t, Node *size);
/// a < b for sizes.
Node *less(Tr *t, Node *a, Node *b);

/// Returns an integer expression as a size. Returns NULL if it is too large, or if it depends on
/// anything but names that never change.
Node *size_of_phrase(Tr *t, Node *phrase);
/// Like size_of_phrase, but for an integer of any type.
Node *size_of_integer(Tr *t, Node *phrase);
/// Like size_of_phrase, but for any readable integer, and never NULL. An integer that is not a size
/// becomes a local. If the same expression occurs again and reads no memory, it reuses the local,
/// so that an index is not checked twice.
Node *size_of(Tr *t, Readable *r);
/// The local that this or an enclosing block has for an integer that reads no memory, or NULL.
Node *local_of_index(Tr *t, Node *phrase);

/// Whether arithmetic on the size stays within 64 bits.
bool is_length(Tr *t, Node *size);

/// Whether repeating the expression costs nothing.
bool is_cheap(Node *phrase);

/// Whether the type is a tuple or a struct.
bool is_aggregate(Node *type);

ViewContext view_context(Tr *t);

// --- from_lets.c: elimination of locals ---------------------------------------------------------

/// Removes unused locals from the first *n items of a block, and propagates tentative locals that
/// have one use. Sets *n to the number of remaining items, which stay in order, and returns the
/// names that they use.
const struct BlockNames *lets_needed(Tr *t, Item *items, int *n);

/// Returns `names` without the write to the memory `written`.
const struct BlockNames *names_read(Tr *t, const struct BlockNames *names, Sym written);

/// Whether the expression reads cells or memory behind references.
bool reads_cells(Tr *t, Node *e);

/// Returns the expression with the locals of the block propagated into it. Returns NULL unless the
/// block has only locals and each is used at most once.
Node *lets_propagated(Tr *t, const Block *b, Node *value);

/// Reports an internal compiler error if the condition does not hold.
#define TR_CHECK(t, condition, ...) CHECK((t)->cx, condition, __VA_ARGS__)

#endif
