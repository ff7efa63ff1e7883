// The vectoriser: divergence analysis (divergence.c), legality and cost (legality.c), expressions
// (vector_expr.c) and statements (if_convert.c) on vectors, and loops over lanes (vectorise.c).
#ifndef ADZE_LOOPS_VECTOR_VECTORS_H
#define ADZE_LOOPS_VECTOR_VECTORS_H

#include "loops/simplify/simplify.h"

/// The shape of a value: linear in the lane number (uniform if step is 0), or varying.
typedef struct {
    bool varies;
    int64_t step;
} Shape;

/// A loop of the body, with the loops that enclose it.
typedef struct EnclosingLoop EnclosingLoop;
struct EnclosingLoop {
    const EnclosingLoop *outer;
};

/// A part of the body that may run with fewer lanes than the enclosing code: a side of a divergent
/// branch, or the block of a divergent label. The first region is the whole body.
typedef struct Region Region;
struct Region {
    Region *outer;
    int depth;
    const EnclosingLoop *loop; // innermost enclosing loop
    bool loses_lanes;          // lanes leave it before its end
    // `own_mask` selects its lanes from those of `outer`, `mask` from all lanes; NULL selects all.
    Node *own_mask, *mask;
    Sym label; // the label at its end
};

/// A local, a loop index, or an array of the body.
typedef struct {
    Node *stmt;
    Shape shape; // the shape of a local that is never reassigned
    Region *declared, *used;
    bool read;                 // its value is read, so it is not just an output of calls
    bool parts_differ;         // of an array: lanes of `declared` may store different elements
    const EnclosingLoop *loop; // innermost loop that encloses the declaration
} LaneName;

typedef struct {
    Sym name;
    Region *region;
    bool same; // value and position are uniform
} Assignment;

/// The functions that a vectorised body may call, namely the callees of `entry`.
typedef struct {
    const LoopEntry *entry;
    Map effects; // names of functions with side effects
} LaneCallees;

/// Arrays that the body may access.
typedef struct {
    Map stack;        // stack array of constant length -> its LOOP_ALLOC
    Map in_registers; // stack arrays with a store at a constant position
} LaneArrays;

/// A label that encloses the current statement.
typedef struct LaneLabel LaneLabel;
struct LaneLabel {
    const LaneLabel *outer;
    Node *stmt;
    Region *around, *own; // `own` is the region of a divergent label, or NULL
};

typedef struct {
    Session *cx;
    Sym index;                  // the index of the loop over lanes
    int64_t lanes;              // lanes per vector
    Map varying;                // names that vary by lane
    Map divergent;              // labels that lanes leave at different times
    Map divergent_loops;        // indices of loops with varying bounds
    Map changed;                // locals that are set or passed by address
    const Map *outer;           // constant local from outside the loop -> its declaration; or NULL
    const Facts *facts;         // facts that hold where the loop begins; or NULL
    const LaneCallees *callees; // NULL if unknown; the body then has no calls
    const LaneArrays *arrays;   // NULL if unknown
    Map names;                  // Sym -> LaneName
    Map shapes;                 // expression -> Shape
    VEC(Region *) regions;      // in textual order
    VEC(Assignment) assigned;
    const LaneLabel *label;
    bool index_is_lane; // the loop runs from 0 to the number of lanes
    bool one_vector;    // and all of them are in one vector
    int widest;         // bytes of the widest element, once the body is known to be legal
    bool grown;
} Divergence;

// --- divergence.c -------------------------------------------------------------------------------

/// Finds which names and labels of the body are divergent.
void divergence_analyse(Divergence *d, Node *body);

/// The shape of an expression or a size.
Shape divergence_of(Divergence *d, Node *e);
bool shape_is_uniform(Shape s);
/// Whether lanes access consecutive elements, in their order or in reverse order.
bool shape_is_contiguous(Shape s);
/// Whether lanes access consecutive elements in reverse order.
bool shape_is_backwards(Shape s);
/// The value of the size in the given lane, or NULL if a name in it varies.
Node *divergence_size_in_lane(const Divergence *d, Node *size, Node *lane);
bool divergence_varies(const Divergence *d, Sym name);

