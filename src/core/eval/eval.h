// Inside the reference interpreter. Functions are values here: closures of a lambda, of a function
// of the program, or continuations. References to places are values, too. An Instance is a function
// with values of its generic parameters.
//
// The handlers of kinds are in other files than eval_term, so that the compiler cannot merge their
// stack frames and recursion uses only small frames.
#ifndef ADZE_CORE_EVAL_H
#define ADZE_CORE_EVAL_H

#include "base/stack.h"
#include "core/ir/core.h"

#include "adze_field.h"

/// A function of the program with its generic arguments: constants and closed types.
typedef struct {
    const Function *f;
    const NodeBinding *generics;
    int ngenerics;
    bool has_value; // a constant that was evaluated
    Value value;
    Map types; // node -> the closed type
} Instance;

/// The values of de Bruijn variables, innermost first.
typedef const struct Bound Bound;
struct Bound {
    Value value;
    Bound *outer;
};

/// The environment of a term.
typedef struct {
    Instance *in;
    Bound *vars;
} Scope;

/// A label while its body is evaluated.
typedef struct {
    Arena *arena; // of the value
    Value value;  // of the jump that left the label
    bool data;    // whether the value is neither a function nor a reference
    bool left;
} Activation;

/// A function as a value, whose `bits` point here: a lambda (`lam`), the function of the instance,
/// or a continuation (`label`).
typedef struct {
    Scope scope;
    Node *lam;
    Activation *label; // NULL if there is none
} Closure;

/// The memory of a term that is evaluated repeatedly (eval_scratch.c); initially {0}.
typedef struct Scratch Scratch;
struct Scratch {
    Arena *arena; // NULL if there is none now
    int64_t fuel; // the fuel when the arena was new
    bool entered, kept;
    Arena *outer_arena; // the outer arena while the scratch is entered
    int64_t outer_fuel;
    Scratch *outer;
};

typedef struct Races Races; // eval_races.c

typedef struct Eval Eval;
struct Eval {
    Session *cx;
    // Evaluates a term of any kind (eval.c).
    bool (*term)(Eval *ev, Node *e, Scope s, Value *out);
    Arena *keep;  // of the result, instances and messages
    Arena *arena; // of values: `keep`, or an arena that dies with the element being computed
    const Program *program;
    const Function *entry; // the entry whose callees CORE_CALL calls
    Algebra algebra;
    int64_t fuel, fuel_at_arena; // the fuel now, and when `arena` was new
    uintptr_t stack_limit;
    EvalWay way;
    Races *races; // NULL if races are not detected
    Outcome outcome;
    int32_t tasks;      // number of tasks spawned so far
    Activation *target; // of the jump in progress, or NULL
    VEC(Instance *) instances;
    Scratch *scratches; // the entered scratches, innermost first
    VEC(Arena *) kept;  // arenas into which functions and references may point
};

// All of these return false if the evaluation failed, with ev->outcome set, or if a jump to
// ev->target is in progress.

// eval.c
bool eval_term(Eval *ev, Node *e, Scope s, Value *out);

// eval_data.c
bool eval_literal(Eval *ev, Node *e, Scope s, Value *out);
bool eval_operator(Eval *ev, Node *e, Scope s, Value *out);
bool eval_to_idx(Eval *ev, Node *e, Scope s, Value *out);
bool eval_cast_term(Eval *ev, Node *e, Scope s, Value *out);
bool eval_size(Eval *ev, Node *e, Scope s, Value *out);
bool eval_list(Eval *ev, Node *e, Scope s, Value *out);
bool eval_index(Eval *ev, Node *e, Scope s, Value *out);
bool eval_proj(Eval *ev, Node *e, Scope s, Value *out);

// eval_lanes.c: operators and casts on vectors, and the operations that only vectors have
bool eval_lanes(Eval *ev, Node *e, Scope s, Value *out);

// eval_function.c
Value eval_closure(Eval *ev, Closure c);
Closure *closure_of(const Value *v);
bool eval_apply(Eval *ev, Closure *f, const Value *args, int n, Span span, Value *out);
bool eval_app(Eval *ev, Node *e, Scope s, Value *out);
bool eval_call(Eval *ev, Node *e, Scope s, Value *out);
bool eval_global(Eval *ev, Node *e, Scope s, Value *out);

