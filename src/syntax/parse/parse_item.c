// Items: the declarations at the top level of a file.
#include "syntax/parse/parse.h"

#include <string.h>

// Reports an import of all names with `*`, as in import std.stats.*.
static void whole_module(Parser *p, const char *module)
{
    Diag *d = parse_fail_plainly(p, E0110, parse_token_span(p),
                                 "expected the name of a module, found `*`");
    parse_help(
        p, d,
        arena_printf(p->cx->arena, "to import all names of the module write import %s", module));
}

// import = ["pub"] "import" name {"." name} ["(" name {"," name} [","] ")"]
static void parse_import(Parser *p, Item *item)
{
    Text path = text_new(p->cx->arena);
    uint32_t lo = parse_current(p)->lo;
    do {
        if (path.len && parse_at(p, T_STAR)) whole_module(p, text_get(&path));
        Sym part = parse_expect_name(p, "the name of a module", &item->name_span);
        if (!part) return;
        if (path.len) text_char(&path, '.');
        text_put(&path, part->text);
    } while (parse_accept(p, T_DOT));
    item->name = session_sym(p->cx, text_get(&path));
    item->name_span = parse_span_since(p, lo);
    if (parse_at(p, T_AS))
        parse_fail(p, E0109, parse_token_span(p),
                   "another name for a module is not part of the language yet");
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
    parse_item_name(p, item, "the name of a constant");
    if (!p->panic && parse_accept(p, T_COLON)) item->type = parse_type(p);
    if (!p->panic) parse_expect(p, T_ASSIGN, "and the value of the constant");
    item->body = p->panic ? ast_error(p) : parse_expr(p);
}

// type = "type" name [generic parameters] "=" type
static void parse_alias(Parser *p, Item *item)
{
    parse_item_name(p, item, "the name of a type");
    parse_generics(p, item);
    if (!p->panic) parse_expect(p, T_ASSIGN, "and the type that the name stands for");
    item->type = p->panic ? ast_error(p) : parse_type(p);
}

// struct = "struct" name [generic parameters] "{" [field {"," field} [","]] "}"
static void parse_struct(Parser *p, Item *item)
{
    parse_item_name(p, item, "the name of a struct");
    parse_generics(p, item);
    parse_params(p, item, T_LBRACE, "field");
}

// Parses the body of a construct that begins within `level` brackets.
static void parse_body(Parser *p, Item *item, int level)
{
    if (!p->panic && parse_at(p, T_ASSIGN))
        parse_help(p,
                   parse_fail_plainly(p, E0110, parse_token_span(p),
                                      "expected `{` to begin a block, found `=`"),
                   "write the body of a function in braces: fn f(x: f32) -> f32 { x * 2.0 }");
    parse_find_block(p, level, "to begin a block");
    item->body = p->panic ? ast_error(p) : parse_block(p);
}

// fn = ["entry"] ["simd" "[" size "]"] "fn" [filter] signature block
static void parse_fn(Parser *p, Item *item)
{
    int level = parse_current(p)->level;
    item->filter = parse_filter(p);
    if (!p->panic) parse_signature(p, item, "the name of a function");
    parse_body(p, item, level);
}

// Whether a function begins here, in a place where a statement may begin.
bool parse_at_nested(Parser *p)
{
    return parse_at(p, T_FN) && parse_peek(p, 1) != T_LPAREN;
}

// nested = "fn" [filter] signature block
Ast *parse_nested(Parser *p)
{
    if (!parse_enter(p)) return ast_error(p);
    Ast *e = ast_new(p, AST_FN, parse_current(p)->lo);
    Item *item = ARENA_NEW(p->cx->arena, Item);
    item->kind = ITEM_FN;
    parse_advance(p);
    parse_fn(p, item);
    item->span = parse_span_since(p, e->span.lo);
    e->value.item = item;
    parse_leave(p);
    return item->name ? ast_done(p, e) : ast_error(p);
}

// extern = "extern" "fn" signature
static void parse_extern(Parser *p, Item *item)
{
    parse_expect(p, T_FN, "after `extern`");
    if (!p->panic) parse_signature(p, item, "the name of a function");
    if (p->panic || !parse_at(p, T_LBRACE)) return;
    Diag *d = parse_fail(p, E0110, parse_token_span(p), "an extern function has no body");
    parse_help(p, d,
               "`extern fn` declares a C function; declare a function with a body with `fn` alone");
}

