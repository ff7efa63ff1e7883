// Layout of expressions: on one line if the expression fits and contains no comment; otherwise
// broken by kind. A comment forces breaking only if the broken layout has a line for it. Otherwise
// the comment would move out of the expression, and formatting the output again would not break it.
#include "syntax/format/format.h"

#include <string.h>

static void format_broken(Format *f, const Ast *e, int reserve);

// Returns the precedence of the binary operator of `e`, or PREC_NONE if it has none.
static Prec operator_prec(const Ast *e)
{
    if (e->kind == AST_PIPE) return PREC_PIPE;
    if (e->kind == AST_COMPOSE) return PREC_COMPOSE;
    if (e->kind == AST_ELSE) return PREC_ELSE;
    if (e->kind == AST_APPLY_AT) return PREC_APPLY_AT;
    for (int k = 0; e->kind == AST_BINARY && k < TOKEN_COUNT; k++)
        if (token_info[k].prec != PREC_NONE && strcmp(token_info[k].text, e->name->text) == 0)
            return token_info[k].prec;
    return PREC_NONE;
}

static const char *operator_sign(const Ast *e)
{
    if (e->kind == AST_PIPE) return "|>";
    if (e->kind == AST_COMPOSE) return ">>";
    return e->kind == AST_BINARY ? e->name->text : ast_kind_text[e->kind];
}

static const Ast *last_kid(const Ast *e)
{
    return vec_last(&e->kids);
}

// Whether a comment inside e gets a line of its own, or the end of a line, if e is broken.
static bool forced(const Format *f, const Ast *e)
{
    if (!e || !format_has_comment(f, e->span.lo, e->span.hi)) return false;
    switch (e->kind) {
    case AST_BINARY:
    case AST_PIPE:
    case AST_COMPOSE:
    case AST_ELSE:
    case AST_APPLY_AT:
        return format_has_comment(f, e->span.lo, last_kid(e)->span.lo) || forced(f, last_kid(e));
    case AST_CALL:
    case AST_INDEX:
        return format_has_comment(f, e->kids.at[0]->span.hi, e->span.hi) ||
               forced(f, e->kids.at[0]);
    case AST_SLICE:
        return forced(f, e->kids.at[0]) || forced(f, e->kids.at[1]) || forced(f, e->kids.at[2]);
    case AST_UNARY:
    case AST_REF:
    case AST_DEREF:
    case AST_KNOWN:
    case AST_HIDE:
    case AST_RUN:
    case AST_SPREAD:
    case AST_CAST:
    case AST_FIELD:
    case AST_PROJ: return forced(f, e->kids.at[0]);
    case AST_LAMBDA:
    case AST_LET:
    case AST_ASSIGN:
    case AST_INIT: return forced(f, last_kid(e));
    case AST_WITH_LOOP:
        return format_has_comment(f, e->span.lo, last_kid(e)->span.lo) || forced(f, last_kid(e));
    case AST_MODARRAY: return e->value.integer ? forced(f, e->kids.at[0]) : true;
    case AST_GENERATOR:
    case AST_GENARRAY:
    case AST_FOLD:
    case AST_TUPLE:
    case AST_ARRAY:
    case AST_STRUCT:
    case AST_PAREN:
    case AST_MODE: return true;
    default: return ast_is_block_like(e);
    }
}

// Whether e and `reserve` columns after it fit on the line.
static bool fits(Format *f, const Ast *e, int reserve)
{
    if (forced(f, e)) return false;
    Printer pr = format_measure(f, reserve);
    printer_ast(&pr, e);
    return !pr.full;
}

void format_put(Format *f, const Ast *e)
{
    Printer pr = format_flat(f);
    printer_ast(&pr, e);
}

static bool is_number(const Ast *e)
{
    if (e->kind == AST_UNARY) return is_number(e->kids.at[0]);
    if (e->kind == AST_BINARY) return is_number(e->kids.at[0]) && is_number(e->kids.at[1]);
    return e->kind == AST_INT || e->kind == AST_FLOAT;
}

static bool all_numbers(Ast *const *at, int len)
{
    for (int i = 0; i < len; i++)
        if (!is_number(at[i])) return false;
    return len > 4;
}

