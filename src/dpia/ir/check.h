// Inside the checker of DPIA: what is known of names, memory and the ways that control takes.
#ifndef ADZE_DPIA_CHECK_H
#define ADZE_DPIA_CHECK_H

#include "dpia/ir/dpia.h"

typedef enum { NAME_OF_SIZE, NAME_OF_VALUE, NAME_OF_MEMORY } Use;

typedef struct {
    Use use;
    Node *type;
    uint64_t loops; // what the value depends on: bit k for the k-th enclosing loop
    int first, n;   // memory: its scalars in `assigned`
    bool fixed;     // memory behind a reference that only reads
    int depth;      // of loops of patterns where it was bound
} Name;

typedef VEC(bool) Flags;

/// A label around the command that is looked at.
typedef struct Label Label;
struct Label {
    Sym name;
    int fence;      // of the checker where the label stands
    int n;          // scalars of memory there are behind it
    bool left;      // by a jump
    Flags assigned; // of those scalars, by all jumps so far
    Label *outer;
};

typedef struct {
    Session *cx;
    const Phrase *p;
    const Phrase *entry; // the functions that can be called are its callees
    Facts *facts;
    Map names;      // Sym -> Name, NULL when out of scope
    Map typed;      // nodes with the type of their rule
    Flags assigned; // scalars of memory
    const Name *out;
    int depth;      // of loops of patterns
    uint64_t apart; // those whose iterations come in any order
    int again; // of these, how many are around the innermost accumulation: those inside write again
    uint64_t distinct; // loops that check at run time that each iteration has a place of its own
    Label *labels;
    int fence, fences; // the innermost loop that no jump leaves; how many there were so far
} Checker;

_Noreturn void check_fault(Checker *c, Node *e, const char *why);

// --- check_terms.c ------------------------------------------------------------------------------

bool check_same_type(Checker *c, Node *a, Node *b);

Name *check_find(Checker *c, Sym name);
Name *check_bind(Checker *c, Sym sym, Use use, Node *type, uint64_t loops);
void check_unbind(Checker *c, Sym sym);
/// Whether each scalar of the memory was assigned.
bool check_is_assigned(Checker *c, const Name *memory);

/// The loops that a size depends on; that the value of an expression depends on, other than through
/// memory.
uint64_t check_size(Checker *c, Node *size);
uint64_t check_expression(Checker *c, Node *e);

/// Where an acceptor writes: scalars [scalar, scalar + n) of the memory, at a place that depends on
/// these loops.
typedef struct {
    const Name *memory; // NULL: nowhere
    int scalar, n;
    uint64_t loops;
} Target;
Target check_acceptor(Checker *c, Node *acceptor);
/// An acceptor of any type, written element by element somewhere else.
void check_destination(Checker *c, Node *acceptor);

// --- check.c ------------------------------------------------------------------------------------

void check_command(Checker *c, Node *k);
/// The command writes all scalars of the acceptor.
void check_write(Checker *c, Node *k, Node *acceptor);

/// For commands that may not run: what is assigned now, and back to that.
Flags check_save(Checker *c);

// --- check_control.c ----------------------------------------------------------------------------

void check_label(Checker *c, Node *k);
void check_jump(Checker *c, Node *k);
void check_forever(Checker *c, Node *k);
void check_range(Checker *c, Node *k); // COM_RANGE, COM_PARALLEL, COM_VECTORIZE
void check_spawn(Checker *c, Node *k);
void check_call(Checker *c, Node *k);

#endif
