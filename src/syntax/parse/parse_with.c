// With-loops: generators, each with its body, and the operator that combines the values of the
// bodies. `step`, `width` and the names of the operators are contextual keywords.
#include "syntax/parse/parse.h"

typedef struct {
    const char *text;
    AstKind kind;
    int least, most; // how many operands
    const char *operands;
} WithOperator;

static const WithOperator operators[] = {
    {"genarray", AST_GENARRAY, 1, 2, "a shape and an optional default"},
    {"modarray", AST_MODARRAY, 1, 1, "an array"},
    {"fold", AST_FOLD, 2, 2, "an operator and its neutral value"},
};

static const Token *token_ahead(const Parser *p, int ahead)
{
    int last = p->ts.tokens.len - 1, at = p->pos + ahead;
    return &p->ts.tokens.at[at < last ? at : last];
}

static const WithOperator *find_operator(const Token *t)
{
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        if (token_is_word(t, operators[i].text)) return &operators[i];
    return NULL;
}

static bool is_relation(TokenKind k)
{
    return k == T_LT || k == T_LE;
}

// Whether the parentheses contain operators rather than another generator, whose bound may have the
// name of an operator.
static bool at_operators(Parser *p)
{
    const WithOperator *op = find_operator(token_ahead(p, 1));
    TokenKind next = token_ahead(p, 2)->kind;
    return parse_at(p, T_LPAREN) && op &&
           (next == T_LPAREN ||
            (op->kind == AST_MODARRAY && (next == T_NAME || next == T_LBRACKET)));
}

// --- generators --------------------------------------------------------------------------------

// bound = "." | an operand of a comparison
static Ast *parse_bound(Parser *p)
{
    if (!parse_at(p, T_DOT)) return parse_operand(p);
    Ast *e = ast_new(p, AST_DOT, parse_current(p)->lo);
    parse_advance(p);
    return ast_done(p, e);
}

// relation = "<" | "<="; the first is strict
static void parse_relation(Parser *p, Ast *e, int64_t strict)
{
    if (p->panic) return;
    if (parse_at(p, T_LT)) e->value.integer |= strict;
    if (!is_relation(parse_current(p)->kind))
        parse_fail(p, E0110, parse_token_span(p), "expected `<` or `<=` after the bound, found %s",
                   parse_describe(p));
    else
        parse_advance(p);
}

static Ast *parse_index_name(Parser *p)
{
    if (!parse_at(p, T_LPAREN) && !parse_at(p, T_MUT)) return parse_binding(p, BIND_LET);
    parse_fail(p, E0110, parse_token_span(p), "expected the name of an index, found %s",
               parse_describe(p));
    return ast_error(p);
}

// index = name | "_" | "[" [(name | "_") {"," (name | "_")} [","]] "]"
static Ast *parse_index_pattern(Parser *p)
{
    if (!parse_at(p, T_LBRACKET)) return parse_index_name(p);
    Ast *e = ast_new(p, AST_BIND_ARRAY, parse_current(p)->lo);
    int open = parse_open_list(p);
    while (parse_in_list(p, open)) {
        ast_add(p, e, parse_index_name(p));
        parse_end_element(p, open);
    }
    parse_close_list(p, open);
    return ast_done(p, e);
}

// Returns the number of tokens of the index that begins here, or 0 if there is none.
static int index_length(Parser *p)
{
    if (parse_at(p, T_NAME) || parse_at(p, T_UNDERSCORE)) return 1;
    if (!parse_at(p, T_LBRACKET)) return 0;
    int end = parse_current(p)->match;
    for (int i = p->pos + 1; i < end; i++) {
        TokenKind k = p->ts.tokens.at[i].kind;
        if (k != T_NAME && k != T_UNDERSCORE && k != T_COMMA) return 0;
    }
    return end + 1 - p->pos;
}

// Returns the number of relations from here to the end of the parentheses, not counting those in
// inner brackets.
static int count_relations(const Parser *p, int open)
{
    int count = 0, end = p->ts.tokens.at[open].match;
    for (int i = p->pos; i < end; i++) {
        const Token *t = &p->ts.tokens.at[i];
        count += is_relation(t->kind);
        if (is_opening(t->kind)) i = t->match;
    }
    return count;
}

// Whether the generator begins with its index rather than with a bound. A name before the only
// relation is taken for the index, so in `a < b` the index is a.
static bool at_index(Parser *p, int open)
{
    int len = index_length(p);
    TokenKind next = token_ahead(p, len)->kind;
    return len > 0 && count_relations(p, open) < 2 &&
           (is_closing(next) || is_relation(next) || next == T_GT || next == T_GE ||
            next == T_NAME);
}

// Parses the operand after the keyword, or returns NULL if the keyword is missing.
static Ast *parse_after_word(Parser *p, const char *word)
{
    if (p->panic || !token_is_word(parse_current(p), word)) return NULL;
    parse_advance(p);
    return parse_operand(p);
}

