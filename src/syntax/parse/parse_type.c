// Types and generic arguments.
#include "syntax/parse/parse.h"

static bool token_starts_type(TokenKind k)
{
    return k == T_NAME || k == T_LBRACKET || k == T_LPAREN || k == T_FN;
}

// The same, or a reference.
static bool token_starts_any_type(TokenKind k)
{
    return token_starts_type(k) || k == T_BIT_AND;
}

// Whether "[n]" begins an array type, that is, whether a type follows it. No type can follow an
// array literal.
static bool starts_array_type(Parser *p)
{
    return parse_at(p, T_LBRACKET) &&
           token_starts_type(p->ts.tokens.at[parse_current(p)->match + 1].kind);
}

// Whether "varying[n]" begins a vector type: a type follows it.
static bool starts_vector_type(Parser *p)
{
    return parse_at(p, T_NAME) && parse_current(p)->name == session_sym(p->cx, "varying") &&
           parse_peek(p, 1) == T_LBRACKET &&
           token_starts_type(p->ts.tokens.at[p->ts.tokens.at[p->pos + 1].match + 1].kind);
}

// Whether "uniform" begins a type, that is, whether it is followed by another type.
static bool starts_uniform_type(Parser *p)
{
    if (!parse_at(p, T_NAME) || parse_current(p)->name != session_sym(p->cx, "uniform"))
        return false;
    TokenKind next = parse_peek(p, 1);
    return next == T_NAME || next == T_FN || next == T_LPAREN ||
           (next == T_LBRACKET &&
            token_starts_type(p->ts.tokens.at[p->ts.tokens.at[p->pos + 1].match + 1].kind));
}

// Whether "uniform" can only begin a type. Before a bracket or a parenthesis, it may also be the
// name of a value or a function.
static bool starts_pure_uniform_type(Parser *p)
{
    return starts_uniform_type(p) && parse_peek(p, 1) != T_LBRACKET && parse_peek(p, 1) != T_LPAREN;
}

// Whether a type begins here, and not an expression.
bool starts_pure_type(Parser *p)
{
    return starts_vector_type(p) || starts_pure_uniform_type(p) ||
           (parse_at(p, T_FN) && parse_peek(p, 1) == T_LPAREN) || starts_array_type(p);
}

static bool ends_argument(TokenKind k)
{
    return k == T_COMMA || k == T_RBRACKET;
}

// Whether parentheses that are a whole generic argument contain a tuple type rather than a size.
static bool starts_tuple_type(Parser *p)
{
    int end = parse_current(p)->match, level = parse_current(p)->level + 1;
    if (!parse_at(p, T_LPAREN) || !ends_argument(p->ts.tokens.at[end + 1].kind)) return false;
    for (int i = p->pos + 1; i < end; i++)
        if (p->ts.tokens.at[i].kind == T_COMMA && p->ts.tokens.at[i].level == level) return true;
    return end == p->pos + 1;
}

// Parses a generic argument, which is a size or a type. A lone name may be either and becomes
// AST_NAME, for infer/ to decide; Name[...] is a type here, since sizes have no indices.
static Ast *parse_generic_arg(Parser *p)
{
    bool named = parse_at(p, T_NAME) && parse_peek(p, 1) == T_LBRACKET &&
                 ends_argument(p->ts.tokens.at[p->ts.tokens.at[p->pos + 1].match + 1].kind);
    return named || parse_at(p, T_BIT_AND) || starts_pure_type(p) || starts_tuple_type(p)
               ? parse_type(p)
               : parse_expr(p);
}

// generics = "[" [argument {"," argument} [","]] "]", argument = type | expr
void parse_generic_args(Parser *p, Ast *e)
{
    bool outer = p->no_struct;
    p->no_struct = false;
    int open = parse_open_list(p);
    while (parse_in_list(p, open)) {
        Ast *arg = parse_generic_arg(p);
        vec_push(p->cx->arena, &e->generics, arg);
        if (arg->height >= e->height) e->height = arg->height + 1;
        parse_end_element(p, open);
    }
    parse_close_list(p, open);
    p->no_struct = outer;
}

static Ast *plain_type(Parser *p);
static Ast *plain_result(Parser *p);
static Ast *with_strides(Parser *p, Ast *e, bool allowed);

// Parses a list of types. If `strided` is true, that word may follow each type.
static void parse_types(Parser *p, Ast *e, bool strided)
{
    int open = parse_open_list(p);
    while (parse_in_list(p, open)) {
        ast_add(p, e, with_strides(p, plain_type(p), strided));
        parse_end_element(p, open);
    }
    parse_close_list(p, open);
}

