// match and its arms.
#include "syntax/parse/parse.h"

static void expect_arrow(Parser *p)
{
    if (parse_accept(p, T_FAT_ARROW)) return;
    static const char format[] = "expected `=>` after the pattern, found %s";
    Span at = parse_token_span(p);
    bool own = parse_at(p, T_ARROW) || parse_at(p, T_COLON) || parse_at(p, T_DOT_DOT);
    Diag *d = own ? parse_fail_plainly(p, E0110, at, format, parse_describe(p))
                  : parse_fail(p, E0110, at, format, parse_describe(p));
    if (parse_at(p, T_COLON)) parse_help(p, d, "write an arm as 0 => value,");
    if (parse_at(p, T_LPAREN))
        parse_help(p, d, "write an option with its enum: Shape.Circle(r) => ...");
    if (parse_at(p, T_DOT_DOT))
        parse_help(p, d, "to match a range of values write x if 1 <= x && x < 5 => ...");
    if (parse_at(p, T_BIT_OR) || parse_at(p, T_OR))
        parse_help(
            p, d,
            "an arm has one pattern; to match several values write x if x == 1 || x == 2 => ...");
}

// arm = binding ["if" expr] "=>" expr
static Ast *parse_arm(Parser *p)
{
    Ast *e = ast_new(p, AST_ARM, parse_current(p)->lo);
    ast_add(p, e, parse_binding(p, BIND_ARM));
    ast_add(p, e, !p->panic && parse_accept(p, T_IF) ? parse_expr(p) : NULL);
    if (!p->panic) expect_arrow(p);
    ast_add(p, e, p->panic ? ast_error(p) : parse_bare_value(p));
    return ast_done(p, e);
}

// arms = "{" [arm {"," arm} [","]] "}"; an arm whose value is block-like needs no comma
static void parse_arms(Parser *p, Ast *e)
{
    int open = parse_open_list(p);
    while (parse_in_list(p, open)) {
        Ast *arm = parse_arm(p);
        ast_add(p, e, arm);
        if (p->panic || parse_at(p, T_COMMA) || !ast_is_block_like(vec_last(&arm->kids)))
            parse_end_element(p, open);
    }
    parse_close_list(p, open);
}

// match = "match" condition arms
Ast *parse_match(Parser *p)
{
    int level = parse_current(p)->level;
    Ast *e = ast_new(p, AST_MATCH, parse_current(p)->lo);
    parse_advance(p);
    ast_add(p, e, parse_condition(p));
    parse_find_block(p, level, "before the arms");
    if (!p->panic) parse_inside(p, e, parse_arms);
    return ast_done(p, e);
}
