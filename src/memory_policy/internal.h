// The state of the lowering, and its result for a subterm: the low term with its uses and its cost.
#ifndef ADZE_MEMORY_POLICY_INTERNAL_H
#define ADZE_MEMORY_POLICY_INTERNAL_H

#include "base/link.h"
#include "memory_policy/memory_policy.h"
#include "views/views.h"

/// How often the elements of an array are read. Bit l is set if an element at nesting level l (0
/// for an element of the array itself) may be selected more than once. The last bit stands for all
/// deeper levels.
typedef uint32_t Demand;
enum { DEMAND_LEVELS = 8, ONCE = 0, MANY = (1 << DEMAND_LEVELS) - 1 };

/// The demand on the elements of an array with demand d.
Demand demand_inner(Demand d);
/// The demand on an array whose elements have this demand; `many` says that each may be
/// selected repeatedly.
Demand demand_outer(Demand elements, bool many);

/// The use of an array variable in a term; each component of a tuple has a use of its own. If the
/// variable is read once, as in `at (at x i) j` with loop indices i and j, `by` holds the index at
/// each level, because the loops then select a different element in each iteration.
enum { INDEXED_LEVELS = 4, BY_NONE = -1, WHOLE = -1 };
typedef struct {
    int index;
    int component; // the used component of a tuple; WHOLE for the variable itself
    Demand demand;
    int by[INDEXED_LEVELS]; // variables, or BY_NONE
    uint8_t place;          // for a reference, a mask of USE_*
    bool passed;            // passed to a function, which needs the array in memory
    Node *from, *to;        // the used elements, [from, to); NULL if all may be used
    bool in_parts;          // combines uses of adjacent parts, in this term or in a delayed array
} Use;
/// READ: reading the term's value reads the location, so if the value is delayed, the read comes
/// after the term itself. TOUCHED: the location is read at some time. WRITTEN: the term writes the
/// location.
enum { USE_READ = 1, USE_TOUCHED = 2, USE_WRITTEN = 4 };

/// The uses in a term, in ascending order of index and component.
typedef struct {
    int len;
    const Use *at;
} Uses;

/// The kind of a binder that encloses uses: a let, a loop, or a loop over an index that takes each
/// value once.
typedef enum { BINDER_LET, BINDER_LOOP, BINDER_INDEX } Binder;

Uses uses_one(Arena *a, Use u);
Use use_whole(int index, Demand d); // a use of the whole variable, not through indices
Use use_component(int index, int component, Demand d);
/// The uses of two terms that are both evaluated.
Uses uses_both(Arena *a, Uses x, Uses y);
/// The uses of two terms of which only one is evaluated.
Uses uses_either(Arena *a, Uses x, Uses y);
/// The uses as seen outside a binder of n variables. A loop repeats every selection that does not
/// use its index.
Uses uses_outside(Arena *a, Uses u, int n, Binder binder);
Demand uses_of(Uses u, int index); // the demand on the variable; ONCE if it is not used
int uses_place(Uses u, int index); // mask of USE_*
bool uses_passed(Uses u, int index);
bool uses_in_parts(Uses u, int index);
/// The uses in a delayed array, given that adjacent parts of the array are used separately.
Uses uses_for_parts(Arena *a, Uses u);
/// The uses of a term whose value is stored, so that it reads nothing later.
Uses uses_stored(Arena *a, Uses u);

/// Work, as a saturating number of operations: `once` is the work to make the term readable, and
/// at[l] is the work to select an element at level l.
enum { COST_BIG = 255 };
typedef struct {
    uint8_t once, at[DEMAND_LEVELS];
} Cost;

Cost cost_sum(Cost a, Cost b);
Cost cost_plus(Cost a, int once, int level0);
/// The cost, scaled up at each level whose elements are selected more than once.
Cost cost_repeated(Cost a, Demand d);
/// The cost of an array whose elements have this cost.
Cost cost_outer(Cost elements);
/// The cost of an element of an array that has this cost.
Cost cost_inner(Cost array);
/// The cost of the join of an array that has this cost. Levels 0 and 1 of that array are selected
/// together.
Cost cost_joined(Cost array);
/// How many operations one node of a scalar expression takes.
int cost_of_scalar(Node *e);
/// Whether some element that costs more than a few operations may be selected more than once.
bool cost_exceeds(Cost c, Demand d);

