// The common part of the parser: tokens, errors and recovery, nodes, entry points.
#include "syntax/parse/parse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DEPTH = 500, MAX_HEIGHT = 40000 };

Token *parse_current(Parser *p)
{
    return &p->ts.tokens.at[p->pos];
}

bool parse_at(Parser *p, TokenKind kind)
{
    return parse_current(p)->kind == kind;
}

TokenKind parse_peek(Parser *p, int ahead)
{
    int i = p->pos + ahead;
    return i < p->ts.tokens.len ? p->ts.tokens.at[i].kind : T_EOF;
}

void parse_advance(Parser *p)
{
    if (!parse_at(p, T_EOF)) p->pos++;
}

bool parse_accept(Parser *p, TokenKind kind)
{
    if (!parse_at(p, kind)) return false;
    parse_advance(p);
    return true;
}

bool parse_accept_word(Parser *p, const char *word)
{
    if (!token_is_word(parse_current(p), word)) return false;
    parse_advance(p);
    return true;
}

Span parse_token_span(Parser *p)
{
    return (Span){p->ts.file, parse_current(p)->lo, parse_current(p)->hi};
}

// Returns the span from `lo` to the end of the last token read.
Span parse_span_since(Parser *p, uint32_t lo)
{
    uint32_t hi = p->pos > 0 ? p->ts.tokens.at[p->pos - 1].hi : lo;
    return (Span){p->ts.file, lo, hi > lo ? hi : lo};
}

// Returns a description of the current token for messages.
const char *parse_describe(Parser *p)
{
    const Token *t = parse_current(p);
    const TokenInfo *info = &token_info[t->kind];
    Arena *arena = p->cx->arena;
    switch (info->class) {
    case WORD: return arena_printf(arena, "the keyword `%s`", info->text);
    case ASSIGN:
    case PUNCT: return arena_printf(arena, "`%s`", info->text);
    case VALUE: break;
    }
    if (t->kind == T_EOF) return info->text;
    int len = (int)(t->hi - t->lo);
    const char *dots = len > 40 ? "..." : "";
    return arena_printf(arena, "the %s `%.*s%s`", info->text, len > 40 ? 30 : len,
                        p->ts.source->text + t->lo, dots);
}

static Diag *fail(Parser *p, DiagCode code, Span span, const char *format, va_list args)
{
    bool quiet = p->panic || parse_current(p)->reported;
    p->panic = true;
    if (quiet) return NULL;
    return diag_error(p->cx, code, span, "%s", arena_vprintf(p->cx->arena, format, args));
}

// Reports an error, unless the parser has not recovered from the last one, or an error has been
// reported about the current token. Returns NULL if nothing was reported.
Diag *parse_fail(Parser *p, DiagCode code, Span span, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    Diag *d = fail(p, code, span, format, args);
    va_end(args);
    bool here = d && span.lo == parse_current(p)->lo && (code == E0110 || code == E0111);
    parse_help(p, d, here ? foreign_tokens(p, code == E0111) : NULL);
    return d;
}

Diag *parse_fail_plainly(Parser *p, DiagCode code, Span span, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    Diag *d = fail(p, code, span, format, args);
    va_end(args);
    return d;
}

void parse_help(Parser *p, Diag *d, const char *text)
{
    if (d && text) diag_help(p->cx, d, "%s", text);
}

bool parse_expect(Parser *p, TokenKind kind, const char *where)
{
    if (parse_accept(p, kind)) return true;
    Diag *d = parse_fail(p, E0110, parse_token_span(p), "expected `%s` %s, found %s",
                         token_info[kind].text, where, parse_describe(p));
    if (kind == T_LBRACE && token_info[parse_current(p)->kind].class != ASSIGN &&
        token_info[parse_current(p)->kind].prec == PREC_NONE)
        parse_help(p, d, "put braces around each branch or body: if c { a } else { b }");
    return false;
}

