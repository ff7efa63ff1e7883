// A recursive descent parser. Each file has the productions of one part of the grammar.
#ifndef ADZE_SYNTAX_PARSE_H
#define ADZE_SYNTAX_PARSE_H

#include "syntax/lex/lex.h"

// parse.c: the common part.
/// A parser at the first token of a file. The ids of its nodes start at `first_id`.
Parser parser_new(Session *cx, uint32_t file, int first_id);
Token *parse_current(Parser *p);
bool parse_at(Parser *p, TokenKind kind);
TokenKind parse_peek(Parser *p, int ahead);
void parse_advance(Parser *p);
bool parse_accept(Parser *p, TokenKind kind);
bool parse_accept_word(Parser *p, const char *word);
bool parse_expect(Parser *p, TokenKind kind, const char *where);
Sym parse_expect_name(Parser *p, const char *what, Span *span);
Span parse_token_span(Parser *p);
Span parse_span_since(Parser *p, uint32_t lo);
const char *parse_describe(Parser *p);
Diag *parse_fail(Parser *p, DiagCode code, Span span, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/// Reports an error like parse_fail, without a hint for constructs of other languages.
Diag *parse_fail_plainly(Parser *p, DiagCode code, Span span, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void parse_help(Parser *p, Diag *d, const char *text);
bool parse_on_new_line(Parser *p);
bool parse_enter(Parser *p);
void parse_leave(Parser *p);
int parse_open_list(Parser *p);
bool parse_in_list(const Parser *p, int open);
void parse_end_element(Parser *p, int open);
void parse_close_list(Parser *p, int open);
Ast *ast_new(Parser *p, AstKind kind, uint32_t lo);
void ast_add(Parser *p, Ast *e, Ast *kid);
Ast *ast_done(Parser *p, Ast *e);
Ast *ast_error(Parser *p);
void parse_skip_one(Parser *p);
void parse_skip_to_item(Parser *p);
void parse_find_block(Parser *p, int level, const char *what);
bool parse_never_closed(const Parser *p, int open);
void parse_need_call(Parser *p, const Ast *e, const char *what, const char *hint);

// parse_expr.c
Ast *parse_expr(Parser *p);
Ast *parse_expr_from(Parser *p, Ast *left);
Ast *parse_condition(Parser *p);
Ast *parse_operand(Parser *p);
Ast *parse_prefix(Parser *p);
bool parse_at_infix(Parser *p);
void parse_take_operator(Parser *p, Ast *e);

// parse_primary.c
Ast *parse_primary(Parser *p);
Ast *parse_postfix(Parser *p, Ast *left);
Ast *parse_literal(Parser *p);
void parse_inside(Parser *p, Ast *e, void (*inside)(Parser *p, Ast *e));
Ast *parse_bracketed(Parser *p, AstKind kind, void (*inside)(Parser *p, Ast *e));
void parse_parentheses(Parser *p, Ast *e, Ast *(*element)(Parser *p));
void parse_arguments(Parser *p, Ast *e);
void parse_elements(Parser *p, Ast *e);
void parse_index(Parser *p, Ast *e);

// parse_block.c
Ast *parse_block(Parser *p);
/// Parses a `let` up to its value, without the semicolon.
Ast *parse_let_open(Parser *p);
bool parse_at_block_like(Parser *p);
Ast *parse_block_like(Parser *p);
Ast *parse_bare_value(Parser *p);
Ast *parse_end_block(Parser *p, Ast *e, int level);
void parse_end_statement(Parser *p, int errors);
void parse_recover_statement(Parser *p, int open, int from);

// parse_with.c
bool parse_at_with_loop(Parser *p);
Ast *parse_with_loop(Parser *p);

// parse_match.c
Ast *parse_match(Parser *p);

// parse_binding.c
typedef enum {
    BIND_LET,       // in a `let`, which has the type of the whole pattern
    BIND_PARAMETER, // in a lambda or a loop: names may have types
    BIND_ARM,       // in a match: values and options are allowed as well
    BIND_FIELD,     // a struct field that is bound under its own name
} BindPlace;

Ast *parse_binding(Parser *p, BindPlace place);

// parse_type.c
Ast *parse_type(Parser *p);
/// Accepts the name of an address space before a type, and sets *span. Returns "" if there is none.
Sym parse_space(Parser *p, Span *span);
/// Parses a type; `strided` may follow it.
Ast *parse_strided_type(Parser *p);
/// Parses the result type of a function. If `strided` is true, that word may follow the type or its
/// components.
Ast *parse_result_type(Parser *p, bool strided);
bool starts_pure_type(Parser *p);
void parse_generic_args(Parser *p, Ast *e);

// parse_signature.c
void parse_item_name(Parser *p, Item *item, const char *what);
const char *parse_docs(Parser *p);
void parse_generics(Parser *p, Item *item);
void parse_params(Parser *p, Item *item, TokenKind bracket, const char *what);
Ast *parse_filter(Parser *p);
void parse_where(Parser *p, Item *item);
void parse_signature(Parser *p, Item *item, const char *what);

// parse_item.c
bool parse_at_item(Parser *p);
bool parse_at_nested(Parser *p);
Ast *parse_nested(Parser *p);
Item *parse_item(Parser *p);

// parse_strategy.c
Ast *parse_strategy(Parser *p);
Ast *parse_sequence(Parser *p);

// parse_schedule.c
extern const char *const float_class_text[];
void parse_rule(Parser *p, Item *item);
void parse_strategy_item(Parser *p, Item *item);
void parse_schedule(Parser *p, Item *item);

#endif
