// What the files of infer/ share.
//
// A Unit is a module with its names; a Symbol is one top-level name; a Signature is the type of a
// function, pattern or constant. A body is inferred in two walks over its syntax tree. The first
// (expr.c, call.c, operator.c, place.c, control.c, match.c) leaves a Note beside every expression: its type, with unknowns, and
// what its name means. What can't be decided yet waits (Wait) and is tried again when more is
// known. When the body is done its unknowns are solved and its conditions on sizes proved, refuted
// or kept as checks (sizes.c). The second walk (elaborate*.c) makes Core out of the tree and the
// solved notes; it decides nothing and reports nothing.
#ifndef ADZE_INFER_INTERNAL_H
#define ADZE_INFER_INTERNAL_H

#include "infer/infer.h"

typedef struct Infer Infer;
typedef struct Unit Unit;

/// The kinds of generic parameters. A parameter of kind `shape` is not among them: it is as many of kind nat as it has extents (SigShape).
typedef enum {
    GENERIC_NAT,
    GENERIC_DATA,
    GENERIC_NUM,
    GENERIC_INT,
    GENERIC_FLOAT,
    GENERIC_SCALAR
} GenericKind;

/// `parameter` is the number of the value parameter that gives this size (`k: nat` in parentheses),
/// or -1.
typedef struct {
    Sym name, kind_name;
    GenericKind kind;
    Span span;
    int parameter;
    bool extent;  // of a shape: it has no name in the program
    Node *number; // a size that `where rank(s) == size` fixes in a member of a family, else NULL
} SigGeneric;

/// A shape parameter of a member of a family: `rank` sizes from generics.at[first] on. `parameter` as in SigGeneric.
typedef struct {
    Sym name;
    Span span;
    int first, rank;
    int parameter;
} SigShape;

/// A value parameter; `generic` is the number of the generic it gives when it is a size parameter (the first one of a shape,
/// number `shape`), or -1 (then it has a type).
typedef struct {
    Sym name;
    Node *type;
    int generic;
    bool reported; // that its value is not a size
    int shape;     // or -1
} SigParam;

/// Generics in brackets first (`nbracket` of them), then the size parameters in parentheses.
typedef struct {
    VEC(SigGeneric) generics;
    int nbracket;
    int inherited; // the first of them are those of the functions around one in a block
    VEC(SigShape) shapes;
    VEC(SigParam) params;
    Node *result;
    SizeChecks where;
    Node *
        simd; // in SIMD mode of so many lanes: it may be called where they go different ways; NULL: in scalar mode
    bool has_mode; // some parameter is a border mode: one Function per mode is made (elaborate.c)
} Signature;

typedef enum {
    SYMBOL_FN,
    SYMBOL_PATTERN,
    SYMBOL_CONST,
    SYMBOL_STRUCT,
    SYMBOL_ENUM,
    SYMBOL_ALIAS,
    SYMBOL_PRIM,   // min, sqrt, ...
    SYMBOL_SCALAR, // f32: a type, a cast
    SYMBOL_MODE,   // clamp, mirror, wrap
    SYMBOL_LOAD,   // load("file")
    SYMBOL_SHAPE,  // shape(a), rank(a): row says which
    SYMBOL_PRINT,  // print(x, ...), assert(c, ...): row says which
    SYMBOL_RULE,   // these two under a key of their own (infer_strategy_key)
    SYMBOL_STRATEGY,
    SYMBOL_AMBIGUOUS, // imported from two modules: `other` is the second
} SymbolKind;

typedef enum { STATE_NEW, STATE_BUSY, STATE_DONE } State;

typedef struct Symbol Symbol;

/// Functions in scope that stand in blocks, those of the innermost block first.
typedef struct Nested {
    Symbol *symbol;
    const struct Nested *next;
} Nested;

struct Symbol {
    SymbolKind kind;
    Sym name; // as written
    Sym full; // unique in the program
    Sym key;  // under which scopes have it
    Unit *unit;
    const Item *item;
    const Symbol *other;
    int row; // of patterns.def; the Prim, Scalar or PadMode
    State state;
    Signature *signature;     // functions, patterns; constants (no parameters); NULL after an error
    VEC(SigGeneric) generics; // structs, enums and aliases
    Node *type;               // structs, enums and aliases: over the generics
    const Sym *fields; // structs; of enums "#" for the number of the option, then the options
    bool is_nat;       // a constant of type nat
    Node *size;        // its value, NULL after an error
    struct Body *body; // the solved body, for making Core
    // A function with shape parameters is a family. It has no signature itself; its members, one for each choice of ranks that
    // is called, have.
    bool is_family;
    VEC(struct Symbol *) members;
    const struct Symbol *family; // of a member
    const int *ranks;            // of a member: of each shape parameter, those in brackets first
    Span used;                   // of a member: where it was first called
    const Symbol
        *outer; // of a function in a block: the function around, NULL in tests and constants
    const Nested *visible; // of one in a block: those it can call, itself among them
    Map *
        captured; // of one in a block: names of variables around it, which it does not see -> Local
    const struct RewriteRule *rule; // NULL before it is inferred, and after an error
    struct StrategyItem *strategy;
};