// Prints a list of many numbers, with as many on each line as fit.
static void format_numbers(Format *f, Ast *const *at, int len)
{
    format_flush_comments(f, at[0]->span.lo, true);
    for (int i = 0; i < len; i++) {
        Printer pr = format_measure(f, 2);
        printer_ast(&pr, at[i]);
        if (i == 0 || pr.full)
            format_new_line(f);
        else
            text_char(f->out, ' ');
        format_put(f, at[i]);
        text_char(f->out, ',');
    }
}

// Prints a list with one element on each line. An arm that ends in a block has no comma.
void format_list(Format *f, Brackets b, Ast *const *at, int len)
{
    text_put(f->out, b.open);
    if (len > 0 || format_has_comment(f, 0, b.hi)) {
        f->indent += INDENT;
        format_finish_line(f, b.lo, len ? at[0]->span.lo : b.hi);
        if (b.comma && all_numbers(at, len) && !format_has_comment(f, at[0]->span.lo, b.hi)) {
            format_numbers(f, at, len);
            len = 0;
        }
        for (int i = 0; i < len; i++) {
            format_start_line(f, at[i]->span.lo, i == 0);
            format_ast(f, at[i], 1);
            bool arm = at[i]->kind == AST_ARM && ast_is_block_like(last_kid(at[i]));
            if (b.comma && !arm) text_char(f->out, ',');
            format_finish_line(f, at[i]->span.hi, i + 1 < len ? at[i + 1]->span.lo : b.hi);
        }
        format_flush_comments(f, b.hi, len == 0);
        f->indent -= INDENT;
        format_new_line(f);
    }
    text_put(f->out, b.close);
}

// Prints the part of e before `end`. From e, `end` is reached by descending into the last operand
// of a pipe or composition, the last argument of a call, or the body of a lambda.
static void print_head(Printer *pr, const Ast *e, const Ast *end)
{
    while (e != end && !pr->full) {
        bool call = e->kind == AST_CALL, lambda = e->kind == AST_LAMBDA;
        if (lambda) printer_text(pr, "|");
        for (int i = 0; i + 1 < e->kids.len; i++) {
            if (i > (call ? 1 : 0)) printer_text(pr, ", ");
            printer_ast(pr, e->kids.at[i]);
            if (call && i == 0) printer_text(pr, "(");
        }
        if (call && e->kids.len > 2) printer_text(pr, ", ");
        if (!call) printer_text(pr, lambda ? "| " : e->kind == AST_PIPE ? " |> " : " >> ");
        e = last_kid(e);
    }
}

static bool head_fits(Format *f, const Ast *e, const Ast *end)
{
    Printer pr = format_measure(f, 2);
    print_head(&pr, e, end);
    return !pr.full;
}

static void put_head(Format *f, const Ast *e, const Ast *end)
{
    Printer pr = format_flat(f);
    print_head(&pr, e, end);
}

// Returns the block at the end of e, before closing parentheses, as in a |> map(|x| { ... }) or
// try({ ... }). Returns NULL if there is none, or if there is a comment elsewhere. However,
// comments before the body of a lambda are allowed, since they move into the block.
static const Ast *tail_block(const Format *f, const Ast *e)
{
    uint32_t end = e->span.hi;
    for (bool in_lambda = false, call = false;; e = last_kid(e)) {
        if (e->kind == AST_BLOCK || e->kind == AST_SEQUENCE)
            return (in_lambda || call) && !format_has_comment(f, e->span.hi, end) ? e : NULL;
        in_lambda = e->kind == AST_LAMBDA;
        call = e->kind == AST_CALL && e->kids.len > 1 &&
               (last_kid(e)->kind == AST_LAMBDA || last_kid(e)->kind == AST_SEQUENCE);
        bool pipe = e->kind == AST_PIPE || e->kind == AST_COMPOSE;
        if (!in_lambda && !call && !pipe) return NULL;
        if (!in_lambda && format_has_comment(f, e->span.lo, last_kid(e)->span.lo)) return NULL;
    }
}

// Lays out e around its last block, with everything else on one line. Returns false if this is not
// possible.
static bool format_around_block(Format *f, const Ast *e)
{
    const Ast *block = tail_block(f, e);
    if (!block || !head_fits(f, e, block)) return false;
    put_head(f, e, block);
    format_block(f, block);
    for (; e != block; e = last_kid(e))
        if (e->kind == AST_CALL) text_char(f->out, ')');
    return true;
}

