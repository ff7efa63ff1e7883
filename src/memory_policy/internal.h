// Declarations shared by the files of rewrite/: the results of lowering a subterm besides the term.
#ifndef ADZE_MEMORY_POLICY_INTERNAL_H
#define ADZE_MEMORY_POLICY_INTERNAL_H

#include "base/link.h"
#include "memory_policy/memory_policy.h"
#include "views/views.h"

/// How often elements are read. Bit l is for the elements at nesting level l (0: elements of the
/// array itself): set when one element may be selected more than once altogether. The last bit
/// stands for all deeper levels.
typedef uint32_t Demand;
enum { DEMAND_LEVELS = 8, ONCE = 0, MANY = (1 << DEMAND_LEVELS) - 1 };

/// The demand on the elements of an array with demand d; the demand on an array whose elements have
/// demand d and are selected once, or more often.
Demand demand_inner(Demand d);
Demand demand_outer(Demand elements, bool many);

/// Array variables used in a term, by index ascending, each with how it is read; components of one
/// apart. A variable that is read once, as `at (at x i) j` with loop indices i and j, has these in
/// `by`, level by level: such a loop selects another element in each iteration.
enum { INDEXED_LEVELS = 4, BY_NONE = -1, WHOLE = -1 };
typedef struct {
    int index;
    int component; // of a tuple, when that is all that is used of it; else WHOLE
    Demand demand;
    int by[INDEXED_LEVELS]; // variables, or BY_NONE
    uint8_t place;          // of a reference: mask of USE_*
    bool passed;            // to a function, which needs the array in memory
} Use;
/// How a term uses a place: reads it when the term's value is read (delayed terms read later);
/// reads it at all; writes it.
enum { USE_READ = 1, USE_TOUCHED = 2, USE_WRITTEN = 4 };

typedef struct {
    int len;
    const Use *at;
} Uses;

/// What a binder is to the uses under it: a let; a loop; a loop whose parameter is an index that
/// takes each value once.
typedef enum { BINDER_LET, BINDER_LOOP, BINDER_INDEX } Binder;

Uses uses_one(Arena *a, Use u);
Use use_whole(int index, Demand d); // not by indices
Use use_component(int index, int component, Demand d);
/// The uses of two terms evaluated one after the other: a variable that both use is used more than
/// once.
Uses uses_both(Arena *a, Uses x, Uses y);
/// The uses of two terms of which only one is evaluated.
Uses uses_either(Arena *a, Uses x, Uses y);
/// Seen from outside of a binder of n variables: a loop repeats what it doesn't select by its
/// index.
Uses uses_outside(Arena *a, Uses u, int n, Binder binder);
Demand uses_of(Uses u, int index); // ONCE when not used
int uses_place(Uses u, int index); // mask of USE_*
bool uses_passed(Uses u, int index);
/// Once the value is stored nothing is read later.
Uses uses_stored(Arena *a, Uses u);

/// Work, in operations, saturating: when the term is made readable (`once`), and when an element at
/// a level is selected.
enum { COST_BIG = 255 };
typedef struct {
    uint8_t once, at[DEMAND_LEVELS];
} Cost;

Cost cost_sum(Cost a, Cost b);
Cost cost_plus(Cost a, int once, int level0);
/// Work on levels that are selected more than once.
Cost cost_repeated(Cost a, Demand d);
/// Of the elements, as the work of an array of them, and the other way round.
Cost cost_outer(Cost elements);
Cost cost_inner(Cost array);
/// Of a term whose levels 0 and 1 are selected together: join's argument.
Cost cost_joined(Cost array);
/// The operations of one node of a scalar expression.
int cost_of_scalar(Node *e);
/// Whether some element that costs more than a few operations may be selected more than once.
bool cost_exceeds(Cost c, Demand d);

/// A subterm lowered in one way.
typedef struct {
    Node *term;
    Uses uses;
    Cost cost;
    bool stored; // the array, or its rows, are made by a to_mem here: writing would be direct
} Low;

typedef struct Lower Lower;
struct Lower {
    Session *cx;
    Arena *arena;
    // What lowers a term of any kind (read.c, write.c).
    const Low *(*read)(Lower *l, Node *e, Demand d);
    const Low *(*write)(Lower *l, Node *e);
    Map reads, writes;      // node (and demand) -> Low
    Map why;                // low node -> reason
    const Map *by_schedule; // keys of patterns that a schedule has given their variant, or NULL
    Map recomputed;         // flat to_mem of what would be computed too often -> why (recompute.c)
    Map inserted; // to_mem and copy that are the policy's, where the program says all -> Insertion
    Span at;      // of the term being lowered that has a place in the source
    Span whole;   // of the function
    bool aliases; // two references of the function may be one place
    bool flipped; // the term is read through an odd number of transposes: columns first
    Map free;     // of rewrite_free
};

/// Lowering of any term.
const Low *lower_read_by_kind(Lower *l, Node *e, Demand d);
const Low *lower_write_by_kind(Lower *l, Node *e);
const Low *lower_read(Lower *l, Node *e, Demand d);
const Low *lower_write(Lower *l, Node *e);

/// The body with a to_mem around each map.src and generate.src that would be computed too often
/// (recompute.c).
Node *lower_store_recomputed(Lower *l, Node *body);

/// map.dst (write_put.c): e is written where the function puts its elements, or the function runs
/// on each element.
const Low *lower_map_dst(Lower *l, Node *e);
/// The function of a map with the sides that make it a put; NULL when it has none.
Node *rewrite_with_put(Session *cx, Node *map);
/// An array that a loop goes through once, in order, and whose elements it wants so.
const Low *lower_stream(Lower *l, Node *e, Demand elements);

