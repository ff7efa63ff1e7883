// The syntax tree: a plain tagged union with a source span in every node. The parser builds it in
// the session's arena, print.c (and thus `adze fmt`) prints it, and infer/ reads it. Syntactic
// sugar is kept: pipes, `take` and operators appear as written. Every expression has a number
// (`id`). The numbers are dense within a module, so that later stages can keep their results in
// arrays beside the tree.
//
// Size expressions and value expressions share one grammar, as in `[n*2]f32`, in `split[m/4](xs)`
// and in the value `n-1`.
#ifndef ADZE_SYNTAX_AST_H
#define ADZE_SYNTAX_AST_H

#include "base/session.h"
#include "ir/walk.h"

typedef struct Ast Ast;
typedef struct Item Item;
typedef VEC(Ast *) AstVec;

typedef enum {
#define AST(kind, text) kind,
#include "syntax/tree/ast.def"
#undef AST
    AST_COUNT
} AstKind;

extern const char *const ast_kind_text[AST_COUNT];

/// An expression, a type, a statement, or a pattern (in a `let`, a lambda or a match arm). ast.def
/// lists the fields of each kind; the others are zero. `kids` are in source order.
struct Ast {
    AstKind kind;
    int id;
    Span span;
    Span name_span; // the span of `name`
    Sym name;
    AstVec kids;
    AstVec generics; // explicit generic arguments: split[32], Pair[f32]
    union {
        int64_t
            // AST_INT (the bits of a value below 2^64), AST_BOOL, AST_PROJ (component); 1 for mut
            integer;
        double number;      // AST_FLOAT
        const char *string; // AST_STRING: contents with escapes resolved; AST_BIND_OPTION: the enum
        const Item *item;   // AST_FN: of kind ITEM_FN, without docs
        const Ast *written; // AST_BLOCK: the tuple assignment that the block stands for
    } value;
    Sym suffix;   // literal suffix such as f64 in 1.5f64, or NULL
    int height;   // 1 for a leaf, otherwise 1 + the greatest height of a kid; limited by ast_add
    bool strided; // `strided` follows this type, as it may if an entry's parameter or result has it
};

/// The kids of AST_GENERATOR. An omitted bound is NULL and means `. <=` or `<= .`; step and width
/// may be NULL as well. The index is AST_BIND, AST_WILDCARD or AST_BIND_ARRAY; the body is an
/// AST_BLOCK.
enum {
    GENERATOR_LOWER,
    GENERATOR_INDEX,
    GENERATOR_UPPER,
    GENERATOR_STEP,
    GENERATOR_WIDTH,
    GENERATOR_BODY,
    GENERATOR_KIDS
};

/// The bits of an AST_GENERATOR's value.integer: whether the lower and the upper relation are `<`.
enum { GENERATOR_ABOVE = 1, GENERATOR_BELOW = 2 };

/// A generic parameter, such as `n: nat`. The kinds are nat, shape, data, num, int, float and
/// scalar.
typedef struct {
    Sym name, kind;
    Span span, kind_span;
} AstGeneric;

/// A value parameter, or a field of a struct. If `type` is the AST_TYPE_NAME `nat`, it is a size
/// parameter.
typedef struct {
    Sym name;
    Span span;
    Ast *type;
    const char *doc;
    Ast *filter; // in fn: NULL, AST_BOOL true for a bare @, AST_PAREN (starting at the @) for @(e)
} AstParam;

typedef VEC(AstParam) AstParamVec;

/// A number that a schedule defines: mc = tune(64, 128, 256), or nc = 32, which is a single choice.
typedef struct {
    Sym name;
    Span span;
    AstVec choices;
} AstNumber;

/// How a rule changes floating-point results, and which changes a schedule allows: none; rounding a
/// product and a sum only once; reassociating sums and products.
typedef enum { FP_EXACT, FP_CONTRACT, FP_REASSOCIATE } FloatClass;

/// An option of an enum, such as Circle(f32).
typedef struct {
    Sym name;
    Span span;
    AstVec types;
    const char *doc;
} AstOption;