/// A lowered subterm.
typedef struct {
    Node *term;
    Uses uses;
    Cost cost;
    bool stored; // a to_mem, which WRITE would not need, stores the array or its rows
} Low;

typedef struct Lower Lower;
struct Lower {
    Session *cx;
    Arena *arena;
    Map reads, writes;      // node (and demand) -> Low
    Map why;                // low node -> reason
    const Map *by_schedule; // keys of patterns whose variant a schedule chose; may be NULL
    const Map *by_default;  // likewise for the default schedule
    Map recomputed;         // to_mem that avoids recomputation (recompute.c) -> reason
    Map inserted;           // to_mem or copy inserted in a file that must be explicit -> Insertion
    Span at;         // position of the innermost term being lowered that has a source position
    Span whole;      // position of the function
    bool aliases;    // two references of the function may alias
    bool transposed; // the term is read through an odd number of transposes, so by columns
    Map free_vars;   // the memo of policy_free_vars
    // Lower a term of any kind for READ (read.c) and for WRITE (write.c).
    const Low *(*read)(Lower *l, Node *e, Demand d);
    const Low *(*write)(Lower *l, Node *e);
};

/// Lower.read and Lower.write point to these functions. Other files call them through lower_read
/// and lower_write.
const Low *lower_read_by_kind(Lower *l, Node *e, Demand d);
const Low *lower_write_by_kind(Lower *l, Node *e);
/// Lowers a term for READ with demand d.
const Low *lower_read(Lower *l, Node *e, Demand d);
/// Lowers a term for WRITE.
const Low *lower_write(Lower *l, Node *e);

/// Returns the body in which each delayed array whose elements would be recomputed too often is
/// stored by a to_mem (recompute.c).
Node *lower_store_recomputed(Lower *l, Node *body);

/// Lowers map.dst (write_put.c): its argument is written where the function puts its elements, or
/// the function runs on each element.
const Low *lower_map_dst(Lower *l, Node *e);
/// Returns a map's function with its views turned to the sides that give the function a put, or
/// NULL if that is not possible.
Node *policy_with_put(Session *cx, Node *map);
/// Lowers an array that a loop traverses once, in order; `elements` is the demand on each element.
const Low *lower_stream(Lower *l, Node *e, Demand elements);

/// Whether the variant of a pattern determines the kind of its loop (variants.c).
bool lower_has_loop(Node *e);
/// Returns the variant of `e`, after checking its trip count (E0415) or lane count (E0506). Returns
/// `usual` if the variant is seq or does not determine the kind of the loop.
Variant lower_variant(Lower *l, Node *e, Variant usual);
/// Lowers the array that a pattern traverses, in order or in any order as its variant says.
const Low *lower_elements(Lower *l, Node *e, Node *xs, Demand elements);

/// Functions that lower a term for either position (read.c). A term without arrays in its type is
/// read; any other is written. A let chain may be either.
const Low *lower_if(Lower *l, Node *e);
const Low *lower_reduce(Lower *l, Node *e); // reduce, fold
const Low *lower_iterate(Lower *l, Node *e);
const Low *lower_lets(Lower *l, Node *e, bool write, Demand d);

/// State and control (state.c). Statements are lowered for READ.
const Low *lower_place(Lower *l, Node *e);
const Low *lower_get(Lower *l, Node *e);
const Low *lower_cell(Lower *l, Node *e);
const Low *lower_put(Lower *l, Node *e);
const Low *lower_label(Lower *l, Node *e);
const Low *lower_jump(Lower *l, Node *e);
const Low *lower_loop(Lower *l, Node *e);
const Low *lower_scalar_statement(Lower *l, Node *e);
const Low *lower_call(Lower *l, Node *e);
/// Returns the variable at the root of a location's path, or -1 if the term is not a path.
int policy_root(Node *place);
/// Whether variable 0 of a let's body, which stands for a term with these uses, is used after a
/// write to a location that the term reads (order.c). `stored` says that an array written to such a
/// location is first stored elsewhere if necessary.
bool policy_is_used_late(Lower *l, Node *body, Uses value, bool stored);

/// A node under construction: its lowered operands, and the sums of their uses and costs (build.c).
typedef struct {
    Lower *l;
    Node *from, **ops;
    Uses uses;
    Cost cost;
    bool stored;
} Build;

