// The state of inference for one body, and the results for each of its expressions.
#ifndef ADZE_INFER_CONSTRAINTS_BODY_H
#define ADZE_INFER_CONSTRAINTS_BODY_H

#include "infer/names/names.h"

/// Why two types must agree or a size is restricted, for messages.
typedef enum {
    WHY_NONE,
    WHY_ARGUMENT,   // argument `index` of `symbol`
    WHY_RESULT,     // the result of `symbol` and the expected type
    WHY_BODY,       // the body and the declared result of `symbol`
    WHY_ANNOTATION, // a value and its type annotation
    WHY_ASSIGN,     // a value and the location that it is assigned to
    WHY_ELEMENT,    // elements of an array literal
    WHY_BRANCH,     // branches of `if`
    WHY_ARM,        // arms of `match`
    WHY_PATTERN,    // a pattern of `match` and the value
    WHY_CONDITION,
    WHY_OPERATOR,
    WHY_FIELD,
    WHY_COMPOSE,
    WHY_WHERE,   // condition `index` of `symbol`
    WHY_GENERIC, // generic `index` of `symbol`, a size, is at least 0
    WHY_SLICE,   // bounds of a slice
    WHY_MODE,    // an array needs an element for its border mode to repeat
    WHY_SHAPE,   // operands of an elementwise operator
    WHY_LANES,   // operands of an operator on vectors
    WHY_EXTENT,  // extent `index` of genarray
    WHY_LOWER,   // bound `index` of a generator
    WHY_UPPER,
    WHY_STEP,
    WHY_PARTS, // the names of an array pattern and the length of the array
    WHY_RULE,  // both sides of a rule
} WhyKind;
typedef struct {
    WhyKind kind;
    const Symbol *symbol;
    int index;
} Why;
static const Why no_why = {WHY_NONE, NULL, 0};

/// A function applied to arguments; a pipe's left side is the last argument.
typedef struct {
    const Symbol *symbol; // NULL if `callee` is a value of function type
    const Ast *callee;
    Node **generics;
    const Ast **args;
    int nargs;
    int option;    // the number of the option that an enum constructor creates
    int load;      // the number of the parameter that load("file") becomes
    bool partial;  // the last argument is missing
    Node *missing; // the type of the missing argument
} Call;

/// The lower (inclusive) or upper (exclusive) bound of a generator. It is given by `sizes`, or by
/// the expression `value`, whose components are incremented if `shift` is set. If both are NULL, it
/// is the respective end of the index space.
typedef struct {
    const Extents *sizes;
    const Ast *value;
    bool shift;
} WithBound;

typedef struct {
    const Ast *at;
    WithBound lower, upper;
    const Extents *step, *width; // NULL if not given
} WithGenerator;

typedef struct {
    const Ast *at;
    AstKind kind;
    Node *element; // the type that the bodies yield for this operator
    Node *array;   // the type of the result
} WithOperator;

/// What inference finds out about a with-loop.
typedef struct {
    int rank;             // the number of components of the index
    bool scalar;          // the index is a number, not a vector with one component
    const Extents *space; // the index space; NULL if the generators define it (fold only)
    Node *space_type;     // the type of the array that defines the index space
    WithGenerator *generators;
    int n;
    WithOperator *operators;
    int noperators;
    Node *element; // the type of the bodies
    bool covered;  // some generator contains the whole index space
} With;

/// The results of inference for an expression or a binding.
struct Note {
    Node *type;
    Local *local;
    const Symbol *symbol;
    Node **generics; // the generic arguments of `symbol`, or the offset and length of a slice
    const Call *call;
    With *with;
    // The type that the context converts the value to, or NULL: `!` becomes any type, &mut t
    // becomes &t, a number a wider one, and a scalar a vector.
    Node *as;
    Local *exit, *next; // break and continue of a loop, or of the lambda of a `for`
    // The index of an enum option, or of the field in a field pattern, or the branch (1 or 2) taken
    // by an `if` that is decided at compile time.
    int option;
    Variant variant; // the variant of the pattern `symbol` as written, or ANY
    Node *lanes;     // the lanes of variant vec or of m in scalar |m|, or the block size of aosoa
    int held;        // during elaboration, 1 + the level of the variable holding the value, or 0
    bool negative;   // the literal is preceded by a minus sign
    const SizeCheck *compared; // what a comparison of sizes implies if it is true, or NULL
    Node *size;                // the size that a `match` examines or a `let` opens, or NULL
    Node *simd; // the number of lanes if they may diverge in this expression, or NULL
};

