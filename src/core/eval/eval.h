// Internals of the reference interpreter. Functions are values here: closures of lambdas, functions
// of the program, and continuations. So are references to locations. An Instance is a function
// together with the values of its generic parameters.
//
// The handlers of the individual kinds are in different files from eval_term. This keeps the C
// compiler from inlining across them and merging their stack frames, so that each level of
// recursion needs only a small frame.
#ifndef ADZE_CORE_EVAL_H
#define ADZE_CORE_EVAL_H

#include "base/races.h"
#include "base/stack.h"
#include "core/ir/core.h"

#include "adze_field.h"

/// A function of the program with its generic arguments: constants and closed types.
typedef struct Instance Instance;
struct Instance {
    const Function *f;
    const NodeBinding *generics;
    int ngenerics;
    bool has_value; // whether this is a constant whose value has been computed
    Value value;
    Map types;      // type -> the type with the generic arguments substituted
    Instance *next; // with the same key in Eval.instances
};

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

/// A label whose body is being evaluated.
typedef struct {
    Arena *arena; // where the value is allocated
    Value value;  // the value of the jump that left the label
    bool data;    // whether the value is data, and contains neither functions nor references
    bool left;    // whether the evaluation of the body has ended
} Activation;

/// A function value. The `bits` of its Value point to the Closure. It is a continuation if `label`
/// is not NULL, a lambda if `lam` is not NULL, and otherwise the function of the instance.
typedef struct {
    Scope scope;
    Node *lam;
    Activation *label;
} Closure;

/// The memory of a term that is evaluated repeatedly (eval_scratch.c); initially {0}.
typedef struct Scratch Scratch;
struct Scratch {
    Arena *arena;       // NULL if there currently is none
    int64_t fuel;       // the fuel that was left when the arena was created
    bool entered, kept; // kept means that the arena must outlive the scratch
    Arena *outer_arena; // the arena to return to when the scratch is left
    int64_t outer_fuel;
    Scratch *outer;
};

typedef struct Eval Eval;
struct Eval {
    Session *cx;
    // Evaluates a term of any kind (eval.c).
    bool (*term)(Eval *ev, Node *e, Scope s, Value *out);
    Arena *keep;  // for the result, instances and messages
    Arena *arena; // for values: `keep`, or an arena that dies with the element being computed
    const Program *program;
    const Function *entry; // the entry whose callees CORE_CALL calls
    Algebra algebra;
    int64_t fuel, fuel_at_arena; // the fuel now, and when `arena` was created
    uintptr_t stack_limit;
    EvalWay way;
    Races *races; // NULL if races are not detected
    Outcome outcome;
    int32_t tasks;      // number of tasks spawned so far
    Activation *target; // the target of the jump in progress, or NULL
    Map instances;      // hash of a function and generic arguments -> the latest Instance
    Scratch *scratches; // the scratches that have been entered, innermost first
    VEC(Arena *) kept;  // arenas that functions and references may point into
};

// The functions below that return bool return false if the evaluation failed, in which case
// ev->outcome is set, or if a jump to ev->target is in progress.

// eval.c
bool eval_term(Eval *ev, Node *e, Scope s, Value *out);

// eval_data.c
/// Notes in the outcome that an operator on numbers of this type handles the bits of a float as an
/// element of the field, which has other ones.
void eval_note_bits(Eval *ev, Prim op, Scalar type);
bool eval_literal(Eval *ev, Node *e, Scope s, Value *out);
bool eval_operator(Eval *ev, Node *e, Scope s, Value *out);
bool eval_to_idx(Eval *ev, Node *e, Scope s, Value *out);
bool eval_cast_term(Eval *ev, Node *e, Scope s, Value *out);
bool eval_size(Eval *ev, Node *e, Scope s, Value *out);
bool eval_list(Eval *ev, Node *e, Scope s, Value *out);
bool eval_index(Eval *ev, Node *e, Scope s, Value *out);
bool eval_proj(Eval *ev, Node *e, Scope s, Value *out);

// eval_lanes.c: operators and casts on vectors, and vector-only operations
bool eval_lanes(Eval *ev, Node *e, Scope s, Value *out);

// eval_function.c
Value eval_closure(Eval *ev, Closure c);
Closure *closure_of(const Value *v);
bool eval_apply(Eval *ev, Closure *f, const Value *args, int n, Span span, Value *out);
bool eval_app(Eval *ev, Node *e, Scope s, Value *out);
bool eval_call(Eval *ev, Node *e, Scope s, Value *out);
bool eval_open(Eval *ev, Node *e, Scope s, Value *out); // a size whose value the program computes
bool eval_global(Eval *ev, Node *e, Scope s, Value *out);