/// The innermost region that contains all uses of a local and is entered at most once after its
/// declaration. A lane that has left the region no longer uses the local.
Region *divergence_home(const Divergence *d, Sym local);

/// The allocation of the array with this name in the body, or NULL.
Node *divergence_array(const Divergence *d, Sym name);
/// Whether it is an array of the body whose elements vary by lane, so that each lane has its own.
bool divergence_own(const Divergence *d, Sym name);

/// The region that declares an array of the body, if all lanes that are active there store the same
/// elements. Then an access to one element in this region needs no mask: no lane reads what others
/// store, and inactive lanes load only what they have stored. NULL otherwise.
const Region *divergence_unmasked(const Divergence *d, Sym array);

const LaneLabel *label_around(const LaneLabel *label, Sym name);
/// Whether the statement is a label whose body is a loop that lanes leave at different times.
bool divergence_is_loop(const Divergence *d, Node *stmt);

/// Whether all lanes that are active in the label's block jump together.
bool jump_is_uniform(const LaneLabel *target, const Region *from);

// --- call_analysis.c ----------------------------------------------------------------------------

/// The functions of an entry, and which of them have side effects.
LaneCallees lane_callees(Session *cx, const LoopEntry *entry);
/// The function that the call names, or NULL if it is unknown.
const LoopEntry *lane_callee(const Divergence *d, Node *call);
/// Whether the function writes to the memory of this argument.
bool lane_call_writes(const LoopEntry *f, int argument);
/// Whether one call serves all lanes, since its operands and results are uniform and it has no side
/// effects.
bool lane_call_is_uniform(Divergence *d, Node *call);
/// The value of the argument in this lane, computed from scalars, or NULL if it must be read from
/// the argument's vector.
Node *lane_scalar(Divergence *d, Node *e, Node *lane);
/// The number of leading statements that are non-uniform calls, or declarations between such calls.
/// These calls share one loop over lanes. Returns 0 if the first statement is not such a call.
uint32_t lane_calls_consecutive(Divergence *d, Node *const *stmts, uint32_t n);
/// The local that the argument consists of, or NULL if it is any other expression. The local's
/// vector may be in memory during the calls.
Sym lane_argument_local(Node *e);
/// A call whose side effects would not happen in the order of the iterations, or NULL if there is
/// none.
Node *lane_call_out_of_order(Divergence *d, Node *body);

// --- lane_numbers.c -----------------------------------------------------------------------------

/// Whether the value depends only on the lane number.
bool lane_is_constant(const Divergence *d, Node *e);

/// A comparison of the lane number by `op` with `bound`, a size in terms of the first lane. If
/// `sum` is not NULL, the comparison is of the sum of this size and the lane number, which may
/// wrap.
typedef struct {
    Prim op;
    Node *bound, *sum;
} LaneCompare;

/// Whether the expression compares a size that grows or falls by 1 from lane to lane with one that
/// is uniform, or likewise their difference, and so equals a comparison of the lane number.
bool lane_compare(Divergence *d, Node *e, LaneCompare *c);

/// A comparison of the i32 `narrow` by `op` with the uniform i32 `bound`.
typedef struct {
    Prim op;
    Node *narrow, *bound;
} NarrowCompare;

/// Whether the expression compares an integer that is cast to i64 with a uniform size, and so
/// equals a comparison of i32.
bool narrow_compare(Divergence *d, Node *e, NarrowCompare *c);

// --- narrow.c -----------------------------------------------------------------------------------

/// Gives names to the integers of at most 4 bytes that locals of the body are cast from.
Node *name_narrow_integers(const Divergence *d, Node *body);
/// Whether the expression is a cast of an integer of at most 4 bytes to i64.
bool is_widened(Node *e);
/// Whether an i32 represents every value of the type, an integer of at most 4 bytes.
bool fits_i32(Node *type);
/// The declaration (in the body or outside it) of a local that is never reassigned. NULL for any
/// other name.
Node *lane_declaration(const Divergence *d, Sym name);
/// The integer of at most 4 bytes that the size, a name, is cast from, or NULL.
Node *narrow_value(const Divergence *d, Node *size);

