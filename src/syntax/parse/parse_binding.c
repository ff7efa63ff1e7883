// The patterns of `let`, lambdas, loops and arms.
#include "syntax/parse/parse.h"

static void parse_parts(Parser *p, Ast *e, BindPlace place)
{
    int open = parse_open_list(p);
    while (parse_in_list(p, open)) {
        ast_add(p, e, parse_binding(p, place));
        parse_end_element(p, open);
    }
    parse_close_list(p, open);
}

static Ast *parse_tuple_binding(Parser *p, BindPlace place)
{
    Ast *e = ast_new(p, AST_BIND_TUPLE, parse_current(p)->lo);
    parse_parts(p, e, place == BIND_ARM ? BIND_ARM : BIND_PARAMETER);
    return ast_done(p, e);
}

static Ast *parse_array_binding(Parser *p, BindPlace place)
{
    Ast *e = ast_new(p, AST_BIND_ARRAY, parse_current(p)->lo);
    parse_parts(p, e, place == BIND_ARM ? BIND_ARM : BIND_PARAMETER);
    return ast_done(p, e);
}

// field = name ":" binding | ["mut"] name
static Ast *parse_field_binding(Parser *p, BindPlace place)
{
    Ast *e = ast_new(p, AST_BIND_FIELD, parse_current(p)->lo);
    e->value.integer = parse_peek(p, 1) != T_COLON;
    if (e->value.integer) {
        bool named = parse_at(p, T_NAME) || parse_at(p, T_MUT);
        Ast *name = named ? parse_binding(p, BIND_FIELD) : NULL;
        if (!named) parse_expect_name(p, "the name of a field", &e->name_span);
        if (!named || name->kind == AST_ERROR) return ast_error(p);
        e->name = name->name;
        e->name_span = name->name_span;
        ast_add(p, e, name);
        return ast_done(p, e);
    }
    e->name = parse_expect_name(p, "the name of a field", &e->name_span);
    if (!p->panic) parse_expect(p, T_COLON, "after the name of the field");
    ast_add(p, e, p->panic ? ast_error(p) : parse_binding(p, place));
    return ast_done(p, e);
}

// struct = NAME "{" [field {"," field} [","]] [".."] "}"
static Ast *parse_struct_binding(Parser *p, BindPlace place)
{
    Ast *e = ast_new(p, AST_BIND_STRUCT, parse_current(p)->lo);
    e->name = parse_expect_name(p, "the name of a struct", &e->name_span);
    int open = parse_open_list(p);
    while (parse_in_list(p, open)) {
        if (parse_accept(p, T_DOT_DOT)) {
            e->value.integer = 1;
            if (parse_in_list(p, open))
                parse_expect(p, T_RBRACE, "after the `..` for the other fields");
        } else {
            ast_add(p, e, parse_field_binding(p, place == BIND_ARM ? BIND_ARM : BIND_PARAMETER));
        }
        parse_end_element(p, open);
    }
    parse_close_list(p, open);
    return ast_done(p, e);
}

static bool at_number(Parser *p)
{
    return parse_at(p, T_INT) || parse_at(p, T_FLOAT);
}

// "-" INTEGER | "-" FLOAT
static Ast *parse_negative(Parser *p)
{
    Ast *e = ast_new(p, AST_UNARY, parse_current(p)->lo);
    parse_take_operator(p, e);
    if (!at_number(p)) {
        parse_fail(p, E0110, parse_token_span(p), "expected a number after the `-`, found %s",
                   parse_describe(p));
        return ast_error(p);
    }
    ast_add(p, e, parse_literal(p));
    return ast_done(p, e);
}

// value = ["-"] INTEGER | ["-"] FLOAT | "true" | "false"
static Ast *parse_value_binding(Parser *p)
{
    Ast *e = ast_new(p, AST_BIND_VALUE, parse_current(p)->lo);
    ast_add(p, e, parse_at(p, T_MINUS) ? parse_negative(p) : parse_literal(p));
    return ast_done(p, e);
}

// option = name "." name ["(" [binding {"," binding} [","]] ")"]
static Ast *parse_option_binding(Parser *p)
{
    Ast *e = ast_new(p, AST_BIND_OPTION, parse_current(p)->lo);
    e->value.string = parse_current(p)->name->text;
    parse_advance(p);
    parse_advance(p);
    e->name = parse_expect_name(p, "the name of an option", &e->name_span);
    if (!p->panic && parse_at(p, T_LPAREN)) parse_parts(p, e, BIND_ARM);
    return ast_done(p, e);
}

// ["mut"] name [":" type]
static Ast *parse_name_binding(Parser *p, BindPlace place)
{
    Ast *e = ast_new(p, parse_at(p, T_MUT) ? AST_BIND_MUT : AST_BIND, parse_current(p)->lo);
    parse_accept(p, T_MUT);
    const char *what = place == BIND_ARM ? "a pattern" : "the name of a variable";
    e->name = parse_expect_name(p, what, &e->name_span);
    if (!e->name) return ast_error(p);
    if (place == BIND_PARAMETER && parse_accept(p, T_COLON)) ast_add(p, e, parse_type(p));
    return ast_done(p, e);
}

static Ast *binding_by_token(Parser *p, BindPlace place)
{
    if (place == BIND_FIELD) return parse_name_binding(p, place);
    if (parse_at(p, T_LPAREN)) return parse_tuple_binding(p, place);
    if (parse_at(p, T_LBRACKET)) return parse_array_binding(p, place);
    if (parse_at(p, T_NAME) && parse_peek(p, 1) == T_LBRACE) return parse_struct_binding(p, place);
    if (parse_at(p, T_UNDERSCORE)) {
        Ast *e = ast_new(p, AST_WILDCARD, parse_current(p)->lo);
        parse_advance(p);
        return ast_done(p, e);
    }
    if (place != BIND_ARM) return parse_name_binding(p, place);
    if (at_number(p) || parse_at(p, T_MINUS) || parse_at(p, T_TRUE) || parse_at(p, T_FALSE))
        return parse_value_binding(p);
    if (parse_at(p, T_NAME) && parse_peek(p, 1) == T_DOT) return parse_option_binding(p);
    return parse_name_binding(p, place);
}

// binding = ["mut"] name [":" type] | "_" | "(" [binding {"," binding} [","]] ")"
//         | "[" [binding {"," binding} [","]] "]" | struct
// In an arm, also value | option, but no types.
Ast *parse_binding(Parser *p, BindPlace place)
{
    if (!parse_enter(p)) return ast_error(p);
    Ast *e = binding_by_token(p, place);
    parse_leave(p);
    return e;
}
