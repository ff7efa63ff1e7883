// Items: everything that stands at the top level of a file.
#include "syntax/internal.h"

#include <string.h>

// The /// lines directly above the token at hand, without the slashes and one blank, joined; NULL
// when there are none.
static const char *take_docs(Parser *p)
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

static void item_name(Parser *p, Item *item, const char *what)
{
    item->name = parse_expect_name(p, what, &item->name_span);
}

// kind = "nat" | "data" | "num" | "int" | "float"
static Sym parse_kind(Parser *p, Span *span)
{
    static const char *const kinds[] = {"nat", "data", "num", "int", "float"};
    Sym kind = parse_expect_name(p, "a kind", span);
    if (!kind) return NULL;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kind->text, kinds[i]) == 0) return kind;
    if (!p->panic) {
        Diag *d = diag_error(p->cx, E0118, *span, "`%s` is not a kind", kind->text);
        diag_help(p->cx, d, "the kinds are nat, data, num, int and float");
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
static void parse_generics(Parser *p, Item *item)
{
    if (p->panic || !parse_at(p, T_LBRACKET)) return;
    int open = parse_open_list(p);
    while (parse_in_list(p, open)) {
        parse_generic_group(p, item);
        parse_end_element(p, open);
    }
    parse_close_list(p, open);
}

// parameter = name ":" type; field = {doc} name ":" type
static void parse_params(Parser *p, Item *item, TokenKind bracket, const char *what)
{
    if (p->panic || !parse_at(p, bracket)) {
        if (!p->panic) parse_expect(p, bracket, arena_printf(p->cx->arena, "before the %ss", what));
        return;
    }
    const char *a_name = arena_printf(p->cx->arena, "the name of a %s", what);
    int open = parse_open_list(p);
    while (parse_in_list(p, open)) {
        AstParam param = {.doc = bracket == T_LBRACE ? take_docs(p) : NULL};
        param.name = parse_expect_name(p, a_name, &param.span);
        if (!p->panic)
            parse_expect(p, T_COLON, arena_printf(p->cx->arena, "and the type of the %s", what));
        param.type = p->panic ? ast_error(p) : parse_type(p);
        if (param.name) vec_push(p->cx->arena, &item->params, param);
        parse_end_element(p, open);
    }
    parse_close_list(p, open);
}

// import = "import" name {"." name} ["(" name {"," name} [","] ")"]
static void parse_import(Parser *p, Item *item)
{
    Text path = text_new(p->cx->arena);
    uint32_t lo = parse_current(p)->lo;
    do {
        Sym part = parse_expect_name(p, "the name of a module", &item->name_span);
        if (!part) return;
        if (path.len) text_char(&path, '.');
        text_put(&path, part->text);
    } while (parse_accept(p, T_DOT));
    item->name = session_sym(p->cx, text_get(&path));
    item->name_span = parse_span_since(p, lo);
    if (parse_at(p, T_AS)) parse_not_yet(p);
    if (p->panic || !parse_at(p, T_LPAREN)) return;
    int open = parse_open_list(p);
    while (parse_in_list(p, open)) {
        Ast *e = ast_new(p, AST_NAME, parse_current(p)->lo);
        e->name = parse_expect_name(p, "a name to import", &e->name_span);
        if (e->name) vec_push(p->cx->arena, &item->imported, ast_done(p, e));
        parse_end_element(p, open);
    }
    parse_close_list(p, open);
}

// const = "const" name [":" type] "=" expr
static void parse_const(Parser *p, Item *item)
{
    item_name(p, item, "the name of a constant");
    if (!p->panic && parse_accept(p, T_COLON)) item->type = parse_type(p);
    if (!p->panic) parse_expect(p, T_ASSIGN, "and the value of the constant");
    item->body = p->panic ? ast_error(p) : parse_expr(p);
}

// type = "type" name [generic parameters] "=" type
static void parse_alias(Parser *p, Item *item)
{
    item_name(p, item, "the name of a type");
    parse_generics(p, item);
    if (!p->panic) parse_expect(p, T_ASSIGN, "and the type that the name stands for");
    item->type = p->panic ? ast_error(p) : parse_type(p);
}

// struct = "struct" name [generic parameters] "{" [field {"," field} [","]] "}"
static void parse_struct(Parser *p, Item *item)
{
    item_name(p, item, "the name of a struct");
    parse_generics(p, item);
    parse_params(p, item, T_LBRACE, "field");
}

// where = "where" expr {"," expr}
static void parse_where(Parser *p, Item *item)
{
    if (p->panic || !parse_accept(p, T_WHERE)) return;
    do {
        vec_push(p->cx->arena, &item->where, parse_condition(p));
    } while (!p->panic && parse_accept(p, T_COMMA));
}

// signature = name [generic parameters] "(" [parameter {"," parameter} [","]] ")" "->" type [where]
static void parse_signature(Parser *p, Item *item, const char *what)
{
    item_name(p, item, what);
    parse_generics(p, item);
    parse_params(p, item, T_LPAREN, "parameter");
    if (!p->panic) parse_expect(p, T_ARROW, "and the type of the result");
    item->type = p->panic ? ast_error(p) : parse_type(p);
    parse_where(p, item);
}

// The body of a function is read even when its head is wrong: the two rarely have the same fault.
static void find_body(Parser *p)
{
    if (!p->panic || parse_current(p)->level > 0) return;
    while (!parse_at(p, T_EOF) && !parse_at(p, T_LBRACE) &&
           !token_starts_item(&p->ts.tokens, p->pos))
        parse_skip_one(p);
    if (parse_at(p, T_LBRACE)) p->panic = false;
}

// fn = ["entry"] "fn" signature block
static void parse_fn(Parser *p, Item *item)
{
    if (parse_at(p, T_AT)) {
        parse_not_yet(p);
        return;
    }
    parse_signature(p, item, "the name of a function");
    find_body(p);
    item->body = p->panic ? ast_error(p) : parse_block(p);
}

// pattern = "pattern" signature
static void parse_pattern(Parser *p, Item *item)
{
    parse_signature(p, item, "the name of a pattern");
    if (p->panic || !parse_at(p, T_LBRACE)) return;
    Diag *d = parse_fail(p, E0110, parse_token_span(p), "a pattern has no body");
    parse_help(p, d,
               "patterns are built into the compiler; a function with a body begins with `fn`");
}

// test = "test" STRING block
static void parse_test(Parser *p, Item *item)
{
    item->name_span = parse_token_span(p);
    item->string = "";
    if (parse_at(p, T_STRING)) {
        item->string = parse_current(p)->value.string;
        parse_advance(p);
    } else {
        parse_fail(p, E0110, parse_token_span(p),
                   "expected the title of the test as a string, found %s", parse_describe(p));
    }
    find_body(p);
    item->body = p->panic ? ast_error(p) : parse_block(p);
}

static void parse_by_kind(Parser *p, Item *item)
{
    switch (item->kind) {
    case ITEM_IMPORT: parse_import(p, item); break;
    case ITEM_CONST: parse_const(p, item); break;
    case ITEM_TYPE: parse_alias(p, item); break;
    case ITEM_STRUCT: parse_struct(p, item); break;
    case ITEM_FN: parse_fn(p, item); break;
    case ITEM_PATTERN: parse_pattern(p, item); break;
    case ITEM_TEST: parse_test(p, item); break;
    }
}

// The keyword at hand as a kind of item; -1 for one the language does not have yet.
static int item_kind(TokenKind k)
{
    switch (k) {
    case T_IMPORT: return ITEM_IMPORT;
    case T_CONST: return ITEM_CONST;
    case T_TYPE: return ITEM_TYPE;
    case T_STRUCT: return ITEM_STRUCT;
    case T_PATTERN: return ITEM_PATTERN;
    case T_TEST: return ITEM_TEST;
    case T_ENTRY:
    case T_FN: return ITEM_FN;
    default: return -1;
    }
}

// item = {doc} (import | const | type | struct | fn | pattern | test)
// NULL when the construct is not known: it was reported, and the parser panics.
Item *parse_item(Parser *p)
{
    int kind = item_kind(parse_current(p)->kind);
    if (kind < 0) {
        bool foreign = parse_at(p, T_EXTERN);
        parse_not_yet(p);
        if (foreign) parse_accept(p, T_FN);
        return NULL;
    }
    Item *item = ARENA_NEW(p->cx->arena, Item);
    item->kind = (ItemKind)kind;
    item->doc = take_docs(p);
    uint32_t lo = parse_current(p)->lo;
    item->entry = parse_accept(p, T_ENTRY);
    if (item->entry)
        parse_expect(p, T_FN, "after `entry`");
    else
        parse_advance(p);
    if (!p->panic) parse_by_kind(p, item);
    item->span = parse_span_since(p, lo);
    return item;
}
