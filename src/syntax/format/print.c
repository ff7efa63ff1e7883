// Prints expressions and types on one line. AST_PAREN represents parentheses, so none are added.
#include "syntax/format/format.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const ast_kind_text[AST_COUNT] = {
#define AST(kind, text) text,
#include "syntax/tree/ast.def"
#undef AST
};

static void print_bytes(Printer *pr, const char *bytes, size_t len)
{
    if (!pr->measure) {
        text_add(pr->out, bytes, len);
        return;
    }
    for (size_t i = 0; i < len; i++) pr->room -= ((unsigned char)bytes[i] & 0xc0) != 0x80;
    pr->full |= pr->room < 0;
}

void printer_text(Printer *pr, const char *text)
{
    print_bytes(pr, text, strlen(text));
}

static void print_list(Printer *pr, const char *before, Ast *const *at, int len, const char *after)
{
    printer_text(pr, before);
    for (int i = 0; i < len && !pr->full; i++) {
        if (i > 0) printer_text(pr, ", ");
        printer_ast(pr, at[i]);
    }
    printer_text(pr, after);
}

// Prints a tuple. If it has one component, it keeps its comma, which distinguishes it from
// parentheses.
static void print_tuple(Printer *pr, const Ast *e)
{
    print_list(pr, "(", e->kids.at, e->kids.len, e->kids.len == 1 ? ",)" : ")");
}

void printer_string(Printer *pr, const char *text)
{
    printer_text(pr, "\"");
    for (; *text; text++) {
        const char *escape = *text == '\n'   ? "\\n"
                             : *text == '\t' ? "\\t"
                             : *text == '\r' ? "\\r"
                             : *text == '"'  ? "\\\""
                             : *text == '\\' ? "\\\\"
                                             : NULL;
        unsigned char c = (unsigned char)*text;
        char unicode[16];
        snprintf(unicode, sizeof unicode, "\\u{%x}", c);
        if (!escape && (c < ' ' || c == 127)) escape = unicode;
        print_bytes(pr, escape ? escape : text, escape ? strlen(escape) : 1);
    }
    printer_text(pr, "\"");
}

// Prints the shortest decimal form that reads back as the same number, with a point or an exponent.
static void print_number(Printer *pr, double number)
{
    char text[40];
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, number);
        if (strtod(text, NULL) == number) break;
    }
    printer_text(pr, text);
    if (!strpbrk(text, ".e")) printer_text(pr, ".0");
}

static void print_literal(Printer *pr, const Ast *e)
{
    char text[40];
    if (pr->source && e->span.hi <= pr->source->len) {
        print_bytes(pr, pr->source->text + e->span.lo, e->span.hi - e->span.lo);
        return;
    }
    switch (e->kind) {
    case AST_BOOL: printer_text(pr, e->value.integer ? "true" : "false"); break;
    case AST_STRING: printer_string(pr, e->value.string); break;
    case AST_FLOAT: print_number(pr, e->value.number); break;
    default:
        snprintf(text, sizeof text, "%llu", (unsigned long long)e->value.integer);
        printer_text(pr, text);
    }
    if (e->suffix) printer_text(pr, e->suffix->text);
}

static void print_name(Printer *pr, const Ast *e)
{
    if (e->name) printer_text(pr, e->name->text);
    if (e->generics.len) print_list(pr, "[", e->generics.at, e->generics.len, "]");
}

static void print_infix(Printer *pr, const Ast *e, const char *operator)
{
    printer_ast(pr, e->kids.at[0]);
    printer_text(pr, " ");
    printer_text(pr, operator);
    printer_text(pr, " ");
    printer_ast(pr, e->kids.at[1]);
}

static void print_slice(Printer *pr, const Ast *e)
{
    printer_ast(pr, e->kids.at[0]);
    printer_text(pr, "[");
    if (e->kids.at[1]) printer_ast(pr, e->kids.at[1]);
    printer_text(pr, "..");
    if (e->kids.at[2]) printer_ast(pr, e->kids.at[2]);
    printer_text(pr, "]");
}