static bool is_breakable(const Ast *e)
{
    return operator_prec(e) != PREC_NONE || e->kind == AST_CALL || e->kind == AST_TUPLE ||
           e->kind == AST_ARRAY || e->kind == AST_STRUCT || e->kind == AST_WITH_LOOP ||
           (ast_is_block_like(e) && e->kind != AST_BLOCK);
}

// Lays out a call around the broken body of the lambda that is its last argument. Returns false if
// there is no such lambda, if it fits on a line of its own, or if there is a comment outside it.
static bool format_around_body(Format *f, const Ast *e, int reserve)
{
    const Ast *lambda = last_kid(e);
    if (e->kids.len < 2 || lambda->kind != AST_LAMBDA) return false;
    const Ast *body = last_kid(lambda);
    Printer line = {
        .source = f->source, .measure = true, .room = LINE_WIDTH - f->indent - INDENT - 1};
    printer_ast(&line, lambda);
    if (!is_breakable(body) || !head_fits(f, e, body) || (!line.full && !forced(f, body)) ||
        format_has_comment(f, e->span.lo, lambda->span.lo) ||
        format_has_comment(f, body->span.hi, e->span.hi))
        return false;
    put_head(f, e, body);
    format_broken(f, body, reserve + 1);
    text_char(f->out, ')');
    return true;
}

static void format_call(Format *f, const Ast *e, int reserve)
{
    const Ast *callee = e->kids.at[0];
    bool call = e->kind == AST_CALL;
    if (call && format_around_body(f, e, reserve)) return;
    format_ast(f, callee, 1);
    Brackets b = {call ? "(" : "[", call ? ")" : "]", true, callee->span.hi, e->span.hi};
    format_list(f, b, e->kids.at + 1, e->kids.len - 1);
}

// Prints a chain of operators of one precedence, or of pipes or compositions:
//     a
//         + b
//         - c
static void format_chain(Format *f, const Ast *e, int reserve)
{
    VEC(const Ast *) links = {0};
    Prec prec = operator_prec(e);
    const Ast *first = e;
    for (; operator_prec(first) == prec; first = first->kids.at[0])
        vec_push(f->cx->arena, &links, first);
    format_ast(f, first, 0);
    f->indent += INDENT;
    format_finish_line(f, first->span.hi, vec_last(&links)->kids.at[1]->span.lo);
    for (int i = links.len - 1; i >= 0; i--) {
        const Ast *link = links.at[i], *right = link->kids.at[1];
        format_flush_comments(f, right->span.lo, true);
        format_new_line(f);
        text_put(f->out, operator_sign(link));
        text_char(f->out, ' ');
        format_ast(f, right, i == 0 ? reserve : 0);
        if (i > 0) format_finish_line(f, right->span.hi, links.at[i - 1]->kids.at[1]->span.lo);
    }
    f->indent -= INDENT;
}

// Prints `left => right` or, if that does not fit on the line, breaks it before the `=>`.
void format_equation(Format *f, const Ast *left, const Ast *right)
{
    Printer line = format_measure(f, 4);
    printer_ast(&line, left);
    if (!line.full) printer_ast(&line, right);
    bool broken =
        line.full || format_has_comment(f, left->span.lo, right->span.lo) || forced(f, right);
    format_ast(f, left, broken ? 0 : 4);
    f->indent += INDENT;
    if (broken) {
        format_finish_line(f, left->span.hi, right->span.lo);
        format_flush_comments(f, right->span.lo, true);
        format_new_line(f);
    } else {
        text_char(f->out, ' ');
    }
    text_put(f->out, "=> ");
    format_ast(f, right, 0);
    f->indent -= INDENT;
}

static void format_struct(Format *f, const Ast *e)
{
    Printer pr = format_flat(f);
    Ast head = *e;
    head.kind = AST_NAME;
    printer_ast(&pr, &head);
    Brackets b = {" {", "}", true, e->name_span.hi, e->span.hi};
    format_list(f, b, e->kids.at, e->kids.len);
}

static void format_slice(Format *f, const Ast *e)
{
    format_ast(f, e->kids.at[0], 1);
    text_char(f->out, '[');
    if (e->kids.at[1]) format_ast(f, e->kids.at[1], 3);
    text_put(f->out, "..");
    if (e->kids.at[2]) format_ast(f, e->kids.at[2], 1);
    text_char(f->out, ']');
}

