// The printer, which writes on one line, and the formatter, which breaks lines.
#ifndef ADZE_SYNTAX_FORMAT_H
#define ADZE_SYNTAX_FORMAT_H

#include "syntax/parse/parse.h"

/// A printer, which writes on one line. When measuring, it writes nothing, and stops when `room`
/// columns are used up, or at a block with statements, a loop or a match. Literals are spelled as
/// in `source`, or in a canonical way if it is NULL.
typedef struct {
    Text *out;
    const Source *source;
    bool measure, full;
    int room;
} Printer;

void printer_ast(Printer *pr, const Ast *e);
void printer_text(Printer *pr, const char *text);
void printer_generator_head(Printer *pr, const Ast *e);
void printer_string(Printer *pr, const char *text);
void printer_function(Printer *pr, const Item *item);
bool is_empty_block(const Ast *e);
bool statement_has_semicolon(const Ast *block, int i);

/// The formatter. Text goes to `out`; comments are printed with the lines that they belong to.
typedef struct {
    Session *cx;
    Text *out;
    const Module *module;
    const Source *source;
    int indent; // the indentation of new lines
    int next;   // the first comment not printed yet
} Format;

enum { LINE_WIDTH = 100, INDENT = 4 };

// format.c: lines and comments.
Printer format_flat(Format *f);
Printer format_measure(Format *f, int reserve);
const Comment *format_next_comment(const Format *f); // the next comment not printed yet, or NULL
bool format_has_comment(const Format *f, uint32_t lo, uint32_t hi);
void format_new_line(Format *f);
void format_start_line(Format *f, uint32_t lo, bool first);
void format_finish_line(Format *f, uint32_t hi, uint32_t next);
void format_flush_comments(Format *f, uint32_t before, bool first);
void format_trailing(Format *f, uint32_t hi, uint32_t next);
bool format_blank_above(const Format *f, uint32_t at, bool docs);
void format_empty_line(Format *f);

// format_item.c
void format_item(Format *f, const Item *item, uint32_t next);
void format_function(Format *f, const Item *item);

// format_expr.c
typedef struct {
    const char *open, *close;
    bool comma;      // commas follow the elements, including the last one
    uint32_t lo, hi; // the end of the opening bracket, and the end of the list
} Brackets;

void format_ast(Format *f, const Ast *e, int reserve);
void format_put(Format *f, const Ast *e);
void format_list(Format *f, Brackets b, Ast *const *at, int len);
void format_equation(Format *f, const Ast *left, const Ast *right);

// format_block.c
void format_block(Format *f, const Ast *e);
void format_if(Format *f, const Ast *e);
void format_construct(Format *f, const Ast *e);
void format_generator(Format *f, const Ast *e);
void format_with_loop(Format *f, const Ast *e, int reserve);
void format_match(Format *f, const Ast *e);
void format_rule(Format *f, const Ast *e);
void format_arm(Format *f, const Ast *e);
void format_let(Format *f, const Ast *e);
void format_assignment(Format *f, const Ast *e);

#endif
