// Declarations shared by the files of term/: names in scope, literals, and line breaking.
#ifndef ADZE_TERM_INTERNAL_H
#define ADZE_TERM_INTERNAL_H

#include "base/marks.h"
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

/// The innermost named variable `name`, or NULL if there is none.
const ScopeVar *scope_named(const Scope *s, Sym name);

/// Whether the name attribute of this kind binds a variable. If it does, sets *first to the index
/// of the first operand in the scope of the variable.
bool scope_binder(Kind kind, int *first);
/// The type of the variable that a node of this kind binds. The operands before *first (see
/// scope_binder) determine it.
Node *scope_binder_type(Session *cx, Kind kind, Node *const *ops);
/// Whether the variable that a node of this kind binds stays in scope to the end of the enclosing
/// block.
bool scope_stays(Kind kind);

/// The text of a literal that can stand alone, or NULL if the literal needs a `lit` form.
const char *literal_atom(Arena *arena, Node *e);
/// The text of a literal inside a `lit` form.
const char *literal_text(Arena *arena, Node *e);

/// An output document: either plain text, or a form whose kids are printed between parentheses.
typedef struct Doc Doc;
struct Doc {
    const char *text; // NULL for a form
    int width;        // its width if printed on one line
    Span from;        // where a form comes from, or NO_SPAN
    bool chain;       // the last kid acts as the next statement and is indented by one column
    VEC(Doc *) kids;
};

Doc *doc_text(Arena *arena, const char *text);
Doc *doc_form(Arena *arena);
void doc_add(Arena *arena, Doc *form, Doc *kid);
void doc_write(const Session *cx, Text *out, const Doc *d, int indent, int width);

/// The maximum nesting of forms, sizes and types, so that no input exhausts the stack.
enum { MAX_DEPTH = 2000 };

// Reading tokens (token.c). All of these functions skip white space and comments first.
char next_char(TermReader *r); // does not consume the character; 0 at the end
bool next_is_name(TermReader *r);
Sym read_word(TermReader *r);           // the characters up to white space, a parenthesis or `;`
Node *read_size_operand(TermReader *r); // a product, or a size in parentheses

/// Reads a literal that stands alone.
Node *read_literal(TermReader *r);
/// Sets *bits to the value of `text` as a literal of the type. Reports E0119 and returns false if
/// the text is malformed.
bool read_literal_bits(TermReader *r, Node *type, uint64_t *bits, const char *text);

#endif
