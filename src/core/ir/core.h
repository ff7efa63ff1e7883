// Core: functional terms, the level that defines the meaning of programs. See ir/core.def for the
// kinds, ir/node.h for nodes and binders. Inference makes a Program: generic functions with typed
// bodies and the size checks they need. Staging turns an entry of it into one Function without
// generic parameters, globals, applications or function values except literal lambdas under
// patterns (flat Core); memory_policy/ chooses variants and memory (low Core).
#ifndef ADZE_CORE_CORE_H
#define ADZE_CORE_CORE_H

#include "term/term.h"
#include "types/types.h"

/// A condition on sizes that must hold whenever the function is called. EQ is left == right, LE is
/// left <= right, NE is left != right.
typedef enum { SIZE_EQ, SIZE_LE, SIZE_NE } SizeRelation;
typedef struct {
    Sym function;
    Span at;
} SizeCall;
typedef struct {
    SizeRelation relation;
    Node *left, *right;
    Span span;
    const char *stated;     // the text of the `where`, or NULL
    const char *guarded;    // what fails, if it only has to hold under other conditions; or NULL
    const char *why;        // "argument `b` of dot", for the message; may be NULL
    Node *expected, *found; // the types that require the condition, or NULL
    const SizeCall *calls;  // the calls that lead to the condition, innermost first
    int ncalls;
    bool branch; // inside a branch, but tested even if the branch is not taken
} SizeCheck;
/// The note on a condition inside a branch.
#define SIZE_CHECK_BRANCH "sizes must fit on all branches, also on those that are not taken"
typedef VEC(SizeCheck) SizeChecks;

typedef struct {
    Sym name, kind; // kind: nat, data, num, int, float
} Generic;

typedef struct {
    Sym name;
    Node *type;
    // Whether a call specialises the function to this argument: a term of type bool with all
    // parameters in scope. NULL for never, except for arguments that are functions or references.
    // Gone after staging.
    Node *filter;
} Param;

/// What a condition of the program says of sizes: a comparison, or several of them.
typedef enum { CONDITION_CHECK, CONDITION_AND, CONDITION_OR } ConditionKind;
typedef struct SizeCondition SizeCondition;
struct SizeCondition {
    ConditionKind kind;
    SizeCheck check; // only its relation and sizes
    const SizeCondition *a, *b;
};

/// A condition on sizes that holds at some place, such as a branch, and the enclosing ones.
typedef struct SizeGuard SizeGuard;
struct SizeGuard {
    const SizeCondition *holds; // NULL if it turned out to say nothing
    SizeGuard *up;
    Facts *facts; // what follows from the guards, NULL until it is needed
    bool dead;    // the guards contradict one another
};

/// A function. Its body is under the parameters: parameter k of n is index n - 1 - k at the top of
/// the body. Constants are functions without parameters. Size parameters in parentheses (`k: nat`)
/// are generics, not parameters.
typedef struct Function Function;
struct Function {
    Sym name;
    Span span;
    const char *doc;
    bool entry;
    bool external; // a C function, called `name`, without a body
    VEC(Generic) generics;
    VEC(Param) params;
    Node *result;
    Node *body;
    SizeChecks where;  // stated by the user: facts in the body, obligations of callers
    SizeChecks checks; // from inference, which neither proved nor refuted them
    // Of an entry after staging: the residual functions, which CORE_CALL calls (also from one
    // another). They use the entry's size parameters, which are not passed as arguments in Core,
    // and have no checks of their own.
    VEC(Function *) callees;
    // Of low Core: the positions of patterns whose loop the program or its schedule chooses; those
    // that the schedule chooses.
    Spans chosen, scheduled;
    // Keys of patterns whose variant a schedule chose (core_choice_key); NULL if there are none.
    const Map *by_schedule;
    // Of an entry: whether C callers pass strides for each parameter, and then for the result, or
    // for each of its components if it is a tuple. NULL if they pass none.
    const bool *strided;
};

typedef struct {
    Sym title;
    Span span;
    Node *body; // closed, of type bool
    SizeChecks checks;
    Node *sides;      // for a comparison, the tuple of both operands; else NULL
    const char *text; // the comparison, such as ==
} Test;

typedef struct {
    VEC(Function *) functions; // in source order, imported ones first
    Map by_name;               // Sym (qualified where needed) -> Function *
    Map scheduled;             // name of an entry -> the scheduled Function, which staging takes
    Map by_schedule;           // keys of patterns whose variant a schedule chose (core_choice_key)
    Map failed;                // name of an entry -> Diags: why its schedule fails
    VEC(Test *) tests;
    // core/ir/rule.h
    VEC(const struct RewriteRule *) rules;       // also imported ones and those of the prelude
    VEC(const struct StrategyItem *) strategies; // likewise
    VEC(const struct Schedule *) schedules;      // of the main module
    const struct StrategyItem *usual; // the strategy for entries without a schedule, or NULL
} Program;

