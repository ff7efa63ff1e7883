// The common parts of functions, structs and other items: docs, names, generic parameters,
// parameters, filters, results and conditions.
#include "syntax/parse/parse.h"

#include <string.h>

// Returns the /// lines directly above the current token, joined with newlines. Each line loses its
// slashes and one blank. Returns NULL if there are none.
const char *parse_docs(Parser *p)
{
    int from = p->pos > 0 ? p->ts.tokens.at[p->pos - 1].comments : 0;
    Text out = text_new(p->cx->arena);
    bool any = false;
    for (int i = from; i < parse_current(p)->comments; i++) {
        Remark *r = &p->ts.remarks.at[i];
        if (!r->doc) continue;
        r->taken = true;
        const char *text = r->comment.text + 3;
        if (any) text_char(&out, '\n');
        text_put(&out, *text == ' ' ? text + 1 : text);
        any = true;
    }
    return any ? text_get(&out) : NULL;
}

void parse_item_name(Parser *p, Item *item, const char *what)
{
    item->name = parse_expect_name(p, what, &item->name_span);
}

// kind = "nat" | "shape" | "data" | "num" | "int" | "float" | "scalar"
static Sym parse_kind(Parser *p, Span *span)
{
    static const char *const kinds[] = {"nat", "shape", "data", "num", "int", "float", "scalar"};
    Sym kind = parse_expect_name(p, "a kind", span);
    if (!kind) return NULL;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kind->text, kinds[i]) == 0) return kind;
    if (!p->panic) {
        Diag *d = diag_error(p->cx, E0118, *span, "`%s` is not a kind", kind->text);
        diag_help(p->cx, d, "the kinds are nat, shape, data, num, int, float and scalar");
    }
    return kind;
}

// group = name {[","] name} ":" kind
static void parse_generic_group(Parser *p, Item *item)
{
    int first = item->generics.len;
    do {
        AstGeneric g = {0};
        g.name = parse_expect_name(p, "the name of a generic parameter", &g.span);
        if (g.name) vec_push(p->cx->arena, &item->generics, g);
        parse_accept(p, T_COMMA);
    } while (!p->panic && parse_at(p, T_NAME));
    if (!p->panic) parse_expect(p, T_COLON, "and the kind of the generic parameters");
    if (p->panic) return;
    Span span;
    Sym kind = parse_kind(p, &span);
    for (int i = first; i < item->generics.len; i++) {
        item->generics.at[i].kind = kind;
        item->generics.at[i].kind_span = span;
    }
}

// generic parameters = "[" [group {"," group} [","]] "]"
void parse_generics(Parser *p, Item *item)
{
    if (p->panic || !parse_at(p, T_LBRACKET)) return;
    int open = parse_open_list(p);
    while (parse_in_list(p, open)) {
        parse_generic_group(p, item);
        parse_end_element(p, open);
    }
    parse_close_list(p, open);
}

// filter = "@" ["(" expr ")"]. Returns NULL if there is none.
Ast *parse_filter(Parser *p)
{
    if (p->panic || !parse_at(p, T_AT)) return NULL;
    bool bare = parse_peek(p, 1) != T_LPAREN;
    Ast *e = ast_new(p, bare ? AST_BOOL : AST_PAREN, parse_current(p)->lo);
    parse_advance(p);
    e->value.integer = bare;
    if (bare) return ast_done(p, e);
    int open = parse_open_list(p);
    ast_add(p, e, parse_expr(p));
    parse_close_list(p, open);
    return ast_done(p, e);
}

static void no_mutable(Parser *p, const char *what)
{
    Diag *d = parse_fail(p, E0110, parse_token_span(p), "a %s cannot be declared with `mut`", what);
    parse_help(p, d, "parameters are values; `let mut x = x;` copies one into a variable");
}

static Ast *parse_kind_name(Parser *p)
{
    Ast *e = ast_new(p, AST_TYPE_NAME, parse_current(p)->lo);
    e->name = parse_expect_name(p, "a kind", &e->name_span);
    return ast_done(p, e);
}

static Ast *parse_kind_list(Parser *p)
{
    Ast *e = ast_new(p, AST_TYPE_LIST, parse_current(p)->lo);
    int open = parse_open_list(p);
    ast_add(p, e, parse_kind_name(p));
    parse_close_list(p, open);
    return ast_done(p, e);
}