/// Sizes in a row: a shape, or an integer vector whose elements are known as sizes.
typedef struct {
    Node **at;
    int n;
} Extents;

typedef enum { LOCAL_VALUE, LOCAL_SIZE, LOCAL_TYPE, LOCAL_SHAPE, LOCAL_FUNCTION } LocalKind;

/// A name inside a function. A component of a tuple pattern has no variable of its own: it is
/// component `component` of `parent`; but a mutable one has, for the place that holds its value.
typedef struct Local Local;
struct Local {
    LocalKind kind;
    GenericKind generic; // LOCAL_TYPE
    Sym name;
    Span span;
    Node *type;       // of the value; the size; the type variable
    Extents *extents; // of a LOCAL_SHAPE; of a value that is a vector of sizes, else NULL
    Node *size;       // of a value that is known as a size, else NULL
    bool difference;  // these may be less than 0
    Symbol *function; // of a LOCAL_FUNCTION
    Local *parent, *shadowed;
    Local *same; // of an immutable name of another continuation: that; else NULL
    const Ast
        *value; // of a `let` with no type written, or its place in the pattern of one; else NULL
    int component;
    int level;     // second walk: how many variables are bound outside it
    int place;     // in the stack of its scope
    bool mutable;  // declared with `mut`
    bool counts;   // given by a loop
    bool used;     // a continuation: it is mentioned
    bool reported; // that it is not a size
    int mode;      // second walk: the PadMode this parameter stands for, or -1
};

/// Names in scope: locals over the unit's names, its imports, the prelude, and what is built in.
typedef struct {
    Infer *in;
    Arena *arena;
    Unit *unit;
    Solver *solver;       // NULL while signatures are read
    const Symbol *symbol; // whose signature or body it is; NULL in tests and expressions
    Map by_name;          // Sym -> innermost Local
    VEC(Local *) stack;
} Scope;

/// Why two types must agree, or a size is restricted: for messages.
typedef enum {
    WHY_NONE,
    WHY_ARGUMENT,   // argument `index` of `symbol`
    WHY_RESULT,     // the result of `symbol` and what is expected of it
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
    WHY_SHAPE,   // arrays that an operator goes through together
    WHY_LANES,   // vectors that an operator goes through together
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

/// One side of a generator. Made of sizes: the least index inside, or the least above all inside, for each component. Else an
/// expression whose components are to be raised by one when `shift`. Neither: the end of the index space.
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

/// What the first walk found out about an expression or a binding.
typedef struct {
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
    Variant variant; // of `symbol`, a pattern: asked for, or ANY
    Node *
        lanes; // of variant vec: how many; of aosoa: elements in a block; of scalar |m|: of its mask
    int held;  // second walk: 1 + the level of the variable that has the value; 0: none
    bool negative; // a literal under a minus
    Node *
        simd; // of an `if`, `match`, `&&`, a loop: in so many lanes, which go different ways; else NULL
} Note;

/// A condition on sizes met while inferring.
typedef struct {
    SizeRelation relation;
    Node *left, *right;
    Span span;
    Why why;
    Node *expected, *found; // the types it comes from, or NULL
    Node *whole, *part;     // says that `part` divides `whole`; or NULL
    const Local *border;    // not needed where this mode parameter is const; or NULL
    bool branch;            // it stands in a branch
} Obligation;

/// Something that waits until the types of its operands are known.
typedef enum { WAIT_OPERATOR, WAIT_PROJ, WAIT_FIELD, WAIT_CAST, WAIT_INDEX } WaitKind;
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

/// The construct around whose lanes go different ways: how many (NULL: none is known), and from
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
    const Ast *value;      // what is elaborated
    Facts *facts;          // from the signature, and what the checks make sure of
    Node *type;            // of `value`
    Around around;         // first walk
    bool has_scalar;       // there is a scalar { }
    Node *simd;            // lanes return at different times: how many; else NULL
    int simd_from;         // in the statements of `value` from this one on
    SizeChecks checks;     // after solving
    VEC(const Local *)
    borders;            // beside the checks: the mode parameter that needs none if const, or NULL
    int changes, tried; // counts unifications; the count when the waits were last tried
    int watched;        // solver_watched_changes at that time
    int untracked;      // waits that depend on more than single unknowns
    int branches;       // around what is walked
    bool deep;          // trying the waits
    bool failed;        // an error was reported
    struct Lengths *lengths; // of variables that are raised in rounds; NULL: there are none
    Map negative;            // sizes reported as negative
    LoadType *load;
    void *load_env;
    VEC(const Ast *) loads;
    VEC(Node *) load_types;
};