// --- shuffle.c ----------------------------------------------------------------------------------

/// Replaces gathers from stack arrays at positions known at compile time with shuffles.
Node *gathers_to_shuffles(Session *cx, Node *body);

// --- losses.c -----------------------------------------------------------------------------------

typedef enum {
#define LOSS(id, extent, why, help) LOSS_##id,
#include "loops/vector/losses.def"
#undef LOSS
} LossKind;

/// The losses of one loop.
typedef struct {
    VEC(LaneLoss) all;
    int narrow; // bytes per loaded or stored element if wider values are computed, or 0
} LaneLosses;

LaneLoss lane_loss(LossKind kind, const char *name, Span at);
/// Adds a loss, unless one of this kind and name was added before.
void lane_loss_add(Session *cx, LaneLosses *losses, LossKind kind, const char *name, Span at);

/// Records in the entry the losses of a loop that requests `asked` lanes and was vectorised with
/// `lanes` lanes (0 if it was not vectorised).
void lane_losses_report(Session *cx, LoopEntry *entry, Node *loop, int64_t asked, int64_t lanes,
                        const LaneLosses *losses);
/// Drops the losses of border loops that stay scalar because they have fewer iterations than lanes.
/// Index-set splitting leaves such loops, and they do not matter if the main part of the same
/// source loop was vectorised. `vectors` holds the source loops of which some part was vectorised.
void lane_losses_drop_borders(LoopEntry *entry, const Spans *vectors);

// --- legality.c ---------------------------------------------------------------------------------

/// Whether the body can be vectorised profitably. Sets *widest to the size in bytes of the widest
/// element. Adds to `losses` the reason why it cannot, or else the parts that stay scalar. `losses`
/// may be NULL.
bool vector_is_legal(Divergence *d, Node *body, int *widest, LaneLosses *losses);

/// Whether `iterations`, of which there are fewer than lanes, run faster as one masked vector than
/// one by one. `widest` is the size in bytes of the widest element.
bool vector_remainder_pays(Divergence *d, Node *body, int widest, Node *iterations);

/// Whether a uniform expression reads memory or may fail, so that it must not be evaluated unless
/// some lane is active.
bool expr_may_trap(Node *e);
/// Whether a statement is short, and safe to execute without active lanes, so that it needs no
/// guard.
bool stmt_runs_unguarded(Divergence *d, Node *stmt);

// --- vectorise.c --------------------------------------------------------------------------------

enum { MOST_VECTORS_UNROLLED = 4 };

/// A walk over an entry that vectorises its loops.
typedef struct {
    Session *cx;
    LoopEntry *entry; // gets the remarks
    Simplifier s;     // the facts that hold where the loop begins
    LaneArrays arrays;
    Map constants; // local that is never reassigned -> its declaration
    LaneCallees callees;
    int depth;    // number of enclosing loops over lanes
    Map counters; // loop index -> a local that is 0 before the loop and set in it
    // The branch of the entry for arrays with arbitrary strides. NULL if there is none, and once
    // the walk has entered it.
    Node *any_strides;
    Spans vectors; // source loops of which some part was vectorised
} Vectoriser;

/// A loop that can be vectorised.
typedef struct {
    Node *loop, *body;
    Divergence d; // for as many lanes as fit in a vector of the machine
    int widest;
    LaneLosses losses;
} VectorLoop;

/// Returns whether a LOOP_VECTORIZE with this many lanes can be vectorised profitably, and fills in
/// *s. Adds the remarks of `adze explain --lanes` to the entry.
bool vector_loop_analyse(const Vectoriser *w, Node *loop, int64_t lanes, VectorLoop *s);
/// Vector statements for s->d.lanes iterations that start at the loop's index, under a mask (NULL
/// for all lanes).
Node *vector_loop_body(VectorLoop *s, const Vectoriser *w, Node *mask);
/// The mask that selects the first `left` lanes.
Node *vector_first_lanes(const VectorLoop *s, Node *left);
/// The body of the loop, repeated `times` times at indices `lanes` apart.
Node *vector_loop_unroll(Session *cx, Node *loop, int64_t lanes, int64_t times);