/// The callee of an entry with this name, or NULL.
const Function *core_callee(const Function *entry, Sym name);

/// The function to compile: the scheduled one, if it has a schedule.
const Function *program_compiled(const Program *p, const Function *f);

/// Identifies a choice of a variant. The keys of patterns of the same kind and variant at the same
/// source location are equal.
uint64_t core_choice_key(Node *e);

/// Reports why the schedule of a function fails, if it does; called when the function, or a call of
/// it, is compiled.
void program_report(Session *cx, const Program *p, const Function *f);

// --- builders: the type of the result is computed by the typing rule of the kind (core/ir/typing.c

Node *core_var(Session *cx, int index, Node *type);
Node *core_lam(Session *cx, int nparams, Node *const *param_types, const Sym *names, Node *body);
Node *core_app(Session *cx, Node *fun, int nargs, Node *const *args);
Node *core_global(Session *cx, Sym name, int ngenerics, Node *const *generics, Node *type);
Node *core_let(Session *cx, Sym name, Node *value, Node *body);
Node *core_int(Session *cx, Node *scalar_type, int64_t value);
Node *core_float(Session *cx, Node *scalar_type, double value); // rounded to the type
Node *core_bool(Session *cx, bool value);
bool core_is_bool(Node *e, bool value);
Node *core_size(Session *cx, Node *nat); // as i64
Node *core_prim(Session *cx, Prim op, int n, Node *const *args);
Node *core_cast(Session *cx, Node *e, Node *scalar_type); // `e` itself if it has that type
Node *core_to_idx(Session *cx, Node *e, Node *n, Span origin);
Node *core_if(Session *cx, Node *c, Node *a, Node *b);
/// Gives a tuple if `struct_type` is NULL.
Node *core_tuple(Session *cx, int n, Node *const *parts, Node *struct_type);
Node *core_proj(Session *cx, Node *e, int k); // no simplification
Node *core_array(Session *cx, Node *element_type, int n, Node *const *items);
/// A term of any kind whose type follows from its operands (core.def). attr is its integer, such as
/// the mode of VIEW_PAD; else 0.
Node *core_pattern(Session *cx, Kind kind, int64_t attr, int nops, Node *const *ops);

/// Whether the term is a constant table (table.c): a long array literal, also of tuples and arrays,
/// with only literal scalars.
bool core_is_table(Node *e);

/// The atomic updates, functions of std.atomics, which return the old element. `op` computes the
/// new element from the old one and the last argument (arity 2, not exchange).
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
    Prim op;
    int arity;
} AtomicInfo;
extern const AtomicInfo atomic_info[ATOMIC_COUNT];

/// The atomic update with this name, before or after staging; ATOMIC_COUNT if there is none.
Atomic core_atomic_of(Sym function);
/// Whether the name is that of a function of std.atomics.
bool core_is_of_atomics(Sym function);
/// The residual function for elements of a scalar type, `atomic_fetch_add.f32`, whose body defines
/// its meaning.
Function *core_atomic_function(Session *cx, Atomic a, Node *type);

// State: makes, reads and writes places.
Node *core_unit(Session *cx); // ()
Node *core_new(Session *cx, Node *value);
Node *core_get(Session *cx, Node *place);
Node *core_set(Session *cx, Node *place, Node *value);
Node *core_borrow(Session *cx, Node *place); // `place` itself if it is already a &t
Node *core_ref_at(Session *cx, Node *place, Node *index);
Node *core_ref_proj(Session *cx, Node *place, int k);
Node *core_ref_slice(Session *cx, Node *offset, Node *length, Node *place);

// Control. The let of a sequence binds a variable, which is not in scope in `second`.
Node *core_seq(Session *cx, Node *first, Node *second);
/// A label whose value has type t (NULL for the body's type); the body has a variable of type
/// type_continuation(t) in scope.
Node *core_label(Session *cx, Sym name, Node *t, Node *body);
Node *core_forever(Session *cx, Node *body);
/// `body` : fn(t) -> (), t the integer type of from and to.
Node *core_range(Session *cx, Node *from, Node *to, Node *body);
Node *core_vectorize(Session *cx, Node *lanes, Node *from, Node *to, Node *body);
Node *core_call(Session *cx, Sym function, int nargs, Node *const *args, Node *result);
/// The operands of assert are a condition, then the texts and data of its message; those of print
/// are texts and data.
Node *core_assert(Session *cx, int n, Node *const *ops, Span origin);
Node *core_line(Session *cx, int n, Node *const *ops, Node *mask);
Node *core_text(Session *cx, const char *text);
Node *core_known(Session *cx, Node *e);
Node *core_hide(Session *cx, Node *e);

