// Internals of the DPIA interpreter: names, memory whose elements record whether they were written,
// and access paths.
#ifndef ADZE_DPIA_EVAL_H
#define ADZE_DPIA_EVAL_H

#include "dpia/ir/dpia.h"
#include "views/views.h"

/// Memory of some type. An atom has `bits`; any other type has `count` parts.
typedef struct Cell Cell;
struct Cell {
    bool written;
    bool undefined; // the value written was computed from unwritten elements
    uint64_t bits;
    int64_t count;
    Cell *parts;
};

/// The value of a name: memory, an input, a loop index or a local.
typedef struct {
    Cell *cell; // NULL for a value
    Value value;
    bool once; // each element may be written only once
} Binding;

typedef struct {
    Session *cx;
    Arena *arena;
    const Phrase *entry, *p; // `p` is the running function
    const int64_t *sizes;
    Algebra algebra;
    int64_t fuel;
    int depth;   // number of active calls
    int again;   // number of enclosing accumulations, which may rewrite elements of the result
    Map names;   // Sym -> Binding
    Sym leaving; // the label of the jump in progress, or NULL
    // Set to true if the value to be assigned depends on an unwritten element. If NULL, reading
    // such an element is an internal error.
    bool *undefined;
    Outcome outcome;
} Run;

// All of these functions set run->outcome and return false if the run fails. Those that run
// commands also return false if a jump leaves the command.

/// eval.c
bool run_command(Run *r, Node *c);
void run_fill(Run *r, Cell *c, const Value *v); // initialises *c as memory that holds the value
bool run_new_cell(Run *r, Node *type, Cell *c); // all elements start out unwritten
Binding *run_bind(Run *r, Sym name, Binding binding);
bool run_body(Run *r, Cell *out); // runs r->p with its bound parameters; its result goes to `out`

/// eval_control.c
bool run_label(Run *r, Node *c);
bool run_jump(Run *r, Node *c);
bool run_forever(Run *r, Node *c);
bool run_range(Run *r, Node *c); // runs COM_RANGE, COM_PARALLEL and COM_VECTORIZE sequentially
bool run_call(Run *r, Node *c);
/// Whether the expression denotes memory, so that run_memory can find it.
bool run_is_memory(const Run *r, Node *e);

/// Fails with a run-time error.
bool run_fail(Run *r, DiagCode code, Span span, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/// Fails with an internal compiler error (E0901).
bool run_fault(Run *r, Node *at, const char *what);
bool run_charge(Run *r, int64_t steps, Span span);

bool run_size(Run *r, Node *size, Span span, int64_t *value);
/// The length of an array type.
bool run_length(Run *r, Node *type, int64_t *n);

/// The index that the first step of a numeric path selects in an array, vector, tuple or struct.
static inline int64_t run_step(Path *path)
{
    return path->step.is_component ? path->step.component : path->step.at.number;
}
/// Maps a numeric path as the table in views.h says for this view or acceptor. `number` is its
/// integer operand, or NULL if it has none.
bool run_view(Run *r, Node *e, Node *number, Path *path, ViewNumbers *n, ViewStep *s);
/// Sets *inside to the path of a STEP_THROUGH, whose index is read from operand s->through of the
/// view.
bool run_through(Run *r, Node *view, const ViewStep *s, struct Path *inside);

/// eval_read.c: reads the atom at `path` in the value of an expression.
bool run_read(Run *r, Node *e, Path *path, uint64_t *bits);
/// Reads the whole value of an expression.
bool run_value(Run *r, Node *e, Value *v);

/// eval_write.c: where an acceptor puts an atom. The cell is NULL if the atom is discarded.
typedef struct {
    Cell *cell;
    bool once;
} Place;
/// Finds the location of the atom at `path` in an acceptor.
bool run_place(Run *r, Node *acceptor, Path *path, Place *place);
/// Finds the memory of an acceptor or expression: a whole array, an element, a component or a
/// slice.
bool run_memory(Run *r, Node *acceptor, Place *place);

#endif
