// Core: functional terms, the level that defines the meaning of programs. The kinds are listed in
// ir/core.def; nodes and binders are explained in ir/node.h. Inference produces a Program: generic
// functions with typed bodies and the size checks that they need. Staging turns each of its entries
// into a single Function in flat Core, which has no generic types, globals or applications, and no
// function values except literal lambdas under patterns. memory_policy/ then chooses variants and
// memory (low Core).
#ifndef ADZE_CORE_CORE_H
#define ADZE_CORE_CORE_H

#include "term/term.h"
#include "types/types.h"

/// How two sizes are related. EQ is left == right, LE is left <= right, NE is left != right.
typedef enum { SIZE_EQ, SIZE_LE, SIZE_NE } SizeRelation;
typedef struct {
    Sym function;
    Span at;
} SizeCall;
/// A condition on sizes that must hold whenever the function is called.
typedef struct {
    SizeRelation relation;
    Node *left, *right;
    Span span;
    const char *stated;     // the text of the `where` clause, or NULL
    const char *guarded;    // the message for a condition that need only hold under guards, or NULL
    const char *why;        // "argument `b` of dot", for the message; may be NULL
    Node *expected, *found; // the types that require the condition, or NULL
    const SizeCall *calls;  // the calls that lead to the condition, innermost first
    int ncalls;
    bool branch; // arises inside a branch, but is tested even if the branch is not taken
} SizeCheck;
/// The note for a condition that arises inside a branch.
#define SIZE_CHECK_BRANCH                                                                          \
    "sizes must fit even where a branch is not taken, unless it compares sizes"
typedef VEC(SizeCheck) SizeChecks;

typedef struct {
    Sym name, kind; // kind is nat, data, num, int or float
} Generic;

typedef struct {
    Sym name;
    Node *type;
    // Whether a call specialises the function to this argument: a term of type bool with all
    // parameters in scope. NULL means never, except that functions are always specialised to
    // arguments that are functions or references. There are no filters after staging.
    Node *filter;
} Param;

/// What a condition in the program says about sizes: one comparison, or a conjunction or
/// disjunction.
typedef enum { CONDITION_CHECK, CONDITION_AND, CONDITION_OR } ConditionKind;
typedef struct SizeCondition SizeCondition;
struct SizeCondition {
    ConditionKind kind;
    SizeCheck check; // only the relation and the sizes are set
    const SizeCondition *a, *b;
};

/// A condition on sizes that holds at some point of the program, such as in a branch, with the
/// conditions of the enclosing guards.
typedef struct SizeGuard SizeGuard;
struct SizeGuard {
    const SizeCondition *holds; // NULL if the guard says nothing about sizes
    SizeGuard *up;
    Facts *facts; // what follows from this guard and those around it; NULL until needed
    bool dead;    // the guards contradict one another
};

/// A function. Its body is under the parameters: parameter k of n has index n - 1 - k at the top of
/// the body. Constants are functions without parameters. Size parameters in parentheses (`k: nat`)
/// are generics, not parameters.
typedef struct Function Function;
struct Function {
    Sym name;
    Span span;
    const char *doc;
    bool entry;
    bool external;       // a C function, called `name`, without a body
    bool pattern;        // rules can match its calls (staging_for_schedule)
    bool calls_patterns; // set by staging: it calls, or called, such functions
    VEC(Generic) generics;
    VEC(Param) params;
    Node *result;
    Node *body;
    SizeChecks where;  // stated by the user; the body relies on them, and callers must ensure them
    SizeChecks checks; // conditions that inference neither proved nor refuted
    // For an entry after staging: the residual functions, which the entry and the functions
    // themselves call with CORE_CALL. They use the entry's size parameters, which are not passed as
    // arguments in Core. Their own sizes are parameters (core_own_size), which their `where`
    // constrains. They have no `checks`.
    VEC(Function *) callees;
    // Set in low Core. `chosen` holds the positions of the patterns whose loop was chosen by the
    // program or a schedule, `scheduled` the positions of those chosen by a schedule, `defaulted`
    // of those chosen by the default one.
    Spans chosen, scheduled, defaulted;
    // Set in low Core: the positions of the ranges (range.par) whose iterations may run on threads
    // if they turn out to be independent.
    Spans spread;
    // Keys of patterns whose variant a schedule chose (core_choice_key); NULL if there are none.
    const Map *by_schedule;
    const Map *by_default; // likewise for the default schedule
    // For an entry: a flag for each parameter, then one for the result (or one for each component
    // of a tuple), that says whether C callers pass strides. NULL if they pass none.
    const bool *strided;
};