// sizes = elements. If there are none, reports `what`.
static void parse_sizes(Parser *p, Ast *e, const char *what)
{
    parse_elements(p, e);
    if (p->panic || e->kids.len > 0) return;
    ast_done(p, e);
    parse_fail(p, E0110, e->span, "%s", what);
}

// bounded sizes = "[" "?" expr {"," expr} [","] "]"
static void parse_bounded_sizes(Parser *p, Ast *e)
{
    int open = parse_open_list(p);
    parse_advance(p); // the ?
    e->value.integer = 1;
    do {
        ast_add(p, e, parse_expr(p));
        parse_end_element(p, open);
    } while (parse_in_list(p, open));
    parse_close_list(p, open);
}

// array type = (sizes | bounded sizes) type
static Ast *parse_array_type(Parser *p)
{
    Ast *e = ast_new(p, AST_TYPE_ARRAY, parse_current(p)->lo);
    int errors = p->cx->errors;
    if (p->pos + 1 < p->ts.tokens.len && p->ts.tokens.at[p->pos + 1].kind == T_QUESTION)
        parse_inside(p, e, parse_bounded_sizes);
    else
        parse_sizes(p, e, "an array type needs its size, as in [n]f32");
    // nothing else follows the malformed [f32; 3]
    bool ends = p->cx->errors > errors && !token_starts_type(parse_current(p)->kind);
    ast_add(p, e, p->panic || ends ? ast_error(p) : plain_type(p));
    return ast_done(p, e);
}

static bool at_space(Parser *p)
{
    const Token *t = parse_current(p);
    return token_is_word(t, "global") || token_is_word(t, "shared") || token_is_word(t, "private");
}

Sym parse_space(Parser *p, Span *span)
{
    if (!at_space(p) || !token_starts_any_type(parse_peek(p, 1))) return session_sym(p->cx, "");
    *span = parse_token_span(p);
    Sym name = parse_current(p)->name;
    parse_advance(p);
    return name;
}

// Whether "shared" begins shared [n]f32, which is no type.
static bool starts_space(Parser *p)
{
    const Token *next = &p->ts.tokens.at[p->pos + 1];
    bool type = parse_peek(p, 1) == T_NAME && !token_is_word(next, "strided");
    if (parse_peek(p, 1) == T_LBRACKET)
        type = token_starts_type(p->ts.tokens.at[next->match + 1].kind);
    return type && at_space(p);
}

// Reports an address space that is neither that of a variable nor that of a reference.
static void misplaced_space(Parser *p)
{
    Span span;
    Sym space = parse_space(p, &span);
    Diag *d = diag_error(p->cx, E0110, span, "an address space is not a part of a type");
    parse_help(p, d,
               arena_printf(p->cx->arena,
                            "it stands before the type of a variable, let mut x: %s [16]f32 = ..., "
                            "or in a reference, &mut %s [16]f32",
                            space->text, space->text));
}

// reference type = "&" ["mut"] ["global" | "shared" | "private"] type
static Ast *parse_reference_type(Parser *p)
{
    Ast *e = ast_new(p, AST_TYPE_REF, parse_current(p)->lo);
    parse_advance(p);
    e->value.integer = parse_accept(p, T_MUT);
    e->name = parse_space(p, &e->name_span);
    ast_add(p, e, plain_type(p));
    return ast_done(p, e);
}

// function type = "fn" "(" [type {"," type}] ")" "->" result
static Ast *parse_function_type(Parser *p)
{
    Ast *e = ast_new(p, AST_TYPE_FN, parse_current(p)->lo);
    parse_advance(p);
    int errors = p->cx->errors;
    if (parse_at(p, T_LPAREN))
        parse_types(p, e, false);
    else
        parse_expect(p, T_LPAREN, "after `fn` in a type");
    if (p->cx->errors > errors && !parse_at(p, T_ARROW)) p->panic = true; // `->` may come later
    if (!p->panic) parse_expect(p, T_ARROW, "before the result of the function type");
    ast_add(p, e, p->panic ? ast_error(p) : plain_result(p));
    return ast_done(p, e);
}

// tuple type = "(" [type {"," type} [","]] ")"; as in expressions, one type without a comma is this
// type itself
static Ast *parse_tuple_type(Parser *p, bool strided)
{
    Ast *e = ast_new(p, AST_TYPE_TUPLE, parse_current(p)->lo);
    parse_types(p, e, strided);
    ast_done(p, e);
    bool comma = p->pos >= 2 && p->ts.tokens.at[p->pos - 2].kind == T_COMMA;
    return e->kids.len == 1 && !comma && !p->panic ? e->kids.at[0] : e;
}

