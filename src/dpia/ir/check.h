// Inside the checker of DPIA: names, definite assignment of memory, and control flow.
#ifndef ADZE_DPIA_CHECK_H
#define ADZE_DPIA_CHECK_H

#include "dpia/ir/dpia.h"

typedef enum { NAME_OF_SIZE, NAME_OF_VALUE, NAME_OF_MEMORY } Use;

typedef struct {
    Use use;
    Node *type;
    uint64_t loops; // loops on which the value depends: bit k is the k-th enclosing loop
    int first, n;   // for memory: its scalars in `assigned`
    bool fixed;     // memory of a reference &, which must not be written
    int depth;      // number of pattern loops around its binding
} Name;

typedef VEC(bool) Flags;

/// A label that encloses the current command.
typedef struct Label Label;
struct Label {
    Sym name;
    int fence;      // the innermost loop enclosing the label that no jump leaves
    int n;          // the number of scalars of memory in scope after it
    bool left;      // a jump leaves it
    Flags assigned; // scalars that all jumps so far have assigned
    Label *outer;
};

typedef struct {
    Session *cx;
    const Phrase *p;
    const Phrase *entry; // the functions that can be called are its callees
    Facts *facts;
    Map names;      // Sym -> Name, NULL if out of scope
    Map typed;      // nodes with the type of their rule
    Flags assigned; // scalars of memory
    const Name *out;
    int depth;         // number of enclosing pattern loops
    uint64_t apart;    // loops whose iterations may run in any order
    int again;         // the depth of the innermost accumulation, whose loops may write repeatedly
    uint64_t distinct; // loops that check at run time that iterations write different places
    Label *labels;
    int fence, fences; // the innermost loop that no jump leaves; the number of such loops so far
} Checker;

_Noreturn void check_fault(Checker *c, Node *e, const char *why);

// --- check_terms.c ------------------------------------------------------------------------------

bool check_same_type(Checker *c, Node *a, Node *b);

Name *check_find(Checker *c, Sym name);
Name *check_bind(Checker *c, Sym sym, Use use, Node *type, uint64_t loops);
void check_unbind(Checker *c, Sym sym);
/// Whether each scalar of the memory was assigned.
bool check_is_assigned(Checker *c, const Name *memory);

/// The loops on which a size depends; the loops on which an expression depends other than through
/// memory.
uint64_t check_size(Checker *c, Node *size);
uint64_t check_expression(Checker *c, Node *e);

/// The target of an acceptor: scalars [scalar, scalar + n) of the memory, at a place that depends
/// on these loops.
typedef struct {
    const Name *memory; // NULL if discarded
    int scalar, n;
    uint64_t loops;
} Target;
Target check_acceptor(Checker *c, Node *acceptor);
/// Checks an acceptor of any type that other commands write element by element.
void check_destination(Checker *c, Node *acceptor);

// --- check.c ------------------------------------------------------------------------------------

void check_command(Checker *c, Node *k);
/// Checks that a command may write the acceptor, and marks all its scalars as assigned.
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