typedef struct {
    Sym title;
    Span span;
    Node *body; // closed, of type bool
    SizeChecks checks;
    Node *sides;      // if the body is a comparison, the tuple of its operands; otherwise NULL
    const char *text; // the comparison operator, such as ==
} Test;

/// A rank-polymorphic entry, which takes arrays of any rank. Calls in the program use its
/// instances, one Function for each choice of ranks. C code cannot call it.
typedef struct {
    Sym name;
    Span span;
} EntryOfRanks;

typedef struct {
    VEC(Function *) functions;     // in source order, imported ones first
    VEC(EntryOfRanks) of_any_rank; // rank-polymorphic entries, which are not among `functions`
    Map by_name;                   // Sym (qualified where needed) -> Function *
    Map scheduled;   // name of an entry -> its scheduled Function, the input of staging
    Map by_schedule; // keys of patterns whose variant a schedule chose (core_choice_key)
    Map failed;      // name of an entry -> Diags that say why its schedule fails
    VEC(Test *) tests;
    // core/ir/rule.h
    VEC(const struct RewriteRule *) rules;       // including imported ones and the prelude's
    VEC(const struct StrategyItem *) strategies; // likewise
    VEC(const struct Schedule *) schedules;      // those of the main module
    const struct StrategyItem *usual; // the strategy for entries without a schedule, or NULL
} Program;

/// The name of the size that parameter `i` of a callee holds, or NULL if the parameter is not a
/// size. The first parameters of a C function are its sizes. In a residual function, each parameter
/// of the type `type_own_size` is a size of the same name, which is one of its generics.
Sym core_own_size(Session *cx, const Function *f, int i);

/// The callee of `entry` with this name, or NULL.
const Function *core_callee(const Function *entry, Sym name);

/// The function to compile in place of `f`: the scheduled one if `f` has a schedule, otherwise `f`.
const Function *program_compiled(const Program *p, const Function *f);

/// The key that identifies a choice of a variant. Patterns of the same kind and variant at the same
/// source location have equal keys.
uint64_t core_choice_key(Node *e);

/// Reports why the schedule of a function fails, if it does. Called when the function, or a call to
/// it, is compiled.
void program_report(Session *cx, const Program *p, const Function *f);

// --- builders ------------------------------------------------------------------------------------

// The typing rule of each kind (core/ir/typing.c) computes the type of the result.

Node *core_var(Session *cx, int index, Node *type);
Node *core_lam(Session *cx, int nparams, Node *const *param_types, const Sym *names, Node *body);
Node *core_app(Session *cx, Node *fun, int nargs, Node *const *args);
Node *core_global(Session *cx, Sym name, int ngenerics, Node *const *generics, Node *type);
Node *core_let(Session *cx, Sym name, Node *value, Node *body);
Node *core_int(Session *cx, Node *scalar_type, int64_t value);
Node *core_float(Session *cx, Node *scalar_type, double value); // rounds `value` to the type
Node *core_bool(Session *cx, bool value);
bool core_is_bool(Node *e, bool value);
Node *core_size(Session *cx, Node *nat); // the size as an i64
Node *core_prim(Session *cx, Prim op, int n, Node *const *args);
Node *core_cast(Session *cx, Node *e, Node *scalar_type); // `e` itself if it has that type
Node *core_to_idx(Session *cx, Node *e, Node *n, Span origin);
Node *core_if(Session *cx, Node *c, Node *a, Node *b);
/// A struct, or a tuple if `struct_type` is NULL.
Node *core_tuple(Session *cx, int n, Node *const *parts, Node *struct_type);
Node *core_proj(Session *cx, Node *e, int k); // does not simplify
Node *core_array(Session *cx, Node *element_type, int n, Node *const *items);
/// A term of any kind whose type follows from its operands (core.def). `attr` is its integer
/// attribute, such as the mode of VIEW_PAD, or 0 if it has none.
Node *core_pattern(Session *cx, Kind kind, int64_t attr, int nops, Node *const *ops);

