// DPIA: the imperative language of acceptors, expressions and commands (RISE & Shine's listings 8
// and 9, Lin's 5.4-5.57). from_core.c translates low Core by the two mutually recursive functions
// acc and con. It makes no choice: a choice that is left in low Core is a fault of the compiler. No
// level from here on has functions as values.
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
    bool external;  // a function of C: no body
    VEC(Sym) sizes; // size parameters, in order
    // of an entry and its callees: the number of worker threads besides the running one, a size
    // that no caller passes; NULL: not used
    Sym helpers;
    VEC(Param) params;
    Param out;
    SizeChecks checks;   // hold before the body runs; COM_CHECK_SIZE is not used in the body
    Spans chosen;        // positions of patterns whose loop the program or its schedule chooses
    Spans scheduled;     // of these, positions where the schedule chooses it
    const bool *strided; // as of the function
    Node *body;
    // Of an entry: the functions that COM_CALL calls. They have the size parameters of the entry; C
    // functions have their own, which are also their first parameters.
    VEC(Phrase *) callees;
};

Phrase *dpia_from_core(Session *cx, const Function *low);

/// The callee of an entry with this name, NULL: none.
const Phrase *dpia_callee(const Phrase *entry, Sym name);

// Integers. Loop indices and locals of COM_LET never change, so their names may occur in sizes
// (NAT_VAR of the same Sym), as may those of scalar parameters. An index is a PH_VAR when it is the
// index of a loop over exactly that length, else a CORE_NAT of type idx[n]; an integer that is no
// size (an element of memory, a quotient) is first bound by COM_LET. Names of i64 locals and
// parameters, unlike names of sizes, may be negative: facts about them need a range (facts_range).

// Cells are memory that is read and written at any time. So an expression over them is valid until
// the next write: for later uses COM_LET binds its value, at the position where it is read. A jump
// leaves the command of its label, but no COM_FOR, COM_PARALLEL or COM_VECTORIZE.
//
// Integers wrap, sizes do not: arithmetic on i64 becomes arithmetic on sizes only where it cannot
// overflow 64 bits, that is for short polynomials over sizes, loop indices and idx locals that are
// at most numbers of elements in memory.

/// The number of helpers in the interpreters, which so compute three chunks.
enum { INTERPRETED_HELPERS = 2 };

/// A lower bound for facts where there is none, so that sums of bounds do not overflow 64 bits.
#define LEAST_INTEGER (INT64_MIN / 4)

/// The class of a name of DPIA in a size.
typedef enum {
    NAME_LENGTH,    // a size, an index, or computed from these: of the magnitude of a length
    NAME_NOT_ABOVE, // an i64 that never changes and is at most some length
    NAME_NOT_BELOW, // an i64 that never changes and is at least some length
    NAME_INTEGER,   // any other i64 that never changes
    NAME_MEMORY     // memory: no size
} NameClass;
typedef NameClass ClassOfName(void *env, Sym name);

/// The terms of the numbers of elements of the arrays of a function.
typedef struct {
    VEC(Node *) terms;
} Lengths;

/// Adds a number of elements; the numbers of all arrays in a type.
void lengths_add(Session *cx, Lengths *l, Node *count);
void lengths_add_type(Session *cx, Lengths *l, Node *type);

/// Adds terms that conditions bound by such terms: with n*n == 2*t + n, and t and n in memory, n*n.
void lengths_add_checks(Session *cx, Lengths *l, const SizeCheck *checks, int n);

/// Whether the factors of a term without coefficient are among those of a number of elements.
bool lengths_have(const Lengths *l, Node *term);

/// An upper (lower) bound of the name in terms of other names, or of a size parameter the parameter
/// itself; NULL: none is known.
typedef Node *LimitOfName(void *env, Sym name, bool above);

/// The names in sizes, with their classes and bounds.
typedef struct {
    Session *cx;
    ClassOfName *name;
    LimitOfName *limit;
    void *env;
    const Lengths *lengths;
} SizeScope;

/// The bound of a name other than a size parameter by the facts.
Node *dpia_limit_by_facts(Session *cx, const Facts *facts, Sym name, bool above);

/// Whether a size, whose operands can be computed, can be computed in 64 bits. This is proved,
/// while dpia_is_length assumes it for products of sizes.
bool dpia_fits(const SizeScope *s, Node *size);

/// An expression of type idx[n] or i64 as a size, when its arithmetic does not wrap; else NULL.
Node *dpia_size(const SizeScope *s, Node *e);

/// Whether a size can be computed in 64 bits for all lengths in it, as min(max(s, 0), n) for any
/// integer s.
bool dpia_is_length(Node *size, ClassOfName *name, void *env);

/// Whether a name, or a minimum and maximum of names and lengths, is at most (at least) some
/// length.
bool dpia_is_limited(Node *size, bool above, ClassOfName *name, void *env);

/// More iterations than any loop finishes: it represents the absence of a bound.
#define ENDLESS ((int64_t)1 << 60)

/// The number of nodes of a size as a tree, counted up to about `limit`.
int size_weight(Node *size, int limit);

/// The type of an expression or acceptor, by the rule of Core for kinds of Core; sizes are assumed
/// to agree. Commands have none. This is the rule of the textual form.
Node *dpia_type_rule(Session *cx, const NodeSpec *spec, const char **why);

/// The names in scope in the body, for the textual form.
TermScope dpia_scope(Session *cx, const Phrase *p);

/// Checks a phrase and its callees; a violation is E0901. Kinds are of this level and have the
/// types of their rules (sizes equal under the checks); variables are in scope and have the types
/// of their binders; names are bound once. Every scalar of memory is assigned before a read of it,
/// and every scalar of the result is assigned: in both branches of an `if`, on every path out of a
/// label, and in the loops of patterns (COM_FOR) at a place that depends on each of their indices,
/// so that no two iterations write one place (except after the check of a scatter, and in an
/// accumulation in that place). An iteration of a COM_FOR in any order (par, vec) writes outer
/// memory only at places that depend on its index. Jumps lead to an enclosing label, and not out of
/// COM_FOR, COM_PARALLEL, COM_VECTORIZE. Calls fit the callees; array arguments are memory, and
/// memory of & is not written.
void dpia_check(Session *cx, const Phrase *p);

/// The textual form of a phrase, then those of its callees; reads back to the same.
void dpia_print(Session *cx, Text *out, const Phrase *p);
Phrase *dpia_read(Session *cx, uint32_t file);

/// Runs the command. `sizes` are in the order of p->sizes. Reading unassigned memory, writing an
/// element of the result twice (except in an accumulation) or not at all, and accesses outside of
/// memory are faults of the compiler, reported as an outcome with E0901.
Outcome dpia_eval(Session *cx, Arena *arena, const Phrase *p, const int64_t *sizes,
                  const Value *args, Algebra algebra, int64_t fuel, Value *result);

#endif