// eval_place.c
bool eval_new(Eval *ev, Node *e, Scope s, Value *out);
bool eval_get(Eval *ev, Node *e, Scope s, Value *out);
bool eval_set(Eval *ev, Node *e, Scope s, Value *out);
bool eval_ref_at(Eval *ev, Node *e, Scope s, Value *out);
bool eval_ref_proj(Eval *ev, Node *e, Scope s, Value *out);
bool eval_ref_slice(Eval *ev, Node *e, Scope s, Value *out);

// eval_races.c
Races *races_new(Arena *arena, uint64_t seed);
/// The numbers 0 to n - 1 in a random order; a new number for an execution of a loop.
uint64_t *races_order(Races *r, uint64_t n);
uint64_t races_run(Races *r);
/// Called before and after an iteration, and the body of a function, which may be an atomic update.
void races_enter(Races *r, uint64_t run, uint64_t number);
void races_leave(Races *r);
bool races_enter_function(Races *r, const Function *f);
void races_leave_function(Races *r, bool atomic);
/// Forgets accesses to a new place, because its memory may have been used before.
void races_forget(Races *r, const Value *place);
/// Records a read or write of the place; false, E0613, if it collides with an access of another
/// iteration.
bool races_touch(Eval *ev, const Value *place, bool write, Span at);

// eval_control.c
bool eval_label(Eval *ev, Node *e, Scope s, Value *out);
/// Jumps to the label with a value, NULL for (); always returns false.
bool eval_leave(Eval *ev, Activation *label, const Value *v, Span span);
bool eval_forever(Eval *ev, Node *e, Scope s);          // never returns true
bool eval_loop(Eval *ev, Node *e, Scope s, Value *out); // range, parallel, vectorize
bool eval_spawn(Eval *ev, Node *e, Scope s, Value *out);
bool eval_sync(Eval *ev, Node *e, Scope s, Value *out);

// eval_print.c
bool eval_print(Eval *ev, Node *e, Scope s, Value *out);
bool eval_assert(Eval *ev, Node *e, Scope s, Value *out);

// eval_scratch.c: between enter and leave, values are allocated in the scratch, if it is due;
// leaving copies the result out of it
bool scratch_is_due(const Eval *ev);
void scratch_enter(Eval *ev, Scratch *s);
void scratch_leave(Eval *ev, Scratch *s, Value *result); // NULL if there is none
void scratch_end(Eval *ev, Scratch *s);
/// Functions and references outlive the scratches they may point into.
void scratch_keep_all(Eval *ev);

// eval_pattern.c
bool eval_pattern(Eval *ev, Node *e, Scope s, Value *out);
// eval_view.c
bool eval_view(Eval *ev, Node *e, Scope s, Value *out);
/// The slice [offset, offset + length) of an array; it shares the elements.
bool eval_part(Eval *ev, const Value *array, int64_t offset, int64_t length, Span span, Value *out);

// eval_scope.c: generics, sizes, types
bool scope_size(Eval *ev, Scope s, Node *size, Span span, int64_t *value);
Node *scope_type(Eval *ev, Scope s, Node *type);
/// The scalar type that values of this type compute as.
Scalar scope_scalar(Eval *ev, Scope s, Node *type);
/// The instance for generic arguments that are constants and closed types. Checks that its `where`
/// and `checks` hold.
Instance *eval_instance(Eval *ev, const Function *f, const NodeBinding *generics, int n, Span span);
/// 0, 0.0 and false in every scalar of the (closed) type.
bool eval_zero(Eval *ev, Node *type, Span span, Value *out);

bool eval_fail(Eval *ev, DiagCode code, Span span, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/// Takes `steps` from the fuel.
bool eval_charge(Eval *ev, int64_t steps, Span span);
/// An array or tuple of `count` parts to be filled; fails if `count` is negative or exceeds the
/// fuel.
bool eval_parts(Eval *ev, int64_t count, Span span, Value *out);

// value.c
Value value_atom(uint64_t bits);
Value value_copy(Arena *arena, const Value *v);

// field.c: operators and casts with a float on one side
uint64_t field_prim(Prim op, const uint64_t *args);
uint64_t field_cast(Scalar from, Scalar to, uint64_t bits);

#endif
