// Inside the translation from low Core to DPIA: the state, blocks, and readable values.
//
// Direct style. Shine's con(e, k) and acc are written with continuations; here a Block collects
// commands, and the scope of a binding (COM_LET, COM_NEW) is the rest of the block that contains
// it, in place of a continuation. con() emits the commands that its value depends on and returns
// the value; acc() opens a block, so that the lifetime of memory for one destination ends with the
// command that fills it.
//
// Nothing is computed twice. A scalar that a body uses more than once is bound by COM_LET; so are
// the scalars of each element of a delayed array that is used more than once (`shared`), and the
// block that computed the element remembers it. Whether the element is read again is not known at
// that point, so the locals are tentative, and are removed at the end of the block if it is not.
#ifndef ADZE_DPIA_FROM_CORE_H
#define ADZE_DPIA_FROM_CORE_H

#include "base/link.h"
#include "dpia/ir/dpia.h"
#include "views/views.h"

/// How a value can be read.
typedef enum {
    READ_PHRASE,   // a DPIA expression: over memory, with views on top, or a scalar
    READ_TUPLE,    // its parts
    READ_MAP,      // delayed: function core->op[0] under env, parts[0] = the argument
    READ_GENERATE, // delayed: function core->op[1] under env
    READ_VIEW, // the view `core` of parts (NULL for sizes and functions), some of them delayed, at
               // `path`
    READ_CHOICE, // parts[0] at `path` if `phrase` holds, else parts[1] at `other`
    READ_RING,   // a window of a ring, the memory `phrase`: element j is at (shift + j) modulo the
                 // length of the ring, with shift below it; the first elements are in parts
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
    Node *shift; // offset of a rotate
    Path *path, *other;
    Node *acceptor;
    Sym label;
    uint32_t shared; // delayed and used more than once: the number under which blocks remember its
                     // elements; else 0
};

/// The values of the de Bruijn variables, innermost first.
struct Env {
    Link link;
    Readable *value;
};

/// One command of a block, or a binding of the rest of the block (kind COM_LET or COM_NEW).
typedef struct {
    Kind binds; // KIND_NONE for a command
    Node *node; // the command, the expression (COM_LET) or the type (COM_NEW)
    Sym name;
    Variant space;
    Node *block;    // elements in a block if a COM_NEW has a layout; else NULL
    bool tentative; // a COM_LET that is only needed if the value is read again
    Span origin;
} Item;

typedef struct Block Block;
struct Block {
    Block *outer;
    Facts *facts; // of the block: ranges of loop indices and integer locals
    Map elements; // of shared delayed arrays that the block has read
    VEC(Item) items;
};

/// The state of one translation.
typedef struct Tr Tr;
struct Tr {
    Session *cx;
    Arena *arena;
    // Translate a term of any kind to a readable value, and into a destination (from_con.c,
    // from_core.c).
    Readable *(*con)(Tr *t, Node *e, Env *env);
    void (*acc)(Tr *t, Node *e, Env *env, Node *d);
    Block *block;
    Map index_types; // Sym of a loop index or an idx local -> its type
    Map memory;      // Sym of memory made here -> its type: names that are read and written
    Map blocks;      // Sym of memory with a layout -> elements in a block
    Map cells;       // memory that may be written after a read: cells and references
    Map references;  // Sym of a parameter that is a reference: two of them may alias
    Map integers;    // Sym of an i64 that may have any value
    Map sizes;       // Sym of a size parameter, or of an i64 that is a size -> that size
    Lengths lengths; // of the parameters and the result
    Map block_names; // id of a command that was a block + 1 -> its BlockNames (from_lets.c)
    Map exact;       // a cast of the index of a range that does not change it -> the index
    int loop_depth;
    int lockstep; // the number of enclosing loops whose iterations may run in any order
    Sym helpers;  // the number of worker threads besides this one (NULL if not used)
    uint32_t nshared;
    Sym out;     // the result
    Span origin; // of the low term being translated
};