/// Whether the term is a constant table (table.c): a long array literal, possibly with nested
/// tuples and arrays, all of whose scalars are literals.
bool core_is_table(Node *e);

/// The atomic updates: functions of std.atomics that return the old element.
typedef enum {
    ATOMIC_ADD,
    ATOMIC_MIN,
    ATOMIC_MAX,
    ATOMIC_EXCHANGE,
    ATOMIC_CAS,
    ATOMIC_COUNT
} Atomic;
typedef struct {
    const char *name;
    Prim op; // for add, min, max: computes the new element from the old one and the last argument
    int arity;
} AtomicInfo;
extern const AtomicInfo atomic_info[ATOMIC_COUNT];

/// The atomic update whose name (before or after staging) is `function`; ATOMIC_COUNT if there is
/// none.
Atomic core_atomic_of(Sym function);
/// The number of threads of a parallel loop that must be a kernel if the target has a device; for
/// other targets it means all threads. The functions of std.gpu pass it.
enum { CORE_ON_DEVICE = -1 };
/// Whether `function` is the name of a function of the module, such as std.gpu.
bool core_is_of_module(Sym function, const char *module);
/// The residual function for elements of a scalar type, such as `atomic_fetch_add.f32`. Its body
/// defines its meaning.
Function *core_atomic_function(Session *cx, Atomic a, Node *type);

// State: creating, reading and writing locations. A location is a cell, or a part of one.
/// Whether a term of this kind reads or writes a location, jumps, calls, or consists of statements
/// (check_control.c).
bool core_is_effect(Kind kind);
Node *core_unit(Session *cx); // ()
Node *core_new(Session *cx, Node *value);
/// A new cell whose array is in memory of this space: VARIANT_HEAP, VARIANT_STACK, VARIANT_SHARED,
/// or VARIANT_ANY for the compiler's choice.
Node *core_new_in(Session *cx, Node *value, Variant space);
Node *core_get(Session *cx, Node *place);
Node *core_set(Session *cx, Node *place, Node *value);
Node *core_borrow(Session *cx, Node *place); // `place` itself if its type is already &t
Node *core_ref_at(Session *cx, Node *place, Node *index);
Node *core_ref_proj(Session *cx, Node *place, int k);
Node *core_ref_slice(Session *cx, Node *offset, Node *length, Node *place);

// One lane of data with vectors inside (lanes.c). `lane` is an index, in scope where the term is.
/// The lane's part of a value, which is a variable or a path from one. That of a reference refers
/// to the lane's part.
Node *core_lane_of(Session *cx, Node *e, Node *lane);
/// The location of the lane's part. The builders above move the lane to the inside: an element of
/// the lane's part is the lane's part of an element.
Node *core_ref_lane(Session *cx, Node *place, Node *lane);
/// Builds the assignment of one part of a value, a vector or data without vectors, under `depth`
/// more variables.
typedef Node *(*CoreSetPart)(Session *cx, Node *place, Node *value, int depth, void *env);
/// The assignments of all parts of `value`, by `set`. Both terms are variables or paths from them;
/// `depth` is 0.
Node *core_set_parts(Session *cx, Node *place, Node *value, int depth, CoreSetPart set, void *env);
/// The assignment of a value to a location that core_ref_lane would return for `place` and `lane`.
Node *core_set_lane(Session *cx, Node *place, Node *lane, Node *value, Span origin);

// Control. A sequence is a let whose variable is not visible in `second`.
Node *core_seq(Session *cx, Node *first, Node *second);
/// A label whose value has type t, or the type of the body if t is NULL. A variable of type
/// type_continuation(t) is in scope in the body.
Node *core_label(Session *cx, Sym name, Node *t, Node *body);
Node *core_forever(Session *cx, Node *body);
/// The bound on a size k opened from a value of type idx[m]: k + 1 <= m.
SizeCheck core_open_bound(Session *cx, Node *size, Node *value);
/// Makes the value, of type idx[m], a size of this name in the body. The name must be unique in the
/// function, and must not occur in the body's type.
Node *core_open(Session *cx, Sym name, Node *value, Node *body);
/// `body` has type fn(t) -> (), where t is the integer type of `from` and `to`.
Node *core_range(Session *cx, Node *from, Node *to, Node *body);
Node *core_vectorize(Session *cx, Node *lanes, Node *from, Node *to, Node *body);
Node *core_call(Session *cx, Sym function, int nargs, Node *const *args, Node *result);
/// An assertion. Its operands are a condition, then the strings and data of its message.
Node *core_assert(Session *cx, int n, Node *const *ops, Span origin);
/// A `print` of strings and data. `mask` is the mask of active lanes, or NULL.
Node *core_line(Session *cx, int n, Node *const *ops, Node *mask);
Node *core_text(Session *cx, const char *text);
Node *core_known(Session *cx, Node *e);
Node *core_hide(Session *cx, Node *e);

