// Blocks, their statements, and the constructs that end in a block.
#include "syntax/parse/parse.h"

// Creates the node of a construct, and consumes the keyword that begins it.
static Ast *begin(Parser *p, AstKind kind)
{
    Ast *e = ast_new(p, kind, parse_current(p)->lo);
    parse_advance(p);
    return e;
}

// Parses the block at the end of a construct whose keyword is within `level` brackets.
Ast *parse_end_block(Parser *p, Ast *e, int level)
{
    parse_find_block(p, level, "to begin a block");
    ast_add(p, e, p->panic ? ast_error(p) : parse_block(p));
    return ast_done(p, e);
}

static Ast *parse_if(Parser *p);

static Ast *parse_else(Parser *p)
{
    if (!parse_at(p, T_IF)) return parse_block(p);
    if (!parse_enter(p)) return ast_error(p);
    Ast *e = parse_if(p);
    parse_leave(p);
    return e;
}

// if = "if" condition block ["else" (if | block)]
static Ast *parse_if(Parser *p)
{
    int level = parse_current(p)->level;
    Ast *e = begin(p, AST_IF);
    ast_add(p, e, parse_condition(p));
    parse_end_block(p, e, level);
    ast_add(p, e, !p->panic && parse_accept(p, T_ELSE) ? parse_else(p) : NULL);
    return ast_done(p, e);
}

// while = "while" condition block
static Ast *parse_while(Parser *p)
{
    int level = parse_current(p)->level;
    Ast *e = begin(p, AST_WHILE);
    ast_add(p, e, parse_condition(p));
    return parse_end_block(p, e, level);
}

// loop = "loop" block, unchecked = "unchecked" block
static Ast *parse_bare(Parser *p, AstKind kind)
{
    int level = parse_current(p)->level;
    return parse_end_block(p, begin(p, kind), level);
}

// Whether "scalar" begins a block; otherwise it is the name of a kind.
static bool at_scalar(Parser *p)
{
    if (!parse_at(p, T_NAME) || parse_current(p)->name != session_sym(p->cx, "scalar"))
        return false;
    if (parse_peek(p, 1) == T_LBRACE)
        return !p->no_struct && !(parse_peek(p, 2) == T_NAME && parse_peek(p, 3) == T_COLON);
    TokenKind bound = parse_peek(p, 2);
    return parse_peek(p, 1) == T_BIT_OR && (bound == T_NAME || bound == T_UNDERSCORE) &&
           parse_peek(p, 3) == T_BIT_OR && parse_peek(p, 4) == T_LBRACE;
}

// scalar = "scalar" ["|" (name | "_") "|"] block
static Ast *parse_scalar(Parser *p)
{
    int level = parse_current(p)->level;
    Ast *e = begin(p, AST_SCALAR);
    if (parse_accept(p, T_BIT_OR)) {
        ast_add(p, e, parse_binding(p, BIND_LET));
        parse_accept(p, T_BIT_OR);
    }
    return parse_end_block(p, e, level);
}

// targets = binding {"," binding} "in"
static void parse_targets(Parser *p, Ast *e)
{
    do {
        if (parse_at(p, T_IN))
            parse_fail(p, E0110, parse_token_span(p),
                       "expected the name of a variable, found `in`");
        ast_add(p, e, parse_binding(p, BIND_PARAMETER));
    } while (!p->panic && parse_accept(p, T_COMMA));
    if (!p->panic) parse_expect(p, T_IN, "before the call");
}

// Reports loop heads written as in other languages: `for (int i = 0; i < n; i++)` or
// `for (i in range(0, n))`. The parentheses of a pattern, in contrast, precede `in` or a comma.
static void check_bare_head(Parser *p)
{
    if (!parse_at(p, T_LPAREN)) return;
    TokenKind behind = p->ts.tokens.at[parse_current(p)->match + 1].kind;
    if (behind == T_IN || behind == T_COMMA) return;
    Diag *d = parse_fail_plainly(p, E0110, parse_token_span(p),
                                 "expected the name of a variable, found `(`");
    parse_help(p, d, "write the loop without parentheses: for i in range(0, n) { ... }");
}

static const char *loop_help(Parser *p, const Ast *loop, const Ast *over)
{
    if (parse_at(p, T_DOT_DOT))
        return "range counts: for i in range(0, n) { ... } runs from 0 to n - 1";
    const Ast *target = loop->kids.at[0];
    if (over->kind == AST_NAME && target->kind == AST_BIND && loop->kids.len == 1)
        return arena_printf(p->cx->arena,
                            "to loop over the elements of an array write for i in range(0, n) { "
                            "let %s = %s[i]; ... }, where n is its length",
                            target->name->text, over->name->text);
    if (over->kind == AST_ARRAY && target->kind == AST_BIND && loop->kids.len == 1)
        return arena_printf(p->cx->arena,
                            "to loop over the elements of an array give it a name: let xs = [...]; "
                            "for i in range(0, %d) { let %s = xs[i]; ... }",
                            over->kids.len, target->name->text);
    return "write `for i in range(0, n) { ... }`: the called function gets the block as its last "
           "argument";
}

