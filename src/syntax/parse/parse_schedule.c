// Rules, strategies and schedules as items. Their keywords are contextual.
#include "syntax/parse/parse.h"

const char *const float_class_text[] = {
    [FP_EXACT] = "exact", [FP_CONTRACT] = "contract", [FP_REASSOCIATE] = "reassociate"};

// Parses the two sides of a rule independently, so that an error in one does not hide errors in the
// other.
static void parse_equation(Parser *p, Ast *e)
{
    int open = parse_open_list(p);
    ast_add(p, e, parse_expr(p));
    if (!p->panic && !parse_at(p, T_FAT_ARROW)) {
        Diag *d =
            parse_fail(p, E0110, parse_token_span(p),
                       "expected `=>` between the sides of the rule, found %s", parse_describe(p));
        parse_help(p, d, "a rule is one equation: { left => right }");
    }
    while (p->panic && parse_in_list(p, open) && !parse_at(p, T_FAT_ARROW)) parse_skip_one(p);
    if (parse_in_list(p, open) && parse_accept(p, T_FAT_ARROW)) p->panic = false;
    ast_add(p, e, p->panic ? ast_error(p) : parse_expr(p));
    if (!p->panic && parse_in_list(p, open) && !parse_never_closed(p, open)) {
        Diag *d = parse_fail(p, E0110, parse_token_span(p), "expected `}` after the rule, found %s",
                             parse_describe(p));
        parse_help(p, d, "a rule is one equation, { left => right }, without anything after it");
    }
    parse_close_list(p, open);
}

// Whether these parentheses hold the numeric parameters of a rule: they do if another pair of
// parentheses, or generic parameters, follows.
static bool at_numbers(Parser *p)
{
    if (p->panic || !parse_at(p, T_LPAREN)) return false;
    TokenKind next = p->ts.tokens.at[parse_current(p)->match + 1].kind;
    return next == T_LBRACKET || next == T_LPAREN;
}

// numbers = "(" [name ":" "nat" {"," name ":" "nat"} [","]] ")"
static void parse_numbers(Parser *p, Item *item)
{
    parse_params(p, item, T_LPAREN, "number");
    item->numbers = item->params;
    item->params = (AstParamVec){0};
    for (int i = 0; i < item->numbers.len; i++) {
        const Ast *type = item->numbers.at[i].type;
        if (type->kind == AST_ERROR || type->name == session_sym(p->cx, "nat")) continue;
        Diag *d = diag_error(p->cx, E0118, type->span, "the numbers of a rule are of the kind nat");
        diag_help(p->cx, d, "put values in parentheses of their own: rule r(m: nat)(xs: [n]f32)");
    }
}

static void no_result(Parser *p, const char *what)
{
    if (p->panic || !parse_at(p, T_ARROW)) return;
    parse_fail(p, E0110, parse_token_span(p), "a %s has no result type", what);
}

// rule = ["contract" | "reassociate"] "rule" name [numbers] [generic parameters] parameters [where]
//        equation
// equation = "{" expr "=>" expr "}"
void parse_rule(Parser *p, Item *item)
{
    parse_item_name(p, item, "the name of a rule");
    if (at_numbers(p)) parse_numbers(p, item);
    parse_generics(p, item);
    parse_params(p, item, T_LPAREN, "parameter");
    no_result(p, "rule");
    parse_where(p, item);
    parse_find_block(p, 0, "before the sides of the rule");
    item->body = p->panic ? ast_error(p) : parse_bracketed(p, AST_RULE, parse_equation);
}

static void parse_body_of(Parser *p, Item *item)
{
    parse_find_block(p, 0, "to begin a sequence");
    item->body = p->panic ? ast_error(p) : parse_sequence(p);
}

// strategy = "strategy" name "(" [name ":" kind {"," name ":" kind} [","]] ")" sequence
void parse_strategy_item(Parser *p, Item *item)
{
    parse_item_name(p, item, "the name of a strategy");
    parse_params(p, item, T_LPAREN, "parameter");
    no_result(p, "strategy");
    parse_body_of(p, item);
}

// choices = "tune" "(" expr {"," expr} [","] ")" | expr
static void parse_choices(Parser *p, AstNumber *number)
{
    Arena *arena = p->cx->arena;
    if (!token_is_word(parse_current(p), "tune") || parse_peek(p, 1) != T_LPAREN) {
        vec_push(arena, &number->choices, parse_expr(p));
        return;
    }
    uint32_t lo = parse_current(p)->lo;
    parse_advance(p);
    int open = parse_open_list(p);
    while (parse_in_list(p, open)) {
        vec_push(arena, &number->choices, parse_expr(p));
        parse_end_element(p, open);
    }
    parse_close_list(p, open);
    if (number->choices.len > 0) return;
    Diag *d =
        parse_fail(p, E0110, parse_span_since(p, lo), "`tune` needs the numbers to choose from");
    parse_help(p, d, "for example tune(64, 128, 256)");
}

// tuned = "(" [name "=" choices {"," name "=" choices} [","]] ")"
static void parse_tuned(Parser *p, Item *item)
{
    if (p->panic || !parse_at(p, T_LPAREN)) return;
    int errors = p->cx->errors;
    int open = parse_open_list(p);
    while (parse_in_list(p, open)) {
        AstNumber number = {0};
        if (!parse_at(p, T_NAME) && p->cx->errors > errors) p->panic = true; // text after an error
        number.name = parse_expect_name(p, "the name of a number", &number.span);
        if (!p->panic) parse_expect(p, T_ASSIGN, "and what the number is");
        if (!p->panic) parse_choices(p, &number);
        if (!p->panic) vec_push(p->cx->arena, &item->tuned, number);
        parse_end_element(p, open);
    }
    parse_close_list(p, open);
}

// allow = "allow" ("contract" | "reassociate")
static void parse_allow(Parser *p, Item *item)
{
    if (p->panic || !parse_accept_word(p, "allow")) return;
    if (parse_accept_word(p, "contract"))
        item->fp = FP_CONTRACT;
    else if (parse_accept_word(p, "reassociate"))
        item->fp = FP_REASSOCIATE;
    else
        parse_fail(p, E0110, parse_token_span(p),
                   "expected `contract` or `reassociate` after `allow`, found %s",
                   parse_describe(p));
}

// schedule = "schedule" name ["for" name] [tuned] [allow] sequence
void parse_schedule(Parser *p, Item *item)
{
    parse_item_name(p, item, "the name of a function");
    if (!p->panic && parse_accept(p, T_FOR))
        item->target = parse_expect_name(p, "the name of a target", &item->target_span);
    parse_tuned(p, item);
    parse_allow(p, item);
    parse_body_of(p, item);
}