/// Vector statements for `lanes` iterations of a lockstep loop that start at its index, or NULL if
/// it cannot be vectorised.
Node *loops_vector_body(Session *cx, Node *loop, int64_t lanes);

/// The remainder of a loop over lanes, which starts at `done`, as one masked vector if that is
/// cheaper than scalar iterations.
Node *loops_vector_remainder(const Simplifier *known, const LoopEntry *e, Node *loop, Node *done);

// --- horizontal.c -------------------------------------------------------------------------------

/// Turns a sequential loop over lanes that computes `any` or `all`, or is a compaction, into vector
/// statements. Returns any other loop unchanged.
Node *horizontal_loop(Vectoriser *w, Node *loop);
/// Whether a sequential loop over lanes computes `any` or `all` of a condition, or its bits.
bool is_horizontal(Node *loop);
/// Whether a sequential loop over lanes counts where a condition holds.
bool is_count_of_lanes(Session *cx, Node *loop);
/// Whether a loop runs from 0 to a valid number of lanes. Sets *lanes to that number.
bool is_loop_over_lanes(Node *loop, int64_t *lanes);
/// Turns a loop for which is_loop_over_lanes returns true into a LOOP_VECTORIZE with another body.
Node *loop_over_lanes(Session *cx, Node *loop, int64_t lanes, Node *body);

// --- compact.c ----------------------------------------------------------------------------------

/// Turns a sequential loop over lanes that is a stream compaction, or its inverse, into packed
/// stores and a count of lanes. Returns any other loop unchanged.
Node *compact_loop(Vectoriser *w, Node *loop);
/// Finds the loops that set a local declared as 0 directly before the loop. Maps the index of each
/// such loop to the local.
void find_counters_from_zero(Node *body, Map *counters);

// --- unmask_stores.c ----------------------------------------------------------------------------

/// Replaces packed stores that fill an array with stores of whole vectors, if the array has room.
Node *unmask_stores(Session *cx, const LoopEntry *e, Node *body);

// --- vector_expr.c ------------------------------------------------------------------------------

typedef struct {
    Divergence *d;
    Session *cx;
    Stmts *out;            // statements before the current one
    int regions_entered;   // number of regions entered so far
    bool unconditional;    // all lanes are certain to execute the current statement
    int divergent_selects; // number of divergent selects that enclose the current expression
    Map loaded;            // loads that all lanes have executed
    const Vectoriser *w;   // the entry around the loop, or NULL
    const Facts *facts;    // facts that hold in the loop over lanes
    const LaneLabel *label;
} IfConverter;

/// The vector of the expression's values. Only the lanes of `mask` need it (NULL for all).
Node *vector_value(IfConverter *l, Node *e, Node *mask);
/// The values of a size in all lanes, as a vector of i64.
Node *vector_size(IfConverter *l, Node *size, Node *mask);
/// The position of lane 0's element in an array of the body, which is interleaved by lane.
Node *array_position(const IfConverter *l, Node *position);
/// The positions of all lanes' elements in such an array, for a load or store.
Node *array_positions(IfConverter *l, Node *access, Node *mask);
/// The positions of all lanes' elements in an array that they share.
Node *shared_positions(IfConverter *l, Node *access, Node *mask);

Node *vec_type(const Divergence *d, Node *element);
Node *vec_splat(const Divergence *d, Node *e);
Node *vec_prim(Session *cx, Prim op, Node *a, Node *b);
Node *vec_cast(const Divergence *d, Node *e, Node *element);
/// Compares the lane numbers with an integer that their type can represent. The type is as wide as
/// the elements.
Node *vec_lanes_by(const Divergence *d, Prim op, Node *bound);
/// The vector with its lanes in reverse order.
Node *vec_reversed(const Divergence *d, Node *v);
Node *vec_not(Session *cx, Node *mask);
Node *vec_and(Session *cx, Node *a, Node *b); // NULL stands for all lanes
Node *vec_full_mask(const Divergence *d);
Node *vec_any(Session *cx, Node *mask);
/// `a` in the lanes of the mask, `b` in the others.
Node *vec_select(Session *cx, Node *mask, Node *a, Node *b);
/// Declares a new local with this value, and returns the local.
Node *vec_declare(IfConverter *l, const char *name, Node *value);

