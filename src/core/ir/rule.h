// Rewrite rules and strategies after inference: rules are typed equations in Core, and strategies
// are trees with resolved names. src/schedule applies them.
#ifndef ADZE_CORE_RULE_H
#define ADZE_CORE_RULE_H

#include "core/ir/core.h"
#include "syntax/tree/ast.h"

/// A rule left => right. Both sides have the same type, and the parameters are in scope as in a
/// function body (parameter k of n has index n - 1 - k). The strategy supplies the first `nnumbers`
/// of `generics`; matching `left` binds the remaining sizes and types, and the parameters. The
/// sides contain no lets and no applied lambdas; a function pattern is a CORE_APP of a parameter.
/// The right side may call functions of the program.
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
    bool calls; // whether the right side calls functions
    const Program *program;
} RewriteRule;

/// The kind of a strategy's parameter or argument.
typedef enum { ARG_STRATEGY, ARG_NUMBER, ARG_LIST, ARG_TEXT } ArgKind;

/// The primitive strategies; see core/ir/strategy.def.
typedef enum {
#define PRIMITIVE(id, name, args, doc) id,
#include "core/ir/strategy.def"
#undef PRIMITIVE
    PRIMITIVE_COUNT
} Primitive;
typedef struct {
    const char *name;
    const char *args; // a letter for each argument: s strategy, n number, t text
    const char *doc;
} PrimitiveInfo;
extern const PrimitiveInfo primitive_info[PRIMITIVE_COUNT];

/// Whether `is("text")` can match a term. The text must be the name of a pattern or an operator,
/// optionally followed by a dot and a variant.
bool strategy_is_term(const char *text);

typedef enum {
    STRATEGY_SEQUENCE,  // runs its kids one after another
    STRATEGY_ELSE,      // runs the first kid and, if it fails, the second
    STRATEGY_IF,        // kids: number, then, else
    STRATEGY_RULE,      // `rule`, with the kids as the values of its numbers
    STRATEGY_PRIMITIVE, // `primitive`, applied to the kids
    STRATEGY_CALL,      // `item`, applied to the kids
    STRATEGY_PARAM,     // parameter `number` of the enclosing item
    // numbers and lists
    STRATEGY_NUMBER,
    STRATEGY_OPERATOR, // `text`, one of + - * / % == != < <= > >= && || !, applied to the kids
    STRATEGY_LIST,
    STRATEGY_LENGTH, // kid: a list
    STRATEGY_ITEM,   // kids: list, number
    STRATEGY_REST,   // kids: list, number; drops that many items from the front of the list
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
    const char *text; // the text of STRATEGY_TEXT, or the operator of STRATEGY_OPERATOR
    VEC(const Strategy *) kids;
};

/// The maximum number of parameters of a strategy, and of numbers of a rule or a schedule.
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

/// A number that a schedule leaves open. The first choice is the default.
typedef struct {
    Sym name;
    Span span;
    VEC(int64_t) choices;
} OpenNumber;

/// schedule function for target (numbers) { body }. In `body`, the numbers are parameters.
typedef struct Schedule {
    Sym function;
    Span span;
    Sym target; // NULL for any target
    FloatClass allows;
    bool is_default; // that of an entry without a schedule: rules that it does not allow just fail
    VEC(OpenNumber) numbers;
    const Strategy *body;
} Schedule;

#endif
