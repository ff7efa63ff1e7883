// Inside the translation from low Core to DPIA: the state, blocks, and what con() makes readable.
//
// Direct style. Shine's con(e, k) and acc are written with continuations; here a Block collects
// commands, and the scope of a binding (COM_LET, COM_NEW) is the rest of the block it was emitted
// into, which is what the continuation would be. con() emits what must run before its value can be
// read and returns the value; acc() opens a block, so that memory made for one destination lives no
// longer than the command that fills it.
//
// Nothing is computed twice. A scalar that a body mentions more than once is bound by COM_LET; so
// are the scalars of each element of a delayed array that is mentioned more than once (`shared`),
// and the element is remembered in the block that computed it. That happens before one knows
// whether the element is read again: such tentative locals go when the block is closed, if not.
#ifndef ADZE_DPIA_FROM_CORE_H
#define ADZE_DPIA_FROM_CORE_H

#include "base/link.h"
#include "dpia/ir/dpia.h"
#include "views/views.h"

/// How a value can be read.
typedef enum {
    READ_PHRASE,   // a DPIA expression: over memory, with views on top, or a scalar
    READ_TUPLE,    // parts
    READ_MAP,      // delayed: function core->op[0] under env, parts[0] = the argument
    READ_GENERATE, // delayed: function core->op[1] under env
    READ_VIEW, // the view `core` of parts (NULL for sizes and functions), some of them delayed, at
               // `path`
    READ_CHOICE, // parts[0] at `path` when `phrase` holds, else parts[1] at `other`
    READ_RING,   // a window of a ring of elements, the memory `phrase`: element j is at (shift + j)
                 // modulo the ring's length, below which shift is; the first of them at parts[j]
    READ_PLACE,  // a reference: read as `phrase`, written as `acceptor`
    READ_LABEL   // a continuation: what `label` gives goes to `acceptor` (NULL: ())
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
    Node *shift; // of a rotate
    Path *path, *other;
    Node *acceptor;
    Sym label;
    uint32_t shared; // delayed and mentioned more than once: its number, under which elements are
                     // remembered
};

/// What the de Bruijn variables stand for, innermost first.
struct Env {
    Link link;
    Readable *value;
};

/// One command of a block, or a binding of the rest of the block (kind COM_LET or COM_NEW).
typedef struct {
    Kind binds; // KIND_NONE: a command
    Node *node; // the command, the expression (COM_LET) or the type (COM_NEW)
    Sym name;
    Variant space;
    Node *block;    // of a COM_NEW with a layout: elements in a block; else NULL
    bool tentative; // a COM_LET in case the value is read again
    Span origin;
} Item;

typedef struct Block Block;
struct Block {
    Block *outer;
    Facts *facts; // of the block: ranges of loop indices and integer locals
    Map elements; // of shared delayed arrays, as far as the block has read them
    VEC(Item) items;
};

/// The state of one translation.
typedef struct Tr Tr;
struct Tr {
    Session *cx;
    Arena *arena;
    // What makes a term of any kind readable, and what writes one into a destination.
    Readable *(*con)(Tr *t, Node *e, Env *env);
    void (*acc)(Tr *t, Node *e, Env *env, Node *d);
    Block *block;
    Map index_types; // Sym of a loop index or an idx local -> its type
    Map memory;      // Sym of memory made here -> its type: names that are read and written
    Map blocks;      // Sym of such memory that has a layout -> elements in a block
    Map cells;      // those of `memory` that are written after they were read: cells and references
    Map references; // Sym of a parameter that is a reference: two of them may be one memory
    Map integers;   // Sym of an i64 that may have any value
    Map sizes;      // Sym of a size parameter -> that; of an i64 that is a size -> that
    Lengths lengths; // of the parameters and the result
    Map block_names; // id of a command + 1 -> BlockNames, of those that were blocks (from_lets.c)
    Map exact;       // a cast of the index of a range that is that index -> the index
    int loop_depth;
    int lockstep; // loops around whose iterations come in any order
    Sym helpers;  // how many threads may help this one (NULL: nothing asks)
    uint32_t nshared;
    Sym out;     // the result
    Span origin; // of the low term being translated
};