/// `e` with another source location.
Node *core_at(Session *cx, Node *e, Span origin);

/// The type the typing rule gives for a node with these operands (the table in typing.c), or NULL
/// with *why if the operands don't fit. Sizes that must agree are compared, by normal form, only if
/// `strict`.
Node *core_type_rule(Session *cx, const NodeSpec *spec, bool strict, const char **why);

/// Checks a term: types by rule, variables in scope with the types of their binders, kinds allowed
/// at the level (LEVEL_CORE or LEVEL_LOW), sizes equal under `facts`. Violations are reported as
/// faults of the compiler (E0901). Sizes that inference put into `checks` count as equal.
void core_check(Session *cx, const Function *f, int level);

/// Checks flat Core, also in the callees of an entry: no CORE_APP, CORE_GLOBAL, TYPE_VAR,
/// function-typed let, parameter or result. Side effects occur only in the values of lets and in
/// tail position; places are paths over cells bound by lets, and over parameters of callees; labels
/// are only used by jumps in the same function and the same body of a parallel loop. Functions
/// under patterns write nothing outside.
void core_check_flat(Session *cx, const Function *f);

/// Prints the textual form of a function, then those of its callees; it reads back to the same
/// function. core_read reads a whole file.
void core_print(Session *cx, Text *out, const Function *f);
Function *core_read(Session *cx, uint32_t file);
Function *core_read_next(TermReader *r); // one of several functions in a text

/// Pieces for the headers of the levels below: `(head (n == m "why") ...)` on a line of its own,
/// nothing if there are no checks; reads them back, after the head. The typing rule of Core (not
/// strict) as a rule for the textual form.
void core_print_checks(Session *cx, Text *out, const char *head, const SizeChecks *checks);
bool core_read_checks(TermReader *r, SizeChecks *checks);
Node *core_term_rule(Session *cx, const NodeSpec *spec, const char **why);

// --- the meaning ---------------------------------------------------------------------------------

// Semantics that the rows of core.def and prim.def do not define:
//
// * Integers wrap to their width; the least integer / -1 is itself, % -1 is 0, abs of it is itself.
//   Shift counts are taken modulo the width. f32 and f16 round after every operation (f16 computes
//   as f32); min(a, b) is a < b ? a : b, also when one is NaN.
// * Casts: float to integer goes toward zero, stops at the ends of the range, and gives 0 for NaN;
//   to bool is x != 0; integers are cut to the width; all that is rounded is rounded once, ties to
//   even.
// * reduce and fold accumulate from left to right, from z on. scan[i] is the accumulator after
//   xs[i], scan_ex[i] before it.
// * pad, with i counted from the first element: clamp reads the nearest element; mirror repeats the
//   edge (-1 reads 0, n reads n - 1) with period 2n; wrap reads i mod n. An empty array has no such
//   border (E0604).
// * rotate(k, xs)[i] = xs[(i - k) mod n] for any k. permute(p, q, xs)[i] = xs[p(i)]; that q is the
//   inverse is not checked.
// * scatter leaves 0, 0.0 and false where nothing is written; a target that occurs twice is E0603.
// * Operands are evaluated from left to right. Reading a place copies its value, so that values
//   never change. parallel and vectorize run in order. A range ends at the greatest number of its
//   type. `?e` is false, and e is not evaluated.
// * A call of a continuation after its label was left is E0609; a call of a C function is E0608.
// * A violated condition of `where` or `checks` of a used function is E0604, and so is a violated
//   size condition of a view.

/// How floats compute: as IEEE numbers of their type, or exactly in the field GF(2^61 - 1): + - *
/// exact, / by inverse (x/0 = a hash of x), comparisons on representatives, other functions as
/// hashes of name and arguments. All float types are one. runtime/adze_field.h is the definition.
typedef enum { ALGEBRA_IEEE, ALGEBRA_FIELD } Algebra;

/// A value: an atom (bits: integers sign- or zero-extended to 64 bits, bool 0/1, floats as the bits
/// of a double, or a field element), or `count` parts (array elements, tuple components). The only
/// NaN is the one of float_bits.
typedef struct Value Value;
struct Value {
    uint64_t bits;
    int64_t count;
    Value *parts; // NULL for atoms
};