// option = {doc} name ["(" [type {"," type} [","]] ")"]
static void parse_option(Parser *p, Item *item)
{
    AstOption option = {.doc = parse_docs(p)};
    option.name = parse_expect_name(p, "the name of an option", &option.span);
    if (!p->panic && parse_at(p, T_LPAREN)) {
        int open = parse_open_list(p);
        while (parse_in_list(p, open)) {
            vec_push(p->cx->arena, &option.types, parse_type(p));
            parse_end_element(p, open);
        }
        parse_close_list(p, open);
    }
    if (option.name) vec_push(p->cx->arena, &item->options, option);
}

// enum = "enum" name [generic parameters] "{" [option {"," option} [","]] "}"
static void parse_enum(Parser *p, Item *item)
{
    parse_item_name(p, item, "the name of an enum");
    parse_generics(p, item);
    if (!p->panic && !parse_at(p, T_LBRACE)) parse_expect(p, T_LBRACE, "before the options");
    if (p->panic) return;
    int open = parse_open_list(p);
    while (parse_in_list(p, open)) {
        parse_option(p, item);
        parse_end_element(p, open);
    }
    parse_close_list(p, open);
}

// pattern = "pattern" signature [block]
static void parse_pattern(Parser *p, Item *item)
{
    parse_signature(p, item, "the name of a pattern");
    if (p->panic || !parse_at(p, T_LBRACE)) return;
    item->kind = ITEM_FN;
    item->pattern = true;
    parse_body(p, item, 0);
}

// test = "test" STRING block
// bench = "bench" STRING block
static void parse_titled(Parser *p, Item *item, const char *what)
{
    item->name_span = parse_token_span(p);
    item->string = "";
    if (parse_at(p, T_STRING)) {
        item->string = parse_current(p)->value.string;
        parse_advance(p);
    } else {
        parse_fail(p, E0110, parse_token_span(p),
                   "expected the title of the %s as a string, found %s", what, parse_describe(p));
    }
    parse_body(p, item, 0);
}

static void parse_by_kind(Parser *p, Item *item)
{
    switch (item->kind) {
    case ITEM_IMPORT: parse_import(p, item); break;
    case ITEM_CONST: parse_const(p, item); break;
    case ITEM_TYPE: parse_alias(p, item); break;
    case ITEM_STRUCT: parse_struct(p, item); break;
    case ITEM_ENUM: parse_enum(p, item); break;
    case ITEM_EXTERN: parse_extern(p, item); break;
    case ITEM_FN: parse_fn(p, item); break;
    case ITEM_PATTERN: parse_pattern(p, item); break;
    case ITEM_TEST: parse_titled(p, item, "test"); break;
    case ITEM_BENCH: parse_titled(p, item, "bench"); break;
    case ITEM_RULE: parse_rule(p, item); break;
    case ITEM_STRATEGY: parse_strategy_item(p, item); break;
    case ITEM_SCHEDULE: parse_schedule(p, item); break;
    }
}

// Returns the kind of item that the word `t` begins. The words contract and reassociate begin a
// rule.
static ItemKind item_of_word(const Token *t)
{
    return token_is_word(t, "simd")       ? ITEM_FN
           : token_is_word(t, "pub")      ? ITEM_IMPORT
           : token_is_word(t, "strategy") ? ITEM_STRATEGY
           : token_is_word(t, "schedule") ? ITEM_SCHEDULE
           : token_is_word(t, "bench")    ? ITEM_BENCH
                                          : ITEM_RULE;
}

static ItemKind item_kind(const Token *t)
{
    switch (t->kind) {
    case T_IMPORT: return ITEM_IMPORT;
    case T_CONST: return ITEM_CONST;
    case T_TYPE: return ITEM_TYPE;
    case T_STRUCT: return ITEM_STRUCT;
    case T_ENUM: return ITEM_ENUM;
    case T_EXTERN: return ITEM_EXTERN;
    case T_PATTERN: return ITEM_PATTERN;
    case T_TEST: return ITEM_TEST;
    case T_NAME: return item_of_word(t);
    default: return ITEM_FN;
    }
}