bool is_empty_block(const Ast *e)
{
    return e->kind == AST_SEQUENCE ? e->kids.len == 0
                                   : e->kind == AST_BLOCK && e->kids.len == 1 && !e->kids.at[0];
}

static void print_if(Printer *pr, const Ast *e)
{
    print_list(pr, "if ", e->kids.at, 1, " ");
    printer_ast(pr, e->kids.at[1]);
    if (e->kids.at[2]) print_list(pr, " else ", &e->kids.at[2], 1, "");
}

// Prints a loop, `unchecked` or `scalar`: patterns and `in`, a condition or call, and a block. Only
// the block is always present. The block of a loop has lines of its own.
static void print_construct(Printer *pr, const Ast *e)
{
    int head = e->kids.len - 2;
    const Ast *block = vec_last(&e->kids);
    bool loop = e->kind != AST_UNCHECKED && e->kind != AST_SCALAR;
    if (pr->measure && loop && !is_empty_block(block)) pr->full = true;
    printer_text(pr, ast_kind_text[e->kind]);
    if (head > 0) print_list(pr, " ", e->kids.at, head, " in");
    const char *bar = e->kind == AST_SCALAR ? "|" : "";
    if (head >= 0) print_list(pr, e->kind == AST_SCALAR ? " |" : " ", &e->kids.at[head], 1, bar);
    printer_text(pr, " ");
    printer_ast(pr, block);
}

// Prints the head of a generator: (lo <= iv < hi step s width w).
void printer_generator_head(Printer *pr, const Ast *e)
{
    const Ast *lower = e->kids.at[GENERATOR_LOWER], *upper = e->kids.at[GENERATOR_UPPER];
    const Ast *step = e->kids.at[GENERATOR_STEP], *width = e->kids.at[GENERATOR_WIDTH];
    printer_text(pr, "(");
    if (lower)
        print_list(pr, "", &e->kids.at[GENERATOR_LOWER], 1,
                   e->value.integer & GENERATOR_ABOVE ? " < " : " <= ");
    printer_ast(pr, e->kids.at[GENERATOR_INDEX]);
    if (upper) printer_text(pr, e->value.integer & GENERATOR_BELOW ? " < " : " <= ");
    if (upper) printer_ast(pr, upper);
    if (step) print_list(pr, " step ", &e->kids.at[GENERATOR_STEP], 1, "");
    if (width) print_list(pr, " width ", &e->kids.at[GENERATOR_WIDTH], 1, "");
    printer_text(pr, ")");
}

static void print_generator(Printer *pr, const Ast *e)
{
    printer_generator_head(pr, e);
    print_list(pr, " ", &e->kids.at[GENERATOR_BODY], 1, "");
}

// Prints a with-loop on one line. With several generators it never fits when measured, so that each
// of them gets a line of its own.
static void print_with_loop(Printer *pr, const Ast *e)
{
    if (pr->measure && e->kids.len > 2) pr->full = true;
    printer_text(pr, "with");
    for (int i = 0; i < e->kids.len; i++) print_list(pr, " ", &e->kids.at[i], 1, "");
}

static void print_with_operator(Printer *pr, const Ast *e)
{
    bool bare = e->kind == AST_MODARRAY && e->value.integer;
    printer_text(pr, ast_kind_text[e->kind]);
    print_list(pr, bare ? " " : "(", e->kids.at, e->kids.len, bare ? "" : ")");
}

// Prints a match on one line. If it has arms, it never fits when measured, so that each arm gets a
// line of its own.
static void print_match(Printer *pr, const Ast *e)
{
    bool empty = e->kids.len == 1;
    if (pr->measure && !empty) pr->full = true;
    print_list(pr, "match ", e->kids.at, 1, empty ? " {}" : " { ");
    if (!empty) print_list(pr, "", e->kids.at + 1, e->kids.len - 1, " }");
}