// --- from_core.c: write e into d ----------------------------------------------------------------

Node *acc(Tr *t, Node *e, Env *env, Node *d);
void acc_into(Tr *t, Node *e, Env *env, Node *d);  // emits into the block
void acc_block(Tr *t, Node *e, Env *env, Node *d); // emits in a block of its own

/// Fills the acceptor with the value: loops over arrays, an assignment for each scalar.
void copy_into(Tr *t, Readable *from, Node *d);

/// The part [offset, offset + length) of a destination.
Node *acceptor_of_part(Tr *t, Node *d, Node *offset, Node *length);

/// A view of low Core over holes; its integer operand is evaluated.
Node *put_of_view(Tr *t, Node *view, Env *env);
/// The destination of the operand of a CORE_PROJ or CORE_INDEX whose result is written to d.
Node *put_of_part(Tr *t, Node *e, Env *env, Node *d);

// --- from_choice.c: tuples and structs at the leaves of conditionals -----------------------------

/// acc and con of a chain of CORE_IF with many parts: parts common to most branches are written
/// before the chain. False and NULL for any other term.
bool acc_choice(Tr *t, Node *e, Env *env, Node *d);
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

/// A slide with a window or a ring, an eager map, or any readable array.
typedef struct Stream Stream;
struct Stream {
    Readable *xs; // read at each index; for a window, the array under it
    Node *e;      // the slide or map; NULL if the stream is xs
    Env *env;
    Stream *inner;      // of an eager map
    Memory memory;      // a window, or a ring
    Node *kept, *fresh; // elements of a window that the next step keeps, and loads
};

/// Emits the stream's setup code, which runs before the loop.
void stream_open(Tr *t, Stream *s, Node *e, Env *env);
/// The same, for a loop that takes the elements of an eager map one after the other.
void stream_open_in_turn(Tr *t, Stream *s, Node *e, Env *env);
/// For a loop in any order: no step can keep an element for the next, so a ring becomes the whole
/// array.
void stream_open_any(Tr *t, Stream *s, Node *e, Env *env);
/// In the loop, in order from index 0 on: the element at the index.
Readable *stream_next(Tr *t, Stream *s, Node *index);
/// Whether a step may read the old value of the destination.
bool stream_reads(Tr *t, Stream *s, Node *d);

// --- from_control.c: labels, jumps, loops that are not patterns ----------------------------------

Readable *con_label(Tr *t, Node *e, Env *env);
void acc_label(Tr *t, Node *e, Env *env, Node *d);
Readable *con_jump(Tr *t, Node *e, Env *env);
Readable *con_forever(Tr *t, Node *e, Env *env);
Readable *con_range(Tr *t, Node *e, Env *env); // range, parallel, vectorize
Readable *con_spawn(Tr *t, Node *e, Env *env);
Readable *con_sync(Tr *t, Node *e, Env *env);
Readable *con_assert(Tr *t, Node *e, Env *env);

/// Whether the type is () or !, which have no value to store.
bool is_nothing(Node *type);
Readable *readable_nothing(Tr *t, Node *type);

// --- from_state.c: places, calls ----------------------------------------------------------------

Readable *con_cell(Tr *t, Node *e, Env *env, const char *hint);
Readable *con_reference(Tr *t, Node *e, Env *env); // ref_at, ref_proj, ref_slice, borrow
Readable *con_get(Tr *t, Node *e, Env *env);
Readable *con_put(Tr *t, Node *e, Env *env);
Readable *con_call(Tr *t, Node *e, Env *env);
void acc_call(Tr *t, Node *e, Env *env, Node *d);

/// A place of this type, read as `phrase`, written as d.
Readable *readable_place(Tr *t, Node *type, Node *phrase, Node *d);

/// An undefined value: 0 for scalars, memory for arrays.
Readable *con_undefined(Tr *t, Node *type);

