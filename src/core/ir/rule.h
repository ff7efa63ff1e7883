// Rewrite rules and strategies after infer: rules are typed equations in Core, strategies are trees
// with resolved names. src/schedule applies them.
#ifndef ADZE_CORE_RULE_H
#define ADZE_CORE_RULE_H

#include "core/ir/core.h"
#include "syntax/tree/ast.h"

/// left => right. Both sides are terms of one type, with the parameters in scope as in a body
/// (parameter k of n is index n - 1 - k). Matching `left` binds the parameters, and the sizes and
/// types of `generics` after the first `nnumbers`, which the strategy gives. Sides have no lets and
/// no applied lambdas; function patterns are CORE_APP of a parameter.
typedef struct RewriteRule {
    Sym name;
    Span span;
    const char *doc;
    FloatClass fp;
    int nnumbers;
    VEC(Generic) generics;
    VEC(Param) params;
    SizeChecks where;   // must follow from the facts at the rewritten term
    SizeChecks implied; // hold wherever the left side has a type
    Node *left, *right;
} RewriteRule;

/// The kind of a strategy's parameter or argument.
typedef enum { ARG_STRATEGY, ARG_NUMBER, ARG_LIST, ARG_TEXT } ArgKind;

/// PRIMITIVE(enum, name, arguments): the primitives of strategies, see src/core/ir/strategy.def.
typedef enum {
#define PRIMITIVE(id, name, args, doc) id,
#include "core/ir/strategy.def"
#undef PRIMITIVE
    PRIMITIVE_COUNT
} Primitive;
typedef struct {
    const char *name;
    const char *args; // a letter each: s strategy, n number, t text
    const char *doc;
} PrimitiveInfo;
extern const PrimitiveInfo primitive_info[PRIMITIVE_COUNT];

/// Whether `is("text")` can match a term: the text is the name of a pattern or an operator, and
/// after a dot nothing or a variant.
bool strategy_is_term(const char *text);

typedef enum {
    STRATEGY_SEQUENCE,  // runs its kids one after the other
    STRATEGY_ELSE,      // the first or, if it fails, the second
    STRATEGY_IF,        // number, then, else
    STRATEGY_RULE,      // `rule` with the numbers of kids
    STRATEGY_PRIMITIVE, // `primitive` of kids
    STRATEGY_CALL,      // `item` of kids
    STRATEGY_PARAM,     // parameter `number` of the enclosing item
    // numbers and lists
    STRATEGY_NUMBER,
    STRATEGY_OPERATOR, // `name` + - * / % == != < <= > >= && || ! of kids
    STRATEGY_LIST,
    STRATEGY_LENGTH, // of a list
    STRATEGY_ITEM,   // list, number
    STRATEGY_REST,   // list, number: the list without that many items at the front
    STRATEGY_TEXT,
} StrategyForm;

typedef struct Strategy Strategy;
struct Strategy {
    StrategyForm form;
    Span span;
    const RewriteRule *rule;
    const struct StrategyItem *item;
    Primitive primitive;
    int64_t number;
    const char *text; // of STRATEGY_TEXT; the operator
    VEC(const Strategy *) kids;
};

/// The maximum number of parameters of a strategy, or numbers of a rule or a schedule.
enum { STRATEGY_MAX_PARAMS = 16 };

typedef struct {
    Sym name;
    ArgKind kind;
} StrategyParam;

/// strategy name(params) { body }
typedef struct StrategyItem {
    Sym name;
    Span span;
    const char *doc;
    VEC(StrategyParam) params;
    const Strategy *body; // NULL after an error
} StrategyItem;

/// A number that a schedule leaves open; the default is the first choice.
typedef struct {
    Sym name;
    Span span;
    VEC(int64_t) choices;
} OpenNumber;

/// schedule function for target (numbers) { body }; `body` sees the numbers as parameters.
typedef struct Schedule {
    Sym function;
    Span span;
    Sym target; // NULL for any target
    FloatClass allows;
    VEC(OpenNumber) numbers;
    const Strategy *body;
} Schedule;

#endif
