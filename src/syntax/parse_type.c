// Types, generic arguments, and the patterns of `let` and lambdas.
#include "syntax/internal.h"

static bool token_starts_type(TokenKind k)
{
    return k == T_NAME || k == T_LBRACKET || k == T_LPAREN || k == T_FN;
}

// "[n]" is the beginning of an array type when a type follows it; an array literal is never
// followed by one.
static bool starts_array_type(Parser *p)
{
    return at(p, T_LBRACKET) && token_starts_type(p->ts.tokens.at[current(p)->match + 1].kind);
}

// Whether what follows can only be a type, and not an expression.
bool starts_pure_type(Parser *p)
{
    return (at(p, T_FN) && peek(p, 1) == T_LPAREN) || starts_array_type(p);
}

static bool ends_argument(TokenKind k)
{
    return k == T_COMMA || k == T_RBRACKET;
}

// Whether parentheses that are a whole generic argument hold a tuple type rather than a size.
static bool starts_tuple_type(Parser *p)
{
    int end = current(p)->match, level = current(p)->level + 1;
    if (!at(p, T_LPAREN) || !ends_argument(p->ts.tokens.at[end + 1].kind)) return false;
    for (int i = p->pos + 1; i < end; i++)
        if (p->ts.tokens.at[i].kind == T_COMMA && p->ts.tokens.at[i].level == level) return true;
    return end == p->pos + 1;
}

// A generic argument is a size or a type. A lone name may be either and becomes AST_NAME, for
// infer/ to decide; Name[...] is a type here, since sizes have no indices.
static Ast *parse_generic_arg(Parser *p)
{
    bool named = at(p, T_NAME) && peek(p, 1) == T_LBRACKET &&
                 ends_argument(p->ts.tokens.at[p->ts.tokens.at[p->pos + 1].match + 1].kind);
    return named || starts_pure_type(p) || starts_tuple_type(p) ? parse_type(p) : parse_expr(p);
}

// generics = "[" [argument {"," argument} [","]] "]", argument = type | expr
void parse_generic_args(Parser *p, Ast *e)
{
    bool outer = p->no_struct;
    p->no_struct = false;
    int open = open_list(p);
    while (in_list(p, open)) {
        Ast *arg = parse_generic_arg(p);
        vec_push(p->cx->arena, &e->generics, arg);
        if (arg->height >= e->height) e->height = arg->height + 1;
        end_element(p, open);
    }
    close_list(p, open);
    p->no_struct = outer;
}

static void parse_types(Parser *p, Ast *e)
{
    int open = open_list(p);
    while (in_list(p, open)) {
        node_add(p, e, parse_type(p));
        end_element(p, open);
    }
    close_list(p, open);
}

// array type = "[" expr {"," expr} "]" type
static Ast *parse_array_type(Parser *p)
{
    Ast *e = node_new(p, AST_TYPE_ARRAY, current(p)->lo);
    parse_arguments(p, e);
    node_done(p, e);
    if (!p->panic && e->kids.len == 0)
        fail(p, E0110, e->span, "an array type needs its size, as in [n]f32");
    node_add(p, e, p->panic ? node_error(p) : parse_type(p));
    return node_done(p, e);
}

// function type = "fn" "(" [type {"," type}] ")" "->" type
static Ast *parse_function_type(Parser *p)
{
    Ast *e = node_new(p, AST_TYPE_FN, current(p)->lo);
    advance(p);
    if (at(p, T_LPAREN))
        parse_types(p, e);
    else
        expect(p, T_LPAREN, "after `fn` in a type");
    if (!p->panic) expect(p, T_ARROW, "before the result of the function type");
    node_add(p, e, p->panic ? node_error(p) : parse_type(p));
    return node_done(p, e);
}

// tuple type = "(" [type {"," type} [","]] ")"
static Ast *parse_tuple_type(Parser *p)
{
    Ast *e = node_new(p, AST_TYPE_TUPLE, current(p)->lo);
    parse_types(p, e);
    return node_done(p, e);
}

// named type = name [generics], index type = "idx" "[" expr "]"
static Ast *parse_named_type(Parser *p)
{
    Ast *e = node_new(p, AST_TYPE_NAME, current(p)->lo);
    e->name = expect_name(p, "a type", &e->name_span);
    if (!at(p, T_LBRACKET)) return node_done(p, e);
    if (e->name != session_sym(p->cx, "idx")) {
        parse_generic_args(p, e);
        return node_done(p, e);
    }
    e->kind = AST_TYPE_IDX;
    e->name = NULL;
    e->name_span = NO_SPAN;
    int open = open_list(p);
    node_add(p, e, parse_expr(p));
    close_list(p, open);
    return node_done(p, e);
}

static Ast *type_by_token(Parser *p)
{
    switch (current(p)->kind) {
    case T_LBRACKET: return parse_array_type(p);
    case T_LPAREN: return parse_tuple_type(p);
    case T_FN: return parse_function_type(p);
    case T_NAME: return parse_named_type(p);
    default: break;
    }
    if (token_info[current(p)->kind].class == LATER || at(p, T_BIT_AND) || at(p, T_NOT))
        return not_yet(p);
    fail(p, E0110, token_span(p), "expected a type, found %s", describe(p));
    return node_error(p);
}

// type = array type | index type | tuple type | function type | named type
Ast *parse_type(Parser *p)
{
    if (!enter(p)) return node_error(p);
    Ast *e = type_by_token(p);
    leave(p);
    return e;
}

static Ast *parse_tuple_binding(Parser *p)
{
    Ast *e = node_new(p, AST_BIND_TUPLE, current(p)->lo);
    int open = open_list(p);
    while (in_list(p, open)) {
        node_add(p, e, parse_binding(p, true));
        end_element(p, open);
    }
    close_list(p, open);
    return node_done(p, e);
}

static Ast *binding_by_token(Parser *p, bool typed)
{
    if (at(p, T_LPAREN)) return parse_tuple_binding(p);
    Ast *e = node_new(p, at(p, T_UNDERSCORE) ? AST_WILDCARD : AST_BIND, current(p)->lo);
    if (accept(p, T_UNDERSCORE)) return node_done(p, e);
    e->name = expect_name(p, "the name of a variable", &e->name_span);
    if (!e->name) return node_error(p);
    if (typed && accept(p, T_COLON)) node_add(p, e, parse_type(p));
    return node_done(p, e);
}

// binding = name [":" type] | "_" | "(" [binding {"," binding} [","]] ")"
// Directly under a `let` the type belongs to the `let`.
Ast *parse_binding(Parser *p, bool typed)
{
    if (!enter(p)) return node_error(p);
    Ast *e = binding_by_token(p, typed);
    leave(p);
    return e;
}
