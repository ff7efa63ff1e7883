// DPIA: the imperative language of acceptors, expressions and commands (RISE & Shine's listings 8
// and 9, Lin's 5.4-5.57). from_core.c translates low Core by the two mutually recursive functions
// acc and con. It makes no choice: where low Core has one left, that is a fault of the compiler.
// Nothing below this level has functions.
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
    // of an entry, and its functions: how many threads may help the one it runs on, a size that no
    // caller gives; NULL: nothing asks
    Sym helpers;
    VEC(Param) params;
    Param out;
    SizeChecks checks; // hold before the body runs; COM_CHECK_SIZE is not used in the body
    Spans chosen,      // patterns of which the program or its schedule says which loop they become
        scheduled;     // those of which it is the schedule
    const bool *strided; // as of the function
    Node *body;
    VEC(Phrase *)
    // of an entry: the functions COM_CALL names, with its size parameters; those of C have their
    // own,
    callees;
    // which are also their first parameters
};

Phrase *dpia_from_core(Session *cx, const Function *low);

/// The callee of an entry with this name, NULL: none.
const Phrase *dpia_callee(const Phrase *entry, Sym name);

// Integers. Loop indices and locals of COM_LET never change, so that their names may stand in sizes
// (NAT_VAR of the same Sym), as may those of scalar parameters. An index is a PH_VAR when it is the
// index of a loop over just that length, else a CORE_NAT of type idx[n]; what is no size (an
// element of memory, a quotient of integers) is first bound by COM_LET. Names of i64 locals and
// parameters may be negative, other than names of sizes: whoever uses facts has to say so
// (facts_range).

// Cells are memory that is read and written at any time. So an expression over them holds until the
// next write: what is needed later is bound by COM_LET, which is where the translation reads it. A
// jump leaves its label's command; COM_FOR, COM_PARALLEL and COM_VECTORIZE run to their end.
//
// Integers wrap, sizes do not: arithmetic on i64 is taken as arithmetic on sizes only where it
// cannot leave the 64 bits, that is for short polynomials over sizes, loop indices and idx locals
// that are not above numbers of elements in memory.

/// How many helpers the interpreters have: then what is done in chunks is done in three.
enum { INTERPRETED_HELPERS = 2 };

/// A lower bound for facts where there is none: far from where sums of bounds would leave the 64
/// bits.
#define LEAST_INTEGER (INT64_MIN / 4)

/// What a name of DPIA stands for, when it stands in a size.
typedef enum {
    NAME_LENGTH,    // a size, an index, or computed from such: of the magnitude of a length
    NAME_NOT_ABOVE, // an i64 that never changes and is at most some length
    NAME_NOT_BELOW, // one that is at least some length
    NAME_INTEGER,   // any i64 that never changes
    NAME_MEMORY     // memory: no size
} NameClass;
typedef NameClass ClassOfName(void *env, Sym name);

/// What a function has in memory: terms of the numbers of elements of arrays.
typedef struct {
    VEC(Node *) terms;
} Lengths;

/// Adds a number of elements; those of all arrays in a type.
void lengths_add(Session *cx, Lengths *l, Node *count);
void lengths_add_type(Session *cx, Lengths *l, Node *type);

/// Adds what conditions that hold say of terms: with n*n == 2*t + n, n*n is in memory as t and n
/// are.
void lengths_add_checks(Session *cx, Lengths *l, const SizeCheck *checks, int n);

/// Whether the factors of a term, which has no coefficient, are among those of the elements of an
/// array.
bool lengths_have(const Lengths *l, Node *term);

/// A size that the name is not above (not below), in terms of other names or, for a size parameter,
/// that itself; NULL: none is known.
typedef Node *LimitOfName(void *env, Sym name, bool above);

/// What is known of the names in sizes at some place.
typedef struct {
    Session *cx;
    ClassOfName *name;
    LimitOfName *limit;
    void *env;
    const Lengths *lengths;
} SizeScope;

/// What the facts say of a name that is not a size parameter, as a limit.
Node *dpia_limit_by_facts(Session *cx, const Facts *facts, Sym name, bool above);

/// Whether a size, whose parts can be computed, can be computed in 64 bits: for certain, where
/// dpia_is_length takes for granted that products of sizes can be.
bool dpia_fits(const SizeScope *s, Node *size);

/// An expression of type idx[n] or i64 as a size, when it is one that does not wrap; else NULL.
Node *dpia_size(const SizeScope *s, Node *e);

/// Whether a size can be computed in 64 bits whatever the lengths in it are. min(max(s, 0), n) is
/// one for any integer s.
bool dpia_is_length(Node *size, ClassOfName *name, void *env);

/// Whether a name, or a minimum and maximum of names and lengths, is at most (at least) some
/// length.
bool dpia_is_limited(Node *size, bool above, ClassOfName *name, void *env);

/// No loop comes to its end after so many iterations: it stands for a bound that is none.
#define ENDLESS ((int64_t)1 << 60)

/// The number of nodes of a size written out, counted up to about `limit`.
int size_weight(Node *size, int limit);

/// The type of an expression or acceptor: that of Core for the kinds of Core, with sizes that agree
/// taken for granted; commands have none. The rule of the textual form.
Node *dpia_type_rule(Session *cx, const NodeSpec *spec, const char **why);

/// The names in scope in the body, for the textual form.
TermScope dpia_scope(Session *cx, const Phrase *p);

/// Kinds of this level with the types of their rules (sizes equal under the checks), variables in
/// scope with the types they were bound with, names bound once. No memory is mentioned before each
/// scalar of its type was assigned somewhere; each scalar of the result is assigned, on both
/// branches of an `if`, on each way out of a label, and inside of the loops of patterns (COM_FOR)
/// at a place that depends on each of their indices (so two iterations don't write one place,
/// unless scatter's check lets them, or they are inside of an accumulation in that place). An
/// iteration of a COM_FOR in any order (par, vec) writes memory from outside of it only at places
/// that depend on its index. Jumps lead to a label around them, and not out of COM_FOR,
/// COM_PARALLEL, COM_VECTORIZE. Calls fit the callees; arrays given to them are memory, and what is
/// behind & is not written. Breaks are E0901. Also the callees.
void dpia_check(Session *cx, const Phrase *p);

/// The textual form of a phrase, then those of its callees; reads back to the same.
void dpia_print(Session *cx, Text *out, const Phrase *p);
Phrase *dpia_read(Session *cx, uint32_t file);

/// Runs the command. `sizes` in the order of p->sizes. Reading what was not written, writing an
/// element of the result twice (other than where it accumulates) or not at all, and leaving memory
/// are faults of the compiler, reported as an outcome with E0901.
Outcome dpia_eval(Session *cx, Arena *arena, const Phrase *p, const int64_t *sizes,
                  const Value *args, Algebra algebra, int64_t fuel, Value *result);

#endif