// for = "for" targets call block
static Ast *parse_for(Parser *p)
{
    int level = parse_current(p)->level;
    Ast *e = begin(p, AST_FOR);
    check_bare_head(p);
    if (!p->panic) parse_targets(p, e);
    Ast *call = p->panic ? ast_error(p) : parse_condition(p);
    if (e->kids.len > 0) parse_need_call(p, call, "for", loop_help(p, e, call));
    ast_add(p, e, call);
    return parse_end_block(p, e, level);
}

// Whether a struct pattern begins here, and not a name before a block: `in` or a comma follows its
// braces.
static bool at_struct_target(Parser *p)
{
    if (!parse_at(p, T_NAME) || parse_peek(p, 1) != T_LBRACE) return false;
    TokenKind behind = p->ts.tokens.at[p->ts.tokens.at[p->pos + 1].match + 1].kind;
    return behind == T_IN || behind == T_COMMA;
}

static bool at_targets(Parser *p)
{
    TokenKind next = parse_peek(p, 1);
    if (parse_at(p, T_LBRACKET) || at_struct_target(p)) return true;
    return parse_at(p, T_LPAREN) || parse_at(p, T_UNDERSCORE) || parse_at(p, T_MUT) ||
           next == T_COMMA || next == T_COLON || next == T_IN;
}

// with = "with" [targets] call block; with-loops are in parse_with.c
static Ast *parse_with(Parser *p)
{
    int level = parse_current(p)->level;
    Ast *e = begin(p, AST_WITH);
    if (at_targets(p)) parse_targets(p, e);
    Ast *call = p->panic ? ast_error(p) : parse_condition(p);
    parse_need_call(
        p, call, "with",
        "write `with x in f(a) { ... }`: the called function gets the block as its last argument");
    ast_add(p, e, call);
    return parse_end_block(p, e, level);
}

bool parse_at_block_like(Parser *p)
{
    switch (parse_current(p)->kind) {
    case T_LBRACE:
    case T_IF:
    case T_WHILE:
    case T_LOOP:
    case T_FOR:
    case T_MATCH:
    case T_UNCHECKED: return true;
    case T_WITH: return !parse_at_with_loop(p);
    case T_NAME: return at_scalar(p);
    default: return false;
    }
}

// block-like = block | if | while | loop | for | with | match | unchecked | scalar
Ast *parse_block_like(Parser *p)
{
    switch (parse_current(p)->kind) {
    case T_IF: return parse_if(p);
    case T_WHILE: return parse_while(p);
    case T_LOOP: return parse_bare(p, AST_LOOP);
    case T_FOR: return parse_for(p);
    case T_WITH: return parse_with(p);
    case T_MATCH: return parse_match(p);
    case T_UNCHECKED: return parse_bare(p, AST_UNCHECKED);
    case T_NAME: return parse_scalar(p);
    default: return parse_block(p);
    }
}

// Parses an expression. A block-like one ends after its last brace, unless an operator follows that
// can only be infix: `-x`, `*x` and `(x)` on the next line begin another statement.
Ast *parse_bare_value(Parser *p)
{
    if (!parse_at_block_like(p)) return parse_expr(p);
    if (!parse_enter(p)) return ast_error(p);
    Ast *e = parse_block_like(p);
    parse_leave(p);
    return !p->panic && parse_at_infix(p) ? parse_expr_from(p, e) : e;
}

// Reports a missing `;`, without entering panic mode. Reports nothing if there are more than
// `errors` errors, because the missing `;` may be a consequence of the new ones.
static void missing_semicolon(Parser *p, int errors)
{
    if (p->cx->errors > errors) return;
    uint32_t end = parse_span_since(p, 0).hi;
    Span span = {p->ts.file, end > 0 ? end - 1 : 0, end};
    Diag *d = parse_fail(p, E0112, span, "this statement does not end in a `;`");
    if (d) diag_fix(p->cx, d, (Span){p->ts.file, end, end}, ";", "put a `;` after it");
    p->panic = parse_current(p)->reported;
}