struct Unit {
    Sym name; // NULL: the main module
    const Module *module;
    Map scope, imported; // Sym -> Symbol *
    Map exports;         // the same: what others may import, its own and what it passes on
    VEC(Symbol *) symbols;
    VEC(Unit *) imports; // as the import items, NULL where not found
    bool broken;         // an import failed: names may be missing through no fault of their own
    Note *notes;
    int first_id, nnotes;
};

/// A version of a function for border modes, used and not made yet.
typedef struct {
    const Symbol *symbol;
    const int *modes;
    Function *function;
} Demand;

struct Infer {
    Session *cx;
    Arena *arena;
    const Modules *modules;
    Unit *prelude, *main;
    Map builtin;       // Sym -> Symbol *
    Map structs;       // full name -> Symbol *, enums too
    Map masks;         // Symbol * -> what infer_keeps_masks has found out
    Map externs;       // name -> Symbol *: functions of C, in whatever module
    Map by_file;       // file number -> Unit *
    VEC(Unit *) units; // imported ones before those that import them
    int suggestions;   // names suggested so far; bounded
    Map searched;      // file number -> Module *, of modules that were looked through for a name
    VEC(Demand) demanded;
    VEC(Symbol *) members; // of families, and functions in blocks, whose bodies are not done yet
    Map nested;            // AST_FN -> Symbol *, of the body that is inferred now
    Map nested_names;      // full name of one -> it
    Arena *scratch;        // of the bodies inferred last
    int bodies;
    Program program;
};

/// The rows of patterns.def.
typedef enum {
    FORM_PLAIN,
    FORM_ZIP,
    FORM_UNZIP,
    FORM_PAD,
    FORM_TAKE,
    FORM_DROP,
    FORM_ROTATE,
    FORM_COPY,
    FORM_UNROLL,
    FORM_LANE,
    FORM_LANES
} PatternForm;
typedef struct {
    const char *name;
    Kind kind;
    int sizes;
    PatternForm form;
    unsigned variants; // bit v: a program may ask for variant v
} PatternRow;
extern const PatternRow infer_patterns[];
extern const int infer_pattern_count;

// scope.c
Scope infer_scope_new(Infer *in, Arena *arena, Unit *unit, Solver *solver);
Local *infer_local_push(Scope *s, LocalKind kind, Sym name, Span span, Node *type);
/// Brings a local that was made before into scope.
void infer_local_enter(Scope *s, Local *l);
int infer_scope_mark(const Scope *s);
void infer_scope_release(Scope *s, int mark);
Local *infer_find_local(const Scope *s, Sym name);
Symbol *infer_find_symbol(const Scope *s, Sym name);
void infer_add_builtins(Infer *in);
/// Reports that nothing is called `name`, with a near name as help. `what` says that a type is
/// expected, or is NULL. Gives the error, for more help; NULL when it follows from another one and
/// is not reported.
Diag *infer_unknown_name(const Scope *s, Sym name, Span span, const char *what);
/// Adds to an error from which module of the library to import the name; false when none has it.
bool infer_suggest_import(const Scope *s, Diag *d, Sym name);
/// The module of the library that is most like `name`, with `std.` or without it; NULL: none is.
Sym infer_near_module(Session *cx, Sym name);
/// Whether a diagnostic with this code was reported there: for warnings about bodies that are
/// inferred more than once.
bool infer_is_reported(const Session *cx, DiagCode code, Span span);
/// Adds how structs are computed with, to which an operator was applied.
void infer_help_struct(Body *b, Diag *d, Node *t, Prim op);
/// Adds the modules of the library as a hint.
void infer_list_modules(Session *cx, Diag *d);
/// Adds what may have been meant by a name that a module does not have: a near one, or all it has.
void infer_suggest_export(Infer *in, Diag *d, const Unit *from, Sym name);
/// Adds a near name to an error.
void infer_suggest(const Scope *s, Diag *d, Sym name);
/// Of the symbol's two sources (SYMBOL_AMBIGUOUS); true when reported.
bool infer_is_ambiguous(const Scope *s, const Symbol *y, Span span);

// signature.c: declarations
Signature *infer_signature(Infer *in, const Symbol *y);
bool infer_declared_type(Infer *in, const Symbol *y);
Node *infer_const_size(Infer *in, const Symbol *y);
void infer_push_generics(Scope *s, const SigGeneric *generics, int n);
void infer_push_shapes(Scope *s, const Signature *sig);
bool infer_is_nat_type(Scope *s, const Ast *type);
bool infer_is_mode_type(const Ast *type); // mode[t]
void infer_check_entry(Infer *in, const Symbol *y);
void infer_check_extern(Infer *in, const Symbol *y);