static void print_arm(Printer *pr, const Ast *e)
{
    printer_ast(pr, e->kids.at[0]);
    if (e->kids.at[1]) print_list(pr, " if ", &e->kids.at[1], 1, "");
    print_list(pr, " => ", &e->kids.at[2], 1, "");
}

// Whether a `;` follows statement i of a block. A block-like statement needs it only if it would
// otherwise be the value of the block.
bool statement_has_semicolon(const Ast *block, int i)
{
    if (block->kind == AST_SEQUENCE) return !ast_is_block_like(block->kids.at[i]);
    int last = block->kids.len - 1;
    if (i == last || block->kids.at[i]->kind == AST_FN) return false;
    return !ast_is_block_like(block->kids.at[i]) || (i == last - 1 && !block->kids.at[last]);
}

static void print_block(Printer *pr, const Ast *e)
{
    if (pr->measure && e->kids.len > 1) pr->full = true;
    printer_text(pr, "{");
    for (int i = 0; i < e->kids.len && e->kids.at[i] && !pr->full; i++)
        print_list(pr, " ", &e->kids.at[i], 1, statement_has_semicolon(e, i) ? ";" : "");
    printer_text(pr, is_empty_block(e) ? "}" : " }");
}

static void print_sequence(Printer *pr, const Ast *e)
{
    printer_text(pr, e->kids.len ? "{ " : "{");
    for (int i = 0; i < e->kids.len && !pr->full; i++)
        print_list(pr, i ? "; " : "", &e->kids.at[i], 1, "");
    printer_text(pr, e->kids.len ? " }" : "}");
}

static void print_rule(Printer *pr, const Ast *e)
{
    printer_text(pr, "{ ");
    print_infix(pr, e, "=>");
    printer_text(pr, " }");
}

static void print_let(Printer *pr, const Ast *e)
{
    print_list(pr, e->value.integer ? "let mut " : "let ", e->kids.at, 1, "");
    if (e->name) {
        printer_text(pr, ": ");
        printer_text(pr, e->name->text);
    }
    if (e->kids.at[1]) print_list(pr, e->name ? " " : ": ", &e->kids.at[1], 1, "");
    print_list(pr, " = ", &e->kids.at[2], 1, "");
}

static void print_assignment(Printer *pr, const Ast *e)
{
    print_list(pr, "", e->kids.at, 1, " ");
    printer_text(pr, e->name->text);
    print_list(pr, "= ", &e->kids.at[1], 1, "");
}

// Prints a sign before its operand, with a blank in between if they would join into another token,
// as in & &x.
static void print_prefix(Printer *pr, const char *sign, const Ast *operand)
{
    bool doubled =
        strcmp(sign, "&") == 0 && (operand->kind == AST_REF || operand->kind == AST_TYPE_REF);
    printer_text(pr, sign);
    if (doubled || operand->kind == AST_OPERATOR) printer_text(pr, " ");
    printer_ast(pr, operand);
}

static void print_reference_type(Printer *pr, const Ast *e)
{
    if (!e->name->text[0]) {
        print_prefix(pr, e->value.integer ? "&mut " : "&", e->kids.at[0]);
        return;
    }
    printer_text(pr, e->value.integer ? "&mut " : "&");
    printer_text(pr, e->name->text);
    print_list(pr, " ", e->kids.at, 1, "");
}

static void print_lambda(Printer *pr, const Ast *e)
{
    int last = e->kids.len - 1;
    print_list(pr, "|", e->kids.at, last, "| ");
    printer_ast(pr, e->kids.at[last]);
}

static void print_struct(Printer *pr, const Ast *e)
{
    print_name(pr, e);
    if (e->kids.len)
        print_list(pr, " { ", e->kids.at, e->kids.len, " }");
    else
        printer_text(pr, " {}");
}

