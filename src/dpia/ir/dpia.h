// DPIA is the imperative language of acceptors, expressions and commands (listings 8 and 9 of RISE
// & Shine, equations 5.4-5.57 of Lin). from_core.c translates low Core into it with two mutually
// recursive functions, acc and con. The translation makes no choices, so one that is still open in
// low Core is an internal compiler error. From this level on, functions are no longer values.
#ifndef ADZE_DPIA_DPIA_H
#define ADZE_DPIA_DPIA_H

#include "core/ir/core.h"

/// An entry, or one of its callees, as a command. The body reads a parameter as the PH_VAR of its
/// name and writes the result to the ACC_VAR of out.name. A parameter of type &mut t is read as a
/// PH_VAR and written as an ACC_VAR of the same name, both of type t.
typedef struct Phrase Phrase;
struct Phrase {
    Sym name;
    Span span;
    const char *doc;
    bool external;  // a C function, which has no body
    VEC(Sym) sizes; // size parameters, in order
    // A size that no caller passes: the number of worker threads besides the running one. Callees
    // use the same name as their entry. NULL if nothing depends on the number.
    Sym helpers;
    VEC(Param) params;
    Param out;
    SizeChecks checks;   // an entry tests them before its body; a callee relies on its callers
    Spans chosen;        // positions of the patterns whose loop the program or its schedule chose
    Spans scheduled;     // the subset of `chosen` that the schedule chose
    Spans defaulted;     // likewise for the default schedule
    Spans spread;        // positions of ranges whose iterations may run on threads if independent
    const bool *strided; // as in Function
    Node *body;
    // For an entry, every function that a COM_CALL calls. They share the entry's size parameters,
    // except that C functions have their own, which are also their first parameters.
    VEC(Phrase *) callees;
};

Phrase *dpia_from_core(Session *cx, const Function *low);

/// The name of the size that parameter `i` of a callee holds, or NULL if it is not a size.
Sym dpia_own_size(Session *cx, const Phrase *f, int i);

/// The callee of an entry with this name, or NULL.
const Phrase *dpia_callee(const Phrase *entry, Sym name);

// Integers. Loop indices and the locals of COM_LET never change, so their names may occur in sizes
// (as a NAT_VAR of the same Sym). So may the names of scalar parameters. An index into n elements
// is a PH_VAR if it is the index of a loop over exactly n, and otherwise a CORE_NAT of type idx[n].
// An integer that is not a size (an element of memory, a quotient) is first bound by COM_LET.
// Unlike size parameters, i64 locals and parameters may be negative, so facts about them need a
// range (facts_range).

// Cells are memory that may be read and written at any time, so an expression that reads cells is
// valid only until the next write. If its value is needed later, COM_LET binds it at the point of
// the read. A jump leaves the command of its label, but never a COM_FOR, COM_PARALLEL or
// COM_VECTORIZE.
//
// Integers wrap but sizes do not, so i64 arithmetic becomes size arithmetic only if it cannot
// overflow 64 bits. That holds for polynomials with small coefficients in sizes, loop indices and
// idx locals, as long as element counts of arrays in memory bound their terms.

/// The number of worker threads that the interpreters assume. With the running thread, they compute
/// three chunks.
enum { INTERPRETED_HELPERS = 2 };

/// Stands for the lower bound of an integer if none is known. Sums of a few such bounds do not
/// overflow 64 bits.
#define LEAST_INTEGER (INT64_MIN / 4)

/// What is known about a DPIA name that occurs in a size.
typedef enum {
    NAME_LENGTH,    // a size, an index, or computed from these, so about as large as a length
    NAME_WORD,      // an integer of at most 32 bits: its sums with lengths do not wrap
    NAME_NOT_ABOVE, // an i64 that never changes and is at most some length
    NAME_NOT_BELOW, // an i64 that never changes and is at least some length
    NAME_INTEGER,   // any other i64 that never changes
    NAME_MEMORY     // memory, so not a size
} NameClass;
typedef NameClass ClassOfName(void *env, Sym name);

/// The terms that occur in the element counts of a function's arrays.
typedef struct {
    VEC(Node *) terms;
} Lengths;

/// Adds the terms of an element count.
void lengths_add(Session *cx, Lengths *l, Node *count);
/// Adds the element counts of all arrays in a type.
void lengths_add_type(Session *cx, Lengths *l, Node *type);