typedef enum {
    ITEM_IMPORT,
    ITEM_CONST,
    ITEM_TYPE,
    ITEM_STRUCT,
    ITEM_ENUM,
    ITEM_FN,
    ITEM_EXTERN,
    ITEM_PATTERN,
    ITEM_TEST,
    ITEM_BENCH,
    ITEM_RULE,
    ITEM_STRATEGY,
    ITEM_SCHEDULE
} ItemKind;

/// Whether items of this kind have a title and no name: tests and benches.
static inline bool item_has_title(ItemKind kind)
{
    return kind == ITEM_TEST || kind == ITEM_BENCH;
}

/// A top-level item. Its span includes `#[c_layout]`. The kinds of items use these fields:
/// - import: `name` is the path ("std.linalg"), `imported` the listed names (if none is
///   listed, all names are imported).
/// - const: `type` (may be NULL), `body`.
/// - type: `generics`, `type`.
/// - struct: `generics`; `params` are the fields.
/// - enum: `generics`, `options`.
/// - fn: `generics`, `params`, `where`, `filter`, `body` (AST_BLOCK); `type` is the result type (()
///   if none is written).
/// - extern: a C function, like a fn without filters and body.
/// - pattern: a built-in function, like a fn without a body; only in the prelude. A pattern with a
///   body is a fn with `pattern` set.
/// - test, bench: `string` is the title; `body`.
/// - rule: `numbers`, `generics`, `params`, `where`, `fp`, `body` (AST_RULE).
/// - strategy: `params`, with types AST_TYPE_NAME `nat` or `strategy` or AST_TYPE_LIST `[nat]`;
///   `body` (AST_SEQUENCE).
/// - schedule: `name` is the function, `fp` what the schedule allows; `target`, `tuned`, `body`
///   (AST_SEQUENCE).
struct Item {
    ItemKind kind;
    Span span, name_span;
    Sym name;
    const char *doc; // the /// lines above it, joined with \n; NULL if there are none
    bool entry;      // entry fn
    bool pattern;    // a fn declared as a pattern: rules can match its calls
    VEC(AstGeneric) generics;
    AstParamVec numbers; // rule r(m: nat)...: the numbers in their own parentheses
    AstParamVec params;
    VEC(AstOption) options;
    Ast *filter; // for all parameters, like AstParam.filter
    Ast *simd;   // the n of simd[n] fn; NULL in scalar mode
    Ast *type;
    AstVec where;
    Ast *body;
    const char *string;
    VEC(Ast *) imported; // AST_NAME
    Span c_layout;       // position of #[c_layout] before a struct; NO_SPAN if there is none
    bool passed_on;      // pub import: this module also exports the imported names
    Sym target;          // schedule f for TARGET; NULL if none is named
    Span target_span;
    VEC(AstNumber) tuned;
    FloatClass fp;
};

/// A // comment that is not a doc comment.
typedef struct {
    Span span;
    const char *text;
    bool own_line;     // only blanks precede it on its line
    bool blank_before; // an empty line precedes it
} Comment;

/// A parsed file. `comments` has all // comments except doc comments, in order, for the formatter.
typedef struct {
    uint32_t file;
    Span says[FILE_ATTRIBUTE_COUNT]; // position of each attribute; NO_SPAN if it is not given
    VEC(Item *) items;
    VEC(Comment) comments;
    int ast_count; // all ids are below it
} Module;

/// Returns a hint for an undefined name that is common in other languages, or NULL if there is
/// none.
const char *foreign_name(const char *name);
/// Returns a hint for an undefined field or method that is common in other languages, or NULL if
/// there is none.
const char *foreign_field(const char *name);

/// Parses a whole file and reports all errors, since parsing resumes at items, statements and
/// closing brackets. Never returns NULL; text with an error becomes AST_ERROR. Nesting beyond 500
/// levels is an error (E0108).
Module *parse_module(Session *cx, uint32_t file);