// --- from_core.c: write e into d ----------------------------------------------------------------

Node *acc(Tr *t, Node *e, Env *env, Node *d);

/// Fills the acceptor with the value: loops over arrays, an assignment for each scalar.
void copy_into(Tr *t, Readable *from, Node *d);

void acc_into(Tr *t, Node *e, Env *env, Node *d); // into the block

/// The part [offset, offset + length) of a destination.
Node *acceptor_of_part(Tr *t, Node *d, Node *offset, Node *length);

/// A view of low Core over holes; its integer is evaluated.
Node *put_of_view(Tr *t, Node *view, Env *env);
/// Where the operand of a CORE_PROJ or CORE_INDEX goes whose result goes to d.
Node *put_of_part(Tr *t, Node *e, Env *env, Node *d);

// --- from_choice.c: tuples and structs that are chosen among many ------------------------------

/// acc and con of a CORE_IF, where so much is chosen from that parts which most of it has in common
/// are better written before: false and NULL elsewhere.
bool acc_choice(Tr *t, Node *e, Env *env, Node *d);
Readable *con_choice(Tr *t, Node *e, Env *env);

// --- from_put.c: destination views with commands of their own, and map.dst ----------------------

void acc_map_dst(Tr *t, Node *e, Env *env, Node *d);
void acc_pad(Tr *t, Node *e, Env *env, Node *d);
void acc_repeat(Tr *t, Node *e, Env *env, Node *d);

// --- from_stream.c: arrays that a loop goes through once, in order ------------------------------

/// A slide with a window, an eager map, or what can be read anywhere.
typedef struct Stream Stream;
struct Stream {
    Readable *xs; // read at each index; of a window: what moves through it
    Node *e;      // NULL: xs is all
    Env *env;
    Stream *inner; // of an eager map
    Node *type;    // of the memory: a window, or a ring
    Sym memory;
    Node *kept, *fresh; // elements of a window that stay from step to step; that are new
};

/// Emits the stream's setup code, which runs before the loop.
void stream_open(Tr *t, Stream *s, Node *e, Env *env);
/// Also of maps whose elements are made when their turn comes.
void stream_open_made(Tr *t, Stream *s, Node *e, Env *env);
/// For a loop in any order: nothing is kept from step to step, a ring is the array itself.
void stream_open_any(Tr *t, Stream *s, Node *e, Env *env);
/// In the loop, in order from index 0 on: the element at the index.
Readable *stream_next(Tr *t, Stream *s, Node *index);
/// Whether a step may still read what the destination held.
bool stream_reads(Tr *t, Stream *s, Node *d);

// --- from_control.c: labels, jumps, loops that are no patterns ----------------------------------

Readable *con_label(Tr *t, Node *e, Env *env);
void acc_label(Tr *t, Node *e, Env *env, Node *d);
Readable *con_jump(Tr *t, Node *e, Env *env);
Readable *con_forever(Tr *t, Node *e, Env *env);
Readable *con_range(Tr *t, Node *e, Env *env); // range, parallel, vectorize
Readable *con_spawn(Tr *t, Node *e, Env *env);
Readable *con_sync(Tr *t, Node *e, Env *env);
Readable *con_assert(Tr *t, Node *e, Env *env);

/// () and !: types without values that could be kept.
bool is_nothing(Node *type);
Readable *readable_nothing(Tr *t, Node *type);

// --- from_state.c: places, calls ----------------------------------------------------------------

