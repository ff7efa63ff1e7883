// DPIA: the imperative language of acceptors, expressions and commands (RISE & Shine's listings 8
// and 9, Lin's 5.4-5.57). from_core.c translates low Core by the two mutually recursive functions
// acc and con. It makes no choices, so a choice that is left in low Core is a fault of the
// compiler. No level from here on has functions as values.
#ifndef ADZE_DPIA_DPIA_H
#define ADZE_DPIA_DPIA_H

#include "core/ir/core.h"

/// An entry as a command. Inputs are PH_VAR of the parameters' names, the result is written to
/// ACC_VAR "out". A parameter that is a reference &mut t is read as PH_VAR and written as ACC_VAR
/// of its name, of type t.
typedef struct Phrase Phrase;
struct Phrase {
    Sym name;
    Span span;
    const char *doc;
    bool external;  // a C function, which has no body
    VEC(Sym) sizes; // size parameters, in order
    // in an entry and its callees: the number of worker threads besides the running one, a size
    // that no caller passes; NULL if not used
    Sym helpers;
    VEC(Param) params;
    Param out;
    SizeChecks checks;   // tested before the body runs; the body has no COM_CHECK_SIZE
    Spans chosen;        // positions of patterns whose loop the program or its schedule chooses
    Spans scheduled;     // the positions among them whose loop the schedule chooses
    const bool *strided; // as of the function
    Node *body;
    // Of an entry: the functions that COM_CALL calls. They have the size parameters of the entry; C
    // functions have their own, which are also their first parameters.
    VEC(Phrase *) callees;
};

Phrase *dpia_from_core(Session *cx, const Function *low);

/// The callee of an entry with this name, or NULL.
const Phrase *dpia_callee(const Phrase *entry, Sym name);

// Integers. Loop indices and locals of COM_LET never change, so their names may occur in sizes
// (NAT_VAR of the same Sym), as may those of scalar parameters. An index is a PH_VAR if it is the
// index of a loop over exactly that length, else a CORE_NAT of type idx[n]; an integer that is not
// a size (an element of memory, a quotient) is first bound by COM_LET. Names of i64 locals and
// parameters, unlike names of sizes, may be negative: facts about them need a range (facts_range).

// Cells are memory that is read and written at any time. So an expression over cells is valid until
// the next write; for later uses COM_LET binds its value, at the position of the read. A jump
// leaves the command of its label, but never a COM_FOR, COM_PARALLEL or COM_VECTORIZE.
//
// Integers wrap but sizes do not, so arithmetic on i64 becomes arithmetic on sizes only if it
// cannot overflow 64 bits, that is for short polynomials over sizes, loop indices and idx locals
// that are at most numbers of elements in memory.

/// The number of worker threads that the interpreters assume, so that they compute three chunks.
enum { INTERPRETED_HELPERS = 2 };

/// The lower bound for integers without one, so that sums of bounds do not overflow 64 bits.
#define LEAST_INTEGER (INT64_MIN / 4)

/// The class of a name of DPIA in a size.
typedef enum {
    NAME_LENGTH,    // a size, an index, or computed from these, so of the magnitude of a length
    NAME_NOT_ABOVE, // an i64 that never changes and is at most some length
    NAME_NOT_BELOW, // an i64 that never changes and is at least some length
    NAME_INTEGER,   // any other i64 that never changes
    NAME_MEMORY     // memory, so not a size
} NameClass;
typedef NameClass ClassOfName(void *env, Sym name);

/// The terms of the element counts of a function's arrays.
typedef struct {
    VEC(Node *) terms;
} Lengths;

/// Adds an element count; adds the element counts of all arrays in a type.
void lengths_add(Session *cx, Lengths *l, Node *count);
void lengths_add_type(Session *cx, Lengths *l, Node *type);

/// Adds terms that conditions bound by these terms: n*n, if n*n == 2*t + n, and t and n are element
/// counts.
void lengths_add_checks(Session *cx, Lengths *l, const SizeCheck *checks, int n);

/// Whether all factors of a term, without its coefficient, are factors of some element count.
bool lengths_have(const Lengths *l, Node *term);

/// An upper (lower) bound of the name in terms of other names; a size parameter is its own bound.
/// NULL if none is known.
typedef Node *LimitOfName(void *env, Sym name, bool above);

/// The names in sizes, with their classes and bounds.
typedef struct {
    Session *cx;
    ClassOfName *name;
    LimitOfName *limit;
    void *env;
    const Lengths *lengths;
} SizeScope;

/// The bound that the facts give for a name other than a size parameter.
Node *dpia_limit_by_facts(Session *cx, const Facts *facts, Sym name, bool above);

/// Whether a size, whose operands can be computed, can be computed in 64 bits. This function proves
/// it, but dpia_is_length assumes it for products of sizes.
bool dpia_fits(const SizeScope *s, Node *size);

/// An expression of type idx[n] or i64 as a size, if its arithmetic does not wrap; else NULL.
Node *dpia_size(const SizeScope *s, Node *e);

/// Whether a size can be computed in 64 bits for all lengths in it, as min(max(s, 0), n) for any
/// integer s.
bool dpia_is_length(Node *size, ClassOfName *name, void *env);

/// Whether a name, or a min or max of names and lengths, is bounded by some length from above
/// (below).
bool dpia_is_limited(Node *size, bool above, ClassOfName *name, void *env);

/// More iterations than any loop finishes: it represents the absence of a bound.
#define ENDLESS ((int64_t)1 << 60)

/// The number of nodes of a size as a tree, counted up to about `limit`.
int size_weight(Node *size, int limit);

/// The type of an expression or acceptor, for kinds of Core by the rule of Core; sizes are assumed
/// to agree. Commands have no type. The reader of the textual form uses it.
Node *dpia_type_rule(Session *cx, const NodeSpec *spec, const char **why);

/// The names in scope in the body, for the textual form.
TermScope dpia_scope(Session *cx, const Phrase *p);

/// Checks a phrase and its callees; a violation is E0901. Kinds are of this level and have the
/// types of their rules (sizes equal under the checks); variables are in scope and have the types
/// of their binders; names are bound once. Every scalar of memory is assigned before a read of it,
/// and every scalar of the result is assigned: in both branches of an `if`, on every path out of a
/// label, and in the loops of patterns (COM_FOR) at a place that depends on each of their indices,
/// so that no two iterations write the same place (except after the check of a scatter, and in an
/// accumulation in that place). An iteration of a COM_FOR in any order (par, vec) writes outer
/// memory only at places that depend on its index. Jumps lead to an enclosing label, and not out of
/// COM_FOR, COM_PARALLEL, COM_VECTORIZE. Calls fit the callees; array arguments are memory, and
/// memory of & is not written.
void dpia_check(Session *cx, const Phrase *p);

/// Prints the textual form of a phrase, then those of its callees; it reads back to the same
/// phrase.
void dpia_print(Session *cx, Text *out, const Phrase *p);
Phrase *dpia_read(Session *cx, uint32_t file);

/// Runs the command. `sizes` are in the order of p->sizes. Reading unassigned memory, writing an
/// element of the result twice (except in an accumulation) or not at all, and accesses outside of
/// memory are faults of the compiler, reported as an outcome with E0901.
Outcome dpia_eval(Session *cx, Arena *arena, const Phrase *p, const int64_t *sizes,
                  const Value *args, Algebra algebra, int64_t fuel, Value *result);

#endif
