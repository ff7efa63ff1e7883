// Inside the vectoriser: what differs by lane (divergence.c), which bodies can be vectors (legality.c), expressions (vector_expr.c) and
// statements (if_convert.c) on vectors, loops over lanes (vectorise.c).
#ifndef ADZE_LOOPS_VECTOR_VECTORS_H
#define ADZE_LOOPS_VECTOR_VECTORS_H

#include "loops/simplify/simplify.h"

/// How a value differs by lane: by the same step from each lane to the next (0: it is the same in all lanes), or in any way.
typedef struct {
    bool varies; // in any way
    int64_t step;
} Shape;

/// A loop of the body, as it is around others.
typedef struct Around Around;
struct Around {
    const Around *outer;
};

/// A part of the body that some lanes may not come to while others do: the side of a branch that lanes take differently, or the block of
/// a label that they leave at different times; the first is the whole body.
typedef struct Region Region;
struct Region {
    Region *outer;
    int depth;
    const Around *loop; // innermost around it
    bool loses;         // lanes leave it before its end
    Node *own, *mask;   // the lanes that are there: of those in `outer`; of all (NULL: all)
    Sym label;          // where its end is
};

/// A local, the index of a loop, or an array of the body.
typedef struct {
    Node *stmt;
    Shape shape; // of a local that never changes
    Region *declared, *used;
    bool read;          // not only given to calls for what they give
    const Around *loop; // innermost around the declaration
} LaneName;

typedef struct {
    Sym name;
    Region *region;
    bool same; // in all lanes, the value and where it is put
} Assigned;

/// The functions that the body may call: those of an entry.
typedef struct {
    const LoopEntry *entry;
    Map effects; // names of functions that do what is seen outside
} LaneCallees;

/// A label around the current statement.
typedef struct LaneLabel LaneLabel;
struct LaneLabel {
    const LaneLabel *outer;
    Node *stmt;
    Region *around, *own; // own: where lanes leave it at different times, else NULL
};

typedef struct {
    Session *cx;
    Sym index;        // of the loop over lanes
    int64_t lanes;    // of vectors
    Map varying;      // names that differ by lane in any way
    Map divergent;    // labels that lanes leave at different times
    Map uneven;       // indices of loops whose ends differ by lane
    Map changed;      // locals that are set
    const Map *outer; // locals around the loop that never change -> their declarations; or NULL
    const LaneCallees *callees; // NULL: they are not known, and nothing is called
    Map names;                  // Sym -> LaneName
    Map shapes;                 // expression -> Shape
    VEC(Region *) regions;      // in the order in which they begin in the text
    VEC(Assigned) assigned;
    const LaneLabel *label;
    bool
        numbers; // the index is the number of a lane: rounds are as many as the program's vectors have
    bool grown;
} Divergence;

// --- divergence.c -------------------------------------------------------------------------------

/// Finds what differs by lane in the body.
void divergence_find(Divergence *d, Node *body);

/// Of an expression or a size.
Shape divergence_of(Divergence *d, Node *e);
bool shape_is_same(Shape s);
/// What a size is so many lanes further; NULL: a name in it varies in any way.
Node *divergence_further(const Divergence *d, Node *size, Node *lanes);
bool divergence_varies(const Divergence *d, Sym name);

/// The innermost region with all uses of a local that lanes come to at most once after its declaration: a lane that has left it has no
/// use for the local.
Region *divergence_home(const Divergence *d, Sym local);

/// The array of the body that has this name, NULL: there is none.
Node *divergence_array(const Divergence *d, Sym name);

const LaneLabel *label_around(const LaneLabel *label, Sym name);
/// Whether a jump is one of all lanes that are with the label.
bool jump_is_of_all(const LaneLabel *target, const Region *from);

// --- lane_calls.c -------------------------------------------------------------------------------

/// The functions of an entry.
LaneCallees lane_callees(Session *cx, const LoopEntry *entry);
/// The function that is called, NULL: it is none of the program.
const LoopEntry *lane_callee(const Divergence *d, Node *call);
/// Whether the function writes to the memory that it is given as this argument.
bool lane_call_writes(const LoopEntry *f, int argument);
/// Whether one call does for all lanes: it gets and changes what is the same in all, and nothing of
/// it is seen outside.
bool lane_call_is_shared(Divergence *d, Node *call);
/// The scalar that an argument is in this lane, without the vector of all lanes; NULL: it needs
/// that.
Node *lane_scalar(Divergence *d, Node *e, Node *lane);
/// How many statements from the first on are calls that each lane makes one after the other, and
/// declarations between them; 0: the first is no such call.
uint32_t lane_calls_in_row(Divergence *d, Node *const *stmts, uint32_t n);
/// A call whose effects would come in another order than that of the iterations, NULL: there is
/// none.
Node *lane_call_out_of_order(Divergence *d, Node *body);