Build lower_build(Lower *l, Node *from);
/// Like lower_build, but also lowers the operands f, z and xs of a reduce, fold or scan.
Build lower_carried(Lower *l, Node *e);
/// Sets operand k to `x`, and adds `cost` to the cost of the node.
void lower_operand(Build *b, int k, const Low *x, Cost cost);
/// Lowers operand k for READ, and sets it.
const Low *lower_operand_read(Build *b, int k, Demand d);
/// Lowers operand k for WRITE, and sets it.
const Low *lower_operand_write(Build *b, int k);
/// Sets operands k and k + 1, the branches of an `if`.
void lower_branches(Build *b, int k, const Low *x, const Low *y);
/// Sets operand k of a view, which counts as stored if the operand is.
void lower_view_operand(Build *b, int k, const Low *x, Cost cost);
/// Records that a variable, which the node uses, is passed to a function.
void lower_pass(Build *b, int index);
/// Sets operand k, a lambda with this body.
void lower_function(Build *b, int k, const Low *body, Binder binder);
const Low *lower_finish(Build *b, Variant variant);
/// Finishes a statement, loop or call, which is never evaluated twice.
const Low *lower_finish_effect(Build *b);
/// Whether a value of this type may be in memory of this space: VARIANT_STACK and VARIANT_SHARED
/// are for arrays of constant size. Reports an error if it may not.
bool lower_fits(Lower *l, Node *type, Variant space);
const Low *low_new(Lower *l, Low low);
/// Lowers `e` for WRITE and wraps it in a to_mem, which it records as inserted (lower_inserted).
const Low *lower_to_mem(Lower *l, Node *e, const char *why);
/// Lowers `e` for READ and wraps it in a copy, which it records as inserted.
const Low *lower_copy(Lower *l, Node *e);
/// Wraps a readable term in a copy, without recording it as inserted.
const Low *lower_copied(Lower *l, const Low *r);
/// Lowers a to_mem that is explicit in the program.
const Low *lower_given_to_mem(Lower *l, Node *e);
/// Lowers a copy that is explicit in the program.
const Low *lower_given_copy(Lower *l, Node *e);
/// For WRITE: a copy of `e` that stores all of `e` before it writes the first element.
const Low *lower_copy_of_stored(Lower *l, Node *e, const char *why);
/// Records the reason for a choice.
void lower_note_reason(Lower *l, Node *low, const char *why);

/// The source position of the term being lowered.
Span lower_here(const Lower *l);
/// Whether the function is in a file that must spell out every to_mem and copy (insert.c).
bool lower_is_explicit(const Lower *l);
/// Records that the policy has inserted `low`, a to_mem or copy of `e`, in such a file.
void lower_inserted(Lower *l, Node *low, Node *e, const char *why);
/// Reports the recorded insertions in the finished body of f.
void lower_report_inserted(Lower *l, Node *low, const Function *f);
/// The demand that a lambda with this body makes on its last parameter, an element of an array.
Demand demand_of_elements(Node *lam, const Low *body);

/// Turns a reduce or fold over a join into a fold over rows (join.c). Returns `e` itself if there
/// is no join.
Node *policy_reduce_rows(Session *cx, Node *e);
/// Turns a map over a join into a join of maps. Returns `e` itself if there is no join.
Node *policy_map_rows(Session *cx, Node *e);
/// Rewrites a map or fold over a zip so that no array occurs in the zip twice. For example, map(f,
/// zip(xs, xs)) becomes a map over xs (zip.c).
Node *policy_zip_once(Lower *l, Node *e);

/// Whether a body lowered for WRITE can overwrite its array accumulator, because it reads no leaf
/// of the accumulator that it has already changed (inplace.c). The body is under n binders, of
/// which the first is the accumulator. `free_vars` is the memo of policy_free_vars, kept between
/// calls.
bool policy_is_inplace(Session *cx, Arena *arena, Map *free_vars, Node *body, int n);

/// The free variables of a term, in ascending order (free.c). They live as long as `memo` and
/// `arena`.
typedef struct {
    int len;
    const int *at;
} FreeVars;
FreeVars policy_free_vars(Arena *arena, Map *memo, Node *e);

/// Records in `low` the source positions of the flat function's patterns whose loop the program or
/// its schedule chose. Leaves out a position if some pattern there has no variant (open.c).
void policy_note_chosen(Session *cx, const Function *flat, Function *low);

/// Lists the choices in a low term, in the order in which they occur (choices.c). `why` maps nodes
/// to reasons.
void policy_list_choices(Session *cx, Arena *arena, Node *low, const Map *why, Choices *out);

#endif