/// Returns `e` with the source location `origin`.
Node *core_at(Session *cx, Node *e, Span origin);

/// The type that the typing rule (typing.c) assigns to a node with these operands. If the operands
/// do not fit, returns NULL and sets *why. Sizes that must agree are compared (by normal form) only
/// if `strict`.
Node *core_type_rule(Session *cx, const NodeSpec *spec, bool strict, const char **why);

/// Checks a function and its callees. Types must follow the rules, variables must be in scope and
/// have the types of their binders, kinds must be allowed at the level (LEVEL_CORE or LEVEL_LOW),
/// and sizes must be equal given the function's `where` and `checks`. Violations are reported as
/// internal errors (E0901).
void core_check(Session *cx, const Function *f, int level);

/// Checks flat Core, including the callees of an entry. There must be no CORE_APP, CORE_GLOBAL or
/// TYPE_VAR, and no let, parameter or result of function type. Side effects may occur only in the
/// values of lets and in tail position. Locations must be paths from let-bound cells or from
/// parameters of callees. Only jumps in the same function, and in the same body of a parallel loop,
/// may use a label. Functions under patterns must not write to locations outside.
void core_check_flat(Session *cx, const Function *f);

/// Prints the textual form of a function, followed by those of its callees. It reads back as the
/// same function.
void core_print(Session *cx, Text *out, const Function *f);
/// Reads a whole file: a function and its callees. Returns NULL after an error.
Function *core_read(Session *cx, uint32_t file);
/// Reads the next function of a text that contains several. Returns NULL after an error.
Function *core_read_next(TermReader *r);

// Building blocks for the textual forms of the lower levels.

/// Prints `(head (n == m "why") ...)` on a line of its own; prints nothing if there are no checks.
void core_print_checks(Session *cx, Text *out, const char *head, const SizeChecks *checks);
/// Reads back what core_print_checks prints, starting after the head. Returns false after an error.
bool core_read_checks(TermReader *r, SizeChecks *checks);
/// The Core typing rule, with `strict` unset, in the form that a TermScope needs.
Node *core_term_rule(Session *cx, const NodeSpec *spec, const char **why);

// --- the meaning ---------------------------------------------------------------------------------

// Semantics that the rows of core.def and prim.def do not define:
//
// * Integers wrap to their width. The least integer divided by -1 is itself, its remainder is 0,
//   and its absolute value is itself. Shift counts are taken modulo the width. f32 and f16 round
//   after every operation (f16 computes as f32). min(a, b) is a < b ? a : b, even if one is NaN.
// * from_bits keeps the bits of a NaN, and so do copies of it. The bits of a NaN that an operator
//   on floats or a cast computes are unspecified; here they are those of float_bits.
// * Casts from float to integer round toward zero, saturate at the ends of the range, and map NaN
//   to 0. A cast to bool is x != 0. Casts between integers truncate to the width. All other casts
//   round once, ties to even.
// * reduce and fold accumulate from left to right, starting with z. scan[i] is the accumulator
//   after xs[i], scan_ex[i] the one before it.
// * pad, with i counted from the first element: clamp reads the nearest element; mirror repeats the
//   edge (-1 reads 0, n reads n - 1) with period 2n; wrap reads i mod n. An empty array has no such
//   border (E0604).
// * rotate(k, xs)[i] = xs[(i - k) mod n] for any k. permute(p, q, xs)[i] = xs[p(i)]; it is E0611 if
//   q does not map p(i) back to i.
// * scatter leaves 0, 0.0 and false where nothing is written; a target that occurs twice is E0603.
// * Operands are evaluated from left to right. Reading a location copies its value, so that values
//   never change. parallel and vectorize run in order. The index of a range never wraps around.
//   `?e` is false, and e is not evaluated.
// * Calling a continuation after its label was left is E0609; calling a C function is E0608.
// * Violating a condition in `where` or `checks` of a used function is E0604, and so is violating
//   the size condition of a view.