// --- lane_numbers.c -----------------------------------------------------------------------------

/// Whether the value follows from the number of the lane alone.
bool lane_is_constant(const Divergence *d, Node *e);

/// Elements of arrays of the stack that have at each place what follows from its number alone are that.
Node *lane_tables_as_values(Session *cx, Node *body);

// --- shuffle.c ----------------------------------------------------------------------------------

/// Elements that lanes take from a vector of the stack, by numbers that are known, as shuffles of it.
Node *loops_shuffled(Session *cx, Node *body);

// --- losses.c -----------------------------------------------------------------------------------

typedef enum {
#define LOSS(id, extent, why, help) LOSS_##id,
#include "loops/vector/losses.def"
#undef LOSS
} LossKind;

/// Of one loop.
typedef struct {
    VEC(LaneLoss) all;
    // Bytes of the elements that are read and stored, where wider values are computed; 0: none are.
    int narrow;
} LaneLosses;

LaneLoss lane_loss(LossKind kind, const char *name, Span at);
/// Adds one, unless there is one of this kind and name.
void lane_lost(Session *cx, LaneLosses *losses, LossKind kind, const char *name, Span at);

/// Notes in the entry what a loop for which the program asks for so many lanes lost: it is done in
/// vectors of `lanes` (0: in none).
void lanes_lost(Session *cx, LoopEntry *entry, Node *loop, int64_t asked, int64_t lanes,
                const LaneLosses *losses);

// --- legality.c ------------------------------------------------------------------------------------

/// Arrays that the body may use, or NULL.
typedef struct {
    Map named; // have elements that are stored by name
    Map stack; // are on the stack, and as long as is known -> their LOOP_ALLOC
} LaneArrays;

/// Whether the body can and should be vectors; `widest` gets the bytes of the largest element;
/// `arrays` and `losses` may be NULL. `losses` gets why not, or which parts are not.
bool lanes_suit(Divergence *d, Node *body, const LaneArrays *arrays, int *widest,
                LaneLosses *losses);

/// Whether so many rounds that fill no vector are done faster by one with a mask than one after the other. `widest`: bytes of elements.
bool lanes_pay_masked(Divergence *d, Node *body, int widest, Node *rounds);

/// Whether the expression, the same in all lanes, needs one that comes to it: it reads memory, or may fail.
bool lanes_are_needed(Node *e);
/// Whether a statement is short and does no harm where no lane comes to it.
bool lanes_may_miss(Divergence *d, Node *stmt);

// --- vectorise.c --------------------------------------------------------------------------------

enum { LANES_FEW = 4 }; // rounds that are written out

/// A walk over an entry.
typedef struct {
    Session *cx;
    LoopEntry *entry; // which is told of
    Simplifier s;     // what is known around the loop
    LaneArrays arrays;
    Map constants; // locals that never change -> their declarations
    LaneCallees callees;
    int inside;        // of so many loops over lanes
    Map counters;      // indices of loops -> a local that is 0 where they begin, and that they set
    Node *any_strides; // the version of an entry for these, until the walk comes to it; NULL
} LaneWalk;

/// A loop whose body can be on vectors.
typedef struct {
    Node *loop, *body;
    Divergence d; // for as many lanes as go into the machine's vectors
    int widest;
    LaneLosses losses;
} SuitedLoop;

/// Whether a LOOP_VECTORIZE of so many lanes can and should be vectors; `adze explain` is told of it.
bool lanes_suit_loop(const LaneWalk *w, Node *loop, int64_t lanes, SuitedLoop *s);
/// The statements for s->d.lanes rounds from the index on; with a mask (or NULL) for some of these.
Node *lanes_of_loop(SuitedLoop *s, const LaneWalk *w, Node *mask);
/// A mask of the first lanes, as many as `left`.
Node *lanes_before(const SuitedLoop *s, Node *left);
/// The body of the loop again and again, with an index that is so many lanes further each time.
Node *lanes_written_out(Session *cx, Node *loop, int64_t lanes, int64_t rounds);

/// What rounds of a loop, side by side, do in so many of them from its index on, as statements on vectors; NULL when they cannot be.
Node *loops_on_lanes(Session *cx, Node *loop, int64_t lanes);

/// The rounds of a loop over lanes from `done` on, fewer than it has lanes, in the entry: at once, with a mask, where that is cheaper than
/// one after the other.
Node *loops_rest(const Simplifier *known, const LoopEntry *e, Node *loop, Node *done);

