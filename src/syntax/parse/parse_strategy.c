// Strategies say which rules are applied, where, and in which order. A single grammar covers names,
// calls, lists and numbers in strategies; infer/ checks the kinds of arguments.
#include "syntax/parse/parse.h"

static Ast *parse_part(Parser *p);

// Whether the operator <+ is next. The lexer reads it as two adjacent tokens, since expressions
// have no such operator.
static bool at_else(Parser *p)
{
    return parse_at(p, T_LT) && parse_peek(p, 1) == T_PLUS &&
           parse_current(p)->hi == p->ts.tokens.at[p->pos + 1].lo;
}

// Creates a node for the current operator, which consists of `tokens` tokens, and adds its left
// operand.
static Ast *begin_infix(Parser *p, AstKind kind, Ast *left, int tokens)
{
    Ast *e = ast_new(p, kind, left->span.lo);
    uint32_t lo = parse_current(p)->lo;
    for (int i = 0; i < tokens; i++) parse_advance(p);
    e->name_span = parse_span_since(p, lo);
    ast_add(p, e, left);
    return e;
}

// number(k) = number(k + 1) {operator(k) number(k + 1)}, with k PREC_SUM or PREC_PRODUCT, of which
// `left` has been read
static Ast *parse_number(Parser *p, Ast *left, Prec least)
{
    while (!p->panic) {
        Prec prec = token_info[parse_current(p)->kind].prec;
        if (prec < least || prec > PREC_PRODUCT) return left;
        Sym sign = session_sym(p->cx, token_info[parse_current(p)->kind].text);
        Ast *e = begin_infix(p, AST_BINARY, left, 1);
        e->name = sign;
        ast_add(p, e, parse_number(p, parse_part(p), prec + 1));
        left = ast_done(p, e);
    }
    return left;
}

// applied = number(PREC_SUM) {"@" number(PREC_SUM)}
static Ast *parse_applied(Parser *p, Ast *left)
{
    left = parse_number(p, left, PREC_SUM);
    while (!p->panic && parse_at(p, T_AT)) {
        Ast *e = begin_infix(p, AST_APPLY_AT, left, 1);
        ast_add(p, e, parse_number(p, parse_part(p), PREC_SUM));
        left = ast_done(p, e);
    }
    return left;
}

// strategy = applied {"<+" applied}, of which `left` has been read
static Ast *parse_strategy_from(Parser *p, Ast *left)
{
    left = parse_applied(p, left);
    while (!p->panic && at_else(p)) {
        Ast *e = begin_infix(p, AST_ELSE, left, 2);
        ast_add(p, e, parse_applied(p, parse_part(p)));
        left = ast_done(p, e);
    }
    return left;
}

Ast *parse_strategy(Parser *p)
{
    return parse_strategy_from(p, parse_part(p));
}

// Reports a sequence in brackets that lacks its own braces.
static void check_grouped(Parser *p, int open)
{
    if (p->panic || !parse_at(p, T_SEMICOLON) || parse_never_closed(p, open)) return;
    Diag *d =
        parse_fail(p, E0110, parse_token_span(p), "a sequence inside an expression needs braces");
    parse_help(p, d, "write { s; t }");
}

static void parse_parts(Parser *p, Ast *e)
{
    int open = parse_open_list(p);
    while (parse_in_list(p, open)) {
        ast_add(p, e, parse_strategy(p));
        check_grouped(p, open);
        parse_end_element(p, open);
    }
    parse_close_list(p, open);
}

static void parse_inner(Parser *p, Ast *e)
{
    int open = parse_open_list(p);
    ast_add(p, e, parse_strategy(p));
    check_grouped(p, open);
    parse_close_list(p, open);
}

static bool at_braced(Parser *p)
{
    return parse_at(p, T_LBRACE) || parse_at(p, T_IF);
}