static void print_member(Printer *pr, const Ast *e)
{
    char text[24];
    printer_ast(pr, e->kids.at[0]);
    printer_text(pr, ".");
    if (e->kind == AST_PROJ) {
        snprintf(text, sizeof text, "%lld", (long long)e->value.integer);
        printer_text(pr, text);
    } else {
        print_name(pr, e);
    }
}

static void print_function_type(Printer *pr, const Ast *e)
{
    int last = e->kids.len - 1;
    print_list(pr, "fn(", e->kids.at, last, ") -> ");
    printer_ast(pr, e->kids.at[last]);
}

static void print_call(Printer *pr, const Ast *e, const char *open, const char *close)
{
    printer_ast(pr, e->kids.at[0]);
    print_list(pr, open, e->kids.at + 1, e->kids.len - 1, close);
}

static void print_array_type(Printer *pr, const Ast *e)
{
    int last = e->kids.len - 1;
    print_list(pr, e->value.integer ? "[?" : "[", e->kids.at, last, "]");
    printer_ast(pr, e->kids.at[last]);
}

// Prints an option pattern: Shape.Circle(r).
static void print_option(Printer *pr, const Ast *e)
{
    printer_text(pr, e->value.string);
    printer_text(pr, ".");
    print_name(pr, e);
    if (e->kids.len) print_list(pr, "(", e->kids.at, e->kids.len, ")");
}

// Prints a struct pattern: Body { mass: m, .. }.
static void print_struct_pattern(Printer *pr, const Ast *e)
{
    print_name(pr, e);
    printer_text(pr, " {");
    if (e->kids.len) print_list(pr, " ", e->kids.at, e->kids.len, "");
    if (e->value.integer) printer_text(pr, e->kids.len ? ", .." : " ..");
    printer_text(pr, e->kids.len || e->value.integer ? " }" : "}");
}

static void print_bind(Printer *pr, const Ast *e)
{
    if (e->kind == AST_BIND_MUT) printer_text(pr, "mut ");
    print_name(pr, e);
    if (e->kids.len) print_list(pr, ": ", e->kids.at, 1, "");
}

// Prints text that failed to parse. It is left as it is in the source.
static void print_error(Printer *pr, const Ast *e)
{
    if (pr->source && e->span.hi <= pr->source->len)
        print_bytes(pr, pr->source->text + e->span.lo, e->span.hi - e->span.lo);
    else
        printer_text(pr, "<error>");
}