// Reports an error if `e` is not a call.
void parse_need_call(Parser *p, const Ast *e, const char *what, const char *hint)
{
    if (p->panic || e->kind == AST_CALL) return;
    Diag *d = parse_fail(p, E0121, e->span, "`%s` needs a call", what);
    parse_help(p, d, hint);
}

// Whether the current token is the first on its line.
bool parse_on_new_line(Parser *p)
{
    if (p->pos == 0) return true;
    uint32_t lo = p->ts.tokens.at[p->pos - 1].hi, hi = parse_current(p)->lo;
    for (uint32_t i = lo; i < hi; i++)
        if (p->ts.source->text[i] == '\n') return true;
    return false;
}

// Whether an item that begins with a name follows on the next line.
static bool at_next_item(Parser *p)
{
    return parse_at(p, T_NAME) && parse_current(p)->level == 0 &&
           token_starts_item(&p->ts.tokens, p->pos) && parse_on_new_line(p);
}

// Parses a name, or returns NULL. A keyword in its place is reported and taken as the name, unless
// it begins another line, and so probably another construct.
Sym parse_expect_name(Parser *p, const char *what, Span *span)
{
    *span = parse_token_span(p);
    Token *t = parse_current(p);
    if (at_next_item(p)) {
        parse_fail(p, E0110, *span, "expected %s before the next item", what);
        return NULL;
    }
    if (parse_accept(p, T_NAME)) return t->name;
    TokenClass class = token_info[t->kind].class;
    if (class == WORD && t->kind != T_UNDERSCORE && !parse_on_new_line(p)) {
        Diag *d = p->panic ? NULL
                           : diag_error(p->cx, E0116, *span, "`%s` is a keyword and cannot be %s",
                                        token_info[t->kind].text, what);
        if (is_jump(t->kind))
            parse_help(p, d,
                       "it names the exit of a loop or function; use `let` to give that exit "
                       "another name");
        parse_advance(p);
        return t->name;
    }
    parse_fail(p, E0110, *span, "expected %s, found %s", what, parse_describe(p));
    return NULL;
}

// Skips one token, or a bracket with its contents.
void parse_skip_one(Parser *p)
{
    if (is_opening(parse_current(p)->kind)) p->pos = parse_current(p)->match;
    parse_advance(p);
}

// Skips to the next item. All productions in progress end there.
void parse_skip_to_item(Parser *p)
{
    while (!parse_at(p, T_EOF) &&
           (parse_current(p)->level > 0 || !token_starts_item(&p->ts.tokens, p->pos)))
        p->pos++;
}

// Whether the partner of the bracket was inserted. Its position is a guess, so the parser reports
// no errors there.
bool parse_never_closed(const Parser *p, int open)
{
    const Token *closing = &p->ts.tokens.at[p->ts.tokens.at[open].match];
    return closing->lo == closing->hi;
}

// Skips from the head of a construct (whose keyword is within `level` brackets) to its block, which
// is parsed even after an error in the head.
void parse_find_block(Parser *p, int level, const char *what)
{
    if (parse_at(p, T_LBRACE) && !p->panic) return;
    if (!p->panic) parse_expect(p, T_LBRACE, what);
    if (parse_current(p)->level != level) return;
    while (!parse_at(p, T_EOF) && !parse_at(p, T_LBRACE) && !parse_at(p, T_SEMICOLON) &&
           !parse_at(p, T_LET) && !is_closing(parse_current(p)->kind) &&
           !token_starts_item(&p->ts.tokens, p->pos))
        parse_skip_one(p);
    if (parse_at(p, T_LBRACE) && !parse_never_closed(p, p->pos)) p->panic = false;
}

static void too_deep(Parser *p, Span span)
{
    Diag *d = parse_fail(p, E0108, span, "this is nested too deeply");
    parse_help(p, d, "name parts of it with `let`, or move them to functions");
    parse_skip_to_item(p);
}

