// Literals, names, brackets, and their suffixes: calls, indices, components, fields.
#include "syntax/parse/parse.h"

// literal = INTEGER | FLOAT | BYTE | STRING | "true" | "false"
Ast *parse_literal(Parser *p)
{
    const Token *t = parse_current(p);
    Ast *e = ast_new(p, AST_INT, t->lo);
    switch (t->kind) {
    case T_FLOAT:
        e->kind = AST_FLOAT;
        e->value.number = t->value.number;
        break;
    case T_STRING:
        e->kind = AST_STRING;
        e->value.string = t->value.string;
        break;
    case T_TRUE:
    case T_FALSE:
        e->kind = AST_BOOL;
        e->value.integer = t->kind == T_TRUE;
        break;
    default: e->value.integer = (int64_t)t->value.integer;
    }
    if (e->kind == AST_INT || e->kind == AST_FLOAT) e->suffix = t->name;
    parse_advance(p);
    return ast_done(p, e);
}

static void parse_list(Parser *p, Ast *e)
{
    int open = parse_open_list(p);
    while (parse_in_list(p, open)) {
        ast_add(p, e, parse_expr(p));
        parse_end_element(p, open);
    }
    parse_close_list(p, open);
}

// spread = ".." expr
static Ast *parse_spread(Parser *p)
{
    Ast *e = ast_new(p, AST_SPREAD, parse_current(p)->lo);
    parse_advance(p);
    ast_add(p, e, parse_expr(p));
    return ast_done(p, e);
}

static void parse_spread_list(Parser *p, Ast *e)
{
    int open = parse_open_list(p);
    while (parse_in_list(p, open)) {
        ast_add(p, e, parse_at(p, T_DOT_DOT) ? parse_spread(p) : parse_expr(p));
        parse_end_element(p, open);
    }
    parse_close_list(p, open);
}

// Parses the contents of brackets, in which `name {` is a struct literal again.
void parse_inside(Parser *p, Ast *e, void (*inside)(Parser *p, Ast *e))
{
    bool outer = p->no_struct;
    p->no_struct = false;
    inside(p, e);
    p->no_struct = outer;
}

// arguments = "(" [expr {"," expr} [","]] ")"
void parse_arguments(Parser *p, Ast *e)
{
    parse_inside(p, e, parse_list);
}

// elements = "[" [element {"," element} [","]] "]", element = expr | spread
void parse_elements(Parser *p, Ast *e)
{
    parse_inside(p, e, parse_spread_list);
}

// Parses the contents of parentheses, which are a tuple if they are empty or contain a comma.
void parse_parentheses(Parser *p, Ast *e, Ast *(*element)(Parser *p))
{
    int open = parse_open_list(p);
    int end = p->ts.tokens.at[open].match;
    e->kind = parse_in_list(p, open) ? AST_PAREN : AST_TUPLE;
    while (parse_in_list(p, open)) {
        ast_add(p, e, element(p));
        if (p->pos < end && parse_at(p, T_COMMA)) e->kind = AST_TUPLE;
        parse_end_element(p, open);
    }
    if (e->kids.len > 1) e->kind = AST_TUPLE;
    parse_close_list(p, open);
}

static void parse_tuple(Parser *p, Ast *e)
{
    parse_parentheses(p, e, parse_expr);
}

// Parses the `:` after the name of a field.
static void expect_field_value(Parser *p, Sym name)
{
    if (parse_accept(p, T_COLON)) return;
    Diag *d =
        parse_fail_plainly(p, E0110, parse_token_span(p),
                           "expected `:` after the name of the field, found %s", parse_describe(p));
    bool alone = parse_at(p, T_COMMA) || parse_at(p, T_RBRACE);
    if (name && (alone || parse_at(p, T_ASSIGN)))
        parse_help(p, d,
                   arena_printf(p->cx->arena, "write each field with its value: %s: %s", name->text,
                                alone ? name->text : "..."));
}

// init = name ":" expr. If a keyword in place of the name has been reported, a missing colon is not
// reported as well.
static Ast *parse_init(Parser *p)
{
    Ast *e = ast_new(p, AST_INIT, parse_current(p)->lo);
    bool named = parse_at(p, T_NAME);
    if (parse_at(p, T_DOT_DOT))
        parse_help(p, parse_fail(p, E0110, parse_token_span(p), "expected a field, found `..`"),
                   "write all fields: P { x: 1.0, y: p.y }");
    e->name = parse_expect_name(p, "the name of a field", &e->name_span);
    if (!named && !parse_at(p, T_COLON)) p->panic = true;
    if (!p->panic) expect_field_value(p, e->name);
    ast_add(p, e, p->panic ? ast_error(p) : parse_expr(p));
    return ast_done(p, e);
}