/// The arithmetic of floats: IEEE arithmetic in their type, or exact arithmetic in the field
/// GF(2^61 - 1). In the field, + - * are exact, / multiplies by the inverse (x/0 is a hash of x),
/// comparisons compare representatives, and other functions are hashes of their name and arguments.
/// All float types behave alike. The field is defined in runtime/adze_field.h.
typedef enum { ALGEBRA_IEEE, ALGEBRA_FIELD } Algebra;

/// A value: an atom, or `count` parts (array elements or tuple components). The bits of an atom are
/// a sign- or zero-extended integer, 0 or 1 for a bool, or the bits of a double or a field element
/// for a float. Arithmetic gives only the NaN that float_bits returns; from_bits gives any, and
/// copies keep it.
typedef struct Value Value;
struct Value {
    uint64_t bits;
    int64_t count;
    Value *parts; // NULL for atoms
};

/// The bits of a double as an atom. All NaNs have the same bits, so that equal values have equal
/// bits.
uint64_t float_bits(double x);
/// The bits that a float, given as an atom, has in its own type, and the atom of such bits. NaNs
/// keep their bits.
uint64_t float_to_bits(Scalar type, uint64_t value);
uint64_t float_from_bits(Scalar type, uint64_t bits);
/// The double with these bits.
double float_value(uint64_t bits);

/// The outcome of an evaluation: success (`ok`), or a run-time error with its code and position.
/// Running out of fuel is the error E0605.
typedef struct {
    bool ok;
    bool has_field_bits; ///< in the exact algebra, to_bits or from_bits was applied to a float
    DiagCode code;
    Span span;
    const char *text;
} Outcome;

/// Evaluates `f` on argument values with the reference interpreter, which is simple but slow.
/// `program` is the program of `f`, and may be NULL for flat functions. `generics` binds sizes and
/// types by name. Arguments whose shapes differ from those of the parameters are errors (E0604,
/// E0601). `fuel` bounds the number of steps plus the number of new parts of values; the stack
/// bounds the depth of calls. *result lives in `arena` and may share parts with the arguments.
/// CORE_CALL calls the callees of `f`.
Outcome core_eval(Session *cx, Arena *arena, const Program *program, const Function *f,
                  const NodeBinding *generics, int ngenerics, const Value *args, Algebra algebra,
                  int64_t fuel, Value *result);

/// Evaluation options.
typedef struct {
    /// NULL, or the seed for race detection: the iterations of parallel and vectorize run in a
    /// random order, and it is an error (E0613) if two of them access the same element and one
    /// writes it.
    const uint64_t *races;
    /// NULL, or a function that runs an entry as compiled code. If it returns false, the entry is
    /// interpreted. *result lives in `arena`.
    bool (*call)(void *env, const Function *entry, const NodeBinding *generics, int ngenerics,
                 const Value *args, Arena *arena, Value *result, Outcome *outcome);
    void *env;
    bool silent; // nothing is printed
} EvalWay;

/// Like core_eval, but with these options and for a function without parameters.
Outcome core_eval_as(Session *cx, Arena *arena, const Program *program, const Function *f,
                     int64_t fuel, const EvalWay *way, Value *result);

/// Whether the node itself, apart from its operands, may cause a run-time error: a cast to an
/// index, an integer division, a scatter, an assertion, or a permutation, whose inverse may be
/// wrong.
bool core_fails_itself(Node *e);
/// Whether any node of the term may cause a run-time error. `memo` caches the answers for subterms.
bool core_may_fail(Map *memo, Node *e);

/// Applies a scalar operator to atoms; shared by the interpreters and the constant folder. On a
/// run-time error (division by zero), returns false and sets *code.
bool eval_prim(Prim op, Scalar type, Algebra algebra, const uint64_t *args, uint64_t *result,
               DiagCode *code);
/// The result of casting an atom.
uint64_t eval_cast(Scalar from, Scalar to, Algebra algebra, uint64_t bits);
uint64_t field_from_double(double x); // exact, as every finite double is a dyadic rational
/// The bits of a literal of this type in the exact algebra.
uint64_t field_of_literal(Node *type, uint64_t bits);