Readable *con_cell(Tr *t, Node *e, Env *env, const char *hint);
Readable *con_reference(Tr *t, Node *e, Env *env); // ref_at, ref_proj, ref_slice, borrow
Readable *con_get(Tr *t, Node *e, Env *env);
Readable *con_put(Tr *t, Node *e, Env *env);
Readable *con_call(Tr *t, Node *e, Env *env);
void acc_call(Tr *t, Node *e, Env *env, Node *d);

/// A place of this type: how it is read, and written.
Readable *readable_place(Tr *t, Node *type, Node *phrase, Node *d);

/// Of a value that the program leaves undefined: 0 for scalars, memory for arrays.
Readable *con_undefined(Tr *t, Node *type);

/// The place of type `ref` that is the whole memory `name`.
Readable *place_of_memory(Tr *t, Node *ref, Sym name);

// --- from_fold.c: patterns that carry a value from step to step ---------------------------------

/// reduce, fold and iterate without arrays in the carried value: the local that holds the result.
Readable *con_carried(Tr *t, Node *e, Env *env);
/// The same with arrays.
void acc_reduction(Tr *t, Node *e, Env *env, Node *d);
void acc_iterate(Tr *t, Node *e, Env *env, Node *d);

/// The parts of a pattern that carries a value: f, what it begins with, what it goes over (NULL:
/// iterate) and in how many steps.
typedef struct {
    Node *f, *z, *xs, *n;
    Node *pattern; // its variant says how the loop is
} Carried;
Carried carried_of(Node *e);

/// d := f(old, x_i), or f(old) for iterate.
Node *carried_step(Tr *t, const Carried *c, Env *env, Readable *old, Stream *xs, Node *index,
                   Node *d);

/// Whether a step may be translated so often.
bool is_short_step(const Carried *c, int times);

/// What is carried at the beginning, when it is a copy (else NULL): evaluated here.
Readable *read_initial(Tr *t, const Carried *c, Env *env);

/// Whether that can be read by a step while d is written: it is there, and is not part of d.
bool is_there(Tr *t, Readable *z, Node *d);

/// d := what is carried at the beginning, which read_initial gave as z.
void write_initial(Tr *t, const Carried *c, Env *env, Readable *z, Node *d);

/// Whether d can hold what is carried, which is read back as *value: no step needs what it held
/// before.
bool can_carry(Tr *t, const Carried *c, Env *env, Stream *xs, Node *d, Readable **value);

// --- from_scan.c --------------------------------------------------------------------------------

void acc_scan(Tr *t, Node *e, Env *env, Node *d);
void acc_scatter(Tr *t, Node *e, Env *env, Node *d);
/// d := 0, false, the first index, in every scalar.
void fill_zero(Tr *t, Node *d);

// --- from_regroup.c -----------------------------------------------------------------------------

/// Whether a reduction or scan is done in chunks or lanes: not in chunks where a loop around runs
/// in any order already, and not in more lanes than there are elements.
bool is_regrouped(const Tr *t, Node *e);
Readable *con_regrouped(Tr *t, Node *e, Env *env); // reduce
void acc_regrouped(Tr *t, Node *e, Env *env, Node *d);
void acc_scan_par(Tr *t, Node *e, Env *env, Node *d);
void acc_scan_vec(Tr *t, Node *e, Env *env, Node *d); // of elements without arrays

// --- from_back.c: reading back what was written -------------------------------------------------

/// What was written to the destination, at the place of each element; NULL when it cannot be read
/// there (elements that go nowhere, a destination that is no memory).
Readable *read_back(Tr *t, Node *d);

/// Whether this value, or this term, may read what the destination held before: it is a cell,
/// behind a reference, or an accumulator. Then it is not to be written before that was read.
bool is_read_by(Tr *t, Node *d, Readable *r);
bool is_read_in(Tr *t, Node *d, Node *e, Env *env);

/// From now on the memory of the destination is read before it is written again.
void mark_cells(Tr *t, Node *d);