static void print_by_kind(Printer *pr, const Ast *e)
{
    if (is_tuple_assignment(e)) e = e->value.written;
    switch (e->kind) {
    case AST_ERROR: print_error(pr, e); return;
    case AST_INT:
    case AST_FLOAT:
    case AST_BOOL:
    case AST_STRING: print_literal(pr, e); return;
    case AST_NAME:
    case AST_TYPE_NAME:
    case AST_OPERATOR: print_name(pr, e); return;
    case AST_CALL: print_call(pr, e, "(", ")"); return;
    case AST_INDEX: print_call(pr, e, "[", "]"); return;
    case AST_SLICE: print_slice(pr, e); return;
    case AST_PROJ:
    case AST_FIELD: print_member(pr, e); return;
    case AST_UNARY: print_prefix(pr, e->name->text, e->kids.at[0]); return;
    case AST_REF: print_prefix(pr, e->value.integer ? "&mut " : "&", e->kids.at[0]); return;
    case AST_DEREF: print_prefix(pr, "*", e->kids.at[0]); return;
    case AST_KNOWN:
    case AST_HIDE:
    case AST_RUN: print_prefix(pr, ast_kind_text[e->kind], e->kids.at[0]); return;
    case AST_BINARY: print_infix(pr, e, e->name->text); return;
    case AST_PIPE: print_infix(pr, e, "|>"); return;
    case AST_COMPOSE: print_infix(pr, e, ">>"); return;
    case AST_RULE: print_rule(pr, e); return;
    case AST_SEQUENCE: print_sequence(pr, e); return;
    case AST_ELSE:
    case AST_APPLY_AT: print_infix(pr, e, ast_kind_text[e->kind]); return;
    case AST_LAMBDA: print_lambda(pr, e); return;
    case AST_IF: print_if(pr, e); return;
    case AST_BLOCK: print_block(pr, e); return;
    case AST_LET: print_let(pr, e); return;
    case AST_ASSIGN: print_assignment(pr, e); return;
    case AST_FN: printer_function(pr, e->value.item); return;
    case AST_WHILE:
    case AST_LOOP:
    case AST_FOR:
    case AST_WITH:
    case AST_UNCHECKED:
    case AST_SCALAR: print_construct(pr, e); return;
    case AST_WITH_LOOP: print_with_loop(pr, e); return;
    case AST_GENERATOR: print_generator(pr, e); return;
    case AST_GENARRAY:
    case AST_MODARRAY:
    case AST_FOLD: print_with_operator(pr, e); return;
    case AST_MATCH: print_match(pr, e); return;
    case AST_ARM: print_arm(pr, e); return;
    case AST_TUPLE:
    case AST_TYPE_TUPLE:
    case AST_BIND_TUPLE: print_tuple(pr, e); return;
    case AST_ARRAY: print_list(pr, "[", e->kids.at, e->kids.len, "]"); return;
    case AST_BIND_ARRAY: print_list(pr, "[", e->kids.at, e->kids.len, "]"); return;
    case AST_DOT: printer_text(pr, "."); return;
    case AST_SPREAD: print_list(pr, "..", e->kids.at, 1, ""); return;
    case AST_STRUCT: print_struct(pr, e); return;
    case AST_INIT:
        print_name(pr, e);
        print_list(pr, ": ", e->kids.at, 1, "");
        return;
    case AST_CAST: print_infix(pr, e, "as"); return;
    case AST_MODE: print_list(pr, "const(", e->kids.at, 1, ")"); return;
    case AST_PAREN: print_list(pr, "(", e->kids.at, 1, ")"); return;
    case AST_BIND_MUT:
    case AST_BIND: print_bind(pr, e); return;
    case AST_BIND_VALUE: printer_ast(pr, e->kids.at[0]); return;
    case AST_BIND_OPTION: print_option(pr, e); return;
    case AST_BIND_STRUCT: print_struct_pattern(pr, e); return;
    case AST_BIND_FIELD:
        if (!e->value.integer) {
            print_name(pr, e);
            printer_text(pr, ": ");
        }
        printer_ast(pr, e->kids.at[0]);
        return;
    case AST_WILDCARD: printer_text(pr, "_"); return;
    case AST_TYPE_ARRAY: print_array_type(pr, e); return;
    case AST_TYPE_VARYING:
        print_list(pr, "varying[", e->kids.at, 1, "] ");
        printer_ast(pr, e->kids.at[1]);
        return;
    case AST_TYPE_UNIFORM: print_list(pr, "uniform ", e->kids.at, 1, ""); return;
    case AST_TYPE_IDX: print_list(pr, "idx[", e->kids.at, e->kids.len, "]"); return;
    case AST_TYPE_FN: print_function_type(pr, e); return;
    case AST_TYPE_REF: print_reference_type(pr, e); return;
    case AST_TYPE_NEVER: printer_text(pr, "!"); return;
    case AST_TYPE_LIST: print_list(pr, "[", e->kids.at, 1, "]"); return;
    case AST_COUNT: return;
    }
}

void printer_ast(Printer *pr, const Ast *e)
{
    if (pr->full) return;
    print_by_kind(pr, e);
    if (e->strided) printer_text(pr, " strided");
}

void ast_print(Text *out, const Ast *e)
{
    Printer pr = {.out = out};
    printer_ast(&pr, e);
}
