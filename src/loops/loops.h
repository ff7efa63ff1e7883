// Loop IR: statements over flat memory, one buffer per scalar leaf of a value (DESIGN 4.4). Passes on it simplify positions, hoist what does
// not change, and place memory; the emitter spells the rest.
#ifndef ADZE_LOOPS_LOOPS_H
#define ADZE_LOOPS_LOOPS_H

#include "dpia/dpia.h"
#include "views/views.h"

/// One scalar leaf of a parameter or of the result: `count` elements (product of dims), or, with rank 0, a scalar, passed by value
/// when an input. The name is the parameter's, with _0, _1 or _field for components.
typedef struct {
    Sym name;
    Scalar scalar; // idx leaves are i64
    Node *idx;     // the bound when the leaf is an idx (checked at the entry), else NULL
    int rank;
    Node **dims;
    Node *count;
    bool output;
} LoopParam;

typedef struct {
    Sym name;
    Span span;
    const char *doc;
    VEC(Sym) sizes;
    VEC(LoopParam) params; // inputs in order, then outputs
    Param *source; // the parameters as the language types them, for callers that pass whole values
    int nsource;
    Node *result; // the result's type
    SizeChecks checks;
    Node *body;
} LoopEntry;

/// Views vanish: every access path becomes a position (a size expression) in a leaf buffer.
LoopEntry *loops_from_dpia(Session *cx, const Phrase *p);

/// Passes, in the order of pipeline.def; each gives a new entry.

/// Positions, conditions, checks by ranges; dead code; copies of locals.
LoopEntry *loops_simplify(Session *cx, const LoopEntry *e);
/// Loop-invariant values and allocations out of loops.
LoopEntry *loops_hoist(Session *cx, const LoopEntry *e);
/// Index sets: conditions on a loop index split the loop.
LoopEntry *loops_split(Session *cx, const LoopEntry *e);

/// The type of an expression, sizes that agree taken for granted; statements have none. The rule of the textual form.
Node *loops_type_rule(Session *cx, const NodeSpec *spec, const char **why);

/// The names in scope in the body, for the textual form; a buffer stands for its elements.
TermScope loops_scope(Session *cx, const LoopEntry *e);

/// Kinds of this level at their places (statements in blocks, expressions in statements), scalar types by rule, names in scope and bound
/// once, positions over integers that never change; inputs are never stored to, each output is. Breaks are E0901.
void loops_check(Session *cx, const LoopEntry *e);

/// The textual form of an entry; reads back to the same.
void loops_print(Session *cx, Text *out, const LoopEntry *e);
LoopEntry *loops_read(Session *cx, uint32_t file);

/// Runs the entry; `args` as the language types them. To leave a buffer, to read what was not written, and to leave an element of the
/// result out are faults of the compiler, reported as an outcome with E0901.
Outcome loops_eval(Session *cx, Arena *arena, const LoopEntry *e, const int64_t *sizes,
                   const Value *args, Algebra algebra, int64_t fuel, Value *result);

#endif