// Returns the one-line text of e without `part`, which is the end of e if `before` is true, and its
// beginning otherwise.
static const char *beside(Format *f, const Ast *e, const Ast *part, bool before)
{
    Text whole = text_new(f->cx->arena), inner = text_new(f->cx->arena);
    Printer pr = format_flat(f);
    pr.out = &whole;
    printer_ast(&pr, e);
    pr.out = &inner;
    printer_ast(&pr, part);
    const char *text = text_get(&whole);
    return before ? arena_strndup(f->cx->arena, text, whole.len - inner.len) : text + inner.len;
}

// Prints a prefix operator and its broken operand.
static void format_prefix(Format *f, const Ast *e, int reserve)
{
    text_put(f->out, beside(f, e, e->kids.at[0], true));
    format_ast(f, e->kids.at[0], reserve);
}

// Prints a broken operand and the suffix after it.
static void format_postfix(Format *f, const Ast *e)
{
    format_ast(f, e->kids.at[0], 1);
    text_put(f->out, beside(f, e, e->kids.at[0], false));
}

static void format_brackets(Format *f, const Ast *e, const char *open, const char *close,
                            bool comma)
{
    Brackets b = {open, close, comma, e->span.lo + 1, e->span.hi};
    format_list(f, b, e->kids.at, e->kids.len);
}

static void format_broken(Format *f, const Ast *e, int reserve)
{
    if (format_around_block(f, e)) return;
    switch (e->kind) {
    case AST_BINARY:
    case AST_PIPE:
    case AST_COMPOSE:
    case AST_ELSE:
    case AST_APPLY_AT: format_chain(f, e, reserve); return;
    case AST_CALL:
    case AST_INDEX: format_call(f, e, reserve); return;
    case AST_LAMBDA:
        put_head(f, e, last_kid(e));
        format_ast(f, last_kid(e), reserve);
        return;
    case AST_LET: format_let(f, e); return;
    case AST_FN: format_function(f, e->value.item); return;
    case AST_ASSIGN: format_assignment(f, e); return;
    case AST_ARM: format_arm(f, e); return;
    case AST_STRUCT: format_struct(f, e); return;
    case AST_TUPLE: format_brackets(f, e, "(", ")", true); return;
    case AST_ARRAY: format_brackets(f, e, "[", "]", true); return;
    case AST_PAREN: format_brackets(f, e, "(", ")", false); return;
    case AST_MODE: format_brackets(f, e, "const(", ")", false); return;
    case AST_WITH_LOOP: format_with_loop(f, e, reserve); return;
    case AST_GENERATOR: format_generator(f, e); return;
    case AST_GENARRAY: format_brackets(f, e, "genarray(", ")", true); return;
    case AST_FOLD: format_brackets(f, e, "fold(", ")", true); return;
    case AST_MODARRAY:
        if (e->value.integer)
            format_prefix(f, e, reserve);
        else
            format_brackets(f, e, "modarray(", ")", true);
        return;
    case AST_CAST:
    case AST_FIELD:
    case AST_PROJ: format_postfix(f, e); return;
    case AST_SLICE: format_slice(f, e); return;
    case AST_INIT:
    case AST_UNARY:
    case AST_REF:
    case AST_DEREF:
    case AST_KNOWN:
    case AST_HIDE:
    case AST_RUN:
    case AST_SPREAD: format_prefix(f, e, reserve); return;
    case AST_BLOCK:
    case AST_SEQUENCE: format_block(f, e); return;
    case AST_RULE: format_rule(f, e); return;
    case AST_IF: format_if(f, e); return;
    case AST_MATCH: format_match(f, e); return;
    case AST_WHILE:
    case AST_LOOP:
    case AST_FOR:
    case AST_WITH:
    case AST_UNCHECKED:
    case AST_SCALAR: format_construct(f, e); return;
    default: format_put(f, e); return;
    }
}

void format_ast(Format *f, const Ast *e, int reserve)
{
    if (is_tuple_assignment(e)) e = e->value.written;
    if (fits(f, e, reserve))
        format_put(f, e);
    else
        format_broken(f, e, reserve);
}
