// The state of the inference of one body, and its results for each expression.
#ifndef ADZE_INFER_CONSTRAINTS_BODY_H
#define ADZE_INFER_CONSTRAINTS_BODY_H

#include "infer/names/names.h"

/// The reason why two types must agree, or a size is restricted, for messages.
typedef enum {
    WHY_NONE,
    WHY_ARGUMENT,   // argument `index` of `symbol`
    WHY_RESULT,     // the result of `symbol` and the expected type
    WHY_BODY,       // the body and the declared result of `symbol`
    WHY_ANNOTATION, // a value and the type written for it
    WHY_ASSIGN,     // a value and the place that it is assigned to
    WHY_ELEMENT,    // elements of an array literal
    WHY_BRANCH,     // branches of `if`
    WHY_ARM,        // arms of `match`
    WHY_PATTERN,    // a pattern of `match` and the value
    WHY_CONDITION,
    WHY_OPERATOR,
    WHY_FIELD,
    WHY_COMPOSE,
    WHY_WHERE,   // condition `index` of `symbol`
    WHY_GENERIC, // generic `index` of `symbol` is a size
    WHY_SLICE,   // bounds of a slice
    WHY_MODE,    // border modes need an element
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
    int option;    // the number of the option that an enum's constructor makes
    int load;      // the number of the parameter that load("file") becomes
    bool partial;  // the last argument is missing
    Node *missing; // the type of the missing argument
} Call;

/// The lower (inclusive) or the upper (exclusive) bound of a generator: sizes, or an expression
/// whose components are incremented if `shift`, or (if both are NULL) the end of the index space.
typedef struct {
    const Extents *sizes;
    const Ast *value;
    bool shift;
} WithBound;

typedef struct {
    const Ast *at;
    WithBound lower, upper;
    const Extents *step, *width; // or NULL
} WithGenerator;

typedef struct {
    const Ast *at;
    AstKind kind;
    Node *element; // the type of the values of the bodies
    Node *array;   // the type of the result
} WithOperator;

/// A with-loop.
typedef struct {
    int rank;             // the number of components of the index
    bool scalar;          // the index is a number, not a vector with one component
    const Extents *space; // the index space; NULL if it is that of the generators (fold only)
    Node *space_type;     // the type of the array with this index space
    WithGenerator *generators;
    int n;
    WithOperator *operators;
    int noperators;
    Node *element; // of the bodies
    bool covered;  // a generator covers the indices that no other generator contains
} With;

/// The results of inference for an expression or a binding.
struct Note {
    Node *type;
    Local *local;
    const Symbol *symbol;
    Node **generics; // of `symbol`; sizes of a slice (offset, length)
    const Call *call;
    With *with;
    // The type that the context converts the value to, or NULL: any type from `!`, &t from &mut t,
    // a wider number, a vector.
    Node *as;
    Local *exit, *next; // break and continue of a loop, or of the lambda of a `for`
    // The number of the option of an enum, of the field of a field pattern, or of the branch of an
    // `if` on ranks that is taken (1 or 2).
    int option;
    Variant variant; // of `symbol`, a pattern: as written, or ANY
    Node *lanes;     // of variant vec and of the mask of scalar |m|; aosoa: elements in a block
    int held;        // elaboration: 1 + the level of the variable that holds the value, or 0
    bool negative;   // a literal under a minus
    const SizeCheck *compared; // of a comparison of sizes: what its truth implies; or NULL
    Node *size;                // of a match on a size: that size; or NULL
    Node *simd; // the number of lanes that diverge in an `if`, `match`, `&&` or loop; or NULL
};

/// A condition on sizes, to be proved, refuted or checked when the body has been inferred.
typedef struct {
    SizeRelation relation;
    Node *left, *right;
    Span span;
    Why why;
    Node *expected, *found; // the types it comes from, or NULL
    Node *whole, *part;     // the condition says that `part` divides `whole`; or NULL
    const Local *border;    // a mode parameter that, if const, makes the condition void; or NULL
    bool branch;            // in a branch
    SizeGuard *guard;       // the enclosing conditions on sizes, or NULL
} Obligation;

/// A constraint that is postponed until the types of its operands are known.
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

/// An instantiated generic, whose arguments must be known in the end, and be of the right kinds.
typedef struct {
    const Symbol *symbol;
    Node **generics;
    Span span;
} Instance;

/// The innermost construct whose lanes diverge: the number of lanes (NULL if there is none), and
/// the size of the scope's stack at its beginning.
typedef struct {
    Node *lanes;
    int from;
} Around;

/// One body being inferred: of a function, constant, test or expression.
typedef struct Body Body;
struct Body {
    Infer *in;
    Session *cx;
    Arena *arena;
    Scope scope;
    const Symbol *symbol; // NULL in tests and expressions
    VEC(Wait) waits;
    VEC(Obligation) obligations;
    VEC(Instance) instances;
    VEC(const Ast *) seen;      // expressions and bindings with a note, parts before wholes
    VEC(Local *) params;        // one for each value parameter, NULL for size parameters
    Local *exit;                // return; NULL in constants, tests, and functions without a result
    VEC(Node *) values;         // of loops that `break` leaves; () by default
    VEC(Note *) more;           // for syntax that inference makes, in addition to the unit's notes
    const Ast *value;           // the expression that is elaborated
    Facts *facts;               // from the signature and the checks
    Node *type;                 // of `value`
    Around around;              // while it is inferred
    bool has_scalar;            // it contains a scalar { }
    Node *simd;                 // the number of lanes that return at different times, or NULL
    int simd_from;              // the first statement of `value` with such lanes
    SizeChecks checks;          // after solving
    VEC(const Local *) borders; // Obligation.border of each of the checks
    int changes, tried;         // counts unifications; the count when the waits were last tried
    int watched;                // solver_watched_changes at that time
    int untracked;              // waits that depend on more than single unknowns
    int branches;               // number of branches around the expression being inferred
    SizeGuard *guard;           // the conditions on sizes of those branches, or NULL
    bool deep;                  // postponed constraints are being tried
    bool failed;                // an error was reported
    struct Lengths *lengths;    // raised variables; NULL if none can be raised
    Map negative;               // sizes reported as negative
    LoadType *load;
    void *load_env;
    VEC(const Ast *) loads;
    VEC(Node *) load_types;
};

/// Typing rules, which call one another through this table: the type of an expression, and a retry
/// of a postponed constraint (false if not enough is known yet; `final`: uses its default).
struct Rules {
    Node *(*type_of)(Body *b, const Ast *e, Node *want);
    bool (*try_wait)(Body *b, Wait *w, bool final);
};

#endif