// syntax.c: types and sizes as written
Node *infer_type(Scope *s, const Ast *e);
Node *infer_result_type(Scope *s, const Ast *e); // of a function: may be !
Node *infer_size(Scope *s, const Ast *e);        // NULL after an error
bool infer_where(Scope *s, const Ast *e, SizeChecks *out);
Node *infer_fresh(Scope *s, GenericKind kind);
Node *infer_replace(Session *cx, Node *e, const SigGeneric *generics, Node *const *with, int n);
/// Explicit generic arguments of `e` for these parameters, unknowns for the rest; NULL after an
/// error.
Node **infer_generics(Scope *s, const Symbol *y, const SigGeneric *generics, int n, int nbracket,
                      const AstVec *given, Span span);
/// Reports that `e` is not a size, or does not say one.
Node *infer_not_a_size(Scope *s, const Ast *e, const char *what);

// shape.c: vectors of sizes, as written
/// Whether `e` can be read as a vector of sizes; as a size.
bool infer_is_extents(Scope *s, const Ast *e);
bool infer_is_size(Scope *s, const Ast *e);
/// The sizes of a vector; NULL after an error.
Extents *infer_extents(Scope *s, const Ast *e);
/// Sizes that vectors give: v[0], rank(a), prod(v). `e` is an index or a call of one of these.
bool infer_is_size_of_vector(Scope *s, const Ast *e);
Node *infer_size_of_vector(Scope *s, const Ast *e);
/// How many elements an array of this shape has.
Node *infer_product(Session *cx, const Extents *v);
/// Whether `e` compares a rank with a number, which is decided while compiling: *holds.
bool infer_is_about_ranks(Scope *s, const Ast *e, bool *holds);
/// shape(a), rank(a) or prod(v) as a value.
typedef enum { SHAPE_SHAPE, SHAPE_RANK, SHAPE_PROD } ShapeQuestion;

// print.c
enum { PRINT_PRINT, PRINT_ASSERT };
Node *infer_print(Body *b, const Ast *e, const Symbol *y, const Ast **args, int nargs);
/// Whether a call of it prints in what is compiled.
bool infer_prints(const Body *b, const Symbol *y);

/// Keeps what is known of the value that an immutable name stands for.
void infer_know(Body *b, Local *l, const Ast *value);
Node *infer_extents_type(Session *cx, const Extents *v);
/// The lengths of an array type along its dimensions.
Extents *infer_dims(Scope *s, Node *type);

// report.c
const char *infer_show_item(Session *cx, const Item *item);
const char *infer_why(Body *b, Why why);
const char *infer_show(Body *b, Node *t);
const char *infer_show_found(Body *b, Node *t);
void infer_mismatch(Body *b, Node *expected, Node *found, Span span, Why why, const char *reason);

// family.c: functions of any rank
enum { MOST_RANK = 16 };
/// The member of a family for this call; arguments may be missing at the end. Looks at the data among the arguments: types[i] is the
/// type found, NULL for others. NULL after an error.
const Symbol *infer_member_for(Body *b, const Symbol *family, const Ast *call,
                               const AstVec *generics, const Ast **args, int nargs, Node *want,
                               Node **types);
/// The member of these ranks, made when it does not exist.
Symbol *infer_member(Infer *in, const Symbol *family, const int *ranks, Span used);
/// The least and the greatest number in the syntax, widening what stands there.
void infer_ids(const Ast *e, int *least, int *greatest);
/// The same in the body and the filters of an item.
void infer_item_ids(const Item *item, int *least, int *greatest);
/// Reports an entry of any rank.
void infer_refuse_entry(Infer *in, const Symbol *family);
/// Infers the bodies of all members that were asked for.
void infer_members(Infer *in);
/// The rank that a condition `rank(s) == size` gives a size parameter of the item, for the shapes in scope; NULL: none does.
Node *infer_rank_of_size(Scope *s, const Item *item, Sym size);
/// How many shape parameters the item has.
int infer_count_shapes(const Item *item);
bool infer_is_shape_kind(Sym kind);
bool infer_is_shape_type(const Ast *type); // of a parameter `v: shape`