/// The literal with these bits that has the type and source position of `e`.
Node *core_literal_like(Session *cx, Node *e, uint64_t bits);
/// Folds an operator on literals if both algebras agree on the result. Returns any other term
/// unchanged.
Node *core_literal_of_prim(Session *cx, Node *e);
/// Folds a cast of a literal to a scalar type if both algebras agree on the result. Returns any
/// other term unchanged.
Node *core_literal_of_cast(Session *cx, Node *e);
/// Whether a term is the literal 0.0, or -0.0 if `negative`.
bool core_is_float_zero(Node *e, bool negative);
/// Folds operators on float literals in IEEE arithmetic, as the interpreter computes them. Returns
/// any other term unchanged.
Node *core_rounded_literal(Session *cx, Node *e);

/// The value of a size variable, for nat_eval.
typedef bool SizeLookup(Node *atom, int64_t *value, void *env);

/// Tests whether all conditions hold for the sizes that `lookup` returns; the outcome is E0604 if
/// one does not. `span` is the position for conditions that have none.
Outcome size_checks_eval(Session *cx, const SizeChecks *checks, Span span, SizeLookup *lookup,
                         void *env);

// --- guard.c -------------------------------------------------------------------------------------

/// The negation of a comparison.
SizeCheck size_check_negated(Session *cx, SizeCheck c);
/// A condition that consists of one comparison.
const SizeCondition *size_condition_check(Arena *arena, SizeCheck check);
/// Returns the conjunction or disjunction of two conditions. NULL stands for a condition that says
/// nothing about sizes, so the disjunction of NULL and another condition is NULL.
const SizeCondition *size_condition_join(Arena *arena, ConditionKind kind, const SizeCondition *a,
                                         const SizeCondition *b);
/// Adds the facts that follow from the condition. A disjunction, which must live as long as the
/// facts, becomes a case distinction.
void size_condition_assume(Session *cx, Facts *facts, const SizeCondition *c);
/// A new guard inside `up`, which may be NULL.
SizeGuard *size_guard_push(Arena *arena, SizeGuard *up, const SizeCondition *holds);
/// The facts that hold in code under the guard, given that `base` holds outside all guards. Without
/// a guard, this is `base` itself.
Facts *size_guard_facts(Session *cx, Arena *arena, Facts *base, SizeGuard *g);
/// The conditions of the innermost guards as text, such as "`2 <= n` and `m == n`"; "" if there are
/// none.
const char *size_guard_text(Session *cx, const SizeGuard *g);
/// Whether a comparison depends on a size that has no value yet when the entry starts.
typedef bool IsLater(const SizeCheck *c, const void *env);
/// The guards without those that depend on such a size. A condition is tested when the entry
/// starts, and must then hold whatever these sizes will be. The result may share nodes with `g`.
SizeGuard *size_guard_at_entry(Arena *arena, SizeGuard *g, IsLater *later, const void *env);
/// The condition that `c` holds if all guards do, as a single comparison of sizes.
SizeCheck size_guard_check(Session *cx, SizeCheck c, const SizeGuard *g);
/// What a condition implies about sizes if it is true (`holds`) or false; NULL if it implies
/// nothing.
const SizeCondition *core_size_condition(Session *cx, Arena *arena, Node *condition, bool holds);

/// Assumes that `condition` is true (if `holds`) or false. Returns the facts extended (in `arena`)
/// by what this says about sizes, or `facts` itself if it says nothing.
Facts *core_assume(Session *cx, Arena *arena, Facts *facts, Node *condition, bool holds);

/// How each SizeRelation is written.
extern const char *const size_relation_text[];
/// Adds the condition to the facts.
void size_check_assume(Session *cx, Facts *facts, const SizeCheck *c);
/// Adds all conditions to the facts.
void size_checks_assume(Session *cx, Facts *facts, const SizeChecks *checks);
/// Whether the condition follows from the facts.
Truth size_check_truth(Session *cx, const Facts *facts, const SizeCheck *c);
/// Whether two sizes are equal. Also uses the values that the facts define for names in exponents.
Truth size_equal(Session *cx, const Facts *facts, Node *a, Node *b);
/// Whether types with these sizes agree where the facts hold: the sizes are known to be equal, or
/// the facts contradict each other, so that the code is never reached.
bool size_agree(Session *cx, const Facts *facts, Node *a, Node *b);