// vector type = "varying" "[" size "]" type
static Ast *parse_vector_type(Parser *p)
{
    Ast *e = ast_new(p, AST_TYPE_VARYING, parse_current(p)->lo);
    parse_advance(p);
    parse_sizes(p, e, "a vector type needs its length, as in varying[8] f32");
    if (!p->panic && e->kids.len > 1) {
        ast_done(p, e);
        parse_fail(p, E0110, e->span, "a vector has only one length, as in varying[8] f32");
    }
    ast_add(p, e, p->panic ? ast_error(p) : plain_type(p));
    return ast_done(p, e);
}

// uniform type = "uniform" type
static Ast *parse_uniform_type(Parser *p)
{
    Ast *e = ast_new(p, AST_TYPE_UNIFORM, parse_current(p)->lo);
    parse_advance(p);
    ast_add(p, e, plain_type(p));
    return ast_done(p, e);
}

// Reports a type with empty brackets, such as f32[], as other languages write array types.
static void no_arguments(Parser *p, const Ast *e)
{
    Diag *d = diag_error(p->cx, E0110, e->span, "the brackets of this type are empty");
    if (e->name)
        parse_help(p, d,
                   arena_printf(p->cx->arena, "the type of an array of n elements is [n]%s",
                                e->name->text));
}

// named type = name [generics], index type = "idx" sizes
static Ast *parse_named_type(Parser *p)
{
    Ast *e = ast_new(p, AST_TYPE_NAME, parse_current(p)->lo);
    e->name = parse_expect_name(p, "a type", &e->name_span);
    if (!parse_at(p, T_LBRACKET)) return ast_done(p, e);
    if (e->name != session_sym(p->cx, "idx")) {
        parse_generic_args(p, e);
        if (!p->panic && e->generics.len == 0) no_arguments(p, ast_done(p, e));
        return ast_done(p, e);
    }
    e->kind = AST_TYPE_IDX;
    e->name = NULL;
    e->name_span = NO_SPAN;
    parse_sizes(p, e, "an index type needs its size, as in idx[n]");
    return ast_done(p, e);
}

static Ast *type_by_token(Parser *p)
{
    switch (parse_current(p)->kind) {
    case T_LBRACKET: return parse_array_type(p);
    case T_LPAREN: return parse_tuple_type(p, false);
    case T_FN: return parse_function_type(p);
    case T_BIT_AND: return parse_reference_type(p);
    case T_NAME:
        if (starts_vector_type(p)) return parse_vector_type(p);
        return starts_uniform_type(p) ? parse_uniform_type(p) : parse_named_type(p);
    default: break;
    }
    Diag *d =
        parse_fail(p, E0110, parse_token_span(p), "expected a type, found %s", parse_describe(p));
    if (p->pos > 0 && p->ts.tokens.at[p->pos - 1].kind == T_RBRACKET)
        parse_help(p, d, "write the element type of an array after its length: [n]f32");
    if (parse_at(p, T_NOT))
        parse_help(p, d, "`!` is only possible as the result of a function that never returns");
    return ast_error(p);
}

// type = array type | vector type | uniform type | index type | tuple type | function type |
// reference type | named type
static Ast *plain_type(Parser *p)
{
    if (!parse_enter(p)) return ast_error(p);
    if (starts_space(p)) misplaced_space(p);
    Ast *e = type_by_token(p);
    parse_leave(p);
    return e;
}

// result = type | "!"
static Ast *plain_result(Parser *p)
{
    if (!parse_at(p, T_NOT)) return plain_type(p);
    Ast *e = ast_new(p, AST_TYPE_NEVER, parse_current(p)->lo);
    parse_advance(p);
    return ast_done(p, e);
}

// Parses `strided` after a type, if it is there.
static Ast *with_strides(Parser *p, Ast *e, bool allowed)
{
    if (p->panic || !token_is_word(parse_current(p), "strided")) return e;
    if (!allowed) {
        Diag *d = diag_error(p->cx, E0125, parse_token_span(p),
                             "`strided` is not possible after this type");
        diag_help(p->cx, d,
                  "it may follow the type of an array that is a parameter or a result of an entry");
    }
    parse_advance(p);
    e->strided = allowed;
    return ast_done(p, e);
}

Ast *parse_type(Parser *p)
{
    return with_strides(p, plain_type(p), false);
}

Ast *parse_strided_type(Parser *p)
{
    return with_strides(p, plain_type(p), true);
}

Ast *parse_result_type(Parser *p, bool strided)
{
    if (strided && parse_at(p, T_LPAREN)) return with_strides(p, parse_tuple_type(p, true), false);
    bool never = parse_at(p, T_NOT);
    return with_strides(p, plain_result(p), strided && !never);
}
