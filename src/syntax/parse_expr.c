// Operators, by precedence climbing, and the constructs whose extent is open to the right.
#include "syntax/internal.h"

// An operator standing alone: followed by what cannot begin its right operand.
static bool is_lone_operator(Parser *p)
{
    TokenKind next = parse_peek(p, 1);
    return token_info[parse_current(p)->kind].function &&
           (next == T_COMMA || next == T_RPAREN || next == T_PIPE || next == T_COMPOSE);
}

// The spelling of the token at hand, as the name of a node, and on to the next one.
static void take_operator(Parser *p, Ast *e)
{
    e->name = session_sym(p->cx, token_info[parse_current(p)->kind].text);
    e->name_span = parse_token_span(p);
    parse_advance(p);
}

static Ast *parse_operator(Parser *p)
{
    Ast *e = ast_new(p, AST_OPERATOR, parse_current(p)->lo);
    take_operator(p, e);
    return ast_done(p, e);
}

// lambda = "|" [parameter {"," parameter}] "|" expr | "||" expr
// parameter = name [":" type] | "_" | "(" parameters ")"
Ast *parse_lambda(Parser *p)
{
    Ast *e = ast_new(p, AST_LAMBDA, parse_current(p)->lo);
    if (!parse_accept(p, T_OR)) {
        parse_advance(p);
        while (!p->panic && !parse_at(p, T_BIT_OR)) {
            ast_add(p, e, parse_binding(p, true));
            if (!parse_accept(p, T_COMMA)) break;
        }
        if (!p->panic) parse_expect(p, T_BIT_OR, "after the parameters of the lambda");
    }
    ast_add(p, e, p->panic ? ast_error(p) : parse_expr(p));
    return ast_done(p, e);
}

static Ast *parse_unary(Parser *p)
{
    Ast *e = ast_new(p, AST_UNARY, parse_current(p)->lo);
    take_operator(p, e);
    ast_add(p, e, parse_prefix(p));
    return ast_done(p, e);
}

static Ast *prefix_by_token(Parser *p)
{
    if (is_lone_operator(p)) return parse_operator(p);
    switch (parse_current(p)->kind) {
    case T_MINUS:
    case T_NOT: return parse_unary(p);
    case T_OR:
    case T_BIT_OR: return parse_lambda(p);
    default: return parse_primary(p);
    }
}

// prefix = ("-" | "!") prefix | operator | lambda | postfix
Ast *parse_prefix(Parser *p)
{
    if (!parse_enter(p)) return ast_error(p);
    Ast *e = prefix_by_token(p);
    parse_leave(p);
    return e;
}

// cast = prefix {"as" type}
static Ast *parse_cast(Parser *p)
{
    Ast *left = parse_prefix(p);
    while (!p->panic && parse_at(p, T_AS)) {
        Ast *e = ast_new(p, AST_CAST, left->span.lo);
        parse_advance(p);
        ast_add(p, e, left);
        ast_add(p, e, parse_type(p));
        left = ast_done(p, e);
    }
    return left;
}

static Ast *parse_binary(Parser *p, Prec least);

static AstKind infix_kind(Prec prec)
{
    return prec == PREC_PIPE ? AST_PIPE : prec == PREC_COMPOSE ? AST_COMPOSE : AST_BINARY;
}

static Ast *parse_infix(Parser *p, Ast *left, Prec prec)
{
    Ast *e = ast_new(p, infix_kind(prec), left->span.lo);
    if (e->kind == AST_BINARY)
        take_operator(p, e);
    else
        parse_advance(p);
    ast_add(p, e, left);
    ast_add(p, e, parse_binary(p, prec + 1));
    return ast_done(p, e);
}

// binary(k) = binary(k + 1) {operator(k) binary(k + 1)}, with k from PREC_PIPE to PREC_PRODUCT
static Ast *parse_binary(Parser *p, Prec least)
{
    Ast *left = parse_cast(p);
    bool compared = false;
    while (!p->panic) {
        Prec prec = token_info[parse_current(p)->kind].prec;
        if (prec == PREC_NONE || prec < least) return left;
        if (prec == PREC_COMPARE && compared) {
            Diag *d = parse_fail(p, E0114, parse_token_span(p), "comparisons cannot be chained");
            parse_help(p, d, "write a < b && b < c, or parentheses around one of them");
            return left;
        }
        compared = prec == PREC_COMPARE;
        left = parse_infix(p, left, prec);
    }
    return left;
}

// expr = binary(PREC_PIPE)
Ast *parse_expr(Parser *p)
{
    return parse_binary(p, PREC_PIPE);
}

// An expression that a block follows, so that `name {` begins the block.
Ast *parse_condition(Parser *p)
{
    bool outer = p->no_struct;
    p->no_struct = true;
    Ast *e = parse_expr(p);
    p->no_struct = outer;
    return e;
}

// Reports that something is missing, after which what follows can be read all the same. Silent when
// there were other errors since there were `errors`: then it may well follow from those.
static void missing(Parser *p, int errors, DiagCode code, Span span, const char *text,
                    const char *hint)
{
    if (p->cx->errors > errors) return;
    Diag *d = parse_fail(p, code, span, "%s", text);
    parse_help(p, d, hint);
    p->panic = parse_current(p)->reported;
}

