// Internals of the DPIA checker: names, definite assignment of memory, and control flow.
#ifndef ADZE_DPIA_CHECK_H
#define ADZE_DPIA_CHECK_H

#include "dpia/ir/dpia.h"

typedef enum { NAME_OF_SIZE, NAME_OF_VALUE, NAME_OF_MEMORY } Use;

typedef struct {
    Use use;
    Node *type;
    uint64_t loops; // loops on which the value depends: bit k is the k-th enclosing loop
    int first, n;   // for memory, its scalars are assigned.at[first .. first + n)
    bool fixed;     // memory behind an & reference, which must not be written
    int depth;      // number of pattern loops that enclose its binding
} Name;

typedef VEC(bool) Flags;

/// A label that encloses the current command.
typedef struct Label Label;
struct Label {
    Sym name;
    int fence;      // number of the innermost enclosing loop that no jump may leave
    int n;          // number of memory scalars in scope after the label
    bool left;      // whether a jump leaves it
    Flags assigned; // scalars that were assigned at every jump so far
    Label *outer;
};

typedef struct {
    Session *cx;
    const Phrase *p;
    const Phrase *entry; // the phrase whose callees can be called
    Facts *facts;
    Map names;      // Sym -> Name, NULL if out of scope
    Map typed;      // nodes whose type has been checked
    Flags assigned; // which scalars of memory are assigned
    const Name *out;
    int depth;         // number of enclosing pattern loops
    uint64_t apart;    // loops whose iterations may run in any order
    int again;         // depth of the outermost accumulation, or -1; loops inside it may write the
                       // same location repeatedly
    uint64_t distinct; // loops that check at run time that iterations write different locations
    Label *labels;
    // `fence` is the innermost loop that no jump may leave, `fences` the number of such loops so
    // far.
    int fence, fences;
} Checker;

_Noreturn void check_fault(Checker *c, Node *e, const char *why);

// --- check_terms.c ------------------------------------------------------------------------------

bool check_same_type(Checker *c, Node *a, Node *b);

Name *check_find(Checker *c, Sym name);
Name *check_bind(Checker *c, Sym sym, Use use, Node *type, uint64_t loops);
void check_unbind(Checker *c, Sym sym);
/// Whether every scalar of the memory is assigned.
bool check_is_assigned(Checker *c, const Name *memory);

/// Checks a size and returns the loops on which it depends.
uint64_t check_size(Checker *c, Node *size);
/// Checks an expression and returns the loops on which its value depends, other than through
/// memory.
uint64_t check_expression(Checker *c, Node *e);

/// The target of an acceptor: the scalars [scalar, scalar + n) of the memory, at a location that
/// depends on `loops`.
typedef struct {
    const Name *memory; // NULL if the value is discarded
    int scalar, n;
    uint64_t loops;
} Target;
Target check_acceptor(Checker *c, Node *acceptor);
/// Checks an acceptor of any type, to which other commands write element by element.
void check_destination(Checker *c, Node *acceptor);

// --- check.c ------------------------------------------------------------------------------------

void check_command(Checker *c, Node *k);
/// Checks that a command may write to the acceptor, and marks all its scalars as assigned.
void check_write(Checker *c, Node *k, Node *acceptor);

/// A copy of `assigned`, to restore after a command that may not run.
Flags check_save(Checker *c);

// --- check_control.c ----------------------------------------------------------------------------

void check_label(Checker *c, Node *k);
void check_jump(Checker *c, Node *k);
void check_forever(Checker *c, Node *k);
void check_range(Checker *c, Node *k); // COM_RANGE, COM_PARALLEL, COM_VECTORIZE
void check_spawn(Checker *c, Node *k);
void check_call(Checker *c, Node *k);

#endif