// nested.c: functions in blocks
/// Declares the functions in the blocks of a body, which belongs to `outer`, or to no function.
void infer_declare_nested(Infer *in, Unit *unit, const Symbol *outer, const Ast *body);
/// Brings those of a block into scope; those that a function in a block sees.
void infer_enter_nested(Body *b, const Ast *block);
void infer_enter_visible(Scope *s, const Symbol *y);
/// Keeps which names of the function in `e` are variables around it.
void infer_capture(Body *b, const Ast *e);
/// Reports a name that is such a variable; false when it is none.
bool infer_is_captured(const Scope *s, Sym name, Span span);
/// The sizes and types of the function around, which stand before its own.
void infer_inherit(Scope *s, Signature *sig, const Symbol *y);
/// What stands for inherited generic k of `y` where it is called; NULL after an error.
Node *infer_inherited(Scope *s, const Symbol *y, int k, Span span);
/// Notes of its own for the syntax of an item.
Unit *infer_own_notes(Infer *in, const Unit *unit, const Item *item);

// unify.c
Node *infer_resolve(Body *b, Node *t);
/// `t` with what waits tried first when it is unknown.
Node *infer_settle(Body *b, Node *t);
bool infer_unify(Body *b, Node *expected, Node *found, Span span, Why why);
/// Two sizes in these types must agree.
bool infer_unify_sizes(Body *b, Node *left, Node *right, Node *expected, Node *found, Span span,
                       Why why);
void infer_oblige(Body *b, SizeRelation r, Node *left, Node *right, Span span, Why why);
bool infer_require(Body *b, Node *t, GenericKind kind);
MetaKind infer_meta_kind(GenericKind kind);
bool infer_is_unknown(Node *t);

Node *infer_unknown_in(Node *t);
Note *infer_note(const Body *b, const Ast *e);
/// Syntax that stands in no source, with a note of its own.
Ast *infer_new_ast(Body *b, AstKind kind, Span span);
Node *infer_error(Body *b);
Node *infer_unknown(Body *b);

// operator.c
bool infer_find_operator(Sym name, int arity, Prim *op);
Node *infer_operate(Body *b, const Ast *at, Prim op, Node *const *types, const bool *literal,
                    int n);
Node *infer_convert(Body *b, const Ast *at, Node *from, Node *to);
Node *infer_index_type(Body *b, const Ast *at, Node *type);
Node *infer_project(Body *b, const Ast *at, Node *type);
bool infer_is_literal(const Ast *e);
/// Whether all numbers of one type are among those of the other, a larger one of the same sort:
/// integers, floats.
bool infer_is_wider(Scalar from, Scalar to);
/// An expression as it is written, for a hint that says what to write around it; "..." when it is
/// long.
const char *infer_written(Body *b, Span span);
void infer_retry(Body *b, bool final);
bool infer_comparable(Body *b, Node *t);
bool infer_try_access(Body *b, Wait *w, bool final);

// convert.c: conversions that hints write out
/// How to convert a value: the expression as it is written, with conversions put in. NULL: it would
/// be long.
typedef struct {
    const char *text;
    bool parts;    // operands are converted, because the result has lost something
    bool division; // some of an integer division
} Conversion;
/// Of the n `parts` of `whole`, to the type of numbers `to`.
Conversion infer_converted(Body *b, const Ast *whole, const Ast *const *parts, int n, Scalar to);
/// Adds it to an error.
void infer_help_conversion(Body *b, Diag *d, const Conversion *c, Scalar to);
/// The outermost expression of the body that stands at this place; NULL: none does.
const Ast *infer_at(const Body *b, Span span);
/// Whether the type is one of numbers or indices, or of arrays of these: of which, i64 for indices.
bool infer_number_of(Body *b, Node *t, Scalar *s);
/// The type of floats that is most likely meant: that of what is wanted (or NULL), or of the
/// function.
Scalar infer_usual_float(Body *b, Node *wanted);

// call_hints.c
/// Adds to an error what to write where a call of `name` gives another number of arguments than it
/// takes; `item` is its declaration, or NULL.
void infer_help_count(Body *b, Diag *d, const Ast *e, const char *name, int takes, int given,
                      const Item *item);
/// The same where what stands there is a function because its last argument is missing.
void infer_help_partial(Body *b, Diag *d, Span span);
/// The same where the left side of a pipe is not what the last parameter takes.
void infer_help_pipe(Body *b, Diag *d, const Ast *pipe);

// elementwise.c: operators on arrays and tuples
bool infer_is_elementwise(Prim op, Node *l, Node *r);
bool infer_try_elementwise(Body *b, Wait *w, Node *l, Node *r, bool final);
/// Whether == or != stands between vectors of numbers, one of them an index, that are not of one type; looks at their components.
bool infer_is_vectors(Body *b, Prim op, Node *l, Node *r);
bool infer_compare_vectors(Body *b, const Wait *w, Node *l, Node *r);
/// A vector as an index or an argument: an array of a known number of elements, or a tuple. -1 when the number is not known; of a
/// scalar 1.
int infer_vector_length(Node *t);
Node *infer_vector_component(Node *t, int k);
/// Whether a tuple of numbers stands where an array is wanted; makes the types agree.
bool infer_is_vector_for(Body *b, Node *want, Node *found);
bool infer_unify_vector(Body *b, Node *want, Node *found, Span span, Why why);