// kind of strategies = "nat" | "strategy" | "[" "nat" "]"
static Ast *parse_strategy_kind(Parser *p)
{
    Ast *e = parse_at(p, T_LBRACKET) ? parse_kind_list(p) : parse_kind_name(p);
    Sym name = e->kind == AST_TYPE_LIST ? e->kids.at[0]->name : e->name;
    if (p->panic || !name || name == session_sym(p->cx, "nat") ||
        e->name == session_sym(p->cx, "strategy"))
        return e;
    Diag *d = diag_error(p->cx, E0118, e->span, "strategies have no parameters of this kind");
    diag_help(p->cx, d, "the kinds are nat, strategy and [nat], a list of numbers");
    return e;
}

static Ast *parse_param_type(Parser *p, const Item *item)
{
    if (item->kind == ITEM_STRATEGY) return parse_strategy_kind(p);
    return item->entry ? parse_strided_type(p) : parse_type(p);
}

static void expect_member_type(Parser *p, const char *what)
{
    bool turned = parse_at(p, T_NAME) && p->ts.tokens.at[p->pos - 1].kind == T_NAME; // int x
    if (!turned) {
        parse_expect(p, T_COLON, arena_printf(p->cx->arena, "and the type of the %s", what));
        return;
    }
    Diag *d = parse_fail_plainly(p, E0110, parse_token_span(p),
                                 "expected `:` and the type of the %s, found %s", what,
                                 parse_describe(p));
    parse_help(p, d, "write the name before the type: x: i32");
}

// parameter = [filter] name ":" type; field = {doc} name ":" type
void parse_params(Parser *p, Item *item, TokenKind bracket, const char *what)
{
    if (p->panic || !parse_at(p, bracket)) {
        if (!p->panic) parse_expect(p, bracket, arena_printf(p->cx->arena, "before the %ss", what));
        return;
    }
    const char *a_name = arena_printf(p->cx->arena, "the name of a %s", what);
    int open = parse_open_list(p);
    while (parse_in_list(p, open)) {
        AstParam param = {.doc = bracket == T_LBRACE ? parse_docs(p) : NULL};
        if (item->kind == ITEM_FN) param.filter = parse_filter(p);
        if (parse_at(p, T_MUT)) no_mutable(p, what);
        if (!p->panic) param.name = parse_expect_name(p, a_name, &param.span);
        if (!p->panic) expect_member_type(p, what);
        param.type = p->panic ? ast_error(p) : parse_param_type(p, item);
        if (param.name) vec_push(p->cx->arena, &item->params, param);
        parse_end_element(p, open);
    }
    parse_close_list(p, open);
}

// where = "where" expr {"," expr}
void parse_where(Parser *p, Item *item)
{
    if (p->panic || !parse_accept(p, T_WHERE)) return;
    do {
        vec_push(p->cx->arena, &item->where, parse_condition(p));
    } while (!p->panic && parse_accept(p, T_COMMA));
}

// Whether the function declares a result. If it does not, its result is (), positioned at the
// closing parenthesis.
static bool has_result(Parser *p, const Item *item)
{
    return item->kind == ITEM_PATTERN ||
           !(parse_at(p, T_LBRACE) || parse_at(p, T_WHERE) || parse_at(p, T_SEMICOLON) ||
             parse_at(p, T_EOF) || token_starts_item(&p->ts.tokens, p->pos));
}

// result = ["->" (type | "!")]; `strided` may follow it, or its components
static Ast *parse_result(Parser *p, const Item *item)
{
    if (p->panic) return ast_error(p);
    if (!has_result(p, item))
        return ast_done(p, ast_new(p, AST_TYPE_TUPLE, p->ts.tokens.at[p->pos - 1].lo));
    if (parse_at(p, T_COLON))
        parse_help(p,
                   parse_fail_plainly(p, E0110, parse_token_span(p),
                                      "expected `->` and the type of the result, found `:`"),
                   "write the result type after `->`: fn f(x: i32) -> f32");
    else
        parse_expect(p, T_ARROW, "and the type of the result");
    Ast *e = p->panic ? ast_error(p) : parse_result_type(p, item->entry);
    if (!p->panic && parse_at(p, T_COMMA))
        parse_help(
            p, parse_fail(p, E0110, parse_token_span(p), "a function has one result, found `,`"),
            "return several results as a tuple: -> (f32, i64)");
    return e;
}

// signature = name [generic parameters] "(" [parameter {"," parameter} [","]] ")" result [where]
void parse_signature(Parser *p, Item *item, const char *what)
{
    parse_item_name(p, item, what);
    parse_generics(p, item);
    parse_params(p, item, T_LPAREN, "parameter");
    item->type = parse_result(p, item);
    parse_where(p, item);
}