/// The place of type `ref` that is the whole memory `name`.
Readable *place_of_memory(Tr *t, Node *ref, Sym name);

// --- from_fold.c: patterns with an accumulator --------------------------------------------------

/// reduce, fold and iterate without arrays in the accumulator; gives the local with the result.
Readable *con_carried(Tr *t, Node *e, Env *env);
/// The same with arrays in the accumulator.
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

/// The initial value, evaluated here, if it is a copy; else NULL.
Readable *read_initial(Tr *t, const Carried *c, Env *env);

/// Whether a step can read the initial value while it writes d, because it is in memory other than
/// d.
bool is_there(Tr *t, Readable *z, Node *d);

/// Makes two buffers for values of a type; gives how to read and write the buffer that has the
/// value after `steps` steps.
Memory new_buffers(Tr *t, Node *type);
Readable *buffer_read(Tr *t, const Memory *b, Node *steps);
Node *buffer_write(Tr *t, const Memory *b, Node *steps);

/// d := the initial value, for which read_initial returned z.
void write_initial(Tr *t, const Carried *c, Env *env, Readable *z, Node *d);

/// Whether d can hold the accumulator, which is then read back as *value, because no step reads the
/// old value of d.
bool can_carry(Tr *t, const Carried *c, Env *env, Stream *xs, Node *d, Readable **value);

// --- from_scan.c --------------------------------------------------------------------------------

void acc_scan(Tr *t, Node *e, Env *env, Node *d);
void acc_scatter(Tr *t, Node *e, Env *env, Node *d);
/// Sets every scalar of d to 0, false or the first index.
void fill_zero(Tr *t, Node *d);

// --- from_regroup.c -----------------------------------------------------------------------------

/// Whether a reduction or scan is computed in chunks or lanes: not in chunks inside of a parallel
/// loop, and not in more lanes than the array has elements.
bool is_regrouped(const Tr *t, Node *e);
Readable *con_regrouped(Tr *t, Node *e, Env *env); // reduce
void acc_regrouped(Tr *t, Node *e, Env *env, Node *d);
void acc_scan_par(Tr *t, Node *e, Env *env, Node *d);
void acc_scan_vec(Tr *t, Node *e, Env *env, Node *d); // of elements without arrays

// --- from_back.c: reading back what was written -------------------------------------------------

/// The value that was written to the destination; NULL if it cannot be read back (elements are
/// discarded, or the destination is not memory).
Readable *read_back(Tr *t, Node *d);

/// Whether this value, or this term, may read the old value of the destination: a cell, memory of a
/// reference, or an accumulator. Then the read has to precede the write.
bool is_read_by(Tr *t, Node *d, Readable *r);
bool is_read_in(Tr *t, Node *d, Node *e, Env *env);

/// Records that the memory of the destination may be written after a read.
void mark_cells(Tr *t, Node *d);

/// A block that writes the elements of a destination any number of times, and reads them back.
typedef struct {
    Block block;
    Node *d;
} Accumulate;
void accumulate_open(Tr *t, Accumulate *a, Node *d);
void accumulate_close(Tr *t, Accumulate *a);

// --- from_con.c: make e readable ----------------------------------------------------------------

Readable *con_by_kind(Tr *t, Node *e, Env *env); // the function of the state, called by con
Readable *con(Tr *t, Node *e, Env *env);

/// Adds a variable to the environment.
Env *env_push(Tr *t, Env *env, Readable *value);
Env *env_at(Env *env, int64_t index); // NULL if there are fewer variables

/// The environment in the body of a let whose variable is `value`; if NULL, the bound term is
/// evaluated.
Env *bind_let(Tr *t, Node *let, Env *env, Readable *value);

/// Advances *e to the end of its let chain; returns the environment there.
Env *bind_lets(Tr *t, Node **e, Env *env);

/// Advances *e, a let, to its body; returns the environment there.
Env *bind_first_let(Tr *t, Node **e, Env *env);