/// A double as the bits of an atom, and back. All NaNs give the same bits, so that equal values
/// have equal bits.
uint64_t float_bits(double x);
double float_value(uint64_t bits);

/// The result of an evaluation: ok, or a run-time error with its code and position, or out of fuel
/// (E0605).
typedef struct {
    bool ok;
    DiagCode code;
    Span span;
    const char *text;
} Outcome;

/// Evaluates `f` of `program` (which may be NULL for flat functions) on argument values; `generics`
/// gives sizes and types by name. Arguments of other shapes than the parameters' are errors (E0604,
/// E0601). `fuel` bounds the number of steps and of new parts of values; the stack bounds the depth
/// of calls. This is the reference interpreter, slow and obvious. *result lives in `arena`, and may
/// share parts with the arguments. CORE_CALL calls the callees of `f`.
Outcome core_eval(Session *cx, Arena *arena, const Program *program, const Function *f,
                  const NodeBinding *generics, int ngenerics, const Value *args, Algebra algebra,
                  int64_t fuel, Value *result);

/// Options of an evaluation.
typedef struct {
    /// NULL, or the seed of a random order of the iterations of parallel and vectorize, in which it
    /// is an error (E0613) if two iterations access one element and one of them writes it.
    const uint64_t *races;
    /// NULL, or a function that runs an entry as compiled code; if it returns false, the entry is
    /// interpreted. *result lives in `arena`.
    bool (*call)(void *env, const Function *entry, const NodeBinding *generics, int ngenerics,
                 const Value *args, Arena *arena, Value *result, Outcome *outcome);
    void *env;
    bool silent; // nothing is printed
} EvalWay;

/// The same with these options, for a function without parameters.
Outcome core_eval_as(Session *cx, Arena *arena, const Program *program, const Function *f,
                     int64_t fuel, const EvalWay *way, Value *result);

/// Whether the node itself, apart from its operands, may cause a run-time error: an index, an
/// integer division, a scatter, an inverse.
bool core_fails_itself(Node *e);
/// Whether any node of the term may cause one. `memo` caches the answers for its subterms.
bool core_may_fail(Map *memo, Node *e);

/// One scalar operator / cast on atoms: shared by the interpreters and the constant folder. False
/// after a run-time error (division by zero), with its code in *code.
bool eval_prim(Prim op, Scalar type, Algebra algebra, const uint64_t *args, uint64_t *result,
               DiagCode *code);
uint64_t eval_cast(Scalar from, Scalar to, Algebra algebra, uint64_t bits);
uint64_t field_from_double(double x); // dyadic rationals exactly
/// The bits of a literal of this type in the exact algebra.
uint64_t field_of_literal(Node *type, uint64_t bits);

/// The literal of e's type with these bits, at e's source position.
Node *core_literal_like(Session *cx, Node *e, uint64_t bits);
/// Folds a cast of a literal to a scalar type, or an operator on literals, if both algebras give
/// the same result; any other term is returned unchanged.
Node *core_literal_of_prim(Session *cx, Node *e);
Node *core_literal_of_cast(Session *cx, Node *e);
/// Whether a term is the literal 0.0, or -0.0.
bool core_is_float_zero(Node *e, bool negative);
/// Folds operators on literals of a float type in IEEE arithmetic, as the interpreter computes
/// them; any other term is returned unchanged.
Node *core_rounded_literal(Session *cx, Node *e);

/// The value of a size variable, for nat_eval.
typedef bool SizeLookup(Node *atom, int64_t *value, void *env);

/// Whether all conditions hold for the sizes that `lookup` gives; E0604 if one does not. `span` is
/// for conditions without a position.
Outcome size_checks_eval(Session *cx, const SizeChecks *checks, Span span, SizeLookup *lookup,
                         void *env);

// --- guard.c -------------------------------------------------------------------------------------

/// The negation of a comparison.
SizeCheck size_check_negated(Session *cx, SizeCheck c);
/// A condition that is one comparison; the conjunction of two conditions, where NULL says nothing,
/// or their disjunction, which is NULL if one of them is.
const SizeCondition *size_condition_check(Arena *arena, SizeCheck check);
const SizeCondition *size_condition_join(Arena *arena, ConditionKind kind, const SizeCondition *a,
                                         const SizeCondition *b);