// step = strategy ";" | sequence [";"] | if [";"]; the last ";" may be missing. A sequence or an if
// ends after its brace, unless <+ or @ follows.
static Ast *parse_step(Parser *p, int open)
{
    int errors = p->cx->errors;
    bool braced = at_braced(p);
    Ast *e = parse_part(p);
    if (!braced || at_else(p) || parse_at(p, T_AT)) e = parse_strategy_from(p, e);
    if (p->panic) return e;
    if (ast_is_block_like(e) || !parse_in_list(p, open))
        parse_accept(p, T_SEMICOLON);
    else
        parse_end_statement(p, errors);
    return e;
}

static void parse_steps(Parser *p, Ast *e)
{
    int open = parse_open_list(p);
    while (parse_in_list(p, open)) {
        int from = p->pos;
        ast_add(p, e, parse_step(p, open));
        if (p->panic) parse_recover_statement(p, open, from);
    }
    parse_close_list(p, open);
}

// sequence = "{" {step} "}"
Ast *parse_sequence(Parser *p)
{
    if (parse_at(p, T_LBRACE)) return parse_bracketed(p, AST_SEQUENCE, parse_steps);
    parse_expect(p, T_LBRACE, "to begin a sequence");
    return ast_error(p);
}

static Ast *parse_choice(Parser *p);

static Ast *parse_otherwise(Parser *p)
{
    if (!parse_at(p, T_IF)) return parse_sequence(p);
    if (!parse_enter(p)) return ast_error(p);
    Ast *e = parse_choice(p);
    parse_leave(p);
    return e;
}

// if = "if" condition sequence ["else" (if | sequence)]
static Ast *parse_choice(Parser *p)
{
    int level = parse_current(p)->level;
    Ast *e = ast_new(p, AST_IF, parse_current(p)->lo);
    parse_advance(p);
    ast_add(p, e, parse_condition(p));
    parse_find_block(p, level, "to begin a sequence");
    ast_add(p, e, p->panic ? ast_error(p) : parse_sequence(p));
    ast_add(p, e, !p->panic && parse_accept(p, T_ELSE) ? parse_otherwise(p) : NULL);
    return ast_done(p, e);
}

// named = NAME {"(" [strategy {"," strategy} [","]] ")" | index | slice}; the brackets of an index
// contain expressions
static Ast *parse_named(Parser *p)
{
    Ast *left = ast_new(p, AST_NAME, parse_current(p)->lo);
    left->name = parse_expect_name(p, "a name", &left->name_span);
    ast_done(p, left);
    while (!p->panic && (parse_at(p, T_LPAREN) || parse_at(p, T_LBRACKET))) {
        bool call = parse_at(p, T_LPAREN);
        Ast *e = ast_new(p, call ? AST_CALL : AST_INDEX, left->span.lo);
        ast_add(p, e, left);
        if (p->panic) return left;
        parse_inside(p, e, call ? parse_parts : parse_index);
        left = ast_done(p, e);
    }
    return left;
}

static Ast *parse_negated(Parser *p)
{
    Ast *e = ast_new(p, AST_UNARY, parse_current(p)->lo);
    parse_take_operator(p, e);
    ast_add(p, e, parse_part(p));
    return ast_done(p, e);
}

static Ast *no_strategy(Parser *p)
{
    Diag *d = parse_fail(p, E0110, parse_token_span(p), "expected a strategy, found %s",
                         parse_describe(p));
    parse_help(p, d,
               "a strategy is a name or a call, s <+ t, s @ t, { s; t }, or an if on numbers");
    return ast_error(p);
}

static Ast *operand_by_token(Parser *p)
{
    switch (parse_current(p)->kind) {
    case T_INT:
    case T_STRING: return parse_literal(p);
    case T_NAME: return parse_named(p);
    case T_MINUS: return parse_negated(p);
    case T_LPAREN: return parse_bracketed(p, AST_PAREN, parse_inner);
    case T_LBRACKET: return parse_bracketed(p, AST_ARRAY, parse_elements);
    case T_LBRACE: return parse_sequence(p);
    case T_IF: return parse_choice(p);
    default: return no_strategy(p);
    }
}

// part = INTEGER | STRING | named | "-" part | "(" strategy ")" | elements | sequence | if
static Ast *parse_part(Parser *p)
{
    if (!parse_enter(p)) return ast_error(p);
    Ast *e = operand_by_token(p);
    parse_leave(p);
    return e;
}