/// The report on a violated condition, with one line each for the condition, its reason, the types
/// that require it, and the calls. It includes the values of the sizes unless `lookup` is NULL.
const char *size_check_report(Session *cx, const SizeCheck *c, SizeLookup *lookup, void *env);
/// The first line of the text that size_check_report returns. `here` is the same condition in terms
/// of the sizes at a call.
const char *size_check_failure(Session *cx, const SizeCheck *c, const SizeCheck *here);
/// The reason for a condition and the types that require it, as a phrase; NULL if there are none.
const char *size_check_why(Session *cx, const SizeCheck *c);
/// Sets *names to the size parameters in the condition and returns their number.
int size_check_names(Session *cx, const SizeCheck *c, Sym **names);

/// Tests whether a value has the shape of `type`, which contains no variables. The outcome is E0604
/// if it does not, and E0601 if the value contains an index that is out of bounds. `name` is the
/// name of the argument, for the message.
Outcome value_check(Session *cx, Arena *arena, const Value *v, Node *type, Sym name);

/// Prints a value in literal syntax, such as [1.0, 2.5], with at most `limit` elements of each
/// array. Floats are printed with the fewest digits that read back as the same number of their
/// type.
void value_print(Session *cx, Text *out, const Value *v, Node *type, int limit);

/// Like value_print, but prints all elements. In vectors with as many lanes as `mask` (which may be
/// NULL), prints `_` for inactive lanes.
void value_print_lanes(Session *cx, Text *out, const Value *v, Node *type, const Value *mask,
                       Algebra algebra);

/// Whether two values have the same shape and bits. NaNs are equal, but 0.0 and -0.0 differ.
bool value_equal(const Value *a, const Value *b);
/// How many elements of part i of a value are defined (INT64_MAX means all), given that `exist`
/// elements of the value itself are. The first part of a [?n]t is a count; elements beyond that
/// count are undefined.
int64_t value_existing(const Value *v, Node *type, int64_t i, int64_t exist);
/// The defined elements of a [?n]t, as an array.
Value value_elements(const Value *up_to);
/// A copy of the value without the undefined elements of each [?n]t, so that value_equal compares
/// only the defined ones. The sizes in its type must be constants.
Value value_trim(Arena *arena, const Value *v, Node *type);

// --- print_steps.c -------------------------------------------------------------------------------

/// The residual functions that `print` is compiled to. They append to the current line, or end it.
typedef enum {
    PRINT_BOOL,
    PRINT_I64,
    PRINT_U64,
    PRINT_F16,
    PRINT_F32,
    PRINT_F64,
    PRINT_NEXT,    // `, ` unless the line ends with `[`
    PRINT_LINE,    // ends the line and writes it
    PRINT_MESSAGE, // makes the line the message of the next failing assertion
    PRINT_START,   // begins a new line with the step's text (core_print_text)
    PRINT_TEXT,    // appends the step's text (core_print_text)
    PRINT_COUNT
} PrintStep;

/// The step that the function with this name performs, or PRINT_COUNT if it is not a print step.
PrintStep core_print_step_of(Sym function);
/// The name of a residual function as the user knows it: `print` for the steps of one.
const char *core_shown_name(Sym function);
/// The text of a PRINT_START or PRINT_TEXT step, which is part of the function's name.
const char *core_print_text(Session *cx, Sym function);
/// The Function that declares a step as a C function.
Function *core_print_function(Session *cx, Sym name);
/// Runs a step in an interpreter; `bits` is its argument.
void core_print_run(Session *cx, Sym function, uint64_t bits, Algebra algebra);
/// A call to a step without an argument. `text` is the text of a PRINT_START or PRINT_TEXT.
Node *core_print_call(Session *cx, PrintStep step, const char *text);
/// The calls that print variable 0, whose type `type` contains no variables. `mask` is NULL, or the
/// type of variable 1, which holds the mask of active lanes.
Node *core_print_value(Session *cx, Node *type, Node *mask);

// --- specialise_sizes.c --------------------------------------------------------------------------

/// The function specialised for constant values (>= 0) of some of its size parameters. These are
/// removed, and their values are appended to the function's name, as in f_n64_m32. The specialised
/// function returns the same results. Other names in `sizes` are ignored.
Function *core_specialise(Session *cx, const Function *f, const NodeBinding *sizes, int n);

#endif