static void parse_inits(Parser *p, Ast *e)
{
    int open = parse_open_list(p);
    while (parse_in_list(p, open)) {
        ast_add(p, e, parse_init(p));
        parse_end_element(p, open);
    }
    parse_close_list(p, open);
}

// name = NAME [generics]: the brackets after a name are generic arguments if a call or a struct
// literal follows them; otherwise they are an index, which infer/ takes for generic arguments if
// the name is a function.
static void parse_instance(Parser *p, Ast *e)
{
    if (!parse_at(p, T_LBRACKET)) return;
    TokenKind next = p->ts.tokens.at[parse_current(p)->match + 1].kind;
    if (next == T_LPAREN || (next == T_LBRACE && !p->no_struct)) parse_generic_args(p, e);
}

// Whether the brace begins a struct literal. In the head of a construct it begins the block, unless
// a field follows it: then it is reported, and parsed as a struct literal.
static bool at_inits(Parser *p, const Ast *name)
{
    if (!parse_at(p, T_LBRACE) || p->panic) return false;
    if (!p->no_struct) return true;
    if (parse_peek(p, 1) != T_NAME || parse_peek(p, 2) != T_COLON) return false;
    Diag *d = parse_fail(p, E0110, name->span, "a struct literal before a block needs parentheses");
    parse_help(p, d, arena_printf(p->cx->arena, "write `(%s { ... })`", name->name->text));
    p->panic = false;
    return true;
}

// Reports a name that begins a construct in other languages.
static Ast *no_construct(Parser *p, const char *help)
{
    parse_help(p,
               parse_fail_plainly(p, E0110, parse_token_span(p),
                                  "%s does not begin a statement or expression", parse_describe(p)),
               help);
    return ast_error(p);
}

// struct = name [generics] "{" [init {"," init} [","]] "}"
static Ast *parse_name(Parser *p)
{
    const char *help = foreign_construct(p);
    if (help) return no_construct(p, help);
    Ast *e = ast_new(p, AST_NAME, parse_current(p)->lo);
    e->name = parse_expect_name(p, "a name", &e->name_span);
    parse_instance(p, e);
    ast_done(p, e);
    if (at_inits(p, e)) {
        e->kind = AST_STRUCT;
        parse_inside(p, e, parse_inits);
    }
    return ast_done(p, e);
}

// jump = "break" | "continue" | "return". A jump is the name of a value, and is called, stored and
// passed like other values. If neither ( nor the end of an expression follows, reports that it is
// not called.
static Ast *parse_jump(Parser *p)
{
    const char *word = token_info[parse_current(p)->kind].text;
    Ast *e = ast_new(p, AST_NAME, parse_current(p)->lo);
    e->name = parse_current(p)->name;
    e->name_span = parse_token_span(p);
    parse_advance(p);
    ast_done(p, e);
    TokenKind next = parse_current(p)->kind;
    if (next == T_LPAREN || next == T_COMMA || next == T_SEMICOLON || next == T_EOF ||
        is_closing(next))
        return e;
    Diag *d = parse_fail(p, E0120, e->span, "`%s` is not called", word);
    bool label = next == T_NAME && parse_peek(p, 1) == T_SEMICOLON &&
                 p->ts.tokens.at[p->pos - 1].kind != T_RETURN;
    parse_help(
        p, d,
        label ? arena_printf(p->cx->arena,
                             "to use the %s of an outer loop, name it before the inner loop: let "
                             "outer = %s; ... outer()",
                             word, word)
              : arena_printf(p->cx->arena, "write `%s()`, or `%s(x)` with a value", word, word));
    return e;
}

// mode = "const" "(" expr ")"
static Ast *parse_mode(Parser *p)
{
    Ast *e = ast_new(p, AST_MODE, parse_current(p)->lo);
    parse_advance(p);
    if (!parse_at(p, T_LPAREN)) {
        parse_fail(p, E0110, parse_token_span(p), "expected `(` after `const`, found %s",
                   parse_describe(p));
        return ast_error(p);
    }
    int open = parse_open_list(p);
    ast_add(p, e, parse_expr(p));
    parse_close_list(p, open);
    return ast_done(p, e);
}