/// Commands that write the elements of a destination any number of times, and read them back.
typedef struct {
    Block block;
    Node *d;
} Accumulate;
void accumulate_open(Tr *t, Accumulate *a, Node *d);
void accumulate_close(Tr *t, Accumulate *a);

Readable *con_by_kind(Tr *t, Node *e, Env *env);
void acc_by_kind(Tr *t, Node *e, Env *env, Node *d);

// --- from_con.c: make e readable ----------------------------------------------------------------

Readable *con(Tr *t, Node *e, Env *env);

/// One more variable.
Env *env_push(Tr *t, Env *env, Readable *value);
Env *env_at(Env *env, int64_t index); // NULL: there are not as many

/// The environment in the body of a let whose variable is `value`; NULL: what is bound is
/// evaluated.
Env *bind_let(Tr *t, Node *let, Env *env, Readable *value);

/// Goes on from *e, if it is a let, to the body of the last of a row of lets; the environment
/// there.
Env *bind_lets(Tr *t, Node **e, Env *env);

/// Goes on from *e, a let, to its body; the environment there.
Env *bind_first_let(Tr *t, Node **e, Env *env);

/// The same of a term that is written to d: lets that are kept there are written first. `any`: they
/// were, and what has been opened is to be closed.
typedef struct {
    Node *d;
    bool any;
    Accumulate accumulate;
} Updates;
Env *bind_lets_of(Tr *t, Node **e, Env *env, Updates *u);

/// The offset of a VIEW_ROTATE as a size.
Node *rotation(Tr *t, Node *e, Env *env);

/// The body of a literal lambda for these arguments. Their scalars are computed once: what the body
/// mentions more than once becomes a local.
Readable *con_lambda(Tr *t, Node *lam, Env *env, Readable *const *args, int n);

/// The environment of a lambda's body.
Env *bind_args(Tr *t, Node *lam, Env *env, Readable *const *args, int n);

enum { MANY = 2 }; // uses for which a scalar gets a local

/// As bind_args for variable `index` of `body`, with a name for its locals. `from` uses of a scalar
/// and more make a local of it (1: always).
Readable *bind_scalars(Tr *t, Readable *r, const char *hint, Node *body, int index, int from);

// --- from_read.c: reading -----------------------------------------------------------------------

Readable *read_at(Tr *t, Readable *array, Node *index);
Readable *read_component(Tr *t, Readable *r, int k);
Readable *read_path(Tr *t, Readable *r, Path *path);

/// That a function of permute takes one index below n back to another: proved, or checked (E0611).
void require_inverse(Tr *t, Node *lam, Env *env, Node *index, Node *back, Node *n);

/// A view of operands of which some may be delayed.
Readable *read_view(Tr *t, Node *view, Env *env, Readable **parts, Node *shift);

/// Two ways to read one value.
Readable *read_choice(Tr *t, Node *condition, Readable *a, Path *pa, Readable *b, Path *pb);

/// Emits "if condition { write a } else { write b }" for two finished blocks, or selects, when both
/// are without commands. Blocks `a` and `b` are open-ended: they were opened by block_open and left
/// by block_leave.
Readable *join_blocks(Tr *t, Node *condition, Block *a, Readable *va, Block *b, Readable *vb);

/// The same value, to be read more than once: each of its elements is computed once in a block.
Readable *readable_shared(Tr *t, Readable *r);

Readable *readable_phrase(Tr *t, Node *phrase);
Readable *readable_tuple(Tr *t, Node *type, int n, Readable **parts);

/// condition ? a : b
Node *select_scalar(Tr *t, Node *condition, Node *a, Node *b);

/// The expression of a scalar or vector that was read.
Node *scalar_of(Tr *t, Readable *r);

// --- from_build.c: blocks, makers, sizes --------------------------------------------------------

void block_open(Tr *t, Block *b);
void block_leave(Tr *t, Block *b);
Node *block_command(Tr *t, Block *b); // the commands of a block that was left
Node *block_close(Tr *t, Block *b);   // leave and command