// expr.c
Node *infer_expr(Body *b, const Ast *e, Node *want);
/// Sees to it that `e` has the type `want`, and gives it, or an error. What does not come back suits every type.
Node *infer_check(Body *b, const Ast *e, Node *want, Why why);
/// The same when the walk over `e` has been done and found this type.
Node *infer_accept(Body *b, const Ast *e, Node *found, Node *want, Why why);
/// What values of a type and of one that was found beside it are both converted to, because nothing
/// is lost; NULL: the type itself, or nothing.
Node *infer_common(Body *b, Node *type, Node *found);
/// The same of a part of a value, but vectors where scalars are wanted are left to who wants the
/// whole: it may be done for each lane.
Node *infer_part_of(Body *b, const Ast *e, Node *want, Why why);
/// As infer_check, but `!` for what does not come back.
Node *infer_agree(Body *b, const Ast *e, Node *want, Why why);
/// As infer_expr, with an unknown in place of `!`.
Node *infer_value(Body *b, const Ast *e, Node *want);
/// Where the value of an expression comes from: errors point there, not at a whole block.
const Ast *infer_value_of(const Ast *e);
const Ast *infer_strip(const Ast *e);
Node *infer_cast_hint(const Ast *e, Node *to);

// bind.c
Node *infer_block(Body *b, const Ast *e, Node *want);
Node *infer_lambda(Body *b, const Ast *e, Node *want);
void infer_bind(Body *b, const Ast *pattern, Node *type, Local *parent, int component);
/// Whether a pattern is one of parts, which are its kids.
bool infer_has_parts(const Ast *pattern);
/// A value without a name, as the parent of its components.
Local *infer_parent(Body *b, Node *type, Local *parent, int component);

// with.c
Node *infer_with_loop(Body *b, const Ast *e);

// place.c
/// The place an expression that has been inferred stands for: a mutable variable, what a reference refers to, or a
/// part of one of them.
typedef struct {
    bool exists;
    bool writable;
    Space space;
    const Local *root; // the variable it is, or a part of; NULL: it is behind a reference
} Place;
Place infer_place(const Body *b, const Ast *e);
/// In how many lanes an index on the way to a part differs, so that each has a part of its own; else NULL.
Node *infer_lanes_of_place(const Body *b, const Ast *e);
/// The type of what a reference refers to; of anything else itself.
Node *infer_referent(Body *b, Node *type);
Node *infer_assign(Body *b, const Ast *e);
Node *infer_reference(Body *b, const Ast *e, Node *want);
Node *infer_dereference(Body *b, const Ast *e);

// control.c
Node *infer_unit(Body *b);
/// Infers what is done for its effect; whether it comes back.
bool infer_statement(Body *b, const Ast *e);
/// The same: (), `!`, or an error. `needed`: the block it ends should have a value.
Node *infer_effect(Body *b, const Ast *e, bool needed);
/// Whether something that gives () is of no use where `want` (or NULL) is expected.
bool infer_wants_value(Body *b, Node *want);
/// The type that branches agree on, but for those that do not come back: `!` if none does.
typedef struct {
    Node *want; // what all of them should be, or NULL
    WhyKind why;
    Node *type;  // of those so far that come back, or NULL
    Node *lanes; // that go different ways, or NULL
    bool bad;    // one had an error
    bool raised; // a later one made vectors of what was one value, or a wider number
    bool fixed;  // some are not branches, and are not converted
    VEC(const Ast *) branches;
} Join;
Join infer_join_of(Body *b, Node *want, WhyKind why, Node *lanes);
void infer_join(Body *b, Join *j, const Ast *branch);
/// The same of a value of this type that is no expression.
bool infer_join_type(Body *b, Join *j, Node *found, Span span);
/// Says that lanes choose among the branches, some of which have been joined.
void infer_join_in_lanes(Body *b, Join *j, Node *lanes);
Node *infer_joined(Body *b, const Join *j);
/// The condition of a branch or loop: a bool, or one for each lane, whose number is given (else NULL).
Node *infer_condition(Body *b, const Ast *e);
Node *infer_if(Body *b, const Ast *e, Node *want);
Node *infer_while(Body *b, const Ast *e);
Node *infer_loop(Body *b, const Ast *e);
Node *infer_for(Body *b, const Ast *e);
Node *infer_scalar(Body *b, const Ast *e, Node *want);
/// Says that what is walked next stands where so many lanes (or NULL: no others) go different ways;
/// what was around before.
Around infer_enter_lanes(Body *b, Node *lanes);
/// break, continue or return: not in scope yet.
Local *infer_continuation(Body *b, const char *name, Node *type);
bool infer_is_continuation_name(Sym name);
/// Reports one of these names where nothing is to be left.
Node *infer_no_loop(Body *b, const Ast *e);