/// Parses one expression that must be the whole file (`adze run FILE 'EXPR'`). Ids start at
/// `first_id`.
Ast *parse_expression(Session *cx, uint32_t file, int first_id, int *next_id);

/// Adds the items of another file to a module, such as those of an input of `adze repl`.
void parse_more_items(Session *cx, uint32_t file, Module *m);

/// What an input of `adze repl` begins with.
typedef enum { INPUT_NOTHING, INPUT_ITEMS, INPUT_LET, INPUT_EXPRESSION } InputKind;
typedef VEC(Sym) Syms;
/// The first part of an input, which ends at the byte `end`:
/// - items: only `end` is set; parse_more_items parses them.
/// - let: `value` is a block with the `let`, whose value is that of the only one of `names` or a
///   tuple of the values of all.
/// - expression: `value`.
typedef struct {
    InputKind kind;
    Ast *value;
    Syms names;
    uint32_t end;
    int next_id;
} Input;

/// Parses the first part of an input. Parts are separated by semicolons or line ends. Reports
/// errors.
Input parse_input(Session *cx, uint32_t file, int first_id);
/// Whether the text of an input has to go on: a bracket is open, or it ends in an operator or a doc
/// comment.
bool input_is_unfinished(Session *cx, uint32_t file);

/// Writes the module in the layout of the formatter: indented by 4 blanks, with lines of at most
/// 100 columns where they can be broken, with all comments, and with one blank line between items
/// (between neighbouring imports, constants, aliases, extern functions, patterns or tests only
/// where the source has one). Formatting the output again changes nothing. The module must have
/// been parsed without errors, and its source must be in the session.
void format_module(Session *cx, Text *out, const Module *m);

/// Writes an expression or a type on one line.
void ast_print(Text *out, const Ast *e);

/// Whether two trees are the same apart from spans and ids.
bool ast_equal(const Ast *a, const Ast *b);
bool module_equal(const Module *a, const Module *b);

/// Calls `visit` for `e` and then for the expressions and patterns below it, in order, but not for
/// types. Returns whether a visit ended the walk.
typedef Walk AstVisitor(const Ast *e, void *env);
bool ast_walk(const Ast *e, AstVisitor *visit, void *env);

/// Whether a block stands for an assignment to a tuple of locations.
static inline bool is_tuple_assignment(const Ast *e)
{
    return e->kind == AST_BLOCK && e->value.written;
}

/// Whether e ends in a block, so that as a statement it needs no `;` and as an arm no comma.
static inline bool ast_is_block_like(const Ast *e)
{
    return (e->kind == AST_BLOCK && !is_tuple_assignment(e)) || e->kind == AST_IF ||
           e->kind == AST_WHILE || e->kind == AST_LOOP || e->kind == AST_FOR ||
           e->kind == AST_WITH || e->kind == AST_MATCH || e->kind == AST_UNCHECKED ||
           e->kind == AST_SCALAR || e->kind == AST_SEQUENCE || e->kind == AST_FN;
}

/// Widens the range [*least, *greatest] to include the ids in the tree.
void ast_ids(const Ast *e, int *least, int *greatest);
/// Widens the range to include the ids in the body and the filters of an item.
void ast_item_ids(const Item *item, int *least, int *greatest);
/// Whether `e` is a number without a suffix, which adapts to the other operand.
bool ast_is_literal(const Ast *e);
/// Returns the expression that is the value of a block, for the spans of errors.
const Ast *ast_value_of(const Ast *e);
/// Returns the expression without enclosing parentheses.
const Ast *ast_strip(const Ast *e);
/// Whether a pattern is made of other patterns, which are its kids.
bool ast_has_parts(const Ast *pattern);
bool span_is_within(Span part, Span whole);
bool ast_is_named(const Ast *e, const char *name);
/// Whether `e` is a binary operation with this operator.
bool ast_is_binary(const Ast *e, const char *operator);
/// Whether `e` is an operation with && or ||.
bool ast_is_logical(const Ast *e);

#endif
