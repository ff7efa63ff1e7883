// One body that is inferred, and what inference finds out about its expressions.
#ifndef ADZE_INFER_CONSTRAINTS_BODY_H
#define ADZE_INFER_CONSTRAINTS_BODY_H

#include "infer/names/names.h"

/// Why two types must agree, or a size is restricted: for messages.
typedef enum {
    WHY_NONE,
    WHY_ARGUMENT,   // argument `index` of `symbol`
    WHY_RESULT,     // the result of `symbol` and the expected type
    WHY_BODY,       // the body and the declared result of `symbol`
    WHY_ANNOTATION, // a value and the type written for it
    WHY_ASSIGN,     // a value and the place it is assigned to
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
    const Symbol *symbol; // NULL: `callee` is a value of function type
    const Ast *callee;
    Node **generics;
    const Ast **args;
    int nargs;
    int option;    // of an enum: its number
    int load;      // of load("file"): the number of the parameter that it becomes
    bool partial;  // the last argument is missing
    Node *missing; // its type
} Call;

/// One side of a generator. If it consists of sizes: the least index inside, or the least above all
/// inside, for each component. Otherwise an expression, whose components are raised by one when
/// `shift`. If it is neither, the end of the index space.
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
    Node *element; // what it takes
    Node *array;   // what it gives
} WithOperator;

/// A with-loop: over which index space, and how.
typedef struct {
    int rank;             // how many components the index has
    bool scalar;          // it is a number, not a vector of one
    const Extents *space; // NULL: that of the generators (fold alone)
    Node *space_type;     // the array it belongs to
    WithGenerator *generators;
    int n;
    WithOperator *operators;
    int noperators;
    Node *element; // of the bodies
    bool covered;  // a generator takes all that others leave
} With;

/// What inference finds out about an expression or a binding.
struct Note {
    Node *type;
    Local *local;
    const Symbol *symbol;
    Node **generics; // of `symbol`; sizes of a slice (offset, length)
    const Call *call;
    With *with; // of a with-loop
    Node *as;   // what the place of the expression takes instead: of `!` anything, of &mut t a &t
    Local *exit,
        *next; // break and continue: of a loop, or of the lambda that the body of a `for` is
    // Of an enum: its number. Of a field pattern: the number of the field. Of an `if` on ranks: the
    // branch that is taken, 1 or 2.
    int option;
    Variant variant; // of `symbol`, a pattern: as written, or ANY
    Node *lanes;     // variant vec: how many; aosoa: elements in a block; scalar |m|: of its mask
    int held;        // elaboration: 1 + the level of the variable that holds the value; 0: none
    bool negative;   // a literal under a minus
    const SizeCheck *compared; // of a comparison of sizes: what it says where it holds; else NULL
    Node *simd; // of an `if`, `match`, `&&`, a loop: the number of lanes, which diverge; else NULL
};

/// A condition on sizes that holds at some place, as on a branch, with those around (guards.c).
/// `facts`: what follows from all of them; NULL before it is needed.
typedef struct SizeGuard SizeGuard;
struct SizeGuard {
    SizeCheck holds;
    SizeGuard *up;
    Facts *facts;
};

/// A condition on sizes met while inferring.
typedef struct {
    SizeRelation relation;
    Node *left, *right;
    Span span;
    Why why;
    Node *expected, *found; // the types it comes from, or NULL
    Node *whole, *part;     // says that `part` divides `whole`; or NULL
    const Local *border;    // not needed where this mode parameter is const; or NULL
    bool branch;            // in a branch
    SizeGuard *guard;       // what holds there, or NULL
} Obligation;

/// Something that waits until the types of its operands are known.
typedef enum { WAIT_OPERATOR, WAIT_PROJ, WAIT_FIELD, WAIT_CAST, WAIT_INDEX, WAIT_LOAD } WaitKind;
typedef struct {
    WaitKind kind;
    const Ast *at;
    Prim op;
    int nops;
    Node *operand[2];
    bool literal[2]; // the operand is a plain literal: it adapts to the other
    Node *result;
    bool tried; // with these operands, of which the open ones were of these kinds
    MetaKind open[2];
} Wait;

/// An instantiated generic, to see in the end that it is known and of its kind.
typedef struct {
    const Symbol *symbol;
    Node **generics;
    Span span;
} Instance;

/// The innermost construct whose lanes diverge: how many lanes (NULL: none is known), and from
/// where on in the stack of the scope locals are declared in it.
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
    VEC(const Ast *) seen; // expressions and bindings with a note, parts before wholes
    VEC(Local *) params;   // one for each value parameter, NULL for size parameters
    Local *exit;           // return; NULL in constants and tests, and where nothing is given
    VEC(Node *) values;    // of loops that are left by break: () when nothing else decides
    VEC(Note *) more;      // of the syntax that inference makes, beside the unit's
    const Ast *value;      // the expression that is elaborated
    Facts *facts;          // from the signature, and what the checks make sure of
    Node *type;            // of `value`
    Around around;         // while it is inferred
    bool has_scalar;       // there is a scalar { }
    Node *simd;            // lanes return at different times: how many; else NULL
    int simd_from;         // in the statements of `value` from this one on
    SizeChecks checks;     // after solving
    VEC(const Local *)
    borders;            // beside the checks: the mode parameter that needs none if const, or NULL
    int changes, tried; // counts unifications; the count when the waits were last tried
    int watched;        // solver_watched_changes at that time
    int untracked;      // waits that depend on more than single unknowns
    int branches;       // around the expression that is inferred
    SizeGuard *guard;   // what they say of sizes, or NULL
    bool deep;          // trying the waits
    bool failed;        // an error was reported
    struct Lengths *lengths; // variables that were raised; NULL: they cannot be
    Map negative;            // sizes reported as negative
    LoadType *load;
    void *load_env;
    VEC(const Ast *) loads;
    VEC(Node *) load_types;
};

/// Typing rules, which call one another through this table: the type of an expression, and another
/// attempt at what waits (false: not enough is known yet; `final`: a default decides).
struct Rules {
    Node *(*type_of)(Body *b, const Ast *e, Node *want);
    bool (*try_wait)(Body *b, Wait *w, bool final);
};

#endif
