// Layout of blocks, statements, and the constructs that end in a block.
#include "syntax/format/format.h"

// Whether a block is printed as {}. Comments before the block that have not been printed move into
// it.
static bool is_bare(const Format *f, const Ast *e)
{
    return is_empty_block(e) && !format_has_comment(f, 0, e->span.hi);
}

// Prints a block, or a sequence.
void format_block(Format *f, const Ast *e)
{
    int len = e->kids.len;
    if (e->kind == AST_BLOCK && !vec_last(&e->kids)) len--;
    bool bare = is_bare(f, e);
    text_put(f->out, bare ? "{}" : "{");
    if (bare) return;
    f->indent += INDENT;
    format_finish_line(f, e->span.lo + 1, len ? e->kids.at[0]->span.lo : e->span.hi);
    for (int i = 0; i < len; i++) {
        const Ast *kid = e->kids.at[i];
        bool semicolon = statement_has_semicolon(e, i);
        format_start_line(f, kid->span.lo, i == 0);
        format_ast(f, kid, semicolon);
        if (semicolon) text_char(f->out, ';');
        format_finish_line(f, kid->span.hi, i + 1 < len ? e->kids.at[i + 1]->span.lo : e->span.hi);
    }
    format_flush_comments(f, e->span.hi, len == 0);
    f->indent -= INDENT;
    format_new_line(f);
    text_char(f->out, '}');
}

void format_if(Format *f, const Ast *e)
{
    for (const Ast *next; e->kind == AST_IF; e = next) {
        text_put(f->out, "if ");
        format_ast(f, e->kids.at[0], 2);
        text_char(f->out, ' ');
        format_block(f, e->kids.at[1]);
        next = e->kids.at[2];
        if (!next) return;
        text_put(f->out, " else ");
    }
    format_block(f, e);
}

// Prints like print_construct, but breaks the head and the block where necessary.
void format_construct(Format *f, const Ast *e)
{
    int head = e->kids.len - 2;
    text_put(f->out, ast_kind_text[e->kind]);
    for (int i = 0; i < head; i++) {
        text_put(f->out, i ? ", " : " ");
        format_put(f, e->kids.at[i]);
    }
    if (head > 0) text_put(f->out, " in");
    const char *bar = e->kind == AST_SCALAR && head >= 0 ? "|" : "";
    text_printf(f->out, " %s", bar);
    if (head >= 0) {
        format_ast(f, e->kids.at[head], 2);
        text_printf(f->out, "%s ", bar);
    }
    format_block(f, vec_last(&e->kids));
}

void format_generator(Format *f, const Ast *e)
{
    Printer pr = format_flat(f);
    printer_generator_head(&pr, e);
    text_char(f->out, ' ');
    format_block(f, e->kids.at[GENERATOR_BODY]);
}

// Prints a with-loop with a single generator:
//     with (lo <= iv < hi) {
//         body
//     } operator
static void format_one_generator(Format *f, const Ast *e, int reserve)
{
    const Ast *generator = e->kids.at[0], *operator= e->kids.at[1];
    text_put(f->out, "with ");
    format_generator(f, generator);
    if (format_has_comment(f, generator->span.hi, operator->span.lo)) {
        format_finish_line(f, generator->span.hi, operator->span.lo);
        format_start_line(f, operator->span.lo, false);
    } else {
        text_char(f->out, ' ');
    }
    format_ast(f, operator, reserve);
}

// Prints a with-loop with several generators:
//     with
//         (lo <= iv < hi) { body }
//         (hi <= iv) { body }
//         operator
void format_with_loop(Format *f, const Ast *e, int reserve)
{
    if (e->kids.len == 2) {
        format_one_generator(f, e, reserve);
        return;
    }
    text_put(f->out, "with");
    f->indent += INDENT;
    for (int i = 0; i < e->kids.len; i++) {
        const Ast *kid = e->kids.at[i];
        bool last = i + 1 == e->kids.len;
        format_start_line(f, kid->span.lo, i == 0);
        format_ast(f, kid, last ? reserve : 0);
        if (!last) format_finish_line(f, kid->span.hi, e->kids.at[i + 1]->span.lo);
    }
    f->indent -= INDENT;
}

// Prints { left => right }. The right side has a line of its own if necessary.
void format_rule(Format *f, const Ast *e)
{
    const Ast *left = e->kids.at[0], *right = e->kids.at[1];
    text_char(f->out, '{');
    f->indent += INDENT;
    format_finish_line(f, e->span.lo + 1, left->span.lo);
    format_start_line(f, left->span.lo, true);
    format_equation(f, left, right);
    format_finish_line(f, right->span.hi, e->span.hi);
    format_flush_comments(f, e->span.hi, false);
    f->indent -= INDENT;
    format_new_line(f);
    text_char(f->out, '}');
}

void format_match(Format *f, const Ast *e)
{
    text_put(f->out, "match ");
    format_ast(f, e->kids.at[0], 2);
    Brackets b = {" {", "}", true, e->kids.at[0]->span.hi, e->span.hi};
    format_list(f, b, e->kids.at + 1, e->kids.len - 1);
}

void format_arm(Format *f, const Ast *e)
{
    format_put(f, e->kids.at[0]);
    if (e->kids.at[1]) {
        text_put(f->out, " if ");
        format_ast(f, e->kids.at[1], 4);
    }
    text_put(f->out, " => ");
    format_ast(f, e->kids.at[2], 1);
}

void format_let(Format *f, const Ast *e)
{
    text_put(f->out, e->value.integer ? "let mut " : "let ");
    format_put(f, e->kids.at[0]);
    if (e->kids.at[1]) {
        text_put(f->out, ": ");
        if (e->name) text_printf(f->out, "%s ", e->name->text);
        format_put(f, e->kids.at[1]);
    }
    text_put(f->out, " = ");
    format_ast(f, e->kids.at[2], 1);
}

void format_assignment(Format *f, const Ast *e)
{
    format_ast(f, e->kids.at[0], 4);
    text_printf(f->out, " %s= ", e->name->text);
    format_ast(f, e->kids.at[1], 1);
}