// Enters a nested production. Returns false if the nesting is too deep, which it reports, or if the
// enclosing production has failed.
bool parse_enter(Parser *p)
{
    if (p->panic) return false;
    if (p->depth < MAX_DEPTH) {
        p->depth++;
        return true;
    }
    too_deep(p, parse_token_span(p));
    return false;
}

void parse_leave(Parser *p)
{
    p->depth--;
}

static void fail_in_list(Parser *p, int open, const char *or_else)
{
    const Token *closing = &p->ts.tokens.at[p->ts.tokens.at[open].match];
    p->panic |= parse_never_closed(p, open);
    parse_fail(p, E0110, parse_token_span(p), "expected %s`%s`, found %s", or_else,
               token_info[closing->kind].text, parse_describe(p));
}

// Lists in brackets:
//     int open = parse_open_list(p);
//     while (parse_in_list(p, open)) { element; parse_end_element(p, open); }
//     parse_close_list(p, open);
// Commas separate elements; one may follow the last. After an error the parser recovers at the next
// element, or after the list. If a production has skipped to the next item, the position is already
// after the closing bracket, which ends every loop.
int parse_open_list(Parser *p)
{
    parse_advance(p);
    return p->pos - 1;
}

bool parse_in_list(const Parser *p, int open)
{
    return p->pos < p->ts.tokens.at[open].match;
}

void parse_end_element(Parser *p, int open)
{
    int end = p->ts.tokens.at[open].match;
    if (p->pos > end) return;
    if (p->pos < end && !parse_at(p, T_COMMA)) {
        fail_in_list(p, open, "`,` or ");
        while (p->pos < end && !parse_at(p, T_COMMA)) parse_skip_one(p);
    }
    p->panic = false;
    if (p->pos < end) parse_advance(p);
}

void parse_close_list(Parser *p, int open)
{
    int end = p->ts.tokens.at[open].match;
    if (p->pos > end) return;
    if (p->pos < end) fail_in_list(p, open, "");
    p->pos = end + 1;
    p->panic = parse_never_closed(p, open);
}

Ast *ast_new(Parser *p, AstKind kind, uint32_t lo)
{
    Ast *e = ARENA_NEW(p->cx->arena, Ast);
    e->kind = kind;
    e->id = p->next_id++;
    e->span = (Span){p->ts.file, lo, lo};
    e->height = 1;
    return e;
}

// Adds a kid, which may be NULL where the kind allows it. Later stages nest the rest of a block in
// a `let` or a statement, so each statement of a block counts as one level deeper than the one
// before.
void ast_add(Parser *p, Ast *e, Ast *kid)
{
    int outer = e->kind == AST_BLOCK ? e->kids.len : 0;
    vec_push(p->cx->arena, &e->kids, kid);
    if (!kid || kid->height + outer < e->height) return;
    e->height = kid->height + outer + 1;
    if (e->height > MAX_HEIGHT) too_deep(p, kid->span);
}

// Ends a node at the last token read.
Ast *ast_done(Parser *p, Ast *e)
{
    e->span = parse_span_since(p, e->span.lo);
    return e;
}

// Returns a node for text at the current token that could not be parsed.
Ast *ast_error(Parser *p)
{
    Ast *e = ast_new(p, AST_ERROR, parse_current(p)->lo);
    e->span.hi = parse_current(p)->hi;
    return e;
}

Parser parser_new(Session *cx, uint32_t file, int first_id)
{
    Parser p = {.cx = cx, .next_id = first_id};
    p.ts = lex_source(cx, file);
    lex_match_brackets(&p.ts);
    return p;
}

// Returns the attribute whose name follows in brackets, or FILE_ATTRIBUTE_COUNT if there is no such
// attribute.
static FileAttribute attribute_at(Parser *p)
{
    int i = 0;
    if (!parse_at(p, T_LBRACKET) || parse_peek(p, 1) != T_NAME || parse_peek(p, 2) != T_RBRACKET)
        return FILE_ATTRIBUTE_COUNT;
    const char *name = p->ts.tokens.at[p->pos + 1].name->text;
    while (i < FILE_ATTRIBUTE_COUNT && strcmp(name, file_attribute_name[i]) != 0) i++;
    return (FileAttribute)i;
}