void emit(Tr *t, Node *command);
void emit_block(Tr *t, Block *b);       // leave and emit; what it binds stays its own
void emit_items(Tr *t, const Block *b); // of a block that was left: as if it had not been opened
void emit_tentative(Tr *t);             // the local just made is for a value that may be read again
Node *emit_let(Tr *t, const char *hint, Node *value);             // PH_VAR of the local
Sym emit_new(Tr *t, const char *hint, Node *type, Variant space); // VARIANT_ANY: by size
/// The same for memory in which the scalars of so many elements lie side by side, those of one
/// component after those of the one before.
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
/// The loop is to be as the pattern says; on several threads.
void loop_as(Tr *t, Loop *l, Node *pattern);
void loop_in_any_order(Tr *t, Loop *l);
void loop_in_lanes(Tr *t, Loop *l, Node *lanes);
void loop_close(Tr *t, Loop *l);
/// A loop over an i64 from `from` to below `to`; gives the body.
void range_open(Tr *t, Loop *l, Node *from, Node *to);
Node *range_close(Tr *t, Loop *l);

Node *phrase_var(Tr *t, Sym name, Node *type);
Node *zero_of(Tr *t, Node *type); // of a scalar or vector
Node *acceptor_var(Tr *t, Sym name, Node *type);
Node *acceptor(Tr *t, Kind kind, int64_t attr, Node *type, int nops, Node *const *ops);
Node *acceptor_none(Tr *t, Node *type);
/// Where operand k of a view (put_of_view) goes whose result goes to d. One that has all of a part
/// of d has that.
Node *acceptor_put(Tr *t, Node *view, int k, Node *d);
/// Component k of a value of this type goes to d, the others nowhere.
Node *acceptor_only(Tr *t, Node *type, int k, Node *d);
Node *acceptor_at(Tr *t, Node *d, Node *index);
Node *acceptor_part(Tr *t, Node *d, int k);

/// What is known of a name that never changes: its range by its type, and that it equals `size` (or
/// NULL).
void learn_name(Tr *t, Sym name, Node *type, Node *size);

/// The size as an index of an array of n elements.
Node *index_phrase(Tr *t, Node *size, Node *n);
/// The size as an i64.
Node *size_phrase(Tr *t, Node *size);
/// a < b for sizes.
Node *less(Tr *t, Node *a, Node *b);

/// An integer expression as a size, when it is one of modest length over names that do not change;
/// else NULL.
Node *size_of_phrase(Tr *t, Node *phrase);
/// The same of an integer of any type.
Node *size_of_integer(Tr *t, Node *phrase);
/// The same of any integer: what is no size becomes a local.
Node *size_of(Tr *t, Readable *r);

/// Whether arithmetic on the size stays within 64 bits.
bool is_length(Tr *t, Node *size);

/// Whether repeating the expression costs nothing.
bool is_cheap(Node *phrase);

/// A tuple or a struct.
bool is_aggregate(Node *type);

ViewContext view_context(Tr *t);

// --- from_lets.c: locals that turn out not to be needed -----------------------------------------

/// Takes out those of the first *n items of a block that bind locals which nobody reads, or that
/// were made in case they are read again and are read once: their value goes there. *n becomes the
/// number of items that are left, in order. Gives what they mention.
const struct BlockNames *lets_needed(Tr *t, Item *items, int *n);

/// The same without the write of this memory.
const struct BlockNames *names_read(Tr *t, const struct BlockNames *names, Sym written);

/// Whether the expression reads cells or what references refer to.
bool reads_cells(Tr *t, Node *e);

/// The expression without the locals of the block, when these are all the block has and each is
/// used at most once; else NULL.
Node *lets_dissolved(Tr *t, const Block *b, Node *value);

/// Compiler faults of the translation.
#define TR_CHECK(t, condition, ...) CHECK((t)->cx, condition, __VA_ARGS__)

#endif