// --- horizontal.c -----------------------------------------------------------------------------------

/// The loop, if it goes one by one over lanes and looks across them, as statements on vectors; else itself.
Node *lanes_across(LaneWalk *w, Node *loop);
/// Whether a loop goes from 0 over so many lanes.
bool lanes_loop_over(Node *loop, int64_t *lanes);

// --- compact.c ----------------------------------------------------------------------------------

/// The loop, if it counts the lanes with a condition one by one, by packed stores and a number of lanes; else itself.
Node *lanes_counted(LaneWalk *w, Node *loop);
/// Notes loops in front of which a local is declared as 0 that they set.
void lanes_find_counters(Node *body, Map *counters);

// --- unmask_stores.c ------------------------------------------------------------------------------------

/// The body of an entry in which packed stores that fill an array are stores of whole vectors, where there is room and nothing behind.
Node *loops_whole_stores(Session *cx, const LoopEntry *e, Node *body);

// --- vector_expr.c ------------------------------------------------------------------------------

typedef struct {
    Divergence *d;
    Session *cx;
    Stmts *out;             // statements before the current one
    int met;                // regions so far
    bool certain;           // all lanes come here in any case
    int arms;               // of selections around that lanes choose differently
    Map done;               // loads that all lanes have done
    const LoopEntry *entry; // NULL: not known
    const Facts *facts;     // what holds in the loop over lanes
    const LaneLabel *label;
} Lineariser;

/// The expression in all lanes, a vector; `mask`: the lanes that need it (NULL: all).
Node *lane_value(Lineariser *l, Node *e, Node *mask);
/// A size in all lanes.
Node *lane_size(Lineariser *l, Node *size, Node *mask);
/// Calls in a row in the lanes of the mask (NULL: all), one lane after the other (lane_calls.c).
void lane_calls(Lineariser *l, Node *const *calls, int n, Node *mask);
/// Where an element of an array of the body is, which has one for each lane, in lane 0.
Node *lane_position(const Lineariser *l, Node *position);
/// Where it is in all lanes.
Node *lane_own_positions(Lineariser *l, Node *position, Node *mask);

Node *vec_type(const Divergence *d, Node *element);
Node *vec_splat(const Divergence *d, Node *e);
Node *vec_prim(Session *cx, Prim op, Node *a, Node *b);
Node *vec_cast(const Divergence *d, Node *e, Node *element);
Node *vec_not(Session *cx, Node *mask);
Node *vec_and(Session *cx, Node *a, Node *b); // NULL: all lanes
Node *vec_all(const Divergence *d);
Node *vec_any(Session *cx, Node *mask);
/// `a` in the lanes of the mask, `b` in the others.
Node *vec_choose(Session *cx, Node *mask, Node *a, Node *b);
/// A new local with this value.
Node *vec_local(Lineariser *l, const char *name, Node *value);

// --- gather_base.c --------------------------------------------------------------------------------------

/// The local of 32 bits, which never changes, that a position comes from, and what is added to it, which all lanes share; NULL: there is none.
Node *lane_near(const Lineariser *l, Node *position, Node **offset);

// --- lcssa.c ---------------------------------------------------------------------------------

/// The body in which loops that lanes leave at different times have counters of their own, where places of memory are then the same for all
/// lanes, or in a row. `d` is what differs by lane in the body, then in the new one.
Node *lanes_with_counters(Divergence *d, Node *body);

// --- split_exits.c ------------------------------------------------------------------------------------

/// The body in which conditions of loops whose first part is the same in all lanes are two ways out. `d` is what differs by lane in the body,
/// then in the new one.
Node *lanes_with_exits_apart(Divergence *d, Node *body);

// --- lane_notes.c -------------------------------------------------------------------------------

/// Notes in the entry how the values of the body differ by lane; body NULL: the loop stays one.
void lanes_noted(Divergence *d, LoopEntry *entry, Node *loop, Node *body);
/// Notes what becomes of an array that lanes store to, or read, one place after the other.
void lanes_noted_move(Session *cx, LoopEntry *entry, Node *loop, Node *store, Sym array,
                      const char *text);

// --- if_convert.c --------------------------------------------------------------------------------

/// The body in a form whose loops have all the same ends in all lanes, and are in a label of their own where they are left.
Node *lanes_prepared(Divergence *d, Node *body);

/// The body for d->lanes rounds from the index on, in this entry (or NULL), where these facts hold; with a mask only for lanes that have it,
/// which are some.
Node *lanes_linearised(Divergence *d, const LoopEntry *entry, const Facts *facts, Node *body,
                       Node *mask);

#endif
