// Meanings of names: symbols of modules, locals of functions, and their signatures.
#ifndef ADZE_INFER_NAMES_SYMBOLS_H
#define ADZE_INFER_NAMES_SYMBOLS_H

#include "infer/names/sources.h"

typedef struct Infer Infer;
typedef struct Unit Unit;
typedef struct Note Note;
typedef struct Rules Rules;
typedef struct Elaborator Elaborator;

/// The kinds of generic parameters. A parameter of kind `shape` becomes one parameter of kind nat
/// for each extent (SigShape).
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
    bool extent;  // belongs to a shape: it has no name in the program
    Node *number; // a size that `where rank(s) == size` fixes in a member of a family, else NULL
} SigGeneric;

/// A shape parameter of a member of a family: `rank` sizes from generics.at[first] on. `parameter`
/// as in SigGeneric.
typedef struct {
    Sym name;
    Span span;
    int first, rank;
    int parameter;
} SigShape;

/// A value parameter. A size parameter has no type, and `generic` is the number of its generic (for
/// a shape, with number `shape`, of the first one); otherwise -1.
typedef struct {
    Sym name;
    Node *type;
    int generic;
    bool reported; // an error says that its value is not a size
    int shape;     // or -1
} SigParam;

/// Generics in brackets first (`nbracket` of them), then the size parameters in parentheses.
typedef struct {
    VEC(SigGeneric) generics;
    int nbracket;
    int inherited; // the number of generics inherited from enclosing functions; they come first
    VEC(SigShape) shapes;
    VEC(SigParam) params;
    Node *result;
    SizeChecks where;
    Node *simd;    // lanes of a function that may be called where lanes diverge; else NULL
    bool has_mode; // some parameter is a border mode: there is one Function per mode (function.c)
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
    SYMBOL_SHAPE,  // shape(a), rank(a), prod(v): `row` is one of SHAPE_
    SYMBOL_PRINT,  // print(x, ...), assert(c, ...): `row` is one of PRINT_
    SYMBOL_RULE,   // rules and strategies have keys of their own (infer_strategy_key)
    SYMBOL_STRATEGY,
    SYMBOL_AMBIGUOUS, // imported from two modules: `other` is the second
} SymbolKind;

typedef enum { STATE_NEW, STATE_BUSY, STATE_DONE } State;

typedef struct Symbol Symbol;

/// Functions in scope that are declared in blocks, innermost block first.
typedef struct Nested {
    Symbol *symbol;
    const struct Nested *next;
} Nested;

struct Symbol {
    SymbolKind kind;
    Sym name; // as written
    Sym full; // unique in the program
    Sym key;  // in scopes
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
    // A function with shape parameters is a family. It has no signature, but its members do: one
    // for each choice of ranks that is called.
    bool is_family;
    VEC(struct Symbol *) members;
    const struct Symbol *family; // of a member
    const int *ranks;            // of a member: of each shape parameter, those in brackets first
    Span used;                   // of a member: where it was first called
    const Symbol
        *outer; // of a function in a block: the function around, NULL in tests and constants
    const Nested *visible; // of one in a block: the functions that it can call, including itself
    Map *
        captured; // of one in a block: names of variables around it, which it does not see -> Local
    const struct RewriteRule *rule; // NULL until it is inferred, and after an error
    struct StrategyItem *strategy;
};

/// A vector of sizes: a shape, or an integer vector whose elements are known as sizes.
typedef struct {
    Node **at;
    int n;
} Extents;

typedef enum { LOCAL_VALUE, LOCAL_SIZE, LOCAL_TYPE, LOCAL_SHAPE, LOCAL_FUNCTION } LocalKind;

/// A name inside a function. A component of a tuple pattern has no variable of its own: it is
/// component `component` of `parent`. But a mutable component has a variable for its place.
typedef struct Local Local;
struct Local {
    LocalKind kind;
    GenericKind generic; // LOCAL_TYPE
    Sym name;
    Span span;
    Node *type;       // of the value; the size; the type variable
    Extents *extents; // of a LOCAL_SHAPE; of a value that is a vector of sizes, else NULL
    Node *size;       // of a value that is known as a size, else NULL
    bool difference;  // `extents` or `size` may be less than 0
    Symbol *function; // of a LOCAL_FUNCTION
    Local *parent, *shadowed;
    Local *same; // the continuation that this immutable name stands for; else NULL
    const Ast
        *value; // of a `let` without a type, or its place in such a `let`'s pattern; else NULL
    int component;
    int level;     // elaboration: how many variables are bound outside it
    int place;     // in the stack of its scope
    bool mutable;  // declared with `mut`
    bool counts;   // given by a loop
    bool used;     // a continuation: it is used
    bool reported; // it was reported that this is not a size
    int mode;      // elaboration: the PadMode of this parameter, or -1
};

/// Names in scope: locals, then the names of the unit, its imports, the prelude, and built-in
/// names.
typedef struct {
    Infer *in;
    Arena *arena;
    Unit *unit;
    Solver *solver;       // NULL while signatures are read
    const Symbol *symbol; // whose signature or body this is; NULL in tests and expressions
    Map by_name;          // Sym -> innermost Local
    VEC(Local *) stack;
} Scope;

struct Unit {
    Sym name; // NULL for the main module
    const Module *module;
    Map scope, imported; // Sym -> Symbol *
    Map exports;         // the same: names that others may import, its own and re-exported ones
    VEC(Symbol *) symbols;
    VEC(Unit *) imports; // by import item, NULL if not found
    bool broken;         // an import failed, so names may be missing
    Note *notes;
    int first_id, nnotes;
};

/// A version of a function for border modes that is used but not made yet.
typedef struct {
    const Symbol *symbol;
    const int *modes;
    Function *function;
} Demand;

struct Infer {
    Session *cx;
    Arena *arena;
    const Modules *modules;
    const Rules *rules;           // of expressions (check/rules.c)
    const Elaborator *elaborator; // makes Core of them (elaborate/expressions.c)
    Node *(*const_type)(Infer *in,
                        Symbol *y); // infers the body of a constant without a declared type
    Unit *prelude, *main;
    Map builtin;       // Sym -> Symbol *
    Map structs;       // full name -> Symbol *, enums too
    Map masks;         // Symbol * -> the result of infer_keeps_masks
    Map externs;       // name -> Symbol *: functions of C, in all modules
    Map by_file;       // file number -> Unit *
    VEC(Unit *) units; // imported units come before their importers
    int suggestions;   // names suggested so far; bounded
    Map searched;      // file number -> Module *: modules that were searched for a name
    VEC(Demand) demanded;
    VEC(Symbol *) members; // of families, and functions in blocks, whose bodies are not done yet
    Map nested;            // AST_FN -> Symbol *, of the body that is inferred now
    Map nested_names;      // full name of a function in a block -> Symbol *
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
    unsigned variants; // bit v: a program may write variant v
} PatternRow;
extern const PatternRow infer_patterns[];
extern const int infer_pattern_count;

/// The row of the symbols shape, rank and prod, and of print and assert.
typedef enum { SHAPE_SHAPE, SHAPE_RANK, SHAPE_PROD } ShapeQuestion;
enum { PRINT_PRINT, PRINT_ASSERT };

enum { MOST_RANK = 16 };

#endif