/// bind_lets for a term that is written to d. A let with to_mem.inplace is written to d first, in a
/// block `accumulate` that stays open (then `any` is set).
typedef struct {
    Node *d;
    bool any;
    Accumulate accumulate;
} Updates;
Env *bind_lets_of(Tr *t, Node **e, Env *env, Updates *u);

/// The offset of a VIEW_ROTATE as a size.
Node *rotation(Tr *t, Node *e, Env *env);

/// The value of a literal lambda for these arguments. A scalar that the body uses more than once
/// becomes a local.
Readable *con_lambda(Tr *t, Node *lam, Env *env, Readable *const *args, int n);

/// The environment of a lambda's body.
Env *bind_args(Tr *t, Node *lam, Env *env, Readable *const *args, int n);

enum { MANY = 2 }; // a scalar with this many uses gets a local

/// As bind_args for variable `index` of `body`, with a name for its locals. A scalar with at least
/// `from` uses becomes a local (`from` is 1 for always).
Readable *bind_scalars(Tr *t, Readable *r, const char *hint, Node *body, int index, int from);

// --- from_read.c: reading -----------------------------------------------------------------------

Readable *read_at(Tr *t, Readable *array, Node *index);
Readable *read_component(Tr *t, Readable *r, int k);
Readable *read_path(Tr *t, Readable *r, Path *path);

/// Proves, or checks at run time (E0611), that a function of permute maps `index` to `back`, both
/// below n.
void require_inverse(Tr *t, Node *lam, Env *env, Node *index, Node *back, Node *n);

/// A view of operands, some of which may be delayed.
Readable *read_view(Tr *t, Node *view, Env *env, Readable **parts, Node *shift);

/// Gives the value of `a` if the condition holds, else that of `b`.
Readable *read_choice(Tr *t, Node *condition, Readable *a, Path *pa, Readable *b, Path *pb);

/// Emits "if condition { write a } else { write b }" for two closed blocks, or a select if both
/// have no commands.
Readable *join_blocks(Tr *t, Node *condition, Block *a, Readable *va, Block *b, Readable *vb);

/// The same value for several reads, with each of its elements computed only once in a block.
Readable *readable_shared(Tr *t, Readable *r);

Readable *readable_new(Tr *t, const struct Readable *r);
Readable *readable_phrase(Tr *t, Node *phrase);
Readable *readable_tuple(Tr *t, Node *type, int n, Readable **parts);

/// condition ? a : b
Node *select_scalar(Tr *t, Node *condition, Node *a, Node *b);

/// The expression of a scalar or vector that was read.
Node *scalar_of(Tr *t, Readable *r);

// --- from_build.c: blocks, builders, sizes -------------------------------------------------------

void block_open(Tr *t, Block *b);
void block_leave(Tr *t, Block *b);
Node *block_command(Tr *t, Block *b); // the commands of a block after block_leave
Node *block_close(Tr *t, Block *b);   // leave and command

void emit(Tr *t, Node *command);
void emit_block(Tr *t, Block *b);       // leave and emit, with its own bindings
void emit_items(Tr *t, const Block *b); // merges a block after block_leave into the current one
void emit_tentative(Tr *t);             // the last local is only needed if read again
Node *emit_let(Tr *t, const char *hint, Node *value);                // PH_VAR of the local
Memory emit_new(Tr *t, const char *hint, Node *type, Variant space); // VARIANT_ANY: by size
/// con(e, k) = new t. acc(e, t) ; k(t): evaluates e into new memory.
Readable *con_in_memory(Tr *t, Node *e, Env *env, const char *hint, Variant space);
/// New memory in blocks of elements, in each of which all scalars of one component precede those of
/// the next; `block` may be NULL.
Sym emit_new_in_blocks(Tr *t, const char *hint, Node *type, Variant space, Node *block);
void emit_check(Tr *t, DiagCode code, Node *condition);
void emit_assign(Tr *t, Node *acceptor, Node *value);
void emit_if(Tr *t, Node *condition, Node *then, Node *otherwise);

