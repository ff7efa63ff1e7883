// What names mean: the symbols of modules, the locals of functions, and signatures.
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

/// A generic parameter. `parameter` is the index of the value parameter that passes this size
/// (`k: nat` in parentheses), or -1.
typedef struct {
    Sym name, kind_name;
    GenericKind kind;
    Span span;
    int parameter;
    bool extent; // one extent of a shape parameter, so the source has no name for it
    // The constant that it stands for in this instance of a rank-polymorphic function, or NULL.
    Node *number;
} SigGeneric;

/// A shape parameter in a member of a family (an instance of a rank-polymorphic function). It
/// stands for `rank` sizes, starting at generics.at[first]. `parameter` is as in SigGeneric.
typedef struct {
    Sym name;
    Span span;
    int first, rank;
    int parameter;
} SigShape;

/// A parameter in parentheses. A size or shape parameter has no type, and `generic` is the index of
/// its (first) generic. For any other parameter, `generic` is -1.
typedef struct {
    Sym name;
    Node *type;
    int generic;
    bool reported; // an error has already been reported because its value is not a size
    int shape;     // the index of the shape, or -1
} SigParam;

/// A signature. `generics` begins with the `nbracket` generics in brackets, followed by the size
/// parameters in parentheses.
typedef struct {
    VEC(SigGeneric) generics;
    int nbracket;
    int inherited; // the number of generics inherited from enclosing functions; they come first
    VEC(SigShape) shapes;
    VEC(SigParam) params;
    Node *result;
    SizeChecks where;
    Node *simd;    // the number of lanes of a simd[n] fn, or NULL
    bool has_mode; // a parameter is a border mode, so there is one Function per mode (function.c)
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
    SYMBOL_SHAPE,  // shape(a), rank(a), prod(v): `row` is a ShapeQuestion
    SYMBOL_SIZES,  // a declared function that returns a size or a shape (size_functions.c)
    SYMBOL_PRINT,  // print(x, ...), assert(c, ...): `row` is PRINT_PRINT or PRINT_ASSERT
    SYMBOL_RULE,   // rules and strategies have keys of their own (infer_strategy_key)
    SYMBOL_STRATEGY,
    SYMBOL_AMBIGUOUS, // imported from two modules: `other` is the second
} SymbolKind;

/// A vector of sizes: a shape, or an integer vector whose elements are known as sizes.
typedef struct {
    Node **at;
    int n;
} Extents;

typedef enum { STATE_NEW, STATE_BUSY, STATE_DONE } State;

typedef struct Symbol Symbol;

/// The nested functions in scope (functions declared in blocks), innermost block first.
typedef struct Nested {
    Symbol *symbol;
    const struct Nested *next;
} Nested;

struct Symbol {
    SymbolKind kind;
    Sym name; // as written
    Sym full; // unique in the program
    Sym key;  // the key under which scopes store the symbol
    Unit *unit;
    const Item *item;
    const Symbol *other;
    int row; // the row in patterns.def, or the Prim, Scalar or PadMode
    State state;
    Signature *signature;     // of a function, pattern or constant; NULL after an error
    VEC(SigGeneric) generics; // of a struct, enum or alias
    Node *type;               // of a struct, enum or alias, in terms of the generics
    const Sym *fields; // of a struct: its members; of an enum: "#" (the tag), then its options
    bool is_nat;       // a constant of type nat
    Node *size;        // the value of such a constant, or NULL after an error
    struct Body *body; // the solved body, from which Core is built
    // A function with shape parameters is a family, that is, a rank-polymorphic function. It has no
    // signature, but its members (instances) do. Calls create one member for each combination of
    // ranks and of the numbers that types depend on.
    bool is_family;
    VEC(struct Symbol *) members;
    const struct Symbol *family; // the family that a member belongs to, or NULL
    const int *ranks; // the ranks of a member's shape parameters, those in brackets first
    // For each parenthesized parameter of a member, the constants that it stands for if types
    // depend on them, or NULL.
    const Extents *const *numbers;
    Span used;             // where a member was first called
    const Symbol *outer;   // the function that encloses a nested one; NULL in tests and constants
    const Nested *visible; // the nested functions that a nested function can call, including itself
    Map *
        captured; // the names of enclosing variables that a nested function cannot use -> the Local
    const struct Symbol *iterated;  // the function generated for iterate over this one, or NULL
    bool is_needed;                 // a rule or strategy that is inferred, or going to be
    const struct RewriteRule *rule; // NULL until it is inferred, and after an error
    struct StrategyItem *strategy;
};

typedef enum { LOCAL_VALUE, LOCAL_SIZE, LOCAL_TYPE, LOCAL_SHAPE, LOCAL_FUNCTION } LocalKind;