// eval_place.c
bool eval_new(Eval *ev, Node *e, Scope s, Value *out);
bool eval_get(Eval *ev, Node *e, Scope s, Value *out);
bool eval_set(Eval *ev, Node *e, Scope s, Value *out);
bool eval_ref_at(Eval *ev, Node *e, Scope s, Value *out);
bool eval_ref_proj(Eval *ev, Node *e, Scope s, Value *out);
bool eval_ref_slice(Eval *ev, Node *e, Scope s, Value *out);
bool eval_ref_lane(Eval *ev, Node *e, Scope s, Value *out);

// eval_races.c
/// Called before the body of a function is evaluated, if races are detected. Returns whether the
/// function is an atomic update. The caller passes that result to eval_leave_function after the
/// body.
bool eval_enter_function(Eval *ev, const Function *f);
void eval_leave_function(Eval *ev, bool atomic);
/// Forgets earlier accesses to the memory of a new location, since that memory may be reused.
void eval_forget(Eval *ev, const Value *place);
/// Records a read or write of the location. Fails with E0613 if it collides with an access by
/// another iteration.
bool eval_touch(Eval *ev, const Value *place, bool write, Span at);

// eval_control.c
bool eval_label(Eval *ev, Node *e, Scope s, Value *out);
/// Jumps to the label with value `v`, where NULL stands for (). Always returns false.
bool eval_leave(Eval *ev, Activation *label, const Value *v, Span span);
bool eval_forever(Eval *ev, Node *e, Scope s);          // never returns true
bool eval_loop(Eval *ev, Node *e, Scope s, Value *out); // range, parallel, vectorize
bool eval_spawn(Eval *ev, Node *e, Scope s, Value *out);
bool eval_prefetch(Eval *ev, Node *e, Scope s, Value *out);
bool eval_sync(Eval *ev, Node *e, Scope s, Value *out);

// eval_print.c
bool eval_print(Eval *ev, Node *e, Scope s, Value *out);
bool eval_assert(Eval *ev, Node *e, Scope s, Value *out);

// eval_scratch.c
/// Whether the current arena has been in use for so many steps that the next term gets a scratch.
bool scratch_is_due(const Eval *ev);
/// If a scratch is due, makes `s` the arena for values until scratch_leave.
void scratch_enter(Eval *ev, Scratch *s);
/// Returns to the outer arena and copies *result there. `result` may be NULL.
void scratch_leave(Eval *ev, Scratch *s, Value *result);
/// Frees the memory of the scratch, unless it must be kept.
void scratch_end(Eval *ev, Scratch *s);
/// Keeps the memory of all entered scratches until the evaluation ends, because a function or
/// reference that may point into them outlives them.
void scratch_keep_all(Eval *ev);

// eval_pattern.c
bool eval_pattern(Eval *ev, Node *e, Scope s, Value *out);
// eval_view.c
bool eval_view(Eval *ev, Node *e, Scope s, Value *out);
/// The slice [offset, offset + length) of an array, which shares the elements of the array.
bool eval_part(Eval *ev, const Value *array, int64_t offset, int64_t length, Span span, Value *out);

// eval_scope.c: generics, sizes, types
bool scope_size(Eval *ev, Scope s, Node *size, Span span, int64_t *value);
Node *scope_type(Eval *ev, Scope s, Node *type);
/// The scalar type in which arithmetic on values of `type` is done; i64 for an idx.
Scalar scope_scalar(Eval *ev, Scope s, Node *type);
/// The instance of `f` for generic arguments that are constants and closed types. Returns NULL if
/// its `where` or `checks` are violated.
Instance *eval_instance(Eval *ev, const Function *f, const NodeBinding *generics, int n, Span span);
/// The value of a closed type in which every scalar is 0, 0.0 or false.
bool eval_zero(Eval *ev, Node *type, Span span, Value *out);

bool eval_fail(Eval *ev, DiagCode code, Span span, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/// Deducts `steps` from the fuel; fails if too little is left.
bool eval_charge(Eval *ev, int64_t steps, Span span);
/// Sets *out to an array or tuple of `count` parts, to be filled by the caller. Fails if `count` is
/// negative or exceeds the fuel.
bool eval_parts(Eval *ev, int64_t count, Span span, Value *out);

// value.c
Value value_atom(uint64_t bits);
Value value_copy(Arena *arena, const Value *v);

// field.c: operators on floats, and casts to or from floats, in the exact algebra
uint64_t field_prim(Prim op, const uint64_t *args);
uint64_t field_cast(Scalar from, Scalar to, uint64_t bits);

#endif
