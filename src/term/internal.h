// Declarations shared by the files of term/: names in scope, literals, and line breaking.
#ifndef ADZE_TERM_INTERNAL_H
#define ADZE_TERM_INTERNAL_H

#include "term/term.h"

typedef struct {
    Sym name;
    Node *type; // NULL if not known
} ScopeVar;

/// The variables in scope: de Bruijn variables and named ones, innermost last.
typedef struct {
    Arena *arena;
    VEC(ScopeVar) bound, named;
} Scope;

/// A scope with the variables of `outer`.
Scope scope_new(Arena *arena, const TermScope *outer);

/// The innermost named variable `name`, NULL if there is none.
const ScopeVar *scope_named(const Scope *s, Sym name);

/// For kinds whose name attribute binds a variable: gives the first operand in its scope; the type
/// of the variable, from the operands before. False for other kinds.
bool scope_binder(Kind kind, int *first);
Node *scope_binder_type(Session *cx, Kind kind, Node *const *ops);
/// Whether the binder's name stays in scope to the end of the enclosing block.
bool scope_stays(Kind kind);

/// A literal as an atom, NULL if it needs the form with `lit`; the text after `lit`.
const char *literal_atom(Arena *arena, Node *e);
const char *literal_text(Arena *arena, Node *e);

/// A piece of output: a text, or a form (children between parentheses).
typedef struct Doc Doc;
struct Doc {
    const char *text; // NULL for a form
    int width;        // width if on one line
    bool chain;       // the last kid follows like a statement, indented by one column only
    VEC(Doc *) kids;
};

Doc *doc_text(Arena *arena, const char *text);
Doc *doc_form(Arena *arena);
void doc_add(Arena *arena, Doc *form, Doc *kid);
void doc_write(Text *out, const Doc *d, int indent, int width);

/// The maximum nesting of forms, sizes and types, so that no text exhausts the stack.
enum { MAX_DEPTH = 2000 };

/// Reading of tokens (token.c); all skip blanks and comments first.
char next_char(TermReader *r); // not consumed; 0 at the end
bool next_is_name(TermReader *r);
Sym read_word(TermReader *r);           // the characters up to a blank or parenthesis
Node *read_size_operand(TermReader *r); // a product, or a size in parentheses

/// Reads a literal that stands alone; the text of a `lit` form with a given type.
Node *read_literal(TermReader *r);
bool read_literal_bits(TermReader *r, Node *type, uint64_t *bits, const char *text);

#endif