/// A condition on sizes, to be proved, refuted or checked when the body has been inferred.
typedef struct {
    SizeRelation relation;
    Node *left, *right;
    Span span;
    Why why;
    Node *expected, *found; // the types that the condition comes from, or NULL
    Node *whole, *part;     // if not NULL, the condition says that `part` divides `whole`
    const Local *border; // a mode parameter that makes the condition void if it is const, or NULL
    bool branch;         // the condition arises in a branch
    SizeGuard *guard;    // the enclosing conditions on sizes, or NULL
} Obligation;

/// A constraint postponed until the types of its operands are known.
typedef enum { WAIT_OPERATOR, WAIT_PROJ, WAIT_FIELD, WAIT_CAST, WAIT_INDEX, WAIT_LOAD } WaitKind;
typedef struct {
    WaitKind kind;
    const Ast *at;
    Prim op;
    int nops;
    Node *operand[2];
    bool literal[2]; // the operand is a plain literal, which adapts to the other
    Node *result;
    bool tried;       // it was tried without success, with these operands
    MetaKind open[2]; // the kinds of unknown operands at that time
} Wait;

/// A use of a generic symbol. Once the body has been inferred, its generic arguments must be known
/// and of the right kinds.
typedef struct {
    const Symbol *symbol;
    Node **generics;
    Span span;
} Instance;

/// The innermost construct in which lanes diverge. `lanes` is the number of lanes, or NULL if there
/// is no such construct. `from` is the height of the scope's stack where the construct begins.
typedef struct {
    Node *lanes;
    int from;
} Around;

/// A size opened by a `let`: a name for a value computed at run time. It exists in `rest` (the code
/// after the `let`). If `most` is not NULL, the size is at most `most`.
typedef struct {
    Sym written;
    Node *size, *most;
    Span let, pattern, rest;
} OpenedSize;

/// The body of a function, constant, test or expression while it is being inferred.
typedef struct Body Body;
struct Body {
    Infer *in;
    Session *cx;
    Arena *arena;
    Scope scope;
    const Symbol *symbol; // NULL in tests, benches and expressions
    bool bench;           // the body of a bench
    VEC(Wait) waits;
    VEC(Obligation) obligations;
    VEC(Instance) instances;
    VEC(OpenedSize) opened;
    VEC(const Ast *) seen; // expressions and bindings with a note, inner ones before outer ones
    VEC(Local *) params;   // one for each value parameter, NULL for size parameters
    Local *exit;           // `return`; NULL in constants, tests, and functions without a result
    VEC(Node *) values;    // the types of the values with which `break` leaves loops; () by default
    VEC(Note *) more;      // notes for syntax that inference adds, beyond those of the unit
    const Ast *value;      // the expression to elaborate
    Facts *facts;          // known from the signature and the checks
    Node *type;            // the type of `value`
    Around around;         // during inference: the enclosing construct whose lanes diverge
    bool has_scalar;       // it contains a scalar { }
    Node *simd;            // the number of lanes if lanes may return at different times, or NULL
    int simd_from;         // the index of the first statement of `value` where a lane may return
    SizeChecks checks;     // the conditions on sizes that remain to be checked
    VEC(const Local *) borders; // the Obligation.border of each check
    int changes, tried;         // the number of unifications so far, and at the last retry
    int watched;                // solver_watched_changes at the last retry of the waits
    int untracked;           // waits on known types with unknowns inside: retried after any change
    int branches;            // the number of branches that enclose the expression being inferred
    SizeGuard *guard;        // the conditions on sizes of those branches, or NULL
    bool deep;               // postponed constraints are being tried
    bool failed;             // an error was reported
    struct Lengths *lengths; // raised variables; NULL if none can be raised
    Map negative;            // sizes reported as negative
    LoadType *load;
    void *load_env;
    VEC(const Ast *) loads;
    VEC(Node *) load_types;
};

/// The typing rules call one another through this table. `type_of` infers the type of an
/// expression. `try_wait` retries a postponed constraint, and returns false if not enough is known
/// yet. If `final` is set, the constraint uses its default.
struct Rules {
    Node *(*type_of)(Body *b, const Ast *e, Node *want);
    bool (*try_wait)(Body *b, Wait *w, bool final);
};

#endif