/// Adds the terms that the checks bound by terms already in *l. For example, adds n*n if a check
/// says n*n == 2*t + n, and both t and n are element counts.
void lengths_add_checks(Session *cx, Lengths *l, const SizeCheck *checks, int n);

/// Whether all factors of `term`, ignoring its coefficient, are factors of one element count.
bool lengths_have(const Lengths *l, Node *term);
/// Whether the facts imply that `term`, ignoring its coefficient, is at most one element count. The
/// other factors of that count must be positive: in an array [0][m], m may be any number.
bool lengths_bound(Session *cx, const Lengths *l, const Facts *facts, Node *term);

/// Returns an upper bound (or a lower bound, unless `above`) of the name in terms of other names,
/// or NULL if none is known. A size parameter is its own upper bound.
typedef Node *LimitOfName(void *env, Sym name, bool above);

/// The classes and bounds of the names in sizes.
typedef struct {
    Session *cx;
    ClassOfName *name;
    LimitOfName *limit;
    void *env;
    const Lengths *lengths;
} SizeScope;

/// Returns the bound that the facts give for a name other than a size parameter, or NULL.
Node *dpia_limit_by_facts(Session *cx, const Facts *facts, Sym name, bool above);

/// Whether a size provably can be computed in 64 bits, given that its operands can. In contrast,
/// dpia_is_length just assumes that products of sizes do not overflow.
bool dpia_fits(const SizeScope *s, Node *size);

/// Returns an expression of type idx[n] or i64 as a size. Returns NULL if it is not one, or if its
/// arithmetic may wrap.
Node *dpia_size(const SizeScope *s, Node *e);

/// Whether a size can be computed in 64 bits, whatever the values of the lengths in it. For
/// example, min(max(s, 0), n) can, for any integer s.
bool dpia_is_length(Node *size, ClassOfName *name, void *env);

/// Whether some length bounds a name, or a min or max of names and lengths, from above (or from
/// below, unless `above`).
bool dpia_is_limited(Node *size, bool above, ClassOfName *name, void *env);

/// More iterations than any loop can run. It stands for the absence of a bound.
#define ENDLESS ((int64_t)1 << 60)

/// The number of nodes in a size, seen as a tree; counting stops at about `limit`.
int size_weight(Node *size, int limit);

/// Returns the type of an expression or acceptor, or NULL if it has none, with the reason in *why.
/// Core kinds follow Core's typing rule, and sizes are assumed to agree. For a command, which has
/// no type, *why is not set. The parser of the textual form uses this rule.
Node *dpia_type_rule(Session *cx, const NodeSpec *spec, const char **why);

/// The names in scope in the body, for the textual form.
TermScope dpia_scope(Session *cx, const Phrase *p);

/// Checks a phrase and its callees; a violation is E0901. The rules are:
/// - Nodes have kinds of this level, and the types that their typing rules compute.
/// - Types agree if their sizes are equal under the checks.
/// - Variables are in scope and have the types of their binders. Names are bound once.
/// - Every scalar of memory is assigned before it is read, and every scalar of the result is
///   assigned: in both branches of an `if`, and on every path out of a label.
/// - Inside pattern loops (COM_FOR), the result is written at a location that depends on each of
///   their indices, so that no two iterations write the same location. Writes after the check of a
///   scatter, and writes in an accumulation, are exempt.
/// - If the iterations of a COM_FOR may run in any order (par, vec), they write outer memory only
///   at locations that depend on its index.
/// - Jumps lead to an enclosing label, and not out of COM_FOR, COM_PARALLEL or COM_VECTORIZE.
/// - Calls match the callees' signatures. Array arguments are memory, and memory behind & is not
///   written.
void dpia_check(Session *cx, const Phrase *p);

/// Prints the textual form of a phrase, then those of its callees. dpia_read reads it back as the
/// same phrase.
void dpia_print(Session *cx, Text *out, const Phrase *p);
Phrase *dpia_read(Session *cx, uint32_t file);

/// Runs the phrase. `sizes` are in the order of p->sizes. Reading unassigned memory, writing an
/// element of the result twice (except in an accumulation) or not at all, and accessing memory out
/// of bounds are internal compiler errors, reported as an outcome with E0901.
Outcome dpia_eval(Session *cx, Arena *arena, const Phrase *p, const int64_t *sizes,
                  const Value *args, Algebra algebra, int64_t fuel, Value *result);

#endif