// match.c
Node *infer_match(Body *b, const Ast *e, Node *want);
void infer_bind_value(Body *b, const Ast *pattern, Node *type);
void infer_bind_option(Body *b, const Ast *pattern, Node *type, Local *parent, int component);
void infer_bind_struct(Body *b, const Ast *pattern, Node *type, Local *parent, int component);

// lanes.c
/// The type with a vector of so many lanes in the place of each scalar, but for members that are written as uniform; NULL: it has other parts.
Node *infer_in_lanes(Infer *in, Node *t, Node *lanes, bool (*is_lane)(void *env, Node *t),
                     void *env);
Node *infer_many(Body *b, Node *t, Node *lanes);
/// The same, but what is not known yet, or cannot be in lanes, stays.
Node *infer_rest_in_lanes(Body *b, Node *t, Node *lanes);
/// Whether a part of an option of the enum is written as uniform.
bool infer_part_stays(const Symbol *y, int option, int part);
/// How many lanes the first vector has that the type is or has as a part; NULL: there is none.
Node *infer_lanes_inside(Body *b, Node *t);
/// The type with vectors where `found` has vectors and it has scalars.
Node *infer_like_lanes(Body *b, Node *t, Node *found);
/// Whether the type has vectors as parts; what extract and insert give for such a first argument, which has been looked at.
bool infer_is_of_parts(Body *b, Node *t);
Node *infer_lane_of_parts(Body *b, const Ast *e, const Symbol *y, const Ast **args, int nargs);
/// Whether a pattern of form LANES, whose arguments are of these types, is done with each vector
/// that is a part of a tuple, struct, enum or array; what it gives.
bool infer_is_for_parts(Body *b, const Symbol *y, Node *const *found);
Node *infer_for_parts(Body *b, const Ast *e, const Symbol *y, const Ast **args, int nargs,
                      Node *const *found);
/// Whether a value of the type may be in the lane of a vector.
bool infer_is_lane(Body *b, Node *t);

// masks.c
bool infer_has_vector(Node *t);
/// Whether the function in SIMD mode has a scalar { } inside, or calls one that has: then it is told which lanes come.
bool infer_keeps_masks(Infer *in, const Symbol *y);
/// The function of this kind that `e` calls with data alone; NULL: it is something else.
const Symbol *infer_masked_callee(Body *b, const Ast *e);
/// Whether there is a scalar { } in `e`, or a call of a function that has one, beside parts that
/// were evaluated before.
bool infer_has_scalar(Body *b, const Ast *e);
/// The same of the statements of a block from number i on.
bool infer_has_scalar_from(Body *b, const Ast *block, int i);
bool infer_is_logical(const Ast *e);
/// The operands of an operation on values, n of them, which are evaluated before it is done; NULL: it is none.
const Ast *const *infer_operands(Body *b, const Ast *e, int *n);
/// Whether `jump` (NULL: any break, continue or return) is mentioned in `e`.
bool infer_mentions_jump(Body *b, const Ast *e, const Local *jump);
/// Whether nothing in `e` differs by lane.
bool infer_is_uniform(Body *b, const Ast *e);
/// What part `e` is of a construct for which masks are kept.
typedef enum {
    PART_UNIFORM, // done once
    PART_LANES,   // done by each lane that comes there
    PART_HOLDS    // taken apart
} PartKind;
PartKind infer_part(Body *b, const Ast *e);

// mode.c
/// Whether a value has a part that is one for all lanes.
bool infer_has_uniform(Node *t);
/// Gives the masks of scalar |m| { } the number of lanes that go different ways there.
void infer_masks(Body *b);
/// Which parts of the body are in SIMD mode, and that they keep its rules.
void infer_modes(Body *b);

// cover.c
void infer_check_cover(Body *b, const Ast *match);

// option.c
/// Whether `e` is written as an option of an enum: Shape.Circle.
bool infer_is_option(Body *b, const Ast *e);
Node *infer_option(Body *b, const Ast *e, Node *want);
Node *infer_apply_option(Body *b, const Ast *e, const Ast *callee, const Ast **args, int nargs,
                         Node *want);
/// The number of an option; -1 after an error.
int infer_option_number(Body *b, const Symbol *y, Sym name, Span span);