/// A name inside a function. An immutable name bound by a tuple pattern has no variable of its own:
/// it is component `component` of `parent`. A mutable name has a variable, which is a reference to
/// its location.
typedef struct Local Local;
struct Local {
    LocalKind kind;
    GenericKind generic; // the kind of a LOCAL_TYPE
    Sym name;
    Span span;
    Node *type;       // the type of the value, or the size, or the type variable
    Extents *extents; // the sizes of a LOCAL_SHAPE or of a value that is a vector of sizes, or NULL
    Node *size;       // the size that the value is known to equal, or NULL
    bool difference;  // `extents` or `size` may be less than 0
    int comparisons;  // the number of comparisons in `condition`
    const Ast *condition; // the comparison of sizes whose result a bool holds, or NULL
    Symbol *function;     // of a LOCAL_FUNCTION
    Local *parent, *shadowed;
    Local *same; // the continuation that this immutable name stands for, or NULL
    // For a mutable variable of a `let` without a type, its initial value or, in a tuple pattern,
    // the pattern that binds it. NULL for other locals (lane_inference.c).
    const Ast *value;
    int component;
    int level;     // during elaboration, the number of variables bound outside it
    int place;     // its index in Scope.stack
    bool mutable;  // declared with `mut`
    Space space;   // of a mutable array
    bool counts;   // a loop variable, which only the loop may set
    bool used;     // referenced somewhere
    bool reported; // an error has already been reported because this is not a size
    int mode;      // during elaboration, the PadMode of this parameter, or -1
};

/// Names in scope: locals, then the names of the unit, its imports, the prelude, and built-in
/// names.
typedef struct {
    Infer *in;
    Arena *arena;
    Unit *unit;
    Solver *solver;       // NULL while signatures are read
    const Symbol *symbol; // whose signature or body is being read; NULL in tests and expressions
    Map by_name;          // Sym -> innermost Local
    VEC(Local *) stack;
} Scope;

struct Unit {
    Sym name; // NULL for the main module
    const Module *module;
    Map scope, imported; // Sym -> Symbol *
    Map exports;         // Sym -> Symbol *: names that others may import, including re-exports
    VEC(Symbol *) symbols;
    VEC(Unit *) imports; // one for each import item, NULL if not found
    bool broken;         // an import failed, so names may be missing
    bool in_library;     // only what the program uses of it is inferred
    Note *notes;
    int first_id, nnotes;
};

/// A version of a function, specialised to certain border modes, that is in use but not yet
/// elaborated.
typedef struct {
    const Symbol *symbol;
    const int *modes;
    Function *function;
} Demand;

struct Infer {
    Session *cx;
    Arena *arena;
    const Modules *modules;
    const Rules *rules;           // the typing rules for expressions (check/rules.c)
    const Elaborator *elaborator; // turns expressions into Core (elaborate/expressions.c)
    Node *(*const_type)(Infer *in,
                        Symbol *y); // infers the body of a constant without a declared type
    Unit *prelude, *main;
    Map builtin;       // Sym -> Symbol *
    Map structs;       // full name of a struct or an enum -> Symbol *
    Map masks;         // Symbol * -> the result of infer_keeps_masks
    Map externs;       // name -> Symbol *: the C functions that any module declares
    Map by_file;       // file number -> Unit *
    VEC(Unit *) units; // imported units come before their importers
    // The current nesting depth of calls to size functions, and the number of calls made so far on
    // behalf of the outermost one.
    int size_calls, all_size_calls;
    int size_ifs; // the nesting depth of `if` in sizes whose condition is not known at compile time
    bool spaces;  // some type has a reference to an address space
    int suggestions; // the number of names suggested so far, which is bounded
    Map searched;    // file number -> Module *: modules parsed to search for a name
    VEC(Demand) demanded;
    VEC(Symbol *) strategies; // those whose bodies are inferred or going to be
    VEC(Symbol *) members;    // family members and nested functions with unfinished bodies
    Map nested;               // AST_FN -> Symbol *, for the body being inferred
    Map nested_names;         // full name of a nested function -> Symbol *
    Arena *scratch;           // the arena of the most recently inferred bodies
    int bodies;
    Program program;
};

/// How a pattern in patterns.def is typed and elaborated.
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
    FORM_LANES,
    FORM_PREFETCH
} PatternForm;
/// A row of patterns.def.
typedef struct {
    const char *name;
    Kind kind;
    int sizes;
    PatternForm form;
    unsigned variants; // bit v is set if a program may write variant v
} PatternRow;
extern const PatternRow infer_patterns[];
extern const int infer_pattern_count;

/// The values of Symbol.row for shape, rank and prod.
typedef enum { SHAPE_SHAPE, SHAPE_RANK, SHAPE_PROD } ShapeQuestion;
/// The values of Symbol.row for print and assert.
enum { PRINT_PRINT, PRINT_ASSERT };

enum { MOST_RANK = 16 };

#endif
