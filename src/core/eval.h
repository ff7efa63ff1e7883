// Inside the reference interpreter. Functions are values here: closures of a lambda, or of a
// function of the program. What generic parameters stand for belongs to an Instance, one for each
// function and list of generic arguments.
#ifndef ADZE_CORE_EVAL_H
#define ADZE_CORE_EVAL_H

#include "core/core.h"

#include "adze_field.h"

/// A function of the program with what its generic parameters stand for: constants and closed
/// types.
typedef struct {
    const Function *f;
    const NodeBinding *generics;
    int ngenerics;
    bool has_value; // a constant that was evaluated
    Value value;
    Map types; // node -> the closed type it stands for
} Instance;

/// The values of de Bruijn variables, innermost first.
typedef const struct Bound Bound;
struct Bound {
    Value value;
    Bound *outer;
};

/// Where a term is evaluated.
typedef struct {
    Instance *in;
    Bound *vars;
} Scope;

/// A function as a value: its `bits` point here. lam NULL: the function of the instance itself.
typedef struct {
    Scope scope;
    Node *lam;
} Closure;

typedef struct {
    Session *cx;
    Arena *keep;  // of the result, instances and messages
    Arena *arena; // of values: `keep`, or one that dies with the element being computed
    const Program *program;
    Algebra algebra;
    int64_t fuel, fuel_at_arena; // now, and when `arena` was new
    int depth;
    Outcome outcome;
    VEC(Instance *) instances;
} Eval;

// All of these give false when the evaluation failed; then ev->outcome says why.

bool eval_term(Eval *ev, Node *e, Scope s, Value *out);
bool eval_apply(Eval *ev, Closure *f, const Value *args, int n, Value *out);

// eval_pattern.c
bool eval_pattern(Eval *ev, Node *e, Scope s, Value *out);
// eval_view.c
bool eval_view(Eval *ev, Node *e, Scope s, Value *out);

// eval_scope.c: generics, sizes, types
bool scope_size(Eval *ev, Scope s, Node *size, Span span, int64_t *value);
Node *scope_type(Eval *ev, Scope s, Node *type);
/// The instance for generic arguments that are constants and closed types. Its `where` and `checks`
/// hold.
Instance *eval_instance(Eval *ev, const Function *f, const NodeBinding *generics, int n, Span span);
/// 0, 0.0 and false in every scalar of the (closed) type.
bool eval_zero(Eval *ev, Node *type, Span span, Value *out);

bool eval_fail(Eval *ev, DiagCode code, Span span, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/// Takes `steps` from the fuel.
bool eval_charge(Eval *ev, int64_t steps, Span span);
/// An array or tuple of `count` parts to be filled; fails when `count` is negative, or beyond the
/// fuel.
bool eval_parts(Eval *ev, int64_t count, Span span, Value *out);

// value.c
Value value_atom(uint64_t bits);
Value value_copy(Arena *arena, const Value *v);

// field.c: operators and casts with a float on one side
uint64_t field_prim(Prim op, const uint64_t *args);
uint64_t field_cast(Scalar from, Scalar to, uint64_t bits);

#endif