// Whether an item begins here, at the top level.
bool parse_at_item(Parser *p)
{
    return token_starts_item(&p->ts.tokens, p->pos) || parse_at(p, T_FN) || parse_at(p, T_CONST) ||
           token_is_item_word(parse_current(p));
}

// Parses "[" size "]" after `simd`.
static void parse_simd(Parser *p, Item *item)
{
    if (!parse_at(p, T_LBRACKET)) {
        parse_expect(p, T_LBRACKET, "after `simd`");
        return;
    }
    int open = parse_open_list(p);
    item->simd = parse_expr(p);
    if (!p->panic && !parse_at(p, T_RBRACKET))
        parse_expect(p, T_RBRACKET, "after the number of lanes");
    parse_close_list(p, open);
}

// Parses the words before the name of an item.
static void parse_introduction(Parser *p, Item *item)
{
    item->entry = parse_at(p, T_ENTRY);
    item->fp = token_is_word(parse_current(p), "contract")      ? FP_CONTRACT
               : token_is_word(parse_current(p), "reassociate") ? FP_REASSOCIATE
                                                                : FP_EXACT;
    bool simd = token_is_word(parse_current(p), "simd");
    item->passed_on = token_is_word(parse_current(p), "pub");
    parse_advance(p);
    if (item->passed_on) parse_expect(p, T_IMPORT, "after `pub`");
    if (item->entry) simd = parse_accept_word(p, "simd");
    if (simd) parse_simd(p, item);
    if (item->entry || simd) parse_expect(p, T_FN, simd ? "after `simd[...]`" : "after `entry`");
    if (item->fp == FP_EXACT || parse_accept_word(p, "rule")) return;
    parse_fail(p, E0110, parse_token_span(p), "expected `rule` after `%s`, found %s",
               float_class_text[item->fp], parse_describe(p));
}

// Reports an attribute unless it is #[c_layout] before a struct.
static void check_attribute(Parser *p, const Item *item, Span at, bool known)
{
    bool suits = known && item->kind == ITEM_STRUCT;
    if (suits) return;
    Diag *d = known ? diag_error(p->cx, E0124, at, "#[c_layout] must precede a struct")
                    : diag_error(p->cx, E0124, at, "there is no attribute of items with this name");
    bool data = item->kind == ITEM_ENUM;
    bool test = strncmp(p->ts.source->text + at.lo, "#[test]", strlen("#[test]")) == 0;
    diag_help(p->cx, d,
              test     ? "write a test as an item of its own: test \"sum\" { sum([1, 2]) == 3 }"
              : !known ? "the only attribute of items is #[c_layout], before a struct"
              : data   ? "an enum has no layout in C; use a struct with a number for the option"
                     : "arrays have a layout in C if they are arrays of structs with #[c_layout]");
}

// "#" "[" NAME "]"
static bool parse_item_attribute(Parser *p, Span *at)
{
    uint32_t lo = parse_current(p)->lo;
    parse_advance(p);
    bool named = parse_peek(p, 1) == T_NAME && parse_peek(p, 2) == T_RBRACKET;
    bool known = named && token_is_word(parse_current(p) + 1, "c_layout");
    parse_skip_one(p);
    *at = parse_span_since(p, lo);
    return known;
}

// item = {doc} [attribute] (import | const | type | struct | enum | fn | extern | pattern | test |
// bench | rule | strategy | schedule)
Item *parse_item(Parser *p)
{
    Item *item = ARENA_NEW(p->cx->arena, Item);
    Span at = NO_SPAN;
    item->doc = parse_docs(p);
    uint32_t lo = parse_current(p)->lo;
    bool known = parse_at(p, T_HASH) && parse_item_attribute(p, &at);
    item->kind = item_kind(parse_current(p));
    if (at.file && !parse_at_item(p))
        parse_fail(p, E0110, parse_token_span(p), "expected a struct after the attribute, found %s",
                   parse_describe(p));
    if (at.file && !item->doc) item->doc = parse_docs(p);
    if (at.file && !p->panic) check_attribute(p, item, at, known);
    if (at.file && known && item->kind == ITEM_STRUCT) item->c_layout = at;
    if (!p->panic) parse_introduction(p, item);
    if (!p->panic) parse_by_kind(p, item);
    item->span = parse_span_since(p, lo);
    return item;
}
