// The inputs of `adze repl`: items, `let` and expressions, one after the other.
#include "syntax/parse/parse.h"

#include <string.h>

// Adds the names that a pattern binds.
static void add_names(Session *cx, const Ast *pattern, Syms *names)
{
    bool binds = pattern->kind == AST_BIND || pattern->kind == AST_BIND_MUT;
    if (binds && pattern->name) vec_push(cx->arena, names, pattern->name);
    for (int i = 0; !binds && i < pattern->kids.len; i++) add_names(cx, pattern->kids.at[i], names);
}

static Ast *node_like(Parser *p, AstKind kind, const Ast *like)
{
    Ast *e = ast_new(p, kind, like->span.lo);
    e->span = e->name_span = like->span;
    return e;
}

// Expands let (a, b) = e to { let (a, b) = e; (a, b) }.
static void parse_let_input(Parser *p, Input *in)
{
    Ast *let = parse_let_open(p), *pattern = let->kids.at[0];
    Ast *block = node_like(p, AST_BLOCK, let);
    add_names(p->cx, pattern, &in->names);
    Ast *tuple = in->names.len == 1 ? NULL : node_like(p, AST_TUPLE, pattern);
    ast_add(p, block, let);
    if (tuple) ast_add(p, block, tuple);
    for (int i = 0; i < in->names.len; i++) {
        Ast *name = node_like(p, AST_NAME, pattern);
        name->name = in->names.at[i];
        ast_add(p, tuple ? tuple : block, name);
    }
    in->value = ast_done(p, block);
}

// Checks that the part ends here: at a semicolon, a line end or the end of the input.
static void end_part(Parser *p)
{
    if (p->panic || parse_accept(p, T_SEMICOLON) || parse_at(p, T_EOF)) return;
    bool assigns = token_info[parse_current(p)->kind].class == ASSIGN;
    if (!assigns && (parse_on_new_line(p) || p->ts.tokens.at[p->pos - 1].kind == T_RBRACE)) return;
    Diag *d = parse_fail(p, E0110, parse_token_span(p),
                         "expected the end of the expression, found %s", parse_describe(p));
    if (assigns) parse_help(p, d, "give a name another value with `let`: let x = ...");
}

Input parse_input(Session *cx, uint32_t file, int first_id)
{
    Parser p = parser_new(cx, file, first_id);
    Input in = {.kind = INPUT_NOTHING};
    while (parse_accept(&p, T_SEMICOLON)) continue;
    if (parse_at_item(&p)) {
        in.kind = INPUT_ITEMS;
        while (parse_at_item(&p) && !p.panic) {
            parse_item(&p);
            parse_accept(&p, T_SEMICOLON);
        }
    } else if (parse_at(&p, T_LET)) {
        in.kind = INPUT_LET;
        parse_let_input(&p, &in);
        end_part(&p);
    } else if (!parse_at(&p, T_EOF)) {
        in.kind = INPUT_EXPRESSION;
        in.value = parse_expr(&p);
        end_part(&p);
    }
    in.end = parse_at(&p, T_EOF) || p.panic ? (uint32_t)p.ts.source->len : parse_current(&p)->lo;
    in.next_id = p.next_id;
    lex_end(&p.ts);
    return in;
}

// --- inputs of several lines --------------------------------------------------------------------

// Whether an expression that ends in this token goes on.
static bool goes_on(const Token *t)
{
    const TokenInfo *info = &token_info[t->kind];
    return info->prec > PREC_NONE || info->class == ASSIGN || t->kind == T_COMMA;
}

bool input_is_unfinished(Session *cx, uint32_t file)
{
    TokenStream ts = lex_source(cx, file);
    int n = ts.tokens.len;
    VEC(TokenKind) open = {0}; // the closing brackets that are to come
    for (int i = 0; i < n; i++) {
        TokenKind k = ts.tokens.at[i].kind;
        if (is_opening(k)) vec_push(cx->arena, &open, closing_of(k));
        if (!is_closing(k)) continue;
        if (open.len == 0 || open.at[--open.len] != k) return false; // an error
    }
    if (open.len > 0) return true;
    const Token *last = n > 1 ? &ts.tokens.at[n - 2] : NULL;
    if (last && goes_on(last)) return true;
    const Remark *r = ts.remarks.len ? &vec_last(&ts.remarks) : NULL;
    return r && r->doc && (!last || r->comment.span.lo > last->lo);
}