static void end_of_range(Parser *p, int open)
{
    if (p->panic || !parse_in_list(p, open)) return;
    Diag *d = parse_fail(p, E0110, parse_token_span(p),
                         "expected the end of the generator, found %s", parse_describe(p));
    parse_help(p, d,
               "a generator is (low <= index < high step s width w); everything except the index "
               "is optional");
}

// range = [bound relation] index [relation bound] ["step" operand] ["width" operand]
static void parse_range(Parser *p, Ast *e)
{
    int open = parse_open_list(p);
    bool lower = !at_index(p, open);
    ast_add(p, e, lower ? parse_bound(p) : NULL);
    if (lower) parse_relation(p, e, GENERATOR_ABOVE);
    ast_add(p, e, p->panic ? ast_error(p) : parse_index_pattern(p));
    bool upper = !p->panic && is_relation(parse_current(p)->kind);
    if (upper) parse_relation(p, e, GENERATOR_BELOW);
    ast_add(p, e, upper ? parse_bound(p) : NULL);
    ast_add(p, e, parse_after_word(p, "step"));
    ast_add(p, e, parse_after_word(p, "width"));
    end_of_range(p, open);
    parse_close_list(p, open);
}

// generator = "(" range ")" block, where the keyword of the loop is within `level` brackets
static Ast *parse_generator(Parser *p, int level)
{
    Ast *e = ast_new(p, AST_GENERATOR, parse_current(p)->lo);
    parse_inside(p, e, parse_range);
    return parse_end_block(p, e, level);
}

// --- operators ---------------------------------------------------------------------------------

// Reports a with-loop without an operator. Does not enter panic mode if the loop ends here.
static Ast *no_operator(Parser *p)
{
    TokenKind kind = parse_current(p)->kind;
    bool ends = kind == T_SEMICOLON || kind == T_EOF || is_closing(kind) || parse_on_new_line(p);
    uint32_t end = parse_span_since(p, 0).hi;
    Span span = ends ? (Span){p->ts.file, end > 0 ? end - 1 : 0, end} : parse_token_span(p);
    Ast *e = ast_error(p);
    Diag *d = ends ? parse_fail(p, E0122, span, "this with-loop has no operator")
                   : parse_fail(p, E0122, span, "expected the operator of the with-loop, found %s",
                                parse_describe(p));
    parse_help(p, d,
               "a with-loop ends in genarray(shape, default), modarray a or fold(op, neutral)");
    p->panic = !ends || parse_current(p)->reported;
    return e;
}

// Parses the array of a modarray, which may be another with-loop.
static Ast *parse_modified(Parser *p)
{
    if (!parse_enter(p)) return ast_error(p);
    Ast *e = parse_primary(p);
    parse_leave(p);
    return e;
}

// operator = "genarray" "(" expr ["," expr] ")" | "modarray" postfix | "fold" "(" expr "," expr ")"
static Ast *parse_operator(Parser *p)
{
    const WithOperator *op = find_operator(parse_current(p));
    if (!op) return no_operator(p);
    Ast *e = ast_new(p, op->kind, parse_current(p)->lo);
    parse_advance(p);
    if (parse_at(p, T_LPAREN))
        parse_arguments(p, e);
    else if ((e->value.integer = op->kind == AST_MODARRAY))
        ast_add(p, e, parse_modified(p));
    else
        parse_expect(p, T_LPAREN, arena_printf(p->cx->arena, "after `%s`", op->text));
    ast_done(p, e);
    if (!p->panic && (e->kids.len < op->least || e->kids.len > op->most)) {
        parse_fail(p, E0110, e->span, "`%s` takes %s", op->text, op->operands);
        p->panic = false;
    }
    return e;
}

static void parse_operators(Parser *p, Ast *e)
{
    parse_parentheses(p, e, parse_operator);
}

// with-loop = "with" generator {generator} (operator | "(" operator {"," operator} [","] ")")
Ast *parse_with_loop(Parser *p)
{
    int level = parse_current(p)->level;
    Ast *e = ast_new(p, AST_WITH_LOOP, parse_current(p)->lo);
    parse_advance(p);
    if (at_operators(p))
        parse_fail(p, E0110, parse_token_span(p), "expected a generator before the operators");
    while (!p->panic && parse_at(p, T_LPAREN) && !at_operators(p))
        ast_add(p, e, parse_generator(p, level));
    if (p->panic)
        ast_add(p, e, ast_error(p));
    else if (parse_at(p, T_LPAREN))
        ast_add(p, e, parse_bracketed(p, AST_PAREN, parse_operators));
    else
        ast_add(p, e, parse_operator(p));
    return ast_done(p, e);
}

// Whether this `with` begins a with-loop rather than a call whose first variable is a tuple.
bool parse_at_with_loop(Parser *p)
{
    if (!parse_at(p, T_WITH) || parse_peek(p, 1) != T_LPAREN) return false;
    TokenKind behind = p->ts.tokens.at[token_ahead(p, 1)->match + 1].kind;
    return behind != T_IN && behind != T_COMMA;
}
