// Operators, by precedence climbing, and lambdas, which extend as far to the right as possible.
#include "syntax/parse/parse.h"

// Whether an operator stands alone: the next token cannot begin its right operand.
static bool is_lone_operator(Parser *p)
{
    TokenKind next = parse_peek(p, 1);
    return token_info[parse_current(p)->kind].function &&
           (next == T_COMMA || next == T_RPAREN || next == T_PIPE || next == T_COMPOSE);
}

// Consumes the current token, whose spelling becomes the name of the node.
void parse_take_operator(Parser *p, Ast *e)
{
    e->name = session_sym(p->cx, token_info[parse_current(p)->kind].text);
    e->name_span = parse_token_span(p);
    parse_advance(p);
}

static Ast *parse_operator(Parser *p)
{
    Ast *e = ast_new(p, AST_OPERATOR, parse_current(p)->lo);
    parse_take_operator(p, e);
    return ast_done(p, e);
}

// lambda = "|" [parameter {"," parameter}] "|" expr | "||" expr
// parameter = name [":" type] | "_" | "(" parameters ")"
static Ast *parse_lambda(Parser *p)
{
    Ast *e = ast_new(p, AST_LAMBDA, parse_current(p)->lo);
    if (!parse_accept(p, T_OR)) {
        parse_advance(p);
        while (!p->panic && !parse_at(p, T_BIT_OR)) {
            ast_add(p, e, parse_binding(p, BIND_PARAMETER));
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
    parse_take_operator(p, e);
    ast_add(p, e, parse_prefix(p));
    return ast_done(p, e);
}

// Parses a prefix operator that has a node kind of its own.
static Ast *parse_sign(Parser *p, AstKind kind)
{
    Ast *e = ast_new(p, kind, parse_current(p)->lo);
    parse_advance(p);
    if (kind == AST_REF) e->value.integer = parse_accept(p, T_MUT);
    ast_add(p, e, parse_prefix(p));
    return ast_done(p, e);
}

static Ast *parse_run(Parser *p)
{
    Ast *e = parse_sign(p, AST_RUN);
    parse_need_call(
        p, e->kids.at[0], "@@",
        "`@@f(x)` inlines the call; put it in parentheses to use its result: (@@f(x)).0");
    return e;
}

static Ast *prefix_by_token(Parser *p)
{
    if (is_lone_operator(p)) return parse_operator(p);
    switch (parse_current(p)->kind) {
    case T_MINUS:
    case T_NOT: return parse_unary(p);
    case T_BIT_AND: return parse_sign(p, AST_REF);
    case T_STAR: return parse_sign(p, AST_DEREF);
    case T_QUESTION: return parse_sign(p, AST_KNOWN);
    case T_DOLLAR: return parse_sign(p, AST_HIDE);
    case T_AT_AT: return parse_run(p);
    case T_OR:
    case T_BIT_OR: return parse_lambda(p);
    default: return parse_primary(p);
    }
}

// prefix = ("-" | "!" | "&" ["mut"] | "*" | "?" | "$" | "@@") prefix | operator | lambda | postfix
Ast *parse_prefix(Parser *p)
{
    if (!parse_enter(p)) return ast_error(p);
    Ast *e = prefix_by_token(p);
    parse_leave(p);
    return e;
}

// cast = prefix {"as" type}, of which `left` has been read
static Ast *parse_cast(Parser *p, Ast *left)
{
    while (!p->panic && parse_at(p, T_AS)) {
        Ast *e = ast_new(p, AST_CAST, left->span.lo);
        parse_advance(p);
        ast_add(p, e, left);
        ast_add(p, e, parse_type(p));
        left = ast_done(p, e);
    }
    return left;
}

static Ast *parse_binary(Parser *p, Ast *left, Prec least);

static AstKind infix_kind(Prec prec)
{
    return prec == PREC_PIPE ? AST_PIPE : prec == PREC_COMPOSE ? AST_COMPOSE : AST_BINARY;
}

// Reports a lambda after a name without parentheses, as in xs |> map |x| x + 1.
static void check_bare_lambda(Parser *p)
{
    bool lambda = parse_at(p, T_NAME) && parse_peek(p, 1) == T_BIT_OR &&
                  parse_peek(p, 2) == T_NAME &&
                  (parse_peek(p, 3) == T_BIT_OR || parse_peek(p, 3) == T_COMMA);
    if (!lambda) return;
    const Token *t = parse_current(p);
    Span at = {p->ts.file, t[1].lo, t[1].hi};
    Diag *d = parse_fail(p, E0110, at, "`%s` takes a lambda as its argument", t->name->text);
    parse_help(p, d,
               arena_printf(p->cx->arena, "write %s(|%s| ...)", t->name->text, t[2].name->text));
}

static Ast *parse_infix(Parser *p, Ast *left, Prec prec)
{
    Ast *e = ast_new(p, infix_kind(prec), left->span.lo);
    if (e->kind == AST_BINARY)
        parse_take_operator(p, e);
    else
        parse_advance(p);
    if (prec == PREC_PIPE) check_bare_lambda(p);
    ast_add(p, e, left);
    ast_add(p, e, parse_binary(p, parse_cast(p, parse_prefix(p)), prec + 1));
    return ast_done(p, e);
}

// Reports chained comparisons, as in a < b < c, or generic arguments written as in other languages,
// as in f<2>(x).
static void chained(Parser *p)
{
    const char *foreign = parse_at(p, T_LT) ? NULL : foreign_tokens(p, false);
    Diag *d = parse_fail(p, E0114, parse_token_span(p), "comparisons cannot be chained");
    parse_help(p, d, foreign ? foreign : "write a < b && b < c, or parentheses around one of them");
}

// binary(k) = binary(k + 1) {operator(k) binary(k + 1)}, with k from PREC_PIPE to PREC_PRODUCT, of
// which `left` has been read
static Ast *parse_binary(Parser *p, Ast *left, Prec least)
{
    bool compared = false;
    while (!p->panic) {
        Prec prec = token_info[parse_current(p)->kind].prec;
        if (prec == PREC_NONE || prec < least) return left;
        if (prec == PREC_COMPARE && compared) {
            chained(p);
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
    return parse_binary(p, parse_cast(p, parse_prefix(p)), PREC_PIPE);
}

// Parses an operand of a comparison: an expression that ends before `<`, or before a token that
// cannot continue it.
Ast *parse_operand(Parser *p)
{
    return parse_binary(p, parse_cast(p, parse_prefix(p)), PREC_COMPARE + 1);
}

// Parses an expression that begins with the construct `left`.
Ast *parse_expr_from(Parser *p, Ast *left)
{
    return parse_binary(p, parse_cast(p, parse_postfix(p, left)), PREC_PIPE);
}

// Whether the current token continues the expression before it and cannot begin another one.
bool parse_at_infix(Parser *p)
{
    switch (parse_current(p)->kind) {
    case T_DOT:
    case T_AS: return true;
    case T_MINUS:
    case T_STAR:
    case T_BIT_AND:
    case T_BIT_OR:
    case T_OR: return false;
    default: return token_info[parse_current(p)->kind].prec != PREC_NONE && !is_lone_operator(p);
    }
}

// Parses an expression that precedes a block, so that `name {` begins the block.
Ast *parse_condition(Parser *p)
{
    bool outer = p->no_struct;
    p->no_struct = true;
    Ast *e = parse_expr(p);
    p->no_struct = outer;
    return e;
}