/// What the program asks for (variants.c): whether the variant of a pattern says which loop it
/// becomes; that variant, once its numbers are looked at (E0415, E0506), or `usual`.
bool lower_has_loop(Node *e);
Variant lower_variant(Lower *l, Node *e, Variant usual);
/// The array that a pattern goes through: in order, or in any order as its variant says.
const Low *lower_elements(Lower *l, Node *e, Node *xs, Demand elements);

/// What both positions share (read.c): conditions, reductions, iteration, let chains.
const Low *lower_if(Lower *l, Node *e, const Low *a, const Low *b);
const Low *lower_reduce(Lower *l, Node *e, bool write);
const Low *lower_iterate(Lower *l, Node *e, bool write);
const Low *lower_lets(Lower *l, Node *e, bool write, Demand d);

/// State and control (state.c). Statements are run where they stand, in READ.
const Low *lower_place(Lower *l, Node *e);
const Low *lower_get(Lower *l, Node *e);
const Low *lower_cell(Lower *l, Node *e);
const Low *lower_put(Lower *l, Node *e);
const Low *lower_label(Lower *l, Node *e, bool write);
const Low *lower_jump(Lower *l, Node *e);
const Low *lower_loop(Lower *l, Node *e);
const Low *lower_scalar_statement(Lower *l, Node *e);
const Low *lower_call(Lower *l, Node *e);
/// The variable that a place is a part of; -1 when it is no path.
int rewrite_root(Node *place);
/// Whether variable 0 of a let's body, which stands for a term with these uses, is used when a
/// place that the term reads was written (order.c). `stored`: an array that is written there is
/// made elsewhere first if need be.
bool rewrite_used_late(Lower *l, Node *body, Uses value, bool stored);

/// A node in the making: operands as they are lowered, their uses and costs summed up (build.c).
typedef struct {
    Lower *l;
    Node *from, **ops;
    Uses uses;
    Cost cost;
    bool stored;
} Build;

Build lower_build(Lower *l, Node *from);
/// Operand k, with its cost as the node sees it; of a view: stored where the operand is.
void lower_operand(Build *b, int k, const Low *x, Cost cost);
/// Operands k and k + 1 are branches of an `if`.
void lower_branches(Build *b, int k, const Low *x, const Low *y);
void lower_view_operand(Build *b, int k, const Low *x, Cost cost);
/// Operand k is a lambda with this body, run by the node.
void lower_function(Build *b, int k, const Low *body, Binder binder);
const Low *lower_finish(Build *b, Variant variant);
const Low *low_new(Lower *l, Low low);
const Low *lower_to_mem(Lower *l, Node *e, const char *why);
const Low *lower_copy(Lower *l, Node *e);
/// A copy of what can be read, not the policy's.
const Low *lower_copied(Lower *l, const Low *r);
/// The same, as the program asks for it.
const Low *lower_given_to_mem(Lower *l, Node *e);
const Low *lower_given_copy(Lower *l, Node *e);
/// In WRITE: complete before the first element is written.
const Low *lower_kept(Lower *l, Node *e, const char *why);
/// Notes the reason for a choice.
void lower_tell(Lower *l, Node *low, const char *why);

/// The place in the source that is being lowered.
Span lower_here(const Lower *l);
/// Whether what is stored and copied at this place is for the program to say (insert.c).
bool lower_is_explicit(const Lower *l);
/// Notes that the policy has stored or copied `e` where the program says all.
void lower_inserted(Lower *l, Node *low, Node *e, const char *why);
/// Reports what was inserted and is part of the finished body of f.
void lower_report_inserted(Lower *l, Node *low, const Function *f);
Node *lower_lam_body(Node *lam);
/// The demand on the elements of an array that goes through a lambda with this body, whose last
/// parameter is the element.
Demand demand_of_elements(Node *lam, const Low *body);

/// e' with join(e') = e, when maps and zips over joins make that possible; NULL otherwise (join.c).
Node *rewrite_unjoin(Session *cx, Node *e);
/// reduce, fold over a join as a fold over rows; map over a join as a join of maps. `e` itself when
/// there is no join.
Node *rewrite_reduce_rows(Session *cx, Node *e);
Node *rewrite_map_rows(Session *cx, Node *e);

/// Whether a body under n variables, lowered in WRITE and run in order, reads of the first of
/// these, an array accumulator, no leaf after it was changed, so that it can be written over it
/// (inplace.c). Arrays in it that are updated in place (to_mem.inplace) were asked for before.
/// `free` remembers free variables from question to question.
bool rewrite_is_inplace(Session *cx, Arena *arena, Map *free, Node *body, int n);

/// The free variables of a term, ascending; `memo` and `arena` live as long (free.c).
typedef struct {
    int len;
    const int *at;
} FreeVars;
FreeVars rewrite_free(Arena *arena, Map *memo, Node *e);

/// Notes in `low` the places of the patterns in a flat function of which the program or its
/// schedule says which loop they become: where all that stand there, after a schedule, have a
/// variant (open.c).
void rewrite_chosen(Session *cx, const Function *flat, Function *low);

/// Who chose the variant of a flat term, for `adze explain`.
const char *lower_said(const Lower *l, Node *flat);

/// The choices told by a low term (choices.c). `why` maps nodes to reasons.
void rewrite_tell(Session *cx, Arena *arena, Node *low, const Map *why, Choices *out);

#endif