// Creates a node for brackets and their contents.
Ast *parse_bracketed(Parser *p, AstKind kind, void (*inside)(Parser *p, Ast *e))
{
    Ast *e = ast_new(p, kind, parse_current(p)->lo);
    parse_inside(p, e, inside);
    return ast_done(p, e);
}

static Ast *no_expression(Parser *p)
{
    TokenKind kind = parse_current(p)->kind;
    Diag *d = parse_fail(p, E0110, parse_token_span(p), "expected an expression, found %s",
                         parse_describe(p));
    if (token_info[kind].function)
        parse_help(p, d, "an operator can be used as a function only before `,` or `)`");
    return ast_error(p);
}

// atom = literal | name | jump | struct | "(" ... ")" | "[" ... "]" | block-like | with-loop | mode
static Ast *parse_atom(Parser *p)
{
    switch (parse_current(p)->kind) {
    case T_INT:
    case T_FLOAT:
    case T_STRING:
    case T_TRUE:
    case T_FALSE: return parse_literal(p);
    case T_NAME: return parse_at_block_like(p) ? parse_block_like(p) : parse_name(p);
    case T_LPAREN: return parse_bracketed(p, AST_PAREN, parse_tuple);
    case T_LBRACKET: return parse_bracketed(p, AST_ARRAY, parse_spread_list);
    case T_CONST: return parse_mode(p);
    case T_BREAK:
    case T_CONTINUE:
    case T_RETURN: return parse_jump(p);
    case T_WITH: return parse_at_with_loop(p) ? parse_with_loop(p) : parse_block_like(p);
    default: return parse_at_block_like(p) ? parse_block_like(p) : no_expression(p);
    }
}

// Parses an index, or a type as a generic argument: `as_type[[4]f32]`, where as_type is a function.
static Ast *parse_index_element(Parser *p)
{
    return starts_pure_type(p) ? parse_type(p) : parse_expr(p);
}

// index = "[" expr {"," expr} "]", slice = "[" [expr] ".." [expr] "]"
void parse_index(Parser *p, Ast *e)
{
    int open = parse_open_list(p);
    if (!parse_in_list(p, open))
        parse_fail(p, E0110, parse_token_span(p), "expected an index, found %s", parse_describe(p));
    if (!parse_at(p, T_DOT_DOT) && parse_in_list(p, open)) ast_add(p, e, parse_index_element(p));
    if (!p->panic && parse_in_list(p, open) && parse_at(p, T_DOT_DOT)) {
        e->kind = AST_SLICE;
        parse_advance(p);
        if (e->kids.len == 1) ast_add(p, e, NULL);
        ast_add(p, e, parse_in_list(p, open) ? parse_expr(p) : NULL);
    } else {
        parse_end_element(p, open);
        while (parse_in_list(p, open)) {
            ast_add(p, e, parse_index_element(p));
            parse_end_element(p, open);
        }
    }
    parse_close_list(p, open);
}

// component = "." INTEGER, field = "." NAME [generics]
static void parse_member(Parser *p, Ast *e)
{
    parse_advance(p);
    const Token *t = parse_current(p);
    if (parse_at(p, T_INT) && !t->name && t->value.integer <= INT32_MAX) {
        e->kind = AST_PROJ;
        e->value.integer = (int64_t)t->value.integer;
        parse_advance(p);
        return;
    }
    e->kind = AST_FIELD;
    e->name = parse_expect_name(p, "a field or the number of a component", &e->name_span);
    if (!p->panic) parse_instance(p, e);
}

// postfix = atom {arguments | index | slice | component | field}, of which `left` has been read
Ast *parse_postfix(Parser *p, Ast *left)
{
    while (!p->panic) {
        bool call = parse_at(p, T_LPAREN), index = parse_at(p, T_LBRACKET);
        if (!call && !index && !parse_at(p, T_DOT)) return left;
        Ast *e = ast_new(p, call ? AST_CALL : AST_INDEX, left->span.lo);
        ast_add(p, e, left);
        if (p->panic) return left;
        if (call)
            parse_arguments(p, e);
        else if (index)
            parse_inside(p, e, parse_index);
        else
            parse_member(p, e);
        left = ast_done(p, e);
    }
    return left;
}

Ast *parse_primary(Parser *p)
{
    return parse_postfix(p, parse_atom(p));
}