// Parses the `;` after a statement. If it is missing, the statement ends before the next line, a
// `let` or the end of the block.
void parse_end_statement(Parser *p, int errors)
{
    if (p->panic || parse_accept(p, T_SEMICOLON)) return;
    bool line_ends = parse_at(p, T_LET) || parse_at(p, T_RBRACE) || parse_on_new_line(p);
    if (line_ends)
        missing_semicolon(p, errors);
    else
        parse_expect(p, T_SEMICOLON, "after the statement");
}

static void check_mutable(Parser *p)
{
    bool parts = parse_at(p, T_LPAREN) || parse_at(p, T_LBRACKET) ||
                 (parse_at(p, T_NAME) && parse_peek(p, 1) == T_LBRACE);
    if (!parts && !parse_at(p, T_UNDERSCORE) && !parse_at(p, T_MUT)) return;
    Diag *d =
        parse_fail(p, E0110, parse_token_span(p),
                   "expected the name of a variable after `mut`, found %s", parse_describe(p));
    parse_help(p, d, "in a pattern write `mut` before each mutable name: let (mut a, b) = ...");
}

// Parses the `=` of a `let`.
static void expect_value(Parser *p)
{
    if (parse_accept(p, T_ASSIGN)) return;
    Diag *d = parse_fail(p, E0110, parse_token_span(p), "expected `=` in the `let`, found %s",
                         parse_describe(p));
    if (parse_at(p, T_COMMA))
        parse_help(p, d, "put several names in parentheses: let (a, b) = ...");
    bool array = p->ts.tokens.at[p->pos - 1].kind == T_NAME &&
                 p->ts.tokens.at[p->pos - 2].kind == T_RBRACKET;
    if (parse_at(p, T_SEMICOLON))
        parse_help(
            p, d,
            array ? "initialise each variable: let mut a = repeat[n](0.0);"
                  : "initialise each variable: let mut x = 0;, or let x = if c { 1 } else { 2 };");
}

// Parses the address space before the type of a variable, as in `let mut tile: shared [256]f32`.
static void parse_let_space(Parser *p, Ast *e)
{
    Sym space = parse_space(p, &e->name_span);
    if (!space->text[0]) return;
    e->name = space;
    if (e->value.integer && e->kids.at[0]->kind == AST_BIND) return;
    Diag *d = parse_fail(p, E0110, e->name_span, "only a variable is in an address space");
    parse_help(p, d,
               arena_printf(p->cx->arena,
                            "declare one name, as in let mut a: %s [16]f32 = undefined();",
                            space->text));
}

Ast *parse_let_open(Parser *p)
{
    Ast *e = begin(p, AST_LET);
    e->value.integer = parse_accept(p, T_MUT);
    if (e->value.integer) check_mutable(p);
    ast_add(p, e, parse_binding(p, BIND_LET));
    bool typed = !p->panic && parse_accept(p, T_COLON);
    if (typed) parse_let_space(p, e);
    ast_add(p, e, typed && !p->panic ? parse_type(p) : NULL);
    if (!p->panic) expect_value(p);
    ast_add(p, e, p->panic ? ast_error(p) : parse_expr(p));
    return ast_done(p, e);
}

// let = "let" ["mut"] binding [":" [space] type] "=" expr ";"
// space = "global" | "shared" | "private"
static Ast *parse_let(Parser *p)
{
    int errors = p->cx->errors;
    Ast *e = parse_let_open(p);
    parse_end_statement(p, errors);
    return ast_done(p, e);
}

// Creates a node for the expansion of an assignment to a tuple, with the span of `like`.
static Ast *stand_in(Parser *p, AstKind kind, const Ast *like)
{
    Ast *e = ast_new(p, kind, like->span.lo);
    e->span = e->name_span = like->span;
    return e;
}

// Creates a pattern with a name for each location, and adds to `block` the assignments of these
// names to the locations. `value` is the right side or, if that is a tuple, the component for
// `place`.
static Ast *parts_of(Parser *p, Ast *block, Ast *place, const Ast *value)
{
    bool tuple = place->kind == AST_TUPLE;
    Ast *bound = stand_in(p, tuple ? AST_BIND_TUPLE : AST_BIND, place);
    bool fits = tuple && value->kind == AST_TUPLE && value->kids.len == place->kids.len;
    for (int i = 0; tuple && i < place->kids.len; i++)
        ast_add(p, bound, parts_of(p, block, place->kids.at[i], fits ? value->kids.at[i] : value));
    if (tuple) return bound;
    bound->name = sym_fresh(p->cx->syms, "new");
    Ast *set = stand_in(p, AST_ASSIGN, place), *name = stand_in(p, AST_NAME, value);
    set->name = sym_intern(p->cx->syms, "", 0);
    name->name = bound->name;
    ast_add(p, set, place);
    ast_add(p, set, name);
    ast_add(p, block, set);
    return bound;
}