// data.c
Node *infer_tuple(Body *b, const Ast *e, Node *want);
Node *infer_array(Body *b, const Ast *e, Node *want);
Node *infer_struct(Body *b, const Ast *e, Node *want);
Node *infer_index(Body *b, const Ast *e, Node *want);
Node *infer_slice(Body *b, const Ast *e);

// call.c
Node *infer_call(Body *b, const Ast *e, Node *want);
/// The call with one more argument, the function that the body of a `for` is.
Node *infer_call_with(Body *b, const Ast *call, const Ast *last);
Call *infer_new_call(Body *b, const Ast *e, const Symbol *y, const Ast *callee, const Ast **args,
                     int nargs);
void infer_wrong_count(Body *b, const Ast *e, const char *name, int takes, int given,
                       const Item *item);
Node *infer_give_up(Body *b, const Ast **args, int n);
Node *infer_pipe(Body *b, const Ast *e, Node *want);
/// Generic arguments of this use of `y`, its sizes at least 0 and its conditions obligations; NULL
/// after an error. `sized[k]` is the size given for generic k in parentheses, or NULL.
Node **infer_instantiate(Body *b, const Symbol *y, const Signature *sig, const AstVec *generics,
                         Span span, Node *const *sized);

// function_name.c: names of functions as values
/// The type of a function's name that stands by itself: map(sqrt, xs), f >> join, map(f32, xs).
Node *infer_function_name(Body *b, const Ast *e, const Symbol *y, const AstVec *generics,
                          Node *want);
/// fn([n](t1, ..., tk)) -> ([n]t1, ..., [n]tk) with as many components as `xs`, the type of the
/// argument, has; 2 when that is not known.
Node *infer_unzip_function(Body *b, Node *xs);
/// Whether it is the pattern of this form.
bool infer_is_form(const Symbol *y, PatternForm form);

// variant.c: names of functions, and of patterns with a variant
const Symbol *infer_generic_name(const Body *b, const Ast *e, AstVec *generics);
/// The pattern that `e` = map.src names a variant of, or NULL.
const Symbol *infer_pattern_variant(const Body *b, const Ast *e);
/// The variant of the pattern y that its name `callee` asks for; one that y does not have is reported.
Variant infer_variant(Body *b, const Ast *callee, const Symbol *y);
/// Notes for `e` the variant of pattern y that `callee` asks for. The number that vec and aosoa take, the first in brackets, are taken from `generics`.
void infer_note_variant(Body *b, const Ast *e, const Ast *callee, const Symbol *y,
                        AstVec *generics);

// sizes.c
bool infer_finish(Body *b);
Facts *infer_facts(Body *b);

// lengths.c
/// A body to infer: of the syntax with these numbers, at `span`. `walk` is the first walk, which begins anew in each round.
typedef struct {
    Unit *unit;
    const Symbol *symbol;
    Span span;
    int first_id, last_id;
    void (*walk)(Body *b, const void *env);
    const void *env;
} Round;
/// Infers a body until no variable rises to a vector; the result is as infer_finish leaves it.
Body *infer_in_rounds(Infer *in, Arena *arena, const Round *r);
/// Whether the variable is a vector of so many lanes from the next round on, because of what stands `at`; then what went wrong with it needs no report.
bool infer_raise(Body *b, const Local *l, Node *lanes, Span at);
/// The same of an argument, which says what a function of the same call gives.
bool infer_raise_value(Body *b, const Ast *value, Node *lanes, Span at);
/// The same of a call, whose place says what a function that it is given gives: from the next round
/// on the function alone decides, and the call may be one for each lane.
bool infer_raise_call(Body *b, const Ast *call, Node *lanes, Span at);
bool infer_is_raised(Body *b, const Ast *call);
/// The type that a variable which is declared with this value, or an argument, has since it was
/// raised; NULL: it was not.
Node *infer_raised(Body *b, const Ast *value);
/// The type that the value of a `let` without a written one has since variables of it were raised; NULL: none was.
Node *infer_raised_value(Body *b, const Ast *let);
/// Says that its variables, which have been bound, may be raised.
void infer_declare(Body *b, const Ast *let);

// body.c
Body *infer_body_new(Infer *in, Arena *arena, Unit *unit, const Symbol *y);
void infer_function_body(Infer *in, Symbol *y);
Node *infer_const_type(Infer *in, Symbol *y);
Test *infer_test(Infer *in, Unit *unit, const Item *item);

// rule.c, strategy.c
void infer_rule(Infer *in, Symbol *y);
/// The name under which scopes have a rule or a strategy: they do not meet functions and types.
Sym infer_strategy_key(Session *cx, Sym name);
/// First the parameters of all strategies, then their bodies.
void infer_declare_strategy(Infer *in, Symbol *y);
void infer_strategy(Infer *in, Symbol *y);
void infer_schedule(Infer *in, Unit *unit, const Item *item);

#endif