static Ast *parse_else(Parser *p, uint32_t if_lo, int errors)
{
    if (!parse_accept(p, T_ELSE)) {
        Span span = {p->ts.file, if_lo, if_lo + 2};
        missing(p, errors, E0115, span, "this `if` has no `else`",
                "an `if` is an expression, so both branches need a value");
        return ast_error(p);
    }
    if (!parse_at(p, T_IF)) return parse_block(p);
    if (!parse_enter(p)) return ast_error(p);
    Ast *e = parse_if(p);
    parse_leave(p);
    return e;
}

// if = "if" expr block "else" (if | block)
Ast *parse_if(Parser *p)
{
    uint32_t lo = parse_current(p)->lo;
    int errors = p->cx->errors;
    Ast *e = ast_new(p, AST_IF, lo);
    parse_advance(p);
    ast_add(p, e, parse_condition(p));
    ast_add(p, e, p->panic ? ast_error(p) : parse_block(p));
    ast_add(p, e, p->panic ? ast_error(p) : parse_else(p, lo, errors));
    return ast_done(p, e);
}

// A `let` without its semicolon: the next line begins another statement, or the block ends.
static void end_let(Parser *p, int errors)
{
    if (p->panic || parse_accept(p, T_SEMICOLON)) return;
    uint32_t end = parse_span_since(p, 0).hi;
    bool line_ends = parse_at(p, T_LET) || parse_at(p, T_RBRACE);
    for (uint32_t i = end; i < parse_current(p)->lo; i++)
        line_ends |= p->ts.source->text[i] == '\n';
    if (!line_ends) {
        parse_expect(p, T_SEMICOLON, "after the value of the `let`");
        return;
    }
    Span span = {p->ts.file, end > 0 ? end - 1 : 0, end};
    missing(p, errors, E0112, span, "this `let` does not end in a `;`",
            "put a `;` after its value");
}

// let = "let" binding [":" type] "=" expr ";"
static Ast *parse_let(Parser *p)
{
    int errors = p->cx->errors;
    Ast *e = ast_new(p, AST_LET, parse_current(p)->lo);
    parse_advance(p);
    if (parse_at(p, T_MUT)) {
        parse_not_yet(p);
        p->panic = false;
    }
    ast_add(p, e, parse_binding(p, false));
    ast_add(p, e, !p->panic && parse_accept(p, T_COLON) ? parse_type(p) : NULL);
    if (!p->panic) parse_expect(p, T_ASSIGN, "in the `let`");
    ast_add(p, e, p->panic ? ast_error(p) : parse_expr(p));
    end_let(p, errors);
    return ast_done(p, e);
}

// To the next statement of the block.
static void recover_statement(Parser *p, int open)
{
    if (p->pos > p->ts.tokens.at[open].match) return; // the item was given up
    while (parse_in_list(p, open) && !parse_at(p, T_SEMICOLON) && !parse_at(p, T_LET))
        parse_skip_one(p);
    if (parse_in_list(p, open)) parse_accept(p, T_SEMICOLON);
    p->panic = false;
}

// The value of the block, or an expression that stands where only a value can. NULL for the latter.
static Ast *parse_value(Parser *p, int open)
{
    Ast *e = parse_expr(p);
    if (p->panic || !parse_in_list(p, open)) return e;
    if (parse_at(p, T_SEMICOLON)) {
        Diag *d = parse_fail(p, E0113, e->span, "this value is not used");
        parse_help(p, d,
                   "the value of a block is its last part, without a `;`; `let` names a value");
    } else if (parse_at(p, T_ASSIGN)) {
        Diag *d =
            parse_fail(p, E0109, parse_token_span(p), "assignment is not part of the language yet");
        parse_help(p, d, "`let` with the same name makes a new variable");
    } else if (!parse_fail(p, E0110, parse_token_span(p),
                           "expected `}` after the value of the block, found %s",
                           parse_describe(p))) {
        return e; // the trace of a fault that was reported
    }
    return NULL;
}

// block = "{" {let} expr "}"
Ast *parse_block(Parser *p)
{
    Ast *e = ast_new(p, AST_BLOCK, parse_current(p)->lo), *value = NULL;
    if (!parse_at(p, T_LBRACE)) {
        parse_expect(p, T_LBRACE, "to begin a block");
        return ast_error(p);
    }
    int errors = p->cx->errors;
    bool outer = p->no_struct;
    p->no_struct = false;
    int open = parse_open_list(p);
    while (parse_in_list(p, open)) {
        if (parse_at(p, T_LET))
            ast_add(p, e, parse_let(p));
        else
            value = parse_value(p, open);
        if (p->panic) recover_statement(p, open);
    }
    if (!value)
        missing(p, errors, E0113, parse_token_span(p), "this block ends without a value",
                "its last part must be an expression");
    ast_add(p, e, value ? value : ast_error(p));
    parse_close_list(p, open);
    p->no_struct = outer;
    return ast_done(p, e);
}