/// Adds what follows from the condition to the facts; nothing follows from a disjunction.
void size_condition_assume(Session *cx, Facts *facts, const SizeCondition *c);
/// A guard inside the guard `up`, or NULL.
SizeGuard *size_guard_push(Arena *arena, SizeGuard *up, const SizeCondition *holds);
/// The facts in code under the guard, outside of which `base` holds; `base` itself without a guard.
Facts *size_guard_facts(Session *cx, Arena *arena, Facts *base, SizeGuard *g);
/// The innermost conditions as text: "`2 <= n` and `m == n`"; "" if there are none.
const char *size_guard_text(Session *cx, const SizeGuard *g);
/// Whether the condition follows from `facts`, which have those of the guards. Inequalities are
/// also proved by cases of the innermost disjunctions.
Truth size_guard_truth(Session *cx, Arena *arena, const Facts *facts, const SizeGuard *g,
                       const SizeCheck *c);
/// The condition that `c` holds if all guards do, as one comparison of sizes.
SizeCheck size_guard_check(Session *cx, SizeCheck c, const SizeGuard *g);
/// What a condition says of sizes if it holds (or does not hold); NULL if it says nothing.
const SizeCondition *core_size_condition(Session *cx, Arena *arena, Node *condition, bool holds);

/// The facts, plus facts about sizes that follow if the condition holds (or does not), in `arena`.
Facts *core_assume(Session *cx, Arena *arena, Facts *facts, Node *condition, bool holds);

/// How a relation is written.
extern const char *const size_relation_text[];
/// Adds the condition, or all of them, to the facts.
void size_check_assume(Session *cx, Facts *facts, const SizeCheck *c);
void size_checks_assume(Session *cx, Facts *facts, const SizeChecks *checks);
/// Whether the condition follows from the facts.
Truth size_check_truth(Session *cx, const Facts *facts, const SizeCheck *c);
/// Whether two sizes are equal; also uses the values that the facts give for names in exponents.
Truth size_equal(Session *cx, const Facts *facts, Node *a, Node *b);

/// The report of a violated condition, in lines: the condition, its reason, the types that require
/// it, the calls. It has the values of the sizes if there is a `lookup`.
const char *size_check_report(Session *cx, const SizeCheck *c, SizeLookup *lookup, void *env);
/// The first line of this report; `here` is the same condition with the sizes at a call.
const char *size_check_failure(Session *cx, const SizeCheck *c, const SizeCheck *here);
/// The reason and the types as a phrase, NULL if there are none.
const char *size_check_why(Session *cx, const SizeCheck *c);
/// The size parameters in the condition; returns their number.
int size_check_names(Session *cx, const SizeCheck *c, Sym **names);

/// Whether a value has the shape of a type without variables: E0604 if not, E0601 if an index in it
/// is out of bounds.
Outcome value_check(Session *cx, Arena *arena, const Value *v, Node *type, Sym name);

/// Writes a value in literal syntax ([1.0, 2.5]), at most `limit` elements of each array. Floats
/// have the fewest digits that read back to the same number of their type.
void value_print(Session *cx, Text *out, const Value *v, Node *type, int limit);

/// The same with all elements. For vectors with as many lanes as `mask` (which may be NULL), writes
/// `_` for inactive lanes.
void value_print_lanes(Session *cx, Text *out, const Value *v, Node *type, const Value *mask,
                       Algebra algebra);

/// Whether two values have the same shape and bits; a NaN equals a NaN, but 0.0 and -0.0 differ.
bool value_equal(const Value *a, const Value *b);

// --- print_steps.c -------------------------------------------------------------------------------

/// The residual functions that `print` becomes: they append to the current line, and end it.
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
    PRINT_START,   // begins a line with the text core_print_text
    PRINT_TEXT,    // appends the text core_print_text
    PRINT_COUNT
} PrintStep;

/// The step that the function with this name performs; PRINT_COUNT if none.
PrintStep core_print_step_of(Sym function);
const char *core_print_text(Session *cx, Sym function);
/// The Function that declares a step as a C function.
Function *core_print_function(Session *cx, Sym name);
/// Runs a step in an interpreter; `bits` is its argument.
void core_print_run(Session *cx, Sym function, uint64_t bits, Algebra algebra);
/// A call of a step that has no argument.
Node *core_print_call(Session *cx, PrintStep step, const char *text);
/// The calls that print a value of a closed type, which is variable 0. `mask` is NULL, or the type
/// of the mask of active lanes, which is variable 1.
Node *core_print_value(Session *cx, Node *type, Node *mask);

// --- specialise_sizes.c --------------------------------------------------------------------------

/// The function specialised to values (constants >= 0) of some of its size parameters, which are
/// removed and added to its name, as in f_n64_m32. Its results are the same. Other names in `sizes`
/// are ignored.
Function *core_specialise(Session *cx, const Function *f, const NodeBinding *sizes, int n);

#endif