// Expands (a, b) = e; to { let (x, y) = e; a = x; b = y; }.
static Ast *to_tuple(Parser *p, Ast *e)
{
    Ast *value = e->kids.at[1], *block = stand_in(p, AST_BLOCK, e);
    Ast *let = stand_in(p, AST_LET, e);
    block->value.written = e;
    ast_add(p, block, let);
    ast_add(p, let, parts_of(p, block, e->kids.at[0], value));
    ast_add(p, let, NULL);
    ast_add(p, let, value);
    ast_add(p, block, NULL);
    return block;
}

// assignment = expr ("=" | "+=" | ...) expr ";"; infer/ checks that the left side is a location
static Ast *parse_assignment(Parser *p, Ast *place, int errors)
{
    const TokenInfo *sign = &token_info[parse_current(p)->kind];
    Ast *e = ast_new(p, AST_ASSIGN, place->span.lo);
    e->name = sym_intern(p->cx->syms, sign->text, (size_t)sign->len - 1);
    e->name_span = parse_token_span(p);
    parse_advance(p);
    ast_add(p, e, place);
    ast_add(p, e, parse_expr(p));
    parse_end_statement(p, errors);
    ast_done(p, e);
    return place->kind == AST_TUPLE && place->kids.len && !e->name->len ? to_tuple(p, e) : e;
}

// Reports a jump that is not called, such as `break;`, which would have no effect.
static void check_jump(Parser *p, const Ast *e)
{
    if (e->kind != AST_NAME || !is_jump(p->ts.tokens.at[p->pos - 1].kind)) return;
    Diag *d = parse_fail(p, E0120, e->span, "`%s` is not called", e->name->text);
    const char *call = arena_printf(p->cx->arena, "%s()", e->name->text);
    if (d) diag_fix(p->cx, d, e->span, call, "write `%s`", call);
    p->panic = false;
}

// statement = let | nested | assignment | expr ";" | block-like [";"]
// Also parses the expression that ends a block and gives it its value.
static Ast *parse_statement(Parser *p, int open)
{
    if (parse_at(p, T_LET)) return parse_let(p);
    if (parse_at_nested(p)) return parse_nested(p);
    int errors = p->cx->errors;
    Ast *e = parse_bare_value(p);
    if (p->panic) return e;
    if (token_info[parse_current(p)->kind].class == ASSIGN) return parse_assignment(p, e, errors);
    if (parse_at(p, T_SEMICOLON)) check_jump(p, e);
    if (ast_is_block_like(e) || !parse_in_list(p, open))
        parse_accept(p, T_SEMICOLON);
    else
        parse_end_statement(p, errors);
    return e;
}

static bool at_new_statement(Parser *p)
{
    return parse_at(p, T_LET) || parse_at_nested(p) ||
           (parse_on_new_line(p) && (parse_at_block_like(p) || is_jump(parse_current(p)->kind) ||
                                     p->ts.tokens.at[p->pos - 1].kind == T_RBRACE));
}

// Skips from the statement that began at the token `from` to the next one in the block.
void parse_recover_statement(Parser *p, int open, int from)
{
    if (p->pos > p->ts.tokens.at[open].match) return; // the parser has skipped to the next item
    while (parse_in_list(p, open) && !parse_at(p, T_SEMICOLON) &&
           (p->pos == from || !at_new_statement(p)))
        parse_skip_one(p);
    if (parse_in_list(p, open)) parse_accept(p, T_SEMICOLON);
    p->panic = false;
}

static void parse_statements(Parser *p, Ast *e)
{
    int open = parse_open_list(p);
    bool value = false;
    while (parse_in_list(p, open)) {
        int from = p->pos;
        Ast *s = parse_statement(p, open);
        ast_add(p, e, s);
        value = s->kind != AST_LET && s->kind != AST_ASSIGN && s->kind != AST_FN &&
                p->ts.tokens.at[p->pos - 1].kind != T_SEMICOLON;
        if (p->panic) parse_recover_statement(p, open, from);
    }
    if (!value) ast_add(p, e, NULL);
    parse_close_list(p, open);
}

// block = "{" {statement} [expr] "}"
Ast *parse_block(Parser *p)
{
    Ast *e = ast_new(p, AST_BLOCK, parse_current(p)->lo);
    if (!parse_at(p, T_LBRACE)) {
        parse_expect(p, T_LBRACE, "to begin a block");
        return ast_error(p);
    }
    parse_inside(p, e, parse_statements);
    return ast_done(p, e);
}