typedef struct {
    Block block;
    Sym name;
    Node *index; // as a size
    Node *n;
    Variant variant; // of the loop: ANY, unroll, par or vec
    Node *lanes;     // of vec
} Loop;
void loop_open(Tr *t, Loop *l, Node *n);
/// Opens a loop over the first of n elements: one iteration, or none for n = 0.
void loop_open_first(Tr *t, Loop *l, Node *n);
/// Gives the loop the variant of the pattern; makes the loop parallel; vectorises it.
void loop_as(Tr *t, Loop *l, Node *pattern);
void loop_in_any_order(Tr *t, Loop *l);
void loop_in_lanes(Tr *t, Loop *l, Node *lanes);
void loop_close(Tr *t, Loop *l);
/// Opens a loop over an i64 from `from` to below `to`.
void range_open(Tr *t, Loop *l, Node *from, Node *to);
Node *range_close(Tr *t, Loop *l);

Node *phrase_var(Tr *t, Sym name, Node *type);
Node *zero_of(Tr *t, Node *type); // of a scalar or vector
Node *acceptor_var(Tr *t, Sym name, Node *type);
Node *acceptor(Tr *t, Kind kind, int64_t attr, Node *type, int nops, Node *const *ops);
Node *acceptor_none(Tr *t, Node *type);
/// The destination of operand k of a view (put_of_view) that is written to d; a part of d if the
/// operand is one.
Node *acceptor_put(Tr *t, Node *view, int k, Node *d);
/// The destination of a value of this type whose component k goes to d; all others are discarded.
Node *acceptor_only(Tr *t, Node *type, int k, Node *d);
Node *acceptor_at(Tr *t, Node *d, Node *index);
Node *acceptor_part(Tr *t, Node *d, int k);

/// Records the facts about a name that never changes: its range by its type, and its value `size`
/// (or NULL).
void learn_name(Tr *t, Sym name, Node *type, Node *size);

/// The size as an index of an array of n elements.
Node *index_phrase(Tr *t, Node *size, Node *n);
/// The size as an i64.
Node *size_phrase(Tr *t, Node *size);
/// a < b for sizes.
Node *less(Tr *t, Node *a, Node *b);

/// An integer expression as a size, if it is short and over names that never change; else NULL.
Node *size_of_phrase(Tr *t, Node *phrase);
/// The same for an integer of any type.
Node *size_of_integer(Tr *t, Node *phrase);
/// The same for any readable integer; an integer that is not a size becomes a local.
Node *size_of(Tr *t, Readable *r);

/// Whether arithmetic on the size stays within 64 bits.
bool is_length(Tr *t, Node *size);

/// Whether repeating the expression costs nothing.
bool is_cheap(Node *phrase);

/// A tuple or a struct.
bool is_aggregate(Node *type);

ViewContext view_context(Tr *t);

// --- from_lets.c: elimination of locals ---------------------------------------------------------

/// Removes unused locals from the first *n items of a block, and propagates tentative ones with one
/// use. *n becomes the number of remaining items, in order. Returns the names that they use.
const struct BlockNames *lets_needed(Tr *t, Item *items, int *n);

/// The same names without the write of the memory `written`.
const struct BlockNames *names_read(Tr *t, const struct BlockNames *names, Sym written);

/// Whether the expression reads cells or what references refer to.
bool reads_cells(Tr *t, Node *e);

/// The expression with the locals of the block propagated, if the block has only locals and each is
/// used at most once; else NULL.
Node *lets_propagated(Tr *t, const Block *b, Node *value);

/// Reports a compiler fault of the translation if the condition does not hold.
#define TR_CHECK(t, condition, ...) CHECK((t)->cx, condition, __VA_ARGS__)

#endif