// --- lane_calls.c -------------------------------------------------------------------------------

/// Emits consecutive calls in a loop over the lanes of the mask (NULL for all).
void lane_calls(IfConverter *l, Node *const *calls, int n, Node *mask);

// --- narrow.c, positions ------------------------------------------------------------------------

/// A position that is computed from narrow integers: base * scale + by + offset. If `by_lane` is
/// set, the number of the lane is in place of `by`, and `offset` is that of lane 0.
typedef struct {
    Node *base, *by; // never-reassigned locals whose values an i32 represents; `by` may be NULL
    bool by_lane;
    Node *scale, *offset; // uniform sizes
} NarrowPosition;

/// Whether the position is of this form. Fills in *at.
bool narrow_position(Divergence *d, const Facts *facts, Node *position, NarrowPosition *at);
/// Whether it is base + offset.
bool narrow_position_is_simple(const NarrowPosition *at);
/// Whether the positions are a uniform one plus multiples of the lane's number that an i32
/// represents.
bool shape_is_narrow_step(Shape s);
/// Whether it is known that the positions in the array are below 2^31. Arithmetic modulo 2^32 gives
/// those of active lanes then, whatever the parts of a sum are.
bool array_is_small(const Divergence *d, Sym array);
/// Whether a load or store that gathers or scatters takes vectors of i32. Scatter instructions, and
/// gather instructions where they are fast, take sums of positions, which may need 64 bits unless
/// the array is small.
bool access_is_narrow(Divergence *d, const Facts *facts, Node *access, NarrowPosition *at);

// --- shuffle.c, permutations --------------------------------------------------------------------

/// Whether the load is from a small array on the stack, which is outside the body, at a position
/// that is cast from a narrow integer, so that it becomes a permutation of vectors.
bool load_is_permutation(Divergence *d, Node *load);
/// The permutation, or NULL if the load is none.
Node *permutation_load(IfConverter *l, Node *load, Node *mask);

// --- lcssa.c ------------------------------------------------------------------------------------

/// Brings divergent loops into loop-closed form if more accesses and conditions become uniform or
/// contiguous as a result. `d` is the divergence of the body, and becomes that of the result.
Node *close_divergent_loops(Divergence *d, Node *body);

// --- split_exits.c ------------------------------------------------------------------------------

/// Splits exit conditions `c && x` in which `c` is uniform into a uniform and a divergent exit. `d`
/// is the divergence of the body, and becomes that of the result.
Node *split_uniform_exits(Divergence *d, Node *body);

// --- lane_notes.c -------------------------------------------------------------------------------

/// Records in the entry, for `adze explain --lanes`, how the values of the body vary across lanes.
/// `body` is NULL if the loop stays scalar.
void note_lanes(Divergence *d, LoopEntry *entry, Node *loop, Node *body);
/// Records a note on an array access of a compaction.
void note_lane_move(Session *cx, LoopEntry *entry, Node *loop, Node *store, Sym array,
                    const char *text);

// --- if_convert.c -------------------------------------------------------------------------------

/// Puts the loops in the body into the form that if_convert expects: a loop whose bounds differ
/// between lanes becomes an endless one that each lane leaves by a jump, and each loop that is left
/// by jumps has a label of its own.
Node *prepare_loops(Divergence *d, Node *body);

/// Returns vector code for d->lanes iterations of the body, with masks in place of branches whose
/// conditions differ between lanes. Only the lanes of `mask` are active; there is at least one, and
/// NULL stands for all. `facts` hold where the body begins. `w` is NULL if the body is not part of
/// a known entry.
Node *if_convert(Divergence *d, const Vectoriser *w, const Facts *facts, Node *body, Node *mask);

#endif