static const char *attributes(Session *cx)
{
    Text t = text_new(cx->arena);
    for (int i = 0; i < FILE_ATTRIBUTE_COUNT; i++)
        text_printf(&t, "%s#![%s]", i ? " and " : "there are ", file_attribute_name[i]);
    return text_get(&t);
}

// attribute = "#!" "[" NAME "]"
static void parse_attribute(Parser *p, Module *m)
{
    uint32_t lo = parse_current(p)->lo;
    parse_advance(p);
    FileAttribute said = attribute_at(p);
    if (parse_at(p, T_LBRACKET)) parse_skip_one(p);
    if (said < FILE_ATTRIBUTE_COUNT) {
        m->says[said] = parse_span_since(p, lo);
        p->cx->sources.at[m->file - 1]->says[said] = true;
        return;
    }
    Diag *d = parse_fail(p, E0117, parse_span_since(p, lo), "there is no attribute of this name");
    parse_help(p, d, attributes(p->cx));
    p->panic = false;
}

// Whether the lexer reported an error for one of the tokens from `from` up to the current one.
static bool has_fault(const Parser *p, int from)
{
    for (int i = from; i < p->pos; i++)
        if (p->ts.tokens.at[i].reported) return true;
    return false;
}

// Skips tokens between items, and reports them unless they are the rest of an item with an error.
static void skip_stray(Parser *p, bool leftover)
{
    p->panic = leftover;
    Diag *d =
        parse_fail(p, E0111, parse_token_span(p), "expected an item, found %s", parse_describe(p));
    bool class = parse_at(p, T_NAME) && token_is_word(parse_current(p) + 1, "rule");
    if (class) parse_help(p, d, "the classes of rules are `contract` and `reassociate`");
    if (!foreign_tokens(p, true))
        parse_help(p, d,
                   "items are import, const, type, struct, enum, fn, entry fn, simd[n] fn, extern "
                   "fn, test, rule, strategy and schedule");
    parse_skip_to_item(p);
}

// module = { attribute } { item [";"] }
static void parse_items(Parser *p, Module *m)
{
    Session *cx = p->cx;
    while (parse_at(p, T_HASH_BANG)) parse_attribute(p, m);
    for (bool leftover = false; !parse_at(p, T_EOF);) {
        if (!parse_at_item(p)) {
            skip_stray(p, leftover);
            continue;
        }
        int errors = cx->errors, from = p->pos;
        p->panic = p->no_struct = false;
        p->depth = 0;
        vec_push(cx->arena, &m->items, parse_item(p));
        if (p->panic) parse_skip_to_item(p);
        parse_accept(p, T_SEMICOLON);
        leftover = cx->errors > errors || has_fault(p, from);
    }
    for (int i = 0; i < p->ts.remarks.len; i++)
        if (!p->ts.remarks.at[i].taken)
            vec_push(cx->arena, &m->comments, p->ts.remarks.at[i].comment);
    m->ast_count = p->next_id;
}

Module *parse_module(Session *cx, uint32_t file)
{
    Parser p = parser_new(cx, file, 0);
    Module *m = ARENA_NEW(cx->arena, Module);
    m->file = file;
    parse_items(&p, m);
    lex_end(&p.ts);
    return m;
}

void parse_more_items(Session *cx, uint32_t file, Module *m)
{
    Parser p = parser_new(cx, file, m->ast_count);
    parse_items(&p, m);
    lex_end(&p.ts);
}

Ast *parse_expression(Session *cx, uint32_t file, int first_id, int *next_id)
{
    Parser p = parser_new(cx, file, first_id);
    Ast *e = parse_expr(&p);
    if (!parse_at(&p, T_EOF))
        parse_fail(&p, E0110, parse_token_span(&p), "expected the end of the expression, found %s",
                   parse_describe(&p));
    *next_id = p.next_id;
    lex_end(&p.ts);
    return e;
}
